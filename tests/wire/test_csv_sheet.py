"""Typed score sheets: clear input is read, the rest is refused with its place."""

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import short
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import groups
from scorekeeper.services.clock import set_clock
from scorekeeper.services.games import new_rules
from scorekeeper.services.paper_sheets import import_sheet, preview_sheet, read_for
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import Write
from scorekeeper.wire.csv_choices import Choices
from scorekeeper.wire.csv_sheet import MAX_ROWS, SheetEvening
from scorekeeper.wire.csv_sheet import read_sheet as read

FAMILY = new_rules("german-family", {}, {"point_value": "1/10", "unit": "Pf"})
SHEET = """Datum;Anna;Bernd;Claire
5.3.2026;0;35;12
;20;;0
2026-03-12;;0;41
"""


TODAY = date(2026, 11, 20)
DAYS = "".join(f"{TODAY - timedelta(400 - day)};0;5\n" for day in range(401))
EVERYBODY = Choices(frozenset(("Anna", "Bernd", "Claire", *"ABCDEFG")))


def read_sheet(text: str, **choices: Any) -> tuple[SheetEvening, ...]:
    """Return the evenings of a sheet."""
    return read(text, choices=Choices(**choices), latest=TODAY).evenings


def refused(text: str) -> list[tuple[object, ...]]:
    """Return the reason, line and column of each problem."""
    with pytest.raises(RuleError) as error:
        read_sheet(text)
    assert all(problem.code == "E_SHEET" for problem in error.value.problems)
    return [
        tuple(problem.facts[name] for name in ("why", "line", "column") if name in problem.facts)
        for problem in error.value.problems
    ]


# ---- reading -------------------------------------------------------------------------


def test_four_hundred_evenings_are_read_at_once():
    assert len(read_sheet("Date;A;B\n" + DAYS.partition("\n")[2])) == 400


def test_a_sheet_is_read_evening_by_evening():
    first, second = read_sheet(SHEET)

    assert first == SheetEvening(
        "2026-03-05", ("Anna", "Bernd", "Claire"), ((0, 35, 12), (20, None, 0)), (2, 3)
    )
    assert second == SheetEvening("2026-03-12", ("Bernd", "Claire"), ((0, 41),), (4,))


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_separator_of_columns_is_detected(separator, end):
    text = SHEET.replace(";", separator).replace("\n", end)

    assert read_sheet(text) == read_sheet(SHEET)


def test_empty_lines_and_columns_are_skipped():
    spaced = "\n" + SHEET.replace("\n", ";;\n\n;;;\n")

    assert [one.rounds for one in read_sheet(spaced)] == [one.rounds for one in read_sheet(SHEET)]


@pytest.mark.parametrize(
    "written",
    [
        *("2026-03-05", "2026-3-5", "2026/03/05", "5.3.2026", "05.03.2026", "5. 3. 2026", "5.3.26"),
        *("05.03.2026 00:00", "2026-03-05T19:30:00Z"),
    ],
)
def test_a_day_is_read_as_people_and_spreadsheets_write_it(written):
    (evening,) = read_sheet(f"Date,A,B\n{written},0,5")

    assert evening.day == "2026-03-05"


def test_the_earliest_day_is_the_first_of_1900():
    (evening,) = read_sheet("Date,A,B\n1.1.1900,0,5")

    assert evening.day == "1900-01-01"
    assert refused("Date,A,B\n31.12.1899,0,5") == [("date", 2, 1)]


