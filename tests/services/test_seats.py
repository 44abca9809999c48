"""More seats than play at once: newcomers in the place of others, eight players, three at gin."""

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import MOST_SEATS, NewGame, score_for
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import games, groups
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import PROGRAM, Write
from scorekeeper.wire.rounds import load_round
from short import FAMILY, begun, facts, record, written
from transfers import arrived, sent, taken_in

CENT = {"point_value": "1", "unit": "ct"}
GIN = new_rules("gin-palast", {"players.max": 3}, CENT)
SIX = ("Anna", "Bernd", "Claire", "Dieter", "Emil", "Frieda")


def joined(ledger: Ledger, game_id: str, name: str, place: int | None = None) -> Game:
    return games.add_player(ledger, game_id, name, PROGRAM, in_place_of=place)


def refused(make) -> tuple[str, object]:
    with pytest.raises(RuleError) as error:
        make()
    return error.value.problems[0].code, error.value.problems[0].facts.get("why")


def knocked(ledger: Ledger, game_id: str, *left: int | None, knocker: int) -> Game:
    seats = [{"absent": True} if one is None else {"deadwood": one} for one in left]
    round_ = load_round({"outcome": "knock", "knocker": knocker, "seats": seats}).round
    return written(ledger, game_id, round_, f"{left}").game


def test_a_seventh_takes_the_place_of_one_of_six(ledger, elsewhere):
    game_id = begun(ledger, *SIX)
    record(ledger, game_id, 0, 10, 20, 30, 40, 50)

    assert refused(lambda: joined(ledger, game_id, "Gustav")) == ("E_CONFIG", "player_count")
    game = joined(ledger, game_id, "Gustav", 2)
    record(ledger, game_id, 5, 0, None, 7, 8, 9, 10)
    game = ledger.game(game_id)

    assert game.players == (*SIX, "Gustav")
    assert [tally.minus for tally in game.sheet.tallies] == [5, 10, 20, 37, 48, 59, 10]
    assert game.sheet.expected == [0, 1, 3, 4, 5, 6]
    assert sum(game.settlement().amounts) == 0
    assert arrived(ledger, game_id, elsewhere).sheet == game.sheet


def test_after_somebody_was_away_a_seat_is_free(ledger):
    game_id = begun(ledger, *SIX)
    record(ledger, game_id, 0, 10, None, 30, 40, 50)

    assert joined(ledger, game_id, "Gustav").sheet.seats == 7
    assert refused(lambda: record(ledger, game_id, 0, 1, 2, 3, 4, 5, 6)) == ("E_FORM", "too_many")


def test_places_that_cannot_be_taken(ledger):
    game_id = begun(ledger, *SIX)
    teams = begun(ledger, *SIX[:4], rules=new_rules("gin-palast", {"teams": True}))

    assert refused(lambda: joined(ledger, game_id, "Gustav", 6)) == ("E_FORM", "no_place")
    assert refused(lambda: joined(ledger, game_id, "Gustav", -1)) == ("E_FORM", "no_place")
    assert refused(lambda: joined(ledger, game_id, "Emil", 2)) == ("E_FORM", "same_name")
    assert refused(lambda: joined(ledger, teams, "Gustav", 2)) == ("E_FORM", "no_place")


def test_an_evening_has_room_for_twelve(ledger):
    game_id = begun(ledger, *SIX)
    for number in range(MOST_SEATS - 6):
        joined(ledger, game_id, f"Gast {number}", number)

    assert refused(lambda: joined(ledger, game_id, "Zoé", 11)) == ("E_FORM", "seats_full")
    assert len(ledger.game(game_id).sheet.at_table) == 6


def test_the_same_key_seats_somebody_once(ledger):
    game_id = begun(ledger, *SIX)
    write = Write(key="joins")
    for _ in range(2):
        games.add_player(ledger, game_id, "Gustav", write, in_place_of=2)

    assert ledger.game(game_id).sheet.seats == 7


def test_a_group_seats_who_takes_a_place_and_is_imported(ledger, elsewhere):
    group = groups.create_group(ledger, NewGroup("Runde", SIX, FAMILY)).group
    game = groups.open_evening(ledger, group.id, NewGame("", "", FAMILY, SIX), PROGRAM)
    record(ledger, game.id, 0, 10, 20, 30, 40, 50)
    joined(ledger, game.id, "Gustav", 0)
    record(ledger, game.id, None, 0, 1, 2, 3, 4, 5)
    games.end_game(ledger, game.id, PROGRAM)
    group = ledger.group(group.id)

    assert group.players == (*SIX, "Gustav")
    assert group.evenings[game.id].members == (0, 1, 2, 3, 4, 5, 6)
    assert sum(group.balance("ct")) == 0
    assert taken_in(elsewhere, *sent(ledger, group.id)).group.balances == group.balances
    assert check(elsewhere, score_for).clean


