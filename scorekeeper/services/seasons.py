"""The season of a group: reading the query, and the table."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import cast, get_args

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.group import Group
from scorekeeper.domain.options import FAMILIES
from scorekeeper.domain.season import FIRST_DAY, LAST_DAY, Choices, Order, Question, Season, Span
from scorekeeper.services import groups
from scorekeeper.store.ledger import Ledger
from scorekeeper.wire.strict import excerpt

ORDERS: tuple[Order, ...] = get_args(Order)
ALL = "all"
MAX_ROUNDS = 10_000
BY_POINTS = ("points", "average", "league")
"""Measures that cannot be compared across families: minus points in Rommé, plus points in gin."""


def season(ledger: Ledger, group: Group, question: Question) -> Season:
    """Return the table for a question."""
    standings = groups.season(
        ledger,
        group,
        question.by,
        question.span,
        unit=question.unit or "",  # without any money there is nothing to compare
        min_rounds=question.min_rounds,
    )
    return Season(group, question, standings)


def read_question(fields: Mapping[str, str], choices: Choices, today: date) -> Question:
    """Return the question of a query: ``by``, ``year`` or ``from`` and ``to``, and so on.

    The default is this year, by average, in the family and unit that the group plays most.
    RuleError with all fields that are not valid.
    """
    found: list[Problem] = []
    by = _one_of("by", fields.get("by", "average"), ORDERS, found)
    most_played = choices.families[0] if choices.families else ALL
    usual = most_played if by in BY_POINTS else ALL
    family = _one_of("family", fields.get("family") or usual, (*FAMILIES, ALL), found)
    year = fields.get("year", "")
    dated = bool(fields.get("from") or fields.get("to"))
    if not year and not dated:
        this = str(today.year)
        year = this if this in choices.years or not choices.years else choices.years[0]
    if dated or year == ALL:
        first = _day("from", fields.get("from"), FIRST_DAY, found)
        last = _day("to", fields.get("to"), LAST_DAY, found)
    else:
        first = _day("year", f"{year}-01-01", FIRST_DAY, found)
        last = first[:4] + LAST_DAY[4:]
    if first > last:
        found.append(Problem("E_FORM", {"why": "dates"}, ("to",)))
    rounds = _rounds(fields.get("min_rounds") or "0", found)
    unit = fields.get("unit", "").strip() or next(iter(choices.units), None)
    if by == "money" and choices.units and unit not in choices.units:
        found.append(Problem("E_UNIT", {"units": choices.units}, ("unit",)))
    if found:
        raise RuleError.of(found)
    return Question(
        by=cast(Order, by),
        span=Span(first=first, last=last, family=None if family == ALL else family),
        unit=unit,
        min_rounds=rounds,
    )


def _one_of(name: str, value: str, allowed: Sequence[str], found: list[Problem]) -> str:
    if value not in allowed:
        facts = {"why": "choice", "value": excerpt(value), "allowed": tuple(allowed)}
        found.append(Problem("E_FORM", facts, (name,)))
    return value


def _day(name: str, text: str | None, usual: str, found: list[Problem]) -> str:
    try:
        return date.fromisoformat(text).isoformat() if text else usual
    except ValueError:
        found.append(Problem("E_FORM", {"why": "date", "value": excerpt(text or "")}, (name,)))
        return usual


def _rounds(text: str, found: list[Problem]) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= MAX_ROUNDS:
        return int(text)
    facts = {"why": "range", "least": 0, "most": MAX_ROUNDS}
    found.append(Problem("E_FORM", facts, ("min_rounds",)))
    return 0
