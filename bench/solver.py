"""How fast the least rest is found, beside others that answer the like: ``bench.solver``.

The peers stand in ``requirements-peers.txt``; the solver itself needs the standard library
alone, so this also runs where only the peers are installed. Times are of one thread.
"""

import os
import random
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from statistics import mean
from time import perf_counter_ns, thread_time_ns
from typing import Any

from scorekeeper.domain.cards import JOKER, PACK, Card, Rank, Suit, card_named
from scorekeeper.domain.cutting import Kit, kit_of
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, hand_value, read_meld
from scorekeeper.domain.openings import first_melds
from scorekeeper.domain.options import RuleSet, Wild
from scorekeeper.domain.presets import preset
from scorekeeper.domain.solver import Arrangement, arrange, best_arrangements, least_rest

ROUNDS = 5
GIN = preset("gin-palast")
WIENER = preset("wiener")
PALAST = preset("romme-palast")
EIGHT = replace(WIENER, deck=replace(WIENER.deck, jokers=8))
FREE = replace(preset("german-family"), deck=EIGHT.deck)
LAWS = {
    "free jokers": FREE,
    "unmistakable": replace(FREE, joker=replace(FREE.joker, placement="unique_if_two")),
    "wild twos": replace(FREE, wild=Wild(twos=True)),
    "both": replace(
        FREE, wild=Wild(twos=True), joker=replace(FREE.joker, placement="unique_if_two")
    ),
}
"""What decides how much there is to try."""


@dataclass(frozen=True)
class Row:
    """One measured question: microseconds for each hand."""

    what: str
    mean: float
    p99: float
    most: float
    ratio: float | None = None
    """How many times as long as ours."""


@dataclass(frozen=True)
class Runner:
    """Someone who answers questions."""

    what: str
    answer: Callable[[Any], object]
    asked: Sequence[Any]


def race(ours: Runner, *peers: Runner) -> Iterator[Row]:
    """All in turns, so that what else the machine does hits them alike.

    The quietest of a few rounds for every hand; a first round, not counted, warms up.
    """
    runners = (ours, *peers)
    times = [[float("inf")] * len(runner.asked) for runner in runners]
    for turn in range(ROUNDS + 1):
        for runner, quietest in zip(runners, times, strict=True):
            for i, question in enumerate(runner.asked):
                took = timed(runner.answer, question)
                if turn:
                    quietest[i] = min(quietest[i], took)
    first = None
    for runner, quietest in zip(runners, times, strict=True):
        row = summed_up(runner.what, quietest)
        first = first or row
        yield replace(row, ratio=row.mean / first.mean) if runner is not ours else row


def measure(what: str, answer: Callable[[Any], object], asked: Sequence[Any]) -> Row:
    """One alone."""
    return next(race(Runner(what, answer, asked)))


Asked = Sequence[tuple[list[Card], RuleSet]]


def at_first(what: str, answer: Callable[[Any, RuleSet], object], asked: Asked) -> Row:
    """Every hand once, under rules that nothing is kept for: the price of a joker is new.

    In the processor's time, because there is no quieter round to choose.
    """
    times = []
    for number, (hand, rules) in enumerate(asked):
        anew = replace(rules, joker=replace(rules.joker, hand_value=30 + number))
        begun = thread_time_ns()
        answer(hand, anew)
        times.append(thread_time_ns() - begun)
    return summed_up(what, times)


def timed(answer: Callable[[Any], object], question: Any) -> int:
    """Nanoseconds for one answer."""
    begun = perf_counter_ns()
    answer(question)
    return perf_counter_ns() - begun


def summed_up(what: str, times: Sequence[float]) -> Row:
    micro = sorted(max(0, took - CLOCK) / 1000 for took in times)
    return Row(what, mean(micro), micro[int(len(micro) * 0.99)], micro[-1])


