"""A typed evening is found by its day: at the table, in UTC, and by the rounds of an export."""

from collections.abc import Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.days import local_day
from scorekeeper.domain.rules import RuleSet
from scorekeeper.export.tables import game_table
from scorekeeper.services import games, groups
from scorekeeper.services.clock import set_clock
from scorekeeper.services.paper_sheets import SheetPreview, import_sheet, preview_sheet, read_for
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.csv_choices import Choices

NEW_YORK, AUCKLAND = ZoneInfo("America/New_York"), ZoneInfo("Pacific/Auckland")
Rounds = Sequence[tuple[int, ...]]
FRIDAY = ((0, 12, 30), (5, 0, 8))
SATURDAY = ((7, 9, 0), (0, 40, 2))
RULES: RuleSet = short.FAMILY.override({"settle.point_value": "1", "settle.unit": "ct"})


@pytest.fixture
def group(ledger: Ledger) -> str:
    names = ("Anna", "Bernd", "Claire")
    return groups.create_group(ledger, NewGroup("Freitag", names, RULES)).group.id


def evening(ledger: Ledger, group: str, at: str, *rounds: tuple[int, ...]) -> str:
    """Play an evening that begins at a time."""
    with set_clock(at):
        order = NewGame("", "", RULES, ("Anna", "Bernd", "Claire"))
        game = groups.open_evening(ledger, group, order, Write()).id
        for points in rounds:
            short.record(ledger, game, *points)
        if rounds:
            games.end_game(ledger, game, Write())
    return game


def typed(day: str, *rounds: tuple[int, ...]) -> str:
    lines = (";".join(map(str, (day, *points))) for points in rounds)
    return "\n".join(("date;Anna;Bernd;Claire", *lines, ""))


def preview(ledger: Ledger, group: str, text: str, zone: ZoneInfo = NEW_YORK) -> SheetPreview:
    (one,) = previews(ledger, group, text, zone)
    return one


def previews(
    ledger: Ledger, group: str, text: str, zone: ZoneInfo = NEW_YORK
) -> list[SheetPreview]:
    book, choices = ledger.group(group), Choices(zone=zone)
    with set_clock("2026-06-20T12:00:00Z"):
        return preview_sheet(ledger, book, read_for(book, text, choices), RULES)


def take(ledger: Ledger, group: str, text: str, zone: ZoneInfo = NEW_YORK) -> None:
    choices = Choices(zone=zone)
    with set_clock("2026-06-20T12:00:00Z"):
        sheet = read_for(ledger.group(group), text, choices)
        import_sheet(ledger, group, sheet, RULES, Write())


@pytest.mark.parametrize("day", ["2026-06-05", "2026-06-06"])
def test_an_evening_is_found_by_its_day_at_the_table_and_in_utc(ledger, group, day):
    """It began on Friday, the 5th, at half past eight."""
    game = evening(ledger, group, "2026-06-06T00:30:00Z", *FRIDAY)
    before = ledger.group(group).balances

    assert preview(ledger, group, typed(day, *FRIDAY)).state == "known"
    assert preview(ledger, group, typed(day, FRIDAY[0], (5, 0, 9))).state == "differs"

    take(ledger, group, typed(day, *FRIDAY, (0, 1, 2)))
    assert list(ledger.group(group).evenings) == [game]
    assert len(ledger.game(game).sheet.rows) == 3
    assert ledger.group(group).balances != before


def test_the_evenings_before_and_after_are_others(ledger, group):
    evening(ledger, group, "2026-06-06T00:30:00Z", *FRIDAY)

    assert preview(ledger, group, typed("2026-06-04", *FRIDAY)).state == "new"
    assert preview(ledger, group, typed("2026-06-07", *FRIDAY)).state == "new"
    assert preview(ledger, group, typed("2026-06-05", *FRIDAY), AUCKLAND).state == "new"


def test_of_two_evenings_in_a_row_each_is_found(ledger, group):
    """In UTC, Friday's is on Saturday."""
    friday = evening(ledger, group, "2026-06-06T00:30:00Z", *FRIDAY)
    saturday = evening(ledger, group, "2026-06-07T00:30:00Z", *SATURDAY)
    corrected = (SATURDAY[0], (0, 41, 3))
    found = [
        preview(ledger, group, typed(day, *rounds)).existing
        for day, rounds in (
            ("2026-06-05", FRIDAY),
            ("2026-06-06", SATURDAY),
            ("2026-06-06", corrected),
            ("2026-06-06", FRIDAY),
        )
    ]

    assert [one and (one.game.id, len(one.differences)) for one in found] == [
        *((friday, 0), (saturday, 0), (saturday, 1), (friday, 0)),
    ]


