"""Schemas of tournaments: the plan, entrants, typed results."""

from typing import Any

from marshmallow import post_load

from scorekeeper.domain.group.tables import Stated
from scorekeeper.domain.tournament.changes import MAX_WINS, MAX_WORTH, Entry
from scorekeeper.domain.tournament.plan import (
    FORMAT_NAMES,
    FORMATS,
    MAX_MINUTES,
    MAX_PRIZES,
    MAX_ROUNDS,
    MAX_SHARE,
    REMAINDERS,
    SIZES,
    Money,
    Plan,
    without_stakes,
)
from scorekeeper.domain.tournament.scale import MOST_POINTS, MOST_STEPS, TIE_BREAKS, Scale
from scorekeeper.wire.groups import Amount
from scorekeeper.wire.rounds import PrintableText
from scorekeeper.wire.schemas import OptionValue, RulesSchema
from scorekeeper.wire.strict import Choice, Flag, ListOf, NestedObject, StrictSchema, Whole

MOST_ENTRIES = 1_000
"""In one body; how many may enter is for the tournament to say."""


def _points(**more: Any) -> Whole:
    return Whole(-MOST_POINTS, MOST_POINTS, **more)


class LeftSchema(StrictSchema):
    """A bonus for each lost round with at most ``most`` points left in hand."""

    most = Whole(0, MOST_POINTS, required=True)
    points = _points(required=True)


class VictorySchema(StrictSchema):
    """Victory points of both entrants, from a difference of their results on."""

    difference = Whole(0, MOST_POINTS, required=True)
    better = _points(required=True)
    other = _points(required=True)


class ScaleSchema(StrictSchema):
    """The worth of a table's result; kinds of points that are left out do not count."""

    places = ListOf(_points(), 0, MOST_STEPS, load_default=list)
    net = Flag(load_default=False)
    win = _points(load_default=0)
    hand_win = _points(load_default=0)
    left = ListOf(NestedObject(LeftSchema()), 0, MOST_STEPS, load_default=list)
    victory = ListOf(NestedObject(VictorySchema()), 0, MOST_STEPS, load_default=list)
    most = _points(allow_none=True, load_default=None)
    least = _points(allow_none=True, load_default=None)
    sit_out = _points(load_default=0)
    tie_breaks = ListOf(
        Choice(*TIE_BREAKS), 0, len(TIE_BREAKS), load_default=lambda: list(Scale().tie_breaks)
    )

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Scale:
        """Return the scale."""
        left = tuple((one["most"], one["points"]) for one in data.pop("left"))
        victory = tuple(
            (one["difference"], one["better"], one["other"]) for one in data.pop("victory")
        )
        places, ties = tuple(data.pop("places")), tuple(data.pop("tie_breaks"))
        return Scale(**data, places=places, left=left, victory=victory, tie_breaks=ties)


class PrizeMoneySchema(StrictSchema):
    """Entry fee and prizes; the shares are parts of the fees, less what the club keeps."""

    fee = Amount(required=True)
    unit = OptionValue("settle.unit", required=True)
    kept = Amount(load_default=lambda: Amount().deserialize("0"))
    shares = ListOf(Whole(1, MAX_SHARE), 1, MAX_PRIZES, load_default=lambda: [50, 30, 20])
    booked = Flag(load_default=False)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Money:
        """Return the money."""
        return Money(**{**data, "shares": tuple(data["shares"])})


class PlanSchema(StrictSchema):
    """The plan of a tournament."""

    format = Choice(*FORMAT_NAMES, required=True)
    rounds = Whole(1, MAX_ROUNDS, required=True)
    rules = NestedObject(RulesSchema(), required=True)
    size = Whole(min(SIZES), max(SIZES), load_default=4)
    partners = Whole(1, 2, load_default=1)
    remainder = Choice(*REMAINDERS, load_default=REMAINDERS[0])
    keep_apart = Flag()
    split_clubs = Flag(load_default=False)
    advance = Whole(1, max(SIZES), load_default=1)
    minutes = Whole(0, MAX_MINUTES, load_default=0)
    scale = NestedObject(ScaleSchema())
    money = NestedObject(PrizeMoneySchema(), allow_none=True, load_default=None)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Plan:
        """Return the plan; whether those who met are kept apart depends on the format."""
        data.setdefault("keep_apart", FORMATS[data["format"]].keeps_apart)
        return Plan(**{**data, "rules": without_stakes(data["rules"])})


class EntrantSchema(StrictSchema):
    """A person, or a pair with two names."""

    names = ListOf(PrintableText(1, 40), 1, 2, required=True)
    club = PrintableText(0, 40, load_default="")

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Entry:
        """Return the entry."""
        return Entry(tuple(data["names"]), data["club"])


class EntrantsSchema(StrictSchema):
    """People or pairs who enter."""

    entrants = ListOf(NestedObject(EntrantSchema()), 1, MOST_ENTRIES, required=True)


class StatedSchema(StrictSchema):
    """A final total as it stands on the pad: minus points where fewer are better."""

    points = Whole(-MAX_WORTH, MAX_WORTH, required=True)
    wins = Whole(0, MAX_WINS, load_default=0)
    hand_wins = Whole(0, MAX_WINS, load_default=0)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Stated:
        """Return the total."""
        return Stated(**data)


class TableResultSchema(StrictSchema):
    """The final totals of a table in the order of its entrants; null for one that is missing."""

    scores = ListOf(NestedObject(StatedSchema(), allow_none=True), 1, max(SIZES), required=True)


class ClosingSchema(StrictSchema):
    """Whether tables that are not ready may hand in their results later."""

    late = Flag(load_default=False)