def _clock() -> int:
    """What it costs to look at the clock, and to call nothing."""
    times = [timed(hash, None) for _ in range(10_000)]
    return sorted(times)[len(times) // 2]


CLOCK = _clock()


# --- hands ------------------------------------------------------------------------------


def dealt(count: int, cards: int, packs: int, jokers: int, seed: int = 1) -> list[list[Card]]:
    """Random hands from a whole deck."""
    chance = random.Random(seed)
    deck = [*PACK * packs, *[JOKER] * jokers]
    return [chance.sample(deck, cards) for _ in range(count)]


def with_jokers(count: int, cards: int, jokers: int, seed: int = 2) -> list[list[Card]]:
    """Random hands with just so many jokers."""
    chance = random.Random(seed)
    return [chance.sample(PACK * 2, cards - jokers) + [JOKER] * jokers for _ in range(count)]


def at_the_knock(count: int, seed: int = 3) -> list[list[Card]]:
    """Gin hands with at most ten points left: a dealt hand, bettered card by card."""
    chance = random.Random(seed)
    least = least_rest(GIN)
    found: list[list[Card]] = []
    while len(found) < count:
        stock = chance.sample(PACK, 52)
        hand, stock = stock[:10], stock[10:]
        while stock and least(names(hand)) > 10:
            eleven = [*hand, stock.pop()]
            ways = [[card for card in eleven if card is not gone] for gone in eleven]
            hand = min(ways, key=lambda way: (least(names(way)), hand_value(way, GIN)))
        if least(names(hand)) <= 10:
            found.append(hand)
    return found


def names(hand: Sequence[Card]) -> list[str]:
    return [str(card) for card in hand]


def knocks(count: int) -> list[tuple[list[Card], tuple[Meld, ...]]]:
    """An opponent's hand, and the melds that the knocker shows."""
    found = []
    for hand in at_the_knock(count, seed=4):
        others = random.Random(len(found)).sample([c for c in PACK if c not in hand], 10)
        found.append((others, arrange(hand, GIN).melds))
    return found


def laid_down(count: int, jokers: int, seed: int = 5) -> list[list[Card]]:
    """Sets and runs with just so many jokers; one in three with a card that does not belong."""
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        if chance.random() < 0.3:
            rank = chance.choice(tuple(Rank))
            meld = [Card(rank, suit) for suit in chance.sample(tuple(Suit), chance.choice((3, 4)))]
        else:
            first, size = chance.randrange(11), chance.randint(3, 7)
            suit = chance.choice(tuple(Suit))
            meld = [Card(rank, suit) for rank in tuple(Rank)[first : first + size]]
        if len(meld) < 3:
            continue
        if chance.random() < 1 / 3:
            meld[0] = chance.choice(PACK)
        for place in chance.sample(range(len(meld)), min(jokers, len(meld) - 1)):
            meld[place] = JOKER
        found.append(meld)
    return found


def slow_hands() -> list[list[Card]]:
    """Hands made to be slow: every card in many pieces, nothing that ends the search soon."""
    texts = (
        "5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S",
        "5C 5C 6C 6C 7C 7C 8C 8C 5D 5D 6D 6D 7D 7D JK JK",
        "5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S JK JK JK JK",
        "AC 3C 5C 7C 9C JC AD 3D 5D 7D 9D JD JK JK JK JK",
        "AC 4C 7C 10C KC 2D 5D 8D JD 3H 6H 9H QH JK JK JK",
        "AC 3D 5C 7D 9C JD KC 4H JK JK JK JK JK JK JK JK",
        "AC 2C 3C 4C 5C 6C 7C 8C JK JK JK JK JK JK JK JK",
        "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC JK JK JK",
        "2C 2C 2D 2D 2H 2H 2S 2S 3C 4C 5C 6C 7C 8C JK JK",
        "2C 2C 2D 2D 2H 2H 2S 2S 5C 6C 7D 8D 9H 10H JS QS",
    )
    return [[card_named(name) for name in text.split()] for text in texts]


# --- ours and theirs --------------------------------------------------------------------


def gin(hands: list[list[Card]], which: str) -> Iterator[Row]:
    """Ten cards from their texts, and with the melds."""
    texts = [names(hand) for hand in hands]
    least = least_rest(GIN)
    points = [Runner(f"{which}: least points", least, texts)]
    melds = [Runner(f"{which}: with melds", lambda text: from_names(text, GIN), texts)]
    if spiel := peer("pyspiel"):
        utils = spiel.gin_rummy.GinRummyUtils(13, 4, 10)
        ints = utils.card_strings_to_card_ints
        theirs = [
            [name.replace("10", "T").title()[0] + name[-1].lower() for name in text]
            for text in texts
        ]
        assert all(
            utils.min_deadwood(ints(text)) == least(ours)
            for text, ours in zip(theirs, texts, strict=True)
        )
        points.append(Runner("  open_spiel", lambda text: utils.min_deadwood(ints(text)), theirs))
        melds.append(
            Runner("  open_spiel, melds", lambda text: utils.best_meld_group(ints(text)), theirs)
        )
    if peer("rlcard"):
        melding = import_module("rlcard.games.gin_rummy.utils.melding")
        other = import_module("rlcard.games.gin_rummy.utils.utils")

        def deadwood(text: list[str]) -> int:
            hand = [other.card_from_text(name) for name in text]
            clusters = melding.get_best_meld_clusters(hand)
            return int(other.get_deadwood_count(hand, clusters[0] if clusters else []))

        theirs = [[name.replace("10", "T") for name in text] for text in texts[:300]]
        points.append(Runner("  rlcard", deadwood, theirs))
    yield from race(*points)
    yield from race(*melds)


def from_names(text: Sequence[str], rules: RuleSet) -> Arrangement:
    """From texts to melds, for a hand that leaves a choice by the search."""
    sums = kit_of(rules).sums
    plain = sums and sums.arrangement(text)
    if plain:
        return Arrangement(plain.points, plain.melds, (), plain.rest)
    return arrange([card_named(name) for name in text], rules)


def rummikub(hands: list[list[Card]]) -> Iterator[Runner]:
    """An integer programme for the like question: the most points in melds."""
    package = peer("rummikub_solver")
    if not package:
        return
    rules = package.RuleSet(numbers=13, repeats=2, colours=4, jokers=4)
    value = package.SolverMode.TOTAL_VALUE

    def most(hand: list[Card]) -> object:
        state = rules.new_game()
        state.add_rack(*(tile(card) for card in hand))
        return rules.solve(state, value)

    yield Runner("  rummikub-solver", most, hands[:100])


def tile(card: Card) -> int:
    """A card as the other package numbers it."""
    return 53 if card.is_joker else 13 * "CDHS".index(card.suit or "") + int(card.rank or 0)


@cache
def peer(name: str) -> Any:
    """A package to compare with, or None and a message, said once."""
    try:
        return import_module(name)
    except ImportError:
        print(f"{name} is not installed: see bench/requirements-peers.txt", file=sys.stderr)
        return None


def checks(scale: int) -> Iterator[Row]:
    """Is that a meld? Groups of three to seven cards, one in three of them none."""
    for name, rules in (("german-family", preset("german-family")), ("romme-palast", PALAST)):
        for jokers in range(3):
            asked = laid_down(scale, jokers)
            which = ("natural", "1 joker", "2 jokers")[jokers]
            yield measure(f"meld, {name}, {which}", lambda cards, r=rules: checked(cards, r), asked)


def checked(cards: Sequence[Card], rules: RuleSet) -> Meld | None:
    try:
        return read_meld(cards, rules)
    except RuleError:
        return None


def slow(scale: int) -> Iterator[Row]:
    """What was made to be slow, once warm and the very first time."""
    eight = with_jokers(scale, 16, 8)
    yield measure("16, 8 jokers among them", lambda hand: arrange(hand, EIGHT), eight)
    hands = slow_hands()
    yield measure("16, made to be slow", lambda hand: arrange(hand, EIGHT), hands)
    for which, rules in LAWS.items():
        yield at_first(f"the first time, {which}", arrange, [(hand, rules) for hand in hands])
    for which, rules in LAWS.items():
        opening = replace(rules, meld=replace(rules.meld, first_min=40, first_scope="together"))
        asked = [(hand, opening) for hand in hands]
        yield at_first(f"first melds, {which}", first_melds, asked)


def rows(scale: int = 1000) -> Iterator[Row]:
    """Every measurement, as it comes."""
    yield from checks(scale)
    yield from gin(dealt(3 * scale, 10, 1, 0), "gin, dealt")
    yield from gin(at_the_knock(scale), "gin, at the knock")
    yield measure(
        "gin, lay-offs too", lambda asked: arrange(asked[0], GIN, asked[1]), knocks(scale)
    )
    mixed = dealt(2 * scale, 14, 2, 4)
    ours = Runner("14 of 2 packs + 4 jokers", lambda hand: arrange(hand, WIENER), mixed)
    yield from race(ours, *rummikub(mixed))
    for jokers in range(5):
        hands = with_jokers(scale, 14, jokers)
        yield measure(f"14, {jokers} jokers among them", lambda hand: arrange(hand, WIENER), hands)
    unmistakable = with_jokers(scale, 14, 4)
    yield measure("14, 4 unmistakable jokers", lambda hand: arrange(hand, PALAST), unmistakable)
    yield from slow(scale)


def tables() -> str:
    """What is kept for one rule set, in time and memory."""
    begun = perf_counter_ns()
    Kit(WIENER)
    ready = (perf_counter_ns() - begun) / 1e6
    tracemalloc.start()
    for hand in dealt(5000, 14, 2, 4, seed=9):
        next(best_arrangements(hand, replace(WIENER, joker=replace(WIENER.joker, hand_value=21))))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return f"Tables of one rule set: {ready:.0f} ms, {kept / 1e6:.1f} MB after 5,000 hands"


def main() -> None:
    """Print the table."""
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores; microseconds for each hand,")
    print(f"the best of {ROUNDS} rounds once warm\n")
    shape = "{:<32} {:>9} {:>9} {:>9}  {}"
    print(shape.format("what", "mean", "p99", "max", "times ours"))
    for row in rows():
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        numbers = (f"{number:,.1f}" for number in (row.mean, row.p99, row.most))
        print(shape.format(row.what, *numbers, ratio), flush=True)
    print(f"\n{tables()}")


if __name__ == "__main__":
    main()
