"""How a hand is cut into pieces so that little is left over: the search of the solver."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, chain, combinations
from operator import or_
from typing import NamedTuple, cast

from scorekeeper.domain.budget import Budget, kept
from scorekeeper.domain.cards import Card, Rank
from scorekeeper.domain.exposure import Exposure
from scorekeeper.domain.fast import Sums, is_plain
from scorekeeper.domain.melds import Meld, card_value, readings
from scorekeeper.domain.options import Ace, Deck, Joker, Melding, RuleSet, Value, Wild
from scorekeeper.domain.pieces import (
    BIT,
    CARDS,
    COPIES,
    FIRST,
    TWOS,
    Law,
    Piece,
    Pieces,
    SpelledOut,
    lowest,
    numbers,
)

EASY = 300
"""A search of fewer steps, as for most dealt hands, ends sooner than bounds are worked out."""

# --- one set of rules -------------------------------------------------------------------

CARD_COUNTS = 32
"""A cost is 32 x points + cards: points come first."""
ANYTHING = CARD_COUNTS**3
"""More than any hand costs."""


class Kit:
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
    def surely(self) -> "Kit":
        """A slower kit that tells wild twos apart."""
        return Kit(self.rules, twos_apart=True)

    def cost(self, card: Card) -> int:
        """What it costs to be left with a card."""
        return self.joker if card.rank is None else self.price[card.rank]

    def among(self, held: int, wilds: int, budget: Budget) -> list[Piece]:
        """Return every piece of these cards, worked out once for all searches of a question."""
        found, key = kept(), (self, held, wilds)
        if key not in found:
            found[key] = self.pieces.among(held, wilds, budget)
        return cast(list[Piece], found[key])

    def _melds(self, piece: Piece, wilds: tuple[Card, ...]) -> list[Meld]:
        """Every meld that the piece is with these wild cards; none only if not ``is_sure``."""
        if self.rules.wild.twos:
            return readings([*map(CARDS.__getitem__, numbers(piece.cards)), *wilds], self.rules)
        return self.pieces.melds(piece, wilds)


class _Same:
    """A rule set known by its identity: looked up faster than by what it says."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules  # kept alive, so that its identity stays its own

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rules is other.rules


def kit_of(rules: RuleSet) -> Kit:
    """What was worked out for rules that say the same about melds and prices."""
    return _kit(_Same(rules))


@lru_cache(maxsize=64)
def _kit(same: _Same) -> Kit:
    rules = same.rules
    return _kit_for(rules.deck, rules.value, rules.wild, rules.ace, rules.meld, rules.joker)


@lru_cache(maxsize=16)
def _kit_for(deck: Deck, value: Value, wild: Wild, ace: Ace, meld: Melding, joker: Joker) -> Kit:
    return Kit(RuleSet(deck=deck, value=value, wild=wild, ace=ace, meld=meld, joker=joker))


