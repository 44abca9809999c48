"""How fast the least rest is found, beside others that answer the like.

The peers stand in ``requirements-peers.txt``. Times are of one thread; the quietest of a few
runs counts for every hand.
"""

import random
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from time import thread_time_ns
from typing import Any

from bench.measuring import Runner, Times, beside, grown, peer, summed_up, took
from bench.table import Bar, Effort, Line, at_most, told, under
from scorekeeper.domain.cards import JOKER, PACK, Card, card_named
from scorekeeper.domain.cutting import Kit, kit_of
from scorekeeper.domain.melds import Meld, hand_value
from scorekeeper.domain.openings import first_melds
from scorekeeper.domain.options import RuleSet, Wild
from scorekeeper.domain.presets import preset
from scorekeeper.domain.solver import Arrangement, arrange, best_arrangements, least_rest

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
SLOWEST_MS = 50
PATIENCE_S = 2
"""What nobody may wait longer for, even the very first time."""


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
    found: list[tuple[list[Card], tuple[Meld, ...]]] = []
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
        "2C 2C 2D 2D 2H 2H 2S 2S 3C 4C 5C 6C 7C 8C JK JK",
        "2C 2C 2D 2D 2H 2H 2S 2S 5C 6C 7D 8D 9H 10H JS QS",
        "2H 5S 9C QD 3D 7H JS KC JK JK JK JK JK JK JK JK",
        "2H 3H 5H 6H 8H 9H JH QH JK JK JK JK JK JK JK JK",
        "4H 5H 6H 7H 8H 9H 10H JH JK JK JK JK JK JK JK JK",
    )
    return [[card_named(name) for name in text.split()] for text in texts]


# --- ours and theirs --------------------------------------------------------------------

Hand = list[Card]


def measured(effort: Effort) -> Iterator[Line]:
    """Every kind of hand, as it comes."""
    some = effort.some(1000)
    yield from gin(effort, dealt(3 * some, 10, 1, 0), "gin, dealt")
    yield from gin(effort, at_the_knock(some), "gin, at the knock")
    yield from laying_off(effort, knocks(some))
    yield from two_packs(effort)
    for jokers in range(5):
        hands = with_jokers(some, 14, jokers)
        yield from against_sum(effort, f"14 cards, {jokers} jokers among them", hands, WIENER)
    hands = with_jokers(some, 14, 4)
    yield from against_sum(effort, "14 cards, 4 unmistakable jokers", hands, PALAST)
    hands = with_jokers(some, 16, 8)
    yield from against_sum(effort, "16 cards, 8 jokers among them", hands, EIGHT, longest)
    yield from against_sum(effort, "16 cards, made to be slow", slow_hands(), EIGHT, longest)
    yield from the_first_time()
    yield tables(effort)


def longest(times: Times) -> tuple[Bar, ...]:
    """No hand may take longer, and the longest is told."""
    slowest = times.most * 1e3
    return (under(slowest, SLOWEST_MS, f" ms ({told(times.most)} the slowest)"),)


def against_sum(
    effort: Effort,
    what: str,
    hands: list[Hand],
    rules: RuleSet,
    bars: Callable[[Times], tuple[Bar, ...]] = lambda _: (),
) -> Iterator[Line]:
    """Where nobody else answers: beside counting the hand as if nothing of it fitted."""
    yield from beside(
        effort,
        f"{len(hands):,} hands",
        Runner(what, lambda hand: arrange(hand, rules), hands),
        Runner("the hand's value", lambda hand: hand_value(hand, rules), hands),
        bars=bars,
    )


def gin(effort: Effort, hands: list[Hand], which: str) -> Iterator[Line]:
    """Ten cards from their texts: the least points, and with the melds."""
    texts = [names(hand) for hand in hands]
    least = least_rest(GIN)
    points, melds = [], []
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
        points.append(Runner("OpenSpiel", lambda text: utils.min_deadwood(ints(text)), theirs, 1))
        grouped = Runner("OpenSpiel", lambda text: utils.best_meld_group(ints(text)), theirs, 5)
        melds.append(grouped)
    if peer("rlcard"):
        theirs = [[name.replace("10", "T") for name in text] for text in texts[:300]]
        points.append(Runner("RLCard", rlcards_deadwood(), theirs, 1 / 5))
    work = f"{len(hands):,} hands of 10"

    def many(count: int) -> list[list[str]]:
        return [names(hand) for hand in dealt(count, 10, 1, 0, seed=7)]

    rungs = effort.rungs if which == "gin, dealt" else ()
    plain = Runner("the hand's value", value_from_names(), texts)
    yield from beside(
        effort,
        work,
        Runner(f"{which}: least points", least, texts),
        *(points or [plain]),
        growth=grown(rungs, many, least),
        per="hands",
    )
    whole = Runner(f"{which}: with melds", lambda text: from_names(text, GIN), texts)
    yield from beside(effort, work, whole, *(melds or [plain]))


