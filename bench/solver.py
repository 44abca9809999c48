"""Finding the best arrangement of a hand, compared with other packages.

The packages are listed in ``requirements-peers.txt``. Every turn arranges hands of its own:
what is cached for a rule set is warm, but no hand was seen before.
"""

import random
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from time import thread_time_ns
from typing import Any

from bench.measuring import Runner, Times, compare, growth_of, peer, seconds_of, summed_up
from bench.requests import ARRANGE, RECORD
from bench.table import Bar, Effort, Row, at_most, format_seconds, under
from scorekeeper.domain.budget import TooMuch, limited
from scorekeeper.domain.cards.card import JOKER, PACK, Card, card_named
from scorekeeper.domain.melds import Meld, hand_value
from scorekeeper.domain.rules import RuleSet, Wild
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.solver import Arrangement, arrange
from scorekeeper.domain.solver.openings import first_melds
from scorekeeper.domain.solver.prepared import Prepared

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
"""The options that determine the size of the search."""
OPENSPIEL = {"gin, dealt": 5, "gin, at the knock": 1.5}
"""The limits of the time for ten cards, as multiples of OpenSpiel's."""
LAY_OFFS_US = 60
"""The limit for ten cards with lay-offs."""
JOKERS_US, JOKERS_P99_US = 100, 300
"""The limits for fourteen cards with jokers."""
SLOWEST_MS = 50
PATIENCE_S = 2
"""The limit for a first search, before anything is cached."""


# --- hands ------------------------------------------------------------------------------


def dealt(count: int, cards: int, packs: int, jokers: int, seed: int = 1) -> list[list[Card]]:
    """Return random hands from a whole deck."""
    chance = random.Random(seed)
    deck = [*PACK * packs, *[JOKER] * jokers]
    return [chance.sample(deck, cards) for _ in range(count)]


def with_jokers(count: int, cards: int, jokers: int) -> list[list[Card]]:
    """Return random hands with a given number of jokers."""
    chance = random.Random(2)
    return [chance.sample(PACK * 2, cards - jokers) + [JOKER] * jokers for _ in range(count)]


def at_the_knock(count: int, seed: int = 3) -> list[list[Card]]:
    """Return gin hands with at most ten points left, improved card by card."""
    chance = random.Random(seed)
    found: list[list[Card]] = []
    while len(found) < count:
        stock = chance.sample(PACK, 52)
        hand, stock = stock[:10], stock[10:]
        while stock and points_left(hand) > 10:
            eleven = [*hand, stock.pop()]
            ways = [[card for card in eleven if card is not gone] for gone in eleven]
            hand = min(ways, key=lambda way: (points_left(way), hand_value(way, GIN)))
        if points_left(hand) <= 10:
            found.append(hand)
    return found


def points_left(hand: Sequence[Card]) -> int:
    return arrange(hand, GIN).points


def names(hand: Sequence[Card]) -> list[str]:
    return [str(card) for card in hand]


def knocks(count: int) -> list[tuple[list[Card], tuple[Meld, ...]]]:
    """Return opponents' hands with the melds that the knocker shows."""
    found: list[tuple[list[Card], tuple[Meld, ...]]] = []
    for hand in at_the_knock(count, seed=4):
        others = random.Random(len(found)).sample([c for c in PACK if c not in hand], 10)
        found.append((others, arrange(hand, GIN).melds))
    return found


def slow_hands() -> list[list[Card]]:
    """Return slow hands: every card fits many melds, and nothing ends the search early."""
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


# --- measurements -----------------------------------------------------------------------

Hand = list[Card]


