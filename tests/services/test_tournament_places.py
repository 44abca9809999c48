"""A table of a tournament gives the places that its game gives."""

from typing import Any

import pytest

import short
from club_nights import NAMES, Club
from forged_exports import sealed
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.plan import without_stakes
from scorekeeper.domain.tournament.scale import Scale
from scorekeeper.services import imports
from scorekeeper.store import Ledger
from scorekeeper.wire.rounds import load_round
from transfers import sent, taken_in

ONE_RUN = "AC 2C 3C 4C 5C 6C 7C"
TWO_CONTRACTS = [{"deal": 10, "need": "S3 S3", "wild": None}] * 2


def rules_of(name: str, **options: Any) -> RuleSet:
    changed = {option.replace("__", "."): value for option, value in options.items()}
    return without_stakes(preset(name).override(changed))


def out(winner: int, *seats: Any, **more: Any) -> dict[str, Any]:
    """A round: None for the winner, points, or the facts of a seat; "-" for the absent."""
    told = [
        {} if one is None
        else {"absent": True} if one == "-"
        else {"points": one} if isinstance(one, int)
        else one
        for one in seats
    ]  # fmt: skip
    return {"outcome": "out", "winner": winner, "seats": told, **more}


def knock(knocker: int, *deadwood: int) -> dict[str, Any]:
    seats = [{"deadwood": points} for points in deadwood]
    return {"outcome": "knock", "knocker": knocker, "seats": seats}


def laid(points: int) -> dict[str, Any]:
    return {"laid": True, "points": points}


def not_laid(points: int) -> dict[str, Any]:
    return {"laid": False, "points": points}


CASES: dict[str, tuple[RuleSet, list[dict[str, Any]], list[int]]] = {
    "too few rounds to win": (  # the last played one of four rounds and has the fewest points
        rules_of("german-family", end__mode="rounds", end__rounds=4),
        [
            out(0, None, 30, 40, 5), out(1, 30, None, 40, "-"),
            out(2, 30, 30, None, "-"), out(0, None, 30, 40, "-"),
        ],
        [1, 2, 3, 4],
    ),
    "never there": (
        rules_of("german-family", end__mode="rounds", end__rounds=1),
        [out(0, None, 30, "-", "-")],
        [1, 2, 3, 3],
    ),
    "more rounds won": (  # 40 points each
        rules_of("german-family", end__mode="rounds", end__rounds=3),
        [out(0, None, 20, 10), out(0, None, 20, 10), out(1, 40, None, 40)],
        [1, 2, 3],
    ),
    "one run wins the game": (
        rules_of("chinchon"),
        [out(0, {"points": 2}, 60), out(1, 5, {"melds": [ONE_RUN]})],
        [2, 1],
    ),
    "Gin Pro": (
        rules_of(
            "gin-palast", gin__pro_min_wins=2, gin__box_above_limit=100, end__points=100
        ),
        [knock(0, 0, 100), knock(1, 60, 0), knock(1, 30, 0)],
        [2, 1],
    ),
    "more contracts laid": (
        rules_of("phases", round__plan=TWO_CONTRACTS),
        [
            out(0, None, laid(10), not_laid(5)),
            out(0, None, not_laid(60), not_laid(2)),
        ],
        [1, 2, 3],
    ),
    "out later": (
        rules_of("scala-40"),
        [
            out(0, None, 101, 20, 30), out(0, None, "-", 100, 31), out(0, None, "-", "-", 40),
        ],
        [1, 4, 3, 2],
    ),
}  # fmt: skip


@pytest.mark.sqlite  # the places do not depend on the engine
@pytest.mark.parametrize(("rules", "rounds", "places"), CASES.values(), ids=CASES)
def test_the_places_of_a_table_are_those_of_its_game(
    ledger: Ledger, rules: RuleSet, rounds: list[dict[str, Any]], places: list[int]
) -> None:
    club = Club(
        ledger,
        NAMES[: len(places)],
        rules=rules,
        size=max(2, len(places)),
        scale=Scale(places=(9, 5, 3, 1)),
    )
    club.draw()
    (game,) = club.now.rounds[0].games
    for number, body in enumerate(rounds):
        short.written(ledger, game, load_round(body).round, f"round {number}")
    ranks = ledger.game(game).sheet.ranks

    assert [rank or place for rank, place in zip(ranks, places, strict=True)] == places
    assert places_at(club) == places


