"""A knockout goes on until one is left."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament import changes
from scorekeeper.domain.tournament.draw import draw
from scorekeeper.domain.tournament.lots import lot
from scorekeeper.domain.tournament.plan import Remainder
from scorekeeper.domain.tournament.scale import Scale
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.domain.tournament.state import Tournament
from tests.domain.tournament.playing import (
    by_strength,
    played,
    tournament,
    with_round,
    with_tables,
)


def left(now: Tournament, *gone: int) -> Tournament:
    """Return the tournament after some have left."""
    for one in gone:
        draft = changes.withdraw(now, one)
        assert draft
        entrants = list(now.entrants)
        entrants[one] = replace(entrants[one], left=draft.payload["after"])
        now = replace(now, entrants=tuple(entrants))
    return now


def test_a_knockout_halves_until_one_is_left() -> None:
    now, sizes = tournament(14, format="knockout", size=2, rounds=9), []
    while not now.is_over:
        now = with_round(now)
        sizes.append(len(now.rounds[-1].entrants))

    assert sizes == [14, 7, 4, 2]
    assert standings(now)[0].entrant == 0  # the strongest


def test_two_of_four_play_on_and_one_wins_the_final() -> None:
    now = tournament(16, format="knockout", advance=2, rounds=9)
    now = played(now, 3)

    assert [len(one.entrants) for one in now.rounds] == [16, 8, 4]
    assert now.is_over
    assert [one.survived for one in standings(now)[:5]] == [3, 2, 2, 2, 1]


def test_equal_points_in_a_knockout_are_decided_by_rounds_won_then_by_the_lot() -> None:
    now = with_tables(tournament(4, format="knockout"), [(0, 1, 2, 3)], worth=lambda *_: -10)
    (one,) = now.rounds
    result = one.results[0]
    by_lot = sorted(range(4), key=lambda entrant: lot(one.seed, 1, entrant))
    least = by_lot[-1]
    won = [replace(each, wins=seat == least) for seat, each in enumerate(result.performances)]
    again = replace(one, results={0: replace(result, performances=tuple(won))})

    assert [replace(one, out=(9,)).playing_on(most) for most in (1, 2, 3)] == [
        [9, *by_lot[:most]] for most in (1, 2, 3)
    ]
    assert again.playing_on(2) == [least]  # of a final only the winner is left


def test_the_winner_of_a_final_is_first_whatever_the_points() -> None:
    """Entrant 0 wins every table until the final, which entrant 1 wins."""
    now = played(tournament(16, format="knockout", advance=2, rounds=9), 2)
    now = with_round(now, lambda number, entrant: 9 if entrant == 1 else by_strength(1, entrant))
    found = standings(now)

    assert found[0].entrant == 1
    assert found[0].points < max(one.points for one in found) or found[1].entrant == 0


@pytest.mark.parametrize(
    ("count", "size", "remainder", "tables"),
    [
        (8, 4, "smaller", [[4, 4], [2]]),
        (7, 4, "smaller", [[4, 3], [2]]),
        (6, 4, "smaller", [[3, 3], [2]]),
        (5, 4, "smaller", [[4], [2]]),  # and one sits out
        (20, 4, "smaller", [[4] * 5, [4], [2]]),
        (12, 4, "sit_out", [[4] * 3, [3]]),
        (7, 3, "sit_out", [[3, 3], [3]]),
        (6, 3, "sit_out", [[3, 3], [2]]),
    ],
)
def test_too_few_for_a_table_play_the_final(
    count: int, size: int, remainder: Remainder, tables: list[list[int]]
) -> None:
    now = tournament(count, format="knockout", size=size, remainder=remainder, rounds=9)
    while not now.is_over:
        found = draw(now, f"s{len(now.rounds) + 1}")
        games = [f"{len(now.rounds)}-{table}" for table in range(len(found.tables))]
        assert changes.drawn(now, found, "s", games)
        now = with_tables(now, found.tables, found.out, seed=f"s{len(now.rounds) + 1}")

    assert [[*map(len, one.tables)] for one in now.rounds] == tables
    assert standings(now)[0].survived == len(tables)


@given(
    count=st.integers(2, 40),
    size=st.integers(2, 4),
    advance=st.integers(1, 3),
    remainder=st.sampled_from(["smaller", "sit_out"]),
)
def test_every_knockout_has_one_winner(
    count: int, size: int, advance: int, remainder: Remainder
) -> None:
    now = tournament(
        max(count, size),
        format="knockout",
        size=size,
        advance=min(advance, size - 1),
        remainder=remainder,
        rounds=60,
        keep_apart=False,
    )
    while not now.is_over:
        now = with_round(now)
    first, second, *_ = standings(now)

    assert len(now.rounds) < 40
    assert now.present == (first.entrant,)
    assert (first.entrant, first.survived) == (0, len(now.rounds))  # the strongest
    assert second.survived < first.survived


def test_a_final_for_fewer_than_the_rules_allow_is_refused() -> None:
    rules = preset("contract-rummy")
    now = played(tournament(8, format="knockout", rules=rules, rounds=9), 1)
    with pytest.raises(RuleError) as refused:
        draw(now, "x")

    (problem,) = refused.value.problems
    assert problem.facts == {"why": "few_left", "count": 2, "least": 3}
    assert not now.is_over
    assert changes.conclude(now)


def test_a_first_round_needs_a_whole_table() -> None:
    with pytest.raises(RuleError) as refused:
        draw(tournament(2, format="knockout"), "x")

    assert refused.value.problems[0].facts == {"why": "few", "count": 2, "least": 3}


def test_a_later_table_for_two_is_drawn_in_a_knockout_only() -> None:
    now = played(tournament(4, format="danish"), 1)
    with pytest.raises(RuleError, match="few'"):
        draw(left(now, 2, 3), "x")


# ---- whoever leaves ------------------------------------------------------------------


def semifinals(rounds: int = 2) -> Tournament:
    """Four at tables of two; 0 and 1 have won, 0 with more points."""
    scale = Scale(places=(1, 0), tie_breaks=("net",))
    now = tournament(4, format="knockout", size=2, rounds=rounds, scale=scale)
    return with_tables(now, [(0, 2), (1, 3)])


def test_whoever_is_left_alone_wins_by_walkover() -> None:
    now = semifinals()
    assert (now.is_over, now.walkover, standings(now)[0].entrant) == (False, None, 0)

    now = left(now, 0)
    first, second, *_ = standings(now)
    assert (now.is_over, now.walkover) == (True, 1)
    assert [(one.entrant, one.rank, one.survived) for one in (first, second)] == [
        (1, 1, 2), (0, 2, 1),
    ]  # fmt: skip
    assert standings(replace(now, ended=True)) == standings(now)
    with pytest.raises(RuleError, match="over"):
        changes.check_drawable(now)


def test_who_left_by_mistake_returns_to_the_final() -> None:
    now = left(semifinals(), 0)
    assert changes.bring_back(now, 0)
    with pytest.raises(RuleError, match="over"):
        changes.bring_back(replace(now, ended=True), 0)


def test_there_is_no_walkover_where_no_further_round_was_planned() -> None:
    now = semifinals(rounds=1)
    entrants = (replace(now.entrants[0], left=1), *now.entrants[1:])
    now = replace(now, entrants=entrants)

    assert (now.is_over, now.walkover, standings(now)[0].entrant) == (True, None, 0)


def test_if_all_leave_the_points_decide() -> None:
    now = left(semifinals(), 0, 1)

    assert (now.is_over, now.walkover, standings(now)[0].entrant) == (True, None, 0)


def test_who_wins_the_final_and_leaves_has_won() -> None:
    """More rounds were planned; the director may end it all the same."""
    now = with_tables(semifinals(rounds=9), [(0, 1)])
    assert (now.is_over, now.is_finished, now.walkover) == (True, False, None)
    assert changes.conclude(now)

    gone = left(now, 0)
    assert (gone.is_over, gone.walkover) == (True, None)
    assert standings(gone) == standings(now)


def test_a_round_that_is_open_decides_nothing() -> None:
    now = with_tables(semifinals(rounds=9), [(0, 1)])
    (first, last) = now.rounds
    now = replace(now, rounds=(first, replace(last, closed=False)))

    assert not now.is_over
