"""What a hand can begin with, and how it can go out: first melds and ways out (RULES 5.5, 6.6)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from scorekeeper.domain.cards import Card
from scorekeeper.domain.cutting import Hand, Kit, hands, kit_of, without
from scorekeeper.domain.melds import Meld, card_value, first_meld_points
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import FIRST, numbers
from scorekeeper.domain.solver import Arrangement, arrange, arrangements_within

LOOKED_AT = 5000
"""So many arrangements are looked at for one that satisfies a further condition."""
MOST_MELDS = 5
"""More melds than sixteen cards can make."""


# --- the first meld ---------------------------------------------------------------------


@dataclass(frozen=True)
class FirstMelds:
    """What a hand may lay out for the first time: with fewest and with most points."""

    cheapest: tuple[Meld, ...]
    dearest: tuple[Meld, ...]


def first_melds(hand: Sequence[Card], rules: RuleSet) -> FirstMelds | None:
    """The melds of a hand that reach ``meld.first_min``; None if none do (RULES 5.5).

    Where one meld must reach it, one meld each; where all of a turn count together, as
    many as ``meld.max_per_turn`` allows.
    """
    most = rules.meld.max_per_turn or MOST_MELDS
    if rules.meld.first_scope == "single":
        most = 1
    kit = kit_of(rules)
    kit = kit if kit.is_sure else kit.surely
    found: list[tuple[int, tuple[Meld, ...]]] = []
    for roles in hands(hand, kit):
        offers = _Offers(roles, kit)
        reached = offers.sums(roles.naturals, len(roles.wilds), most)
        enough = [points for points in numbers(reached) if points >= max(1, rules.meld.first_min)]
        for points in {enough[0], enough[-1]} if enough else ():
            melds = offers.melds(roles.naturals, len(roles.wilds), most, points)
            found.append((points, tuple(melds)))
    if not found:
        return None
    found.sort(key=lambda each: each[0])
    return FirstMelds(found[0][1], found[-1][1])


@dataclass(frozen=True)
class _Offer:
    """A piece with a number of wild cards, and what it may count."""

    cards: int
    wilds: int
    melds: dict[int, Meld]
    """By points: where a joker stands in a run makes a difference."""


class _Offers:
    """Which sums of points the melds of a hand can have."""

    def __init__(self, hand: Hand, kit: Kit) -> None:
        self.by_dearest: dict[int, list[_Offer]] = {}
        for piece in kit.pieces.among(hand.naturals & FIRST, len(hand.wilds)):
            for count in numbers(piece.wilds):
                melds = {meld.points: meld for meld in kit.melds(piece, hand.wilds[:count])}
                offers = self.by_dearest.setdefault(piece.cards.bit_length() - 1, [])
                offers.append(_Offer(piece.cards, count, melds))
        self.sums = cache(self._sums)

    def _steps(self, left: int, wilds: int) -> Iterator[tuple[_Offer, int]]:
        """What the dearest card may be laid out in, and what is left then."""
        dearest = (left & FIRST).bit_length() - 1
        for offer in self.by_dearest.get(dearest, ()):
            if not offer.cards & ~left and offer.wilds <= wilds:
                yield offer, without(left, offer.cards)

    def _sums(self, left: int, wilds: int, most: int) -> int:
        """All sums that at most so many melds can have, as bits."""
        if not left or not most:
            return 1
        found = self.sums(_without_dearest(left), wilds, most)
        for offer, others in self._steps(left, wilds):
            further = self.sums(others, wilds - offer.wilds, most - 1)
            for points in offer.melds:
                found |= further << points
        return found

    def melds(self, left: int, wilds: int, most: int, points: int) -> Iterator[Meld]:
        """Melds that have this sum."""
        while points:
            if self.sums(_without_dearest(left), wilds, most) >> points & 1:
                left = _without_dearest(left)
                continue
            left, wilds, most, meld = next(
                (others, wilds - offer.wilds, most - 1, meld)
                for offer, others in self._steps(left, wilds)
                for worth, meld in offer.melds.items()
                if worth <= points
                and self.sums(others, wilds - offer.wilds, most - 1) >> points - worth & 1
            )
            points -= meld.points
            yield meld


def _without_dearest(left: int) -> int:
    return without(left, 1 << (left & FIRST).bit_length() - 1)


# --- going out --------------------------------------------------------------------------


@dataclass(frozen=True)
class WayOut:
    """A hand set out so that its player is out, and the card that he discards."""

    discard: Card | None
    arrangement: Arrangement


def ways_out(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = (), *, has_laid: bool = False
) -> tuple[WayOut, ...]:
    """How this hand, the drawn card included, can go out in one turn; the best way first.

    One for every card that may be the discard, and one without a discard where that is
    allowed. Up to ``out.max_rest`` points may stay. ``table`` are the melds that cards may
    be laid off on in this turn. Who has not yet laid out must reach ``meld.first_min``,
    unless a hand rommé waives it.
    """
    ways: list[WayOut] = []
    if not rules.out.discard_required:
        ways += (WayOut(None, found) for found in _out(hand, rules, table, has_laid=has_laid))
    for card in sorted(set(hand), key=lambda card: (-card_value(card, rules), str(card))):
        others = list(hand)
        others.remove(card)
        found = _out(others, rules, table, has_laid=has_laid)
        ways += (WayOut(card.physical, arrangement) for arrangement in found)
    return tuple(sorted(ways, key=lambda way: way.arrangement.points))


def _out(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld], *, has_laid: bool
) -> Iterator[Arrangement]:
    """The arrangement that ends the round with these cards, if there is one."""
    best = arrange(hand, rules, table)
    if best.points > rules.out.max_rest:
        return
    waived = has_laid or (rules.hand_romme.enabled and rules.hand_romme.waives_first_min)
    minimum = 0 if waived else rules.meld.first_min
    most = rules.meld.max_per_turn or MOST_MELDS

    def is_allowed(arrangement: Arrangement) -> bool:
        reached = first_meld_points(arrangement.melds, rules)
        return reached >= minimum and len(arrangement.melds) <= most

    if is_allowed(best):
        yield best
    else:
        others = arrangements_within(rules.out.max_rest, hand, rules, table)
        yield from islice(filter(is_allowed, islice(others, LOOKED_AT)), 1)