def two_days(first: str, *evenings: Rounds) -> str:
    """Return a sheet of two evenings in a row."""
    second = f"{date.fromisoformat(first) + timedelta(days=1)}"
    one, two = (typed(day, *rounds) for day, rounds in zip((first, second), evenings, strict=True))
    return one + two.split("\n", 1)[1]


@pytest.mark.parametrize(
    ("sheet", "states"),
    [
        (two_days("2026-06-05", FRIDAY, SATURDAY), ["known", "new"]),
        (two_days("2026-06-05", (FRIDAY[0], (5, 0, 9)), SATURDAY), ["differs", "new"]),
        (two_days("2026-06-05", (*FRIDAY, (0, 1, 2)), (*FRIDAY, (3, 0, 4))), ["grown", "new"]),
        (two_days("2026-06-06", FRIDAY, SATURDAY), ["known", "new"]),
        (two_days("2026-06-05", SATURDAY, FRIDAY), ["new", "known"]),
    ],
)
def test_a_game_is_one_evening_of_a_sheet(ledger, group, sheet, states):
    """In UTC, Friday's game is on Saturday, so it may be that of either day."""
    evening(ledger, group, "2026-06-06T00:30:00Z", *FRIDAY)

    assert [one.state for one in previews(ledger, group, sheet)] == states


def test_two_evenings_in_a_row_are_imported_beside_each_other(ledger, group):
    friday = evening(ledger, group, "2026-06-06T00:30:00Z", *FRIDAY)
    sheet = two_days("2026-06-05", (*FRIDAY, (0, 1, 2)), (*FRIDAY, (3, 0, 4)))
    take(ledger, group, sheet)

    first, second = sorted(ledger.group(group).evenings, key=lambda one: one != friday)
    assert [
        [row.tallies[2].minus for row in ledger.game(one).sheet.rows] for one in (first, second)
    ] == [[30, 38, 40], [30, 38, 42]]
    assert [one.state for one in previews(ledger, group, sheet)] == ["known", "known"]


def test_the_dates_of_programs_find_two_evenings_in_a_row(ledger, group):
    """In UTC, Friday's game is on Saturday and Saturday's on Sunday."""
    evening(ledger, group, "2026-06-06T00:30:00Z", *FRIDAY)
    evening(ledger, group, "2026-06-07T00:30:00Z", *SATURDAY)
    sheet = two_days("2026-06-06", FRIDAY, SATURDAY)

    assert [one.state for one in previews(ledger, group, sheet)] == ["known", "known"]


def test_an_evening_without_a_round_does_not_get_those_of_the_next_day(ledger, group):
    evening(ledger, group, "2026-06-06T00:30:00Z")

    assert preview(ledger, group, typed("2026-06-06", *SATURDAY)).state == "new"
    assert preview(ledger, group, typed("2026-06-05", *FRIDAY)).state == "grown"


@pytest.mark.parametrize("began", ["2026-06-05T18:00:00Z", "2026-03-01T18:00:00Z"])
def test_the_export_of_an_evening_with_a_corrected_date_is_known(ledger, group, began):
    game = evening(ledger, group, "2026-06-07T15:00:00Z", *FRIDAY)
    games.correct_frame(ledger, game, "date", lambda _: Frame(began=began), Write())
    exported = game_table(ledger.game(game), "rounds")

    assert preview(ledger, group, exported).state == "known"

    short.correct(ledger, game, 2, 6, 0, 8)
    assert preview(ledger, group, exported).state == "differs"
    assert preview(ledger, group, typed("2026-06-07", *FRIDAY)).state == "new"


def test_the_export_of_another_evening_is_not_that_of_the_day_before(ledger, group, elsewhere):
    evening(ledger, group, "2026-06-05T18:00:00Z", *FRIDAY)
    names = ("Anna", "Bernd", "Claire")
    other = groups.create_group(elsewhere, NewGroup("Samstag", names, RULES)).group.id
    saturday = evening(elsewhere, other, "2026-06-06T18:00:00Z", *SATURDAY)
    exported = game_table(elsewhere.game(saturday), "rounds")

    assert preview(ledger, group, exported).state == "new"


@pytest.mark.parametrize("zone", [NEW_YORK, AUCKLAND, ZoneInfo("Pacific/Kiritimati")], ids=str)
def test_a_typed_evening_is_on_its_day_at_the_table_and_in_utc(ledger, group, zone):
    take(ledger, group, typed("2026-06-05", *FRIDAY), zone)
    (game,) = ledger.group(group).evenings
    began = ledger.game(game).created_at

    assert (local_day(began, zone), local_day(began, ZoneInfo("UTC"))) == ("2026-06-05",) * 2
    assert preview(ledger, group, typed("2026-06-05", *FRIDAY), zone).state == "known"


def test_a_time_that_is_none_has_the_day_as_it_is_written():
    assert local_day("gestern", NEW_YORK) == "gestern"
    assert local_day("0001-01-01T00:00:00Z", NEW_YORK) == "0001-01-01"
