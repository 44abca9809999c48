"""A round is entered, previewed, saved once, corrected, struck and restored."""

import re

import pytest

from web.pages.conftest import Form, pad_line, words

LOSERS = {"hand__0": "33", "hand__1": "12", "hand__3": "60"}


@pytest.mark.parametrize(("preset", "doubles"), [("german-family", True), ("luxembourg", False)])
def test_points_are_asked_for_before_doubling_only_where_something_doubles(anna, preset, doubles):
    page = words(anna.get(f"{anna.begin(preset=preset)}/round").text)

    assert ("Punkte vor dem Verdoppeln" in page) is doubles
    assert "Eine Summe geht auch" in page or doubles


def test_the_page_shows_the_points_before_saving(anna, game):
    page = anna.send(f"{game}/round", winner="2", do="check", **LOSERS)

    assert pad_line(page.text) == ["33", "12", "Rommé", "60"]
    assert "Runde 1 eintragen" in anna.get(game).text


def test_a_hand_romme_doubles_on_the_page_too(anna, game):
    page = anna.send(f"{game}/round", winner="2", hand_romme="yes", do="check", **LOSERS)

    assert pad_line(page.text) == ["66", "24", "Handrommé ×2", "120"]


def test_a_saved_round_leads_to_the_board(anna, game):
    answer = anna.enter(game, 2, **LOSERS)

    assert answer.status_code == 303
    assert answer.location == f"{game}#next"
    assert "Runde 2 eintragen" in anna.get(game).text


def test_points_ranks_and_cards_mix(anna, game):
    page = anna.send(
        f"{game}/round",
        winner="2",
        do="check",
        **{"way-0": "cards", "hand-0": "HK Kr9 PA J"},
        **{"way-1": "ranks", "hand-1": "2 3 D"},
        **{"way-3": "points", "hand-3": "50"},
    )

    assert pad_line(page.text) == ["50", "15", "Rommé", "50"]


def test_missing_input_is_named_and_nothing_is_saved(anna, game):
    page = anna.enter(game, 2, hand__0="33", hand__1="12")

    assert page.status_code == 422
    assert "Es fehlt: Dieter." in words(page.text)
    assert pad_line(page.text) == ["33", "12", "Rommé", "fehlt"]
    assert "Runde 1 eintragen" in anna.get(game).text


def test_without_a_winner_the_form_asks_for_one(anna, game):
    page = anna.send(f"{game}/round", do="save", **LOSERS, hand__2="5")

    assert page.status_code == 422
    assert "Wer ist fertig?" in page.text.split('id="foot"')[1]


@pytest.mark.parametrize(
    ("way", "typed"),
    [("points", "viele"), ("points", "-5"), ("cards", "X9"), ("ranks", "K K K K K K K K K")],
)
def test_a_refused_field_comes_back_filled_in_with_its_reason(anna, game, way, typed):
    fields = {**LOSERS, "hand__1": typed, "way__1": way}
    page = anna.enter(game, 2, **fields)

    assert page.status_code == 422
    assert f'value="{typed}"' in page.text
    assert 'value="33"' in page.text
    assert 'id="fault-hand-1" data-part><p class="fault"' in page.text or way == "ranks"
    assert "Geht nicht:" in page.text
    assert "Runde 1 eintragen" in anna.get(game).text


def test_a_warning_is_shown_before_saving_and_stays_at_the_round(anna, game):
    fields = {**LOSERS, "hand__1": "1"}  # no hand is worth 1 where the ace counts 11

    assert "Bitte prüfen:" in anna.send(f"{game}/round", winner="2", do="check", **fields).text
    assert anna.enter(game, 2, **fields).status_code == 303
    assert "Bitte prüfen:" in anna.get(f"{game}/round/1").text


def test_a_repeated_form_records_one_round(anna, game):
    form = anna.filled(f"{game}/round", winner="2", do="save", **LOSERS)
    answers = [anna.post(f"{game}/round", form).status_code for _ in range(3)]

    assert answers == [303, 303, 303]
    assert "Runde 2 eintragen" in anna.get(game).text


def test_the_key_of_a_draft_leads_to_the_board_once_it_was_recorded(anna, game):
    form = anna.filled(f"{game}/round", winner="2", do="save", **LOSERS)
    asked = f"{game}/round?key={form['key']}"
    before = anna.get(asked)
    anna.post(f"{game}/round", form)

    assert (before.status_code, anna.get(asked).location) == (204, game)