# ---- eight players ---------------------------------------------------------------------

EIGHT = (*SIX, "Gustav", "Hanna")


def test_eight_play_where_the_packs_suffice(ledger, elsewhere):
    rules = new_rules("german-family", {"players.max": 8}, CENT)
    game_id = begun(ledger, *EIGHT, rules=rules)
    record(ledger, game_id, 0, 10, 20, 30, 40, 50, 60, 70)
    game = ledger.game(game_id)

    assert game.settlement().balances == (280, 200, 120, 40, -40, -120, -200, -280)
    assert (game.sheet.next_deal.dealer, game.sheet.next_deal.cards) == (1, 13)
    assert arrived(ledger, game_id, elsewhere).sheet == game.sheet


@pytest.mark.parametrize(
    ("preset", "options", "needed", "has"),
    [
        ("german-family", {"players.max": 8, "deck.packs": 1}, 65, 58),
        ("american-continental", {"players.max": 7}, 105, 104),
        ("luxembourg", {"players.max": 7}, 71, 52),
        ("german-family", {"players.max": 8, "deal.cards": 15}, 120, 110),
    ],
)
def test_otherwise_the_refusal_says_how_many_cards_are_missing(preset, options, needed, has):
    with pytest.raises(RuleError) as error:
        new_rules(preset, options)

    facts_ = error.value.problems[0].facts
    assert (facts_["why"], facts_["needed"], facts_["has"]) == ("deck_too_small", needed, has)


def test_a_small_deal_makes_room_for_eight():
    deal = {"2": 10, "3": 7, "4": 7, "5": 6, "6": 6, "7": 6, "8": 6}

    assert new_rules("luxembourg", {"players.max": 8, "deal.cards": deal}).deal.to(8) == 6


# ---- gin for three -----------------------------------------------------------------------


def test_three_settle_the_rounds_they_played(ledger, elsewhere):
    game_id = begun(ledger, "Anna", "Bernd", "Claire", rules=GIN)
    assert ledger.game(game_id).sheet.sits_out == 1
    knocked(ledger, game_id, 5, None, 30, knocker=0)  # 25 + 10 for Anna, from Claire
    knocked(ledger, game_id, 20, 8, None, knocker=1)  # 12 + 10 for Bernd, from Anna
    game = knocked(ledger, game_id, None, 4, 9, knocker=2)  # 5 + 20 + 10 for Bernd, from Claire

    assert [tally.plus for tally in game.sheet.tallies] == [35, 57, 0]
    assert [tally.played for tally in game.sheet.tallies] == [2, 2, 2]
    assert game.settlement().balances == (35 - 22, 22 + 35, -35 - 35)
    assert [row.dealer for row in game.sheet.rows] == [0, 1, 2]
    assert arrived(ledger, game_id, elsewhere).sheet == game.sheet


def test_the_first_of_three_at_the_limit_wins(ledger):
    game_id = begun(ledger, "Anna", "Bernd", "Claire", rules=GIN)
    knocked(ledger, game_id, 0, None, 40, knocker=0)
    game = knocked(ledger, game_id, 0, 41, None, knocker=0)

    assert game.is_over
    assert game.sheet.ranks == (1, 2, 2)


def test_a_third_joins_a_game_of_two(ledger):
    game_id = begun(ledger, "Anna", "Bernd", rules=GIN)
    knocked(ledger, game_id, 5, 30, knocker=0)
    game = joined(ledger, game_id, "Claire")

    assert (game.sheet.sits_out, game.sheet.expected) == (1, [0, 2])
    assert refused(lambda: joined(ledger, game_id, "Dora")) == ("E_CONFIG", "player_count")


