"""First melds of a hand, and the ways to go out with it (RULES 5.5, 6.6)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from scorekeeper.domain.budget import Budget, current, limited
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.melds import Meld, card_value
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.bits import Totals, beginnings, numbers
from scorekeeper.domain.solver.exhaustive import STEPS_OF_READINGS
from scorekeeper.domain.solver.exposure import Exposure
from scorekeeper.domain.solver.hand import Hand, hand_of, without
from scorekeeper.domain.solver.pieces import (
    COPIES,
    FIRST,
    PLACES,
    TWOS,
    TWOS_OF,
    Piece,
)
from scorekeeper.domain.solver.prepared import MAX_COST, Prepared, prepare
from scorekeeper.domain.solver.search import Search, search_of
from scorekeeper.domain.solver.setting_out import wild_cards
from scorekeeper.domain.solver.terms import Contract, Terms, terms_of_going_out

# --- the first meld ---------------------------------------------------------------------


@dataclass(frozen=True)
class FirstMelds:
    """First melds that a hand allows: those with the fewest and with the most points."""

    cheapest: tuple[Meld, ...]
    dearest: tuple[Meld, ...]


def first_melds(hand: Sequence[Card], rules: RuleSet) -> FirstMelds | None:
    """Return melds of a hand that reach ``meld.first_min``; None if none do (RULES 5.5).

    If a single meld must reach it, one meld each; if all melds of a turn count together, as many
    as ``meld.max_per_turn`` allows. Raises TooMuch beyond the budget.
    """
    prepared, budget = prepare(rules), current()
    found = _first_melds(hand, prepared, budget)
    if found and not prepared.is_sure and not (found.cheapest and found.dearest):
        return _first_melds(hand, prepared.exhaustive, budget)
    return found


def _first_melds(hand: Sequence[Card], prepared: Prepared, budget: Budget) -> FirstMelds | None:
    """Return the same as ``first_melds``, but empty melds if the wild twos do not fit them."""
    meld = prepared.rules.meld
    openings = _Openings(hand_of(hand, prepared), prepared, budget)
    most = 1 if meld.first_scope == "single" else meld.max_per_turn or ANY_NUMBER
    cheapest = openings.cheapest(most, max(1, meld.first_min))
    if not cheapest:
        return None
    return FirstMelds(openings.melds(cheapest), openings.melds(openings.dearest(most)))


ANY_NUMBER = 99


class _Offer(NamedTuple):
    """A piece with a number of wild cards and its points, one of several possibilities."""

    points: int
    piece: Piece
    wilds: int
    """The wild cards that it takes, including twos used as natural cards."""
    worth: int
    """The most points of its natural cards, without wild twos."""


class _Laid(NamedTuple):
    """The state of a search: the cards left, and the melds laid out so far."""

    naturals: int
    wilds: int
    melds: int
    """How many more melds may follow; ``ANY_NUMBER`` for any number."""
    points: int
    worth: int
    """The most points of the natural cards left."""
    offers: tuple[_Offer, ...] = ()
    """The melds laid out."""


_Offers = dict[int, list[_Offer]]
"""The offers by the number of their dearest card, most points first."""


class _Openings:
    """The search for the first melds of one hand with the most and the fewest points.

    It branches on the dearest card left, like ``Cutting``.
    """

    def __init__(self, hand: Hand, prepared: Prepared, budget: Budget) -> None:
        self.hand = hand
        self.prepared = prepared
        self.budget = budget
        self.worths = [Meld("set", (place,)).points for place in PLACES]
        self.twos = prepared.twos
        if prepared.rules.wild_rank:  # a two may stand for any card, or is one of the wild cards
            two = 11 if prepared.twos_apart else 0
            wild = TWOS if prepared.twos_apart else prepared.twos
            self.worths = [two if wild >> at & 1 else worth for at, worth in enumerate(self.worths)]
        copies = hand.naturals.bit_length() // COPIES
        every_copy = sum(1 << COPIES * copy for copy in range(copies + 1))
        self.offers = list(self._offered())
        self.rate = max(
            (-((each.worth - each.points) // each.wilds) for each in self.offers if each.wilds),
            default=0,
        )
        offered = ((offer.piece.cards, offer.wilds, offer.worth) for offer in self.offers)
        self.exposure = Exposure(offered, Totals(self.worths), every_copy, budget)

    def _offered(self) -> Iterator[_Offer]:
        """Yield every piece of the hand with each of its possible points."""
        pieces, ask = self.prepared.pieces, STEPS_OF_READINGS if self.prepared.twos_apart else 1
        held, wilds = self.hand.naturals, len(self.hand.wilds)
        for piece in self.prepared.among(held, wilds, self.budget):
            worth, twos = self._worth(piece.cards), (piece.cards & self.twos).bit_count()
            for count in numbers(piece.wilds):
                self.budget.spend(ask)
                for points in pieces.worths(piece, count):
                    yield _Offer(points, piece, count + twos, worth)

    def _worth(self, naturals: int) -> int:
        """Return the most points of natural cards in melds."""
        return sum([self.worths[number % COPIES] for number in numbers(naturals)])

    def cheapest(self, melds: int, needed: int) -> Sequence[_Offer]:
        """Return the offers that reach ``needed`` with the fewest points, or none."""
        best: _Laid | None = None
        met: set[tuple[int, ...]] = set()
        offers = self._by_dearest(self.offers)

        def seek(laid: _Laid) -> None:
            nonlocal best
            if laid.points >= needed:
                best = laid
            elif self._adds(needed - laid.points, laid) and laid[:4] not in met:
                met.add(laid[:4])
                for way in reversed(list(self._ways(laid, offers))):
                    if not best or way.points < best.points > needed:
                        seek(way)

        seek(self._whole(melds))
        return best.offers if best else ()

    def dearest(self, melds: int) -> Sequence[_Offer]:
        """Return the offers with the most points.

        The most points that the cards left can add are computed with the offers that others cannot
        replace, and cached. Then the first offers that reach the total are chosen among all.
        """
        known: dict[tuple[int, ...], tuple[int, bool]] = {}
        self.budget.spend(len(self.offers) // 2)
        enough = self._by_dearest(_short(self.offers) if melds == ANY_NUMBER else self.offers)

        def most(laid: _Laid, above: int) -> int:
            """Return the most points that can be added, or some value of at most ``above``."""
            if not laid.naturals or not laid.melds:
                return 0
            if not self._adds(above + 1, laid):
                return above
            added, is_exact = known.get(laid[:3], (MAX_COST, False))
            if not is_exact and added > above:
                added = above
                for way in self._ways(laid, enough):
                    points = way.points - laid.points
                    added = max(added, points + most(way, added - points))
                known[laid[:3]] = added, added > above
            return added

        laid = self._whole(melds)
        total, offers = most(laid, 0), self._by_dearest(self.offers)
        while laid.points < total:
            laid = next(
                way
                for way in self._ways(laid, offers)
                if way.points + most(way, total - way.points - 1) >= total
            )
        return laid.offers

    def _by_dearest(self, offers: Iterable[_Offer]) -> _Offers:
        found: _Offers = {}
        for offer in offers:
            found.setdefault((offer.piece.cards & FIRST).bit_length() - 1, []).append(offer)
        for alike in found.values():
            alike.sort(key=lambda offer: -offer.points)
            self.budget.spend(len(alike) // 4)
        return found

    def _whole(self, melds: int) -> _Laid:
        naturals = self.hand.naturals
        return _Laid(naturals, len(self.hand.wilds), melds, 0, self._worth(naturals))

    def _adds(self, points: int, laid: _Laid) -> bool:
        """Return whether this many points might be added.

        The upper bound is the points of the naturals left, less those that no meld can hold, plus
        the most that each wild card can add.
        """
        if not laid.melds:
            return points <= 0
        spare = laid.worth + laid.wilds * self.rate - points
        return spare >= 0 and not self.exposure.costs(spare + 1, laid.naturals, laid.wilds)

    def _ways(self, laid: _Laid, offered: _Offers) -> Iterator[_Laid]:
        """Yield the next states: the dearest card left goes into a meld, or is left over."""
        left = laid.naturals
        if not left:
            return
        dearest = (left & FIRST).bit_length() - 1
        offers = offered.get(dearest, [])
        self.budget.spend(2 + len(offers) // 12)
        for offer in offers:
            points, piece, wilds, worth = offer
            if piece.cards & ~left or wilds > laid.wilds:
                continue
            if self.prepared.twos_apart and not _in_turn(piece.cards, left):
                continue
            yield _Laid(
                without(left, piece.cards),
                laid.wilds - wilds,
                laid.melds if laid.melds == ANY_NUMBER else laid.melds - 1,
                laid.points + points,
                laid.worth - worth,
                (*laid.offers, offer),
            )
        gone = 1 << dearest
        if self.prepared.twos_apart and gone & TWOS:  # if one copy is left over, all copies are
            gone = left & next(alike for alike in TWOS_OF if alike & gone)
        yield _Laid(
            without(left, gone),
            laid.wilds,
            laid.melds,
            laid.points,
            laid.worth - self._worth(gone),
            laid.offers,
        )

    def melds(self, offers: Sequence[_Offer]) -> tuple[Meld, ...]:
        """Return the melds of the offers with the cards of the hand; none if some do not fit."""
        themselves = [offer.piece.cards & self.twos for offer in offers]
        spare = iter(wild_cards(self.hand.wilds, themselves, self.prepared))
        melds: list[Meld] = []
        for offer, twos in zip(offers, themselves, strict=True):
            wilds = tuple(islice(spare, offer.wilds - twos.bit_count()))
            read = self.prepared.melds(offer.piece, wilds)
            melds += islice((meld for meld in read if meld.points == offer.points), 1)
        return tuple(melds) if len(melds) == len(offers) else ()


def _short(offers: Sequence[_Offer]) -> Iterator[_Offer]:
    """Yield the offers that count more than others of the same cards, or two adjacent ones."""
    most: dict[tuple[int, int], int] = {}
    for points, piece, wilds, _ in offers:
        most[piece.cards, wilds] = max(points, most.get((piece.cards, wilds), 0))
    for offer in offers:
        points, piece, wilds, _ = offer
        cards = piece.cards
        if points == most[cards, wilds] and not any(
            most.get((low, some), 0) + most.get((cards ^ low, wilds - some), -points) >= points
            for low in beginnings(cards)
            for some in range(wilds + 1)
            if (low, some) in most
        ):
            yield offer


def _in_turn(cards: int, left: int) -> bool:
    """Return whether the highest copies of a two go first; any other choice is equivalent."""
    return all(
        left & alike & ~cards < (cards & alike & -(cards & alike))
        for alike in TWOS_OF
        if cards & alike
    )


# --- going out --------------------------------------------------------------------------


@dataclass(frozen=True)
class WayOut:
    """An arrangement that lets a player go out, and the card to discard."""

    discard: Card | None
    arrangement: Arrangement


def ways_out(
    hand: Sequence[Card],
    rules: RuleSet,
    table: Sequence[Meld] = (),
    *,
    has_laid: bool = False,
    contract: Contract = (),
) -> tuple[WayOut, ...]:
    """Return the ways to go out in one turn with this hand and the drawn card; the best one first.

    There is one for every possible discard, and one without a discard if that is allowed. Up to
    ``out.max_rest`` points may be left. ``table`` are the melds that cards may be laid off on.
    Raises TooMuch beyond the budget.
    """
    terms = terms_of_going_out(hand, rules, table, has_laid=has_laid, contract=contract)
    with limited():
        searches = [(each, search_of(hand, rules, each.table)) for each in terms]
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
    """Yield the possible discards, the dearest first, and the hand without each.

    Discarding a card saves at most its value, so discards that cannot suffice are left out.
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
    """Yield an arrangement that goes out with these cards, if there is one."""
    for terms, search in searches:
        found = _out_on(hand, terms, search)
        if found:
            yield found
            return


def _out_on(hand: Sequence[Card], terms: Terms, search: Search) -> Arrangement | None:
    rules = search.rules
    limit, condition = rules.meld.max_per_turn, terms.in_one_turn(rules)
    best = next(search.best(hand, melds=terms.melds, most=rules.out.max_rest), None)
    if best is None:
        return None
    if terms.allow(best, rules) and (not limit or len(best.melds) <= limit):
        return best
    return next(search.best(hand, most=rules.out.max_rest, condition=condition), None)
