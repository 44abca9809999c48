"""Correcting an evening on its page: names, seats, dealers, date, rules, missed rounds, the bin."""

import pytest
from werkzeug.datastructures import MultiDict

from scorekeeper.services import games
from scorekeeper.store.writes import PROGRAM
from web.pages.conftest import words

OUTDATED = "Der Spielzettel hat sich inzwischen geändert."


@pytest.fixture
def game(anna):
    game = anna.begin(point_value="1/10", unit="ct", title="Freitag", place="Küche")
    anna.enter(game, 0, **{f"hand-{seat}": str(10 * seat) for seat in (1, 2, 3)})
    anna.enter(game, 1, **{f"hand-{seat}": str(seat) for seat in (0, 2, 3)}, note="knapp")
    return game


def stored(app, game):
    return app.extensions["ledger"].game(game[3:])


def save(anna, game, **fields):
    """Send the form of the evening with some fields changed."""
    return anna.send(f"{game}/edit", **{"do": "save", **fields})


def test_the_page_is_reached_through_more_and_changes_nothing_by_itself(anna, app, game):
    assert f'href="{game}/edit"' in anna.get(f"{game}/more").text
    version = stored(app, game).version
    assert save(anna, game).status_code == 303

    assert stored(app, game).version == version


def test_all_parts_are_corrected_with_one_change(anna, app, game):
    answer = save(
        anna,
        game,
        **{"name-1": "Berndt", "title": "Samstag", "day": "2026-01-02", "time": "19:40"},
        **{"dealer-3": "0", "dealer-1": "3"},
    )
    after = stored(app, game)

    assert answer.status_code == 303
    assert (after.players[1], after.title, after.version) == ("Berndt", "Samstag", 4)
    assert after.created_at.startswith("2026-01-0")
    assert after.sheet.next_deal.dealer == 0
    assert after.sheet.row(1).dealer == 3
    history = words(anna.get(f"{game}/history").text)
    assert "Berndt statt Bernd" in history
    assert "Name des Abends: Samstag" in history
    assert "Berndt" in anna.get(game).text


def test_the_page_says_what_will_change_before_it_is_saved(anna, app, game):
    page = anna.post(f"{game}/edit", anna.filled(f"{game}/edit", **{"name-1": "Berndt", "do": ""}))

    assert "statt Bernd" in page.text
    assert "Eine Änderung:" in page.text
    assert stored(app, game).players[1] == "Bernd"


def test_seats_move_up_without_scripts(anna, app, game):
    form = anna.form(f"{game}/edit")
    form["do"] = "up:2"
    page = anna.post(f"{game}/edit", form)
    moved = anna.form_in(page)
    assert moved.getlist("seat") == ["0", "2", "1", "3"]
    moved["do"] = "save"
    anna.post(f"{game}/edit", moved)

    assert stored(app, game).sheet.clockwise == (0, 2, 1, 3)


@pytest.mark.parametrize(
    ("pressed", "order"),
    [
        ("up:0", "0123"),
        ("up:1", "1023"),
        ("up:3", "0132"),
        ("up:4", "0123"),
        ("up:-1", "0123"),
        ("up:x", "0123"),
        ("up", "0123"),
    ],
)
def test_a_seat_moves_up_by_one_and_the_first_one_stays(anna, game, pressed, order):
    form = anna.filled(f"{game}/edit", do=pressed, title="Sonntag")
    moved = anna.form_in(anna.post(f"{game}/edit", form))

    assert moved.getlist("seat") == list(order)
    assert moved["title"] == "Sonntag"


@pytest.mark.parametrize(
    "fields, message",
    [
        ({"name-1": "Anna"}, "Anna"),
        ({"name-1": ""}, "Höchstens 40"),
        ({"name-1": "x" * 41}, "Höchstens 40"),
        ({"day": "2999-01-01"}, "kommen erst noch"),
        ({"day": "gestern"}, "kein Zeitpunkt"),
        ({"dealer-3": "9"}, "es sind 4"),
        ({"dealer-3": "Otto"}, "ganze Zahl"),
        ({"title": "x" * 81}, "Höchstens 80"),
    ],
)
def test_wrong_input_is_refused_at_its_field_and_kept(anna, app, game, fields, message):
    before = stored(app, game).version
    answer = save(anna, game, **fields)

    assert answer.status_code == 422
    assert message in words(answer.text.partition('class="fault"')[2][:400])
    (name,) = fields
    assert name.startswith("dealer") or fields[name] in answer.text
    assert stored(app, game).version == before