def test_the_same_form_with_another_round_is_refused(anna, game):
    form = anna.filled(f"{game}/round", winner="2", do="save", **LOSERS)
    anna.post(f"{game}/round", form)
    form["hand-0"] = "34"
    answer = anna.post(f"{game}/round", form)

    assert answer.status_code == 422
    assert "Schon gespeichert:" in answer.text


def test_two_entries_of_a_round_stand_side_by_side_before_anything_is_saved(anna, game):
    late = {"winner": "0", "do": "save", "hand-1": "12", "hand-2": "8", "hand-3": "9"}
    slow = anna.filled(f"{game}/round", **late)
    anna.enter(game, 2, **LOSERS)
    answer = anna.post(f"{game}/round", slow)
    shown = words(answer.text)

    assert answer.status_code == 409
    assert "Runde 1 Ein Abend" not in shown
    assert "Dieselbe Runde?" in shown
    assert "Eine von 4 Zahlen ist dieselbe." in shown
    assert "Anna verschieden 33 Rommé 0" in shown
    assert "Bernd 12 12" in shown
    assert "Ja, meine stimmt" in shown
    assert "Deiner wird Runde 2" in shown
    assert 'value="8"' in answer.text
    assert "Runde 2 eintragen" in anna.get(game).text

    again = anna.post(f"{game}/round", {**anna.form_in(answer), "do": "save"})

    assert again.status_code == 303
    assert "Runde 3 eintragen" in anna.get(game).text


@pytest.fixture
def asked(anna, game):
    """The question about two entries of round 1, which differ."""
    late = {"winner": "0", "do": "save", "hand-1": "12", "hand-2": "8", "hand-3": "9"}
    slow = anna.filled(f"{game}/round", **late)
    anna.enter(game, 2, **LOSERS)
    return anna.post(f"{game}/round", slow)


def to_replace(asked):
    """Return where the form goes if the later entry is right."""
    (address,) = re.findall(r'value="save" formaction="([^"]+)"', asked.text)
    return address


def test_the_later_of_two_entries_replaces_the_saved_one(anna, game, asked):
    answer = anna.post(to_replace(asked), {**anna.form_in(asked), "do": "save"})

    assert answer.location == f"{game}?own=3&but=1#next"
    assert re.findall(r'class="total">(\d+)', anna.get(game).text) == ["0", "12", "8", "9"]


def test_an_entry_that_replaces_another_one_too_late_is_still_a_correction(anna, game, asked):
    address = to_replace(asked)
    anna.enter(game, 2, **LOSERS)
    stale = anna.post(address, {**anna.form_in(asked), "do": "save"})
    sent_by = re.findall(r"<form class=\"whole entry-form\"[^>]*| formaction=[^>]+", stale.text)

    assert stale.status_code == 409
    assert "action=" not in "".join(sent_by)  # the form goes to the address of the page

    again = anna.post(address, {**anna.form_in(stale), "do": "save"})

    assert again.location == f"{game}?own=4&but=1#next"
    assert "Runde 3 eintragen" in anna.get(game).text


def test_a_round_that_was_struck_is_not_the_same_round(anna, game):
    late = {"winner": "0", "do": "save", "hand-1": "12", "hand-2": "8", "hand-3": "9"}
    slow = anna.filled(f"{game}/round", **late)
    anna.enter(game, 2, **LOSERS)
    anna.send(f"{game}/round/1/strike", page=game)
    answer = anna.post(f"{game}/round", slow)

    assert "Dieselbe Runde?" not in words(answer.text)


def test_two_equal_entries_differ_nowhere(anna, game):
    slow = anna.filled(f"{game}/round", winner="2", do="save", **LOSERS)
    anna.enter(game, 2, **LOSERS)
    shown = words(anna.post(f"{game}/round", slow).text)

    assert "4 von 4 Zahlen sind dieselben." in shown
    assert "verschieden" not in shown
    assert "meine stimmt" not in shown