def measured(effort: Effort) -> Iterator[Row]:
    """Yield rows for every kind of hand."""
    some, few = effort.fresh(1000), effort.fresh(500)
    yield from gin(effort, dealt(some, 10, 1, 0), "gin, dealt")
    yield from gin(effort, at_the_knock(few), "gin, at the knock")
    yield from laying_off(effort, knocks(few))
    yield from two_packs(effort)
    for jokers in range(5):
        hands = with_jokers(some, 14, jokers)
        yield from against_sum(effort, f"14 cards, {jokers} jokers among them", hands, WIENER)
    hands = with_jokers(some, 14, 4)
    yield from against_sum(effort, "14 cards, 4 unmistakable jokers", hands, PALAST)
    hands = with_jokers(some, 16, 8)
    yield from against_sum(effort, "16 cards, 8 jokers among them", hands, EIGHT, longest)
    yield from made_to_be_slow(effort)
    yield from the_first_time()
    yield tables(effort)


def made_to_be_slow(effort: Effort) -> Iterator[Row]:
    """Arrange the same slow hands in every turn, with the tables of their rules already built."""
    hands = slow_hands()
    yield from compare(
        effort,
        ARRANGE,
        f"{len(hands)} hands",
        Runner("16 cards, made to be slow", lambda hand: arrange(hand, EIGHT), hands, again=True),
        Runner("the hand's value", lambda hand: hand_value(hand, EIGHT), hands, again=True),
        bars=longest,
    )


def longest(times: Times) -> tuple[Bar, ...]:
    """Return the limit for the slowest hand."""
    slowest = times.most * 1e3
    return (under(slowest, SLOWEST_MS, f" ms ({format_seconds(times.most)} the slowest)"),)


def against_sum(
    effort: Effort,
    what: str,
    hands: list[Hand],
    rules: RuleSet,
    bars: Callable[[Times], tuple[Bar, ...]] = lambda _: (),
) -> Iterator[Row]:
    """Compare with counting the hand as if it had no melds, for lack of another package."""
    yield from compare(
        effort,
        ARRANGE,
        f"{len(hands):,} hands",
        Runner(what, lambda hand: arrange(hand, rules), hands),
        Runner("the hand's value", lambda hand: hand_value(hand, rules), hands),
        bars=bars,
    )


def gin(effort: Effort, hands: list[Hand], which: str) -> Iterator[Row]:
    """Arrange ten cards given as text."""
    texts = [names(hand) for hand in hands]
    others = []
    if spiel := peer("pyspiel"):
        utils = spiel.gin_rummy.GinRummyUtils(13, 4, 10)
        ints = utils.card_strings_to_card_ints
        theirs = [
            [name.replace("10", "T").title()[0] + name[-1].lower() for name in text]
            for text in texts
        ]
        assert all(
            utils.min_deadwood(ints(text)) == points_left(hand)
            for text, hand in zip(theirs, hands, strict=True)
        )
        most = OPENSPIEL[which]
        others.append(
            Runner("OpenSpiel", lambda text: utils.best_meld_group(ints(text)), theirs, most)
        )
    if peer("rlcard"):
        theirs = [[name.replace("10", "T") for name in text] for text in texts[:300]]
        others.append(Runner("RLCard", rlcards_melds(), theirs, 1))

    def many(count: int) -> list[list[str]]:
        return [names(hand) for hand in dealt(count, 10, 1, 0, seed=7)]

    sizes = effort.sizes if which == "gin, dealt" else ()
    yield from compare(
        effort,
        ARRANGE,
        f"{len(hands):,} hands of 10",
        Runner(f"{which}: with melds", arranged, texts),
        *(others or [Runner("the hand's value", value_from_names(), texts)]),
        growth=growth_of(sizes, many, arranged, per="hands"),
    )


def rlcards_melds() -> Callable[[list[str]], object]:
    """Return RLCard's function for the best melds of a hand."""
    melding = import_module("rlcard.games.gin_rummy.utils.melding")
    other = import_module("rlcard.games.gin_rummy.utils.utils")

    def melds(text: list[str]) -> object:
        hand = [other.card_from_text(name) for name in text]
        return melding.get_best_meld_clusters(hand)

    return melds


def value_from_names() -> Callable[[list[str]], int]:
    """Return a function that counts a hand given as text as if it had no melds."""
    worth = {str(card): hand_value([card], GIN) for card in PACK}
    return lambda text: sum(worth[name] for name in text)


