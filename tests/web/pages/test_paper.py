"""Printing by button, and the sheet as a page."""

import re
from urllib.parse import unquote

import pytest

from pdf.paper import text_of
from rest import QUICK, Table, codes
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from web.pages.conftest import KEY, NAMES, words


@pytest.fixture
def evening(anna, game) -> str:
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    anna.enter(game, 0, hand__1="20", hand__2="30", hand__3="40")
    return game


def test_a_sheet_without_a_code_bears_no_address(anna, evening):
    paper = text_of(anna.get(f"{evening}/sheet.pdf"))

    assert "http" not in paper
    assert "Code" not in paper


def test_paper_is_named_after_the_game_and_its_day(anna, evening):
    def name_of(path: str) -> str:
        header = anna.get(path).headers["Content-Disposition"]
        return unquote(header.partition("filename*=UTF-8''")[2])

    assert re.fullmatch(r"Rommé \d\d\.\d\d\.\d{4}\.pdf", name_of(f"{evening}/sheet.pdf"))
    assert name_of(f"{evening}/settlement.pdf").endswith(" Abrechnung.pdf")
    assert name_of("/pads/rules-card.pdf?preset=robber") == "Räuber-Rommé Regelkarte.pdf"
    assert name_of(f"{evening}/picture.png").endswith(".png")


def test_a_sheet_shows_the_name_of_its_group(anna, bernd, app, group, played):
    game = played.rpartition("/")[2]
    _, watch = games.replace_secret(app.extensions["ledger"], game, "watch", write=Write())
    bernd.post("/enter", {**bernd.form("/enter"), "code": f"{game}.{watch}"})

    assert "Kegelclub" in text_of(anna.get(f"{played}/sheet.pdf"))
    assert "Kegelclub" not in text_of(bernd.get(f"{played}/sheet.pdf"))


def test_a_sheet_can_be_printed_on_a5_in_detail(anna, evening):
    assert "Runde für Runde" in text_of(anna.get(f"{evening}/sheet.pdf?size=A5&details=yes"))
    assert anna.get(f"{evening}/sheet.pdf?size=A0").status_code == 404


def test_a_game_that_cannot_be_settled_can_be_printed(app, anna):  # RULES 9.2
    game = anna.begin(**{"settle.mode": "balance"})
    anna.enter(game, 0, hand__1="12", hand__2="35", hand__3="60")
    rules = {"preset": "german-family", "options": {"settle.mode": "balance"}}
    table = Table(app).begin(rules=rules)
    table.record(QUICK)

    for answer in (anna.get(f"{game}/sheet.pdf"), table.get("/games/{id}/sheet.pdf?lang=de")):
        paper = text_of(answer)
        assert "12 35 60" in paper
        assert "Abrechnung" not in paper
    for path in ("settlement", "settlement.pdf"):
        assert codes(table.get(f"/games/{{id}}/{path}")) == [("E_NOT_ZERO_SUM", [])]


def test_the_statement_is_for_everyone_or_for_one_player(anna, evening):
    assert "Abrechnung für Bernd" in text_of(anna.get(f"{evening}/settlement.pdf?side=1"))
    assert "jeder mit jedem" in text_of(anna.get(f"{evening}/settlement.pdf"))
    assert anna.get(f"{evening}/settlement.pdf?side=4").status_code == 404


def test_without_a_settlement_there_is_a_sheet_but_no_statement(anna):
    game = anna.begin(**{"settle.mode": "none", "do": "start"})

    assert anna.get(f"{game}/settlement.pdf").status_code == 404
    assert "Bemerkungen" in text_of(anna.get(f"{game}/sheet.pdf"))


def test_the_rules_page_links_to_the_rules_card(anna, evening):
    page = anna.get(f"{evening}/rules").text

    assert f'href="{evening}/rules-card.pdf"' in page
    assert "Regelkarte" in text_of(anna.get(f"{evening}/rules-card.pdf"))


