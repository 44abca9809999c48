"""The pages of a tournament: planned, drawn, played by phones and by hand, shown to everybody."""

import re
from html import unescape

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from club_nights import NAMES
from pdf.paper import Print, text_of
from scorekeeper.services.clock import set_clock
from web.pages.conftest import Browser, words


@pytest.fixture
def night(anna: Browser) -> str:
    """A club night of thirteen, by its path."""
    night = anna.found("Café Zentral", ()) + "/tournament"
    assert anna.get(night).location == f"{night}/plan"
    planned = anna.send(f"{night}/plan", hands="1", minutes="45", fee="5", kept="5")
    assert (planned.status_code, planned.location) == (303, f"{night}/entrants")
    entered = anna.send(f"{night}/entrants", names="\n".join(NAMES), do="enter")
    assert entered.status_code == 303, entered.text
    return night


def press(reader: Browser, night: str, do: str, **fields: str):
    """Press a button of the director: the form with that action as the page shows it."""
    html = reader.get(night).text
    forms = re.findall(r"<form.*?</form>", html, re.S)
    hidden = next(
        dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        for form in forms
        if f'value="{do}"' in form and all(f'name="{field}"' in form for field in fields)
    )
    return reader.post(night, hidden)


def tables(reader: Browser, night: str, number: int) -> list[str]:
    """Return the paths of the pages of all tables of a round."""
    found = re.findall(rf'href="({night}/{number}/\d+)"', reader.get(night).text)
    return list(dict.fromkeys(found))


def enter_totals(reader: Browser, table: str, *first: str) -> None:
    form = reader.form(table)
    seats = [name for name in form if name.startswith("points-")]
    totals = [*first, *(str(10 * seat) for seat in range(len(first), len(seats)))]
    for name, points in zip(seats, totals, strict=True):
        form[name] = points
    answer = reader.post(table, {**form, "do": "state"})
    assert answer.status_code == 303, answer.text


def nobody_leads(anna: Browser, night: str) -> None:
    """Before the first result all are equal, and no lot has decided yet."""
    page = anna.get(f"{night}/standings").text

    assert 'class="leads"' not in page
    assert "das Los entschieden" not in page


def test_three_rounds_are_drawn_played_and_closed(anna: Browser, night: str) -> None:
    assert press(anna, night, "draw").status_code == 303
    nobody_leads(anna, night)
    for table in tables(anna, night, 1):
        enter_totals(anna, table)
    assert "Alle Tische sind da." in words(anna.get(night).text)

    anna.send(f"{night}/entrants", names="Nadia Rossi, SC Trier", do="enter")
    assert press(anna, night, "draw").status_code == 303
    assert 'class="leads"' in anna.get(f"{night}/standings").text
    page = words(anna.get(night).text)
    assert "Runde 2 von 3, 14 Teilnehmer an 4 Tischen" in page
    assert "Nach Runde 1" in page
    anna.send(f"{night}/entrants", do="leave:5")
    for table in tables(anna, night, 2):
        enter_totals(anna, table, "92", "89")
    press(anna, night, "draw")
    for table in tables(anna, night, 3):
        enter_totals(anna, table)
    assert press(anna, night, "close").status_code == 303

    page = words(anna.get(night).text)
    assert "Das Turnier ist zu Ende" in page
    assert "Endstand" in page
    result = words(anna.get(f"{night}/standings").text)
    assert "70,00 € Startgeld, davon behält der Verein 5,00 €." in result
    assert "Bei gleichen Punkten gilt der Reihe nach: die wenigeren Minuspunkte" in result
    assert "Die Auslosung stimmt" in words(anna.get(f"{night}/draws/2").text)


