"""Knock Rummy where people do not sit in the order of their columns (RULES 7.7.3, 7.7.5)."""

import pytest

from scorekeeper.domain.game import changes
from scorekeeper.domain.game.changes import at_place, revert, score_again, score_for
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.services import games
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import PROGRAM
from scorekeeper.wire.rounds import load_round
from short import begun, written
from transfers import arrived

KNOCK = new_rules("knock-rummy", {}, {"point_value": "1", "unit": "ct"})
FIRST_LEFT = KNOCK.override({"knock.ties": "first_left"})
ONCE = KNOCK.override({"knock.rummy_bonus_from": "once"})
THREE = ("Anna", "Bernd", "Claire")
FOUR = (*THREE, "Dora")
TIED = (10, 5, 5)
"""Anna knocks; Bernd and Claire have less, so that 15 points are divided between them."""


def facts(*counts: int | None, **more: object) -> Round:
    seats = [{"absent": True} if one is None else {"count": one} for one in counts]
    return load_round({"outcome": "knock", "knocker": 0, "seats": seats, **more}).round


def seated(ledger: Ledger, game_id: str, *order: int) -> None:
    games.correct_frame(ledger, game_id, repr(order), lambda _: Frame(order=order), PROGRAM)


def knocked(ledger: Ledger, game_id: str, *counts: int | None, key: str = "") -> Game:
    return written(ledger, game_id, facts(*counts), key or repr(counts)).game


def placed(ledger: Ledger, game_id: str, kind: str, number: int, played: Round) -> Game:
    """Correct a round, or insert one."""
    scored = score_for(at_place(ledger.game(game_id), kind, number), played)
    change = games.correct_round if kind == "corrected" else games.insert_round
    return change(ledger, game_id, number, scored, PROGRAM).game


def nets(game: Game) -> list[list[int | None]]:
    return [[one and one.net for one in row.score.scores] for row in game.sheet.rows]


@pytest.mark.parametrize(
    ("rules", "counts", "order", "net"),
    [
        (KNOCK, TIED, (0, 2, 1), [-15, 7, 8]),
        (KNOCK, (12, 5, 5, 9), (0, 2, 1, 3), [-17, 10, 11, -4]),
        (FIRST_LEFT, (12, 5, 5, 9), (0, 2, 1, 3), [-17, 0, 21, -4]),
        (ONCE, (0, 12, 20, 9), (0, 3, 2, 1), [66, -20, -28, -18]),
    ],
)
def test_the_first_left_of_the_knocker_is_the_neighbour_at_the_table(
    ledger, elsewhere, rules, counts, order, net
):
    game_id = begun(ledger, *FOUR[: len(counts)], rules=rules)
    seated(ledger, game_id, *order)
    game = knocked(ledger, game_id, *counts)

    assert nets(game) == [net]
    assert check(ledger, score_again).clean
    assert arrived(ledger, game_id, elsewhere).sheet == game.sheet


def test_a_round_played_in_the_order_of_the_columns_says_so_where_the_game_has_another(ledger):
    """Sent again as it was read, it has the same points."""
    game_id = begun(ledger, *THREE, rules=FIRST_LEFT)
    seated(ledger, game_id, 0, 2, 1)
    first = written(ledger, game_id, facts(*TIED, order=[0, 1, 2]), "one").game
    again = written(ledger, game_id, first.sheet.row(1).round, "two").game

    assert first.sheet.row(1).round.order == (0, 1, 2)
    assert nets(again) == [[-15, 15, 0]] * 2


@pytest.mark.parametrize(
    ("rules", "net"), [(KNOCK, [-17, 10, -4, 11]), (FIRST_LEFT, [-17, 0, -4, 21])]
)
def test_a_newcomer_who_sits_between_two_others_comes_before_the_second(ledger, rules, net):
    game_id = begun(ledger, *THREE, rules=rules)
    knocked(ledger, game_id, *TIED)
    games.add_player(ledger, game_id, "Dora", PROGRAM)
    seated(ledger, game_id, 0, 3, 1, 2)

    assert nets(knocked(ledger, game_id, 12, 5, 9, 5))[1] == net


def test_a_newcomer_in_the_place_of_who_leaves_sits_there(ledger):
    game_id = begun(ledger, *FOUR, rules=FIRST_LEFT)
    games.add_player(ledger, game_id, "Emil", PROGRAM, in_place_of=1)
    game = knocked(ledger, game_id, 12, None, 5, 9, 5)

    assert nets(game) == [[-17, None, 0, -4, 21]]


