"""Season tables as PDF."""

import re
from contextlib import closing
from dataclasses import replace
from datetime import date
from fractions import Fraction
from io import BytesIO
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from bars import tries
from pdf.layout_checks import LETTERS, assert_inert, assert_tidy, hostile_names
from pdf.paper import Print
from pdf.seasons import YEAR, figures, season
from scorekeeper.domain.group.season import Order, Question, Season
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf import SHEET_SIZES, season_table
from scorekeeper.services import demo, seasons
from scorekeeper.services.statistics import season_history
from scorekeeper.store import open_ledger
from scorekeeper.store.season_history import SeasonHistory
from scorekeeper.wire.queries import ORDERS
from tools import paper


def printed(table: Season, code: str = "de", size: str = "A4") -> Print:
    return Print(season_table(table, language(code), size=size))


def test_the_season_table_is_ordered_by_rank() -> None:
    paper = printed(season(["Anna", "Claire"], [figures(0, -220), figures(1, 140)]))

    assert "Stammtisch Saisontabelle, 2026 Blatt 1 von 1" in paper.text
    assert "Platz Name Abende Runden Gewonnen Punkte" in paper.lines()
    assert "1 Claire 12 96 31 +140" in paper.lines()
    assert "2 Anna 12 96 31 −220" in paper.lines()
    assert "Mehr ist besser; Minuspunkte zählen als minus." in paper.text


def test_season_money_is_exact_and_has_its_unit() -> None:
    rows = [figures(0, 0, ct=Fraction(-33, 2)), figures(1, 0, ct=Fraction(33, 2))]
    paper = printed(season(["Anna", "Claire"], rows, "money"))

    assert "1 Claire 12 96 31 +16,5 ct" in paper.lines()
    assert "2 Anna 12 96 31 −16,5 ct" in paper.lines()


def test_season_money_in_whole_cents_is_written_in_euro() -> None:
    rows = [figures(0, 0, ct=Fraction(-568)), figures(1, 0, ct=Fraction(568))]
    paper = printed(season(["Anna", "Claire"], rows, "money"))

    assert "1 Claire 12 96 31 +5,68 €" in paper.lines()


def test_members_with_too_few_rounds_are_listed_without_a_rank() -> None:
    rows = [figures(0, 500, played=9), figures(1, -140)]
    paper = printed(season(["Anna", "Claire"], rows, min_rounds=10))

    assert "1 Claire 12 96 31 −140" in paper.lines()
    assert "– Anna 12 9 31 +500" in paper.lines()
    assert "Ohne Platz: weniger als 10 Runden" in paper.text


def test_an_erased_member_is_listed_by_number() -> None:
    paper = printed(season(["Anna", "Bernd", ""], [figures(2, 7)]))

    assert "1 Mitglied 3 12 96 31 +7" in paper.lines()


def test_equal_seasons_give_equal_bytes() -> None:
    table, lang = season(["Anna"], [figures(0, 7)]), language("lb")

    assert season_table(table, lang) == season_table(table, lang)


