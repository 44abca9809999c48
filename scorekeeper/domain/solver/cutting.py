"""The search of the solver: cutting a hand into pieces so that little is left over."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations
from operator import attrgetter, or_

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.cards.card import JOKER, Card
from scorekeeper.domain.solver.bits import Totals, beginnings, lowest, numbers, sums
from scorekeeper.domain.solver.condition import NOTHING, Condition, Tally
from scorekeeper.domain.solver.exposure import Exposure
from scorekeeper.domain.solver.hand import Hand, without
from scorekeeper.domain.solver.pieces import COPIES, EVERY_COPY, FIRST, Piece
from scorekeeper.domain.solver.prepared import MAX_COST, Prepared
from scorekeeper.domain.solver.room import Room

STEPS_BEFORE_BOUNDS = 300
"""The steps before ``Exposure`` is prepared; the searches of most dealt hands take fewer."""
NO_CONDITION = Condition()

Chosen = tuple[Piece, ...]
Choices = dict[int, list[Piece]]
"""Pieces by the number of their dearest card, the dearest piece first."""
Runs = dict[int, Piece]
"""Runs by their natural cards."""
_More = tuple[int, int, Tally]
"""What a state has besides: the melds on the table that took a piece, as bits; the number of
wild twos used as natural cards; the tally of the own melds."""
_State = tuple[int, int, _More]
"""The natural cards left, as bits; ``reach``, the numbers of wild cards that the pieces so far
can take, as bits; and more."""
_Way = tuple[int, int, int, _More, int, Piece | None]
"""The price of the cards left over; the next state, and the price of its cards; the piece."""
_Known = tuple[int, _Way | None]
"""The minimum cost of a state and the first way to it; without a way, only a lower bound."""
NOTHING_MORE: _More = 0, 0, NOTHING
UNKNOWN: _Known = 0, None


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
        own: Sequence[Piece],
        layoffs: Sequence[Piece],
        budget: Budget,
        condition: Condition | None = None,
    ) -> None:
        self.hand = hand
        self.prepared = prepared
        self.budget = budget
        self.condition = condition
        self.layoffs = layoffs
        self.pieces = [*own, *(layoff for layoff in layoffs if layoff.cards)] if layoffs else own
        if not condition:
            budget.spend(len(self.pieces) // 4)
        self.prices = Totals(prepared.losses)
        self.twos = prepared.twos
        self.every_copy = EVERY_COPY[hand.naturals.bit_length() // COPIES]
        self.points: dict[Piece, int] = {}
        """The points of own melds towards a condition, if there is one."""
        self._known: dict[tuple[int, int], dict[_State, _Known]] = {}
        """Known costs by the numbers of wild cards and of the jokers among them."""
        self._openers: list[int] | None = None
        self._may_open: dict[int, bool] = {}
        """By the cards left."""
        self._choices: Choices | None = None
        self._runs: Runs | None = None
        self._exposures: dict[bool, Exposure] = {}
        """The lower bounds with all pieces, and with those on the table only."""
        self.room = Room(layoffs, len(hand.wilds), self.every_copy)
        """What the melds on the table can take."""
        self.useful, self.saving = self._uses()
        """The cards that some piece can take, by the number of wild cards left; and the most that
        each wild card saves in any piece."""
        self.enough = self.choices if condition else self._by_dearest(short(self.pieces))
        """The pieces that suffice to find the minimum cost."""
        self.is_enough = not condition or self._suffices(condition)
        """Whether all pieces together suffice for the points that the condition needs."""

    # --- the search ---------------------------------------------------------------------

    def least(self, hand: Hand, below: int) -> tuple[int, Chosen] | None:
        """Return the cost and pieces of the cheapest cut, or None if it costs ``below`` or more."""
        if not self.is_enough:
            return None
        key = len(hand.wilds), hand.wilds.count(JOKER)
        costs = _Costs(self, hand, self._known.setdefault(key, {}))
        left, price, lost = costs.start(hand)
        least = costs.least(left, 1, NOTHING_MORE, price, below - lost)
        if least >= below - lost:
            return None
        chosen = costs.chosen(left)
        if len(chosen) > 1 and not self.condition:
            chosen = joined(chosen, self)
        return lost + least, tuple(chosen)

    def every(self, hand: Hand, most: int) -> Iterator[tuple[int, Chosen]]:
        """Yield the cost and pieces of all ways to cut the hand at no more than ``most``."""
        costs = _Costs(self, hand, {})

        def cut(
            lost: int, left: int, reach: int, more: _More, price: int, path: Chosen
        ) -> Iterator[tuple[int, Chosen]]:
            if not left:
                cost = lost + costs.at_the_end(reach, more)
                if cost <= most:
                    yield cost, path
            elif costs.may_cost(most - lost, left, reach, more, price):
                for way in costs.ways(left, reach, more, price, self.choices):
                    lost_too, others, taking, after, rest, piece = way
                    longer = (*path, piece) if piece else path
                    yield from cut(lost + lost_too, others, taking, after, rest, longer)

        left, price, lost = costs.start(hand)
        yield from cut(lost, left, 1, NOTHING_MORE, price, ())

    # --- the pieces ---------------------------------------------------------------------

    def _uses(self) -> tuple[list[int], int]:
        """Return ``useful`` and ``saving``."""
        needing = [0] * (len(self.hand.wilds) + 1)
        saving = 0
        for piece in self.pieces:
            needed = self._needs(piece) if self.twos else lowest(piece.wilds)
            if needed < len(needing):
                needing[needed] |= piece.cards
                if needed and piece.price > saving * needed:
                    saving = -(-piece.price // needed)
        return [(cards & FIRST) * self.every_copy for cards in accumulate(needing, or_)], saving

    def _needs(self, piece: Piece) -> int:
        """Return the fewest wild cards of a piece, including twos used as natural cards."""
        return lowest(piece.wilds) + (piece.cards & self.twos).bit_count()

    @property
    def choices(self) -> Choices:
        """All pieces."""
        if self._choices is None:
            settled = self.condition and self.condition.needed
            self._choices = self._by_dearest(_settled(self.pieces) if settled else self.pieces)
        return self._choices

    @property
    def runs(self) -> Runs:
        """The own runs, which the searches of all parts of the hand need."""
        if self._runs is None:
            own = [piece for piece in self.pieces if piece.kind == "run" and not piece.onto]
            self._runs = {run.cards: run for run in own}
        return self._runs

    def _by_dearest(self, pieces: Iterable[Piece]) -> Choices:
        """Return the pieces by their dearest card, the dearest pieces first."""
        if self.condition:
            pieces = self._counting(pieces, self.condition)
        found: Choices = {}
        for piece in sorted(pieces, key=attrgetter("price"), reverse=True):
            found.setdefault((piece.cards & FIRST).bit_length() - 1, []).append(piece)
        return found

    def _counting(self, pieces: Iterable[Piece], condition: Condition) -> Iterator[Piece]:
        """Yield the pieces that may satisfy a condition, and note the points of own melds.

        A single meld must reach the minimum alone, and a contract allows no other melds.
        """
        least = condition.needed if condition.most == 1 or condition.contract else 0
        for piece in pieces:
            points = 0 if piece.onto else self._worth(piece, condition)
            if piece.onto or points >= least:
                self.points[piece] = points
                yield piece

    def _worth(self, piece: Piece, condition: Condition) -> int:
        """Return the points of an own meld towards a condition."""
        if condition.contract:
            return condition.length(piece.kind, piece.cards.bit_count(), lowest(piece.wilds))
        if not condition.needed:
            return 1  # only the number of own melds matters
        self.budget.spend()
        return max(self.prepared.pieces.worths(piece, lowest(piece.wilds)))

    # --- conditions and bounds ----------------------------------------------------------

    def _suffices(self, condition: Condition) -> bool:
        points = sorted(map(self.points.__getitem__, chain(*self.choices.values())), reverse=True)
        return sum(points[: condition.counted or None]) >= condition.needed

    def _reaching(self) -> list[int]:
        """Return the cards of the pieces that reach the minimum of a single meld.

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
            if self._openers is None:
                self._openers = self._reaching()
            found = self._may_open[left] = any(not cards & ~left for cards in self._openers)
        return found

    def exposure(self, *, only_on_table: bool) -> Exposure:
        """Return the lower bound with all pieces, or if no more melds may be laid."""
        found = self._exposures.get(only_on_table)
        if found is None:
            pieces = [
                (piece.cards, self._needs(piece), piece.price)
                for piece in chain(*self.enough.values())
                if piece.onto or not only_on_table
            ]
            found = Exposure(pieces, self.prices, self.every_copy, self.budget)
            self._exposures[only_on_table] = found
        return found


