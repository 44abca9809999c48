"""The outside form of points without a round."""

from scorekeeper.domain.game.changes import MOST_SEATS
from scorekeeper.wire.rounds import PrintableText
from scorekeeper.wire.strict import Flag, StrictSchema, Whole

MOST = 9_999


class GivenSchema(StrictSchema):
    """Points without a round: a starting score, a penalty, a present.

    ``side`` is the seat, in teams the side. What is taken off a tally is negative.
    """

    side = Whole(0, MOST_SEATS - 1, required=True)
    minus = Whole(-MOST, MOST)
    plus = Whole(-MOST, MOST)
    start = Flag()
    note = PrintableText(0, 280)