@pytest.mark.parametrize(
    "written", ["2026-13-01", "30.2.2026", "31/31/2026", "Donnerstag", "٢٠٢٦-03-05", "26-03-05"]
)
def test_an_invalid_day_is_refused(written):
    assert refused(f"Date,A,B\n{written},0,5") == [("date", 2, 1)]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", ("empty",)),
        ("Date;A;B", ("empty",)),
        ("2026-03-05;0;5", ("header", 1)),
        ("Date;A", ("header", 1)),
        ("Date;A;;C\n2026-03-05;0;5;7", ("columns", 2, 3)),
        ("Date;A;" + "B" * 41 + "\n2026-03-05;0;5", ("player", 1, 3)),
        ("Date;A;\u202eB\n2026-03-05;0;5", ("player", 1, 3)),
        ("Date;A;B;A\n2026-03-05;0;5;7", ("same_name", 1, 4)),
        ("Date;A;Summe\n2026-03-05;0;5", ("header", 1)),
        ("Round;A;B\n1;0;5", ("header", 1)),
        ("Date;A;B\n2026-03-05;0;5;7", ("columns", 2, 4)),
        ("Date;A;B\n;0;5", ("no_date", 2, 1)),
        ("Date;A;B\n# a good evening\n2026-03-05;0;5", ("comment", 2, 1)),
        ("Date;A;B\n2026-03-05;0;-5", ("points", 2, 3)),
        ("Date;A;B\n2026-03-05;0;5,5", ("points", 2, 3)),
        ("Date;A;B\n2026-03-05;0;=1+1", ("points", 2, 3)),
        ("Date;A;B\n2026-03-05;0;12345", ("points", 2, 3)),
        ("Date;A;B\n2026-03-05;0;²", ("points", 2, 3)),
        ("Date;A;B\n2026-03-05;0", ("few", 2)),
        ("at;status;record;note\n2026-03-05;0;5;7", ("header", 1)),  # no export: no notes before
        ("Date;A;B\n2026-03-05;5;7", ("no_winner", 2)),
        ("Date;A;B\n2026-03-05;0;0", ("winners", 2)),
        ('Date;A;B\n"2026-03-05;0;5', ("quotes", 2)),
        ("Date;A;B\n" + "2026-03-05;0;5\n" * (MAX_ROWS + 1), ("rows", MAX_ROWS + 2)),
    ],
)
def test_ambiguous_cells_are_refused_with_their_position(text, where):
    assert refused(text)[0] == where


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Date;A;\u202eB\n2026-03-05;0;5", ("player", 1, 3, {"value": "\u202eB"})),
        ("Date;A;B;A\n2026-03-05;0;5;7", ("same_name", 1, 4, {"value": "A"})),
        ("Date;A;B\n# well\n2026-03-05;0;5", ("comment", 2, 1, {"value": "# well"})),
        ("Date;A;B\n;0;5", ("no_date", 2, 1, {})),
        ("Date;A;B\nMay;0;5", ("date", 2, 1, {"value": "May"})),
        ("Date;A;B\n3/5/2026;0;5\n3/6/2026;0;5", ("day_month", 2, 1, {"value": "3/5/2026"})),
        (
            "Date;A;B\n21.11.2026;0;5",
            ("future", 2, 1, {"value": "21.11.2026", "day": "2026-11-21"}),
        ),
        ("Date;A;B\n2026-03-05;0;5\n;0;y", ("points", 3, 3, {"value": "y", "most": 9999})),
        ("Date;A;B\n2026-03-05;0;10000", ("points", 2, 3, {"value": "10000", "most": 9999})),
        (
            "Date;A;B\n2026-03-05;0;5\n;0;" + 41 * "y",
            ("points", 3, 3, {"value": 40 * "y", "most": 9999}),
        ),
        ("Date;A;B;C\n2026-03-05;0;5;0", ("winners", 2, None, {"players": ["A", "C"]})),
        ("Date;A;B;First drop\n2026-03-05;0;20;C", ("nobody", 2, 4, {"value": "C"})),
        ("Date;A;B;Wild\n2026-03-05;0;20;C", ("wild", 2, 4, {"value": "C"})),
        ("Date;A;B\n" + "2026-03-05;0;5\n" * 5001, ("rows", 5002, None, {"most": 5000})),
        ("Date;A;B\n" + DAYS, ("evenings", 402, None, {"most": 400})),
        ("Date;A;B\n2026-03-05;0;5" + 38 * ";1", ("columns", 2, 41, {})),
    ],
)
def test_a_refusal_has_the_facts_of_its_sentence(text, facts):
    why, line, column, more = facts
    with pytest.raises(RuleError) as error:
        read_sheet(text)
    problem = error.value.problems[0]
    where = {"line": line} if column is None else {"line": line, "column": column}

    assert dict(problem.facts) == {"why": why, **where, **more}
    assert problem.path == tuple(part for pair in where.items() for part in pair)


def test_totals_that_fall_are_refused_with_both_numbers():
    with pytest.raises(RuleError) as error:
        read_sheet("Date;A;B\n2026-03-05;0;35\n;20;30", points="totals")

    assert [dict(problem.facts) for problem in error.value.problems] == [
        {"why": "falls", "line": 3, "column": 3, "value": 30, "before": 35}
    ]


