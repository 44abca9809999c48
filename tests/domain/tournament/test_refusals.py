"""What a tournament refuses: each refusal with its reason, place and facts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament import changes
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.draw import Draw, draw
from scorekeeper.domain.tournament.plan import MAX_ENTRANTS, MAX_MINUTES, check_plan
from scorekeeper.domain.tournament.scale import MOST_POINTS, Performance, Scale, check_scale
from scorekeeper.domain.tournament.state import Tournament
from tests.domain.tournament.playing import plan, played, tournament, with_tables

EIGHT = tournament(8, rounds=2)
TABLES = ((0, 1, 2, 3), (4, 5, 6, 7))


def opened(now: Tournament = EIGHT, tables: Any = TABLES, **more: Any) -> Tournament:
    """Return the tournament with an open round of which no table has a result."""
    after = with_tables(now, tables)
    last = replace(after.rounds[-1], results={}, closed=False, **more)
    return replace(after, rounds=(*after.rounds[:-1], last))


OPEN = opened()
OVER = replace(EIGHT, ended=True)
LEFT = replace(EIGHT, entrants=(replace(EIGHT.entrants[0], left=0), *EIGHT.entrants[1:]))
NAMES = tuple("ABCDEFGH")
FOUR = tuple(map(Performance, range(4)))


def enter(now: Tournament, *entries: Entry) -> Any:
    return changes.enter(now, NAMES, {}, entries)


def drawn(*tables: tuple[int, ...], out: tuple[int, ...] = (), games: Any = None) -> Any:
    games = games or [f"g{table}" for table in range(len(tables))]
    return changes.drawn(EIGHT, Draw(tables, out), "s", games)


def planned(**settings: Any) -> None:
    check_plan(plan(**settings))


def scaled(**settings: Any) -> None:
    check_scale(Scale(**settings), 4)


NEW = Entry(("Iris",))
GIN = preset("gin-palast")
REFUSED: list[tuple[str, Callable[[], Any], tuple[Any, ...], dict[str, Any]]] = [
    ("exists", lambda: changes.plan(EIGHT, EIGHT.plan, "s"), (), {}),
    ("begun", lambda: changes.replan(OPEN, EIGHT.plan), (), {}),
    (
        "partners",
        lambda: changes.replan(tournament(4, size=2), plan(size=2, partners=2)),
        ("partners",),
        {},
    ),
    ("over", lambda: enter(OVER, NEW), (), {}),
    ("too_late", lambda: enter(opened(tournament(8, format="knockout")), NEW), (), {}),
    ("too_late", lambda: enter(opened(tournament(8, format="mitchell")), NEW), (), {}),
    ("nobody", lambda: enter(EIGHT), ("entrants",), {}),
    ("many", lambda: enter(EIGHT, *[NEW] * MAX_ENTRANTS), ("entrants",), {"most": MAX_ENTRANTS}),
    (
        "names",
        lambda: enter(EIGHT, NEW, Entry(("Jan", "Kim"))),
        ("entrants", 1),
        {"partners": 1, "stated": 2},
    ),
    ("twice", lambda: enter(EIGHT, NEW, Entry(("B",))), ("entrants", 1), {"name": "B"}),
    ("twice", lambda: enter(EIGHT, NEW, NEW), ("entrants", 1), {"name": "Iris"}),
    ("left", lambda: enter(LEFT, Entry(("A",))), ("entrants", 0), {"name": "A"}),
    ("entrant", lambda: changes.withdraw(EIGHT, 8), (), {"entrant": 9, "count": 8}),
    ("entrant", lambda: changes.bring_back(EIGHT, -1), (), {"entrant": 0, "count": 8}),
    ("over", lambda: changes.withdraw(OVER, 0), (), {}),
    ("over", lambda: changes.bring_back(OVER, 0), (), {}),
    ("open", lambda: changes.check_drawable(OPEN), (), {"number": 1}),
    ("over", lambda: changes.check_drawable(OVER), (), {}),
    (
        "entrant",
        lambda: drawn((0, 1, 2, 3), (4, 5, 6, 8)),
        ("tables",),
        {"entrant": 9, "count": 8},
    ),
    (
        "gone",
        lambda: changes.drawn(LEFT, Draw(TABLES, ()), "s", ["g0", "g1"]),
        ("tables",),
        {"entrant": 1},
    ),
    ("draw", lambda: drawn((0, 1, 2, 3), (3, 4, 5, 6)), ("tables",), {}),
    ("draw", lambda: drawn((0, 1, 2, 3, 4), (5, 6, 7)), ("tables",), {}),
    ("draw", lambda: drawn((0, 1, 2, 3), (4, 5), out=(6, 7)), ("tables",), {}),
    ("draw", lambda: drawn(out=tuple(range(8))), ("tables",), {}),
    ("draw", lambda: drawn((0, 1, 2, 3), (4, 5, 6)), ("tables",), {}),
    ("draw", lambda: drawn(*TABLES, games=["g0"]), ("games",), {}),
    ("draw", lambda: drawn(*TABLES, games=["g0", "g0"]), ("games",), {}),
    ("none_open", lambda: changes.undraw(EIGHT), (), {}),
    (
        "played",
        lambda: changes.undraw(opened(typed={0: FOUR})),
        (),
        {"number": 1},
    ),
    (
        "no_round",
        lambda: changes.check_table(OPEN, 2, 0),
        ("round",),
        {"number": 2, "count": 1},
    ),
    ("no_round", lambda: changes.check_table(OPEN, 0, 0), ("round",), {"number": 0, "count": 1}),
    (
        "no_table",
        lambda: changes.check_table(OPEN, 1, 2),
        ("table",),
        {"number": 1, "table": 3, "count": 2},
    ),
    (
        "no_table",
        lambda: changes.check_table(OPEN, 1, -1),
        ("table",),
        {"number": 1, "table": 0, "count": 2},
    ),
    (
        "scores",
        lambda: changes.result(OPEN, 1, 0, FOUR[:3], "game"),
        ("scores",),
        {"count": 4, "stated": 3},
    ),
    (
        "scores",
        lambda: changes.result(OPEN, 1, 0, (None,) * 4, "stated"),
        ("scores",),
        {"count": 4, "stated": 0},
    ),
    ("none_open", lambda: changes.close(EIGHT), (), {}),
    ("missing", lambda: changes.close(OPEN), (), {"number": 1, "tables": [1, 2]}),
    (
        "missing",
        lambda: changes.close(opened(tournament(8, format="knockout")), late=True),
        (),
        {"number": 1, "tables": [1, 2]},
    ),
    ("open", lambda: changes.conclude(OPEN), (), {"number": 1}),
    ("size", lambda: planned(size=1), ("size",), {}),
    ("pairs", lambda: planned(partners=2), ("size",), {}),
    ("pairs", lambda: planned(partners=3, size=2), ("size",), {}),
    (
        "teams",
        lambda: planned(rules=GIN.override({"teams": True}), size=2),
        ("partners",),
        {},
    ),
    ("fixed", lambda: planned(format="round_robin"), ("size",), {}),
    ("advance", lambda: planned(advance=0), ("advance",), {"most": 3}),
    ("advance", lambda: planned(advance=4), ("advance",), {"most": 3}),
    ("minutes", lambda: planned(minutes=-1), ("minutes",), {"most": MAX_MINUTES}),
    ("minutes", lambda: planned(minutes=MAX_MINUTES + 1), ("minutes",), {"most": MAX_MINUTES}),
    (
        "seats",
        lambda: planned(rules=GIN),
        ("size",),
        {"seats": 3, "least": 2, "most": 2},
    ),
    (
        "scale_places",
        lambda: scaled(places=(3, 2, 1)),
        ("scale", "places"),
        {"size": 4, "stated": 3},
    ),
    ("scale_order", lambda: scaled(places=(1, 2, 3, 4)), ("scale", "places"), {}),
    (
        "scale_range",
        lambda: scaled(places=(MOST_POINTS + 1, 2, 1, 0)),
        ("scale",),
        {"most": MOST_POINTS},
    ),
]


@pytest.mark.parametrize(
    ("why", "change", "path", "facts"),
    REFUSED,
    ids=[f"{row[0]}-{n}" for n, row in enumerate(REFUSED)],
)
def test_a_refusal_says_where_and_why(
    why: str, change: Callable[[], Any], path: tuple[Any, ...], facts: dict[str, Any]
) -> None:
    with pytest.raises(RuleError) as refused:
        change()

    (problem,) = refused.value.problems
    assert (problem.code, problem.path) == ("E_TOURNAMENT", path)
    assert problem.facts == {"why": why, **facts}


# ---- what is just within the limits ----------------------------------------------------


def test_the_limits_themselves_are_allowed() -> None:
    planned(minutes=MAX_MINUTES, advance=3)
    planned(minutes=0, advance=1)
    scaled(places=(MOST_POINTS, 2, 1, 0))
    some = [Entry((f"N{n}",)) for n in range(MAX_ENTRANTS - len(EIGHT.entrants))]

    draft = enter(EIGHT, *some)

    assert len(draft.payload["entrants"]) == len(some)
    assert draft.payload["entrants"][0] == {"members": [8], "club": None, "since": 1}


def test_who_has_entered_keeps_number_and_club_and_new_names_join() -> None:
    entries = [Entry(("Iris",), "Ost"), Entry(("Jan",), "West"), Entry(("Kim",), "Ost")]
    now = tournament(2)

    draft = changes.enter(now, ("A", "B"), {"club.0": "West"}, entries)
    again = changes.enter(replace(now, clubs=1), ("A", "B"), {"club.0": "West"}, entries)

    assert [one["club"] for one in draft.payload["entrants"]] == [0, 1, 0]
    assert [one["club"] for one in again.payload["entrants"]] == [1, 0, 1]
    assert [one["members"] for one in draft.payload["entrants"]] == [[2], [3], [4]]
    names = {"member.2": "Iris", "member.3": "Jan", "member.4": "Kim"}
    assert draft.texts == {**names, "club.0": "Ost", "club.1": "West"}
    assert again.texts == {**names, "club.1": "Ost"}


def test_a_change_that_changes_nothing_is_no_event() -> None:
    assert changes.replan(EIGHT, EIGHT.plan) is None
    assert changes.withdraw(LEFT, 0) is None
    assert changes.bring_back(EIGHT, 0) is None
    assert changes.conclude(OVER) is None
    assert changes.result(OPEN, 1, 0, None, "stated") is None
    assert changes.result(opened(typed={0: FOUR}), 1, 0, FOUR, "stated") is None


def test_a_change_names_what_it_changes() -> None:
    new = plan(rounds=3, minutes=20)
    late = opened(typed={0: (*FOUR[:3], None)})

    assert changes.withdraw(OPEN, 3) == changes.Draft("withdrawn", {"entrant": 3, "after": 1})
    assert changes.bring_back(LEFT, 0) == changes.Draft("returned", {"entrant": 0})
    assert changes.conclude(EIGHT) == changes.Draft("concluded")
    replanned = changes.replan(EIGHT, new)
    assert replanned and replanned.payload["plan"]["minutes"] == 20
    removed = changes.result(late, 1, 0, None, "stated")
    about = {"round": 1, "table": 0, "scores": None, "source": "stated"}
    assert removed == changes.Draft("result", about)
    closed = changes.close(OPEN, late=True)
    assert closed == changes.Draft("closed", {"round": 1, "late": [0, 1]})


def test_a_draw_is_stored_as_it_was_made() -> None:
    made = draw(EIGHT, "s")

    draft = changes.drawn(EIGHT, made, "s", ["g0", "g1"])

    assert draft.payload == {
        "tables": [list(table) for table in made.tables],
        "out": [],
        "seed": "s",
        "games": ["g0", "g1"],
    }
    assert len(played(EIGHT, 2).rounds) == 2
