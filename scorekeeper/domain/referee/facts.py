"""The facts of one turn, as declared at the table (RULES 10.4)."""

from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.referee.steps import Step
from scorekeeper.domain.referee.table_change import TableChange
from scorekeeper.domain.rounds.checks import possible_points
from scorekeeper.domain.rounds.facts import Cards, Drawn, Glass
from scorekeeper.domain.rules import RuleSet


class Claim(NamedTuple):
    """A claim of a discard (*Klopfen* of [000], [001] §9a)."""

    card: Card
    consent: bool | None = None
    """Whether the player whose turn it was agreed; None: not stated."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The facts of one turn; None: not stated."""

    change: TableChange | None = None
    """The changes to the table; ``steps`` may replace its ``after``."""
    lying: tuple[Cards, ...] = ()
    """The melds on the table, if nothing is said about changes to them."""
    steps: tuple[Step, ...] | None = None
    has_laid: bool = True
    drawn: tuple[Drawn, ...] | None = None
    """The cards drawn, in order; empty: none."""
    laid_before_drawing: bool | None = None
    discard: Cards | None = None
    """One card, or none."""
    discard_is_drawn: bool | None = None
    """With two packs: whether the discard is the card that was drawn, not its duplicate."""
    in_turn: bool | None = None
    claim: Claim | None = None
    glass: tuple[Glass, ...] | None = None
    hirschn: bool | None = None
    """Whether the player called Hirschn! in this turn."""
    knock: bool | None = None
    """Whether the player knocked in this turn (gin, knock)."""
    hand_left: int | None = None
    """Cards still held at the end."""
    players: int | None = None

    @property
    def is_out_of_turn(self) -> bool:
        return self.in_turn is False

    @property
    def taken(self) -> tuple[Card, ...]:
        """The named cards that were drawn from the discard pile."""
        drawn = self.drawn or ()
        return tuple(draw.card for draw in drawn if draw.source == "discard" and draw.card)

    def goes_out(self, rules: RuleSet) -> bool:
        """Return whether the player may have gone out, by the number of cards still held.

        Where ``out.max_rest`` allows a rest, its points are not stated.
        """
        cheapest = possible_points(rules, 1).start
        return self.hand_left is not None and self.hand_left * cheapest <= rules.out.max_rest

    def may_end_round(self, rules: RuleSet) -> bool:
        """Return whether the round may have ended with this turn."""
        if self.knock is not None and rules.family in ("gin", "knock"):
            return self.knock
        return self.goes_out(rules)
