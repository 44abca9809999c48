"""The least that a hand can be left with: melds and lay-offs chosen together (RULES 5.6).

A hand is natural cards and a number of wild ones. Every wild two is tried as itself and
as a joker, everything that can be laid off on the table is tried, and what is then left
is cut into pieces (``pieces``). Arrangements worth the same are told apart by this order:
fewest points, fewest cards, fewest twos as jokers, fewest cards laid off; then the dearest
card, king of spades first, goes into the dearest piece. The order in which a hand is
written has no part in it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from itertools import combinations, islice, product
from operator import or_

from scorekeeper.domain.cards import Card, Rank, Suit, card_named
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.fast import Sums, is_plain
from scorekeeper.domain.melds import Meld, card_value, lay_off, readings, swap_joker
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import (
    BIT,
    CARDS,
    COPIES,
    FIRST,
    SORTED,
    TWOS,
    Law,
    Piece,
    Pieces,
    SpelledOut,
    lowest,
    numbers,
)

ENOUGH = 500
"""So many equally good arrangements are looked at, no more."""


@dataclass(frozen=True)
class Arrangement:
    """A hand set out: what lies in melds, what is laid off, what is left."""

    points: int
    """The value of what is left."""
    melds: tuple[Meld, ...]
    layoffs: tuple[tuple[Card, int], ...]
    """Cards and the meld of the table that each goes on, in an order in which they fit."""
    rest: tuple[Card, ...]


def arrange(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = (), *, melds: bool = True
) -> Arrangement:
    """The arrangement that leaves least, own melds and lay-offs chosen together.

    ``table`` are the melds that cards may be laid off on, ``melds`` whether own ones may
    be formed. What the cards are declared to be counts for nothing. At most 16 cards.
    """
    if melds and not table:
        sums = _kit(_Same(rules)).sums
        plain = sums and sums.arrangement(hand)
        if plain:
            return Arrangement(plain.points, plain.melds, (), plain.rest)
    return next(_best(hand, rules, table, melds=melds))


def least_rest(rules: RuleSet) -> Callable[[Sequence[str]], int]:
    """A function from the names of cards to the points of the least rest, for many hands."""
    kit = _kit(_Same(rules))
    count = kit.sums.counter() if kit.sums else None

    def least(names: Sequence[str]) -> int:
        points = count(names) if count else None
        if points is None:
            return arrange([*map(card_named, names)], rules).points
        return points

    return least


def best_arrangements(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()
) -> Iterator[Arrangement]:
    """The arrangements that leave least, that of ``arrange`` first, at most ``ENOUGH``.

    They differ in the cards of a meld or in what a wild card stands for: a knocker chooses
    among them (RULES 7.4.2).
    """
    return islice(_best(hand, rules, table, melds=True), ENOUGH)


def lay_on(meld: Meld, card: Card, rules: RuleSet) -> Meld:
    """The meld with a card laid on a joker that stands for it, or else laid off.

    RuleError E_LAYOFF if it fits neither way (RULES 7.4.3).
    """
    if _may_cover(rules) and meld.wild and not card.is_joker:
        try:
            return swap_joker(meld, card, rules)[0]
        except RuleError:
            pass
    return lay_off(meld, card, rules)


def _may_cover(rules: RuleSet) -> bool:
    """Whether the real card may be laid on a joker in another's meld."""
    return rules.family == "gin" and rules.gin.joker_layon


# --- one set of rules -------------------------------------------------------------------

CARD_COUNTS = 32
"""A cost is 32 x points + cards: points come first."""


class _Kit:
    """What the rules say about pieces and prices, worked out once."""

    def __init__(self, rules: RuleSet, *, twos_apart: bool = False) -> None:
        self.rules = rules
        self.twos_apart = twos_apart
        self.price = {rank: CARD_COUNTS * card_value(Card(rank, None), rules) + 1 for rank in Rank}
        self.joker = CARD_COUNTS * rules.joker.hand_value + 1
        by_rank = (*self.price.values(), *(self.price[Rank.TWO],) * 3)
        self.prices = tuple(by_rank[number >> 2] for number in range(COPIES))
        law = Law.of(rules)
        self.pieces = SpelledOut(rules, by_rank) if twos_apart else Pieces(law, by_rank)
        self.is_sure = twos_apart or not (rules.wild.twos and law.unmistakable)
        """Whether it makes no difference which wild card of several is where."""
        self.naturals = {
            card: bit for card, bit in BIT.items() if not (rules.wild.twos and bit & TWOS)
        }
        self.sums = Sums(rules) if is_plain(rules) else None
        self.melds = lru_cache(maxsize=4096)(self._melds)

    @cached_property
    def surely(self) -> "_Kit":
        """A slower kit that tells wild twos apart."""
        return _Kit(self.rules, twos_apart=True)

    def cost(self, card: Card) -> int:
        """What it costs to be left with a card."""
        return self.joker if card.rank is None else self.price[card.rank]

    def _melds(self, piece: Piece, wilds: tuple[Card, ...]) -> list[Meld]:
        """Every meld that the piece is with these wild cards; none only if not ``is_sure``."""
        if self.rules.wild.twos:
            return readings([*map(CARDS.__getitem__, numbers(piece.cards)), *wilds], self.rules)
        return self.pieces.melds(piece, wilds)