def test_another_order_later_changes_no_earlier_round(ledger, elsewhere):
    game_id = begun(ledger, *THREE, rules=KNOCK)
    knocked(ledger, game_id, *TIED, key="a")
    seated(ledger, game_id, 0, 2, 1)
    knocked(ledger, game_id, *TIED, key="b")
    games.add_player(ledger, game_id, "Dora", PROGRAM)
    seated(ledger, game_id, 0, 3, 1, 2)
    before = [[-15, 8, 7], [-15, 7, 8]]
    assert nets(ledger.game(game_id)) == before
    assert check(ledger, score_again).clean

    later = facts(*TIED, None, note="counted again")
    for number in (1, 2):
        placed(ledger, game_id, "corrected", number, later)
    game = ledger.game(game_id)

    assert nets(game) == [[*one, None] for one in before]
    assert [row.round.order for row in game.sheet.rows] == [(), (0, 2, 1)]
    assert check(ledger, score_again).clean
    assert arrived(ledger, game_id, elsewhere).sheet == game.sheet


def test_a_corrected_round_that_is_taken_back_keeps_its_order(ledger):
    game_id = begun(ledger, *THREE, rules=KNOCK)
    seated(ledger, game_id, 0, 2, 1)
    knocked(ledger, game_id, *TIED)
    placed(ledger, game_id, "corrected", 1, facts(10, 5, 7))
    games.add_player(ledger, game_id, "Dora", PROGRAM)
    assert revert(ledger.game(game_id), 1)
    game = games.revert_round(ledger, game_id, 1, PROGRAM)

    assert nets(game) == [[-15, 7, 8, None]]
    assert check(ledger, score_again).clean


def test_a_misdeal_that_was_a_round_after_all_has_the_order_of_then(ledger):
    game_id = begun(ledger, *THREE, rules=KNOCK)
    seated(ledger, game_id, 0, 2, 1)
    written(ledger, game_id, load_round({"outcome": "cancelled"}).round, "misdeal")
    seated(ledger, game_id, 0, 1, 2)

    assert nets(placed(ledger, game_id, "corrected", 1, facts(*TIED))) == [[-15, 7, 8]]


def test_a_missed_round_has_the_order_of_the_one_after_it(ledger):
    game_id = begun(ledger, *THREE, rules=KNOCK)
    seated(ledger, game_id, 0, 2, 1)
    knocked(ledger, game_id, 3, 20, 30)
    seated(ledger, game_id, 0, 1, 2)

    assert nets(placed(ledger, game_id, "inserted", 1, facts(*TIED)))[0] == [-15, 7, 8]


def test_a_round_may_say_how_its_players_sat(ledger):
    game_id = begun(ledger, *THREE, rules=KNOCK)
    seated(ledger, game_id, 0, 2, 1)
    knocked(ledger, game_id, *TIED)
    game = placed(ledger, game_id, "corrected", 1, facts(*TIED, order=[0, 1, 2]))

    assert (nets(game), game.sheet.row(1).round.order) == ([[-15, 8, 7]], (0, 1, 2))


def test_only_an_order_that_matters_is_stored(ledger):
    knock, family = begun(ledger, *THREE, rules=KNOCK), begun(ledger, *THREE)
    seated(ledger, knock, 1, 2, 0)
    seated(ledger, knock, 0, 1, 2)
    seated(ledger, family, 0, 2, 1)
    lay = load_round({"outcome": "out", "winner": 0, "seats": [{}, {"points": 5}, {"points": 9}]})
    rounds = knocked(ledger, knock, *TIED), written(ledger, family, lay.round, "lay").game

    assert [game.sheet.row(1).round.order for game in rounds] == [(), ()]


def test_a_round_sent_twice_is_the_same_after_the_order_was_corrected(ledger):
    game_id = begun(ledger, *THREE, rules=KNOCK)
    knocked(ledger, game_id, *TIED, key="once")
    seated(ledger, game_id, 0, 2, 1)

    assert nets(knocked(ledger, game_id, *TIED, key="once")) == [[-15, 8, 7]]
    assert len(ledger.game(game_id).sheet.rows) == 1


def test_a_round_of_an_earlier_version_keeps_its_result(ledger, monkeypatch):
    game_id = begun(ledger, *THREE, rules=KNOCK)
    seated(ledger, game_id, 0, 2, 1)
    with monkeypatch.context() as earlier:
        earlier.setattr(changes, "completed", lambda _, round_: round_)
        knocked(ledger, game_id, *TIED)
    assert check(ledger, score_again).clean

    game = placed(ledger, game_id, "corrected", 1, facts(*TIED, note="counted again"))

    assert nets(game) == [[-15, 8, 7]]
