"""The season of a group as files: PDF and CSV, asked for as its page asks."""

import csv
import io
from datetime import date
from fractions import Fraction

import pytest
from pypdf import PdfReader

from scorekeeper.services import demo, groups

WISHES = demo.DemoSettings(evenings=6, members=4, seed=3, until=date(2026, 6, 12), name="Runde")
ASKED = "from=2026-01-01&to=2026-12-31"


@pytest.fixture
def club(nobody):
    """A program that holds the watch secret of a group; its second member has no name."""
    ledger = nobody.app.extensions["ledger"]
    founded = demo.make(ledger, WISHES)
    groups.erase_member(ledger, founded.group.id, 1, expect=None)
    groups.rename_member(ledger, founded.group.id, 0, "=1+1", expect=None)
    nobody.id, nobody.pen = founded.group.id, founded.watch
    return nobody


def rows(answer):
    assert answer.status_code == 200, answer.text
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_the_season_is_a_file_to_print(club):
    for size, high in (("A4", 842), ("A5", 595)):
        answer = club.get(f"/groups/{{id}}/season.pdf?{ASKED}&size={size}&lang=de")
        (page,) = PdfReader(io.BytesIO(answer.data)).pages
        text = page.extract_text()

        assert answer.mimetype == "application/pdf"
        assert round(page.mediabox.height) == high
        assert "Saisontabelle" in text and "=1+1" in text and "Mitglied 2" in text


@pytest.mark.parametrize("by", ["points", "average", "wins", "money", "league"])
def test_the_table_for_a_spreadsheet_is_the_one_of_the_answer(club, by):
    asked = f"{ASKED}&by={by}&family=all"
    told = club.get(f"/groups/{{id}}/season?{asked}").json["standings"]
    head, *table = rows(club.get(f"/groups/{{id}}/season.csv?{asked}"))

    assert head[:2] == ["rank", "name"] and head[-1].startswith(by)
    assert [row[0] for row in table] == [str(one["rank"]) for one in told]
    assert [Fraction(row[-1]) for row in table] == [Fraction(str(one["value"])) for one in told]
    assert {row[1] for row in table} == {"'=1+1", "", "Claire", "Dieter"}


def test_too_few_rounds_have_no_rank_in_the_spreadsheet(club):
    _, *table = rows(club.get(f"/groups/{{id}}/season.csv?{ASKED}&min_rounds=10000"))

    assert table and all(row[0] == "" for row in table)


@pytest.mark.parametrize("what", ["season", "season.pdf", "season.csv"])
@pytest.mark.parametrize(
    "asked, place",
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
def test_an_invalid_question_is_refused_with_its_path(club, what, asked, place):
    answer = club.get(f"/groups/{{id}}/{what}?{asked}")

    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json["problems"]] == [[place]]


def test_a_size_nobody_prints_is_refused(club):
    assert club.get("/groups/{id}/season.pdf?size=A0").status_code == 422


@pytest.mark.parametrize("what", ["season.pdf", "season.csv"])
def test_without_a_secret_there_is_no_season(club, what):
    assert club.get(f"/groups/{{id}}/{what}", secret="").status_code == 404
