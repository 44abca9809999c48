"""Forged games and groups are refused at the first event that is wrong."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

import short
from forged_exports import sealed, whole_club, whole_game
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import games, groups, imports
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.writes import Write
from transfers import sent

pytestmark = pytest.mark.sqlite  # refused before anything is written
Json = dict[str, Any]
Place = tuple[str | int, ...]


def nth(export: Json, kind: str, place: int) -> Json:
    found: Json = [one for one in export["events"] if one["kind"] == kind][place]
    return found


def changed(payload: Any, place: Place, to: Any) -> None:
    for step in place[:-1]:
        payload = payload[step]
    payload[place[-1]] = to


# ---- games ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def valid_game(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game of gin with nearly all kinds of events."""
    ledger = open_ledger(tmp_path_factory.mktemp("valid") / "games.sqlite")
    export = json.dumps(ledger.export(whole_game(ledger, "gin")))
    ledger.close()
    return export


FORGED_IN_GAMES: list[tuple[str, Place, Any]] = [
    ("created", ("players",), "2"),
    ("created", ("players",), True),
    ("created", ("dealer",), 0),
    ("created", ("typed",), "yesterday"),
    ("corrected", ("number",), 0),
    ("corrected", ("number",), 99),
    ("corrected", ("number",), True),
    ("struck", ("number",), 9),
    ("struck", ("number",), "1"),
    ("struck", ("number",), True),
    ("struck", ("number",), 1.0),
    ("restored", ("number",), 2),
    ("restored", ("number",), 3.0),
    ("details", ("fields",), []),
    ("details", ("fields",), ["place", "title"]),
    ("frame", ("began",), "yesterday"),
    ("frame", ("began",), "2026-01-02"),
    ("frame", ("dealers",), [[5, True]]),
    ("frame", ("dealers",), [[5.0, 1]]),
    ("frame", ("dealers",), [[5, 9]]),
    ("frame", ("order",), [True, 0]),
    ("frame", ("order",), [0, 0]),
    ("frame", ("fields",), ["name.0"]),
    ("frame", ("fields",), ["name.0", "place", "title"]),
    ("frame", ("more",), 1),
    ("inserted", ("number",), 9),
    ("inserted", ("number",), True),
    ("given", ("side",), 9),
    ("given", ("side",), False),
    ("given", ("plus",), 5.0),
    ("given", ("plus",), 10**9),
    ("given", ("plus",), 0),
    ("given", ("minus",), -(10**9)),
    ("given", ("start",), 1),
    ("given", ("more",), 1),
    ("taken_back", ("given",), 13),
    ("taken_back", ("given",), True),
    ("account", ("side",), False),
    ("account", ("side",), 9),
    ("account", ("kept",), 1),
    ("account", ("kept",), "yes"),
    ("secret", ("right",), "host"),
    ("secret", ("more",), 1),
    ("paid", ("amount",), "18.0"),
    ("paid", ("amount",), "-18"),
    ("paid", ("amount",), 18),
    ("paid", ("from",), 1),
    ("paid", ("from",), False),
    ("paid", ("to",), True),
    ("paid", ("to",), 9),
    ("unpaid", ("payment",), 22),
    ("unpaid", ("payment",), 23.0),
    ("unpaid", ("amount",), "17"),
    ("erased", ("seat",), True),
    ("erased", ("seat",), -1),
    ("erased", ("seat",), 0),
    ("erased", ("seat",), 2),
]


@pytest.mark.parametrize(
    ("kind", "place", "to"),
    FORGED_IN_GAMES,
    ids=[f"{kind} {place[0]} {to!r:.15}" for kind, place, to in FORGED_IN_GAMES],
)
def test_a_forged_event_of_a_game_is_refused(
    valid_game: str, kind: str, place: Place, to: Any
) -> None:
    export = json.loads(valid_game)
    event = nth(export, kind, -1)
    changed(event["payload"], place, to)
    with pytest.raises(RuleError) as refused:
        imports.ready_game(sealed(export), as_it_was=True)

    assert refused.value.problems[0].path[:2] == ("events", event["number"] - 1)