@pytest.mark.bar("P1")
@pytest.mark.parametrize("name", hostile_names(tries("P1") // 5))
def test_a_hostile_name_is_printed_as_plain_text_in_a_season(name: str) -> None:
    paper = printed(season([name, "Bernd"], [figures(0, 3), figures(1, 2)], group=name))

    assert_inert(paper)
    assert_tidy(paper)


@settings(max_examples=10)
@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=40), min_size=1, max_size=40),
    st.sampled_from(LANGUAGES),
    st.sampled_from(SHEET_SIZES),
)
def test_nothing_in_a_season_overlaps(names: list[str], code: str, size: str) -> None:
    unit = "WWWWWWWWWWWW"
    rows = [figures(at, 0, **{unit: Fraction(-99_999 - at // 2, 7)}) for at in range(len(names))]

    assert_tidy(printed(season(names, rows, "money", names[0], unit=unit), code, size))


@pytest.mark.parametrize("members", [7, 20])
def test_a_half_year_of_evenings_fits_on_two_pages(tmp_path: Path, members: int) -> None:
    with closing(open_ledger(tmp_path / "season.sqlite")) as ledger:
        wishes = demo.DemoSettings(26, members, seed=1, until=date(2026, 6, 12))
        group = demo.make(ledger, wishes).group
        table = seasons.season(ledger, group, Question("points", YEAR, demo.UNIT, 0))
        history = season_history(ledger, group.id, YEAR)
        pages = PdfReader(BytesIO(season_table(table, language("de"), history=history))).pages

    assert len(history.evenings) == 26
    assert len(pages) == 2
    assert "12.06.2026" in pages[1].extract_text()


@pytest.mark.parametrize("size", SHEET_SIZES)
@pytest.mark.parametrize("by", ["points", "money"])
def test_long_names_of_members_stand_in_full(by: Order, size: str) -> None:
    names = ["Alexandra Schneider", "Alexandra Schnabel", "Maximiliane von und zu Berg", "Eva"]
    rows = [figures(at, 12345 - 1000 * at, ct=Fraction(20100 - 5000 * at)) for at in range(4)]
    paper = printed(season(names, rows, by), size=size)

    assert [name for name in names if name not in paper.written] == []
    assert_tidy(paper)


@pytest.mark.parametrize("size", SHEET_SIZES)
def test_who_won_an_evening_stands_in_full(summer: tuple[Season, SeasonHistory], size: str) -> None:
    table, history = summer
    names = [f"Alexandra von und zu Berg {n}" for n in ("eins", "zwei", "drei", "vier")]
    texts = {f"member.{at}": name for at, name in enumerate(names)}
    group = replace(table.group, texts={**table.group.texts, **texts})
    first, *others = history.evenings
    results = tuple(replace(one, rank=1) for one in first.evening.results)
    shared = replace(first, evening=replace(first.evening, results=results))
    history = replace(history, evenings=[shared, *others])
    paper = Print(
        season_table(replace(table, group=group), language("de"), history=history, size=size)
    )

    assert ", ".join(names[member] for member in first.seating.members) in paper.written
    assert_tidy(paper)


@pytest.fixture
def summer(tmp_path: Path) -> tuple[Season, SeasonHistory]:
    """Six evenings of four members, with their table."""
    with closing(open_ledger(tmp_path / "season.sqlite")) as ledger:
        wishes = demo.DemoSettings(6, members=4, seed=1, until=date(2026, 6, 12))
        group = demo.make(ledger, wishes).group
        table = seasons.season(ledger, group, Question("points", YEAR, demo.UNIT, 0))
        return table, season_history(ledger, group.id, YEAR)


@pytest.mark.parametrize("size", SHEET_SIZES)
def test_days_have_their_year_in_a_season_of_several(
    summer: tuple[Season, SeasonHistory], size: str
) -> None:
    table, history = summer
    first, *others = history.evenings
    before = replace(first, began=first.began.replace("2026", "2025"))
    best = [(what, replace(one, began=before.began)) for what, one in history.records]
    times = [before.began, *history.times[1:]]
    long = SeasonHistory([before, *others], best, times, history.runs)
    lang = language("de")
    one, several = (
        Print(season_table(table, lang, history=shown, size=size)) for shown in (history, long)
    )
    short, month, full = (
        f" {day(before.began)}" for day in (lang.short_date, lang.month, lang.numeric_date)
    )

    assert short in one.text and month not in one.text
    assert short not in several.text and month in several.text
    assert several.text.count(full) == len(best) + 1
    assert_tidy(several)


def last_line(table: Season, history: SeasonHistory) -> str:
    lines = Print(season_table(table, language("de"), history=history)).lines()
    (line,) = (line for line in lines if line.startswith("Zusammen "))
    return line


def test_the_evenings_are_summed_up_as_in_the_table(summer: tuple[Season, SeasonHistory]) -> None:
    table, history = summer
    rounds = sum(one.evening.rounds for one in history.evenings)
    sums = [str(-one.figures.worth) for one in table.standings]

    assert last_line(table, history).split() == ["Zusammen", str(rounds), *sums]


def test_the_sums_never_stand_alone_on_a_page(summer: tuple[Season, SeasonHistory]) -> None:
    table, history = summer

    def printed(evenings: int) -> Print:
        many = replace(history, evenings=(history.evenings * evenings)[:evenings])
        return Print(season_table(table, language("de"), history=many))

    paper = next(paper for paper in map(printed, count(12)) if len(paper.pages) == 2)
    *_, before, _ = paper.pages[1].partition("Zusammen")[0].splitlines()

    assert re.match(r" *\d\d\.\d\d\.\d{4}", before)


def test_minus_points_and_plus_points_are_not_summed_up(
    summer: tuple[Season, SeasonHistory],
) -> None:
    table, history = summer
    first, *others = history.evenings
    won = tuple(replace(one, worth=7) for one in first.evening.results)
    gin = replace(first, evening=replace(first.evening, results=won))
    mixed = replace(history, evenings=[gin, *others])
    rounds = sum(one.evening.rounds for one in history.evenings)

    assert last_line(table, mixed).split() == ["Zusammen", str(rounds)]


def test_the_samples_to_look_at_show_a_season_in_every_order():
    assert [by for by, _, _ in paper.seasons()] == list(ORDERS)