def test_an_entry_is_compared_with_the_most_similar_of_several_rounds(anna, game):
    slow = anna.filled(f"{game}/round", winner="2", do="save", **LOSERS)
    anna.enter(game, 0, hand__1="1", hand__2="2", hand__3="3")
    anna.enter(game, 2, **LOSERS)
    anna.enter(game, 1, hand__0="1", hand__2="2", hand__3="3")
    anna.send(f"{game}/round/3/strike", page=game)
    shown = words(anna.post(f"{game}/round", slow).text)

    assert "Jemand hat Runde 2 gerade schon gespeichert." in shown
    assert "Deiner wird Runde 4" in shown


def test_an_entry_is_compared_with_a_round_that_does_not_count(anna, game):
    slow = anna.filled(f"{game}/round", winner="2", do="save", **LOSERS)
    anna.send(f"{game}/round", outcome="cancelled", do="save")
    shown = words(anna.post(f"{game}/round", slow).text)

    assert "0 von 4 Zahlen sind dieselben." in shown


@pytest.mark.parametrize("version", ["0", "1", "99"])
def test_a_form_of_another_state_is_refused_and_loses_nothing(anna, game, version):
    """Also of a state that never was, or that lacks no round."""
    anna.send(f"{game}/details", page=f"{game}/more", title="Freitag", place="")
    late = {"winner": "0", "do": "save", "hand-1": "7", "hand-2": "8", "hand-3": "9"}
    form = anna.filled(f"{game}/round", **late, version=version)
    answer = anna.post(f"{game}/round", form)

    assert answer.status_code == 409
    assert "Jemand war schneller:" in answer.text
    assert 'value="8"' in answer.text


def test_a_void_round_needs_no_hands(anna):
    game = anna.begin(preset="gin-palast", name=["Anna", "Bernd"])

    answer = anna.send(f"{game}/round", outcome="void", do="save")

    assert answer.status_code == 303
    assert "Ohne Wertung" in anna.get(game).text


def test_a_player_who_was_away_stays_away(anna, game):
    anna.enter(game, 2, hand__0="33", hand__1="12", absent__3="yes")
    form = anna.form(f"{game}/round")

    assert form.get("absent-3") == "yes"
    assert form.get("absent-1") is None


def test_cards_that_were_checked_are_named_beside_points(anna, game):
    melds = "P2 P3 P4\nH5 P5 Ka5\nKr7 Kr8 Kr9\nHB PB KaB"
    fields = {**LOSERS, "melds-2": melds, "discard-2": "HK"}
    page = words(anna.send(f"{game}/round", winner="2", do="check", **fields).text)

    assert "Karten von Claire geprüft, sonst nach Angabe." in page
    assert "ungeprüft" not in page

    anna.send(f"{game}/round", winner="2", do="save", **fields)

    assert "Karten von Claire geprüft" in words(anna.get(f"{game}/round/1").text)


def ways(reader, game: str) -> list[str]:
    form = reader.form(f"{game}/round")
    return [form[f"way-{seat}"] for seat in range(4)]


def test_a_table_keeps_the_way_of_entry_that_most_of_the_last_round_was_in(anna, game):
    anna.enter(game, 2, **{**LOSERS, "way__1": "ranks", "hand__1": "K 9"})

    assert ways(anna, game) == ["points"] * 4

    by_rank = {"way__0": "ranks", "hand__0": "K", "way__1": "ranks", "hand__1": "K 9"}
    anna.enter(game, 2, **{**LOSERS, **by_rank})

    assert ways(anna, game) == ["ranks"] * 4

    anna.send(f"{game}/round", outcome="cancelled", do="save")

    assert ways(anna, game) == ["ranks"] * 4

    anna.send(f"{game}/round/2/strike", page=game)

    assert ways(anna, game) == ["points"] * 4


def test_a_correction_starts_from_the_old_entry_which_stays_readable(anna, game):
    anna.enter(game, 2, **LOSERS, note="knapp")
    form = anna.form(f"{game}/round/1/correct")

    assert (form["winner"], form["hand-0"], form["note"]) == ("2", "33", "knapp")

    answer = anna.send(f"{game}/round/1/correct", hand__0="43", do="save")

    assert answer.location == f"{game}?own=3&but=1#next"
    assert last_act(anna.get(game)) == "Runde 1 geändert Zurücknehmen"
    assert (
        "Anna\u00a033, Bernd\u00a012, Claire\u00a00, Dieter\u00a060"
        in anna.get(f"{game}/round/1").text
    )
    assert "statt 33" in anna.get(game).text


