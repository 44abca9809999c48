"""The question that a query about the season asks, and what there is to choose."""

from collections.abc import Sequence
from datetime import UTC, date, tzinfo
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

import short
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.season import Choices, Span
from scorekeeper.services import games, groups
from scorekeeper.services.clock import set_clock
from scorekeeper.services.games import new_rules
from scorekeeper.services.seasons import question_of
from scorekeeper.services.statistics import records
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round

NEW_YORK = ZoneInfo("America/New_York")
PLAYED = Choices(("2026",), ("lay", "gin"), ("scala-40", "gin-palast", "german-family"), ("ct",))
"""A group that plays Scala 40 most, and gin on some evenings."""


@pytest.mark.parametrize("by", ["points", "average", "league"])
@pytest.mark.parametrize(
    "query, preset",
    [
        ({}, "scala-40"),
        ({"family": "all"}, None),  # as version 1.0 answered
        ({"family": "gin"}, None),
        ({"system": "german-family"}, "german-family"),
    ],
)
def test_points_are_compared_within_one_system(by, query, preset):
    question = question_of({"by": by, **query}, PLAYED, date(2026, 5, 1))

    assert question.span.preset == preset


@pytest.mark.parametrize("by", ["wins", "money"])
def test_evenings_won_and_money_are_those_of_all_systems_unless_one_is_chosen(by):
    day = date(2026, 5, 1)

    assert question_of({"by": by}, PLAYED, day).span.preset is None
    assert question_of({"by": by, "system": "gin-palast"}, PLAYED, day).span.preset == "gin-palast"


@pytest.mark.parametrize(
    ("query", "years", "first", "last"),
    [
        ({}, ("2026", "2025"), "2026-01-01", "2026-12-31"),
        ({}, ("2025", "2024"), "2025-01-01", "2025-12-31"),  # nothing was played this year
        ({}, (), "2026-01-01", "2026-12-31"),
        ({"year": "2024"}, ("2026", "2024"), "2024-01-01", "2024-12-31"),
        ({"year": "all"}, ("2026",), "0001-01-01", "9999-12-31"),
        ({"first": "2025-10-01"}, ("2026",), "2025-10-01", "9999-12-31"),
        ({"last": "2025-10-01"}, ("2026",), "0001-01-01", "2025-10-01"),
        ({"first": "2025-10-01", "last": "2025-10-01"}, (), "2025-10-01", "2025-10-01"),
    ],
)
def test_the_table_is_that_of_this_year_unless_days_are_chosen(query, years, first, last):
    span = question_of(query, Choices(years, (), (), ()), date(2026, 5, 1)).span

    assert (span.first, span.last) == (first, last)


def test_everything_else_has_a_default_too():
    usual = question_of({}, PLAYED, date(2026, 5, 1))
    nothing = question_of({"by": "money"}, Choices((), (), (), ()), date(2026, 5, 1))
    chosen = question_of({"by": "money", "unit": "ct", "min_rounds": 5}, PLAYED, date(2026, 5, 1))

    assert (usual.by, usual.unit, usual.min_rounds, usual.span.family) == ("average", "ct", 0, None)
    assert (nothing.by, nothing.unit) == ("money", None)
    assert (chosen.by, chosen.unit, chosen.min_rounds) == ("money", "ct", 5)


def test_wrong_days_and_money_in_another_unit_are_refused_together():
    query = {"by": "money", "unit": "Pf", "first": "2026-03-06", "last": "2026-03-05"}
    with pytest.raises(RuleError) as refused:
        question_of(query, PLAYED, date(2026, 5, 1))

    assert [(one.code, one.path, one.facts) for one in refused.value.problems] == [
        ("E_FORM", ("to",), {"why": "dates"}),
        ("E_UNIT", ("unit",), {"units": ("ct",)}),
    ]


def test_another_unit_does_not_matter_where_no_money_is_compared():
    assert question_of({"by": "wins", "unit": "Pf"}, PLAYED, date(2026, 5, 1)).unit == "Pf"


def test_days_are_those_of_the_time_zone_that_is_asked_for():
    assert question_of({}, PLAYED, date(2026, 5, 1)).span.zone is UTC
    assert question_of({}, PLAYED, date(2026, 5, 1), NEW_YORK).span.zone is NEW_YORK


def evening(
    ledger: Ledger, group_id: str, unit: str, *left: int, training: bool = False
) -> None:  # fmt: skip
    rules = new_rules("german-family", {}, {"point_value": Fraction(1), "unit": unit})
    order = NewGame("", "", rules, ledger.group(group_id).players)
    game = groups.open_evening(ledger, group_id, order, training=training, write=Write()).id
    short.record(ledger, game, *left)
    games.end_game(ledger, game, write=Write())


def test_training_offers_no_filter(ledger):
    group_id = groups.create_group(ledger, NewGroup("Training", ("A", "B", "C"))).group.id
    for year, unit, training in ((2023, "Pf", True), (2024, "Pf", True), (2025, "ct", False)):
        with set_clock(f"{year}-02-21T20:00:00Z"):
            evening(ledger, group_id, unit, 0, 10, 20, training=training)

    assert ledger.seasons.choices(group_id) == Choices(
        ("2025",), ("lay",), ("german-family",), ("ct",)
    )


@pytest.mark.parametrize(
    ("zone", "days", "years"),
    [
        (UTC, ("2026-01-01", "2026-01-01", "2026-03-06"), ("2026",)),
        (NEW_YORK, ("2025-12-31", "2026-01-01", "2026-03-05"), ("2026", "2025")),
        (ZoneInfo("Pacific/Auckland"), ("2026-01-01", "2026-01-02", "2026-03-06"), ("2026",)),
    ],
)  # fmt: skip
def test_a_season_has_the_days_of_a_time_zone(
    ledger: Ledger, zone: tzinfo, days: Sequence[str], years: Sequence[str]
) -> None:
    group_id = groups.create_group(ledger, NewGroup(f"Days of {zone}", ("A", "B", "C"))).group.id
    begun = ("2026-01-01T04:59:59Z", "2026-01-01T12:00:00Z", "2026-03-06T01:30:00Z")
    for number, at in enumerate(begun):
        with set_clock(at):
            evening(ledger, group_id, "ct", 0, 10, 20 + number)

    for day in {*days}:
        on_day = Span(first=day, last=day, zone=zone)
        assert ledger.seasons.count_evenings(group_id, on_day) == days.count(day)
    assert ledger.seasons.choices(group_id, zone=zone).years == years
    for span in (Span(zone=zone, first="0001-01-01"), Span(zone=zone, last="9999-12-31")):
        assert ledger.seasons.count_evenings(group_id, span) == len(begun)


def test_partners_win_by_their_lead_over_the_other_side(ledger):
    names = ("Anna", "Ben", "Clara", "Dan")
    group_id = groups.create_group(ledger, NewGroup("Teams", names)).group.id
    rules = new_rules("gin-palast", {"teams": True}, {})
    for left in (20, 25):
        game = groups.open_evening(ledger, group_id, NewGame("", "", rules, names), Write()).id
        points = ({"deadwood": each} for each in (3, left, 4, 30))
        facts = {"outcome": "knock", "knocker": 0, "seats": [*points]}
        short.written(ledger, game, load_round(facts).round, "knock")
        games.end_game(ledger, game, Write())
        mine, theirs = (tally.plus for tally in ledger.game(game).sheet.tallies)
    best = dict(records(ledger, group_id))["lead"]

    assert (best.game, best.member, best.value) == (game, 0, mine - theirs)
