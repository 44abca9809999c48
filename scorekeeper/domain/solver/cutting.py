"""The search of the solver: cutting a hand into pieces so that little is left over."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, combinations
from operator import attrgetter, or_
from typing import NamedTuple

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.solver.bits import beginnings, lowest, numbers, sums
from scorekeeper.domain.solver.condition import NOTHING, Condition, Tally
from scorekeeper.domain.solver.exposure import Exposure
from scorekeeper.domain.solver.hand import Hand
from scorekeeper.domain.solver.pieces import COPIES, FIRST, Piece
from scorekeeper.domain.solver.prepared import MAX_COST, Prepared

STEPS_BEFORE_BOUNDS = 300
"""The steps before bounds are computed; the searches of most dealt hands take fewer."""

Chosen = tuple[Piece, ...]


class _State(NamedTuple):
    """The state of a search: the cards left, and the pieces used so far."""

    left: int
    """The natural cards left, as bits."""
    reach: int
    """The numbers of wild cards that the pieces so far can take, as bits."""
    used: int
    """The melds on the table that took a piece, as bits."""
    twos: int
    """The number of wild twos used as natural cards."""
    tally: Tally


_Way = tuple[_State, Piece | None, int]
"""The next state, the piece that was cut off, and the price of a card left over."""
_Known = dict[_State, tuple[int, bool]]
"""The minimum cost by state, and whether it is exact or only a lower bound."""
Choices = dict[int, list[Piece]]
"""Pieces by the number of their dearest card, the dearest piece first."""
Runs = dict[int, Piece]
"""Runs by their natural cards."""


class Cutting:
    """The pieces of one hand, and the search for the best cut of the hand or of a part of it.

    A piece becomes a meld of its own or goes onto a meld on the table, which takes at most one
    piece. The search branches on the dearest card left: it goes into one of its pieces or is
    left over. The number of wild cards used stays open until the end, because a run may take
    more of them than it needs: ``reach`` has a bit for every possible number. It is
    fixed at once only if melds must reach a minimum, because the points depend on it.
    """

    def __init__(
        self,
        hand: Hand,
        prepared: Prepared,
        pieces: Sequence[Piece],
        budget: Budget,
        condition: Condition | None = None,
    ) -> None:
        self.prepared = prepared
        self.budget = budget
        self.condition = condition
        self.twos = prepared.twos
        layoffs = [piece for piece in pieces if piece.onto]
        self.sinks = [layoff for layoff in layoffs if not layoff.cards]
        """Melds on the table that take only wild cards."""
        self.pieces = [piece for piece in pieces if piece.cards]
        copies = hand.naturals.bit_length() // COPIES
        self.planes = sum(1 << COPIES * copy for copy in range(copies + 1))
        self.prices = prepared.losses
        if not condition:
            budget.spend(len(self.pieces) // 4)
        onto: dict[int, int] = {}
        for layoff in layoffs:
            onto[layoff.onto] = onto.get(layoff.onto, 0) | layoff.cards
        self.takers = [(meld, cards * self.planes) for meld, cards in onto.items()]
        """The melds on the table, as bits, and the cards that each can take."""
        self.full = (2 << len(hand.wilds)) - 1
        """Every number of wild cards, as bits."""
        self.useful = self._useful(len(hand.wilds))
        """The cards that some piece can take, by the number of wild cards left."""
        self.points: dict[Piece, int] = {}
        """The points of own melds towards a condition, if there is one."""
        self._takers_of: dict[int, int] = {}
        """The melds that can take some of the cards left, by these cards."""
        self._roomy: dict[int, bool] = {}
        self._known: dict[tuple[int, int], _Known] = {}
        """Known costs by the numbers of jokers and of wild twos."""
        self._may_open: dict[int, bool] = {}
        """By the cards left."""

    def _useful(self, wilds: int) -> list[int]:
        needing = [0] * (wilds + 1)
        for piece in self.pieces:
            if (needed := self._needs(piece)) <= wilds:
                needing[needed] |= piece.cards * self.planes
        return [*accumulate(needing, or_)]

    def _needs(self, piece: Piece) -> int:
        """Return the fewest wild cards of a piece, including twos used as natural cards."""
        return lowest(piece.wilds) + (piece.cards & self.twos).bit_count()

    @cached_property
    def choices(self) -> Choices:
        """All pieces."""
        settled = self.condition and self.condition.needed
        return self._by_dearest(_settled(self.pieces) if settled else self.pieces)

    @cached_property
    def enough(self) -> Choices:
        """The pieces that suffice to find the minimum cost."""
        return self.choices if self.condition else self._by_dearest(short(self.pieces))

    @cached_property
    def runs(self) -> Runs:
        """The own runs, which the searches of all parts of the hand need."""
        return runs_of(self.pieces)

    @cached_property
    def is_enough(self) -> bool:
        """Whether all pieces together suffice for the points needed."""
        if not self.condition:
            return True
        points = sorted(map(self.points.__getitem__, chain(*self.choices.values())), reverse=True)
        return sum(points[: self.condition.counted or None]) >= self.condition.needed

    @cached_property
    def openers(self) -> list[int]:
        """The cards of the pieces that reach the minimum of a single meld.

        A piece that includes another one is left out: if it fits, so does the other.
        """
        needed = self.condition.needed if self.condition else 0
        pieces = chain(*self.enough.values())
        reaching = {piece.cards for piece in pieces if self.points[piece] >= needed}
        found: list[int] = []
        for cards in sorted(reaching, key=int.bit_count):
            if all(fewer & ~cards for fewer in found):
                found.append(cards)
        return found

    def may_open(self, left: int) -> bool:
        """Return whether a single meld of the cards left can reach the minimum."""
        found = self._may_open.get(left)
        if found is None:
            found = self._may_open[left] = any(not cards & ~left for cards in self.openers)
        return found

    @cached_property
    def exposure(self) -> Exposure:
        """The lower bound with all pieces."""
        return self._exposure(chain(*self.enough.values()))

    @cached_property
    def exposure_on_table(self) -> Exposure:
        """The lower bound if no more melds may be laid."""
        pieces = chain(*self.enough.values())
        return self._exposure(piece for piece in pieces if piece.onto)

    def _exposure(self, pieces: Iterable[Piece]) -> Exposure:
        """Return the lower bound with these pieces."""
        needs = ((each.cards, self._needs(each), each.price) for each in pieces)
        return Exposure(needs, self.prices, self.planes, self.budget)

    def _by_dearest(self, pieces: Iterable[Piece]) -> Choices:
        """Return the pieces by their dearest card, the dearest pieces first."""
        if self.condition:
            pieces = self._counting(pieces, self.condition)
        return by_dearest(pieces)

    def _counting(self, pieces: Iterable[Piece], condition: Condition) -> Iterator[Piece]:
        """Yield the pieces that may satisfy a condition, and note the points of own melds."""
        least = condition.needed if condition.most == 1 else 0  # a single meld must reach it alone
        for piece in pieces:
            points = 0 if piece.onto else self._worth(piece, condition)
            if piece.onto or points >= least:
                self.points[piece] = points
                yield piece

    def _worth(self, piece: Piece, condition: Condition) -> int:
        """Return the points of an own meld towards a condition."""
        if not condition.needed:
            return 1  # only the number of own melds matters
        self.budget.spend()
        return max(self.prepared.pieces.worths(piece, lowest(piece.wilds)))

    def _idle(self, hand: Hand) -> int:
        return sum(self.prepared.cost(card) for card in hand.idle)

    def price(self, cards: int) -> int:
        return sum([self.prices[number % COPIES] for number in numbers(cards)])

    def unplaced(self, reach: int, used: int, wilds: int) -> int:
        """Return the wild cards left over once the melds on the table have taken all they can."""
        for sink in self.sinks:
            if not used >> sink.meld & 1:
                reach |= sums(reach, sink.wilds)
        return wilds + 1 - (reach & (2 << wilds) - 1).bit_length()

    def least(self, hand: Hand, below: int) -> tuple[int, Chosen] | None:
        """Return the cost and pieces of the cheapest cut, or None if it costs ``below`` or more."""
        if not self.is_enough:
            return None
        start, lost = self._start(hand)
        costs = _Costs(self, hand, self._known.setdefault(_wilds(hand), {}))
        least = costs.least(start, below - lost)
        if least >= below - lost:
            return None
        path = list(costs.path(start, least))
        return lost + least, tuple(path if self.condition else joined(path, self.runs))

    def every(self, hand: Hand, most: int) -> Iterator[Chosen]:
        """Yield all ways to cut the hand that cost no more than ``most``."""
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

    def _start(self, hand: Hand) -> tuple[_State, int]:
        """Return the state with the cards that fit into pieces, and the cost of the others."""
        left, lost = self.worth_keeping(hand.naturals, len(hand.wilds))
        return _State(left, 1, 0, 0, NOTHING), self._idle(hand) + lost

    def worth_keeping(self, left: int, wilds: int) -> tuple[int, int]:
        """Return the cards that pieces can take with these wild cards, and the others' price."""
        useful = left & self.useful[wilds]
        return useful, self.price(left ^ useful)

    def relevant(self, used: int, left: int) -> int:
        """Return those used melds on the table that could take more of the cards left.

        States that differ only in other melds are equivalent. But if their room for wild cards may
        be needed at the end, all used melds are returned.
        """
        takers = self._takers_of.get(left)
        if takers is None:
            takers = sum([meld for meld, cards in self.takers if cards & left])
            self._takers_of[left] = takers
        return used & takers if self._is_roomy(used | takers) else used

    def _is_roomy(self, used: int) -> bool:
        """Return whether the other melds on the table can take any number of wild cards."""
        if used not in self._roomy:
            reach = 1
            for sink in self.sinks:
                if not used >> sink.meld & 1:
                    reach |= sums(reach, sink.wilds)
            self._roomy[used] = not self.full & ~reach
        return self._roomy[used]


