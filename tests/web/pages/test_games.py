"""Games are created, listed, renamed, joined, ended and reopened."""

import re
import secrets

import pytest

from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.services import erasure
from scorekeeper.services.names import HOST
from web.pages.conftest import Browser, Form, words


def test_a_browser_without_games_is_offered_a_new_game(anna):
    page = anna.get("/")

    assert "Der Spielzettel, der rechnet." in page.text
    assert 'href="/new"' in page.text


def test_a_new_game_is_on_the_start_page(anna):
    anna.begin(title="Freitag bei Anna")

    assert "Freitag bei Anna" in anna.get("/").text
    assert "Freitag bei Anna" in anna.get("/evenings").text


def test_the_first_seat_deals_first(anna, game):
    assert "Anna gibt 13 Karten" in anna.get(game).text


def test_players_are_added_moved_and_removed_without_script(anna):
    names = ["A", "B", "C"]

    assert anna.send("/new", name=names, do="add").text.count('name="name"') == 4
    assert anna.send("/new", name=names, do="drop:1").text.count('name="name"') == 2

    moved = anna.send("/new", name=names, do="up:2").text

    assert moved.index('value="A"') < moved.index('value="C"') < moved.index('value="B"')


@pytest.mark.parametrize("seat", ["9" * 5000, "²", "-1", ""])
def test_an_invalid_seat_number_breaks_no_page(anna, seat):
    assert anna.send("/new", name=["A", "B", "C"], do=f"drop:{seat}").status_code == 200


def test_empty_seats_are_ignored(anna):
    game = anna.begin(name=["A", "", "B", " "])

    assert anna.get(game).text.count('class="name"') == 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ["Anna", "Anna"]}, 'value="Anna"'),
        ({"name": ["Anna"]}, 'value="Anna"'),
        ({"name": ["Anna", "B" * 41]}, "B" * 41),
        ({"point_value": "zehn"}, 'value="zehn"'),
        ({"joker.hand_value": "1000"}, 'value="1000"'),
        ({"deal.cards": "13 14"}, 'value="13 14"'),
        ({"players.min": "5", "players.max": "3"}, 'value="3" selected'),
        ({"title": "T" * 81}, "T" * 81),
    ],
)
def test_a_refused_form_comes_back_filled_in_with_the_reason(anna, fields, message):
    page = anna.send("/new", **{"name": ["Anna", "Bernd"], "do": "start", **fields})

    assert page.status_code == 422
    assert "Geht nicht:" in page.text
    assert message in page.text
    assert anna.get("/evenings").text.count('class="entry"') == 0


def test_house_rules_are_shown_in_words(anna):
    fields = {"joker.hand_value": "50", "out.extra_turn": "yes"}
    page = anna.send("/new", do="check", **fields).text

    assert "So spielt ihr anders 2" in words(page)
    assert "Nach „Rommé“ hat jeder noch einen Zug." in page

    game = anna.begin(**fields)

    assert "Nach „Rommé“ hat jeder noch einen Zug." in anna.get(f"{game}/rules").text


def test_a_system_shows_only_the_options_that_exist_for_it(anna):
    page = anna.send("/new", preset="luxembourg", do="rules").text

    assert 'name="deal.cards"' in page
    assert 'name="joker.hand_value"' not in page
    assert 'name="gin.hirschn"' not in page


def test_the_stake_follows_the_rule_system_unless_it_was_typed(anna):
    form = anna.form("/new")

    assert (form["point_value"], form["unit"]) == ("1/10", "ct")

    untouched = anna.send("/new", preset="romme-palast", do="rules").text
    typed = anna.send("/new", preset="romme-palast", point_value="1/2", do="rules").text

    assert 'name="point_value" value="1"' in untouched
    assert 'name="point_value" value="1/2"' in typed


