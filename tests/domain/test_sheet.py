"""Tallies, ranks, end of a game, next dealer: RULES 8."""

from dataclasses import replace
from typing import Any

import pytest

from examples import examples
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.money.settlement import table_stakes
from scorekeeper.domain.rounds.facts import Round, RoundScore, SeatScore
from scorekeeper.domain.rules.presets import PRESETS

AT = "2026-06-12T20:00:00Z"
OUT = Round(outcome="out")


def scored(
    minus: list[int | None],
    plus: list[int] | None = None,
    winner: int | None = None,
    reduction: int = 0,
    outcome: Any = "out",
) -> RoundScore:
    """Return the score of a round from numbers; a minus of None or "-" is an absent player."""
    plus = plus or [0] * len(minus)
    return RoundScore(
        outcome=outcome,
        winner=winner,
        verification="unverified",
        scores=tuple(
            None if m in (None, "-") else SeatScore(m, p, reduction if seat == winner else 0)
            for seat, (m, p) in enumerate(zip(minus, plus, strict=True))
        ),
        lines=(),
    )


def sheet_of(rules: str, *scores: RoundScore, options: Any = None, seats: int = 0) -> Sheet:
    sheet = Sheet(PRESETS[rules].override(options or {}), seats or len(scores[0].scores))
    for score in scores:
        sheet = sheet.record(AT, OUT, score)
    return sheet


@pytest.mark.parametrize("example", examples("sheet"))
def test_worked_example(example: dict[str, Any]) -> None:
    reductions = example.get("reduction", [0] * len(example["rounds"]))
    scores = [
        scored([0, 0], outcome="cancelled") if entry == "cancelled" else scored(*entry, less)
        for entry, less in zip(example["rounds"], reductions, strict=True)
    ]

    sheet = sheet_of(example["preset"], *scores, options=example.get("options"))

    for tally in ("minus", "plus", "won", "played"):
        if tally in example:
            assert [getattr(own, tally) for own in sheet.tallies] == example[tally]
    if "ranks" in example:
        assert list(sheet.ranks) == example["ranks"]
    if "stakes" in example:
        stakes = table_stakes(sheet.rules.settle.stake, sheet.ranks)
        assert list(stakes) == example["stakes"]
    if "ending" in example:
        assert (sheet.ending.why if sheet.ending else "none") == example["ending"]


def test_a_struck_round_counts_for_nothing_and_can_come_back() -> None:
    sheet = sheet_of("german-family", scored([0, 10], winner=0), scored([5, 0], winner=1))

    struck = sheet.strike(1, AT)

    assert [tally.minus for tally in struck.tallies] == [5, 0]
    assert struck.row(1).struck_at == AT
    assert struck.restore(1).tallies == sheet.tallies


def test_a_correction_changes_all_later_totals_and_keeps_the_earlier_version() -> None:
    sheet = sheet_of("german-family", scored([0, 56], winner=0), scored([5, 0], winner=1))

    corrected = sheet.correct(1, "2026-06-12T21:00:00Z", {}, scored([0, 65], winner=0))

    assert [tally.minus for tally in corrected.tallies] == [5, 65]
    assert [row.tallies[1].minus for row in corrected.rows] == [65, 65]
    assert [v.score.scores[1].minus for v in corrected.row(1).earlier if v.score.scores[1]] == [56]


def test_a_later_player_was_absent_before() -> None:  # RULES 6.2b
    sheet = sheet_of("german-family", scored([0, 10], winner=0)).seat_added()

    sheet = sheet.record(AT, OUT, scored([4, 6, 0], winner=2))

    assert sheet.row(1).points(2) is None
    assert [tally.minus for tally in sheet.tallies] == [4, 16, 0]
    assert sheet.ranks == (2, 3, 1)


def test_players_have_no_rank_before_their_first_round() -> None:
    sheet = sheet_of("german-family", scored([0, 10], winner=0)).seat_added()

    assert sheet.ranks == (1, 2, None)


