"""Melds: their cards in their places, the cards that jokers stand for, and points."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.rules import RuleSet

MeldKind = Literal["set", "run", "rainbow"]


class Place(NamedTuple):
    """A card in a meld, and the card that it counts as there.

    The suit is open (None) if a wild card in a set may still be of several suits.
    """

    card: Card
    at: Card

    @property
    def is_wild(self) -> bool:
        return self.card is not self.at and self.card != self.at


@dataclass(frozen=True)
class Meld:
    """Cards read as one meld: runs in order, sets by suit."""

    kind: MeldKind
    places: tuple[Place, ...]

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards with the cards they stand for; reading them gives this meld."""
        return tuple(
            Card(place.card.rank, place.card.suit, stands_for=place.at)
            if place.is_wild and place.at.suit
            else place.card
            for place in self.places
        )

    @cached_property
    def wild(self) -> tuple[Card, ...]:
        """The cards that the wild cards stand for."""
        return tuple(place.at for place in self.places if place.is_wild)

    @cached_property
    def natural_places(self) -> frozenset[Place]:
        """The places of the natural cards."""
        return frozenset([place for place in self.places if not place.is_wild])

    @property
    def naturals(self) -> int:
        """The number of natural cards."""
        return len(self.places) - len(self.wild)

    @property
    def is_pinned(self) -> bool:
        """Whether every wild card stands for exactly one card."""
        return all(place.at.suit for place in self.places)

    @property
    def points(self) -> int:
        """The points that the meld counts as a first meld (RULES 5.4).

        An ace counts 11 in a set and after the king in a run, else 1.
        """
        ranks = [place.at.rank or 0 for place in self.places]
        points = sum(min(rank, 10) for rank in ranks)
        if self.kind == "set":
            return points + 10 * ranks.count(Rank.ACE)
        kings_ace = (Rank.KING, Rank.ACE) in pairwise(ranks)
        return points + 10 * kings_ace


def unpinned(meld: Meld, rules: RuleSet) -> bool:
    """Return whether the owner should have declared what a wild card stands for (RULES 5.3.6)."""
    return rules.joker.pinned_in_sets and rules.meld.set_suits != "any" and not meld.is_pinned


def first_meld_points(melds: Iterable[Meld], rules: RuleSet) -> int:
    """Return the points compared with ``meld.first_min``: of the best one or of all (RULES 5.5)."""
    points = [meld.points for meld in melds]
    return sum(points) if rules.meld.first_scope == "together" else max(points, default=0)
