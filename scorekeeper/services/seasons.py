"""The season of a group: the question that a query asks, and the table."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, tzinfo
from typing import Any

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.group.rating import ratings
from scorekeeper.domain.group.season import (
    FIRST_DAY,
    LAST_DAY,
    Choices,
    Order,
    Question,
    Season,
    Span,
    standings,
)
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.units import moneys
from scorekeeper.store.ledger import Ledger
from scorekeeper.wire.queries import ALL

BY_POINTS = ("points", "average", "league", "rating")
"""Figures that are compared within one rule system only [dec].

101 points end a game of Scala 40, 500 are won at Rummy 500, and a round of gin brings 20: sums of
them would say who came to which evening, not who plays well. Evenings won, and money, are the
same in every system.
"""


def season(ledger: Ledger, group: Group, question: Question) -> Season:
    """Return the table for a question; RuleError for a rating that the group does not keep."""
    members = standings(
        ledger.seasons.figures(group.id, question.span),
        question.by,
        unit=question.unit or "",  # without any money there is nothing to compare
        min_rounds=question.min_rounds,
        rated=_rated(ledger, group, question.span) if question.by == "rating" else {},
    )
    return Season(group, question, members)


def _rated(ledger: Ledger, group: Group, span: Span) -> dict[int, int]:
    """Return the ratings by member at the end of a span; they go back to the first evening."""
    if not group.rating:
        raise RuleError("E_GROUP", ("by",), why="no_rating")
    evenings = ledger.seasons.pairs(group.id, replace(span, first=FIRST_DAY))
    return {member: belief.shown for member, belief in ratings(evenings).items()}


def question_of(
    query: Mapping[str, Any], choices: Choices, today: date, zone: tzinfo | None = UTC
) -> Question:
    """Return the question of a query, as ``SeasonQuerySchema`` loads it.

    The default is this year, by average, in the rule system and unit that the group plays most. A
    query that names a family gets all of its systems, as in version 1.0 (docs/stability.md).
    Days and years are those of a time zone.
    RuleError for days in the wrong order, and for money in a unit that the group has not.
    """
    by: Order = query.get("by", "average")
    family = query.get("family", ALL)
    preset = query.get("system")
    if not preset and by in BY_POINTS and "family" not in query:  # whoever names it gets all of it
        preset = next(iter(choices.presets), None)
    unit = query.get("unit") or next(iter(moneys(choices.units)), None)
    first, last = _days(query, choices, today)
    found: list[Problem] = []
    if first > last:
        found.append(Problem("E_FORM", {"why": "dates"}, ("to",)))
    if by == "money" and choices.units and unit not in choices.units:
        found.append(Problem("E_UNIT", {"units": choices.units}, ("unit",)))
    if found:
        raise RuleError.of(found)
    family = None if family == ALL else family
    span = Span(first=first, last=last, zone=zone, family=family, preset=preset)
    return Question(by=by, span=span, unit=unit, min_rounds=query.get("min_rounds", 0))


def _days(query: Mapping[str, Any], choices: Choices, today: date) -> tuple[str, str]:
    """Return the first and the last day; the year counts if neither is stated."""
    year = query.get("year")
    if year == ALL or "first" in query or "last" in query:
        return query.get("first", FIRST_DAY), query.get("last", LAST_DAY)
    this = str(today.year)
    year = year or (this if this in choices.years or not choices.years else choices.years[0])
    return year + FIRST_DAY[4:], year + LAST_DAY[4:]
