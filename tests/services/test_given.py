"""Points without a round: starting scores, penalties, presents."""

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import score_for
from scorekeeper.domain.game.given import starting_scores
from scorekeeper.i18n import language
from scorekeeper.services import games, given
from scorekeeper.services.games import new_rules
from scorekeeper.store.writes import PROGRAM
from scorekeeper.wording.given import given_in_words
from short import begun, facts, record
from transfers import arrived


@pytest.fixture
def game_id(ledger):
    game = begun(ledger, "Anna", "Bernd", "Claire")
    record(ledger, game, 0, 10, 21)
    return game


def give(ledger, game_id, side, **points):
    return given.give_points(ledger, game_id, {"side": side, **points}, PROGRAM)


def minus(game):
    return [tally.minus for tally in game.sheet.tallies]


def amounts(game):
    return [int(one) for one in game.settlement().amounts]


def test_a_penalty_counts_against_everybody_who_was_there(ledger, game_id):
    assert amounts(ledger.game(game_id)) == [31, 1, -32]
    game = give(ledger, game_id, 1, minus=20, note="Karte gezeigt")

    assert minus(game) == [0, 30, 21]
    assert amounts(game) == [51, -39, -12]
    assert [tally.played for tally in game.sheet.tallies] == [1, 1, 1]
    assert game.sheet.rows[0].number == 1
    assert game.sheet.next_deal == ledger.game_at(game_id, 2).sheet.next_deal


def test_a_starting_score_counts_for_the_total_and_is_not_settled(ledger, game_id):
    games.add_player(ledger, game_id, "Dieter", PROGRAM)
    assert starting_scores(ledger.game(game_id).sheet, "minus") == (21, 11)
    game = give(ledger, game_id, 3, minus=21, start=True)
    assert minus(game) == [0, 10, 21, 21]
    assert amounts(game) == [31, 1, -32, 0]
    record(ledger, game_id, 0, 5, 5, 5)
    game = ledger.game(game_id)

    assert minus(game) == [0, 15, 26, 26]
    assert game.sheet.ranks == (1, 2, 3, 3)
    assert amounts(game) == [46, -4, -37, -5]


def test_presents_take_points_off_but_not_more_than_there_are(ledger, game_id):
    assert minus(give(ledger, game_id, 2, minus=-21)) == [0, 10, 0]
    for points, why in (({"minus": -1}, "too_much"), ({}, "none"), ({"minus": 0}, "none")):
        with pytest.raises(RuleError) as error:
            give(ledger, game_id, 2, **points)
        assert error.value.problems[0].facts["why"] == why


@pytest.mark.parametrize(
    "side, points, why",
    [(3, {"minus": 5}, "side"), (0, {"minus": 5, "start": True}, "played")],
)
def test_what_cannot_be_given_is_refused(ledger, game_id, side, points, why):
    with pytest.raises(RuleError) as error:
        give(ledger, game_id, side, **points)

    assert error.value.problems[0].facts["why"] == why


def test_points_that_must_add_up_to_zero_are_not_given(ledger):
    game = begun(ledger, "Anna", "Bernd", rules=new_rules("knock-rummy", {}))
    with pytest.raises(RuleError) as error:
        give(ledger, game, 0, minus=5)

    assert error.value.problems[0].facts["why"] == "balance"


def test_they_are_taken_back_once(ledger, game_id):
    event = give(ledger, game_id, 1, minus=20).sheet.given[0].event
    assert minus(given.take_back_points(ledger, game_id, event, PROGRAM)) == [0, 10, 21]

    with pytest.raises(KeyError):
        given.take_back_points(ledger, game_id, event, PROGRAM)


def test_they_stay_behind_their_round_and_are_imported(ledger, game_id, elsewhere):
    give(ledger, game_id, 1, minus=20, note="laut")
    record(ledger, game_id, 0, 1, 1)
    game = ledger.game(game_id)
    missed = score_for(game, facts(0, 2, 2))
    game = games.insert_round(ledger, game_id, 1, missed, PROGRAM).game
    assert [[tally.minus for tally in row.tallies] for row in game.sheet.rows] == [
        [0, 2, 2],
        [0, 32, 23],
        [0, 33, 24],
    ]

    there = arrived(ledger, game_id, elsewhere)
    assert there.sheet == game.sheet
    assert there.texts == game.texts


def test_before_the_first_round_they_are_where_the_totals_begin(ledger):
    game = begun(ledger, "Anna", "Bernd")
    assert minus(give(ledger, game, 1, minus=7)) == [0, 7]
    record(ledger, game, 0, 10)

    assert minus(ledger.game(game)) == [0, 17]


def test_points_are_named_after_the_round_they_followed(ledger, game_id):
    give(ledger, game_id, 1, minus=20)
    record(ledger, game_id, 0, 5, 5)
    game = give(ledger, game_id, 2, minus=7)
    lang = language("en")

    named = [list(given_in_words(game, after, lang)) for after in range(3)]
    assert [len(words) for words in named] == [0, 1, 1]
    assert "Bernd" in named[1][0] and "Claire" in named[2][0]


def test_given_points_have_no_sign_and_one_is_singular(ledger, game_id):
    record(ledger, game_id, 0, 5, 5)
    for points in ({"minus": 1}, {"minus": 20}, {"minus": -2}, {"plus": 1}, {"plus": -1}):
        give(ledger, game_id, 1, **points)
    game = give(ledger, game_id, 2, minus=-3, plus=4)

    assert list(given_in_words(game, 2, language("de"))) == [
        "Bernd: 1 Minuspunkt ohne Runde",
        "Bernd: 20 Minuspunkte ohne Runde",
        "Bernd: 2 Minuspunkte weniger, ohne Runde",
        "Bernd: 1 Punkt ohne Runde",
        "Bernd: 1 Punkt weniger, ohne Runde",
        "Claire: 3 Minuspunkte weniger, ohne Runde; Claire: 4 Punkte ohne Runde",
    ]
