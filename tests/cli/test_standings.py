"""The command about tournaments."""

from pathlib import Path

import pytest

from club_nights import Club
from commands import run
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import groups
from scorekeeper.store import open_ledger


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "club.sqlite"
    ledger = open_ledger(file)
    club = Club(ledger)
    for _ in range(2):
        club.draw()
        club.play_all()
        club.close()
    groups.create_group(ledger, NewGroup("Kegelclub", ()))
    ledger.close()
    return file


def test_the_standings_and_the_draws_are_shown(data: Path, tmp_path: Path) -> None:
    result = run("standings", "--data", data, "--pdf", tmp_path / "standings.pdf")

    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[0] == "After round 2, Café Zentral"
    assert "\n 1  " in result.output and "\n13  " in result.output
    assert result.output.count("The draw is right: the seed gives the same tables.") == 2
    assert (tmp_path / "standings.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_columns_of_the_standings_are_aligned(data: Path, lang: str) -> None:
    rows = run("standings", "--data", data, lang=lang).output.split("\n\n")[0].splitlines()[1:]

    assert (len(rows), len({*map(len, rows)})) == (14, 1), rows


def test_the_standings_never_replace_a_database(data: Path) -> None:
    before = data.read_bytes()

    refused = run("standings", "--data", data, "--pdf", data)

    assert (refused.exit_code, data.read_bytes()) == (1, before)
    assert f"{data} is a database, or belongs to one" in refused.stderr


def test_an_earlier_round_can_be_shown(data: Path) -> None:
    assert run("standings", "--data", data, "--after", 1).output.startswith("After round 1")


def test_an_unknown_group_lists_those_that_play_one(data: Path) -> None:
    result = run("standings", "--data", data, "--group", "abcdefghij")

    assert result.exit_code == 1
    assert "Name the group that plays the tournament with --group." in result.output
    assert "Café Zentral" in result.output
    assert "Kegelclub" not in result.output
