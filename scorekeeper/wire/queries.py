"""Query strings about a group's evenings."""

import re
from datetime import date
from typing import Any, get_args

from marshmallow import ValidationError, fields, post_load

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.group.season import FIRST_DAY, LAST_DAY, Order, Span
from scorekeeper.domain.rules import FAMILIES
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.wire.schemas import OptionValue
from scorekeeper.wire.strict import (
    MAX_DIGITS,
    Choice,
    ShortText,
    StrictSchema,
    Whole,
    excerpt,
    reasons,
    refuse,
)

NUMBER = re.compile(r"-?[0-9]+")
MAX_ROUNDS = 10_000
ORDERS: tuple[Order, ...] = get_args(Order)
ALL = "all"
SPAN = ("first", "last", "family", "preset")


class Day(fields.String):
    """A date, such as ``2026-03-05``."""

    default_error_messages = reasons("string")

    def __init__(self, **more: Any) -> None:
        super().__init__(metadata={"format": "date", "examples": ["2026-03-05"]}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if not isinstance(value, str):
            refuse("type", expected="string")
        return _day(value, value)


def _day(day: str, value: str) -> str:
    """Return a date in its usual form; ``value`` is what was sent."""
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        refuse("date", value=excerpt(value))


class Year(ShortText):
    """A year, or ``all``."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> str:
        year = super()._deserialize(value, attr, data, **more)
        return year if year == ALL else _day(f"{year}-01-01", year)[:4]


class Digits(Whole):
    """A whole number in a range, in decimal digits."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> int:
        if not (isinstance(value, str) and NUMBER.fullmatch(value)):
            refuse("type", least=self.least, most=self.most, expected="integer")
        if len(value) > MAX_DIGITS:
            refuse("range", self.code, least=self.least, most=self.most, value=excerpt(value))
        return super()._deserialize(int(value), attr, data, **more)


class SpanSchema(StrictSchema):
    """Which evenings: first and last day, family of rules, rule system; all by default."""

    first = Day(data_key="from")
    last = Day(data_key="to")
    family = Choice(*FAMILIES)
    preset = Choice(*PRESETS, data_key="system")

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Any:
        """Fill in missing days, and refuse a first day after the last."""
        days = {"first": FIRST_DAY, "last": LAST_DAY} | data
        if days["first"] > days["last"]:
            raise ValidationError({"to": [Problem("E_FORM", {"why": "dates"})]})
        return days


def span_of(query: dict[str, Any], *, training: bool = False) -> Span:
    """Return the evenings that a query selects."""
    asked = {name: query[name] for name in SPAN if name in query}
    return Span(**asked, training=training)


class SeasonQuerySchema(StrictSchema):
    """Which table; by default the average of this year in the system and unit played most."""

    by = Choice(*ORDERS)
    year = Year(1, 4)
    first = Day(data_key="from")
    last = Day(data_key="to")
    family = Choice(*FAMILIES, ALL)
    system = Choice(*PRESETS)
    unit = OptionValue("settle.unit", may_be_empty=True)
    min_rounds = Digits(0, MAX_ROUNDS)
