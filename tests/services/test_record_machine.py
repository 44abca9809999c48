"""Random changes of games, against a plain list of what was acknowledged.

L3: over REST, on two servers that stop and start and exchange games. After every step its game
has exactly the acknowledged rounds in order, and its history has one entry for each acknowledged
change.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as drawn_by
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

import bars
from bars import seed, steps, tried, tries
from rest import Table, codes
from scorekeeper import create_app
from scorekeeper.store.check import check

HUNDRED = 100
SERVERS = ("home", "away")
MOST = 6
POINTS = st.lists(st.integers(0, 300), min_size=MOST, max_size=MOST)
SEAT = st.integers(0, MOST - 1)
PLACE = st.integers(0, 99)
NOTE = st.sampled_from(("", "", "ein Joker lag unter dem Tisch", "=1+1"))


@dataclass(frozen=True)
class Sent:
    """A request with a key, and its answer."""

    method: str
    path: str
    body: Any
    key: str
    match: str | None
    status: int
    answer: Any


@dataclass
class Paper:
    """The model of a game: what was acknowledged, and nothing else."""

    at: str
    """The number of its server."""
    id: str
    pen: str
    watch: str
    seats: int
    version: int = 1
    over: bool = False
    rounds: list[list[int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    struck: set[int] = field(default_factory=set)
    sent: list[Sent] = field(default_factory=list)
    former: list[str] = field(default_factory=list)
    """The secrets that were replaced."""

    @property
    def totals(self) -> list[int]:
        counted = [row for n, row in enumerate(self.rounds, 1) if n not in self.struck]
        return [sum(row[seat] for row in counted) for seat in range(self.seats)]


def row(answer: Any, seats: int) -> list[int]:
    """Return the points of everyone in a round; late players were absent."""
    scores = [score["minus"] if score else 0 for score in answer["score"]["scores"]]
    return scores + [0] * (seats - len(scores))


class Server:
    """A server that can be stopped and started again on its database."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.start()

    def start(self) -> None:
        self.app = create_app({"DATA": self.data, "TESTING": True})
        self.table = Table(self.app)

    def stop(self) -> None:
        self.app.extensions["ledger"].close()


