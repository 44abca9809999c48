"""Fields of query strings about a group's evenings."""

from datetime import date
from typing import Any

from marshmallow import ValidationError, fields, post_load

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.options import FAMILIES
from scorekeeper.domain.season import FIRST_DAY, LAST_DAY, Span
from scorekeeper.wire.strict import REASONS, Choice, StrictSchema, Whole, excerpt, refuse

MAX_DIGITS = 9


class Day(fields.String):
    """A date, such as ``2026-03-05``."""

    default_error_messages = REASONS

    def __init__(self, **more: Any) -> None:
        super().__init__(metadata={"format": "date", "examples": ["2026-03-05"]}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        try:
            day = date.fromisoformat(value).isoformat()
        except ValueError:
            refuse("date", value=excerpt(value))
        return day


class Digits(Whole):
    """A whole number in a range, in decimal digits."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> int:
        if not (value.isascii() and value.isdecimal() and len(value) <= MAX_DIGITS):
            refuse("type", least=self.least, most=self.most)
        return super()._deserialize(int(value), attr, data, **more)


class SpanSchema(StrictSchema):
    """Which evenings: first and last day, and the family of rules; all by default."""

    first = Day(data_key="from")
    last = Day(data_key="to")
    family = Choice(*FAMILIES)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Any:
        """Fill in missing days, and refuse a first day after the last."""
        days = {"first": FIRST_DAY, "last": LAST_DAY} | data
        if days["first"] > days["last"]:
            raise ValidationError({"to": [Problem("E_FORM", {"why": "dates"})]})
        return days


def span_of(query: dict[str, Any], *, training: bool = False) -> Span:
    """Return the evenings that a query selects."""
    return Span(
        first=query["first"], last=query["last"], family=query.get("family"), training=training
    )