def test_a_correction_may_say_that_another_one_sat_out(ledger):
    game_id = begun(ledger, "Anna", "Bernd", "Claire", rules=GIN)
    knocked(ledger, game_id, 5, None, 30, knocker=0)
    round_ = load_round(
        {
            "outcome": "knock",
            "knocker": 0,
            "seats": [{"deadwood": 5}, {"deadwood": 30}, {"absent": True}],
        }
    ).round
    scored = score_for(ledger.game(game_id), round_)
    game = games.correct_round(ledger, game_id, 1, scored, PROGRAM).game

    assert game.sheet.rows[0].points(2) is None
    assert game.sheet.sits_out == 1


# ---- nobody is out -----------------------------------------------------------------------

COUNTS = new_rules("german-family", {"stock.exhausted": "count"}, CENT)


def counted(ledger: Ledger, game_id: str, *left: int) -> Game:
    body = {"outcome": "count", "seats": [{"points": one} for one in left]}
    return written(ledger, game_id, load_round(body).round, f"{left}").game


def test_if_nobody_is_out_all_write_their_hands(ledger, elsewhere):
    game_id = begun(ledger, "Anna", "Bernd", "Claire", rules=COUNTS)
    game = counted(ledger, game_id, 12, 35, 7)

    assert [tally.minus for tally in game.sheet.tallies] == [12, 35, 7]
    assert [tally.won for tally in game.sheet.tallies] == [0, 0, 0]
    assert game.sheet.rows[0].score.winner is None
    assert game.settlement().balances == (18, -51, 33)
    assert game.sheet.next_deal.dealer == 1
    assert arrived(ledger, game_id, elsewhere).sheet == game.sheet


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"winner": 0}, "count_winner"),
        ({"hand_romme": True}, "nobody"),
        ({"seats": [{"points": 5}, {}, {"points": 7}]}, None),
        ({"seats": [{"points": 5}, {"hand": []}, {"points": 7}]}, None),
        ({"seats": []}, "seats"),
    ],
)
def test_then_nobody_ends_the_round_and_nobody_is_left_out(ledger, body, why):
    game = ledger.game(begun(ledger, "Anna", "Bernd", "Claire", rules=COUNTS))
    body = {"outcome": "count", "seats": [{"points": 5}] * 3, **body}

    assert refused(lambda: score_for(game, load_round(body).round))[1] == why


def test_all_write_only_where_the_table_plays_so(ledger):
    game = ledger.game(begun(ledger, "Anna", "Bernd", "Claire"))
    body = {"outcome": "count", "seats": [{"points": 5}] * 3}

    assert refused(lambda: score_for(game, load_round(body).round)) == ("E_RULE_OFF", "count")
    for preset in ("gin-palast", "knock-rummy"):
        clash = refused(lambda name=preset: new_rules(name, {"stock.exhausted": "count"}))
        assert clash == ("E_CONFIG", "stock_count")


def test_without_laying_out_all_write_what_is_left_after_their_melds(ledger):
    rules = new_rules("wiener", {"stock.exhausted": "count"})
    game = ledger.game(begun(ledger, "Anna", "Bernd", rules=rules))
    hand = "QD 5H 5C 2S AH AD JK KH KD KS 7C 8C 9C"  # H01: 22 are left
    body = {"outcome": "count", "seats": [{"hand": hand}, {"rest": "K 9"}]}

    score = score_for(game, load_round(body).round).score

    assert [one.minus for one in score.scores if one] == [22, 19]
    assert {line.reason for line in score.lines} == {"unmelded"}


def test_who_writes_plus_points_writes_none_if_nobody_is_out(ledger):
    rules = new_rules("romme-palast", {"stock.exhausted": "count"})
    game = ledger.game(begun(ledger, "Anna", "Bernd", rules=rules))

    score = score_for(game, facts(0, 5)).score
    body = {"outcome": "count", "seats": [{"points": 5}, {"points": 6}]}
    nobody = score_for(game, load_round(body).round).score

    assert score.scores[0] and score.scores[0].plus == 5
    assert [(one.minus, one.plus) for one in nobody.scores if one] == [(5, 0), (6, 0)]


@pytest.mark.parametrize("name", ["gin.hollywood", "gin.game_bonus", "gin.shutout", "gin.box_at"])
def test_what_scores_a_whole_game_of_gin_is_for_two(name):
    value = {"gin.game_bonus": 100, "gin.shutout": "total", "gin.box_at": "game"}.get(name, True)
    options = {"players.max": 3, "end.mode": "points", "end.points": 100, name: value}

    refusal = refused(lambda: new_rules("gin-palast", {"gin.box_at": "game", **options}))

    assert refusal == ("E_CONFIG", "game_of_two")