def test_all_errors_are_reported_at_once():
    found = refused("Date;A;B\n2026-03-05;0;y\n2026-03-05;1;2\n7;0;5")

    assert found == [("points", 2, 3), ("no_winner", 3), ("date", 4, 1)]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_reason_is_worded_with_its_line(code):
    lang = language(code)
    with pytest.raises(RuleError) as error:
        read_sheet("Date;A;B\n2026-03-05;0;0\n2026-03-05;1;y7")
    sentences = [lang.problem(problem) for problem in error.value.problems]

    assert "2" in sentences[0]
    assert lang.all_of(["A", "B"]) in sentences[0]
    assert "3" in sentences[1]
    assert "y7" in sentences[1]


SHEETS = st.text(
    alphabet=st.characters() | st.sampled_from(";,\t\n0123456789.-\"'=#"), max_size=200
)
CELLS = st.sampled_from(
    ["", "A", "B", "0", "5", "35,0", "1/2/26", "5.3.26", "x", "Total", "#", "Nr"]
)
TABLES = st.lists(st.lists(CELLS, max_size=5).map(";".join), max_size=7).map("\n".join)


@given(
    SHEETS | TABLES,
    st.sampled_from([None, "rounds", "totals"]),
    st.sampled_from([None, "day_first", "month_first"]),
)
def test_any_text_is_read_or_refused(text, kind, order):
    try:
        read_sheet(text, new_members=frozenset("AB"), points=kind, dates=order)
    except RuleError as error:
        for problem in error.problems:
            assert language("de").problem(problem)


@given(
    st.lists(
        st.tuples(st.dates(date(1990, 1, 1), TODAY), st.integers(0, 3)),
        min_size=1,
        max_size=6,
        unique_by=lambda row: row[0],
    ),
    st.lists(st.lists(st.integers(1, 300), min_size=4, max_size=4), min_size=1, max_size=5),
    st.sampled_from(";,\t"),
)
def test_a_typed_sheet_is_read_as_written(days, rounds, separator):
    lines = [separator.join(("Date", "A", "B", "C", "D"))]
    for day, winner in days:
        for row in rounds:
            cells = [str(0 if seat == winner else points) for seat, points in enumerate(row)]
            lines.append(separator.join((day.isoformat(), *cells)))
    names = frozenset("ABCD")
    evenings = read_sheet("\n".join(lines), new_members=names, points="rounds")

    assert [one.day for one in evenings] == sorted(day.isoformat() for day, _ in days)
    assert sum(map(sum, (row for one in evenings for row in one.rounds))) == sum(
        points
        for _, winner in days
        for row in rounds
        for s, points in enumerate(row)
        if s != winner
    )


# ---- importing -----------------------------------------------------------------------


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = open_ledger(tmp_path / "sheets.sqlite")
    yield ledger
    assert check(ledger).good
    ledger.close()


@pytest.fixture
def group(ledger: Ledger) -> str:
    return groups.create_group(ledger, NewGroup("Freitag", ("Bernd", "Anna"))).group.id


def take(ledger, group, text=SHEET, rules=FAMILY, **more):
    choices = more.pop("choices", EVERYBODY)
    sheet = read_for(ledger.group(group), text, choices)
    return import_sheet(ledger, group, sheet, rules, Write(**more))


def preview(ledger, group, text=SHEET, rules=FAMILY, choices=EVERYBODY):
    book = ledger.group(group)
    return preview_sheet(ledger, book, read_for(book, text, choices), rules)


def why(error: pytest.ExceptionInfo[RuleError]) -> list[object]:
    return [problem.facts.get("why") for problem in error.value.problems]


def test_a_preview_shows_the_evenings_it_read(ledger, group):
    first, second = preview(ledger, group)

    assert first.members == (1, 0, None)
    assert first.totals == (20, 35, 12)
    assert first.winners == ("Claire",)
    assert second.winners == ("Bernd",)
    assert not first.known
    assert ledger.group(group).evenings == {}