def rlcards_deadwood() -> Callable[[list[str]], int]:
    """The deadwood of a hand as RLCard finds it."""
    melding = import_module("rlcard.games.gin_rummy.utils.melding")
    other = import_module("rlcard.games.gin_rummy.utils.utils")

    def deadwood(text: list[str]) -> int:
        hand = [other.card_from_text(name) for name in text]
        clusters = melding.get_best_meld_clusters(hand)
        return int(other.get_deadwood_count(hand, clusters[0] if clusters else []))

    return deadwood


def value_from_names() -> Callable[[list[str]], int]:
    """What a hand counts as if nothing of it fitted, from its texts."""
    worth = {str(card): hand_value([card], GIN) for card in PACK}
    return lambda text: sum(worth[name] for name in text)


def from_names(text: Sequence[str], rules: RuleSet) -> Arrangement:
    """From texts to melds, for a hand that leaves a choice by the search."""
    sums = kit_of(rules).sums
    plain = sums and sums.arrangement(text)
    if plain:
        return Arrangement(plain.points, plain.melds, (), plain.rest)
    return arrange([card_named(name) for name in text], rules)


def laying_off(effort: Effort, asked: list[tuple[Hand, tuple[Meld, ...]]]) -> Iterator[Line]:
    """A defender's ten cards, some of which go to the knocker's melds."""
    yield from beside(
        effort,
        f"{len(asked):,} hands of 10",
        Runner("gin, lay-offs too", lambda one: arrange(one[0], GIN, one[1]), asked),
        Runner("without lay-offs", lambda one: arrange(one[0], GIN), asked),
    )


def two_packs(effort: Effort) -> Iterator[Line]:
    """Fourteen cards of two packs and four jokers, the usual hand of a family."""
    hands = dealt(2 * effort.some(1000), 14, 2, 4)
    others = list(rummikub(hands)) or [
        Runner("the hand's value", lambda hand: hand_value(hand, WIENER), hands)
    ]
    yield from beside(
        effort,
        f"{len(hands):,} hands of 14",
        Runner("14 cards of 2 packs + 4 jokers", lambda hand: arrange(hand, WIENER), hands),
        *others,
        bars=lambda own: (
            at_most(own.mean * 1e6, 200, " µs"),
            at_most(own.p99 * 1e3, 1, " ms p99"),
        ),
        growth=grown(
            effort.rungs,
            lambda count: dealt(count, 14, 2, 4, seed=8),
            lambda hand: arrange(hand, WIENER),
        ),
        per="hands",
    )


def rummikub(hands: list[Hand]) -> Iterator[Runner]:
    """An integer programme for the like question: the most points in melds."""
    package = peer("rummikub_solver")
    if not package:
        return
    rules = package.RuleSet(numbers=13, repeats=2, colours=4, jokers=4)
    value = package.SolverMode.TOTAL_VALUE

    def most(hand: Hand) -> object:
        state = rules.new_game()
        state.add_rack(*(tile(card) for card in hand))
        return rules.solve(state, value)

    yield Runner("rummikub-solver", most, hands[:100], 1 / 30)


def tile(card: Card) -> int:
    """A card as the other package numbers it."""
    return 53 if card.is_joker else 13 * "CDHS".index(card.suit or "") + int(card.rank or 0)


def the_first_time() -> Iterator[Line]:
    """Hands made to be slow under rules that nothing is kept for yet."""
    hands = slow_hands()
    for which, rules in LAWS.items():
        yield at_first(f"the first time, {which}", arrange, [(hand, rules) for hand in hands])
    for which, rules in LAWS.items():
        opening = replace(rules, meld=replace(rules.meld, first_min=40, first_scope="together"))
        asked = [(hand, opening) for hand in hands]
        yield at_first(f"first melds, {which}", first_melds, asked)


def at_first(
    what: str, answer: Callable[[Any, RuleSet], object], asked: Sequence[tuple[Hand, RuleSet]]
) -> Line:
    """Every hand once: the price of a joker is new each time.

    In the processor's time, because there is no quieter run to choose.
    """
    times = []
    for number, (hand, rules) in enumerate(asked):
        anew = replace(rules, joker=replace(rules.joker, hand_value=30 + number))
        begun = thread_time_ns()
        answer(hand, anew)
        times.append(thread_time_ns() - begun)
    all_of_them = summed_up(times)
    return Line(
        what=what,
        work=f"{len(asked)} hands made to be slow",
        ours=str(all_of_them),
        bars=(under(all_of_them.most, PATIENCE_S, " s"),),
    )


def tables(effort: Effort) -> Line:
    """What is kept for one rule set, in time and memory."""
    ready = took(lambda: Kit(WIENER))
    anew = replace(WIENER, joker=replace(WIENER.joker, hand_value=21))
    hands = dealt(effort.some(5000), 14, 2, 4, seed=9)
    tracemalloc.start()
    for hand in hands:
        next(best_arrangements(hand, anew))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Line(
        what="tables of one rule set",
        work=f"kept after {len(hands):,} hands",
        ours=f"{told(ready)}, {kept / 1e6:.1f} MB",
    )
