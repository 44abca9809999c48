"""What a hand can begin with, and how it can go out: first melds and ways out (RULES 5.5, 6.6)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from typing import NamedTuple

from scorekeeper.domain.cards import Card
from scorekeeper.domain.cutting import Hand, Kit, hands, kit_of, without
from scorekeeper.domain.melds import Meld, card_value
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import COPIES, FIRST, PLACES, TWOS, TWOS_OF, Piece, numbers
from scorekeeper.domain.solver import Arrangement, arrange, arrangements_within
from scorekeeper.domain.terms import Terms, most_melds, terms_of_going_out

TRIES = 300_000
"""So much is tried to find first melds that count still less or more."""
LOOKED_AT = 5000
"""So many arrangements are looked at for one that satisfies a further condition."""
OPENED = 50_000
"""So much is tried to find the first melds that leave least."""
ARRANGED = 300
"""A set of first melds costs so many tries: what is left then has to be arranged."""


# --- the first meld ---------------------------------------------------------------------


@dataclass(frozen=True)
class FirstMelds:
    """What a hand may lay out for the first time: with fewest and with most points."""

    cheapest: tuple[Meld, ...]
    dearest: tuple[Meld, ...]
    is_proved: bool
    """Whether all ways were looked at, so that no others count less or more."""


def every_opening(hand: Sequence[Card], rules: RuleSet) -> Iterator[tuple[Meld, ...]]:
    """Sets of melds that reach ``meld.first_min``, none with a meld more than needed."""
    kit = kit_of(rules)
    kit = kit if kit.is_sure else kit.surely
    most = 1 if rules.meld.first_scope == "single" else most_melds(rules)
    found = _Found(rules.meld.first_min)
    for roles in hands(hand, kit):
        yield from _Openings(roles, kit, found).every(most)


def first_melds(hand: Sequence[Card], rules: RuleSet) -> FirstMelds | None:
    """The melds of a hand that reach ``meld.first_min``; None if none do (RULES 5.5).

    Where one meld must reach it, one meld each; where all of a turn count together, as
    many as ``meld.max_per_turn`` allows.
    """
    most = most_melds(rules)
    if rules.meld.first_scope == "single":
        most = 1
    kit = kit_of(rules)
    kit = kit if kit.is_sure else kit.surely
    found = _Found(max(1, rules.meld.first_min))
    for roles in hands(hand, kit):
        if not found.is_enough:
            _Openings(roles, kit, found).seek(most)
    if found.most < found.needed:
        return None
    return FirstMelds(found.cheapest(), found.dearest(), not found.is_enough)


class _Offer(NamedTuple):
    """A piece with a number of wild cards, at one of the sums that it may count."""

    points: int
    piece: Piece
    wilds: int
    worth: int
    """The most that its natural cards may count."""


class _Laid(NamedTuple):
    """What is left when some melds are laid out."""

    naturals: int
    wilds: int
    melds: int
    """So many more may follow."""
    points: int
    worth: int
    """The most that the natural cards left may count."""
    offers: tuple[_Offer, ...] = ()
    """What was laid out."""


@dataclass
class _Found:
    """The best melds so far."""

    needed: int
    tries: int = 0
    most: int = 0
    least: int = 1000
    dearest: Callable[[], tuple[Meld, ...]] = tuple
    cheapest: Callable[[], tuple[Meld, ...]] = tuple

    @property
    def is_enough(self) -> bool:
        """Whether the hand can begin and so much was tried that the rest is left untried."""
        return self.tries > TRIES and self.most >= self.needed


class _Openings:
    """What one hand can be laid out with: the search for most and for fewest points.

    The dearest card left decides first, as in ``Cutting``. What is left cannot count more
    than its naturals, and for each wild card what one can add at most (``rate``).
    """

    def __init__(self, hand: Hand, kit: Kit, found: _Found) -> None:
        self.hand = hand
        self.kit = kit
        self.found = found
        self.worths = [Meld("set", (place,)).points for place in PLACES]
        if kit.twos_apart:  # where a two may stand for any card
            self.worths = [11 if TWOS >> at & 1 else worth for at, worth in enumerate(self.worths)]
        self.by_dearest: dict[int, list[_Offer]] = {}
        self.rate = 0
        for piece in kit.pieces.among(hand.naturals & FIRST, len(hand.wilds)):
            worth = self._worth(piece.cards)
            offers = self.by_dearest.setdefault(piece.cards.bit_length() - 1, [])
            for count in numbers(piece.wilds):
                for points in kit.pieces.worths(piece, count):
                    offers.append(_Offer(points, piece, count, worth))
                    if count:
                        self.rate = max(self.rate, -((worth - points) // count))
        for offers in self.by_dearest.values():
            offers.sort(key=lambda offer: -offer.points)
            found.tries += len(offers)

    def _worth(self, naturals: int) -> int:
        """The most that natural cards may count in melds."""
        return sum([self.worths[number % COPIES] for number in numbers(naturals)])

    def seek(self, melds: int) -> None:
        """Better what was found so far."""
        naturals = self.hand.naturals
        whole = _Laid(naturals, len(self.hand.wilds), melds, 0, self._worth(naturals))
        self._seek_least(whole, set())
        self._seek_most(whole, {})

    def every(self, melds: int) -> Iterator[tuple[Meld, ...]]:
        """Sets of melds that reach what is needed, of the same cards once.

        Cards that are passed over are not lost: they are left for melds that follow.
        """
        naturals, found = self.hand.naturals, self.found
        met: set[tuple[int, int]] = set()
        waiting = [_Laid(naturals, len(self.hand.wilds), melds, 0, self._worth(naturals))]
        while waiting and found.tries <= OPENED:
            laid = waiting.pop()
            if laid.points >= found.needed:
                spent = (offer.piece.cards for offer in laid.offers)
                left = reduce(without, spent, naturals), laid.wilds
                if left not in met:
                    met.add(left)
                    found.tries += ARRANGED
                    yield self._melds(laid.offers)
            elif self._limit(laid) >= found.needed:
                waiting += self._ways(laid)

    def _seek_least(self, laid: _Laid, met: set[tuple[int, ...]]) -> None:
        found, state = self.found, laid[:4]
        if laid.points >= found.needed:
            found.least, found.cheapest = laid.points, partial(self._melds, laid.offers)
        elif self._limit(laid) >= found.needed and state not in met:
            met.add(state)
            for way in reversed(list(self._ways(laid))):
                if way.points < found.least > found.needed:
                    self._seek_least(way, met)

    def _seek_most(self, laid: _Laid, met: dict[tuple[int, ...], int]) -> None:
        found, state = self.found, laid[:3]
        if laid.points > found.most:
            found.most, found.dearest = laid.points, partial(self._melds, laid.offers)
        if self._limit(laid) > found.most and met.get(state, -1) < laid.points:
            met[state] = laid.points
            for way in self._ways(laid):
                self._seek_most(way, met)

    def _limit(self, laid: _Laid) -> int:
        """No more points than these can be reached."""
        if laid.melds:
            return laid.points + laid.worth + laid.wilds * self.rate
        return laid.points

    def _ways(self, laid: _Laid) -> Iterator[_Laid]:
        """What may become of the dearest card left: it goes into a meld, or is left over."""
        left = laid.naturals
        if not left or self.found.is_enough:
            return
        dearest = (left & FIRST).bit_length() - 1
        offers = self.by_dearest.get(dearest, [])
        self.found.tries += 1 + len(offers)
        for offer in offers:
            points, piece, wilds, worth = offer
            if piece.cards & ~left or wilds > laid.wilds:
                continue
            if self.kit.twos_apart and not _in_turn(piece.cards, left):
                continue
            yield _Laid(
                without(left, piece.cards),
                laid.wilds - wilds,
                laid.melds - 1,
                laid.points + points,
                laid.worth - worth,
                (*laid.offers, offer),
            )
        gone = 1 << dearest
        if self.kit.twos_apart and gone & TWOS:  # what is left over, all like it are
            gone = left & next(alike for alike in TWOS_OF if alike & gone)
        yield laid._replace(naturals=without(left, gone), worth=laid.worth - self._worth(gone))

    def _melds(self, offers: Sequence[_Offer]) -> tuple[Meld, ...]:
        """The offers with the cards of the hand."""
        spare = iter(self.hand.wilds)
        return tuple(
            next(
                meld
                for meld in self.kit.melds(offer.piece, tuple(islice(spare, offer.wilds)))
                if meld.points == offer.points
            )
            for offer in offers
        )


def _in_turn(cards: int, left: int) -> bool:
    """Whether of twos alike the dearest go first: any other choice would be the same."""
    return all(
        left & alike & ~cards < (cards & alike & -(cards & alike))
        for alike in TWOS_OF
        if cards & alike
    )


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
    be laid off on.
    """
    terms = terms_of_going_out(hand, rules, table, has_laid=has_laid)
    ways: list[WayOut] = []
    if not rules.out.discard_required:
        ways += (WayOut(None, found) for found in _out(hand, rules, terms))
    for card in sorted(set(hand), key=lambda card: (-card_value(card, rules), str(card))):
        others = list(hand)
        others.remove(card)
        ways += (WayOut(card.physical, found) for found in _out(others, rules, terms))
    return tuple(sorted(ways, key=lambda way: way.arrangement.points))


def _out(hand: Sequence[Card], rules: RuleSet, terms: Sequence[Terms]) -> Iterator[Arrangement]:
    """The arrangement that ends the round with these cards, if there is one."""
    yield from islice((found for each in terms for found in _out_on(hand, rules, each)), 1)


def _out_on(hand: Sequence[Card], rules: RuleSet, terms: Terms) -> Iterator[Arrangement]:
    best = arrange(hand, rules, terms.table)
    if best.points > rules.out.max_rest:
        return
    most = most_melds(rules)

    def is_allowed(arrangement: Arrangement) -> bool:
        return terms.allow(arrangement, rules) and len(arrangement.melds) <= most

    if is_allowed(best):
        yield best
    else:
        others = arrangements_within(rules.out.max_rest, hand, rules, terms.table)
        yield from islice(filter(is_allowed, islice(others, LOOKED_AT)), 1)
