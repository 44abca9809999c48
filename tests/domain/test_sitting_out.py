"""Who is at the table, and who of three sits out the next round of gin."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame, seat_player
from scorekeeper.domain.game.frame import Frame, correct_frame
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import created
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import preset
from scorekeeper.wire.rounds import load_round

AT = "2026-06-12T19:40:05Z"
LOSER = preset("gin-palast").override({"players.max": 3})
TURN = LOSER.override({"gin.sits_out": "turn"})
FAMILY = preset("german-family")


def gin(sheet: Sheet, winner: int, loser: int) -> Sheet:
    """Return the sheet after a round that one of two won."""
    seats: list[Any] = [{"absent": True} for _ in range(sheet.seats)]
    seats[winner], seats[loser] = {"deadwood": 5}, {"deadwood": 30}
    return played(sheet, {"outcome": "knock", "knocker": winner, "seats": seats})


def played(sheet: Sheet, body: Any) -> Sheet:
    facts = load_round(body).round
    return sheet.record("", facts, score_round(facts, sheet.rules, sheet.seats))


def rommé(sheet: Sheet, *left: int | None) -> Sheet:
    seats = [{"absent": True} if one is None else {"points": one} if one else {} for one in left]
    return played(sheet, {"outcome": "out", "winner": left.index(0), "seats": seats})


def says(sheet: Sheet) -> tuple[int | None, int, int]:
    """Return who sits out, who deals and who begins."""
    deal = sheet.next_deal
    return deal.sits_out, deal.dealer, deal.first


def test_left_of_the_first_dealer_sits_out_first() -> None:
    assert says(Sheet(LOSER, 3)) == (1, 0, 2)
    assert says(Sheet(LOSER, 3, first_dealer=2)) == (0, 2, 1)
    assert says(Sheet(LOSER, 3, order=(0, 2, 1))) == (2, 0, 1)


def test_the_loser_sits_out_and_who_comes_in_deals() -> None:
    sheet = gin(Sheet(LOSER, 3), 0, 2)
    assert says(sheet) == (2, 1, 0)
    sheet = gin(sheet, 1, 0)
    assert says(sheet) == (0, 2, 1)
    sheet = gin(sheet, 1, 2)
    assert says(sheet) == (2, 0, 1)


def test_in_turn_everybody_sits_out_equally_often() -> None:
    sheet, out = Sheet(TURN, 3), []
    for _ in range(6):
        idle = sheet.sits_out
        assert idle is not None
        out.append(idle)
        first, second = sheet.expected
        sheet = gin(sheet, first, second)

    assert out == [1, 2, 0, 1, 2, 0]
    assert [row.dealer for row in sheet.rows] == [0, 1, 2, 0, 1, 2]


def test_the_table_may_decide_otherwise_and_goes_on_from_there() -> None:
    sheet = gin(Sheet(LOSER, 3), 1, 2)  # seat 1 was to sit out, and seat 0 did

    assert says(sheet) == (2, 0, 1)


@pytest.mark.parametrize("body", [{"outcome": "void"}, {"outcome": "cancelled"}])
def test_without_a_loser_the_same_two_play_again(body: Any) -> None:
    sheet = gin(Sheet(LOSER, 3), 0, 2)
    again = played(sheet, body)

    assert again.sits_out == sheet.sits_out == 2
    dealer = 1 if body["outcome"] == "cancelled" else 0
    assert again.next_deal.dealer == dealer
    assert says(gin(again, 1, 0)) == (0, 2, 1)


def test_a_struck_last_round_is_played_again_by_the_same_two() -> None:
    sheet = gin(Sheet(LOSER, 3), 0, 2)
    before = says(sheet)

    assert says(gin(sheet, 1, 0).strike(2, "")) == before


def test_a_newcomer_plays_at_once_and_the_loser_sits_out() -> None:
    sheet = Sheet(LOSER, 2)
    assert says(sheet)[0] is None
    sheet = played(
        sheet, {"outcome": "knock", "knocker": 1, "seats": [{"deadwood": 30}, {"deadwood": 5}]}
    )

    assert says(sheet.seat_added()) == (0, 2, 1)


def test_who_sat_out_twice_in_succession_has_gone_home() -> None:
    sheet = gin(gin(Sheet(LOSER, 3), 0, 2), 0, 2)

    assert sheet.at_table == [0, 2]
    assert (sheet.sits_out, sheet.expected) == (None, [0, 2])
    assert gin(sheet, 0, 1).sits_out == 1  # and has come back


def test_in_teams_and_for_two_nobody_sits_out() -> None:
    teams = preset("gin-palast").override({"teams": True})

    assert Sheet(teams, 4).sits_out is None
    assert Sheet(LOSER, 2).sits_out is None


# ---- a place at the table -------------------------------------------------------------


def test_a_newcomer_takes_the_place_of_who_leaves() -> None:
    sheet = rommé(Sheet(FAMILY, 4), 0, 10, 20, 30)
    sheet = sheet.seat_added(in_place_of=1)

    assert sheet.clockwise == (0, 4, 1, 2, 3)
    assert sheet.at_table == [0, 2, 3, 4]
    assert sheet.next_deal.dealer == 4
    assert [tally.minus for tally in sheet.tallies] == [0, 10, 20, 30, 0]


def test_who_has_left_can_come_back() -> None:
    sheet = Sheet(FAMILY, 3).seat_added(in_place_of=1)
    assert sheet.at_table == [0, 2, 3]
    sheet = rommé(sheet, 0, 5, 6, 7)

    assert (sheet.at_table, sheet.replaced) == ([0, 1, 2, 3], frozenset())


def test_a_round_that_does_not_say_who_was_there_brings_nobody_back() -> None:
    sheet = played(Sheet(FAMILY, 3).seat_added(in_place_of=1), {"outcome": "cancelled"})

    assert sheet.at_table == [0, 2, 3]


def test_at_gin_for_two_a_newcomer_replaces_one_of_them() -> None:
    two = preset("gin-palast")
    sheet = Sheet(two, 2).seat_added(in_place_of=0)

    assert (sheet.expected, sheet.sits_out) == ([1, 2], None)
    assert says(gin(sheet, 2, 1))[0] is None


def test_nobody_takes_a_place_where_a_whole_game_of_gin_is_scored() -> None:
    """Boxes and bonus at the end are those of two players, so the columns are only two."""
    rules = preset("gin-american")
    game = created("g", NewGame("", "", rules, ("Anna", "Ben")).first_event(AT))
    plain = game.under(preset("gin-palast"))
    replaced = replace(plain, sheet=plain.sheet.seat_added(in_place_of=0))
    bonus = plain.rules.override({"gin.game_bonus": 100})

    for change, option in (
        (lambda: seat_player(game, "Carl", in_place_of=0), "gin.box_at"),
        (lambda: correct_frame(replaced, Frame(rules=bonus), AT), "gin.game_bonus"),
    ):
        with pytest.raises(RuleError) as refused:
            change()
        (problem,) = refused.value.problems
        assert (problem.code, problem.facts["why"]) == ("E_CONFIG", "game_of_two")
        assert problem.path == (option,)
    assert seat_player(plain, "Carl", in_place_of=0).payload == {"seat": 2, "in_place_of": 0}
    assert correct_frame(plain, Frame(rules=bonus), AT)


def test_who_joins_late_and_wins_the_game_is_first() -> None:
    sheet = Sheet(LOSER, 2)
    for number in range(6):
        sheet = gin(sheet, number % 2, 1 - number % 2)
    joined = sheet.seat_added()
    for _ in range(4):
        joined = gin(joined, 2, 1)

    assert joined.ending and joined.ending.winner == 2
    assert joined.ranks[2] == 1
    assert joined.set_behind == ()


@pytest.mark.parametrize("left", [(50, 0, 10), (0, 50, 10)])
def test_the_loser_deals_whoever_has_joined(left: tuple[int, ...]) -> None:
    sheet = rommé(Sheet(FAMILY.override({"deal.next_dealer": "loser"}), 3), *left)

    assert sheet.next_deal.dealer == sheet.seat_added().next_deal.dealer == left.index(50)