def test_imported_evenings_are_like_recorded_ones(ledger, group):
    with set_clock("2026-11-20T19:00:00Z"):
        after = take(ledger, group)
    second, first = ledger.seasons.evenings(group)

    assert after.players == ("Bernd", "Anna", "Claire")
    assert (first.day, second.day) == ("2026-03-05", "2026-03-12")
    assert first.seating.members == (1, 0, 2)
    assert [one.minus for one in first.evening.results] == [20, 35, 12]
    # Anna gets 35 from Bernd and gives Claire 8; Claire gets 23 from Bernd and gives him 41 back
    assert after.balance("Pf") == (Fraction(-17, 10), Fraction(27, 10), Fraction(-10, 10))
    assert all(ledger.game(game).is_over for game in after.evenings)
    assert ledger.events(first.game)[0].payload["typed"] == "2026-11-20T19:00:00Z"


def test_a_sheet_imported_again_is_reported_and_not_stored(ledger, group):
    take(ledger, group)
    with pytest.raises(RuleError) as error:
        take(ledger, group)

    assert why(error) == ["known", "known"]
    assert [problem.facts["line"] for problem in error.value.problems] == [2, 4]
    assert len(ledger.group(group).evenings) == 2


def test_of_a_sheet_with_one_more_evening_only_that_is_imported(ledger, group):
    before = take(ledger, group)
    after = take(ledger, group, SHEET + "19.3.2026;0;5;7\n")

    assert len(after.evenings) == 3
    assert list(after.evenings)[:2] == list(before.evenings)


def test_at_most_twenty_errors_are_reported(ledger, group):
    days = [f"2026-{month}-{day}" for month in (9, 10) for day in range(10, 28)]
    unclear = "Date;A;B\n" + "".join(f"{day};0;y7\n" for day in days)
    too_many = "Date;A;B;C;D;E;F;G\n" + "".join(f"{day};0{';1' * 6}\n" for day in days)
    fair = "Date;A;B\n" + "".join(f"{day};0;1\n" for day in days)
    take(ledger, group, fair)

    assert refused(unclear) == [("points", line, 3) for line in range(2, 22)]
    for text, answer in ((too_many, "players"), (fair, "known")):
        with pytest.raises(RuleError) as error:
            take(ledger, group, text)
        assert why(error) == [answer] * 20


def test_an_evening_recorded_here_is_not_imported_again_from_its_sheet(ledger, group):
    order = NewGame("", "", FAMILY, ("Anna", "Bernd"))
    game = groups.open_evening(ledger, group, order, write=Write())
    short.record(ledger, game.id, 15, 0, hand_romme=True)
    with pytest.raises(RuleError) as error:
        take(ledger, group, f"Date,Bernd,Anna\n{game.created_at[:10]},0,15")

    assert why(error) == ["known"]


def test_a_repeated_import_of_a_sheet_is_made_once(ledger, group):
    first, again = (take(ledger, group, key="press") for _ in range(2))

    assert len(again.evenings) == len(first.evenings) == 2


def test_all_evenings_of_a_sheet_are_imported_or_none(ledger, group):
    crowd = "Date;A;B;C;D;E;F;G\n2026-03-05;0;5;;;;;\n2026-03-06;0;1;2;3;4;5;6"
    with pytest.raises(RuleError) as error:
        take(ledger, group, crowd)

    assert why(error) == ["players"]
    assert ledger.group(group).version == 1
    assert ledger.store.engine.row("SELECT count(*) FROM books")[0] == 1


def test_rows_after_the_end_of_a_game_are_refused_with_their_line(ledger, group):
    palast = new_rules("romme-palast", {})
    with pytest.raises(RuleError) as error:
        take(ledger, group, "Date;A;B\n2026-03-05;0;501\n;0;5", palast)

    assert [(p.facts["why"], p.facts["line"]) for p in error.value.problems] == [("over", 3)]


def test_sheets_of_knocking_games_are_not_imported(ledger, group):
    with pytest.raises(RuleError) as error:
        take(ledger, group, SHEET, new_rules("knock-rummy", {}))

    assert why(error) == ["family"]


@pytest.mark.parametrize("preset", ["romme-palast", "luxembourg", "wiener", "robber"])
def test_a_recorded_evening_is_recognised_under_all_rule_systems_with_points(ledger, group, preset):
    rules = new_rules(preset, {})
    take(ledger, group, "Date;A;B\n2026-03-05;0;30", rules)
    (again,) = preview(ledger, group, "Date;B;A\n2026-03-05;30;0", rules)

    assert again.known