def test_where_points_are_not_settled_everyone_is_asked_for_a_stake(anna):
    form = anna.send("/new", preset="chinchon", do="rules").text
    game = anna.begin(preset="chinchon", money="yes")

    assert 'name="point_value"' not in form
    assert 'name="stake" value="100"' in form
    assert "Topf: Jeder legt 100 ct ein" in words(anna.get(f"{game}/rules").text)
    assert "rechnet nicht ab" not in anna.get(f"{game}/settlement").text


def test_nobody_plays_for_money_unless_it_is_switched_on(anna):
    game = anna.begin()
    anna.enter(game, 0, hand__1="10", hand__2="5", hand__3="7")
    unused = anna.filled("/new", name=["A", "B"], point_value="0,,5", do="start")
    del unused["money"]

    assert "money" not in anna.form("/new")
    assert "zahlt" not in words(anna.get(f"{game}/settlement").text)
    assert anna.post("/new", unused).status_code == 303  # what is folded away counts nothing


def test_the_evening_of_a_table_that_played_for_money_proposes_its_stake(anna):
    game = anna.begin(point_value="2", unit="ct")
    again = anna.form_in(anna.send("/new", do=f"again:{game.rpartition('/')[2]}"))

    assert (again["money"], again["point_value"], again["unit"]) == ("yes", "2", "ct")


@pytest.mark.parametrize(
    ("accepted", "unit", "value"),
    [("de", "ct", "1"), ("en-US", "USD", "1/100"), ("fr-CH,fr", "CHF", "1/100"), ("lb", "ct", "1")],
)
def test_the_unit_is_that_of_the_reader(app, accepted, unit, value):
    form = Browser(app, accepted).form("/new?preset=romme-palast")

    assert (form["unit"], form["point_value"]) == (unit, value)


@pytest.mark.parametrize("system", PRESETS)
def test_the_pfennig_is_offered_only_where_the_source_counts_in_it(anna, system):
    page = anna.get(f"/new?preset={system}").text

    assert ("<option>Pf</option>" in page) == (preset(system).settle.unit == "Pf")


@pytest.mark.parametrize(
    ("language", "system"),
    [
        ("de", "german-family"),
        ("en", "gin-palast"),
        ("fr", "romme-palast"),
        ("lb", "luxembourg"),
    ],
)
def test_the_first_system_depends_on_the_language_and_then_on_the_last_evening(
    app, language, system
):
    reader = Browser(app, language)

    assert reader.form("/new")["preset"] == system
    assert reader.form("/new?preset=no-such-system")["preset"] == system

    reader.begin(preset="knock-rummy")

    assert reader.form("/new")["preset"] == "knock-rummy"


SYSTEM = re.compile(r'data-names="[^"]*"( hidden)?><input[^>]* name="preset" value="([^"]+)"')


def test_a_game_is_found_by_its_name_without_scripts_and_begun_under_another(anna):
    anna.begin(preset="chinchon")
    page = anna.send("/new", do="find", find="kaluki").text
    shown = {name for hidden, name in SYSTEM.findall(page) if not hidden}

    assert SYSTEM.findall(anna.get("/new").text)[0] == ("", "chinchon")
    assert shown == {"kalooki", "kalooki-jamaica"}
    assert Form(page).fields["preset"] == "chinchon"
    assert "So heißt hier kein Spiel" in anna.send("/new", do="find", find="Conquian").text


def test_gin_has_two_fields_and_four_for_two_against_two(anna):
    def fields(**chosen: object) -> int:
        return anna.send("/new", do="check", **chosen).text.count('name="name"')

    four = ["Anna", "Bernd", "", ""]

    assert fields(name=four, preset="gin-palast") == 2
    assert fields(name=four, preset="gin-palast", options_of="gin-palast", teams="yes") == 4
    assert fields(name=four[:2], preset="german-family", options_of="gin-palast") == 4
    assert fields(name=[*four[:2], "Claire", ""], preset="gin-palast") == 3  # no name is lost


