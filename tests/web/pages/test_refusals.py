"""Refused forms: the first message takes the focus, a line above the button leads to it."""

import re
from html import unescape

import pytest

from scorekeeper.i18n import LANGUAGES, language
from web.pages.conftest import Form, for_money, words

NBSP = "\u00a0"


def start(reader, preset: str = "german-family", **fields):
    """Submit the form of a new game."""
    form = Form(reader.send("/new", preset=preset, do="rules").text).fields
    for name, value in {"do": "start", **for_money(fields)}.items():
        form.setlist(name, value if isinstance(value, list) else [value])
    return reader.post("/new", form)


def messages(html: str) -> list[str]:
    found = re.findall(r'<p class="fault"[^>]*>(.*?)(?:<button|</p>)', html, re.DOTALL)
    return [words(one).removeprefix(" Geht nicht: ").strip() for one in found]


def test_the_line_above_the_button_counts_the_messages_and_leads_to_the_first(anna):
    page = start(anna, "gin-palast", name=["A", "B", "C"], point_value="0,,5").text
    hop = page.split('class="hop"')[1].split("</a>")[0]

    assert 'href="#message-1"' in hop
    assert "2 Stellen stimmen nicht" in words(hop)
    assert page.index('id="message-1"') < page.index('id="message-2"') < page.index('class="hop"')
    assert page.index('class="hop"') < page.rindex('value="start"')


def test_every_message_may_take_the_focus_so_the_first_one_does_without_scripts(anna):
    page = start(anna, name=["A"], point_value="x").text

    assert re.findall(r'id="message-\d"([^>]*)>', page) == [' tabindex="-1" autofocus'] * 2


def test_a_form_that_is_not_refused_has_no_such_line(anna):
    page = anna.get("/new").text

    assert 'class="hop"' not in page
    assert re.findall(r"<(\w+)[^>]* autofocus", page) == ["input"]  # the first name
    assert "refused.js" not in page


@pytest.mark.parametrize(
    ("preset", "names", "said"),
    [
        ("german-family", [], "Wer spielt mit? Schreib mindestens zwei Namen auf."),
        ("german-family", ["A"], "Allein geht es nicht. Wer spielt noch mit?"),
        ("gin-palast", ["A", "B", "C"], "spielt man zu zweit, ihr seid zu dritt."),
        ("gin-palast", ["A", "B", "C", "D"], "spielt man zu zweit, ihr seid zu viert."),
        ("gin-palast", ["A", "B", "C", "D", "E", "F"], "zu zweit, ihr seid zu sechst."),
    ],
)
def test_a_wrong_number_of_players_is_worded_as_players_say_it(anna, preset, names, said):
    answer = start(anna, preset, name=names or [""])

    assert answer.status_code == 422
    (message,) = messages(answer.text)
    assert message.endswith(said)


def test_gin_with_four_offers_two_against_two_in_one_press(anna):
    names = ["Anna", "Bernd", "Claire", "Dieter"]
    refused = start(anna, "gin-palast", name=names)

    assert "Anna und Claire gegen Bernd und Dieter" in words(refused.text)

    form = anna.form_in(refused)
    form["do"] = "teams:yes"
    mended = anna.post("/new", form)

    assert messages(mended.text) == []
    assert mended.text.count('name="name"') == 4

    form = anna.form_in(mended)
    form["do"] = "start"
    begun = anna.post("/new", form)

    assert begun.status_code == 303
    assert anna.get(begun.location).text.count('class="name"') == 2


def test_other_messages_stay_when_one_field_is_corrected(anna):
    form = anna.form_in(start(anna, name=["A"], point_value="0,,5"))
    form.setlist("name", ["A", "B"])
    form["do"] = "check"
    page = anna.post("/new", form).text

    assert messages(page) == [
        "„0,,5“ ist kein Betrag. Schreib zum Beispiel 5 ct oder 0,05 €, oder lass das Feld leer."
    ]
    assert "Eine Stelle stimmt nicht" in words(page)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0,05 €", f"0,05{NBSP}€"),
        ("0,05€", f"0,05{NBSP}€"),
        ("€ 0.05", f"0,05{NBSP}€"),
        ("5 ct", f"5{NBSP}ct"),
        ("5ct", f"5{NBSP}ct"),
        ("5 Cent", f"5{NBSP}ct"),
        ("1/10 Pf", f"1/10{NBSP}Pf"),
        ("2 Bohnen", f"2{NBSP}Bohnen"),
    ],
)
def test_a_stake_is_understood_with_its_unit(anna, typed, said):
    game = anna.begin(point_value=typed, unit="ct" if "Pf" in typed else "Pf")

    assert f"{said} je Punkt" in anna.get(f"{game}/settlement").text


@pytest.mark.parametrize("typed", ["0,,5", "abc", "-1", "1/0", "€5€", "5 €uro 3", "9" * 40])
def test_an_invalid_stake_is_refused_as_typed(anna, typed):
    answer = start(anna, name=["A", "B"], point_value=typed)

    assert answer.status_code == 422
    assert messages(answer.text)[0].startswith(f"„{typed}“ ist kein Betrag.")
    assert f'name="point_value" value="{typed}"' in answer.text


def test_enter_without_scripts_begins_nothing_but_goes_to_the_next_name(anna):
    typed = anna.send("/new", name=["Anna", "", ""], do="enter").text
    full = anna.send("/new", name=["Anna", "Bernd"], do="enter").text

    assert re.findall(r'name="do" value="(\w+)"', typed)[0] == "enter"
    assert re.findall(r'<input [^>]*aria-label="(Spieler \d)" autofocus', typed) == ["Spieler 2"]
    assert 'value="start" autofocus' in full
    assert anna.get("/evenings").text.count('class="entry"') == 0


