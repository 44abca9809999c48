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
from importlib import import_module
from statistics import mean
from time import perf_counter_ns
from typing import Any

from scorekeeper.domain.cards import JOKER, PACK, Card, card_named
from scorekeeper.domain.cutting import Kit, kit_of
from scorekeeper.domain.melds import Meld, hand_value
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import preset
from scorekeeper.domain.solver import Arrangement, arrange, best_arrangements, least_rest

ROUNDS = 5
GIN = preset("gin-palast")
WIENER = preset("wiener")
PALAST = preset("romme-palast")
EIGHT = replace(WIENER, deck=replace(WIENER.deck, jokers=8))


@dataclass(frozen=True)
class Row:
    """One measured question: microseconds for each hand."""

    what: str
    mean: float
    p99: float
    most: float
    ratio: float | None = None
    """How many times as long as ours."""


def measure(what: str, answer: Callable[[Any], object], asked: Sequence[Any]) -> Row:
    """The quietest of a few rounds for every hand; a first round, not counted, warms up."""
    times = [float("inf")] * len(asked)
    for turn in range(ROUNDS + 1):
        for i, question in enumerate(asked):
            begun = perf_counter_ns()
            answer(question)
            took = perf_counter_ns() - begun
            if turn:
                times[i] = min(times[i], took)
    micro = sorted(max(0, took - CLOCK) / 1000 for took in times)
    return Row(what, mean(micro), micro[int(len(micro) * 0.99)], micro[-1])


def _clock() -> int:
    """What it costs to look at the clock, and to call nothing."""
    times = []
    for _ in range(10_000):
        begun = perf_counter_ns()
        hash(None)
        times.append(perf_counter_ns() - begun)
    return sorted(times)[len(times) // 2]


CLOCK = _clock()


def against(ours: Row, peer: Row) -> Row:
    return replace(peer, ratio=peer.mean / ours.mean)


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
    )
    return [[card_named(name) for name in text.split()] for text in texts]


# --- ours and theirs --------------------------------------------------------------------


def gin(hands: list[list[Card]], which: str) -> Iterator[Row]:
    """Ten cards from their texts, and with the melds."""
    texts = [names(hand) for hand in hands]
    points = measure(f"{which}: least points", least_rest(GIN), texts)
    yield points
    sums = kit_of(GIN).sums
    assert sums
    melds = measure(f"{which}: with melds", lambda text: from_names(text, GIN), texts)
    yield melds
    if spiel := peer("pyspiel"):
        utils = spiel.gin_rummy.GinRummyUtils(13, 4, 10)
        theirs = [
            [name.replace("10", "T").title()[0] + name[-1].lower() for name in t] for t in texts
        ]
        ints = utils.card_strings_to_card_ints
        assert all(
            utils.min_deadwood(ints(text)) == least_rest(GIN)(ours)
            for text, ours in zip(theirs, texts, strict=True)
        )
        asked = measure("  open_spiel", lambda text: utils.min_deadwood(ints(text)), theirs)
        yield against(points, asked)
        asked = measure(
            "  open_spiel, melds", lambda text: utils.best_meld_group(ints(text)), theirs
        )
        yield against(melds, asked)
    if peer("rlcard"):
        melding = import_module("rlcard.games.gin_rummy.utils.melding")
        utils = import_module("rlcard.games.gin_rummy.utils.utils")

        def deadwood(text: list[str]) -> int:
            hand = [utils.card_from_text(name) for name in text]
            clusters = melding.get_best_meld_clusters(hand)
            return int(utils.get_deadwood_count(hand, clusters[0] if clusters else []))

        theirs = [[name.replace("10", "T") for name in text] for text in texts]
        yield against(points, measure("  rlcard", deadwood, theirs[:300]))


def from_names(text: Sequence[str], rules: RuleSet) -> Arrangement:
    """From texts to melds, for a hand that leaves a choice by the search."""
    sums = kit_of(rules).sums
    plain = sums and sums.arrangement(text)
    if plain:
        return Arrangement(plain.points, plain.melds, (), plain.rest)
    return arrange([card_named(name) for name in text], rules)


def rummikub(hands: list[list[Card]], ours: Row) -> Iterator[Row]:
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

    yield against(ours, measure("  rummikub-solver", most, hands[:100]))


def tile(card: Card) -> int:
    """A card as the other package numbers it."""
    return 53 if card.is_joker else 13 * "CDHS".index(card.suit or "") + int(card.rank or 0)


def peer(name: str) -> Any:
    """A package to compare with, or None and a message."""
    try:
        return import_module(name)
    except ImportError:
        print(f"{name} is not installed: see bench/requirements-peers.txt", file=sys.stderr)
        return None


def rows(scale: int = 1000) -> Iterator[Row]:
    """Every measurement, as it comes."""
    yield from gin(dealt(3 * scale, 10, 1, 0), "gin, dealt")
    yield from gin(at_the_knock(scale), "gin, at the knock")
    yield measure(
        "gin, lay-offs too", lambda asked: arrange(asked[0], GIN, asked[1]), knocks(scale)
    )
    mixed = dealt(2 * scale, 14, 2, 4)
    ours = measure("14 of 2 packs + 4 jokers", lambda hand: arrange(hand, WIENER), mixed)
    yield ours
    yield from rummikub(mixed, ours)
    for jokers in range(5):
        hands = with_jokers(scale, 14, jokers)
        yield measure(f"14, {jokers} jokers among them", lambda hand: arrange(hand, WIENER), hands)
    unmistakable = with_jokers(scale, 14, 4)
    yield measure("14, 4 unmistakable jokers", lambda hand: arrange(hand, PALAST), unmistakable)
    eight = with_jokers(scale, 16, 8)
    yield measure("16, 8 jokers among them", lambda hand: arrange(hand, EIGHT), eight)
    yield measure("16, made to be slow", lambda hand: arrange(hand, EIGHT), slow_hands())


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