def test_nobody_is_set_behind_while_everybody_missed_too_many_rounds() -> None:  # RULES 3.6
    rounds = [scored([0, 9, None], winner=0), scored([0, None, 9], winner=0)]
    rounds.append(scored([None, 0, 9], winner=1))

    all_rounds = sheet_of("german-family", *rounds, options={"end.min_rounds_to_win": "1"})

    assert all_rounds.ranks == (1, 2, 3)
    assert all_rounds.set_behind == ()


def test_players_who_missed_too_many_rounds_are_ranked_among_themselves() -> None:  # RULES 3.6
    alone = scored([0, 30, None, None, None], winner=0)
    rounds = [scored([50, 50, 9, 5, 5], winner=3), *[alone] * 2]

    sheet = sheet_of("german-family", *rounds)

    assert sheet.ranks == (1, 2, 5, 3, 4)
    assert sheet.set_behind == (2, 3, 4)


def test_half_of_the_rounds_are_enough() -> None:  # RULES 3.6
    missed = scored([0, 20, None], winner=0)

    half = sheet_of("german-family", scored([9, 9, 0], winner=2), missed)
    less = half.record(AT, OUT, missed)

    assert (half.ranks, less.ranks) == ((2, 3, 1), (1, 2, 3))
    assert (half.set_behind, less.set_behind) == ((), (2,))


def test_struck_and_cancelled_rounds_were_missed_by_nobody() -> None:  # RULES 3.6
    missed = scored([0, 20, None], winner=0)
    misdeal = scored([0, 0, 0], outcome="cancelled")
    sheet = sheet_of("german-family", scored([9, 9, 0], winner=2), missed)

    assert sheet.record(AT, OUT, misdeal).ranks == (2, 3, 1)
    assert sheet.record(AT, OUT, missed).strike(3, AT).ranks == (2, 3, 1)


def test_a_limit_on_net_limits_losses() -> None:  # RULES 8.2
    terms = {"end.measure": "net", "end.points": 50}

    at_limit = sheet_of("romme-palast", scored([0, 50], [50, 0], 0), options=terms)
    beyond = sheet_of("romme-palast", scored([0, 51], [51, 0], 0), options=terms)

    assert at_limit.ending is None
    assert beyond.ending is not None and beyond.ending.sides == (1,)


def test_a_limit_on_net_limits_gains_in_knock_rummy() -> None:  # RULES 8.2
    terms = {"end.mode": "points", "end.points": 30}

    below = sheet_of("knock-rummy", scored([0, 29], [29, 0], 0), options=terms)
    at_limit = sheet_of("knock-rummy", scored([0, 30], [30, 0], 0), options=terms)

    assert below.ending is None
    assert at_limit.ending is not None and at_limit.ending.sides == (0,)


def test_gin_continues_after_a_tie_at_the_limit() -> None:  # RULES 8.4
    level = (scored([0, 0], [90, 95], 1), scored([0, 0], [10, 5], 0))

    over = sheet_of("gin-palast", *level, scored([0, 0], [1, 0], 0)).ending

    assert sheet_of("gin-palast", *level).ending is None
    assert over is not None and over.winner == 0


