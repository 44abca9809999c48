"""Schemas of rules, games and groups.

API, pages, files and imports share them. They check form only: types, ranges, lengths. What the
rules say is for the domain. The schemas also describe request bodies in the OpenAPI document.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from marshmallow import ValidationError, fields, post_load

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.kinds import Exact
from scorekeeper.domain.rules.presets import preset, stake_options
from scorekeeper.i18n.printable import unprintable
from scorekeeper.wire.rounds import MAX_PLAYERS, PrintableText
from scorekeeper.wire.strict import (
    REASONS,
    Flag,
    ListOf,
    NestedObject,
    ShortText,
    StrictSchema,
    Whole,
    excerpt,
    refuse,
)

MAX_OPTIONS = 100
FIRST_DEALER = "deal.first_dealer"


class Options(fields.Dict):
    """House rules by dotted name; each option checks its own value."""

    default_error_messages = REASONS

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> dict[str, object]:
        if not isinstance(value, dict):
            refuse("type")
        if len(value) > MAX_OPTIONS:
            refuse("length", least=0, most=MAX_OPTIONS)
        return value


class OptionValue(fields.Field[Any]):
    """A value of an option of the rules."""

    default_error_messages = REASONS

    def __init__(self, option: str, **more: Any) -> None:
        self.option, self.kind = option, OPTIONS[option].kind
        about = self.kind.describe()
        if isinstance(types := about.get("type"), list):
            about["type"] = types[0]  # allow_none adds null
        super().__init__(metadata=about, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Any:
        try:
            read = self.kind.read(value)
        except (ValueError, TypeError):
            facts = {"option": self.option, "allowed": self.kind.describe()}
            refuse("range", "E_CONFIG", value=excerpt(str(value)), **facts)
        if isinstance(read, str) and unprintable(read):
            refuse("text")  # a unit that cannot be printed
        return read


class RulesSchema(StrictSchema):
    """A rule system with house rules."""

    preset = ShortText(1, 40, required=True)
    options = Options()

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> RuleSet:
        """Return the rule set; RuleError E_CONFIG at an option that is not valid."""
        began, options = preset(data["preset"]), data.get("options", {})
        for name, value in options.items():
            if isinstance(value, str) and unprintable(value):
                raise RuleError("E_FORM", ("options", excerpt(name)), why="text")
        try:
            return began.override(options) if options else began
        except RuleError as error:
            raise error.under("options") from None


class StakeSchema(StrictSchema):
    """The stake: settle.point_value, settle.unit, settle.payable, settle.stake, and the like."""

    point_value = OptionValue("settle.point_value", allow_none=True)
    unit = OptionValue("settle.unit")
    payable = OptionValue("settle.payable")
    stake = OptionValue("settle.stake")
    rejoin_stake = OptionValue("settle.rejoin_stake", allow_none=True)
    round_stake = OptionValue("settle.round_stake")
    hand_stake = OptionValue("settle.hand_stake", allow_none=True)


class PlayerSchema(StrictSchema):
    """A player at the table."""

    name = PrintableText(1, 40, required=True)


class DetailsSchema(StrictSchema):
    """Title and place of a game."""

    title = PrintableText(0, 80)
    place = PrintableText(0, 80)


class AccountSchema(StrictSchema):
    """A bank account; the IBAN may contain spaces, and is checked later."""

    holder = PrintableText(1, 70, required=True)
    iban = ShortText(0, 60, required=True)


class NewGameSchema(StrictSchema):
    """A game to begin, with the players clockwise."""

    title = PrintableText(0, 80, required=True)
    place = PrintableText(0, 80, load_default="")
    rules = NestedObject(RulesSchema(), required=True)
    players = ListOf(NestedObject(PlayerSchema()), 1, MAX_PLAYERS, required=True)
    stake = NestedObject(StakeSchema(), load_default=dict)
    first_dealer = OptionValue(FIRST_DEALER)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> NewGame:
        """Return the game to begin."""
        rules = with_extras(data["rules"], data)
        players = tuple(player["name"] for player in data["players"])
        return NewGame(data["title"], data["place"], rules, players)


# ---- groups --------------------------------------------------------------------------

MAX_MEMBERS = 100
"""At the founding of a group; members who join later do not count."""
MAX_MEMBER = 9_999
MAX_ENTRY = 10**9


class Amount(fields.Field[Fraction]):
    """An exact number as text, a fraction or a decimal; ``parts`` is its largest denominator.

    Amounts are added up for years, so their common denominator must stay small.
    """

    default_error_messages = REASONS

    def __init__(self, parts: int = 1_000, **more: Any) -> None:
        super().__init__(metadata=Exact().describe(), **more)
        self.parts = parts

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Fraction:
        try:
            read = Exact().read(value)
        except ValueError:
            refuse("amount")
        assert read is not None
        if read.denominator > self.parts:
            refuse("amount")
        return read


class GroupNameSchema(StrictSchema):
    """The name of a group."""

    name = PrintableText(1, 80, required=True)


def with_extras(rules: RuleSet, data: Mapping[str, Any]) -> RuleSet:
    """Return rules with the stake and the first dealer of a body."""
    first = {FIRST_DEALER: data["first_dealer"]} if "first_dealer" in data else {}
    try:
        return rules.override({**stake_options(data.get("stake", {})), **first})
    except RuleError as error:
        raise RuleError.of(map(_at_first_dealer, error.problems)) from None


def _at_first_dealer(problem: Problem) -> Problem:
    """Return a problem at the place where a body names the first dealer."""
    return replace(problem, path=("first_dealer",)) if problem.path == (FIRST_DEALER,) else problem


def rules_with_stake(data: Mapping[str, Any]) -> RuleSet | None:
    """Return the rules of a body including its stake; None if it has no rules."""
    if "rules" not in data:
        if "stake" in data:
            raise ValidationError({"rules": [Problem("E_FORM", {"why": "missing"})]})
        return None
    rules: RuleSet = data["rules"]
    return with_extras(rules, data)


class NewGroupSchema(GroupNameSchema):
    """A group to found, with optional house rules."""

    members = ListOf(NestedObject(PlayerSchema()), 0, MAX_MEMBERS, load_default=list)
    rules = NestedObject(RulesSchema())
    stake = NestedObject(StakeSchema())

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> NewGroup:
        """Return the group to found."""
        members = tuple(member["name"] for member in data["members"])
        return NewGroup(data["name"], members, rules_with_stake(data))


class NewEveningSchema(StrictSchema):
    """An evening to begin; without rules, the usual rules of the group apply."""

    title = PrintableText(0, 80, load_default="")
    place = PrintableText(0, 80, load_default="")
    rules = NestedObject(RulesSchema())
    players = ListOf(NestedObject(PlayerSchema()), 1, MAX_PLAYERS, required=True)
    stake = NestedObject(StakeSchema())
    first_dealer = OptionValue(FIRST_DEALER)
    training = Flag(load_default=False)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the evening, with the stake as part of the rules; None without rules."""
        return {**data, "rules": rules_with_stake(data)}


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
    """A unit of money."""

    unit = OptionValue("settle.unit", required=True)


class UnitsSchema(UnitSchema):
    """Two units, to convert from one into the other."""

    into = OptionValue("settle.unit", required=True, data_key="in")


class RateSchema(UnitsSchema):
    """The value of one unit in another."""

    rate = Amount(1_000_000, required=True)