@pytest.mark.parametrize(
    ("page", "field", "typed"),
    [("edit", "name-1", "Berndt"), ("edit/rules", "point_value", "7/10")],
)
def test_an_outdated_form_is_shown_again(anna, app, game, page, field, typed):
    form = anna.filled(f"{game}/{page}", **{"do": "save", field: typed})
    unchanged = anna.get(f"{game}/{page}").text
    anna.enter(game, 0, **{f"hand-{seat}": "5" for seat in (1, 2, 3)})
    version = stored(app, game).version
    answer = anna.post(f"{game}/{page}", form)

    assert answer.status_code == 409
    assert OUTDATED in words(answer.text)
    assert OUTDATED not in words(unchanged)
    assert anna.form_in(answer)[field] == typed
    assert stored(app, game).version == version


def test_a_form_without_some_fields_leaves_them_as_they_are(anna, app, game):
    before = anna.filled(f"{game}/edit", do="")
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    assert "Eine Änderung" not in words(anna.post(f"{game}/edit", before).text)

    whole = anna.filled(f"{game}/edit", **{"do": "save", "name-1": "Berndt"})
    fields = {name: whole[name] for name in ("csrf_token", "key", "version", "do", "name-1")}
    was = stored(app, game)
    assert anna.post(f"{game}/edit", fields).status_code == 303
    after = stored(app, game)

    assert after.players == ("Anna", "Berndt", "Claire", "Dieter", "Emil")
    assert (after.title, after.place) == (was.title, was.place) == ("Freitag", "Küche")
    assert after.created_at == was.created_at
    assert [row.dealer for row in after.sheet.rows] == [row.dealer for row in was.sheet.rows]


def test_an_erased_name_stays_erased_unless_another_is_typed(anna, app, game):
    anna.send(f"{game}/names/1")
    assert save(anna, game, title="Anders").status_code == 303
    assert stored(app, game).players[1] == ""

    save(anna, game, **{"name-1": "Bert"})
    assert stored(app, game).players[1] == "Bert"


# ---- rules ---------------------------------------------------------------------------


def test_a_rule_changed_in_the_evening_is_told_on_the_board(anna, app, game):
    fields = {"do": "save", "joker.hand_value": "50", "point_value": "1/5"}
    assert anna.send(f"{game}/edit/rules", **fields).status_code == 303
    after = stored(app, game)
    assert after.rules.joker.hand_value == 50
    assert str(after.rules.settle.point_value) == "1/5"
    assert after.sheet.row(1).rules.joker.hand_value == 20

    assert "Ab dieser Runde: " in words(anna.get(game).text)
    anna.enter(game, 0, **{f"hand-{seat}": "5" for seat in (1, 2, 3)})
    assert "Ab dieser Runde: " in words(anna.get(game).text)
    assert "Ab dieser Runde: " in words(anna.get(f"{game}/round/3").text)
    assert "Ab dieser Runde: " not in words(anna.get(f"{game}/round/2").text)


def test_a_rule_changed_after_the_first_round_is_told_from_the_second(anna):
    game = anna.begin(point_value="1/10", unit="ct")
    anna.enter(game, 0, **{f"hand-{seat}": "5" for seat in (1, 2, 3)})
    anna.send(f"{game}/edit/rules", **{"do": "save", "joker.hand_value": "50"})
    told, rule = "Ab dieser Runde: ", "Ein Joker auf der Hand zählt 50."

    assert words(anna.get(game).text).count(told + rule) == 1

    for _ in range(2):
        anna.enter(game, 0, **{f"hand-{seat}": "5" for seat in (1, 2, 3)})

    assert words(anna.get(game).text).count(told) == 1
    assert told + rule in words(anna.get(game).text)
    for number, times in ((1, 0), (2, 1), (3, 0)):
        assert words(anna.get(f"{game}/round/{number}").text).count(told) == times


