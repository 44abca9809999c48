"""Schemas of groups: their members, evenings and payments."""

import re
from fractions import Fraction
from typing import Any

from marshmallow import fields, post_load

from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rules.kinds import MAX_DIGITS, Exact
from scorekeeper.wire.rounds import MAX_PLAYERS, PrintableText
from scorekeeper.wire.schemas import (
    FIRST_DEALER,
    OptionValue,
    PlayerSchema,
    RulesSchema,
    StakeSchema,
    rules_with_stake,
)
from scorekeeper.wire.strict import Flag, ListOf, NestedObject, StrictSchema, Whole, reasons, refuse

MAX_MEMBERS = 100
"""At the founding of a group; members who join later do not count."""
MAX_MEMBER = 9_999
MAX_ENTRY = 10**9


NUMBER = re.compile(r"[0-9]+(/0*[1-9][0-9]*|\.[0-9]+)?")
"""An amount of any size."""


class Amount(fields.Field[Fraction]):
    """An exact number as text, a fraction or a decimal; ``parts`` is its largest denominator.

    Amounts are added up for years, so their common denominator must stay small.
    """

    default_error_messages = reasons("string")

    def __init__(self, parts: int = 1_000, **more: Any) -> None:
        bounds = f"as a fraction at most {10**MAX_DIGITS} above the line and {parts} below it"
        super().__init__(metadata={**Exact().describe(), "description": bounds}, **more)
        self.parts = parts

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Fraction:
        try:
            read = Exact().read(value)
        except ValueError:
            if not isinstance(value, str) or not NUMBER.fullmatch(value):
                refuse("amount")
            read = None
        if read is None or read.denominator > self.parts:
            refuse("amount_size", most=10**MAX_DIGITS, parts=self.parts)
        return read


class GroupNameSchema(StrictSchema):
    """The name of a group."""

    name = PrintableText(1, 80, required=True)


class NewGroupSchema(GroupNameSchema):
    """A group to found, with optional house rules; a stake only together with rules."""

    members = ListOf(NestedObject(PlayerSchema()), 0, MAX_MEMBERS, load_default=list)
    rules = NestedObject(RulesSchema())
    stake = NestedObject(StakeSchema())

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> NewGroup:
        """Return the group to found."""
        members = tuple(member["name"] for member in data["members"])
        return NewGroup(data["name"], members, rules_with_stake(data))


class NewEveningSchema(StrictSchema):
    """An evening to begin; without rules or stake, those that are usual in the group apply."""

    title = PrintableText(0, 80, load_default="")
    place = PrintableText(0, 80, load_default="")
    rules = NestedObject(RulesSchema())
    players = ListOf(NestedObject(PlayerSchema()), 1, MAX_PLAYERS, required=True)
    stake = NestedObject(StakeSchema())
    first_dealer = OptionValue(FIRST_DEALER)
    training = Flag(load_default=False)


class PaymentSchema(StrictSchema):
    """A payment between two members."""

    payer = Whole(0, MAX_MEMBER, required=True, data_key="from")
    payee = Whole(0, MAX_MEMBER, required=True, data_key="to")
    amount = Amount(required=True)
    unit = OptionValue("settle.unit", required=True)
    note = PrintableText(0, 280)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the payment, its unit and note."""
        payer, payee, amount = (data.pop(name) for name in ("payer", "payee", "amount"))
        return {"payment": Transfer(payer, payee, amount), **data}


class UnitSchema(StrictSchema):
    """A unit of money; it may be empty where there are balances without one."""

    unit = OptionValue("settle.unit", may_be_empty=True, required=True)


class UnitsSchema(UnitSchema):
    """Two units, to convert from one into the other."""

    into = OptionValue("settle.unit", required=True, data_key="in")


class RateSchema(UnitsSchema):
    """The value of one unit in another."""

    rate = Amount(1_000_000, required=True)