def places_at(club: Club) -> list[int | None]:
    one = club.now.rounds[0]
    return [one.played[entrant].place for entrant in one.tables[0]]


def test_the_points_of_a_table_of_gin_are_those_of_the_final_count(ledger: Ledger) -> None:
    """Boxes and bonuses of the end count, as in a total that is typed from the pad."""
    club = Club(ledger, NAMES[:2], rules=rules_of("gin-american"), size=2, scale=Scale(net=True))
    club.draw()
    (game,) = club.now.rounds[0].games
    for number, deadwood in enumerate([(5, 60), (70, 3), (4, 70)]):
        body = knock(int(deadwood[0] > deadwood[1]), *deadwood)
        short.written(ledger, game, load_round(body).round, f"round {number}")

    one = club.now.rounds[0]
    worths = [one.played[entrant].worth for entrant in one.tables[0]]

    assert worths == [121 + 2 * 25 + 100, 67 + 25]


def test_who_wins_the_game_plays_on_in_a_knockout(ledger: Ledger) -> None:
    rules, rounds, _ = CASES["one run wins the game"]
    club = Club(ledger, NAMES[:4], rules=rules, size=2, format="knockout")
    club.draw()
    one = club.now.rounds[0]
    for game in one.games:
        for number, body in enumerate(rounds):
            short.written(ledger, game, load_round(body).round, f"round {number}")
    club.close()
    club.draw()

    assert set(club.now.rounds[1].tables[0]) == {second for _, second in one.tables}


@pytest.fixture
def table(ledger: Ledger) -> Club:
    """A table at which the third wins a round more than the second, with the same points."""
    club = Club(ledger, NAMES[:3], format="random", rounds=1)
    club.draw()
    club.play(0, [0, 20, 40], [10, 20, 0])
    return club


def test_typed_totals_share_a_place(table: Club) -> None:
    assert places_at(table) == [1, 3, 2]
    table.state(1, 0, 10, 40, 40)

    assert places_at(table) == [1, 2, 2]


def test_the_places_of_pairs_are_those_of_their_points(ledger: Ledger) -> None:
    """One pair has 0 and 31 points, the other one 10 and 10."""
    club = Club(ledger, [], size=2, partners=2, format="random", rounds=1)
    club.enter(Entry(("Anna", "Claire")), Entry(("Bernd", "Dieter")))
    club.draw()
    club.play(0, [0, 5, 15, 5], [0, 5, 16, 5])

    assert places_at(club) == [2, 1]


# ---- results of earlier versions -----------------------------------------------------


def without_places(export: Any) -> None:
    """Let an export be one of a version that stored no places."""
    for event in export["events"]:
        if event["kind"] == "result":
            for score in event["payload"]["scores"]:
                del score["place"]


def test_results_without_places_keep_theirs_until_the_table_changes(
    table: Club, elsewhere: Ledger
) -> None:
    group, games = sent(table.ledger, table.id)
    without_places(group)
    taken_in(elsewhere, sealed(group), games)
    there = Club.__new__(Club)
    there.ledger, there.id = elsewhere, table.id

    assert places_at(there) == [1, 2, 2]
    for points in ([0, 21, 41], [0, 20, 40]):
        short.correct(elsewhere, there.now.rounds[0].games[0], 1, *points)
    assert places_at(there) == [1, 3, 2]


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize("place", [0, 4, 1.0, True, None, "1"])
def test_a_place_that_cannot_be_is_refused(table: Club, place: object) -> None:
    group, games = sent(table.ledger, table.id)
    imports.read_group(sealed(group), iter(games))
    (result,) = (event for event in group["events"] if event["kind"] == "result")
    result["payload"]["scores"][0]["place"] = place
    with pytest.raises(RuleError) as refused:
        imports.read_group(sealed(group), iter(games))

    (problem,) = refused.value.problems
    assert (problem.code, problem.facts["why"]) == ("E_IMPORT", "event")