def test_names_of_a_group_are_entered_one_after_the_other(anna):
    typed = anna.send("/groups/new", name="Runde", member=["Anna", ""], do="enter").text

    assert re.findall(r'name="do" value="(\w+)"', typed)[0] == "enter"
    assert typed.count("autofocus") == 1


def test_empty_rows_stay_where_they_are_after_a_refusal(anna):
    assert start(anna, name=["Anna", "", "", ""]).text.count('name="name"') == 4


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("/more", {"post": "/players", "name": ""}),
        ("/settlement", {"post": "/settlement/account", "iban": "LU1", "do": "keep", "side": "2"}),
    ],
)
def test_a_refusal_takes_the_focus_on_other_pages_too(anna, played, page, fields):
    fields = dict(fields)
    target = fields.pop("post")
    if "side" in fields:  # its account is there already
        anna.send(f"{played}/settlement/account", page=f"{played}/settlement", side="2", do="erase")
        fields |= {"holder": "Claire"}
    refused = anna.send(played + target, page=played + page, **fields)

    assert refused.status_code == 422
    assert 'id="message-1" tabindex="-1" autofocus' in refused.text
    assert 'href="#message-1"' in refused.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("preset", "players", "fields", "facts"),
    [
        (
            "gin-palast",
            2,
            {"knocker": "0", "hand-0": "35", "hand-1": "40"},
            {"outcome": "knock", "knocker": 0, "seats": [{"deadwood": 35}, {"deadwood": 40}]},
        ),
        (
            "knock-rummy",
            2,
            {"knocker": "0", "hand-0": "4", "hand-1": "KS KS 2H", "way-1": "cards"},
            {"outcome": "knock", "knocker": 0, "seats": [{"count": 4}, {"hand": "KS KS 2H"}]},
        ),
        (
            "german-family",
            3,
            {"winner": "0", "hand-1": "Joker " * 7, "way-1": "cards", "hand-2": "7"},
            {"outcome": "out", "winner": 0, "seats": [{}, {"hand": "JK " * 7}, {"points": 7}]},
        ),
    ],
)
def test_a_refused_round_names_the_rule_that_rest_names(
    anna, language, preset, players, fields, facts
):
    anna.headers["Accept-Language"] = language
    game = anna.begin(preset=preset, name=list("ABC"[:players]))
    body = {"rules": {"preset": preset}, "players": players, "round": facts}
    said = anna.client.post("/api/v1/rounds/score", json=body, headers=anna.headers).json
    page = anna.send(f"{game}/round", do="save", **{"notation": "en", **fields})

    assert page.status_code == 422
    assert said["problems"]
    for one in said["problems"]:
        rule = words(one["rule"])

        assert any(message.endswith(rule) for message in messages(page.text))
        assert rule not in words(page.text.split('id="foot"')[1])  # there is no room


OTHERS = {"hand__2": "20", "hand__3": "20"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_strike_that_would_move_the_plan_names_the_round_and_leads_back(anna, lang):
    game = anna.begin(preset="three-thirteen")
    for _ in range(2):
        assert anna.enter(game, 0, hand__1="10", **OTHERS).status_code == 303
    anna.headers = {"Accept-Language": lang}

    refused = anna.send(f"{game}/round/1/strike", page=f"{game}/round/1")

    assert refused.status_code == 422
    said = language(lang)
    later = said("E_PLAN_ROW.later", row=2, expected=1)
    assert f"{said('pages.round', number=2)}{said.sign(':')} {later}" in unescape(refused.text)
    assert f'href="{game}"' in refused.text


def test_a_restored_round_after_which_a_player_would_have_been_out_names_both(anna):
    game = anna.begin(preset="indian-pool")
    assert anna.enter(game, 0, hand__1="60", **OTHERS).status_code == 303
    strike = anna.send(f"{game}/round/1/strike", page=game)
    assert strike.status_code == 303
    for points in ("60", "10"):
        assert anna.enter(game, 0, hand__1=points, **OTHERS).status_code == 303

    refused = anna.send(f"{game}/round/1/restore", page=f"{game}/round/1")

    assert refused.status_code == 422
    assert "Runde 3: Bernd " in words(refused.text)
    assert f'href="{game}"' in refused.text


def test_a_refused_correction_names_the_later_round(anna):
    game = anna.begin(preset="indian-pool")
    for points in ("30", "30", "10"):
        assert anna.enter(game, 0, hand__1=points, **OTHERS).status_code == 303

    refused = anna.send(f"{game}/round/1/correct", hand__1="80", do="save")

    assert refused.status_code == 422
    assert any(message.startswith("Runde 3: Bernd ") for message in messages(refused.text))


@pytest.mark.parametrize(
    ("preset", "offered"), [("three-thirteen", False), ("phases", True), ("german-family", True)]
)
def test_a_missed_round_is_only_offered_where_the_rounds_after_it_stay_possible(
    anna, preset, offered
):
    game = anna.begin(preset=preset)
    loses = {f"laid__{seat}": "yes" for seat in (1, 2, 3)} if preset == "phases" else {}
    saved = anna.enter(game, 0, hand__1="10", **OTHERS, **loses)
    assert saved.status_code == 303, words(saved.text)

    assert (f'action="{game}/missed"' in anna.get(f"{game}/edit").text) is offered