def test_those_who_played_on_this_phone_are_offered(anna):
    anna.begin(name=["Emil", "Frieda"])
    page = anna.send("/new", name=["Frieda", "", ""], do="check").text

    assert 'value="sit:Emil"' in page
    assert 'value="sit:Frieda"' not in page

    seated = anna.send("/new", name=["Frieda", "", ""], do="sit:Emil")

    assert anna.form_in(seated).getlist("name") == ["Frieda", "Emil", ""]


def test_taking_away_one_of_two_names_leaves_an_empty_field(anna):
    form = anna.form_in(anna.send("/new", name=["Anna", "Bernd"], do="drop:0"))

    assert form.getlist("name") == ["", "Bernd"]


def test_a_comma_is_a_decimal_point(anna):
    game = anna.begin(point_value="0,05", unit="ct")

    assert "0,05\u00a0ct je Punkt" in anna.get(f"{game}/settlement").text


def test_a_repeated_form_begins_one_game(anna):
    form = anna.form("/new")
    form.setlist("name", ["A", "B"])
    form["do"] = "start"
    first, second = anna.post("/new", form), anna.post("/new", form)

    assert (first.status_code, second.status_code) == (303, 303)
    assert first.location == second.location
    assert anna.get("/evenings").text.count('class="entry"') == 1


def test_title_and_place_can_be_changed(anna, game):
    answer = anna.send(f"{game}/details", page=f"{game}/more", title="Finale", place="Köln")

    assert answer.status_code == 303
    assert "Finale" in anna.get(game).text


def test_the_history_says_what_the_host_changed(anna, app, game):
    anna.send(f"{game}/details", page=f"{game}/more", title="Bei Xaver", place="Köln")
    with app.extensions["ledger"].book_transaction(game[3:]) as transaction:
        erasure.erase_mentions(transaction, ["Xaver"], by=HOST)
    entries = words(anna.get(f"{game}/history").text)

    assert entries.count(", Betreiber") == 1
    assert entries.count(", Schreiben") == 0


def test_a_late_player_is_absent_in_earlier_rounds(anna, game):
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    board = anna.get(game).text

    assert "Emil" in board
    assert '<td data-of="Emil" class="away"><b>–</b></td>' in board


@pytest.mark.parametrize("name", ["", "Anna", "x" * 41, "a\u202eb"])
def test_an_invalid_name_is_refused_with_a_reason(anna, game, name):
    answer = anna.send(f"{game}/players", page=f"{game}/more", name=name)

    assert answer.status_code == 422
    assert "Geht nicht:" in answer.text


def test_an_ended_game_accepts_rounds_once_it_is_reopened(anna, game):
    anna.send(f"{game}/end", page=f"{game}/more")

    assert "Das Spiel ist aus." in anna.get(game).text
    assert anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60").status_code == 422

    anna.send(f"{game}/reopen", page=game)

    assert anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60").status_code == 303


def test_a_limit_of_losses_is_named_when_somebody_has_passed_it(anna):
    game = anna.begin(preset="romme-palast", point_value="")
    for _ in range(3):
        anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="140")

    assert "fehlen noch" not in anna.get(game).text

    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="140")

    assert "Dieter hat mehr als 500 Punkte." in anna.get(game).text


def test_a_limit_that_wins_says_how_far_it_is(anna):
    game = anna.begin(preset="gin-palast", name=["Anna", "Bernd"])
    anna.send(f"{game}/round", knocker="0", hand__0="3", hand__1="23", do="save")

    assert "Anna fehlen noch 70 Punkte bis 100" in anna.get(game).text


def test_both_tallies_are_shown_if_the_rules_have_two(anna):
    game = anna.begin(preset="romme-palast", point_value="")
    anna.enter(game, 0, hand__1="50", hand__2="15", hand__3="50")

    assert '<span class="also">+115 <i>Plus</i></span>' in anna.get(game).text