@dataclass(frozen=True, eq=False)
class _Same:
    """A rule set known by its identity; it is kept alive, so that stays its own."""

    rules: RuleSet

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rules is other.rules


@lru_cache(maxsize=16)
def _kit(same: _Same) -> _Kit:
    return _Kit(same.rules)


# --- one hand ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Hand:
    """Cards in the roles in which they are tried."""

    naturals: int
    """As bits, second copies higher up."""
    wilds: tuple[Card, ...]
    """The dearest first: those behind are the first to be left over."""
    idle: tuple[Card, ...]
    """What can be in no meld: ranks without suits, jokers where the deck has none."""


def _hands(cards: Sequence[Card], kit: _Kit) -> Iterator[_Hand]:
    """The hand in every role of its wild twos, as themselves first."""
    naturals = 0
    jokers: list[Card] = []
    twos: list[Card] = []
    idle: list[Card] = []
    for card in cards:
        if card.stands_for:
            card = card.physical
        bit = kit.naturals.get(card)
        if bit:
            naturals = _with(naturals, bit)
        elif card.rank and card.suit:
            twos.append(card)
        elif card.is_joker and kit.rules.deck.jokers:
            jokers.append(card)
        else:
            idle.append(card)
    twos.sort(key=BIT.__getitem__)
    jokers_first = kit.joker >= kit.price[Rank.TWO]
    for number in range(1 if kit.twos_apart else len(twos) + 1):
        for wild in dict.fromkeys(combinations(twos, number)):
            wilds = (*jokers, *wild) if jokers_first else (*wild, *jokers)
            held = naturals
            for two in (Counter(twos) - Counter(wild)).elements():
                held = _with(held, _two_apart(two, held) if kit.twos_apart else BIT[two])
            yield _Hand(held, wilds, tuple(idle))


def _with(held: int, bit: int) -> int:
    """One more card among the bits, on its own place or on that of a further copy."""
    while held & bit:
        bit <<= COPIES
    return held | bit


def _two_apart(two: Card, held: int) -> int:
    """The first free bit of those that a two has where it must be told from its copies."""
    bits = [1 << number for number in range(COPIES) if CARDS[number] == two]
    return next((bit for bit in bits if not held & bit), bits[0])


# --- laying off -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Move:
    """A card laid on a meld of the table; ``wild`` where any wild card will do."""

    card: Card
    wild: bool
    meld: int


_Growth = tuple[Meld, int, tuple[_Move, ...]]
"""A meld of the table as it has grown, the natural cards spent on it, the moves."""


@dataclass(frozen=True)
class _State:
    """What is left in hand after some moves: natural cards, a number of wild ones."""

    naturals: int
    wilds: int
    moves: tuple[_Move, ...] = ()


def _states(hand: _Hand, table: Sequence[Meld], kit: _Kit) -> list[_State]:
    """Everything that laying off can leave, the fewest moves first."""
    whole = _State(hand.naturals, len(hand.wilds))
    if not table:
        return [whole]
    states = {(whole.naturals, whole.wilds): whole}
    for index, meld in enumerate(table):
        ways = list(_ways(meld, index, hand, kit))
        for before in list(states.values()):
            for cards, moves in ways:
                wilds = before.wilds - sum(move.wild for move in moves)
                if wilds >= 0 and not cards & ~before.naturals:
                    left = _without(before.naturals, cards)
                    states.setdefault((left, wilds), _State(left, wilds, before.moves + moves))
    return sorted(states.values(), key=lambda state: len(state.moves))