class TestNextDeal:
    def test_the_deal_goes_left_round_the_table(self) -> None:
        sheet = sheet_of("german-family", *[scored([0, 5, 5, 5], winner=0)] * 7)

        assert [row.dealer for row in sheet.rows] == [0, 1, 2, 3, 0, 1, 2]
        assert (sheet.next_deal.dealer, sheet.next_deal.first, sheet.next_deal.cards) == (3, 0, 13)

    def test_of_two_at_knock_the_winner_deals(self) -> None:  # [004]
        won_by_one = scored([0, 0], [0, 9], 1, outcome="knock")

        assert sheet_of("knock-rummy", won_by_one).next_deal.dealer == 1
        assert sheet_of("knock-rummy", won_by_one, won_by_one).next_deal.dealer == 1

    def test_the_absent_neither_deal_nor_begin(self) -> None:
        sheet = sheet_of("german-family", scored([0, None, 5, 5], winner=0))

        assert (sheet.next_deal.dealer, sheet.next_deal.first) == (2, 3)
        assert sheet.dealt_by(2, 3).next_deal.dealer == 3
        assert sheet.dealt_by(2, 1).next_deal.dealer == 2  # who was named is away

    def test_the_number_present_decides_the_cards(self) -> None:  # [002], [004]
        assert Sheet(PRESETS["luxembourg"], 2).next_deal.cards == 10
        assert Sheet(PRESETS["luxembourg"], 5).next_deal.cards == 6
        assert sheet_of("luxembourg", scored([0, None, 5], winner=0)).next_deal.cards == 10

    def test_a_misdeal_is_dealt_again_by_the_same_hand(self) -> None:
        sheet = sheet_of("german-family", scored([0, 0, 0], outcome="cancelled"))

        assert sheet.next_deal.dealer == 0

    def test_a_new_arrival_is_expected_to_play(self) -> None:
        sheet = sheet_of("german-family", scored([0, 5], winner=0)).seat_added()

        assert (sheet.next_deal.dealer, sheet.next_deal.first) == (1, 2)


class TestDealOfStruckRounds:
    """Four players, dealer 0 first: rounds 1 to 6 are dealt by 0, 1, 2, 3, 0, 1; next is 2."""

    ROUND = scored([0, 5, 5, 5], winner=0)

    @pytest.fixture
    def sheet(self) -> Sheet:
        return sheet_of("german-family", *[self.ROUND] * 6)

    def dealers(self, sheet: Sheet) -> list[int]:
        return [*(row.dealer for row in sheet.rows), sheet.next_deal.dealer]

    def test_an_old_round_was_dealt_all_the_same(self, sheet: Sheet) -> None:
        for number in (1, 2, 5):
            assert self.dealers(sheet.strike(number, AT)) == [0, 1, 2, 3, 0, 1, 2]

    def test_the_last_round_is_dealt_again(self, sheet: Sheet) -> None:
        struck = sheet.strike(6, AT)

        assert struck.next_deal.dealer == 1
        assert self.dealers(struck.record(AT, OUT, self.ROUND)) == [0, 1, 2, 3, 0, 1, 1, 2]
        assert self.dealers(struck.restore(6)) == [0, 1, 2, 3, 0, 1, 2]

    def test_so_are_the_last_two(self, sheet: Sheet) -> None:
        both = sheet.strike(6, AT).strike(5, AT)

        assert both.next_deal.dealer == 0  # who dealt round 5
        assert both.restore(5).next_deal.dealer == 1

    def test_an_old_round_stays_dealt_when_those_after_it_are_struck(self, sheet: Sheet) -> None:
        after = sheet.strike(5, AT).strike(6, AT)  # player 0 had dealt round 5, player 1 round 6

        assert after.next_deal.dealer == 1

    def test_restoring_a_round_that_was_dealt_again_moves_nobody(self, sheet: Sheet) -> None:
        again = sheet.strike(6, AT).record(AT, OUT, self.ROUND)

        assert self.dealers(again.restore(6)) == self.dealers(again)

    def test_the_only_round_is_dealt_again_by_the_first_dealer(self) -> None:
        sheet = Sheet(PRESETS["german-family"], 4, first_dealer=3)

        assert sheet.record(AT, OUT, self.ROUND).strike(1, AT).next_deal.dealer == 3

    def test_the_absent_are_passed_over_as_they_were(self) -> None:
        away = scored([0, None, 5, 5], winner=0)
        sheet = sheet_of("german-family", self.ROUND, away, away, away)  # 0, 2, 3, 0; next 2

        assert self.dealers(sheet.strike(1, AT)) == [0, 2, 3, 0, 2]
        assert self.dealers(sheet.strike(2, AT)) == [0, 2, 3, 0, 2]
        assert self.dealers(sheet.strike(4, AT)) == [0, 2, 3, 0, 0]

    def test_a_dealer_who_was_absent_after_all_did_not_deal(self, sheet: Sheet) -> None:
        away = scored([0, 5, None, 5], winner=0)
        corrected = sheet.correct(3, AT, OUT, away)

        assert self.dealers(corrected) == [0, 1, 3, 3, 0, 1, 2]

    def test_of_two_the_winner_of_a_struck_old_round_has_dealt(self) -> None:  # [004]
        first, second = (scored([0, 0], [0, 9], side, outcome="knock") for side in (1, 0))
        sheet = sheet_of("knock-rummy", first, second, first)  # 0, 1, 0; next 1

        assert self.dealers(sheet.strike(1, AT)) == [0, 1, 0, 1]
        assert self.dealers(sheet.strike(3, AT)) == [0, 1, 0, 0]
        assert self.dealers(sheet.correct(1, AT, OUT, second)) == [0, 1, 0, 1]
        assert sheet.correct(3, AT, OUT, second).next_deal.dealer == 0

    def test_two_deal_in_turn(self) -> None:
        one = scored([0, 0], [9, 0], 0, outcome="knock")
        sheet = sheet_of("gin-palast", *[one] * 4)

        assert sheet.rules.deal.next_dealer == "alternate"
        assert self.dealers(sheet.strike(2, AT)) == [0, 1, 0, 1, 0]
        assert self.dealers(sheet.strike(4, AT)) == [0, 1, 0, 1, 1]

    def test_a_misdeal_that_is_struck_later_moves_nobody(self) -> None:
        misdeal = scored([0, 0, 0, 0], outcome="cancelled")
        sheet = sheet_of("german-family", self.ROUND, misdeal, self.ROUND)  # 0, 1, 1; next 2

        assert self.dealers(sheet.strike(2, AT)) == [0, 1, 1, 2]
        assert self.dealers(sheet.correct(2, AT, OUT, self.ROUND)) == [0, 1, 1, 2]