class _Costs:
    """The minimum costs of cards left, given the wild cards of a hand.

    Known costs are reused for later hands: with one card less, most states occur again.
    """

    def __init__(self, cutting: Cutting, hand: Hand, known: dict[_State, _Known]) -> None:
        self.cutting = cutting
        self.budget = cutting.budget
        self.condition = cutting.condition or NO_CONDITION
        self.bounds_from = cutting.budget.most - STEPS_BEFORE_BOUNDS
        """The steps left below which ``Exposure`` is used."""
        self.enough = cutting.enough
        self.useful, self.saving = cutting.useful, cutting.saving
        self.bare = self.useful[0]
        """The cards that pieces without wild cards can take."""
        self.wilds = len(hand.wilds)
        self.full = (2 << self.wilds) - 1
        """Every number of wild cards, as bits."""
        self.left_over = _left_over(hand.wilds, cutting.prepared)
        """The costs of 0, 1, 2 ... wild cards left over, by the number of natural twos."""
        self.known = known

    def start(self, hand: Hand) -> tuple[int, int, int]:
        """Return the cards that fit into pieces, their price, and that of the others."""
        left = hand.naturals & self.useful[self.wilds]
        price = self.cutting.prices[left]
        return left, price, hand.price - price

    def least(self, left: int, reach: int, more: _More, price: int, below: int) -> int:
        """Return the minimum cost of the cards left, or some value of at least ``below``.

        ``price`` is their cost if all of them are left over.
        """
        if not left:
            return self.at_the_end(reach, more)
        if below <= 0 or below <= price - self.most_saved(left, price, reach):
            return below
        if more[0]:
            more = self.relevant(left, more)
        state = left, reach, more
        least, best = self.known.get(state, UNKNOWN)
        if best or least >= below:
            return least
        if self.budget.left < self.bounds_from and self.costs(below, left, reach, more):
            return below
        least = below
        for way in self.ways(left, reach, more, price, self.enough):
            lost, others, taking, after, rest, _ = way
            cost = lost + self.least(others, taking, after, rest, least - lost)
            if cost < least:
                least, best = cost, way
        self.known[state] = least, best
        return least

    def relevant(self, left: int, more: _More) -> _More:
        """Return what represents all equivalent states with these cards left."""
        used, twos, tally = more
        return self.cutting.room.relevant(used, left), twos, tally

    def chosen(self, left: int) -> list[Piece]:
        """Return the pieces of the first way to the minimum cost, which is known."""
        chosen: list[Piece] = []
        reach, more = 1, NOTHING_MORE
        while left:
            if more[0]:
                more = self.relevant(left, more)
            way = self.known[left, reach, more][1]
            assert way, "every state on the way to the minimum is known"
            _, left, reach, more, _, piece = way
            if piece:
                chosen.append(piece)
        return chosen

    def at_the_end(self, reach: int, more: _More) -> int:
        """Return the cost of the wild cards that no piece takes."""
        used, twos, tally = more
        if self.condition.needed and not self.condition.is_met(tally):
            return MAX_COST
        if self.cutting.layoffs:
            reach = self.cutting.room.reach(reach, used) & self.full
        return self.left_over[twos][self.wilds + 1 - reach.bit_length()]

    def ways(self, left: int, reach: int, more: _More, price: int, offered: Choices) -> list[_Way]:
        """Return the next states: the dearest card in one of its pieces, and last left over."""
        cutting, gone, full = self.cutting, ~left, self.full
        wild_twos, worth, every_copy = cutting.twos, cutting.points, cutting.every_copy
        used, twos, tally = more
        dearest = (left & FIRST).bit_length() - 1
        pieces = offered.get(dearest, ())
        self.budget.spend(1 + len(pieces) // 8)
        found: list[_Way] = []
        for piece in pieces:
            _, cards, counts, saved, onto, needs = piece
            if cards & gone or used & onto or needs & ~used:
                continue
            points = worth[piece] if worth else 0
            if points and not self.condition.may_add(tally, points):
                continue
            more_twos = (cards & wild_twos).bit_count() if wild_twos else 0
            counts <<= more_twos
            taking = (sums(reach, counts) if reach > 1 else counts) & full
            if not taking:
                continue
            if cards > FIRST:  # a set with copies
                others = without(left, cards)
            else:
                taken = left & cards * every_copy
                others = left ^ taken ^ taken >> COPIES
            rest = cutting.prices[others] if more_twos else price - saved
            lost = 0
            if not counts & 1:  # fewer wild cards are left, and fewer cards of use
                useful = others & self.useful[self.wilds - lowest(taking)]
                if useful != others:
                    lost = cutting.prices[others ^ useful]
                    others, rest = useful, rest - lost
            after = more
            if onto or more_twos or points:
                counted = self.condition.add(tally, points) if points else tally
                after = used | onto, twos + more_twos, counted
            found.append((lost, others, taking, after, rest, piece))
        taken = left & every_copy << dearest
        lost = cutting.prices.each[dearest]
        found.append((lost, left ^ taken ^ taken >> COPIES, reach, more, price - lost, None))
        return found

    # --- bounds -------------------------------------------------------------------------

    def most_saved(self, left: int, price: int, reach: int) -> int:
        """Return an upper bound of what pieces save of the cards left, which have this price."""
        bare = left & self.bare
        if bare == left:
            return price
        saved = (self.wilds - lowest(reach)) * self.saving
        return saved + self.cutting.prices[bare]

    def costs(self, cost: int, left: int, reach: int, more: _More) -> bool:
        """Return whether the cards left cost at least ``cost``, or cannot satisfy the condition.

        This bound is better than ``most_saved``, but it must be prepared.
        """
        cutting, tally = self.cutting, more[2]
        must_open = self.condition.counted == 1 and not tally[1]
        if must_open and not cutting.may_open(left):
            return True
        no_more_melds = self.condition.most > 0 and not self.condition.may_add(tally)
        exposure = cutting.exposure(only_on_table=no_more_melds)
        return exposure.costs(cost, left, self.wilds - lowest(reach))

    def may_cost(self, most: int, left: int, reach: int, more: _More, price: int) -> bool:
        """Return whether the cards left may cost as little as this, as far as the bounds show."""
        if price - self.most_saved(left, price, reach) > most:
            return False
        is_short = self.budget.left >= self.bounds_from
        return is_short or not self.costs(most + 1, left, reach, more)


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
        kind, cards, counts, _, onto, _ = piece
        if kind == "run" and not onto and cards.bit_count() + counts.bit_length() > 6:
            wilds = wilds or {each.cards: each.wilds for each in pieces if not each.onto}
            for low in beginnings(cards):
                if low in wilds and cards ^ low in wilds:
                    counts &= ~sums(wilds[low], wilds[cards ^ low])
            if counts:
                yield piece if counts == piece.wilds else piece._replace(wilds=counts)
        else:
            yield piece


def joined(chosen: list[Piece], cutting: Cutting) -> list[Piece]:
    """Return the chosen pieces, with two joined if they form one run with the same wild cards."""
    own = [piece for piece in chosen if not piece.onto]
    for one, other in combinations(own, 2):
        run = None if one.cards & other.cards else cutting.runs.get(one.cards | other.cards)
        if run and not sums(one.wilds, other.wilds) & ~run.wilds:
            others = list(chosen)
            others.remove(one)  # not both copies of a piece that was cut twice
            others.remove(other)
            return joined([run, *others], cutting)
    return chosen


def _left_over(wilds: Sequence[Card], prepared: Prepared) -> list[list[int]]:
    """Return the costs of 0, 1, 2 ... wild cards left over, by the number of natural twos."""
    jokers = wilds.count(JOKER)  # they come first
    if jokers == len(wilds):
        cost = prepared.cost(JOKER)
        return [[*range(0, cost * (jokers + 1), cost)]]
    costs = [*map(prepared.cost, wilds)]
    return [
        [0, *accumulate(sorted(costs[:jokers] + costs[jokers + used :]))]
        for used in range(len(wilds) - jokers + 1)
    ]
