"""The question that a query about the season asks."""

from datetime import date

import pytest

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
