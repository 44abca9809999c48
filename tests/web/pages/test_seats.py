"""Who sits at the table: three at gin, eight at rommé, newcomers, and a round that nobody won."""

import json
import re

import pytest

from web.pages.conftest import words

RATES = re.compile("data-rates='([^']+)'")
THREE = ["Anna", "Bernd", "Claire"]
EIGHT = ["Anna", "Bernd", "Claire", "Dieter", "Emil", "Frieda", "Gustav", "Hanna"]


@pytest.fixture
def three(anna):
    """Three at gin: Anna deals, and Bernd sits out first."""
    return anna.begin(name=THREE, preset="gin-palast", teams="three")


def test_a_new_game_of_gin_has_a_seat_for_one_who_sits_out(anna, three):
    board = words(anna.get(three).text)

    assert "Anna gibt 10 Karten Claire beginnt Bernd setzt aus" in board
    assert "Bernd setzt aus" in words(anna.get(f"{three}/tv").text)
    assert "Bernd setzt aus" in words(anna.get("/").text)


def test_the_board_names_only_those_who_play(anna, three):
    page = anna.get(three).text

    assert "ender=0" in page and "ender=2" in page
    assert "ender=1" not in page


def test_the_entry_asks_nothing_of_who_sits_out(anna, three):
    form = anna.form(f"{three}/round")
    entered = anna.send(f"{three}/round", knocker="0", hand__0="5", hand__2="30", do="save")
    board = words(anna.get(three).text)

    assert form["absent-1"] == "yes"
    assert "absent-0" not in form
    assert entered.status_code == 303
    assert "Bernd gibt 10 Karten Anna beginnt Claire setzt aus" in board


def test_another_one_may_sit_out(anna, three):
    form = anna.filled(f"{three}/round", knocker="1", hand__1="5", hand__2="30", do="save")
    del form["absent-1"]
    refused = anna.post(f"{three}/round", form)
    form["absent-0"] = "yes"

    assert refused.status_code == 422
    assert "Beim Gin spielen zwei; hier wären es 3." in refused.text
    assert anna.post(f"{three}/round", form).status_code == 303


def test_each_in_turn_is_a_house_rule(anna):
    game = anna.begin(name=THREE, preset="gin-palast", teams="three", **{"gin.sits_out": "turn"})
    rules = words(anna.get(f"{game}/rules").text)

    assert "Zu dritt setzt reihum einer aus; wer ausgesetzt hat, gibt." in rules


@pytest.mark.parametrize(
    ("names", "preset", "button"),
    [(THREE, "gin-palast", "teams:three"), (EIGHT[:7], "german-family", "players:7")],
)
def test_a_wrong_number_of_players_is_mended_with_one_press(anna, names, preset, button):
    form = anna.form(f"/new?preset={preset}")
    form.setlist("name", names)
    form["do"] = "start"
    refused = anna.post("/new", form)
    mended = anna.form_in(refused)
    mended.setlist("name", names)
    mended["do"] = button
    again = anna.form_in(anna.post("/new", mended))
    again["do"] = "start"
    begun = anna.post("/new", again)

    assert refused.status_code == 422
    assert f'value="{button}"' in refused.text
    assert begun.status_code == 303


def test_too_few_cards_are_told_with_their_number(anna):
    form = anna.form("/new?preset=luxembourg")
    form.setlist("name", EIGHT[:7])
    form["do"] = "start"
    refused = anna.post("/new", form)

    assert refused.status_code == 422
    assert "zu 7 Spielern braucht ihr 71, im Spiel sind 52" in words(refused.text)
    assert 'value="players:7"' not in refused.text


def test_every_page_has_room_for_eight(anna):
    game = anna.begin(name=EIGHT, **{"players.max": "8"})
    held = {f"hand__{seat}": str(10 * seat) for seat in range(1, 7)}
    assert anna.enter(game, 7, hand__0="70", **held).status_code == 303

    for path in ("", "/tv", "/settlement", "/round", "/round/1", "/print", "/edit", "/points"):
        page = anna.get(game + path)
        assert page.status_code == 200
        assert all(name in page.text for name in EIGHT), path
    for path in ("/sheet.pdf", "/sheet.pdf?size=A5", "/settlement.pdf", "/picture.png"):
        assert anna.get(game + path).status_code == 200