class _Costs:
    """The minimum costs of the cards left, given the wild cards of a hand.

    Known costs are reused for later hands: with one card less, most states occur again.
    """

    def __init__(self, cutting: Cutting, hand: Hand, known: _Known) -> None:
        self.cutting = cutting
        self.condition = cutting.condition or Condition()
        self.wilds = len(hand.wilds)
        self.full = (2 << self.wilds) - 1
        self.hand = hand
        self.known = known

    @cached_property
    def left_over(self) -> list[list[int]]:
        """The costs of 0, 1, 2 ... wild cards left, by the number of natural twos."""
        cost = self.cutting.prepared.cost
        jokers = [cost(card) for card in self.hand.wilds if card.is_joker]
        twos = [cost(card) for card in self.hand.wilds if not card.is_joker]
        return [_cheapest([*jokers, *twos[used:]]) for used in range(len(twos) + 1)]

    def least(self, state: _State, below: int) -> int:
        """Return the minimum cost of the cards left, or some value of at least ``below``."""
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
                cost = price + self.least(after, least - price)
                if cost < least:
                    least = cost
            self.known[state] = least, least < below
        return least

    def path(self, state: _State, least: int) -> Iterator[Piece]:
        """Yield the pieces of the first way to cut the cards left at minimum cost."""
        while state.left:
            state, piece, price = next(
                way
                for way in self.ways(state, self.cutting.enough)
                if self.least(way[0], least - way[2] + 1) <= least - way[2]
            )
            least -= price
            if piece:
                yield piece

    def costs(self, cost: int, state: _State) -> bool:
        """Return whether the cards left cost at least ``cost``, or cannot satisfy the condition."""
        if self.cutting.budget.spent < STEPS_BEFORE_BOUNDS:
            return False
        must_open = self.condition.counted == 1 and not state.tally[1]
        if must_open and not self.cutting.may_open(state.left):
            return True
        exposure = self.cutting.exposure
        if self.condition.most and not self.condition.may_add(state.tally):
            exposure = self.cutting.exposure_on_table
        return exposure.costs(cost, state.left, self.wilds - lowest(state.reach))

    def at_the_end(self, state: _State) -> int:
        """Return the cost of the wild cards that no piece takes."""
        if sum(state.tally[1]) < self.condition.needed:
            return MAX_COST
        if not self.wilds:
            return 0
        unplaced = self.cutting.unplaced(state.reach, state.used, self.wilds)
        return self.left_over[state.twos][unplaced]

    def ways(self, state: _State, offered: Choices) -> Iterator[_Way]:
        """Yield the next states: the dearest card goes into one of its pieces, or is left over."""
        left, reach, used, twos, tally = state
        cutting, condition, full = self.cutting, self.condition, self.full
        wild_twos, worth, gone = cutting.twos, cutting.points, ~left
        dearest = (left & FIRST).bit_length() - 1
        pieces = offered.get(dearest, ())
        cutting.budget.spend(1 + len(pieces) // 8)
        for piece in pieces:
            _, cards, counts, _, onto, needs = piece
            if cards & gone or used & onto or needs & ~used:
                continue
            points = worth[piece] if worth else 0
            if points and not condition.may_add(tally):
                continue
            more_twos = (cards & wild_twos).bit_count()
            counts <<= more_twos
            if taking := (sums(reach, counts) if reach > 1 else counts) & full:
                taken = left & cards * cutting.planes
                others, price = left ^ taken ^ taken >> COPIES, 0
                if not counts & 1:
                    others, price = cutting.worth_keeping(others, self.wilds - lowest(taking))
                after = _State(
                    others,
                    taking,
                    used | onto,
                    twos + more_twos,
                    condition.add(tally, points) if points else tally,
                )
                yield after, piece, price
        taken = left & cutting.planes << dearest
        price = cutting.prices[dearest]
        yield _State(left ^ taken ^ taken >> COPIES, reach, used, twos, tally), None, price


def _wilds(hand: Hand) -> tuple[int, int]:
    """Return the numbers of jokers and of wild twos."""
    jokers = sum(card.is_joker for card in hand.wilds)
    return jokers, len(hand.wilds) - jokers


def _settled(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield own melds for each number of wild cards; on the table the number stays open."""
    for piece in pieces:
        if piece.onto:
            yield piece
        else:
            for count in numbers(piece.wilds):
                yield piece._replace(wilds=1 << count)


def short(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces that two shorter adjacent ones cannot replace."""
    wilds: dict[int, int] = {}
    for piece in pieces:
        most = piece.cards.bit_count() + piece.wilds.bit_length() - 1
        if most >= 6 and piece.kind == "run" and not piece.onto:
            wilds = wilds or {each.cards: each.wilds for each in pieces if not each.onto}
            counts = piece.wilds
            for low in beginnings(piece.cards):
                counts &= ~sums(wilds.get(low, 0), wilds.get(piece.cards ^ low, 0))
            if counts:
                yield piece._replace(wilds=counts)
        else:
            yield piece


def runs_of(pieces: Iterable[Piece]) -> Runs:
    """Return the own runs by their natural cards."""
    return {each.cards: each for each in pieces if each.kind == "run" and not each.onto}


def joined(chosen: list[Piece], runs: Runs) -> list[Piece]:
    """Return the chosen pieces, with two joined if they form one run with the same wild cards."""
    own = [piece for piece in chosen if not piece.onto]
    for one, other in combinations(own, 2):
        run = None if one.cards & other.cards else runs.get(one.cards | other.cards)
        if run and not sums(one.wilds, other.wilds) & ~run.wilds:
            others = [piece for piece in chosen if piece is not one and piece is not other]
            return joined([run, *others], runs)
    return chosen


def by_dearest(pieces: Iterable[Piece]) -> Choices:
    """Return the pieces by their dearest card, the dearest pieces first."""
    found: Choices = {}
    for piece in sorted(pieces, key=attrgetter("price"), reverse=True):
        found.setdefault(piece.cards.bit_length() - 1, []).append(piece)
    return found


def _cheapest(costs: Sequence[int]) -> list[int]:
    """Return the cost of 0, 1, 2 ... of these cards, the cheapest ones first."""
    return [0, *accumulate(sorted(costs))]
