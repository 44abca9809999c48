"""The outside form of a correction of an evening's frame."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from marshmallow import fields

from scorekeeper.domain.errors import RuleError, Where
from scorekeeper.domain.game.changes import MOST_SEATS
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import TIME
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import stake_options
from scorekeeper.wire.rounds import PrintableText
from scorekeeper.wire.schemas import DetailsSchema, Options, StakeSchema, stake_places, where_sent
from scorekeeper.wire.strict import (
    ListOf,
    NestedObject,
    StrictSchema,
    Whole,
    excerpt,
    reasons,
    refuse,
)

MAX_ROUNDS = 10_000
MAX_DEALERS = 100
FIRST_YEAR = "1900"


class Moment(fields.String):
    """A time in UTC, such as ``2026-03-05T19:30:00Z``."""

    default_error_messages = reasons("string")

    def __init__(self, **more: Any) -> None:
        super().__init__(metadata={"format": "date-time"}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if not isinstance(value, str):
            refuse("type", expected="string")
        try:
            read = datetime.strptime(value, TIME).strftime(TIME)
        except ValueError:
            read = ""
        if read != value or read < FIRST_YEAR:
            refuse("time", value=excerpt(value))
        return read


class NewNameSchema(StrictSchema):
    """A player whose name is corrected; left out, it stays."""

    name = PrintableText(1, 40)


class DealerSchema(StrictSchema):
    """The seat that dealt a round, or is to deal the next one."""

    round = Whole(1, MAX_ROUNDS, required=True)
    seat = Whole(0, MOST_SEATS - 1, required=True)


class FrameSchema(DetailsSchema):
    """Corrections of the frame of an evening; all of them are one change."""

    began = Moment()
    players = ListOf(NestedObject(NewNameSchema()), 1, MOST_SEATS)
    order = ListOf(Whole(0, MOST_SEATS - 1), 2, MOST_SEATS)
    dealers = ListOf(NestedObject(DealerSchema()), 1, MAX_DEALERS)
    options = Options()
    stake = NestedObject(StakeSchema())


def frame_of(body: Mapping[str, Any], game: Game) -> Frame:
    """Return the frame that a loaded body asks for; RuleError E_CONFIG for its rules."""
    named = enumerate(body.get("players", ()))
    return Frame(
        words={name: body[name] for name in ("title", "place") if name in body},
        names={seat: player["name"] for seat, player in named if "name" in player},
        began=body.get("began"),
        order=tuple(body["order"]) if "order" in body else None,
        dealers={dealer["round"]: dealer["seat"] for dealer in body.get("dealers", ())},
        rules=_rules(body, game.rules),
    )


def _rules(body: Mapping[str, Any], rules: RuleSet) -> RuleSet | None:
    options, stake = body.get("options", {}), body.get("stake", {})
    changes = {**options, **stake_options(stake)}
    try:
        return rules.override(changes) if changes else None
    except RuleError as error:
        places: dict[str, Where] = {name: ("options", name) for name in options}
        raise where_sent(error, {**places, **stake_places(stake)}, "options") from None