def _ways(
    meld: Meld, index: int, hand: _Hand, kit: _Kit
) -> Iterator[tuple[int, tuple[_Move, ...]]]:
    """What one meld of the table can take: real cards on its jokers, then more at its ends."""
    growths: list[_Growth] = [(meld, 0, ())]
    for growth in growths:
        growths += _covered(growth, index, hand, kit.rules)
    seen = set()
    for growth in growths:
        grown, cards, moves = growth
        shape = (cards, len(moves), grown.places[0].at, grown.places[-1].at)
        if shape not in seen:
            seen.add(shape)
            growths += _laid_off(growth, index, hand, kit)
            if moves:
                yield cards, moves


def _covered(growth: _Growth, index: int, hand: _Hand, rules: RuleSet) -> Iterator[_Growth]:
    """One more joker with the real card on it; lower cards were tried before."""
    meld, cards, moves = growth
    if not _may_cover(rules):
        return
    ranks = {place.at.rank for place in meld.places if place.is_wild}
    for number in numbers(hand.naturals & FIRST):
        card = CARDS[number]
        if card.rank in ranks and 1 << number > cards:
            try:
                grown, _ = swap_joker(meld, card, rules)
            except RuleError:
                continue
            yield grown, cards | 1 << number, (*moves, _Move(card, False, index))


def _laid_off(growth: _Growth, index: int, hand: _Hand, kit: _Kit) -> Iterator[_Growth]:
    """One more card at an end of the meld: the card itself, or a wild one for it."""
    meld, cards, moves = growth
    for cell in _ends(meld, kit.rules):
        for card, bit, wild in _fillers(cell, cards, hand, kit):
            if wild and sum(move.wild for move in moves) == len(hand.wilds):
                continue
            try:
                grown = lay_off(meld, card, kit.rules)
            except RuleError:
                continue
            move = _Move(cell if wild else card, wild, index)
            yield grown, cards | bit, (*moves, move)


def _fillers(cell: Card, cards: int, hand: _Hand, kit: _Kit) -> Iterator[tuple[Card, int, bool]]:
    """The cards in hand that may take this place, their bit, and whether any wild one may."""
    there = hand.naturals & FIRST & ~cards
    if there & BIT[cell]:
        yield cell, BIT[cell], False
    for wild in hand.wilds[:1] if kit.is_sure else dict.fromkeys(hand.wilds):
        yield replace(wild, stands_for=cell), 0, True
    if kit.twos_apart:
        for number in numbers(there & TWOS):
            yield replace(CARDS[number], stands_for=cell), 1 << number, False


def _ends(meld: Meld, rules: RuleSet) -> Iterator[Card]:
    """The cards that a meld could go on with."""
    first, last = meld.places[0].at, meld.places[-1].at
    if meld.kind == "set" and len(meld.places) < 4:
        present = {place.at.suit for place in meld.places}
        yield from (Card(first.rank, suit) for suit in Suit if suit not in present)
    elif meld.kind == "run" and len(meld.places) < len(Rank):
        if first.rank is not Rank.ACE or rules.ace.corner:
            yield _step(first, -1)
        if last.rank is Rank.KING:
            ends = not rules.ace.high
        else:
            ends = last.rank is Rank.ACE and not rules.ace.corner
        if not ends:
            yield _step(last, 1)


def _step(card: Card, by: int) -> Card:
    """The next card of the suit in the circle of ranks."""
    assert card.rank
    return Card(Rank((card.rank - 1 + by) % len(Rank) + 1), card.suit)