def last_act(board) -> str:
    """Return what the only banner about an act says, without the time, and its button."""
    (act,) = re.findall(r'<div id="act".*?</form>', board.text, re.DOTALL)
    buttons = ("Zurücknehmen</button>", "Wiederherstellen</button>")

    assert sum(map(board.text.count, buttons)) == 1
    return re.sub(r" \d\d:\d\d", "", words(act)).strip()


def press_undo(reader, game: str):
    """Press the button of the banner; return the board that follows."""
    board = reader.get(game).text
    action = re.search(r'<div id="act".*?action="([^"]+)"', board, re.DOTALL)[1]
    answer = reader.post(action, Form(board.split('id="act"')[1].split("</form>")[0]).fields)

    assert answer.status_code == 303
    return reader.get(answer.location.split("#")[0])


def test_the_last_act_is_named_with_its_own_undo(anna, game):
    """Whatever was done last, the one button undoes that and nothing else."""
    for points in ("33", "44", "55"):
        anna.enter(game, 2, **{**LOSERS, "hand__0": points})

    assert last_act(anna.get(game)) == "Runde 3 eingetragen Zurücknehmen"

    anna.send(f"{game}/round/2/strike", page=f"{game}/round/2")

    assert last_act(anna.get(game)) == "Runde 2 zurückgenommen Wiederherstellen"
    assert last_act(press_undo(anna, game)) == "Runde 2 wiederhergestellt Zurücknehmen"
    assert last_act(press_undo(anna, game)) == "Runde 2 zurückgenommen Wiederherstellen"

    press_undo(anna, game)
    anna.send(f"{game}/round/1/correct", hand__0="11", do="save")

    assert last_act(anna.get(game)) == "Runde 1 geändert Zurücknehmen"
    assert totals(anna, game)[0] == "110"

    press_undo(anna, game)

    assert totals(anna, game)[0] == "132"  # 33 + 44 + 55
    assert anna.form(f"{game}/round/1/correct")["hand-0"] == "33"

    press_undo(anna, game)

    assert totals(anna, game)[0] == "110"  # the correction again


def test_taking_a_correction_back_keeps_the_note_and_later_players(anna, game):
    anna.enter(game, 2, **LOSERS, note="knapp")
    anna.send(f"{game}/round/1/correct", hand__0="43", do="save")

    assert anna.send(f"{game}/players", page=f"{game}/more", name="Emil").status_code == 303

    press_undo(anna, game)
    form = anna.form(f"{game}/round/1/correct")

    assert (form["hand-0"], form["note"], form["absent-4"]) == ("33", "knapp", "yes")
    assert totals(anna, game) == ["33", "12", "0", "60", "0"]


def test_a_reader_is_offered_no_undo(anna, bernd, game):
    anna.enter(game, 2, **LOSERS)
    bernd.send("/enter", code=anna.code(game, "watch"))

    assert "Zurücknehmen" not in bernd.get(game).text


def totals(reader, game: str) -> list[str]:
    """Return the totals on the board, by player."""
    return re.findall(r'class="total">([^<]+)<', reader.get(game).text)


def test_the_page_of_a_round_explains_every_number(anna, game):
    anna.enter(game, 2, hand_romme="yes", **{**LOSERS, "way__0": "cards", "hand__0": "HK Kr9 PA J"})
    text = anna.get(f"{game}/round/1").text
    page = words(text)

    assert "10 + 9 + 11 + 20" in page
    assert "Handrommé: Punkte × 2" in page
    assert "Quelle: Rommé Palast; Rasche, §\u00a06." in text  # the number stays with its sign


@pytest.mark.parametrize("number", [0, 1, 99])
def test_an_unknown_round_is_404(anna, game, number):
    for path in ("", "/correct"):
        assert anna.get(f"{game}/round/{number}{path}").status_code == 404
    assert anna.send(f"{game}/round/{number}/strike", page=f"{game}/round").status_code == 404


def test_a_form_without_its_key_or_its_token_changes_nothing(anna, game):
    for lost in ("key", "version", "csrf_token"):
        form = anna.filled(f"{game}/round", winner="2", do="save", **LOSERS)
        del form[lost]

        assert anna.post(f"{game}/round", form).status_code == 400
    assert "Runde 1 eintragen" in anna.get(game).text


# ---- cards laid on the melds of the table, without script ------------------------------

