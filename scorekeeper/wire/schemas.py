"""Schemas of rules and games.

API, pages, files and imports share them. They check form only: types, ranges, lengths; the domain
checks the rules. The schemas also describe request bodies in the OpenAPI document.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from marshmallow import ValidationError, fields, post_load

from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.kinds import UNFIT, Text, unfit
from scorekeeper.domain.rules.presets import preset, stake_options
from scorekeeper.i18n.printable import unprintable
from scorekeeper.wire.rounds import MAX_PLAYERS, PrintableText
from scorekeeper.wire.strict import ListOf, NestedObject, ShortText, StrictSchema, reasons, refuse

MAX_OPTIONS = 100
FIRST_DEALER = "deal.first_dealer"
UNIT = "settle.unit"


class Options(fields.Dict):
    """House rules by dotted name; each option checks its own value, but texts must be printable.

    Only games of earlier versions have a unit without a name.
    """

    default_error_messages = reasons("object")

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> dict[str, object]:
        if not isinstance(value, dict):
            refuse("type", expected="object")
        if len(value) > MAX_OPTIONS:
            refuse("length", least=0, most=MAX_OPTIONS)
        texts = {name: text for name, text in value.items() if isinstance(text, str)}
        if wrong := [name for name, text in texts.items() if unprintable(text)]:
            raise ValidationError({name: [Problem("E_FORM", {"why": "text"})] for name in wrong})
        if UNIT in texts and not texts[UNIT].strip():
            raise ValidationError({UNIT: [Problem("E_FORM", {"why": "missing"})]})
        return value


class OptionValue(fields.Field[Any]):
    """A value of an option of the rules; a text is not empty unless it ``may_be_empty``."""

    default_error_messages = reasons("string")

    def __init__(self, option: str, *, may_be_empty: bool = False, **more: Any) -> None:
        self.option, self.kind = option, OPTIONS[option].kind
        self.is_written = isinstance(self.kind, Text) and not may_be_empty
        about = self.kind.describe() | ({"minLength": 1} if self.is_written else {})
        if isinstance(types := about.get("type"), list):
            about["type"] = types[0]  # allow_none adds null
        super().__init__(metadata=about, **more)
        self.error_messages["null"] = [self._unfit(None, TypeError())]

    def _unfit(self, value: object, error: Exception) -> Problem:
        facts = {"why": "range", "option": self.option, **unfit(self.kind, value, error)}
        return Problem("E_CONFIG", facts)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Any:
        try:
            read = self.kind.read(value)
        except UNFIT as error:
            raise ValidationError([self._unfit(value, error)]) from None
        if isinstance(read, str) and unprintable(read):
            refuse("text")  # a unit that cannot be printed
        if self.is_written and not read:
            refuse("missing")
        return read


class RulesSchema(StrictSchema):
    """A rule system with house rules."""

    preset = ShortText(1, 40, required=True)
    options = Options()

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> RuleSet:
        """Return the rule set; RuleError E_CONFIG at an option that is not valid."""
        began, options = preset(data["preset"]), data.get("options", {})
        try:
            return began.override(options) if options else began
        except RuleError as error:
            places: dict[str, Where] = {name: ("options", name) for name in options}
            raise where_sent(error, places, "options") from None


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


def with_extras(rules: RuleSet, data: Mapping[str, Any]) -> RuleSet:
    """Return rules with the stake and the first dealer of a body, if it has some."""
    first = {FIRST_DEALER: data["first_dealer"]} if "first_dealer" in data else {}
    stake = data.get("stake", {})
    extras = {**stake_options(stake), **first}
    try:
        return rules.override(extras) if extras else rules
    except RuleError as error:
        places: dict[str, Where] = {FIRST_DEALER: ("first_dealer",)} if first else {}
        raise where_sent(error, {**places, **stake_places(stake)}) from None


def stake_places(stake: Mapping[str, Any]) -> dict[str, Where]:
    """Return where a body names the options of its stake."""
    return {name: ("stake", term) for term, name in zip(stake, stake_options(stake), strict=True)}


def where_sent(error: RuleError, places: Mapping[str, Where], *others: str) -> RuleError:
    """Return an error about options with each finding at an option that was sent.

    ``places`` says where each of these is. Options that contradict them may follow from the rule
    system; a finding about such options alone stays at the first of them, under ``others``.
    """

    def placed(problem: Problem) -> Problem:
        clashing = cast(Iterable[str], problem.facts.get("options", ()))
        named = (places[name] for name in (*map(str, problem.path), *clashing) if name in places)
        return replace(problem, path=next(named, (*others, *problem.path)))

    return RuleError.of(map(placed, error.problems))


def rules_with_stake(data: Mapping[str, Any]) -> RuleSet | None:
    """Return the rules of a body including its stake; None if it has neither.

    This is for bodies with nothing else that a stake alone could belong to.
    """
    if "rules" not in data:
        if "stake" in data:
            raise ValidationError({"rules": [Problem("E_FORM", {"why": "stake_alone"})]})
        return None
    rules: RuleSet = data["rules"]
    return with_extras(rules, data)