def test_the_start_page_links_to_the_pads(anna):
    assert 'href="/pads"' in anna.get("/").text


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_form_of_a_pad_lacks_no_translation(anna, code):
    page = anna.get("/pads", **{"Accept-Language": code})

    assert page.status_code == 200
    assert f'<html lang="{code}">' in page.text
    assert KEY.search(words(page.text)) is None


@pytest.mark.parametrize("preset", PRESETS)
def test_the_unchanged_form_prints_a_pad(anna, preset):
    form = {**anna.form("/pads"), "preset": preset}
    paper = anna.client.get("/pads/pad.pdf", query_string=form, headers=anna.headers)

    assert text_of(paper)


def test_a_pad_is_printed_with_the_chosen_options(anna):
    names = "&".join(f"name={name}" for name in NAMES)
    wish = "preset=gin-palast&teams=yes&size=A6&up=4&pages=3"
    paper = text_of(anna.get(f"/pads/pad.pdf?{wish}&{names}"))

    assert paper.count("Blatt") == 12
    assert "A" in paper


def test_an_invalid_pad_is_refused_with_its_form_and_the_reason(anna):
    page = anna.get("/pads/pad.pdf?preset=gin-palast&players=5&name=Anna&name=&name=Zoë")

    assert page.status_code == 422
    assert "Geht nicht:" in page.text
    assert 'value="Anna"' in page.text and 'value="Zoë"' in page.text
    assert anna.get("/pads/pad.pdf?preset=poker").status_code == 422


def test_a_pad_has_a_field_for_every_player_and_keeps_commas(anna):
    assert len(anna.form("/pads").getlist("name")) == 8

    names = {"name": ["Anna", "", "Zoë, die Zweite", "", "", ""]}
    form = {**anna.form("/pads"), **names, "preset": "romme-palast"}
    paper = text_of(anna.client.get("/pads/pad.pdf", query_string=form, headers=anna.headers))

    assert "Anna" in paper and "Zoë, die" in paper


def test_a_rules_card_with_house_rules_needs_no_game(anna):
    house = {"joker.hand_value": "50", "money": "yes", "point_value": "1/5", "unit": "Pf"}
    form = anna.filled("/new?preset=german-family", do="card", **house)
    card = text_of(anna.post("/new", form))

    assert "Ein Joker auf der Hand zählt 50" in card
    assert "1/5 Pf je Punkt" in card
    assert anna.get("/").text.count("/g/") == 0

    form["joker.hand_value"] = "viele"
    assert anna.post("/new", form).status_code == 422


def test_a_rules_card_of_a_rule_system_needs_no_game(anna):
    assert "Luxemburger" in text_of(anna.get("/pads/rules-card.pdf?preset=luxembourg"))
    assert anna.get("/pads/rules-card.pdf?preset=poker").status_code == 404


def test_the_print_page_has_the_numbers_of_the_sheet(anna, evening):
    page = anna.get(f"{evening}/print").text

    assert '<th rowspan="2" scope="col">Geber</th>' in page
    assert '<td class="n">33</td><td class="n">33</td>' in page
    assert page.count("<caption>") == 2
    assert "Claire: Rommé" in page
    assert "Prüfzeichen der Daten" in page
    assert "style=" not in page and "<script" not in page


def test_a_struck_round_is_struck_out_on_the_print_page(anna, evening):
    anna.send(f"{evening}/round/1/strike", page=evening)

    assert "<s>33</s>" in anna.get(f"{evening}/print").text


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_print_page_lacks_no_translation(anna, evening, code):
    page = anna.get(f"{evening}/print", **{"Accept-Language": code})

    assert f'<html lang="{code}">' in page.text
    assert KEY.search(words(page.text)) is None


@pytest.mark.parametrize("path", ["sheet.pdf", "settlement.pdf", "rules-card.pdf", "print"])
def test_printing_a_game_needs_the_right_to_read_it(bernd, evening, path):
    assert bernd.get(f"{evening}/{path}").status_code == 404