def test_rules_that_cannot_change_any_more_are_refused(anna, app, game):
    answer = anna.send(f"{game}/edit/rules", **{"do": "save", "score.mode": "minus_plus"})

    assert answer.status_code == 422
    assert "nur vor der ersten Runde" in words(answer.text)


def test_the_stake_cannot_change_after_a_payment(anna, app, game):
    anna.send(f"{game}/end", page=f"{game}/more")
    games.mark_paid(app.extensions["ledger"], game[3:], 0, True, PROGRAM)
    answer = anna.send(f"{game}/edit/rules", do="save", point_value="1/5")

    assert answer.status_code == 422
    assert "schon etwas bezahlt" in words(answer.text.partition('class="fault"')[2][:400])


# ---- a missed round ------------------------------------------------------------------


def test_a_missed_round_is_entered_in_its_place(anna, app, game):
    answer = anna.get(f"{game}/missed?after=1")
    assert answer.location.endswith(f"{game}/round/2/insert")
    page = f"{game}/round/2/insert"
    assert "Runde 2 nachtragen" in anna.get(page).text
    fields = {"hand-0": "7", "hand-1": "8", "hand-3": "9", "winner": "2", "do": "save"}
    assert anna.post(page, anna.filled(page, **fields)).status_code == 303
    after = stored(app, game)

    assert [row.score.winner for row in after.sheet.rows] == [0, 2, 1]
    assert [after.note(number) for number in (1, 2, 3)] == ["", "", "knapp"]
    assert "Runde 2 nachgetragen" in anna.get(f"{game}/history").text


@pytest.mark.parametrize("page", ["round/1/correct", "round/2/insert"])
def test_an_incomplete_round_is_refused_in_its_place_and_kept(anna, app, game, page):
    version = stored(app, game).version
    fields = {"hand-0": "", "hand-1": "77", "hand-2": "", "hand-3": "9", "winner": "0"}
    answer = anna.send(f"{game}/{page}", do="save", **fields)

    assert answer.status_code == 422
    assert "Es fehlt: Claire." in words(answer.text)
    assert 'value="77"' in answer.text
    assert stored(app, game).version == version


def test_a_missed_round_sent_again_after_somebody_joined_is_entered_once(anna, app, game):
    page = f"{game}/round/2/insert"
    fields = {"hand-0": "7", "hand-1": "8", "hand-3": "9", "winner": "2", "do": "save"}
    form = anna.filled(page, **fields)
    first = anna.post(page, form)
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    version = stored(app, game).version
    again = anna.post(page, form)
    changed = anna.post(page, {**form, "hand-0": "17"})

    assert first.status_code == again.status_code == 303
    assert again.location.startswith(f"{game}?own={version}&but=2")
    assert changed.status_code == 422
    assert stored(app, game).version == version


def test_a_correction_sent_again_after_somebody_joined_is_made_once(anna, app, game):
    fields = {"name-1": "Berndt", "seat": ["0", "2", "1", "3"], "dealer-3": "0", "do": "save"}
    form = anna.filled(f"{game}/edit", **fields)
    first = anna.post(f"{game}/edit", form)
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    version = stored(app, game).version
    again = anna.post(f"{game}/edit", form)
    changed = anna.post(f"{game}/edit", MultiDict({**form, "name-1": "Bernt"}))

    assert [first.status_code, again.status_code, changed.status_code] == [303, 303, 422]
    assert stored(app, game).version == version
    assert stored(app, game).players == ("Anna", "Berndt", "Claire", "Dieter", "Emil")


def test_a_missed_round_is_the_one_compared_with_an_entry_that_was_on_its_way(anna, game):
    slow = anna.filled(f"{game}/round", winner="3", hand__0="1", hand__1="2", hand__2="3")
    missed = {"hand-0": "7", "hand-1": "8", "hand-3": "9", "winner": "2", "do": "save"}
    page = f"{game}/round/2/insert"
    anna.post(page, anna.filled(page, **missed))
    answer = anna.post(f"{game}/round", {**slow, "do": "save"})

    assert answer.status_code == 409
    assert "Jemand hat Runde 2 gerade schon gespeichert." in words(answer.text)
    assert "Claire verschieden Rommé 0 3" in words(answer.text)
    assert f'formaction="{game}/round/2/correct"' in answer.text