# ---- groups --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A group with all kinds of entries, without its evenings."""
    ledger = open_ledger(tmp_path_factory.mktemp("valid") / "groups.sqlite")
    group = whole_club(ledger)
    groups.keep_rating(ledger, group, True, Write())
    groups.retire_member(ledger, group, 2, True, Write())
    groups.retire_member(ledger, group, 2, False, Write())
    export, _ = sent(ledger, group)
    ledger.close()
    return json.dumps(export)


FORGED: list[tuple[str, int, Place, Any]] = [
    ("founded", 0, ("members",), "3"),
    ("founded", 0, ("members",), True),
    ("founded", 0, ("members",), -1),
    ("founded", 0, ("members",), 2),
    ("founded", 0, ("house", "preset"), "whist"),
    ("founded", 0, ("house", "options", "joker.hand_value"), 10**6),
    ("founded", 0, ("more",), 1),
    ("game", 0, ("game",), "../x"),
    ("game", 0, ("members",), [1]),
    ("game", 0, ("members",), [1, 1, 0]),
    ("game", 0, ("members",), [1, 2.0, 0]),
    ("game", 0, ("members",), [1, 2, 9]),
    ("game", 0, ("training",), 0),
    ("booked", 0, ("game",), "abcdefghij"),
    ("booked", 0, ("unit",), "\u202e"),
    ("booked", 0, ("unit",), "EUR"),
    ("booked", 0, ("payable",), "0"),
    ("booked", 0, ("payable",), "1.0"),
    ("booked", 0, ("moves",), []),
    ("booked", 0, ("moves", 0, 2), "0"),
    ("booked", 0, ("moves", 0, 2), "316.0"),
    ("booked", 0, ("moves", 0, 2), "9" * 200),
    ("booked", 0, ("moves", 0, 0), True),
    ("booked", 0, ("moves", 0), [0, "ct", "315", 1]),
    ("booked", 2, ("unit",), "EUR"),
    ("member", 0, ("member",), 4),
    ("renamed", 0, ("member",), "0"),
    ("renamed", 0, ("member",), False),
    ("renamed", 0, ("member",), 9),
    ("details", 0, ("fields",), []),
    ("paid", 0, ("to",), 2),
    ("paid", 0, ("amount",), "-256"),
    ("paid", 0, ("moves", 0, 2), "255"),
    ("reversed", 0, ("number",), 0),
    ("reversed", 0, ("number",), -11),
    ("reversed", 0, ("number",), -1),
    ("reversed", 0, ("number",), 10.0),
    ("reversed", 0, ("number",), 10**30),
    ("reversed", 0, ("number",), 9),
    ("reversed", 0, ("number",), 11),
    ("reversed", 0, ("number",), 99),
    ("reversed", 0, ("number",), True),
    ("reversed", 0, ("of",), "rate"),
    ("rate", 0, ("rate",), "0"),
    ("rate", 0, ("rate",), "102/2"),
    ("rate", 0, ("in",), "DM"),
    ("rate", 0, ("unit",), "\u202e"),
    ("converted", 0, ("in",), "EUR"),
    ("converted", 0, ("rate",), "50"),
    ("settled", 0, ("unit",), "DM"),
    ("house", 0, ("house", "preset"), "whist"),
    ("house", 0, ("house", "options", "family"), "lay"),
    ("house", 0, ("more",), 1),
    ("rating", 0, ("on",), 1),
    ("rating", 0, ("on",), False),
    ("retired", 0, ("member",), True),
    ("retired", 0, ("member",), 9),
    ("reinstated", 0, ("member",), 0),
    ("erased", 0, ("member",), True),
    ("erased", 0, ("member",), -3),
    ("erased", 0, ("member",), 2),
]


@pytest.mark.parametrize(
    ("kind", "which", "place", "to"),
    FORGED,
    ids=[
        f"{kind} {which} {'.'.join(map(str, place))} {to!r:.9}" for kind, which, place, to in FORGED
    ],
)
def test_a_forged_entry_of_a_group_is_refused(
    valid: str, kind: str, which: int, place: Place, to: Any
) -> None:
    export = json.loads(valid)
    event = nth(export, kind, which)
    changed(event["payload"], place, to)
    with pytest.raises(RuleError) as refused:
        imports.read_group(sealed(export), [])

    assert refused.value.problems[0].path[:2] == ("events", event["number"] - 1)


# ---- what a group books for an evening -----------------------------------------------