def test_a_knockout_is_closed_with_its_final_and_won_by_whoever_is_left(anna: Browser) -> None:
    night = anna.found("Café Zentral", ()) + "/tournament"
    planned = {"format": "knockout", "rounds": "9", "size": "2", "places": "1 0", "hands": "1"}
    assert anna.send(f"{night}/plan", **planned).status_code == 303
    anna.send(f"{night}/entrants", names="\n".join(NAMES[:4]), do="enter")
    press(anna, night, "draw")
    for table in tables(anna, night, 1):
        enter_totals(anna, table)
    press(anna, night, "close")
    finalist = next(number for number in range(1, 5) if _survives(anna, night, number))
    anna.send(f"{night}/entrants", do=f"leave:{finalist}")
    assert "Das Turnier ist zu Ende" in words(anna.get(night).text)
    assert f"return:{finalist}" in anna.get(f"{night}/entrants").text

    anna.send(f"{night}/entrants", do=f"return:{finalist}")
    press(anna, night, "draw")
    (final,) = tables(anna, night, 2)
    enter_totals(anna, final)
    assert "Runde 3 auslosen" not in words(anna.get(night).text)
    assert press(anna, night, "close").status_code == 303
    assert "Das Turnier ist zu Ende" in words(anna.get(night).text)


def _survives(anna: Browser, night: str, entrant: int) -> bool:
    """Return whether an entrant has won a table."""
    return "1. Platz" in words(anna.get(f"{night}/entrants/{entrant}").text)


def test_a_table_writes_by_its_own_link_until_the_round_is_closed(
    app: Flask, anna: Browser, night: str
) -> None:
    press(anna, night, "draw")
    first, *others = tables(anna, night, 1)
    game = re.search(r'href="(/g/\w+)"', anna.get(first).text)
    assert game
    phone = Browser(app)
    phone.send("/enter", code=anna.code(game[1], "pen"))
    phone.enter(game[1], 0, hand__1="5", hand__2="7", hand__3="9")
    assert "gemeldet" in words(anna.get(night).text)
    assert phone.get(night).status_code == 404

    for table in others:
        enter_totals(anna, table)
    press(anna, night, "draw")
    assert phone.get(game[1]).status_code == 200
    assert phone.get(f"{game[1]}/round").status_code == 403
    assert anna.get(f"{game[1]}/round/1/correct").status_code == 200


