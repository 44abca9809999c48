"""Whole games: what their end adds, and who pays whom (RULES-MORE 7 to 9)."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples, played
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.gin_game import Column
from scorekeeper.domain.game.given import give as give_points
from scorekeeper.domain.money.settlement import settle
from scorekeeper.domain.rules import Settling
from scorekeeper.domain.rules.presets import preset


@pytest.mark.parametrize("example", examples("games"))
def test_worked_example(example: dict[str, Any]) -> None:
    if "errors" in example:
        if example["rounds"][1:]:
            played({**example, "rounds": example["rounds"][:-1]})
        with pytest.raises(RuleError) as refused:
            played(example)
        assert [problem.code for problem in refused.value.problems] == example["errors"]
        return
    game = played(example)
    sheet = game.sheet

    for tally in ("minus", "plus", "net"):
        if tally in example:
            assert [getattr(own, tally) for own in sheet.tallies] == example[tally]
    columns = sheet.columns
    found = {
        "boxes": lambda: [sum(column.boxes[side] for column in columns) for side in (0, 1)],
        "points": lambda: [list(column.points) for column in columns],
        "columns": lambda: [list(column.final(game.rules)) for column in columns],
        "final": lambda: list(game.final or ()),
        "ranks": lambda: list(sheet.ranks),
        "rows_laid": lambda: list(sheet.rows_laid),
        "over": lambda: game.is_over,
        "amounts": lambda: [str(amount) for amount in game.settlement().amounts],
    }
    for name, ask in found.items():
        if name in example:
            assert ask() == example[name], name


# ---- a game of gin, computed a second time -------------------------------------------

KNOCKS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 10), st.integers(0, 60)), min_size=1, max_size=14
)
"""Who knocks, with how much, against how much."""
GAMES = st.fixed_dictionaries(
    {
        "gin.hollywood": st.booleans(),
        "gin.shutout": st.sampled_from(["none", "game_bonus", "points", "total"]),
        "gin.game_bonus": st.sampled_from([0, 100]),
        "gin.extra_boxes": st.sampled_from([[0, 0, 0], [1, 2, 3]]),
        "end.points": st.sampled_from([50, 100, 150]),
    }
)


@given(KNOCKS, GAMES)
def test_a_game_of_gin_comes_out_as_in_a_second_computation(
    knocks: list[tuple[int, int, int]], options: dict[str, Any]
) -> None:
    limit = options["end.points"]
    won = [_won(*knock, options["gin.extra_boxes"]) for knock in knocks]
    pads: list[list[tuple[int, int, int]]] = [[], [], []] if options["gin.hollywood"] else [[]]
    rounds: list[dict[str, Any]] = []
    for (who, own, other), (side, points, boxes) in zip(knocks, won, strict=True):
        held = (own, other) if who == 0 else (other, own)
        rounds.append({"knocker": who, "seats": [{"deadwood": points} for points in held]})
        fresh = [pad for pad in pads if not _closed(pad, limit) and not _of(pad, side)]
        open_to = [pad for pad in pads if not _closed(pad, limit) and _of(pad, side)]
        for pad in [*open_to, *fresh[:1]]:
            pad.append((side, points, boxes))
        if all(_closed(pad, limit) for pad in pads):
            break
    counts = [_count(pad, limit, options) for pad in pads]

    game = played({"preset": "gin-american", "options": options, "rounds": rounds})

    assert game.is_over == all(_closed(pad, limit) for pad in pads)
    assert list(game.sheet.final or ()) == [sum(count) for count in zip(*counts, strict=True)]
    if game.is_over:
        (paid, got) = sorted(game.settlement().balances)
        assert (paid, got) == (-got, got)


def _won(knocker: int, own: int, other: int, extra: list[int]) -> tuple[int, int, int]:
    """Return who wins a round of gin, the points, and the boxes."""
    if own == 0:
        return knocker, other + 25, 1 + extra[1]
    if own < other:
        return knocker, other - own, 1
    return 1 - knocker, own - other + 25, 1 + extra[0]


def _of(pad: list[tuple[int, int, int]], side: int) -> list[tuple[int, int, int]]:
    return [entry for entry in pad if entry[0] == side]


def _total(pad: list[tuple[int, int, int]], side: int) -> int:
    return sum(points for _, points, _ in _of(pad, side))


def _closed(pad: list[tuple[int, int, int]], limit: int) -> bool:
    return max(_total(pad, 0), _total(pad, 1)) >= limit


def _count(pad: list[tuple[int, int, int]], limit: int, options: dict[str, Any]) -> list[int]:
    """Return the final count of one pad."""
    counts = [sum(points + 25 * boxes for _, points, boxes in _of(pad, side)) for side in (0, 1)]
    if not _closed(pad, limit):
        return counts
    winner = 0 if _total(pad, 0) >= limit else 1
    loser, bonus = 1 - winner, options["gin.game_bonus"]
    counts[winner] += bonus
    if _total(pad, loser) == 0 and options["gin.shutout"] == "total":
        counts[winner] = 2 * counts[winner] - counts[loser]
    elif _total(pad, loser) == 0:
        doubled = {"none": 0, "game_bonus": bonus, "points": _total(pad, winner)}
        counts[winner] += doubled[options["gin.shutout"]]
    return counts


def test_a_game_that_the_players_end_has_its_boxes_and_no_bonus() -> None:
    rounds = [{"seats": [{"deadwood": 0}, {"deadwood": 40}]}]

    game = played({"preset": "gin-american", "rounds": rounds, "ended": True})

    assert game.final == (90, 0)


def test_the_winner_of_the_game_may_have_to_pay() -> None:  # RULES-MORE 7.6: by the final count
    knock = {"seats": [{"deadwood": 9}, {"deadwood": 10}]}
    loses = {"knocker": 1, "seats": [{"deadwood": 98}, {"deadwood": 0}]}
    options = {"gin.game_bonus": 0, "gin.box_bonus": 100, "gin.extra_boxes": [0, 0, 0]}

    game = played({"preset": "gin-american", "options": options, "rounds": [knock] * 3 + [loses]})

    assert game.sheet.ranks == (2, 1)
    assert game.final == (303, 223)
    assert game.winner_pays == 1


def test_points_without_a_round_find_no_column_in_hollywood() -> None:
    rounds = [{"seats": [{"deadwood": 0}, {"deadwood": 40}]}]
    game = played({"preset": "gin-american", "options": {"gin.hollywood": True}, "rounds": rounds})

    with pytest.raises(RuleError, match="E_GIVEN"):
        give_points(game, 0, minus=5)


@pytest.mark.parametrize(("knocker", "dealer"), [(0, 1), (1, 0)])
def test_the_loser_of_a_round_deals_the_next(knocker: int, dealer: int) -> None:
    knock = {"knocker": knocker, "seats": [{"deadwood": 0}, {"deadwood": 0}]}

    game = played({"preset": "gin-american", "rounds": [knock]})

    assert game.sheet.next_deal.dealer == dealer


def test_after_a_round_without_score_the_same_player_deals_again() -> None:  # [CSS]
    knock = {"seats": [{"deadwood": 0}, {"deadwood": 9}]}

    game = played({"preset": "gin-american", "rounds": [knock, {"outcome": "void"}]})

    assert game.sheet.row(2).dealer == game.sheet.next_deal.dealer == 1


def test_several_winners_share_what_each_loser_pays() -> None:  # RULES-MORE 9.1
    terms = Settling(mode="winner", measure="net", point_value=Fraction(1))

    settled = settle([[10, 10, 3]], terms, winners=(0, 1))

    assert settled.balances == (Fraction(7, 2), Fraction(7, 2), -7)
    assert settled.payable_amounts == (4, 3, -7)


def test_a_shutout_may_count_all_that_the_winner_has_more() -> None:
    """A loser without points has a box if an undercut brought nothing else (RULES-MORE 7.6)."""
    rules = preset("gin-american").override(
        {"gin.shutout": "total", "gin.box_bonus": 25, "gin.game_bonus": 100}
    )
    column = Column(points=(101, 0), boxes=(3, 1), entries=(3, 1), winner=0)

    lines = [(line.seat, line.reason, line.plus) for line in column.lines(rules)]
    assert lines == [
        (0, "boxes", 75),
        (1, "boxes", 25),
        (0, "game_bonus", 100),
        (0, "shutout", 101 + 75 + 100 - 25),
    ]
