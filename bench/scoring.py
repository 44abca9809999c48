"""Scoring rounds and settling evenings, compared with a plain sum of the same numbers."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from bench.measuring import Runner, compare, growth_of
from bench.requests import RECORD, SETTLEMENT
from bench.solver import at_the_knock
from bench.table import Effort, Row, at_most
from scorekeeper.domain.cards.card import JOKER, PACK, Card
from scorekeeper.domain.melds import card_value
from scorekeeper.domain.money.settlement import settle
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet, Settling
from scorekeeper.domain.rules.presets import preset

SEATS = 4
EVENING = 20
"""The number of rounds that are settled."""
BY_CARDS_US = {"hand": 200, "gin": 250}
"""The limits for a round in cards, in gin with lay-offs, by family."""
Rounds = Callable[[RuleSet, int], list[Round]]


def measured(effort: Effort) -> Iterator[Row]:
    """Yield rows for every family in points and cards, and every number of players."""
    for family, (name, points, cards) in FAMILIES.items():
        rules = preset(name)
        yield from by_points(effort, family, rules, points)
        yield from by_cards(effort, family, rules, cards)
    for players in range(2, 7):
        yield from settling(effort, players)


def by_points(effort: Effort, family: str, rules: RuleSet, rounds: Rounds) -> Iterator[Row]:
    """Score rounds whose hands are already counted."""
    questions = rounds(rules, effort.fresh(500))
    price = pricing(rules)
    yield from compare(
        effort,
        RECORD,
        f"{len(questions):,} rounds",
        Runner(f"{family}, by points", price, questions),
        Runner("sum of the points", points_of, questions),
        growth=growth_of(effort.sizes, lambda count: rounds(rules, count), price, per="rounds"),
    )


def by_cards(effort: Effort, family: str, rules: RuleSet, rounds: Rounds) -> Iterator[Row]:
    """Score rounds given as cards; melds and lay-offs have to be found."""
    questions = rounds(rules, effort.fresh(300))
    limit = BY_CARDS_US.get(family)

    def bare(facts: Round) -> int:
        return sum(card_value(card, rules) for seat in facts.seats for card in seat.hand or ())

    yield from compare(
        effort,
        RECORD,
        f"{len(questions):,} rounds",
        Runner(f"{family}, by cards", pricing(rules), questions),
        Runner("sum of the cards", bare, questions),
        growth=growth_of(
            effort.slow_sizes, lambda count: rounds(rules, count), pricing(rules), per="rounds"
        ),
        bars=lambda own: (at_most(own.mean * 1e6, limit, " µs"),) if limit else (),
    )


def pricing(rules: RuleSet) -> Callable[[Round], object]:
    """Return the scoring function for a rule set."""
    return lambda facts: score_round(facts, rules, len(facts.seats))


def points_of(facts: Round) -> int:
    """Return the sum of the stated points."""
    return sum(seat.points or seat.deadwood or seat.count or 0 for seat in facts.seats)


# --- rounds -----------------------------------------------------------------------------


def out_by_points(rules: RuleSet, count: int) -> list[Round]:
    """Return rounds in which one goes out and three hands are counted."""
    chance = random.Random(11)
    return [
        out(chance.randrange(SEATS), lambda: Seat(points=chance.randint(2, 120)))
        for _ in range(count)
    ]


def out_by_cards(rules: RuleSet, count: int) -> list[Round]:
    """Return rounds in which one goes out and three hold cards."""
    chance = random.Random(12)
    found = []
    for _ in range(count):
        stock = shuffled(rules, chance)

        def held(stock: list[Card] = stock) -> Seat:
            return Seat(hand=tuple(stock.pop() for _ in range(chance.randint(3, 13))))

        found.append(out(chance.randrange(SEATS), held))
    return found


def shuffled(rules: RuleSet, chance: random.Random) -> list[Card]:
    """Return a shuffled deck."""
    stock = [*PACK, *PACK, *[JOKER] * rules.deck.jokers]
    chance.shuffle(stock)
    return stock


def out(winner: int, held: Callable[[], Seat]) -> Round:
    """Return a round that ended with going out."""
    seats = tuple(Seat() if seat == winner else held() for seat in range(SEATS))
    return Round(outcome="out", winner=winner, seats=seats)


def whole_hands(rules: RuleSet, count: int) -> list[Round]:
    """Return rounds of hand rommé, with three hands of thirteen cards."""
    chance = random.Random(13)
    found = []
    for _ in range(count):
        stock = shuffled(rules, chance)
        hands = (tuple(stock.pop() for _ in range(13)) for _ in range(SEATS - 1))
        seats = (Seat(), *(Seat(hand=hand) for hand in hands))
        found.append(Round(outcome="out", winner=0, seats=seats))
    return found


def knocked_by_points(rules: RuleSet, count: int) -> list[Round]:
    """Return rounds of gin with counted deadwood."""
    chance = random.Random(14)
    return [
        Round(
            outcome="knock",
            knocker=0,
            seats=(Seat(deadwood=chance.randint(0, 10)), Seat(deadwood=chance.randint(1, 60))),
        )
        for _ in range(count)
    ]


def knocked_by_cards(rules: RuleSet, count: int) -> list[Round]:
    """Return rounds of gin with ten cards each, to be arranged and laid off."""
    chance = random.Random(15)
    found = []
    for hand in at_the_knock(count):
        others = chance.sample([card for card in PACK if card not in hand], 10)
        seats = (Seat(hand=tuple(hand)), Seat(hand=tuple(others)))
        found.append(Round(outcome="knock", knocker=0, seats=seats))
    return found


def counted(rules: RuleSet, count: int) -> list[Round]:
    """Return rounds of knock rummy for four with counted hands."""
    chance = random.Random(16)
    return [
        Round(
            outcome="knock",
            knocker=0,
            seats=tuple(Seat(count=chance.randint(0, 60)) for _ in range(SEATS)),
        )
        for _ in range(count)
    ]


def seven_each(rules: RuleSet, count: int) -> list[Round]:
    """Return rounds of knock rummy for four with seven cards each."""
    chance = random.Random(17)
    found = []
    for _ in range(count):
        stock = chance.sample(PACK, 7 * SEATS)
        hands = (tuple(stock[seat::SEATS]) for seat in range(SEATS))
        seats = tuple(Seat(hand=hand) for hand in hands)
        found.append(Round(outcome="knock", knocker=0, seats=seats))
    return found


FAMILIES: dict[str, tuple[str, Rounds, Rounds]] = {
    "lay": ("german-family", out_by_points, out_by_cards),
    "hand": ("wiener", out_by_points, whole_hands),
    "gin": ("gin-palast", knocked_by_points, knocked_by_cards),
    "knock": ("knock-rummy", counted, seven_each),
}
"""By family: a preset, its rounds in points and in cards."""


# --- settlement -------------------------------------------------------------------------

Worths = list[tuple[int, ...]]


def settling(effort: Effort, players: int) -> Iterator[Row]:
    """Settle evenings: every pair, exact money, the fewest payments."""
    chance = random.Random(18)

    def evening(rounds: int) -> Worths:
        return [tuple(chance.randint(0, 120) for _ in range(players)) for _ in range(rounds)]

    questions = [evening(EVENING) for _ in range(effort.fresh(200))]
    yield from compare(
        effort,
        SETTLEMENT,
        f"{len(questions):,} evenings of {EVENING} rounds",
        Runner(f"settlement, {players} players", settled, questions),
        Runner("the formula in whole numbers", in_ints, questions),
        growth=growth_of(
            effort.sizes, lambda rounds: [evening(rounds)], settled, per="rounds of an evening"
        ),
    )


def settled(worths: Worths) -> object:
    """Return the settlement at a tenth per point."""
    return settle(worths, Settling(point_value=Fraction(1, 10)))


def in_ints(worths: Worths) -> list[int]:
    """Return n times one's own points less everyone's, and nothing else."""
    own = [sum(column) for column in zip(*worths, strict=True)]
    everyone = sum(own)
    return [everyone - len(own) * mine for mine in own]