class Record(RuleBasedStateMachine):
    """Some games, and random changes of them."""

    servers: Mapping[str, Server]
    games = Bundle("games")
    exports = Bundle("exports")

    def __init__(self) -> None:
        super().__init__()
        self.papers: list[Paper] = []
        self.keys = 0
        self.restarted = False

    def teardown(self) -> None:
        for paper in self.papers:
            self.stands(paper)
        tried()

    # ---- asking --------------------------------------------------------------------------

    def ask(self, paper: Paper, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """Make a call about the game, with its pen."""
        more.setdefault("secret", paper.pen)
        return self.servers[paper.at].table.call(method, f"/games/{paper.id}{path}", body, **more)

    def change(self, paper: Paper, method: str, path: str, body: Any = None) -> Any:
        """Make a change with the newest version."""
        return self.sent(paper, method, path, body, str(paper.version))

    def sent(self, paper: Paper, method: str, path: str, body: Any, match: str | None) -> Any:
        """Send a request with a new key, and record it if it is acknowledged."""
        self.keys += 1
        key = f"key {self.keys}"
        answer = self.ask(paper, method, path, body, key=key, match=match)
        if answer.status_code < 300:
            paper.version += 1
            noted = Sent(method, path, body, key, match, answer.status_code, answer.json)
            paper.sent.append(noted)
        return answer

    def stands(self, paper: Paper) -> None:
        """Check that the game equals the model."""
        result = self.ask(paper, "GET", "").json

        assert [row(one, paper.seats) for one in result["rounds"]] == paper.rounds
        assert [one["round"].get("note", "") for one in result["rounds"]] == paper.notes
        assert {one["number"] for one in result["rounds"] if one["struck_at"]} == paper.struck
        assert [total["minus"] for total in result["totals"]] == paper.totals
        assert result["version"] == paper.version
        assert result["over"] == paper.over

    # ---- what happens --------------------------------------------------------------------

    @initialize(target=games, seats=st.integers(2, 4))
    def begin(self, seats: int) -> Paper:
        return self.create(seats, "home")

    @rule(target=games, seats=st.integers(2, 4), at=st.sampled_from(SERVERS))
    def create(self, seats: int, at: str) -> Paper:
        table = Table(self.servers[at].app).begin(players="ABCDEF"[:seats])
        paper = Paper(at, table.id, table.pen, table.watch, seats)
        self.papers.append(paper)
        return paper

    def facts(self, paper: Paper, winner: int, points: list[int], note: str) -> tuple[Any, Any]:
        """Return a round as it is sent, and its points."""
        winner %= paper.seats
        row = [0 if seat == winner else points[seat] for seat in range(paper.seats)]
        seats = [{} if seat == winner else {"points": own} for seat, own in enumerate(row)]
        body = {"outcome": "out", "winner": winner, "seats": seats}
        return {**body, "note": note} if note else body, row

    @rule(game=games, winner=SEAT, points=POINTS, note=NOTE)
    def record(self, game: Paper, winner: int, points: list[int], note: str) -> None:
        body, row = self.facts(game, winner, points, note)
        answer = self.sent(game, "POST", "/rounds", body, None)
        if game.over:
            assert codes(answer) == [("E_GAME_OVER", [])]
        else:
            assert answer.status_code == 201
            game.rounds.append(row)
            game.notes.append(note)
        self.stands(game)

    @rule(game=games, at=PLACE, winner=SEAT, points=POINTS, note=NOTE)
    def correct(self, game: Paper, at: int, winner: int, points: list[int], note: str) -> None:
        if not game.rounds:
            return
        number = 1 + at % len(game.rounds)
        body, row = self.facts(game, winner, points, note)

        assert self.change(game, "PUT", f"/rounds/{number}", body).status_code == 200

        game.rounds[number - 1], game.notes[number - 1] = row, note
        self.stands(game)

    @rule(game=games, at=PLACE)
    def strike_or_restore(self, game: Paper, at: int) -> None:
        if not game.rounds:
            return
        number = 1 + at % len(game.rounds)
        how = ("POST", "/restore") if number in game.struck else ("DELETE", "")
        answer = self.change(game, how[0], f"/rounds/{number}{how[1]}")

        assert answer.status_code == 200

        game.struck ^= {number}
        self.stands(game)

    @rule(game=games)
    def end_or_reopen(self, game: Paper) -> None:
        assert self.change(game, "PATCH", "", {"over": not game.over}).status_code == 200

        game.over = not game.over
        self.stands(game)

    @rule(game=games)
    def sit_down(self, game: Paper) -> None:
        if game.seats == MOST:
            return
        name = "ABCDEF"[game.seats]

        assert self.change(game, "PATCH", "", {"player": {"name": name}}).status_code == 200

        game.seats += 1
        for row in game.rounds:
            row.append(0)
        self.stands(game)

    @rule(game=games, at=PLACE)
    def repeat(self, game: Paper, at: int) -> None:
        """A repeated request gets its first answer and changes nothing."""
        if not game.sent:
            return
        once = game.sent[at % len(game.sent)]
        about = {"key": once.key, "match": once.match}
        again = self.ask(game, once.method, once.path, once.body, **about)

        assert (again.status_code, again.json) == (once.status, once.answer)
        self.stands(game)

    @rule(game=games, winner=SEAT, points=POINTS)
    def use_a_key_for_another_round(self, game: Paper, winner: int, points: list[int]) -> None:
        if not game.sent:
            return
        once = game.sent[-1]
        body, _ = self.facts(game, winner, points, "another")
        answer = self.ask(game, "POST", "/rounds", body, key=once.key)

        assert codes(answer) == [("E_KEY_REUSED", ["Idempotency-Key"])]
        self.stands(game)

    @rule(game=games, back=st.integers(1, 9), winner=SEAT, points=POINTS)
    def be_too_late(self, game: Paper, back: int, winner: int, points: list[int]) -> None:
        """A request with an older version, or without one, changes nothing."""
        body, _ = self.facts(game, winner, points, "")
        calls = (("PUT", "/rounds/1", body), ("DELETE", "/rounds/1", None))
        for method, path, what in (*calls, ("PATCH", "", {"over": not game.over})):
            for match, status in ((str(game.version - back), 412), (None, 428)):
                assert self.ask(game, method, path, what, match=match).status_code == status
        self.stands(game)

    @rule(game=games, right=st.sampled_from(("pen", "watch")))
    def hand_over(self, game: Paper, right: str) -> None:
        old = getattr(game, right)
        answer = self.ask(game, "POST", "/secrets", {"right": right})

        assert answer.status_code == 201

        setattr(game, right, answer.json["secret"])
        game.former.append(old)
        game.version += 1
        self.stands(game)

    @rule(game=games, winner=SEAT, points=POINTS)
    def write_without_the_pen(self, game: Paper, winner: int, points: list[int]) -> None:
        body, _ = self.facts(game, winner, points, "")
        others = [paper.pen for paper in self.papers if paper.id != game.id]
        for secret, status in ((game.watch, 403), *((one, 404) for one in game.former + others)):
            answer = self.ask(game, "POST", "/rounds", body, key="k", secret=secret)

            assert answer.status_code == status
        self.stands(game)

    @rule(target=exports, game=games)
    def export(self, game: Paper) -> Any:
        """Read the whole game, also as of an earlier version."""
        whole = self.ask(game, "GET", "/export.json")

        assert whole.headers["ETag"] == f'"{game.version}-en"'
        return whole.json, deepcopy(game)

    @rule(target=games, export=consumes(exports), at=st.sampled_from(SERVERS))
    def import_book(self, export: Any, at: str) -> Any:
        """Import a game on another server; an existing one is not changed."""
        whole, paper = export
        answer = Table(self.servers[at].app).post("/games/import", whole, secret="")
        if any((known.at, known.id) == (at, paper.id) for known in self.papers):
            assert codes(answer) == [("E_IMPORT", [])]
            return multiple()

        assert answer.status_code == 201, answer.text
        secrets = {right: answer.json[right] for right in ("pen", "watch")}
        former = [*paper.former, paper.pen, paper.watch]
        paper = replace(paper, at=at, **secrets, former=former)
        self.papers.append(paper)
        self.stands(paper)
        return paper

    @precondition(lambda self: not self.restarted)
    @rule(at=st.sampled_from(SERVERS))
    def stop_and_start(self, at: str) -> None:
        """Once in each run, because it takes as long as a hundred calls."""
        self.restarted = True
        self.servers[at].stop()
        self.servers[at].start()
        for paper in self.papers:
            if paper.at == at:
                self.stands(paper)

    @rule(game=games)
    def the_history_lists_every_change(self, game: Paper) -> None:
        changes = self.ask(game, "GET", "/history").json["changes"]

        assert [change["number"] for change in changes] == list(range(1, game.version + 1))


@pytest.mark.bar("L3")
def test_the_database_holds_exactly_the_acknowledged_changes(tmp_path: Path) -> None:
    """A hundred runs at a time; failures are not minimised, which would take minutes."""
    for first in range(0, tries("L3"), HUNDRED):
        bars.NOW.at = first + 1
        Record.servers = {name: Server(tmp_path / f"{name} {first}") for name in SERVERS}
        run_state_machine_as_test(
            drawn_by(seed("L3") + first)(Record),
            settings=settings(
                max_examples=min(HUNDRED, tries("L3") - first),
                stateful_step_count=steps("L3"),
                database=None,
                deadline=None,
                derandomize=False,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
        for server in Record.servers.values():
            assert check(server.app.extensions["ledger"]).good
            server.stop()
