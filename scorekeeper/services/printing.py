"""Blank pads: the order for a pad, and printing it; rules cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from marshmallow import ValidationError, fields, post_load

from scorekeeper import pdf
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import check_count
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import LANGUAGES, Language
from scorekeeper.wire.rounds import MAX_PLAYERS
from scorekeeper.wire.schemas import PlayerSchema
from scorekeeper.wire.strict import Choice, StrictSchema, load, reasons, refuse

MAX_LETTERS = 280
USUAL_PLAYERS = 4
YES_NO = ("no", "yes")
PLAYER = PlayerSchema()


class Names(fields.Field[Any]):
    """Names in seat order, as a list or separated by commas; empty ones are left blank."""

    default_error_messages = reasons("string")

    def __init__(self, **more: Any) -> None:
        about = {"type": "string", "maxLength": MAX_LETTERS, "examples": ["Anna,Bernd,,Dieter"]}
        super().__init__(metadata=about, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> tuple[str, ...]:
        if not isinstance(value, str | list):
            refuse("type", expected="string")
        names = value if isinstance(value, list) else value.split(",") if value.strip() else []
        if not all(isinstance(name, str) for name in names):
            refuse("type", expected="string")
        if len(names) > MAX_PLAYERS or sum(map(len, names)) > MAX_LETTERS:
            refuse("length", least=0, most=MAX_PLAYERS)
        return tuple(self._name(name.strip()) for name in names)

    def _name(self, name: str) -> str:
        if not name:
            return ""
        try:
            return str(load(PLAYER, {"name": name})["name"])
        except RuleError as error:
            raise ValidationError(
                [replace(problem, path=()) for problem in error.problems]
            ) from None


@dataclass(frozen=True)
class PadOrder:
    """The order for a pad."""

    size: str
    up: int
    pages: int
    players: int | None
    names: tuple[str, ...]
    teams: bool
    hollywood: bool
    stake: bool
    lang: str | None


class PadSchema(StrictSchema):
    """How to print a pad."""

    size = Choice(*pdf.PAD_SIZES, load_default="A5")
    up = Choice(*map(str, pdf.PADS_PER_PAPER), load_default="1")
    pages = Choice(*(str(n) for n in range(1, pdf.MAX_PAGES + 1)), load_default="1")
    players = Choice(*(str(n) for n in range(2, MAX_PLAYERS + 1)))
    names = Names()
    teams = Choice(*YES_NO, load_default="no")
    hollywood = Choice(*YES_NO, load_default="no")
    stake = Choice(*YES_NO, load_default="yes")
    lang = Choice(*LANGUAGES)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> PadOrder:
        """Return the order."""
        players = data.get("players")
        return PadOrder(
            size=data["size"],
            up=int(data["up"]),
            pages=int(data["pages"]),
            players=int(players) if players else None,
            names=data.get("names", ()),
            teams=data["teams"] == "yes",
            hollywood=data["hollywood"] == "yes",
            stake=data["stake"] == "yes",
            lang=data.get("lang"),
        )


PAD_SCHEMA = PadSchema()


def pad_order(values: Mapping[str, object]) -> PadOrder:
    """Return the order for a pad; FormError if it is not valid."""
    order: PadOrder = load(PAD_SCHEMA, dict(values))
    return order


def printed_pad(name: str, order: PadOrder, lang: Language) -> bytes:
    """Return the pad of a rule system; RuleError E_CONFIG for a wrong number of players.

    More may play than usual, if the cards suffice for them.
    """
    rules, wanted = preset(name), max(order.players or 0, len(order.names))
    if order.teams:
        rules = rules.override({"teams": True})
    elif order.hollywood:
        rules = rules.override({"gin.hollywood": True})
    elif wanted > rules.players.max:
        rules = _for_more(rules, wanted)
    if not order.stake:
        rules = rules.override({"settle.mode": "none"})
    return pdf.blank_pad(
        rules,
        lang,
        sides(rules, order.players, order.names),
        size=order.size,
        up=order.up,
        pages=order.pages,
    )


def _for_more(rules: RuleSet, players: int) -> RuleSet:
    try:
        return rules.override({"players.max": players})
    except RuleError as error:
        raise RuleError.of([replace(one, path=("players",)) for one in error.problems]) from None


def printed_card(name: str, lang: Language) -> bytes:
    """Return the rules of a rule system on one page."""
    return pdf.rules_card(preset(name), lang)


def sides(rules: RuleSet, players: int | None, names: Sequence[str]) -> list[str]:
    """Return the columns of the pad, empty where there is no name; partners share one."""
    usual = min(USUAL_PLAYERS, rules.players.max)
    count = max(players or len(names) or usual, len(names))
    check_count(rules, count)
    seated = [*names, *[""] * (count - len(names))]
    if not rules.teams:
        return seated
    return [" + ".join(filter(None, seated[side::2])) for side in range(2)]