def test_rounds_are_tallied_once_however_often_they_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tallied = []
    once = Sheet._tally

    def counted(sheet: Sheet, row: Row, *more: Any) -> Row:
        tallied.append(row.number)
        return once(sheet, row, *more)

    monkeypatch.setattr(Sheet, "_tally", counted)
    sheet = sheet_of("german-family", *[scored([0, 10], winner=0)] * 40)
    for _ in range(40):
        sheet = sheet.strike(1, AT).restore(1)
    totals = [tally.minus for tally in sheet.tallies]

    assert totals == [0, 400]
    assert tallied == list(range(1, 41))
    assert sheet.strike(40, AT).tallies[1].minus == 390
    assert tallied == [*range(1, 41), 40]


def test_a_change_does_not_tally_earlier_rounds_again() -> None:
    sheet = sheet_of("german-family", *[scored([0, 10], winner=0)] * 4)
    rows = sheet.rows
    changed = sheet.strike(3, AT)

    assert (sheet.untallied, changed.untallied) == (0, 2)
    assert changed.rows[:2] == rows[:2]
    assert [row.tallies[1].minus for row in changed.rows] == [10, 20, 20, 30]
    assert changed.restore(3) == sheet
    assert changed != sheet


def test_the_first_dealer_deals_first_or_the_player_to_the_left_if_absent() -> None:
    sheet = Sheet(PRESETS["german-family"], 4, first_dealer=2)

    def dealers(*rounds: tuple[int | None, ...]) -> list[int]:
        after = sheet
        for points in rounds:
            scores = tuple(None if one is None else SeatScore(one) for one in points)
            score = RoundScore(
                outcome="out", winner=0, verification="counted", scores=scores, lines=()
            )
            after = after.record("", {}, score)
        return [*(row.dealer for row in after.rows), after.next_deal.dealer]

    assert dealers() == [2]
    assert dealers((0, 1, 2, 3), (0, 1, 2, 3)) == [2, 3, 0]
    assert dealers((0, 1, None, 3), (0, 1, 2, 3)) == [3, 0, 1]
    assert dealers((0, 1, None, None)) == [0, 1]
    assert sheet != replace(sheet, first_dealer=1)