# --- one hand ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """Cards as the search sees them.

    A wild two is among the naturals, and among the wild cards as well: whoever uses it as
    itself uses up a wild card with it.
    """

    naturals: int
    """As bits, second copies higher up."""
    wilds: tuple[Card, ...]
    """Jokers and wild twos."""
    idle: tuple[Card, ...]
    """What can be in no meld: ranks without suits, jokers where the deck has none."""


def hand_of(cards: Sequence[Card], kit: Kit) -> Hand:
    """The cards in the roles in which they may be tried."""
    naturals = 0
    wilds: list[Card] = []
    idle: list[Card] = []
    for card in cards:
        if card.stands_for:
            card = card.physical
        bit = kit.naturals.get(card)
        if bit:
            naturals = _with(naturals, bit)
        elif card.rank and card.suit:
            naturals = _with(naturals, _two_apart(card, naturals) if kit.twos_apart else BIT[card])
            if not kit.twos_apart:
                wilds.append(card)
        elif card.is_joker and kit.rules.deck.jokers:
            wilds.append(card)
        else:
            idle.append(card)
    wilds.sort(key=lambda card: (card.rank or 0, card.suit or ""))
    return Hand(naturals, tuple(wilds), tuple(idle))


def _with(held: int, bit: int) -> int:
    """One more card among the bits, on its own place or on that of a further copy."""
    while held & bit:
        bit <<= COPIES
    return held | bit


def _two_apart(two: Card, held: int) -> int:
    """The first free bit of those that a two has where it must be told from its copies."""
    bits = [1 << number for number in range(COPIES) if CARDS[number] == two]
    return next((bit for bit in bits if not held & bit), bits[0])


def without(held: int, cards: int) -> int:
    """The bits less one copy of these cards: further copies move down."""
    for copy in range(held.bit_length() // COPIES):
        cards |= cards << COPIES * (copy + 1)
    taken = held & cards
    return held ^ taken ^ taken >> COPIES


# --- cutting it -------------------------------------------------------------------------


class LayOff(NamedTuple):
    """Natural cards that a meld of the table can take, with some number of wild ones."""

    cards: int
    wilds: int
    """The numbers of wild cards with which it takes them, as bits."""
    price: int
    """What it would cost to be left with the natural cards."""
    meld: int
    """The index of the meld on the table."""
    needs: int = 0
    """The melds, as bits, that must have been used before: an equal meld is used first."""


Chosen = tuple[Piece | LayOff, ...]

Tally = tuple[int, tuple[int, ...]]
"""What a condition asks of melds: their number, and the points of those that count."""


class Condition(NamedTuple):
    """What own melds must be beside cheap: a first meld, no more than one turn may lay."""

    needed: int = 0
    """The points that they must reach (RULES 5.5)."""
    counted: int = 0
    """How many of them may count towards it, the dearest; 0 for all."""
    most: int = 0
    """How many there may be; 0 for any number."""

    def add(self, tally: Tally, points: int) -> Tally:
        """The tally with one more meld, of which only what matters is kept."""
        count, counting = tally
        if self.counted == 1:
            counting = (self.needed,) if points >= self.needed else counting
        elif self.counted:
            counting = tuple(sorted((*counting, points), reverse=True)[: self.counted])
        else:
            counting = (min(self.needed, sum(counting) + points),)
        return count + bool(self.most), counting

    def may_add(self, tally: Tally) -> bool:
        """Whether one more meld is allowed."""
        return not self.most or tally[0] < self.most


NOTHING: Tally = (0, ())


class _State(NamedTuple):
    """What is left of a hand when some of its cards have gone into pieces."""

    left: int
    """The naturals."""
    reach: int
    """The numbers of wild cards that the pieces so far may take, as bits."""
    used: int
    """The melds of the table that took a piece, as bits."""
    twos: int
    """The number of wild twos that are themselves."""
    tally: Tally


_Way = tuple[_State, "Piece | LayOff | None", int]
"""What is left then, the piece that was cut off, and the price of a card left over."""
_Known = dict[_State, tuple[int, bool]]
"""The least cost, and whether it is exact; otherwise it is at least that."""


class _Choice(NamedTuple):
    """What may become of the dearest card left."""

    cards: int
    columns: int
    """The cards with all their further copies."""
    wilds: int
    """As of the piece, wild twos that are themselves counted too."""
    twos: int
    uses: int
    """The meld of the table that it goes onto, as a bit."""
    needs: int
    points: int
    """What an own meld counts towards a condition; 0 where there is none."""
    piece: Piece | LayOff


_Choices = dict[int, list[_Choice]]
"""By the number of the dearest card, the dearest piece first."""


class Cutting:
    """The pieces of one hand, and the search among them: for the hand, and for parts of it.

    A piece becomes a meld of its own or goes onto a meld of the table, of which each takes
    one piece. The dearest card left decides first: it goes into one of its pieces or is left
    over. How many wild cards the pieces take stays open until the end, since a run may take
    more of them than it needs: ``reach`` has a bit for every number that they may take.
    Only where melds must reach points it is settled at once, because the points depend on it.
    """

    def __init__(
        self,
        hand: Hand,
        kit: Kit,
        pieces: Iterable[Piece | LayOff],
        budget: Budget,
        condition: Condition | None = None,
    ) -> None:
        self.kit = kit
        self.budget = budget
        self.condition = condition
        self.twos = TWOS if kit.rules.wild.twos and not kit.twos_apart else 0
        """The bits of the twos that are wild cards too."""
        self.sinks = [piece for piece in pieces if isinstance(piece, LayOff) and not piece.cards]
        """Melds of the table that take wild cards alone."""
        useful = [piece for piece in pieces if piece.cards]
        copies = hand.naturals.bit_length() // COPIES
        self.planes = sum(1 << COPIES * copy for copy in range(copies + 1))
        self.useful = reduce(or_, (piece.cards for piece in useful), 0) * self.planes
        self.prices = [0 if 1 << at & self.twos else price for at, price in enumerate(kit.prices)]
        """What it costs to be left with a card: for a wild two see ``left_over``."""
        if condition:
            tried = _settled(useful) if condition.needed else useful
            self.choices = self.enough = self._by_dearest(tried)
        else:
            self.choices = self._by_dearest(useful)
            self.enough = self._by_dearest(_short(useful))
            budget.spend(len(useful) // 4)
        onto: dict[int, int] = {}
        for piece in useful:
            if isinstance(piece, LayOff):
                onto[1 << piece.meld] = onto.get(1 << piece.meld, 0) | piece.cards
        self.takers = [(meld, cards * self.planes) for meld, cards in onto.items()]
        """Melds of the table, as bits, and the cards that each of them may take."""
        self.full = (2 << len(hand.wilds)) - 1
        """Every number of wild cards, as bits."""
        self._takers_of: dict[int, int] = {}
        """By the cards left: the melds that may take some of them."""
        self._roomy: dict[int, bool] = {}
        self.runs = {
            piece.cards: piece
            for piece in useful
            if isinstance(piece, Piece) and piece.kind == "run"
        }
        self._known: dict[tuple[int, int], _Known] = {}
        """By the numbers of jokers and of wild twos."""

    @cached_property
    def openers(self) -> list[int]:
        """The cards of the pieces that reach what a single meld must reach.

        A piece that holds all the cards of another is left out: where it fits, so does the other.
        """
        needed = self.condition.needed if self.condition else 0
        choices = chain(*self.enough.values())
        reaching = {choice.cards for choice in choices if choice.points >= needed}
        found: list[int] = []
        for cards in sorted(reaching, key=int.bit_count):
            if all(fewer & ~cards for fewer in found):
                found.append(cards)
        return found

    @cached_property
    def exposure(self) -> Exposure:
        """The bound among all the pieces."""
        return self._exposure(chain(*self.enough.values()))

    @cached_property
    def exposure_on_table(self) -> Exposure:
        """The bound where no more melds may be laid."""
        choices = chain(*self.enough.values())
        return self._exposure(choice for choice in choices if choice.uses)

    def _exposure(self, choices: "Iterable[_Choice]") -> Exposure:
        """Return the bound among these pieces."""
        pieces = ((each.cards, lowest(each.wilds), each.piece.price) for each in choices)
        return Exposure(pieces, self.prices, self.planes, self.budget)

    def _by_dearest(self, pieces: Iterable[Piece | LayOff]) -> "_Choices":
        """The pieces by their dearest cards, the dearest pieces first."""
        found: _Choices = {}
        least = self.condition.needed if self.condition and self.condition.most == 1 else 0
        for piece in sorted(pieces, key=_dearest_first):
            choice = self._choice(piece)
            if choice.uses or choice.points >= least:  # an only meld must reach it by itself
                found.setdefault(piece.cards.bit_length() - 1, []).append(choice)
        return found

    def left_over(self, hand: Hand) -> list[list[int]]:
        """By the number of twos that are themselves: the cost of so many wild cards left."""
        jokers = [self.kit.cost(card) for card in hand.wilds if card.is_joker]
        twos = [self.kit.cost(card) for card in hand.wilds if not card.is_joker]
        return [_cheapest([*jokers, *twos[used:]]) for used in range(len(twos) + 1)]

    def _idle(self, hand: Hand) -> int:
        return sum(self.kit.cost(card) for card in hand.idle)

    def _choice(self, piece: Piece | LayOff) -> _Choice:
        cards = piece.cards
        twos = (cards & self.twos).bit_count()
        uses = needs = points = 0
        if isinstance(piece, LayOff):
            uses, needs = 1 << piece.meld, piece.needs
        elif self.condition and self.condition.needed:
            self.budget.spend()
            points = max(self.kit.pieces.worths(piece, lowest(piece.wilds)))
        elif self.condition:
            points = 1  # that it is an own meld is all that matters
        columns, wilds = cards * self.planes, piece.wilds << twos
        return _Choice(cards, columns, wilds, twos, uses, needs, points, piece)

    def price(self, cards: int) -> int:
        return sum([self.prices[number % COPIES] for number in numbers(cards)])

    def unplaced(self, reach: int, used: int, wilds: int) -> int:
        """How many wild cards are left over once the melds of the table took all they can."""
        for sink in self.sinks:
            if not used >> sink.meld & 1:
                reach |= sums(reach, sink.wilds)
        return wilds + 1 - (reach & (2 << wilds) - 1).bit_length()

    def least(self, hand: Hand, below: int) -> tuple[int, Chosen] | None:
        """The cheapest way to cut the hand, if it costs less than ``below``."""
        if not self._is_enough:
            return None
        start, lost = self._start(hand)
        costs = _Costs(self, hand, self._known.setdefault(_wilds(hand), {}))
        least = costs.least(start, below - lost)
        if least >= below - lost:
            return None
        path = list(costs.path(start, least))
        return lost + least, tuple(path if self.condition else self._joined(path))

    def _joined(self, pieces: list[Piece | LayOff]) -> list[Piece | LayOff]:
        """The pieces with those made one that are a single run that takes the same wild cards."""
        own = [piece for piece in pieces if isinstance(piece, Piece)]
        for one, other in combinations(own, 2):
            run = None if one.cards & other.cards else self.runs.get(one.cards | other.cards)
            if run and not sums(one.wilds, other.wilds) & ~run.wilds:
                others = [piece for piece in pieces if piece is not one and piece is not other]
                return self._joined([run, *others])
        return pieces

    def every(self, hand: Hand, most: int) -> Iterator[Chosen]:
        """All ways to cut the hand that cost no more than ``most``."""
        costs = _Costs(self, hand, {})

        def cut(state: _State, most: int, path: Chosen) -> Iterator[Chosen]:
            if costs.costs(most + 1, state):
                return
            if not state.left:
                if costs.at_the_end(state) <= most:
                    yield path
                return
            for after, piece, price in costs.ways(state, self.choices):
                yield from cut(after, most - price, (*path, piece) if piece else path)

        start, lost = self._start(hand)
        yield from cut(start, most - lost, ())

    def _start(self, hand: Hand) -> tuple["_State", int]:
        """The cards that may be cut into pieces, and what the others cost."""
        useful = hand.naturals & self.useful
        lost = self._idle(hand) + self.price(hand.naturals & ~useful)
        return _State(useful, 1, 0, 0, NOTHING), lost

    @cached_property
    def _is_enough(self) -> bool:
        """Whether there are pieces enough for the points that are needed."""
        condition = self.condition or Condition()
        points = sorted(
            (choice.points for choices in self.choices.values() for choice in choices),
            reverse=True,
        )
        return sum(points[: condition.counted or None]) >= condition.needed

    def relevant(self, used: int, left: int) -> int:
        """Return those used melds of the table that could take more of the cards left.

        The others need not be told apart, so that states which differ only in them are one.
        All are returned, though, where their room for wild cards may be needed at the end.
        """
        takers = self._takers_of.get(left)
        if takers is None:
            takers = sum([meld for meld, cards in self.takers if cards & left])
            self._takers_of[left] = takers
        return used & takers if self._is_roomy(used | takers) else used

    def _is_roomy(self, used: int) -> bool:
        """Return whether the other melds of the table can take any number of wild cards."""
        if used not in self._roomy:
            reach = 1
            for sink in self.sinks:
                if not used >> sink.meld & 1:
                    reach |= sums(reach, sink.wilds)
            self._roomy[used] = not self.full & ~reach
        return self._roomy[used]


class _Costs:
    """What cards cost that are still to be cut, beside the wild cards of a hand.

    What is known of them is kept for the hands that follow: with another card less, most of
    what is left has been cut before.
    """

    def __init__(self, cutting: Cutting, hand: Hand, known: "_Known") -> None:
        self.cutting = cutting
        self.condition = cutting.condition or Condition()
        self.wilds = len(hand.wilds)
        self.full = (2 << self.wilds) - 1
        self.left_over = cutting.left_over(hand)
        self.known = known

    def least(self, state: "_State", below: int) -> int:
        """The least that the cards left cost; ``below`` or more if it is not less."""
        if not state.left:
            return self.at_the_end(state)
        if below <= 0 or self.costs(below, state):
            return below
        if state.used:
            left, reach, used, twos, tally = state
            state = _State(left, reach, self.cutting.relevant(used, left), twos, tally)
        least, is_exact = self.known.get(state, (0, False))
        if not is_exact and least < below:
            least = below
            for after, _, price in self.ways(state, self.cutting.enough):
                least = min(least, price + self.least(after, least - price))
            self.known[state] = least, least < below
        return least

    def path(self, state: "_State", least: int) -> Iterator[Piece | LayOff]:
        """The pieces of the first way to cut the cards left at the least cost."""
        while state.left:
            state, piece, price = next(
                way
                for way in self.ways(state, self.cutting.enough)
                if self.least(way[0], least - way[2] + 1) <= least - way[2]
            )
            least -= price
            if piece:
                yield piece

    def costs(self, cost: int, state: "_State") -> bool:
        """Return whether the cards left must cost so much, or cannot satisfy the condition."""
        if self.cutting.budget.spent < EASY:
            return False
        if self.condition.counted == 1 and not state.tally[1] and not self._may_open(state.left):
            return True
        exposure = self.cutting.exposure
        if self.condition.most and not self.condition.may_add(state.tally):
            exposure = self.cutting.exposure_on_table
        return exposure.costs(cost, state.left, self.wilds - lowest(state.reach))

    def _may_open(self, left: int) -> bool:
        """Return whether a single meld of the cards left may reach what it must."""
        return any(not cards & ~left for cards in self.cutting.openers)

    def at_the_end(self, state: "_State") -> int:
        """What the wild cards cost that no piece takes."""
        if sum(state.tally[1]) < self.condition.needed:
            return ANYTHING
        if not self.wilds:
            return 0
        unplaced = self.cutting.unplaced(state.reach, state.used, self.wilds)
        return self.left_over[state.twos][unplaced]

    def ways(self, state: "_State", offered: "_Choices") -> Iterator["_Way"]:
        """The dearest card left goes into one of its pieces, or is left over."""
        left, reach, used, twos, tally = state
        cutting, condition, full = self.cutting, self.condition, self.full
        dearest = (left & FIRST).bit_length() - 1
        choices = offered.get(dearest, ())
        cutting.budget.spend(1 + len(choices) // 8)
        for cards, columns, counts, more_twos, uses, needs, points, piece in choices:
            if cards & ~left or used & uses or needs & ~used:
                continue
            if points and not condition.may_add(tally):
                continue
            if taking := (sums(reach, counts) if reach > 1 else counts) & full:
                taken = left & columns
                after = _State(
                    left ^ taken ^ taken >> COPIES,
                    taking,
                    used | uses,
                    twos + more_twos,
                    condition.add(tally, points) if points else tally,
                )
                yield after, piece, 0
        taken = left & cutting.planes << dearest
        price = cutting.prices[dearest]
        yield _State(left ^ taken ^ taken >> COPIES, reach, used, twos, tally), None, price


def _wilds(hand: Hand) -> tuple[int, int]:
    """The numbers of jokers and of wild twos."""
    jokers = sum(card.is_joker for card in hand.wilds)
    return jokers, len(hand.wilds) - jokers


def _settled(pieces: Iterable[Piece | LayOff]) -> Iterator[Piece | LayOff]:
    """The pieces with each number of wild cards by itself; on the table the number stays open."""
    for piece in pieces:
        if isinstance(piece, LayOff):
            yield piece
        else:
            for count in numbers(piece.wilds):
                yield piece._replace(wilds=1 << count)


def _short(pieces: Sequence[Piece | LayOff]) -> Iterator[Piece | LayOff]:
    """The pieces that are not as good as two shorter ones in a row."""
    wilds = {piece.cards: piece.wilds for piece in pieces if isinstance(piece, Piece)}
    for piece in pieces:
        if isinstance(piece, Piece) and piece.kind == "run":
            counts = piece.wilds
            for low in beginnings(piece.cards):
                counts &= ~sums(wilds.get(low, 0), wilds.get(piece.cards ^ low, 0))
            if counts:
                yield piece._replace(wilds=counts)
        else:
            yield piece


def beginnings(cards: int) -> Iterator[int]:
    """The cards of a run up to each but the last."""
    begun = 0
    for number in numbers(cards):
        begun |= 1 << number
        if begun != cards:
            yield begun


def _dearest_first(piece: Piece | LayOff) -> int:
    return -piece.price


def _cheapest(costs: Sequence[int]) -> list[int]:
    """The cost of none, one, two ... of these cards, the cheapest first."""
    return [0, *accumulate(sorted(costs))]


def sums(some: int, others: int) -> int:
    """Every number of the one set added to every number of the other, as bits."""
    found = 0
    while others:
        found |= some * (others & -others)
        others &= others - 1
    return found