def test_rounds_after_a_missed_one_are_not_marked_as_changed(anna, app, game):
    seen = stored(app, game).version
    missed = {"hand-0": "7", "hand-1": "8", "hand-3": "9", "winner": "2", "do": "save"}
    page = f"{game}/round/2/insert"
    anna.post(page, anna.filled(page, **missed))

    assert "vorher:" not in anna.get(f"{game}?since={seen}").text

    anna.send(f"{game}/round/3/correct", hand__0="77", do="save")
    board = anna.get(f"{game}?since={seen}").text

    assert board.count("vorher:") == 1
    assert "vorher: Anna\u00a0" in board


def test_a_missed_round_needs_a_place(anna, game):
    assert anna.get(f"{game}/missed?after=2").status_code == 404
    assert anna.get(f"{game}/missed?after=x").status_code == 303
    assert anna.get(f"{game}/round/3/insert").status_code == 404


# ---- the bin -------------------------------------------------------------------------


def test_an_evening_is_thrown_away_and_brought_back(anna, app, game):
    form = anna.form(f"{game}/edit")
    keep = {name: form[name] for name in ("csrf_token", "key", "version")}
    assert anna.post(f"{game}/throw-away", keep).status_code == 303
    assert stored(app, game).thrown_away_at
    board = words(anna.get(game).text)
    assert "Weggeworfen." in board
    assert "Runde 3 eintragen" not in board
    assert "<form" not in anna.get(f"{game}/round/1").text
    refused = anna.enter(game, 0, **{f"hand-{seat}": "5" for seat in (1, 2, 3)})
    assert refused.status_code == 422
    assert "Weiterspielen" not in anna.get("/").text

    keep = {**keep, "key": "another", "version": str(stored(app, game).version)}
    assert anna.post(f"{game}/bring-back", keep).status_code == 303
    assert stored(app, game).thrown_away_at is None
    assert "Weggeworfen." not in anna.get(game).text


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("round", {"winner": "0", "hand-1": "5", "hand-2": "5", "hand-3": "5"}),
        ("round/1/correct", {"hand-1": "77"}),
        ("round/2/insert", {"winner": "2", "hand-0": "77", "hand-1": "8", "hand-3": "9"}),
        ("edit", {"name-1": "Berndt"}),
        ("edit/rules", {"point_value": "1/5"}),
        ("points", {"side": "1", "kind": "penalty", "points": "77"}),
    ],
)
def test_nothing_changes_in_an_evening_that_was_thrown_away(anna, app, game, page, fields):
    anna.send(f"{game}/throw-away", page=f"{game}/edit")
    version = stored(app, game).version
    answer = anna.send(f"{game}/{page}", do="save", **fields)

    assert answer.status_code == 422
    assert "Dieser Abend ist weggeworfen." in words(answer.text)
    assert {name: anna.form_in(answer)[name] for name in fields} == fields
    assert stored(app, game).version == version


@pytest.mark.parametrize("page", ["round/1/correct", "round/2/insert"])
def test_an_outdated_round_in_its_place_is_shown_again(anna, app, game, page):
    fields = {"winner": "0", "hand-1": "77", "hand-2": "8", "hand-3": "9", "do": "save"}
    form = anna.filled(f"{game}/{page}", **fields)
    anna.enter(game, 0, **{f"hand-{seat}": "5" for seat in (1, 2, 3)})
    version = stored(app, game).version
    outdated = anna.post(f"{game}/{page}", form)

    assert outdated.status_code == 409
    notice = outdated.text.split('id="notice"')[1].split("</div>")[0]
    assert OUTDATED in words(notice)
    assert anna.form_in(outdated)["hand-1"] == "77"
    assert anna.form_in(outdated)["version"] == str(version)
    assert stored(app, game).version == version


# ---- points without a round ----------------------------------------------------------


