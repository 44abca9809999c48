"""PDFs over REST: sheets, statements, pads, rules cards."""

import io

import pytest
from flask import Flask
from PIL import Image
from pypdf import PdfReader

from pdf.paper import text_of
from rest import QUICK, Club, Table
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.web import paper
from web.api.conftest import change, whys


def test_the_sheet_bears_no_secret(table: Table) -> None:
    table.record(QUICK)
    paper = text_of(table.get("/games/{id}/sheet.pdf"))

    assert table.pen not in paper and table.watch not in paper


def test_the_sheet_shows_the_present_name_of_the_group(club: Club) -> None:
    """A version of the game does not prove that a copy of it is up to date."""
    table = club.evening(points=(0, 12, 5))
    before = [table.get("/games/{id}" + path) for path in ("/sheet.pdf", "/picture.png")]
    change(club, "PATCH", "", {"name": "Montag"})

    assert not any("ETag" in answer.headers for answer in before)
    assert "Montag" in text_of(table.get("/games/{id}/sheet.pdf"))
    assert table.get("/games/{id}/picture.png").data != before[1].data


def test_the_result_is_returned_as_a_picture(table: Table) -> None:
    table.record(QUICK)
    answer = table.get("/games/{id}/picture.png?lang=de")

    assert answer.mimetype == "image/png"
    assert Image.open(io.BytesIO(answer.data)).size == (1080, 1350)


def test_the_sheet_can_be_a5_and_detailed(table: Table) -> None:
    table.record(QUICK)
    answer = table.get("/games/{id}/sheet.pdf?size=A5&details=yes")

    assert "Round by round" in text_of(answer)
    assert PdfReader(io.BytesIO(answer.data)).pages[0].mediabox.width == pytest.approx(419.5, abs=1)
    assert table.get("/games/{id}/sheet.pdf?details=perhaps").status_code == 422


def test_the_statement_is_for_everyone_or_for_one_player(table: Table) -> None:
    table.record(QUICK)

    assert "Settlement for B" in text_of(table.get("/games/{id}/settlement.pdf?side=1&lang=en"))
    assert "Abrechnung" in text_of(table.get("/games/{id}/settlement.pdf?lang=de"))
    assert table.get("/games/{id}/settlement.pdf?side=5").status_code == 404


def test_the_rules_card_of_a_game_shows_its_house_rules(nobody: Table) -> None:
    table = nobody.begin(rules={"preset": "robber", "options": {"joker.hand_value": 50}})

    assert "A joker in hand counts 50" in text_of(table.get("/games/{id}/rules-card.pdf"))


def test_a_rules_card_needs_no_game(nobody: Table) -> None:
    rules = {"preset": "robber", "options": {"out.extra_turn": True}}
    own = text_of(nobody.post("/rules-card.pdf", {"rules": rules}))

    assert "Bold: this table plays it differently" in own
    assert "Regelkarte" in text_of(nobody.get("/rules-card.pdf?preset=robber&lang=de"))
    unknown = nobody.get("/rules-card.pdf?preset=poker")
    assert whys(unknown) == [("E_CONFIG", "preset", ["preset"])]
    assert unknown.json["problems"][0]["facts"]["allowed"] == list(PRESETS)
    posted = nobody.post("/rules-card.pdf", {"rules": {"preset": "poker"}})
    assert whys(posted) == [("E_CONFIG", "preset", ["rules", "preset"])]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_system_has_its_pad(nobody: Table, preset: str) -> None:
    players = PRESETS[preset].players.max

    assert text_of(nobody.get(f"/pads/{preset}.pdf?players={players}&size=A6&up=4&lang=lb"))


def test_a_pad_has_the_given_names(nobody: Table) -> None:
    paper = text_of(nobody.get("/pads/romme-palast.pdf?names=Anna,,Zoë&lang=de&pages=2"))

    assert paper.count("Anna") == paper.count("Zoë") == 2


def test_a_pad_for_teams_has_two_sides(nobody: Table) -> None:
    names = "names=Anna,Bernd,Claire,Dieter"
    paper = text_of(nobody.get(f"/pads/gin-palast.pdf?teams=yes&{names}"))

    assert "Anna + Claire" in paper and "Bernd + Dieter" in paper


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("size=A3", "size"),
        ("up=3", "up"),
        ("pages=21", "pages"),
        ("players=9", "players"),
        ("names=李雷,Bernd", "names"),
        ("names=" + 41 * "x", "names"),
        ("names=a,b,c,d,e,f,g,h,i", "names"),
        ("lang=it", "lang"),
    ],
)
def test_an_invalid_pad_is_refused_with_its_place(nobody: Table, query: str, path: str) -> None:
    answer = nobody.get(f"/pads/robber.pdf?{query}")

    assert answer.status_code == 422
    assert answer.json["problems"][0]["path"][0] == path


def test_a_pad_with_too_many_players_is_refused(nobody: Table) -> None:
    answer = nobody.get("/pads/gin-palast.pdf?players=4")

    assert answer.status_code == 422
    assert answer.json["problems"][0]["code"] == "E_CONFIG"
    assert nobody.get("/pads/poker.pdf").status_code == 404


@pytest.mark.parametrize("path", ["/pads/robber.pdf", "/docs"])
def test_a_version_to_be_changed_asks_nothing_of_what_is_only_read(
    nobody: Table, path: str
) -> None:
    answer = nobody.get(path, headers={"If-Match": '"1-en"'})
    known = {"If-Match": '"1-en"', "If-None-Match": answer.headers["ETag"]}

    assert answer.status_code == 200
    assert nobody.get(path, headers=known).status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/pads/robber.pdf?size=A6",
        "/api/v1/rules-card.pdf?preset=robber",
        "/pads/pad.pdf?preset=robber&size=A6",
        "/pads/rules-card.pdf?preset=robber",
    ],
)
def test_a_document_that_is_the_same_for_everyone_is_drawn_once_a_language(
    app: Flask, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    drawn = []
    monkeypatch.setattr(paper, "in_pool_later", lambda job, *order: drawn.append(order) or b"%PDF")
    paper._constant.cache_clear()
    answers = [
        app.test_client().get(path, headers={"Accept-Language": language})
        for language in ("de", "en", "de", "en")
    ]
    paper._constant.cache_clear()
    names = {answer.headers["Content-Disposition"] for answer in answers}

    assert [answer.data for answer in answers] == [b"%PDF"] * 4
    assert (len(drawn), len(names)) == (2, 2)


def test_a_pad_with_names_and_house_rules_are_not_kept(
    nobody: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(
        paper, "in_pool_later", lambda job, *_, **__: drawn.append(job.__name__) or b"%PDF"
    )
    for _ in range(2):
        pad = nobody.get("/pads/robber.pdf?names=Anna")
        card = nobody.post("/rules-card.pdf", {"rules": {"preset": "robber"}})

    assert drawn == ["printed_pad", "rules_card"] * 2
    assert "ETag" not in pad.headers
    assert "ETag" not in card.headers


@pytest.mark.parametrize("path", ["/pads/robber.pdf?pages=2", "/rules-card.pdf?preset=robber"])
def test_a_client_that_has_the_document_gets_no_second_one(nobody: Table, path: str) -> None:
    first = nobody.get(path)
    again = nobody.get(path, headers={"If-None-Match": first.headers["ETag"]})
    other = nobody.get(path, lang="fr", headers={"If-None-Match": first.headers["ETag"]})

    assert first.data.startswith(b"%PDF")
    assert (again.status_code, again.data) == (304, b"")
    assert other.status_code == 200
