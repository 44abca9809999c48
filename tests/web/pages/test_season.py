"""The pages of a season: table, statistics, members, evenings."""

import csv
import io
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import demo, groups
from scorekeeper.services.groups import CreatedGroup
from scorekeeper.store import open_ledger
from scorekeeper.store.copying import copy
from scorekeeper.store.writes import Write
from web.pages.conftest import Browser, evening
from web.pages.walk import open_phone

YEAR = "from=2026-01-01&to=2026-12-31"
WISHES = demo.DemoSettings(evenings=9, members=5, seed=11, until=date(2026, 6, 12), name="Löwen")


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> tuple[Path, CreatedGroup]:
    """A database with a group whose third member has no name."""
    path = tmp_path_factory.mktemp("season") / "group.sqlite"
    with closing(open_ledger(path)) as ledger:
        founded = demo.make(ledger, WISHES)
        groups.erase_member(ledger, founded.group.id, 2, write=Write())
    return path, founded


@pytest.fixture
def app(app, written) -> Iterator[Flask]:
    path, _ = written
    ledger = app.extensions["ledger"]
    with closing(open_ledger(path)) as source:
        ledger.links = source.links
        copy(source.store, ledger.store)
    return app


@pytest.fixture
def club(app, anna, written) -> str:
    """Return the path of the group for a browser that may watch it."""
    _, founded = written
    return watched(app, anna, founded)


def watched(app: Flask, reader: Browser, founded: CreatedGroup) -> str:
    reader.client.set_cookie("browser", "a" * 20)
    app.extensions["ledger"].rights.remember("a" * 20, founded.group.id, founded.watch)
    return f"/s/{founded.group.id}"


def ranks(answer) -> list[str]:
    return re.findall(r'<td class="nr">([^<]*)</td>', answer.text)


def test_the_page_explains_the_rating_and_turns_it_on_and_off(app, anna, written):
    _, founded = written
    app.extensions["ledger"].rights.remember("a" * 20, founded.group.id, founded.pen)
    anna.client.set_cookie("browser", "a" * 20)
    club = f"/s/{founded.group.id}"
    season = f"{club}/season?by=rating"

    refused = anna.get(season)
    on = anna.send(f"{club}/rating", page=f"{club}/season", on="yes")
    rated = anna.get(on.location)
    anna.send(f"{club}/rating", page=f"{club}/season", on="no")

    assert refused.status_code == 422
    assert "Dieser Stammtisch führt keine Wertungszahl." in refused.text
    assert "Es zählen die Plätze, nicht die Punkte" in refused.text
    assert on.location.endswith("/season?by=rating")
    assert ranks(rated)[0] == "1"
    assert 'value="rating" checked' in rated.text
    assert 'value="rating"' not in anna.get(f"{club}/season").text


MEMBER = {"de": "Mitglied", "en": "Member", "lb": "Member", "fr": "Membre"}


def rows(answer) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("by", ["points", "average", "wins", "money", "league"])
def test_the_season_is_shown_in_every_order_and_language(app, club, anna, by, language):
    reader = Browser(app, language)
    reader.client = anna.client
    answer = reader.get(f"{club}/season?{YEAR}&by={by}")

    assert answer.status_code == 200
    assert ranks(answer)[0] == "1"
    assert f'value="{by}" checked' in answer.text
    assert f"{MEMBER[language]} 3" in answer.text


def test_a_season_by_money_has_signs_and_units(club, anna):
    page = anna.get(f"{club}/season?{YEAR}&by=money").text

    assert re.search(r"<b>\+\d+(,5)?\u00a0ct</b>", page)
    assert re.search(r"<b>−\d+(,5)?\u00a0ct</b>", page)


def test_cents_and_euros_are_one_money_in_season_and_on_the_page_of_a_member(anna, stammtisch):
    for unit, value in (("ct", "1"), ("EUR", "0,05")):
        evening(anna, stammtisch, 0, 10, 20, 30, unit=unit, point_value=value)
    season = f"{stammtisch}/season?year=all&by=money"
    page, member = anna.get(season).text, anna.get(f"{stammtisch}/m/0").text

    assert re.findall(r"<b>(\S+\u00a0€)</b>", page) == [
        f"{amount}\u00a0€" for amount in ("+3,60", "+1,20", "−1,20", "−3,60")
    ]
    assert 'name="unit"' not in page
    assert re.findall(r"<dt>Geld</dt><dd>(.*?)</dd>", member) == ["+3,60\u00a0€"]
    assert (
        re.findall(r"<b>(\S+\u00a0€)</b>", anna.get(f"{season}&unit=EUR").text)[0] == "+3,60\u00a0€"
    )