def test_a_penalty_is_given_told_on_the_board_and_taken_back(anna, app, game):
    page = f"{game}/points"
    fields = {"side": "1", "kind": "penalty", "points": "20", "note": "Karte gezeigt"}
    assert anna.send(page, **fields).status_code == 303
    assert stored(app, game).sheet.tallies[1].minus == 30
    assert "Bernd: 20 Minuspunkte ohne Runde: Karte gezeigt" in words(anna.get(game).text)
    assert "Karte gezeigt" in words(anna.get(f"{game}/history").text)

    (one,) = stored(app, game).sheet.given
    form = anna.form(page)
    keep = {name: form[name] for name in ("csrf_token", "key", "version")}
    assert anna.post(f"{page}/{one.event}/back", keep).status_code == 303
    assert stored(app, game).sheet.tallies[1].minus == 10
    keep = {**keep, "key": "again", "version": str(stored(app, game).version)}
    assert anna.post(f"{page}/{one.event}/back", keep).status_code == 404


def test_a_newcomer_is_offered_the_usual_starting_scores(anna, app, game):
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    page = words(anna.get(f"{game}/points").text)
    assert "33 wie der Letzte, oder 17 im Schnitt" in page
    anna.send(f"{game}/points")

    assert stored(app, game).sheet.tallies[4].minus == 33
    assert "Emil fängt mit 33 an" in words(anna.get(game).text)


@pytest.mark.parametrize("points", ["", "viel", "0", "123456"])
def test_wrong_points_are_refused_and_kept(anna, app, game, points):
    answer = anna.send(f"{game}/points", side="1", kind="penalty", points=points)

    assert answer.status_code == 422
    assert f'value="{points}"' in answer.text


# ---- in a group ----------------------------------------------------------------------


def test_a_name_is_corrected_everywhere_in_a_group(anna, app):
    group = anna.found("Freitag", ["Anna", "Berndt", "Claire", "Dieter"])
    first, second = (anna.next_evening(group, name=["Anna", "Berndt"]) for _ in range(2))
    answer = save(
        anna, first, **{"name-1": "Bernd", "title": "Ostern", "place": "Keller"}, everywhere="yes"
    )
    here, there = stored(app, first), stored(app, second)

    assert answer.status_code == 303
    assert app.extensions["ledger"].group(group[3:]).players[1] == "Bernd"
    assert here.players == there.players == ("Anna", "Bernd")
    assert (here.title, here.place) == ("Ostern", "Keller")
    assert (there.title, there.place) != ("Ostern", "Keller")


def test_an_outdated_form_corrects_nothing_in_the_group(anna, app):
    group = anna.found("Freitag", ["Anna", "Berndt", "Claire", "Dieter"])
    first, second = (anna.next_evening(group, name=["Anna", "Berndt"]) for _ in range(2))
    form = anna.filled(f"{first}/edit", do="save", everywhere="yes", **{"name-1": "Bernd"})
    anna.enter(first, 0, hand__1="5")
    outdated = anna.post(f"{first}/edit", form)

    assert (outdated.status_code, anna.form_in(outdated)["everywhere"]) == (409, "yes")
    assert OUTDATED in words(outdated.text)
    assert app.extensions["ledger"].group(group[3:]).players[1] == "Berndt"
    assert stored(app, first).players[1] == stored(app, second).players[1] == "Berndt"

    again = anna.form_in(outdated)
    again["do"] = "save"
    saved = [anna.post(f"{first}/edit", again) for _ in range(2)]  # the answer was lost

    assert [answer.status_code for answer in saved] == [303, 303]
    assert app.extensions["ledger"].group(group[3:]).players[1] == "Bernd"
    assert stored(app, first).players[1] == stored(app, second).players[1] == "Bernd"


def test_a_name_is_corrected_only_here_unless_asked(anna, app):
    group = anna.found("Freitag", ["Anna", "Berndt", "Claire", "Dieter"])
    first, second = (anna.next_evening(group, name=["Anna", "Berndt"]) for _ in range(2))
    save(anna, first, **{"name-1": "Bernd"})

    assert app.extensions["ledger"].group(group[3:]).players[1] == "Berndt"
    assert stored(app, second).players[1] == "Berndt"


def test_another_correction_with_the_key_of_a_saved_one_is_refused(anna, app, game):
    first = anna.filled(f"{game}/edit", title="Sonntag", do="save")
    other = first.copy()
    other["title"] = "Samstag"

    assert anna.post(f"{game}/edit", first).status_code == 303
    refused = anna.post(f"{game}/edit", other)

    assert refused.status_code == 422
    assert app.extensions["ledger"].game(game[3:]).title == "Sonntag"