# ---- a newcomer in a place ----------------------------------------------------------------


@pytest.fixture
def six(anna):
    """Six after a round."""
    game = anna.begin(name=EIGHT[:6])
    anna.enter(game, 0, **{f"hand__{seat}": str(10 * seat) for seat in range(1, 6)})
    return game


def join(anna, game, name, **more):
    return anna.send(f"{game}/players", page=f"{game}/more", name=name, **more)


def test_a_newcomer_takes_the_place_of_who_leaves(anna, six):
    full = join(anna, six, "Gustav", in_place_of="")
    joined = join(anna, six, "Gustav", in_place_of="2")
    form, history = anna.form(f"{six}/round"), anna.get(f"{six}/history").text

    assert full.status_code == 422
    assert joined.status_code == 303
    assert form["absent-2"] == "yes"
    assert "Gustav kommt für Claire" in history
    assert "ender=2" not in anna.get(six).text
    assert "Claire" in anna.get(six).text


def test_the_next_game_begins_without_who_has_left(anna, six):
    anna.send(f"{six}/edit", seat=[*"021345"], do="save")
    join(anna, six, "Gustav", in_place_of="1")
    anna.send(f"{six}/end", page=f"{six}/more")
    home = anna.get("/")
    offered = words(anna.get("/new").text)
    form = anna.form_in(anna.send("/new", do=f"again:{six.removeprefix('/g/')}"))
    begun = anna.post("/new", anna.form_in(home)).location

    seated = ["Anna", "Claire", "Gustav", "Dieter", "Emil", "Frieda"]
    listed = "Anna, Claire, Gustav, Dieter, Emil und Frieda"
    assert f"{listed}. Anna gibt." in words(home.text)
    assert listed in offered
    assert form.getlist("name") == seated
    assert [player for player in EIGHT if player in anna.get(begun).text] == sorted(seated)


def test_the_next_evening_of_a_group_asks_those_at_the_table_and_keeps_who_deals(anna, stammtisch):
    names = ["Anna", "Bernd", "Claire", "Dieter"]
    game = anna.next_evening(stammtisch, name=names, first_dealer="3")
    anna.send(f"{game}/edit", seat=["0", "2", "1", "3"], do="save")
    join(anna, game, "Emil", in_place_of="2")
    anna.send(f"{stammtisch}/members/0/retire", page=f"{stammtisch}/members/0", retired="yes")
    form = anna.form(f"{stammtisch}/new")

    assert form.getlist("name") == ["Emil", "Bernd", "Dieter"]
    assert form["first_dealer"] == "2"


def test_where_a_seat_is_free_nobody_has_to_leave(anna, game):
    assert join(anna, game, "Emil", in_place_of="").status_code == 303
    assert "absent-0" not in anna.form(f"{game}/round")


def test_in_teams_nobody_joins(anna):
    game = anna.begin(name=EIGHT[:4], preset="gin-palast", teams="yes")

    assert 'action="/g/' + game[3:] + '/players"' not in anna.get(f"{game}/more").text


# ---- a round that nobody won ----------------------------------------------------------------


@pytest.fixture
def counting(anna):
    return anna.begin(name=THREE, **{"stock.exhausted": "count"})


def test_nobody_is_out_and_all_write(anna, counting):
    answer = anna.send(
        f"{counting}/round", winner="none", hand__0="12", hand__1="35", hand__2="7", do="save"
    )
    board = words(anna.get(counting).text)

    assert answer.status_code == 303
    assert "ender=none" in anna.get(counting).text
    assert "Niemand fertig: alle schreiben" in board
    assert "niemand fertig, alle schreiben" in words(anna.get(f"{counting}/print").text)


def test_such_a_round_is_corrected_like_any_other(anna, counting):
    anna.send(
        f"{counting}/round", winner="none", hand__0="12", hand__1="35", hand__2="7", do="save"
    )
    form = anna.form(f"{counting}/round/1/correct")
    anna.send(f"{counting}/round/1/correct", hand__1="36", do="save")
    kept = anna.form(f"{counting}/round/1/correct")
    anna.send(f"{counting}/round/1/correct", winner="0", do="save")

    assert (form["winner"], form["hand-1"]) == ("none", "35")
    assert (kept["winner"], kept["hand-1"]) == ("none", "36")
    assert anna.form(f"{counting}/round/1/correct")["winner"] == "0"


