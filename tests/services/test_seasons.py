"""The question that a query about the season asks."""

from datetime import UTC, date
from zoneinfo import ZoneInfo

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group.season import Choices
from scorekeeper.services.seasons import question_of

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
        ({"year": "all"}, ("2026",), "0000-01-01", "9999-12-31"),
        ({"first": "2025-10-01"}, ("2026",), "2025-10-01", "9999-12-31"),
        ({"last": "2025-10-01"}, ("2026",), "0000-01-01", "2025-10-01"),
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
    zone = ZoneInfo("America/New_York")

    assert question_of({}, PLAYED, date(2026, 5, 1)).span.zone is UTC
    assert question_of({}, PLAYED, date(2026, 5, 1), zone).span.zone is zone