def arranged(text: Sequence[str]) -> Arrangement:
    """Return the best arrangement of a gin hand given as text."""
    return arrange([card_named(name) for name in text], GIN)


def laying_off(effort: Effort, questions: list[tuple[Hand, tuple[Meld, ...]]]) -> Iterator[Row]:
    """Arrange a defender's ten cards with lay-offs on the knocker's melds."""
    yield from compare(
        effort,
        RECORD,
        f"{len(questions):,} hands of 10",
        Runner("gin, lay-offs too", lambda one: arrange(one[0], GIN, one[1]), questions),
        Runner("without lay-offs", lambda one: arrange(one[0], GIN), questions),
        bars=lambda own: (at_most(own.mean * 1e6, LAY_OFFS_US, " µs"),),
    )


def two_packs(effort: Effort) -> Iterator[Row]:
    """Arrange fourteen cards of two packs and four jokers, a usual family hand."""
    hands = dealt(effort.fresh(1000), 14, 2, 4)
    others = list(rummikub(hands)) or [
        Runner("the hand's value", lambda hand: hand_value(hand, WIENER), hands)
    ]
    yield from compare(
        effort,
        ARRANGE,
        f"{len(hands):,} hands of 14",
        Runner("14 cards of 2 packs + 4 jokers", lambda hand: arrange(hand, WIENER), hands),
        *others,
        bars=lambda own: (
            at_most(own.mean * 1e6, JOKERS_US, " µs"),
            at_most(own.p99 * 1e6, JOKERS_P99_US, " µs p99"),
        ),
        growth=growth_of(
            effort.sizes,
            lambda count: dealt(count, 14, 2, 4, seed=8),
            lambda hand: arrange(hand, WIENER),
            per="hands",
        ),
    )


def rummikub(hands: list[Hand]) -> Iterator[Runner]:
    """Yield an integer programme for a similar question: the most points in melds."""
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
    """Return the other package's number of a card."""
    return 53 if card.is_joker else 13 * "CDHS".index(card.suit or "") + int(card.rank or 0)


def the_first_time() -> Iterator[Row]:
    """Arrange slow hands under rules for which nothing is cached yet."""
    hands = slow_hands()
    for which, rules in LAWS.items():
        yield at_first(f"the first time, {which}", arrange, [(hand, rules) for hand in hands])
    for which, rules in LAWS.items():
        opening = replace(rules, meld=replace(rules.meld, first_min=40, first_scope="together"))
        questions = [(hand, opening) for hand in hands]
        yield at_first(f"first melds, {which}", first_melds, questions)


def at_first(
    what: str, answer: Callable[[Any, RuleSet], object], questions: Sequence[tuple[Hand, RuleSet]]
) -> Row:
    """Arrange every hand once, with a new joker value each time so that nothing is cached.

    As for users, a search that exceeds the budget of a question ends with a refusal.

    Times are processor times, since each hand runs only once.
    """
    times = []
    for number, (hand, rules) in enumerate(questions):
        anew = replace(rules, joker=replace(rules.joker, hand_value=30 + number))
        begun = thread_time_ns()
        with limited(), suppress(TooMuch):
            answer(hand, anew)
        times.append(thread_time_ns() - begun)
    all_of_them = summed_up(times)
    return Row(
        what=what,
        request=ARRANGE,
        work=f"{len(questions)} hands made to be slow",
        ours=str(all_of_them),
        bars=(under(all_of_them.most, PATIENCE_S, " s"),),
    )


def tables(effort: Effort) -> Row:
    """Return time and memory of the tables that are cached for a rule set."""
    ready = seconds_of(lambda: Prepared(WIENER))
    anew = replace(WIENER, joker=replace(WIENER.joker, hand_value=21))
    hands = dealt(effort.some(5000), 14, 2, 4, seed=9)
    tracemalloc.start()
    for hand in hands:
        arrange(hand, anew)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Row(
        what="tables of one rule set",
        request=ARRANGE,
        work=f"kept after {len(hands):,} hands",
        ours=f"{format_seconds(ready)}, {kept / 1e6:.1f} MB",
    )