def test_what_somebody_holds_is_still_missing(anna, counting):
    page = anna.send(f"{counting}/round", winner="none", hand__0="12", do="check").text

    assert "Es fehlt: Bernd und Claire" in words(page)


def test_elsewhere_nobody_is_no_answer(anna, game):
    assert "ender=none" not in anna.get(game).text
    assert 'id="ender-none"' not in anna.get(f"{game}/round").text
    assert anna.enter(game, "none", hand__0="5").status_code == 422


def test_a_third_joins_two_at_gin_and_each_sits_out_in_turn(anna):
    game = anna.begin(name=THREE[:2], preset="gin-palast", teams="no")
    anna.send(f"{game}/round", knocker="0", hand__0="5", hand__1="25", do="save")
    page = words(anna.get(f"{game}/more").text)
    join = {"page": f"{game}/more", "in_place_of": "third"}
    anna.send(f"{game}/players", name="Anna", **join)
    refused = words(anna.get(game).text)
    anna.send(f"{game}/players", name="Claire", **join)
    board = words(anna.get(game).text)

    assert "Zu dritt spielen zwei, und einer setzt reihum aus" in page
    assert "reihum" not in refused, "nothing changes if the name is refused"
    assert "setzt aus" in board
    assert "Zu dritt setzt reihum einer aus" in words(anna.get(f"{game}/rules").text)
    assert "ab der nächsten Runde" not in anna.get(f"{game}/more").text


def test_nobody_joins_two_who_play_a_whole_game_of_gin(anna):
    game = anna.begin(name=THREE[:2], preset="gin-american", teams="no")
    offered = anna.get(f"{game}/more").text
    for place in ("third", "1", ""):
        refused = anna.send(f"{game}/players", page=f"{game}/more", name="C", in_place_of=place)
        assert refused.status_code == 422

    assert "in_place_of" not in offered
    assert anna.get(game).status_code == 200


def test_who_joined_later_was_absent_in_the_rounds_before(anna):
    game = anna.begin(name=THREE[:2], preset="german-family")
    anna.enter(game, "0", hand__1="25")
    anna.send(f"{game}/round", outcome="cancelled", hand__0="5", hand__1="5", do="save")
    anna.send(f"{game}/players", page=f"{game}/more", name="Claire", in_place_of="")
    away = 'name="absent-2" value="yes" checked'

    for page in ("round/1/correct", "round/2/correct", "round/1/insert", "round/2/insert"):
        assert away in anna.get(f"{game}/{page}").text, page
    assert away not in anna.get(f"{game}/round").text


def test_a_bonus_for_the_game_is_refused_at_its_field_once_a_third_has_played(anna):
    game = anna.begin(name=THREE[:2], preset="gin-palast", teams="no")
    anna.send(f"{game}/players", page=f"{game}/more", name="Claire", in_place_of="1")

    refused = anna.send(f"{game}/edit/rules", do="save", **{"gin.game_bonus": "100"})

    assert refused.status_code == 422
    assert "gelten nur zu zweit oder in Teams" in words(refused.text)
    assert "ihr seid zu dritt" not in words(refused.text)


def test_the_browser_counts_a_knock_by_the_order_in_which_its_players_sat(anna, app):
    game = anna.begin(name=THREE, preset="knock-rummy")

    def order_at(page: str) -> list[int]:
        return json.loads(RATES.search(anna.get(f"{game}/{page}").text)[1])["knock"]["order"]

    assert order_at("round") == []
    anna.send(f"{game}/edit", seat=["0", "2", "1"], do="save")
    assert order_at("round") == [0, 2, 1]
    anna.send(f"{game}/round", knocker="0", hand__0="10", hand__1="5", hand__2="5", do="save")
    anna.send(f"{game}/edit", seat=["0", "1", "2"], do="save")
    assert [order_at(page) for page in ("round", "round/1/correct", "round/1/insert")] == [
        [0, 1, 2],
        [0, 2, 1],
        [0, 2, 1],
    ]
    anna.send(f"{game}/round/1/correct", note="knapp", do="save")
    row = app.extensions["ledger"].game(game[3:]).sheet.row(1)

    assert row.corrected_at
    assert [one.net for one in row.score.scores] == [-15, 7, 8]