def test_a_rule_switched_off_by_another_is_not_listed(anna, game):
    without = anna.begin(**{"hand_romme.enabled": "no"})
    answer = anna.get(f"{game}/rules").text

    assert "Zweier sind keine Joker." in answer
    assert "Eine Zwei auf der Hand" not in answer
    assert "Punktgrenze" not in answer
    assert "Beim Handrommé" in answer
    assert "Beim Handrommé" not in anna.get(f"{without}/rules").text


def test_the_end_and_the_stake_of_a_table_take_one_sentence_each(anna):
    for_money = anna.begin(point_value="1/10", unit="ct")
    gin = anna.begin(preset="gin-palast", name=["Anna", "Bernd"], point_value="")
    said = words(anna.get(f"{for_money}/rules").text)
    answer = words(anna.get(f"{gin}/rules").text)

    assert "Einsatz: 1/10 ct je Punkt, gezahlt in Schritten von 1 ct." in said
    assert "Schluss ist bei 100 Pluspunkten." in answer
    assert answer.count("100") == 1
    assert "Gespielt wird ohne Geld." in answer
    assert "Gerechnet wird" not in answer


def test_a_drawn_first_dealer_is_shown_and_printed(anna, monkeypatch):  # RULES 3.1
    monkeypatch.setattr(secrets, "randbelow", lambda n: 2)
    answer = anna.send(
        "/new", name=["Anna", "", "Bernd", "Claire"], first_dealer="draw", do="start"
    )
    begun, game = anna.get(answer.location).text, answer.location.partition("?")[0]

    assert answer.location.endswith("?begun=yes")
    assert "Wer gibt zuerst? Anna Bernd Claire Claire gibt zuerst." in words(begun)
    board = words(anna.get(game).text)
    assert "Claire gibt zuerst. So hat es das Los entschieden." in board
    assert "Claire gibt 13 Karten Anna beginnt" in board
    assert "ausgelost: Claire gibt zuerst" in words(anna.get(f"{game}/history").text)
    assert "Gibt zuerst Claire, ausgelost" in words(anna.get(f"{game}/print").text)
    anna.enter(game, 0, hand__1="10", hand__2="5")
    assert "Los entschieden" not in words(anna.get(game).text)


def test_the_first_dealer_is_chosen_among_the_players(anna):
    names = ["Anna", "", "Bernd", "Claire"]
    game = anna.begin(name=names, first_dealer="2")
    nobody = anna.send("/new", name=names, first_dealer="1", do="start")
    again = anna.send("/new", do=f"again:{game.removeprefix('/g/')}")

    assert "Bernd gibt 13 Karten" in words(anna.get(game).text)
    assert nobody.status_code == 422
    assert "am Tisch sitzen aber nur 3" in words(nobody.text)
    assert '<option value="1" selected>Bernd</option>' in again.text


def test_an_evening_of_a_group_shows_the_drawn_dealer(anna, monkeypatch):
    monkeypatch.setattr(secrets, "randbelow", lambda n: 1)
    group = anna.found("Kegelclub", ["Anna", "Bernd"])
    begun = anna.send(f"{group}/new", name=["Anna", "Bernd"], first_dealer="draw", do="start")
    house = anna.send(f"{group}/house", first_dealer="draw", do="save")

    assert begun.location.endswith("?begun=yes")
    assert '<section class="lot live"' in anna.get(begun.location).text
    assert '<section class="lot"' in anna.get(begun.location.partition("?")[0]).text
    assert house.status_code == 303
    assert '<option value="draw" selected>' in anna.get(f"{group}/new").text


def test_the_television_shows_that_the_dealer_was_drawn(anna):
    drawn, chosen = anna.begin(first_dealer="draw"), anna.begin(first_dealer="1")

    assert "So hat es das Los entschieden" in words(anna.get(f"{drawn}/tv").text)
    assert "Los" not in words(anna.get(f"{chosen}/tv").text)
    anna.enter(drawn, 0, hand__1="5", hand__2="7", hand__3="8")
    assert "Los" not in words(anna.get(f"{drawn}/tv").text)