@pytest.mark.parametrize(("value", "unit"), [("1", "€"), ("1/2", "ct")])
def test_the_choice_of_money_names_what_the_table_writes(anna, stammtisch, value, unit):
    """Cents are written in euros, unless the table has parts of a cent."""
    evening(anna, stammtisch, 0, 11, 20, 30, unit="EUR", point_value="1")
    evening(anna, stammtisch, 0, 11, 20, 30, unit="ct", point_value=value, payable="1/2")
    evening(anna, stammtisch, 0, 10, 20, 30, unit="Pf")
    season = f"{stammtisch}/season?year=all&by=money"
    choice = re.compile(r'<option value="(ct|Pf)"( selected)?>([^<]*)</option>')

    for asked in ("", "&unit=ct", "&unit=EUR"):
        page = anna.get(season + asked).text
        money = "€" if asked == "&unit=EUR" else unit
        assert {*choice.findall(page)} == {("ct", " selected", money), ("Pf", "", "Pf")}
        assert re.search(rf"<b>\+\S+\u00a0{money}</b>", page)
    other = anna.get(f"{season}&unit=Pf").text
    assert {*choice.findall(other)} == {("ct", "", "€"), ("Pf", " selected", "Pf")}


@pytest.mark.parametrize("code", LANGUAGES)
def test_evenings_and_rounds_have_room_in_one_line(chromium, address, anna, stammtisch, code):
    for _ in range(3):
        evening(anna, stammtisch, 0, 10, 20, 30)
    phone = open_phone(chromium, address, anna, locale=code)
    page = phone.new_page()
    page.goto(f"{stammtisch}/season?year=all")
    first, second = (box.bounding_box() for box in page.locator(".standings small span").all()[:2])
    phone.close()

    assert first["y"] == second["y"]


def test_members_with_too_few_rounds_are_listed_separately(club, anna):
    answer = anna.get(f"{club}/season?{YEAR}&min_rounds=200&family=all")

    assert "–" in ranks(answer) and "1" in ranks(answer)
    assert 'class="apart"' in answer.text
    assert "weniger als 200 Runden" in answer.text


def test_points_and_statistics_are_those_of_one_game(club, anna):
    """The group of the demo plays four games, German Rommé most."""
    season = anna.get(f"{club}/season?{YEAR}").text
    gin = anna.get(f"{club}/season?{YEAR}&system=gin-palast").text
    wins = anna.get(f"{club}/season?{YEAR}&by=wins").text
    numbers = anna.get(f"{club}/statistics?system=gin-palast").text

    assert "Nur Deutsches Familien-Rommé." in season
    assert "Nur Gin Rommé." in gin
    assert "Alle Spiele zählen mit." in wins
    assert '<option value="gin-palast" selected>' in numbers
    assert "Deutsches Familien-Rommé" in anna.get(f"{club}/statistics").text


def test_a_year_without_evenings_says_so_and_offers_another(club, anna):
    answer = anna.get(f"{club}/season?year=1999")

    assert answer.status_code == 200
    assert "kein Abend zu Ende gespielt" in answer.text
    assert '<option value="2026">2026</option>' in answer.text


@pytest.mark.parametrize(
    "query, words",
    [
        ("by=luck", "luck"),
        ("family=chess", "chess"),
        ("year=soon", "soon"),
        ("from=2026-02-30", "2026-02-30"),
        ("from=2026-03-01&to=2026-02-01", "2026-02-01"),
        ("min_rounds=viele", "viele"),
        ("min_rounds=99999", "99999"),
        ("by=money&unit=Taler", "Taler"),
    ],
)
def test_an_invalid_query_stays_in_the_form_with_its_error(club, anna, query, words):
    answer = anna.get(f"{club}/season?{query}")

    assert answer.status_code == 422
    assert answer.text.count('class="fault"') == 1
    name, _, value = query.rpartition("&")[2].partition("=")
    if name in ("from", "to", "min_rounds"):
        assert f'name="{name}"' in answer.text and f'value="{value}"' in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_averages_have_the_decimal_sign_of_the_reader(club, anna, language):
    anna.headers = {"Accept-Language": language}
    text = anna.get(f"{club}/season.csv?{YEAR}&by=average").data.decode("utf-8-sig")
    sign, separator = (".", ",") if language == "en" else (",", ";")
    lines = list(csv.reader(io.StringIO(text), delimiter=separator))
    values = [row[-1] for row in lines[1:] if row[-1]]

    assert {len(row) for row in lines} == {7}
    if language == "en":  # exact, as over REST
        assert any("/" in value for value in values)
    else:
        assert any(sign in value for value in values)
        assert not any("/" in value or "." in value for value in values)