def _without(held: int, cards: int) -> int:
    """The bits less one copy of these cards: further copies move down."""
    for copy in range(held.bit_length() // COPIES):
        cards |= cards << COPIES * (copy + 1)
    taken = held & cards
    return held ^ taken ^ taken >> COPIES


# --- cutting a hand into pieces ---------------------------------------------------------

_Chosen = tuple[Piece, ...]


class _Cutting:
    """The pieces of one hand, and the search among them.

    The dearest card left decides first: it goes into one of its pieces or is left over.
    How many wild cards the pieces take stays open until the end, since a run may take
    more of them than it needs: ``reach`` has a bit for every number that they may take.
    """

    def __init__(self, hand: _Hand, kit: _Kit, *, melds: bool) -> None:
        self.hand = hand
        self.kit = kit
        pieces = kit.pieces.among(hand.naturals & FIRST, len(hand.wilds)) if melds else []
        pieces.sort(key=lambda piece: -piece.price)
        copies = hand.naturals.bit_length() // COPIES
        self.planes = sum(1 << COPIES * copy for copy in range(copies + 1))
        self.useful = reduce(or_, (piece.cards for piece in pieces), 0) * self.planes
        free = reduce(or_, (piece.cards for piece in pieces if piece.wilds & 1), 0)
        self.free = free * self.planes
        """Cards that may be in a meld without a wild one."""
        self.rate = 0
        self.by_dearest: dict[int, list[tuple[int, int, Piece]]] = {}
        for piece in pieces:
            bare = piece.price
            if piece.cards & free:
                bare = self._price(piece.cards & ~free)
            if bare:
                self.rate = max(self.rate, -(-bare // lowest(piece.wilds)))
            dearest = self.by_dearest.setdefault(piece.cards.bit_length() - 1, [])
            dearest.append((piece.cards * self.planes, bare, piece))
        self.left_over = [0]
        """What it costs to be left with so many wild cards."""
        for card in reversed(hand.wilds):
            self.left_over.append(self.left_over[-1] + kit.cost(card))
        self.idle = sum(kit.cost(card) for card in hand.idle)

    def _price(self, cards: int) -> int:
        return sum([self.kit.prices[number % COPIES] for number in numbers(cards)])

    def least(self, state: _State, below: int) -> tuple[int, _Chosen] | None:
        """The cheapest way to cut what is left, if it costs less than ``below``.

        No way can be cheaper than what is left over so far, and what needs wild cards
        less the most that each of them can save (``rate``).
        """
        best: tuple[int, _Chosen] | None = None
        prices, by_dearest, rate, free = self.kit.prices, self.by_dearest, self.rate, self.free
        wilds, left_over = state.wilds, self.left_over
        full = (2 << wilds) - 1
        met: dict[tuple[int, int], int] = {}
        path: list[Piece] = []

        def cut(left: int, reach: int, cost: int, exposed: int) -> None:
            nonlocal best, below
            if not left:
                cost += left_over[wilds + 1 - reach.bit_length()]
                if cost < below:
                    best, below = (cost, tuple(path)), cost
                return
            saved = (wilds - lowest(reach)) * rate
            if cost + max(0, exposed - saved) >= below or met.get((left, reach), below) <= cost:
                return
            met[left, reach] = cost
            dearest = (left & FIRST).bit_length() - 1
            for columns, bare, piece in by_dearest.get(dearest, ()):
                if not piece.cards & ~left and (taking := _sums(reach, piece.wilds) & full):
                    taken = left & columns
                    path.append(piece)
                    cut(left ^ taken ^ taken >> COPIES, taking, cost, exposed - bare)
                    path.pop()
            taken = left & self.planes << dearest
            price = prices[dearest]
            left ^= taken ^ taken >> COPIES
            cut(left, reach, cost + price, exposed if free >> dearest & 1 else exposed - price)

        useful = state.naturals & self.useful
        lost = self.idle + self._price(state.naturals & ~useful)
        cut(useful, 1, lost, self._price(useful & ~free))
        return best

    def every(self, state: _State, most: int) -> Iterator[_Chosen]:
        """All ways to cut what is left that cost no more than ``most``."""
        prices, wilds, left_over = self.kit.prices, state.wilds, self.left_over
        full = (2 << wilds) - 1

        def cut(left: int, reach: int, cost: int, exposed: int, path: _Chosen) -> Iterator[_Chosen]:
            saved = (wilds - lowest(reach)) * self.rate
            if cost + max(0, exposed - saved) > most:
                return
            if not left:
                if cost + left_over[wilds + 1 - reach.bit_length()] <= most:
                    yield path
                return
            dearest = (left & FIRST).bit_length() - 1
            for columns, bare, piece in self.by_dearest.get(dearest, ()):
                if not piece.cards & ~left and (taking := _sums(reach, piece.wilds) & full):
                    taken = left & columns
                    less = left ^ taken ^ taken >> COPIES
                    yield from cut(less, taking, cost, exposed - bare, (*path, piece))
            taken = left & self.planes << dearest
            price = prices[dearest]
            exposed -= 0 if self.free >> dearest & 1 else price
            yield from cut(left ^ taken ^ taken >> COPIES, reach, cost + price, exposed, path)

        useful = state.naturals & self.useful
        lost = self.idle + self._price(state.naturals & ~useful)
        yield from cut(useful, 1, lost, self._price(useful & ~self.free), ())


def _sums(some: int, others: int) -> int:
    """Every number of the one set added to every number of the other, as bits."""
    found = 0
    while others:
        found |= some * (others & -others)
        others &= others - 1
    return found


# --- setting out ------------------------------------------------------------------------


def _best(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld], *, melds: bool
) -> Iterator[Arrangement]:
    """The cheapest arrangements.

    Where it matters which wild two is where, those found without regard to that are
    looked at again, and only if none of them stands they are sought in the slow way.
    """
    kit = _kit(_Same(rules))
    table = () if rules.layoff.scope == "none" else table
    if kit.is_sure:
        yield from _cheapest(hand, kit, table, melds=melds)
        return
    stood = False
    for arrangement in islice(_cheapest(hand, kit, table, melds=melds), ENOUGH):
        if _stands(arrangement, rules, table):
            stood = True
            yield arrangement
    if not stood:
        yield from _cheapest(hand, kit.surely, table, melds=melds)


def _stands(arrangement: Arrangement, rules: RuleSet, table: Sequence[Meld]) -> bool:
    """Whether every card may be laid off just as it is said."""
    grown = list(table)
    try:
        for card, index in arrangement.layoffs:
            grown[index] = lay_on(grown[index], card, rules)
    except RuleError:
        return False
    return True


def _cheapest(
    hand: Sequence[Card], kit: _Kit, table: Sequence[Meld], *, melds: bool
) -> Iterator[Arrangement]:
    """The first of the cheapest arrangements, then the others."""
    least = CARD_COUNTS**3
    found: tuple[_Cutting, _State, _Chosen, int] | None = None
    for cutting, state in _tries(hand, kit, table, melds=melds):
        if least <= cutting.idle:
            break  # nothing costs less
        if cheaper := cutting.least(state, least):
            least, chosen = cheaper
            found = cutting, state, chosen, least
    assert found
    seen = set()
    for first in islice(_set_out(*found), 1):
        seen.add(_melds(first))
        yield first
    for cutting, state in _tries(hand, kit, table, melds=melds):
        for chosen in cutting.every(state, least):
            for arrangement in _set_out(cutting, state, chosen, least):
                if _melds(arrangement) not in seen:
                    seen.add(_melds(arrangement))
                    yield arrangement


def _tries(
    hand: Sequence[Card], kit: _Kit, table: Sequence[Meld], *, melds: bool
) -> Iterator[tuple[_Cutting, _State]]:
    """The hand in all roles of its twos, after everything that may be laid off."""
    for roles in _hands(hand, kit):
        cutting = _Cutting(roles, kit, melds=melds)
        for state in _states(roles, table, kit):
            yield cutting, state


def _melds(arrangement: Arrangement) -> frozenset[tuple[Meld, int]]:
    """The melds, whatever their order."""
    return frozenset(Counter(arrangement.melds).items())


def _set_out(cutting: _Cutting, state: _State, chosen: _Chosen, cost: int) -> Iterator[Arrangement]:
    """The cut hand as cards: every way to share out the wild cards and to read the melds."""
    hand, kit = cutting.hand, cutting.kit
    reach = reduce(_sums, (piece.wilds for piece in chosen), 1) & (2 << state.wilds) - 1
    melding = reach.bit_length() - 1
    laid = len(hand.wilds) - state.wilds
    remaining = reduce(_without, (piece.cards for piece in chosen), state.naturals)
    naturals = sorted((number % COPIES for number in numbers(remaining)), key=SORTED.__getitem__)
    rest = (*map(CARDS.__getitem__, naturals), *hand.wilds[melding + laid :], *hand.idle)
    layoffs = _played(state.moves, hand.wilds[melding : melding + laid])
    points = cost // CARD_COUNTS
    for shares in _shares(chosen, melding):
        for melds in product(*_read(chosen, shares, hand.wilds, kit)):
            yield Arrangement(points, melds, layoffs, rest)


def _played(moves: Sequence[_Move], wilds: Sequence[Card]) -> tuple[tuple[Card, int], ...]:
    """The moves with the wild cards that make them."""
    spare = iter(wilds)
    return tuple(
        (replace(next(spare), stands_for=move.card) if move.wild else move.card, move.meld)
        for move in moves
    )


def _shares(chosen: _Chosen, wilds: int) -> Iterator[tuple[int, ...]]:
    """Every way to give so many wild cards to the pieces, the first as many as it can take."""
    if not chosen:
        if not wilds:
            yield ()
        return
    for count in reversed(list(numbers(chosen[0].wilds))):
        if count <= wilds:
            for others in _shares(chosen[1:], wilds - count):
                yield (count, *others)


def _read(
    chosen: _Chosen, shares: Sequence[int], wilds: Sequence[Card], kit: _Kit
) -> Iterator[list[Meld]]:
    """For each piece the melds that it is with its share of the wild cards."""
    spare = iter(wilds)
    for piece, count in zip(chosen, shares, strict=True):
        yield list(kit.melds(piece, tuple(islice(spare, count))))
