"""A tournament on a real server that is killed between its rounds."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.client import Server
from scorekeeper.client.tournaments import Tournament

RULES = {"preset": "german-family", "options": {"end.mode": "rounds", "end.rounds": 1}}
Serve = Callable[..., Any]


def killed_and_started_again(served: Serve, data: Path, process: Any = None) -> tuple[Any, str]:
    """Kill the server without warning, start another one, and return it with its address."""
    if process:
        process.kill()
        process.wait()
    process, _, port = served("--data", str(data))
    return process, f"http://127.0.0.1:{port}"


def again(address: str, night: Tournament) -> Tournament:
    return Server(address).group(night.id, night.secret).tournament


def play(address: str, night: Tournament, tables: list[Any], dice: random.Random) -> None:
    """Let each table write by its own link."""
    for table in tables:
        pen = night.table(table["game"]).links()["pen"]
        assert pen
        game = Server(address).game(table["game"], pen.rpartition(".")[2])
        left = dice.sample(range(1, 90), len(table["entrants"]))  # nobody ties
        winner = dice.randrange(len(left))
        seats: list[Any] = [{"points": points} for points in left]
        seats[winner] = {}
        game.record({"outcome": "out", "winner": winner, "seats": seats})


@pytest.mark.long
@pytest.mark.sqlite
def test_two_hundred_play_to_the_end_although_the_server_is_killed(
    served: Serve, tmp_path: Path
) -> None:
    data, dice, rounds = tmp_path / "club.sqlite", random.Random(43), 2
    process, address = killed_and_started_again(served, data)
    night = Server(address).new_group("Club night").tournament
    night.create(format="swiss", rounds=rounds, rules=RULES, split_clubs=True)
    night.enter(
        [{"names": [f"Guest {number:03}"], "club": f"Club {number % 23}"} for number in range(200)]
    )
    for number in range(1, rounds + 1):
        night.read()
        tables = night.draw()["rounds"][-1]["tables"]
        assert len(tables) == 50
        half = dice.randrange(10, 40)
        play(address, night, tables[:half], dice)
        process, address = killed_and_started_again(served, data, process)
        night = again(address, night)
        missing = night.read()["rounds"][-1]["missing"]
        assert missing == [table["number"] for table in tables[half:]]
        play(address, night, tables[half:], dice)
        night.read()
        assert night.close()["rounds"][-1]["closed"]
        process, address = killed_and_started_again(served, data, process)
        night = again(address, night)
        assert night.check_draw(number)["confirmed"]

    played = night.read()
    assert played["over"]
    assert [one["repeats"] for one in played["rounds"]] == [0] * rounds
    found = night.standings()["standings"]
    assert len(found) == 200
    assert all(len(one["rounds"]) == rounds for one in found)
    assert sum(one["points"] for one in found) == rounds * 50 * (4 + 3 + 2 + 1)

    elsewhere, other = killed_and_started_again(served, tmp_path / "other.sqlite")
    copied = Server(other).import_group(Server(address).group(night.id, night.secret).export())
    assert copied.tournament.standings()["standings"] == found
    elsewhere.kill()