TABLE = {"way-1": "cards", "hand-1": "PA", "melds-1": "H7 H8 JK\nKr4 Ka4 P4"}
LAYING = {"way-0": "cards", "hand-0": "HK", "way-3": "points", "hand-3": "60", **TABLE}


def choices(page, name):
    """Return the options of a list on the page by value."""
    chosen = page.text.split(f'name="{name}"')[1].split("</select>")[0]
    return dict(re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)<', chosen))


def test_a_lay_off_can_be_chosen_from_a_list(anna, game):
    page = anna.send(f"{game}/round", winner="2", do="check", **LAYING)

    assert choices(page, "layoffs_to-0") == {
        "": "An welche Meldung?",
        "2.1": "Bernd: H7 H8 JK=H9",
        "2.2": "Bernd: Kr4 Ka4 P4",
    }
    assert choices(page, "swaps_to-0") == {"": "An welche Meldung?", "2.1": "Bernd: H7 H8 JK=H9"}

    picked = {"layoffs_card-0": "H10", "layoffs_to-0": "2.1"}
    page = anna.send(f"{game}/round", winner="2", do="check", **LAYING, **picked)
    form = anna.form_in(page)

    assert form["layoffs-0"] == "H10 2.1"
    assert choices(page, "layoffs_to-0")["2.1"] == "Bernd: H7 H8 JK=H9 H10"

    more = {"layoffs_card-0": "H6", "layoffs_to-0": "2.1", "do": "save"}
    answer = anna.post(f"{game}/round", {**form, **more})

    assert answer.status_code == 303
    assert anna.form(f"{game}/round/1/correct")["layoffs-0"] == "H10 2.1\nH6 2.1"


def test_a_card_laid_off_without_a_meld_is_reported(anna, game):
    picked = {"swaps_card-0": "H9", "swaps_to-0": ""}
    page = anna.send(f"{game}/round", winner="2", do="save", **LAYING, **picked)

    assert page.status_code == 422
    assert anna.form_in(page)["swaps-0"] == "H9"
    assert 'id="fault-swaps-0" data-part><p class="fault"' in page.text


def test_an_unknown_knocker_is_refused(anna):
    game = anna.begin(preset="gin-palast", name=["Anna", "Bernd"])
    page = anna.send(f"{game}/round", knocker="5", do="check", **{"hand-0": "5", "hand-1": "9"})

    assert page.status_code == 200
    assert "Geht nicht:" in page.text


def test_a_right_can_be_checked_without_loading_the_page(anna, bernd, game):
    anna.enter(game, 2, **LOSERS)
    for path in (f"{game}/round", f"{game}/round/1/correct"):
        answers = [one.client.head(path).status_code for one in (anna, bernd)]

        assert answers == [200, 404]


def test_an_incomplete_hand_is_no_error_while_typing_and_not_saved(anna):
    game = anna.begin(preset="gin-palast", name=["Anna", "Bernd"])
    fields = {"hand-0": "5", "way-1": "cards", "hand-1": "H9 H8"}
    page = anna.send(f"{game}/round", knocker="0", do="save", **fields)
    foot = words(page.text.split('id="foot"')[1])

    assert page.status_code == 422
    assert pad_line(page.text)[1] == "fehlt"
    assert "Es fehlt: Bernd." in foot
    assert "Geht nicht" not in foot
    assert "Bernd hat 2 Karten, also zu wenig" in words(page.text)

    page = anna.send(f"{game}/round", knocker="0", do="check", **{**fields, "hand-1": "H9 H9"})

    assert pad_line(page.text)[1] == "prüfen"


def test_every_warning_is_shown_beside_the_button_that_saves(anna):  # RULES 6.6
    game = anna.begin(preset="gin-palast", name=["Anna", "Bernd"])
    hands = {"hand__0": "♣4 ♣5 ♣6 ♥9 ♠9 ♦9 ♦B ♦D ♦K ♥6", "hand__1": "♠2 ♠3 ♠4 ♥D ♣D ♠D ♥K ♦8 ♦5"}
    cards = {"way__0": "cards", "way__1": "cards", "announced__0": "5", "discard__0": "♠8"}
    html = anna.send(f"{game}/round", knocker="0", do="check", **hands, **cards).text
    beside = words(html.split('class="warned"')[1].split("</p>")[0])

    assert "Bernd hat 9 Karten statt 10." in beside
    assert "Anna hat 5 Punkte angesagt" in beside