@dataclass
class Night:
    """A group of two and its only evening, of which a payment was made."""

    ledger: Ledger
    group: str
    game: str

    def sent(self) -> tuple[Json, Json]:
        export, evenings = sent(self.ledger, self.group)
        return export, evenings[0] if evenings else {}


@pytest.fixture
def night(ledger: Ledger) -> Night:
    group = groups.create_group(ledger, NewGroup("Freitag", ("Anna", "Bernd"))).group.id
    about = NewGame("", "", short.FAMILY, ("Anna", "Bernd"))
    game = groups.open_evening(ledger, group, about, Write()).id
    short.record(ledger, game, 0, 12)
    games.end_game(ledger, game, Write())
    games.mark_paid(ledger, game, 0, True, Write())
    return Night(ledger, group, game)


def append(export: Json, kind: str, **payload: Any) -> None:
    last = export["events"][-1]
    export["events"].append(
        {**last, "number": last["number"] + 1, "kind": kind, "payload": payload}
    )


def remove(export: Json, kind: str) -> None:
    """Remove the last event of a kind."""
    export["events"].remove(nth(export, kind, -1))
    for number, event in enumerate(export["events"], 1):
        event["number"] = number


def refusal(night: Night, export: Json, *evenings: Json) -> tuple[Any, ...]:
    """Return the facts of a refusal, and its path."""
    with pytest.raises(RuleError) as refused:
        imports.read_group(sealed(export), [sealed(one) for one in evenings], as_it_was=True)
    (problem,) = refused.value.problems
    assert problem.code == "E_IMPORT"
    return problem.facts, problem.path


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_payment_of_an_evening_is_booked_as_it_was_made(night: Night, goes_on: bool) -> None:
    if goes_on:
        games.reopen_game(night.ledger, night.game, Write())
    left = {"why": "left", "id": night.game}
    export, game = night.sent()
    assert imports.read_group(export, [game]).book == night.ledger.group(night.group)

    nth(export, "paid", -1)["payload"]["moves"] = [[1, "ct", "11"], [0, "ct", "-11"]]
    assert refusal(night, export, game)[0] == left

    export, game = night.sent()
    append(export, "paid", **nth(export, "paid", -1)["payload"])
    assert refusal(night, export, game)[0] == left

    export, game = night.sent()
    game["events"] = [one for one in game["events"] if one["kind"] in ("created", "round")]
    assert refusal(night, export, game)[0] == left

    export, game = night.sent()
    remove(export, "paid")
    if goes_on:  # up to version 1.1 payments were booked at the end
        assert imports.read_group(sealed(export), [game]).book.evenings
    else:
        assert refusal(night, export, game)[0] == left


@pytest.mark.parametrize("due", [[True, 0, "12"], [1, False, "12"], [1, 0, "12.0"], [1, 0, 12]])
def test_a_payment_of_an_evening_is_written_as_scorekeeper_writes_it(
    night: Night, due: list[Any]
) -> None:
    export, game = night.sent()
    nth(export, "paid", -1)["payload"]["due"] = due
    assert refusal(night, export, game)[1] == ("events", 3)


def test_an_evening_is_booked_in_one_unit_and_only_its_payments_are_reversed(night: Night) -> None:
    export, game = night.sent()
    booked = nth(export, "booked", 0)["payload"]
    moves = [[member, "EUR", amount] for member, _, amount in booked["moves"]]
    append(export, "booked", **{**booked, "unit": "EUR", "moves": moves})
    assert refusal(night, export, game)[1] == ("events", 4)

    export, game = night.sent()
    back = [[0, "ct", "-12"], [1, "ct", "12"]]
    append(export, "reversed", game=night.game, number=3, of="booked", moves=back)
    assert refusal(night, export, game)[1] == ("events", 4)


@pytest.mark.parametrize("kind", ["booked", "reversed"])
def test_an_evening_that_left_its_group_has_nothing_booked(night: Night, kind: str) -> None:
    """Its amounts and its payments are taken back."""
    groups.release_game(night.ledger, night.group, night.game, Write())
    export, _ = night.sent()
    assert imports.read_group(export, []).book == night.ledger.group(night.group)

    remove(export, kind)
    assert refusal(night, export) == ({"why": "left", "id": night.game}, ("events",))
