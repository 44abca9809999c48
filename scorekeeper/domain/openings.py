"""What a hand can begin with, and how it can go out: first melds and ways out (RULES 5.5, 6.6)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

from scorekeeper.domain.budget import Budget, current, limited
from scorekeeper.domain.cards import Card
from scorekeeper.domain.cutting import Hand, Kit, hand_of, kit_of, without
from scorekeeper.domain.melds import Meld, card_value
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import ASKED, COPIES, FIRST, PLACES, TWOS, TWOS_OF, Piece, numbers
from scorekeeper.domain.solver import Arrangement, Search, wild_cards
from scorekeeper.domain.terms import Terms, terms_of_going_out

# --- the first meld ---------------------------------------------------------------------


@dataclass(frozen=True)
class FirstMelds:
    """What a hand may lay out for the first time: with fewest and with most points."""

    cheapest: tuple[Meld, ...]
    dearest: tuple[Meld, ...]


def first_melds(hand: Sequence[Card], rules: RuleSet) -> FirstMelds | None:
    """The melds of a hand that reach ``meld.first_min``; None if none do (RULES 5.5).

    Where one meld must reach it, one meld each; where all of a turn count together, as
    many as ``meld.max_per_turn`` allows. Raises TooMuch beyond the budget.
    """
    most = 1 if rules.meld.first_scope == "single" else rules.meld.max_per_turn
    kit = kit_of(rules)
    kit = kit if kit.is_sure else kit.surely
    found = _Found(max(1, rules.meld.first_min), current())
    _Openings(hand_of(hand, kit), kit, found).seek(most)
    if found.most < found.needed:
        return None
    return FirstMelds(found.cheapest(), found.dearest())


ANY = 99


class _Offer(NamedTuple):
    """A piece with a number of wild cards, at one of the sums that it may count."""

    points: int
    piece: Piece
    wilds: int
    """The wild cards that it takes, of them also those twos that are themselves."""
    worth: int
    """The most that its natural cards may count, wild twos apart."""


class _Laid(NamedTuple):
    """What is left when some melds are laid out."""

    naturals: int
    wilds: int
    melds: int
    """So many more may follow; ``ANY`` for any number, and it stays that."""
    points: int
    worth: int
    """The most that the natural cards left may count."""
    offers: tuple[_Offer, ...] = ()
    """What was laid out."""


@dataclass
class _Found:
    """The best melds so far."""

    needed: int
    budget: Budget
    most: int = 0
    least: int = 1000
    dearest: Callable[[], tuple[Meld, ...]] = tuple
    cheapest: Callable[[], tuple[Meld, ...]] = tuple


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
        self.twos = TWOS if kit.rules.wild.twos and not kit.twos_apart else 0
        if kit.rules.wild.twos:  # a two may stand for any card, or is among the wild cards
            two = 11 if kit.twos_apart else 0
            self.worths = [two if TWOS >> at & 1 else worth for at, worth in enumerate(self.worths)]
        self.by_dearest: dict[int, list[_Offer]] = {}
        self.rate = 0
        for piece in kit.pieces.among(hand.naturals & FIRST, len(hand.wilds), found.budget):
            worth = self._worth(piece.cards)
            offers = self.by_dearest.setdefault(piece.cards.bit_length() - 1, [])
            twos = (piece.cards & self.twos).bit_count()
            for count in numbers(piece.wilds):
                used = count + twos
                found.budget.spend(ASKED if kit.twos_apart else 1)
                for points in kit.pieces.worths(piece, count):
                    offers.append(_Offer(points, piece, used, worth))
                    if used:
                        self.rate = max(self.rate, -((worth - points) // used))
        for offers in self.by_dearest.values():
            offers.sort(key=lambda offer: -offer.points)
            found.budget.spend(len(offers) // 4)

    def _worth(self, naturals: int) -> int:
        """The most that natural cards may count in melds."""
        return sum([self.worths[number % COPIES] for number in numbers(naturals)])

    def seek(self, melds: int) -> None:
        """Better what was found so far."""
        naturals = self.hand.naturals
        whole = _Laid(naturals, len(self.hand.wilds), melds or ANY, 0, self._worth(naturals))
        self._seek_least(whole, set())
        self._seek_most(whole, {})

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
        if not left:
            return
        dearest = (left & FIRST).bit_length() - 1
        offers = self.by_dearest.get(dearest, [])
        self.found.budget.spend(1 + len(offers) // 12)
        for offer in offers:
            points, piece, wilds, worth = offer
            if piece.cards & ~left or wilds > laid.wilds:
                continue
            if self.kit.twos_apart and not _in_turn(piece.cards, left):
                continue
            yield _Laid(
                without(left, piece.cards),
                laid.wilds - wilds,
                laid.melds if laid.melds == ANY else laid.melds - 1,
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
        themselves = [offer.piece.cards & self.twos for offer in offers]
        spare = iter(wild_cards(self.hand.wilds, themselves, self.kit))
        return tuple(
            next(
                meld
                for meld in self.kit.melds(
                    offer.piece, tuple(islice(spare, offer.wilds - twos.bit_count()))
                )
                if meld.points == offer.points
            )
            for offer, twos in zip(offers, themselves, strict=True)
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
    """Return how this hand, the drawn card included, can go out in one turn; the best way first.

    One for every card that may be the discard, and one without a discard where that is
    allowed. Up to ``out.max_rest`` points may stay. ``table`` are the melds that cards may
    be laid off on. Raises TooMuch beyond the budget.
    """
    terms = terms_of_going_out(hand, rules, table, has_laid=has_laid)
    with limited():
        searches = [(each, Search(hand, rules, each.table)) for each in terms]
        ways = [
            WayOut(discard, arrangement)
            for discard, held in _discards(hand, rules, searches)
            for arrangement in _out(held, searches)
        ]
    return tuple(sorted(ways, key=lambda way: way.arrangement.points))


Searches = Sequence[tuple[Terms, Search]]


def _discards(
    hand: Sequence[Card], rules: RuleSet, searches: Searches
) -> Iterator[tuple[Card | None, Sequence[Card]]]:
    """The cards that may be the discard, the dearest first, and what is held without them.

    Without a card at most its value less is left: what cannot be enough is left out.
    """
    if not rules.out.discard_required:
        yield None, hand
    least = min(next(search.best(hand)).points for _, search in searches)
    for card in sorted(set(hand), key=lambda card: (-card_value(card, rules), str(card))):
        if least - card_value(card, rules) <= rules.out.max_rest:
            others = list(hand)
            others.remove(card)
            yield card.physical, others


def _out(hand: Sequence[Card], searches: Searches) -> Iterator[Arrangement]:
    """The arrangement that ends the round with these cards, if there is one."""
    for terms, search in searches:
        found = _out_on(hand, terms, search)
        if found:
            yield found
            return


def _out_on(hand: Sequence[Card], terms: Terms, search: Search) -> Arrangement | None:
    rules = search.rules
    limit, condition = rules.meld.max_per_turn, terms.in_one_turn(rules)
    best = next(search.best(hand, most=rules.out.max_rest), None)
    if best is None:
        return None
    if terms.allow(best, rules) and (not limit or len(best.melds) <= limit):
        return best
    return next(search.best(hand, most=rules.out.max_rest, condition=condition), None)
