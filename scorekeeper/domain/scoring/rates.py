"""What a browser needs to count a round by itself: the prices of cards, and a few rules.

The browser shows its numbers at once and without a connection; the score is still computed
here. Where points depend on the arrangement of a hand or on a bonus that needs a check, the
rates say nothing, and the browser waits for the server.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.domain.cards import JOKER, Card, Rank
from scorekeeper.domain.checks import possible_points
from scorekeeper.domain.melds import card_value
from scorekeeper.domain.options import RuleSet

COUNTED_LINES = ("lay", "hand")
"""The families whose points follow from what every player has left."""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """The rates of a rule set, as ``static/count.js`` reads them."""

    cards: Mapping[str, int]
    """The points of a card left in hand, by rank from 1 to 13, and of a joker."""
    most: int
    """No hand comes to more: a number that no digit can follow is complete."""
    arranged: bool
    """Whether cards that are entered with their suits are arranged before they count."""
    line: bool
    """Whether the points of a round follow from what every player has left."""
    measure: str
    """The points that a table writes: minus, plus or net."""
    collects: bool
    """The winner writes what the others have left, who write nothing."""
    gains: bool
    """The winner writes it as plus points, the others as minus points."""
    factor: int
    """What a hand rommé multiplies."""
    reduction: int
    """Minus points that the winner takes off."""
    max_rest: int
    """The most points that the winner may have left."""


def rates(rules: RuleSet) -> Rates:
    """Return the rates of a rule set."""
    laid = rules.family == "lay"
    dealt = max(rules.deal.cards.values())
    prices = {str(int(rank)): card_value(Card(rank, None), rules) for rank in Rank}
    return Rates(
        cards=prices | {"JK": card_value(JOKER, rules)},
        most=possible_points(rules, dealt + dealt // 2)[-1],  # cards are drawn and claimed as well
        arranged=not laid,
        line=rules.family in COUNTED_LINES,
        measure=rules.rank.measure,
        collects=laid and rules.score.mode == "winner_collects",
        gains=laid and rules.score.mode == "minus_plus",
        factor=rules.hand_romme.factor if laid and rules.hand_romme.enabled else 1,
        reduction=rules.score.winner_reduction,
        max_rest=rules.out.max_rest,
    )
