"""The season of a group as PDF and CSV."""

import csv
import io
from datetime import date
from fractions import Fraction

import pytest
from pypdf import PdfReader

from scorekeeper.services import demo, groups
from scorekeeper.store.writes import Write

WISHES = demo.DemoSettings(evenings=6, members=4, seed=3, until=date(2026, 6, 12), name="Runde")
QUERY = "from=2026-01-01&to=2026-12-31"


@pytest.fixture
def club(nobody):
    """A client with the watch secret of a group whose second member has no name."""
    ledger = nobody.app.extensions["ledger"]
    founded = demo.make(ledger, WISHES)
    groups.erase_member(ledger, founded.group.id, 1, write=Write())
    groups.rename_member(ledger, founded.group.id, 0, "=1+1", write=Write())
    nobody.id, nobody.pen = founded.group.id, founded.watch
    return nobody


def rows(answer):
    assert answer.status_code == 200, answer.text
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_the_season_can_be_printed(club):
    for size, high in (("A4", 842), ("A5", 595)):
        answer = club.get(f"/groups/{{id}}/season.pdf?{QUERY}&size={size}&lang=de")
        page, *_ = PdfReader(io.BytesIO(answer.data)).pages
        text = page.extract_text()

        assert answer.mimetype == "application/pdf"
        assert round(page.mediabox.height) == high
        assert "Saisontabelle" in text and "=1+1" in text and "Mitglied 2" in text


@pytest.mark.parametrize("by", ["points", "average", "wins", "money", "league"])
def test_the_spreadsheet_has_the_numbers_of_the_answer(club, by):
    query = f"{QUERY}&by={by}&family=all"
    answer = club.get(f"/groups/{{id}}/season?{query}").json["standings"]
    head, *table = rows(club.get(f"/groups/{{id}}/season.csv?{query}"))

    assert head[:2] == ["rank", "name"] and head[-1].startswith(by)
    assert [row[0] for row in table] == [str(one["rank"]) for one in answer]
    assert [Fraction(row[-1]) for row in table] == [Fraction(str(one["value"])) for one in answer]
    assert {row[1] for row in table} == {"'=1+1", "", "Claire", "Dieter"}


def test_too_few_rounds_have_no_rank_in_the_spreadsheet(club):
    _, *table = rows(club.get(f"/groups/{{id}}/season.csv?{QUERY}&min_rounds=10000"))

    assert table and all(row[0] == "" for row in table)


@pytest.mark.parametrize("what", ["season", "season.pdf", "season.csv"])
@pytest.mark.parametrize(
    "query, place",
    [
        ("by=luck", "by"),
        ("family=chess", "family"),
        ("from=2026-02-30", "from"),
        ("from=2026-03-01&to=2026-02-01", "to"),
        ("year=soon", "year"),
        ("min_rounds=-1", "min_rounds"),
        ("by=money&unit=Taler", "unit"),
    ],
)
def test_an_invalid_season_file_query_is_refused_with_its_place(club, what, query, place):
    answer = club.get(f"/groups/{{id}}/{what}?{query}")

    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json["problems"]] == [[place]]


def test_an_unknown_paper_size_is_refused(club):
    assert club.get("/groups/{id}/season.pdf?size=A0").status_code == 422


@pytest.mark.parametrize("what", ["season.pdf", "season.csv"])
def test_without_a_secret_there_is_no_season(club, what):
    assert club.get(f"/groups/{{id}}/{what}", secret="").status_code == 404