@pytest.mark.parametrize("kind", ["pdf", "csv"])
def test_a_file_for_an_invalid_query_is_not_found(club, anna, kind):
    assert anna.get(f"{club}/season.{kind}?by=luck").status_code == 404


def test_the_spreadsheet_has_the_numbers_of_the_page(club, anna):
    head, *table = rows(anna.get(f"{club}/season.csv?{YEAR}&by=wins"))
    page = anna.get(f"{club}/season?{YEAR}&by=wins")

    won = ("Abende", "Gewonnene Abende", "Runden", "Gewonnene Runden", "Siege")
    assert head == ["Platz", "Name", *won]
    assert [row[0] for row in table] == ranks(page)
    assert re.findall(r"<td[^>]*><b>(\d+)</b></td>", page.text) == [row[-1] for row in table]


def test_the_printed_table_has_the_numbers_of_the_page(club, anna):
    answer = anna.get(f"{club}/season.pdf?{YEAR}&by=wins&size=A5")

    assert answer.mimetype == "application/pdf"
    assert anna.get(f"{club}/season.pdf?size=A0").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_statistics_members_and_evenings_link_to_each_other(app, club, anna, language):
    reader = Browser(app, language)
    reader.client = anna.client
    seen, waiting = set(), [f"{club}/statistics"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        answer = reader.get(path)
        assert answer.status_code == 200, path
        found = re.findall(rf'href="({club}/[me]/\w+)"', answer.text)
        waiting += [one for one in dict.fromkeys(found) if one not in seen | set(waiting)]

    assert {path for path in seen if "/m/" in path} == {f"{club}/m/{member}" for member in range(5)}
    assert sum("/e/" in path for path in seen) >= 5


def test_an_evening_tells_its_story_with_the_names_of_the_group(app, club, anna):
    ledger = app.extensions["ledger"]
    group_id = club.removeprefix("/s/")
    groups.rename_member(ledger, group_id, 0, "Annemarie", write=Write())
    answer = [
        anna.get(f"{club}/e/{evening.game}").text
        for evening in ledger.seasons.evenings(group_id)
        if {0, 2} <= set(evening.seating.members)
    ]

    assert answer
    for page in answer:
        assert "Wie es lief" in page and "zwischen den ersten beiden" in page
        assert "Annemarie" in page and "Mitglied 3" in page


def test_a_finished_game_links_to_its_story(app, club, anna):
    (evening,) = app.extensions["ledger"].seasons.evenings(club.removeprefix("/s/"), limit=1)

    assert f'href="/g/{evening.game}/end"' in anna.get(f"/g/{evening.game}").text
    assert "Wie es kam" in anna.get(f"/g/{evening.game}/end").text


def test_a_game_of_another_group_has_no_page_here(app, club, anna):
    alone = anna.begin()

    assert anna.get(f"{club}/e/{alone.removeprefix('/g/')}").status_code == 404
    assert anna.get(f"{club}/m/5").status_code == 404


@pytest.mark.parametrize("page", ["season", "season.pdf", "season.csv", "statistics", "m/0"])
def test_without_a_secret_nothing_is_visible(club, bernd, page):
    assert bernd.get(f"{club}/{page}").status_code == 404


def test_before_the_first_evening_there_is_no_table(app, anna):
    ledger = app.extensions["ledger"]
    founded = groups.create_group(ledger, NewGroup("Neu", ("Anna", "Ben")))
    group = watched(app, anna, founded)
    for page in ("season", "season?by=money", "statistics", "m/0"):
        answer = anna.get(f"{group}/{page}")

        assert answer.status_code == 200
        assert "Noch leer." in answer.text
        assert '<form class="boxed"' not in answer.text


def test_hostile_names_are_only_text(app, club, anna):
    ledger = app.extensions["ledger"]
    group_id = club.removeprefix("/s/")
    for member, name in enumerate(("<script>x()</script>", "=cmd|1", "{{7*7}}", "\"'><b>")):
        groups.rename_member(ledger, group_id, member, name, write=Write())
    (evening, *_) = ledger.seasons.evenings(group_id, limit=1)
    for page in ("season", "statistics", "m/0", "m/3", f"e/{evening.game}"):
        answer = anna.get(f"{club}/{page}")

        assert answer.status_code == 200
        assert "<script>x" not in answer.text and "\"'><b>" not in answer.text
    assert "{{7*7}}" in anna.get(f"{club}/season?family=all").text
    names = [row[1] for row in rows(anna.get(f"{club}/season.csv?{YEAR}"))]
    assert "'=cmd|1" in names and "=cmd|1" not in names