def test_a_round_goes_on_without_a_late_table(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    first, *others = tables(anna, night, 1)
    for table in others:
        enter_totals(anna, table)
    page = anna.get(night).text
    assert "Runde 2 auslosen" in page
    assert "disabled" in page
    assert press(anna, night, "draw", late="yes").status_code == 303

    enter_totals(anna, first)
    assert anna.get(f"{night}/standings?after=1").text.count("<td>– ") == 0


def test_a_list_with_a_gap_is_kept_and_says_who_is_missing(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    first = tables(anna, night, 1)[0]
    enter_totals(anna, first, "92", "", "86")

    page = words(anna.get(night).text)
    assert "3 von 4 da" in page
    assert re.search(r"Tisch 1 ?Es fehlt: [A-Z]\w+", page)
    assert "Fehlende Zahl eintragen" in page
    assert "3 von 4 da" in words(anna.get(f"{night}/tv").text)
    assert list(anna.form(first).values()).count("92") == 1
    enter_totals(anna, first, "92", "89", "86")
    assert "gemeldet" in words(anna.get(night).text)


def test_a_corrected_number_keeps_the_rounds_won_from_the_hand(anna: Browser) -> None:
    night = anna.found("Café Zentral", ()) + "/tournament"
    anna.send(f"{night}/plan", hands="1", places="", hand_win="8")
    anna.send(f"{night}/entrants", names="\n".join(NAMES[:3]), do="enter")
    press(anna, night, "draw")
    assert "3 Teilnehmer an einem Tisch" in words(anna.get(night).text)
    (table,) = tables(anna, night, 1)
    game = re.search(r'href="(/g/\w+)"', anna.get(table).text)
    assert game
    anna.enter(game[1], 0, hand__1="5", hand__2="7", hand_romme="yes")
    enter_totals(anna, table, "0", "11", "14")

    assert re.search(r"<td><b>8</b></td>", anna.get(f"{night}/standings").text)
    wrong = anna.send(table, hand_wins__0="3", do="state")
    assert "Mit Handrommé können nicht mehr Spiele gewonnen sein" in words(wrong.text)


def test_with_no_table_in_the_draw_can_be_taken_back_but_not_passed_over(
    anna: Browser, night: str
) -> None:
    press(anna, night, "draw")
    page = words(anna.get(night).text)
    assert "Auslosung zurücknehmen" in page
    assert "Ohne" not in page

    enter_totals(anna, tables(anna, night, 1)[0])
    page = words(anna.get(night).text)
    assert "Ohne die 3 fehlenden Tische weiter" in page
    assert "Auslosung zurücknehmen" not in page


def test_the_end_before_the_last_round_is_not_one_press_away(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    for table in tables(anna, night, 1):
        enter_totals(anna, table)
    press(anna, night, "close")
    (fold,) = re.findall(r"<details.*?</details>", anna.get(night).text.split('"foot', 1)[1], re.S)
    assert 'value="end"' in fold
    assert "Das lässt sich nicht zurücknehmen." in fold

    press(anna, night, "end")
    page = words(anna.get(night).text)
    assert "Das Turnier ist zu Ende" in page
    assert "Tischkarten" not in page


def test_prizes_are_named_once_something_was_played(anna: Browser, night: str) -> None:
    assert "32,50" not in anna.get(f"{night}/standings").text
    press(anna, night, "draw")
    for table in tables(anna, night, 1):
        enter_totals(anna, table)

    page = words(anna.get(f"{night}/standings").text)
    assert re.search("Preise nach diesem Stand .* 30,00 €", page)


def test_who_stayed_away_has_a_page_without_a_place(anna: Browser, night: str) -> None:
    anna.send(f"{night}/entrants", do="leave:5")
    assert words(anna.get(f"{night}/entrants/5").text).count("Emil") == 2


def test_the_group_leads_to_its_tournament_and_lists_no_table_that_is_in(
    anna: Browser, night: str
) -> None:
    press(anna, night, "draw")
    for table in tables(anna, night, 1)[1:]:
        enter_totals(anna, table)
    page = anna.get(night.removesuffix("/tournament")).text

    assert re.search(rf'class="btn main big" href="{night}"', page)
    assert "Neuer Abend" not in words(page)
    assert re.findall(r"Café Zentral 1/\d", words(page.split("Geld</h2>")[0])) == [
        "Café Zentral 1/1"
    ]
    assert "Neuer Abend wie letztes Mal" not in words(anna.get("/").text)


def test_a_draw_can_be_taken_back(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    assert press(anna, night, "undraw").status_code == 303

    assert "Noch keine Runde ausgelost" in words(anna.get(night).text)


def test_watchers_see_everything_and_press_nothing(
    anna: Browser, bernd: Browser, night: str
) -> None:
    press(anna, night, "draw")
    enter_totals(anna, tables(anna, night, 1)[0])
    group = night.removesuffix("/tournament")
    bernd.send("/enter", code=anna.code(group))

    for path in ("", "/tv", "/standings", "/entrants", "/entrants/1", "/draws/1"):
        page = bernd.get(night + path)
        assert page.status_code == 200
        assert "<form" not in page.text.split("<main")[1] or path == "/share"
    assert bernd.get(f"{night}/1/1").status_code == 403
    assert bernd.get(f"{night}/plan").status_code == 403
    assert bernd.post(night, {"do": "draw"}).status_code in (400, 403)


def test_every_point_of_an_entrant_is_explained(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    for table in tables(anna, night, 1):
        enter_totals(anna, table)
    page = words(anna.get(f"{night}/entrants/1").text)

    assert re.search(r"\d\. Platz am Tisch \d", page)
    assert re.search(r"Minuspunkte: \d+", page)


def test_what_is_wrong_is_said_beside_what_was_typed(anna: Browser, night: str) -> None:
    typed = "Olga\nAnna"
    answer = anna.send(f"{night}/entrants", names=typed, do="enter")
    assert answer.status_code == 422
    assert "Anna: Anna ist schon gemeldet." in words(answer.text)
    assert typed in answer.text

    press(anna, night, "draw")
    table = tables(anna, night, 1)[0]
    wrong = anna.send(table, points__0="viel", points__1="1", points__2="2", points__3="3")
    assert wrong.status_code == 422
    assert 'value="viel"' in wrong.text
    assert anna.get(f"{night}/9/1").status_code == 404
    assert anna.get(f"{night}/1/9").status_code == 404
    assert anna.get(f"{night}/draws/9").status_code == 404
    assert anna.get(f"{night}/entrants/99").status_code == 404


def test_a_name_that_looks_like_a_page_is_shown_as_it_is(anna: Browser, night: str) -> None:
    anna.send(f"{night}/entrants", names="<b>Otto, <i>SC", do="enter")
    press(anna, night, "draw")
    for path in ("", "/tv", "/standings", "/entrants", "/draws/1", "/entrants/14"):
        page = anna.get(night + path).text
        assert "&lt;b&gt;Otto" in page
        assert "<b>Otto" not in page


def test_an_outdated_page_draws_nothing(anna: Browser, night: str) -> None:
    forms = re.findall(r"<form.*?</form>", anna.get(night).text, re.S)
    (hidden,) = (
        dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        for form in forms
        if 'value="draw"' in form
    )
    anna.send(f"{night}/entrants", names="Olga", do="enter")
    answer = anna.post(night, hidden)

    assert answer.status_code == 409
    assert "Inzwischen hat sich etwas geändert." in words(answer.text)
    assert "Noch keine Runde ausgelost" in words(answer.text)


def test_the_plan_can_be_changed_until_the_first_draw(anna: Browser, night: str) -> None:
    before = anna.form(f"{night}/plan")
    assert (before["hands"], before["fee"], before["minutes"]) == ("1", "5", "45")
    assert anna.send(f"{night}/plan", rounds="5", split_clubs="yes").status_code == 303
    assert anna.form(f"{night}/plan")["rounds"] == "5"
    fixed = "Der Plan steht fest, seit die erste Runde ausgelost ist."
    assert fixed not in words(anna.get(f"{night}/plan").text)

    press(anna, night, "draw")
    assert fixed in words(anna.get(f"{night}/plan").text)
    assert anna.send(f"{night}/plan", rounds="6").status_code == 422


def test_a_page_that_was_seen_is_not_sent_again(anna: Browser, night: str) -> None:
    tag = anna.get(f"{night}/tv").headers["ETag"]

    assert anna.get(f"{night}/tv", **{"If-None-Match": tag}).status_code == 304
    press(anna, night, "draw")
    assert anna.get(f"{night}/tv", **{"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("page", ["", "/tv"])
def test_a_reload_shows_the_clock_of_the_round(anna: Browser, night: str, page: str) -> None:
    """Also if the page has been answered 304 before."""

    def reload(tag: str = "") -> TestResponse:
        return anna.get(night + page, **({"If-None-Match": tag} if tag else {}))

    with set_clock("2026-03-05T20:00:00Z"):
        press(anna, night, "draw")
    with set_clock("2026-03-05T20:00:10Z"):
        tag = reload().headers["ETag"]
        assert reload(tag).status_code == 304
    with set_clock("2026-03-05T20:00:50Z"):
        assert reload(tag).status_code == 304
    with set_clock("2026-03-05T20:16:00Z"):
        assert reload(tag).status_code == 200


@pytest.mark.parametrize("language", ["de", "en", "fr", "lb"])
def test_all_pages_have_words_in_every_language(app: Flask, anna: Browser, language: str) -> None:
    reader = Browser(app, language)
    night = reader.found("Café Zentral", ()) + "/tournament"
    reader.send(f"{night}/plan", minutes="30", fee="5")
    reader.send(f"{night}/entrants", names="\n".join(NAMES[:7]), do="enter")
    press(reader, night, "draw")
    for path in ("", "/tv", "/standings", "/entrants", "/entrants/1", "/draws/1", "/1/1", "/plan"):
        page = reader.get(night + path)
        assert page.status_code == 200
        assert not re.search(r"tournament\.[a-z_]+", words(page.text))


def test_every_earlier_entry_of_a_table_stays_readable(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    press(anna, night, "undraw")
    press(anna, night, "draw")
    table = tables(anna, night, 1)[0]
    enter_totals(anna, table, "92", "89", "86", "161")
    assert "Was schon eingetragen war" not in anna.get(table).text
    enter_totals(anna, table, "29", "89", "86", "161")
    anna.send(table, do="unstate")
    page = words(anna.get(table).text)

    assert re.search(r"92 · 89 · 86 · 161 \d\d:\d\d, getippt", page)
    assert re.search(r"29 · 89 · 86 · 161 \d\d:\d\d, getippt", page)
    assert "zurückgenommen" in page


def test_table_cards_have_a_code_only_for_the_director_and_where_phones_reach_the_server(
    anna: Browser, bernd: Browser, night: str
) -> None:
    press(anna, night, "draw")
    bernd.send("/enter", code=anna.code(night.removesuffix("/tournament")))
    cards = f"{night}/cards.pdf"

    def says(reader: Browser, **headers: str) -> bool:
        pdf = reader.get(cards, **headers)
        assert pdf.mimetype == "application/pdf"
        return "Mit der Kamera scannen" in Print(pdf.data).text

    home = {"Host": "192.168.178.2:8000"}
    assert not says(anna)  # on this machine only: no phone could open the link
    anna.client.set_cookie(
        "browser", anna.client.get_cookie("browser").value, domain="192.168.178.2"
    )
    bernd.client.set_cookie(
        "browser", bernd.client.get_cookie("browser").value, domain="192.168.178.2"
    )
    assert says(anna, **home)
    assert not says(bernd, **home)


def test_a_button_pressed_twice_draws_and_closes_once(anna: Browser, night: str) -> None:
    def twice(do: str) -> None:
        """Press a button, press it again, and press it on the page the back button shows."""
        html = anna.get(night).text
        form = next(
            one for one in re.findall(r"<form.*?</form>", html, re.S) if f'value="{do}"' in one
        )
        hidden = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        assert anna.post(night, hidden).status_code == 303
        assert anna.post(night, hidden).status_code == 303
        went_back = anna.post(night, {**hidden, "key": "another-press-of-the-same-page"})
        assert went_back.status_code == 409

    def drawn() -> tuple[int, int]:
        ledger = anna.client.application.extensions["ledger"]
        rounds = ledger.group(night.split("/")[2]).tournament.rounds
        return len(rounds), sum(one.closed for one in rounds)

    twice("draw")
    assert drawn() == (1, 0)
    for table in tables(anna, night, 1):
        enter_totals(anna, table)
    twice("close")
    assert drawn() == (1, 1)
    twice("draw")
    assert drawn() == (2, 1)


def test_totals_sent_twice_are_one_entry(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    table = tables(anna, night, 1)[0]
    form = anna.form(table)
    seats = [name for name in form if name.startswith("points-")]
    sent = {**form, **{name: str(10 * at) for at, name in enumerate(seats)}, "do": "state"}
    ledger = anna.client.application.extensions["ledger"]
    before = ledger.group(night.split("/")[2]).version

    assert anna.post(table, sent).status_code == 303
    after = ledger.group(night.split("/")[2]).version
    assert after > before
    assert anna.post(table, sent).status_code == 303
    assert ledger.group(night.split("/")[2]).version == after


def test_where_only_this_device_reaches_the_page_it_says_why_the_cards_have_no_code(
    anna: Browser, night: str
) -> None:
    press(anna, night, "draw")
    assert "Darum haben die Tischkarten keinen Code" in anna.get(night).text

    known = anna.client.get_cookie("browser")
    assert known
    anna.client.set_cookie("browser", known.value, domain="192.168.1.20")
    elsewhere = anna.get(night, Host="192.168.1.20")
    assert elsewhere.status_code == 200
    assert "keinen Code" not in elsewhere.text


def test_blank_lists_of_a_table_have_no_line_for_a_stake(anna: Browser, night: str) -> None:
    press(anna, night, "draw")
    page = anna.get(tables(anna, night, 1)[0]).text
    link = unescape(re.findall(r'href="(/pads/pad\.pdf[^"]*)"', page)[0])

    assert "Einsatz" not in text_of(anna.get(link))
    assert "Einsatz" in text_of(anna.get(link.replace("stake=no", "stake=yes")))


def test_the_standings_lead_back_to_the_tournament_of_their_group(
    anna: Browser, night: str
) -> None:
    page = anna.get(f"{night}/standings").text

    assert "Café Zentral" in words(page)
    assert f'class="back" href="{night}"' in page
