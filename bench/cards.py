"""Reading cards and judging melds, compared with the simplest code for a similar answer."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bench.measuring import Runner, compare, growth_of
from bench.requests import CHECK_MELD, CHECK_TURN, RECORD
from bench.table import Effort, Row, under
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.cards.names import FRENCH, GERMAN, Notation
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, read_meld
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import language
from scorekeeper.wire.referee import TurnQuestionSchema
from scorekeeper.wire.strict import load

HAND = 10
MELD_US = 20
"""The limit for judging a meld."""
TURN_MS = 1
"""The limit for judging a whole turn."""


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about cards and melds."""
    yield from parsing(effort)
    for name in ("german-family", "romme-palast"):
        for jokers in range(3):
            yield from judging(effort, name, jokers)
    for name in ("romme-palast", "robber"):
        yield from refereeing(effort, name)


def parsing(effort: Effort) -> Iterator[Row]:
    """Read hands as text, in every notation."""
    spelling: dict[Notation, dict[Card, str]] = {
        "en": {card: str(card) for card in PACK},
        "de": {card: name for name, card in GERMAN.items()},
        "fr": {card: name for name, card in FRENCH.items()},
    }
    for notation, names in spelling.items():
        reading = {name: card for card, name in names.items()}

        def typed(cards: int, names: dict[Card, str] = names) -> list[str]:
            chance = random.Random(6)
            hands = (chance.sample(PACK, HAND) for _ in range(cards // HAND))
            return [" ".join(names[card] for card in hand) for hand in hands]

        def ours(text: str, notation: Notation = notation) -> object:
            return read_cards(text, notation)

        def plain(text: str, reading: dict[str, Card] = reading) -> object:
            return [reading[name] for name in text.split()]

        questions = typed(HAND * effort.fresh(1000))
        yield from compare(
            effort,
            RECORD,
            f"{len(questions):,} hands of {HAND} cards",
            Runner(f"cards read, {notation}", ours, questions),
            Runner("split, look up", plain, questions),
            growth=growth_of(effort.sizes, typed, ours, per="cards"),
        )


def judging(effort: Effort, name: str, jokers: int) -> Iterator[Row]:
    """Judge three to seven cards, of which a third are no meld."""
    rules = preset(name)
    questions = laid_down(effort.fresh(1000), jokers)
    which = ("natural", "1 joker", "2 jokers")[jokers]
    ours = judge(rules)
    sizes = effort.sizes if name == "german-family" else ()
    yield from compare(
        effort,
        CHECK_MELD,
        f"{len(questions):,} of 3 to 7 cards",
        Runner(f"meld, {name}, {which}", ours, questions),
        Runner("alike or in a row, no more", looks_like_one, questions),
        bars=lambda own: (under(own.mean * 1e6, MELD_US, " µs"),),
        growth=growth_of(sizes, lambda count: laid_down(count, jokers), ours, per="melds"),
    )


def judge(rules: RuleSet) -> Callable[[Sequence[Card]], Meld | None]:
    """Return the referee's function for a rule set."""

    def judged(cards: Sequence[Card]) -> Meld | None:
        try:
            return read_meld(cards, rules)
        except RuleError:
            return None

    return judged


def looks_like_one(cards: Sequence[Card]) -> bool:
    """Return a quick answer: no high ace, no rules, no jokers resolved."""
    naturals = [card for card in cards if card.rank]
    ranks = {int(card.rank or 0) for card in naturals}
    suits = {card.suit for card in naturals}
    if len(ranks) == 1:
        return len(suits) == len(naturals) and len(cards) <= len(Suit)
    spread = max(ranks) - min(ranks)
    return len(suits) == 1 and len(ranks) == len(naturals) and spread < len(cards)


def laid_down(count: int, jokers: int) -> list[list[Card]]:
    """Return sets and runs with a number of jokers; a third have a card that does not fit."""
    chance = random.Random(5)
    found: list[list[Card]] = []
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


def refereeing(effort: Effort, name: str) -> Iterator[Row]:
    """Judge whole turns, from the JSON body to the sentences of the answer."""
    questions = turns(effort.fresh(500), name)
    lang, schema = language("de"), TurnQuestionSchema()

    def ours(body: dict[str, Any]) -> object:
        return load(schema, body).answer(lang)

    yield from compare(
        effort,
        CHECK_TURN,
        f"{len(questions):,} on tables of up to 12 melds",
        Runner(f"whole turn, {name}", ours, questions),
        Runner("cards counted, no more", counts_up, questions),
        bars=lambda own: (under(own.p99 * 1e3, TURN_MS, " ms p99"),),
        growth=growth_of(effort.slow_sizes, lambda count: turns(count, name), ours, per="turns"),
    )


def counts_up(body: dict[str, Any]) -> bool:
    """Return a quick answer: whether the number of cards stayed the same."""
    lay = Counter(" ".join([*body["before"], body["hand_used"]]).split())
    return lay == Counter(" ".join([*body["after"], body["to_hand"]]).split())


def turns(count: int, name: str) -> list[dict[str, Any]]:
    """Return turns of a meld, a lay-off and a discard; a third of them break a rule."""
    chance = random.Random(7)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        melds = [list(meld) for meld in chance.sample(ALL_RUNS, chance.randint(4, 13))]
        laid, *before = [" ".join(map(str, meld)) for meld in melds]
        on, grown_by = melds[1], melds[1][-1]
        after = [*before, laid]
        hand = laid
        if grown_by.rank and grown_by.rank < Rank.KING:
            card = Card(Rank(grown_by.rank + 1), grown_by.suit)
            after[0] = " ".join(map(str, [*on, card]))
            hand += f" {card}"
        taken, discard = chance.sample(PACK, 2)
        source = {"from": "discard", "card": str(taken)}
        body = {
            "rules": {"preset": name},
            "before": before,
            "hand_used": hand,
            "after": after,
            "to_hand": "",
            "has_laid": True,
            "drawn": [source if chance.random() < 1 / 3 else {"from": "stock"}],
            "discard": str(discard),
            "in_turn": True,
            "hand_left": chance.randint(1, 10),
            "players": 4,
        }
        found.append(body)
    return found


ALL_RUNS = [
    [Card(Rank(first + step), suit) for step in range(size)]
    for suit in Suit
    for first, size in ((1, 3), (2, 4), (4, 3), (5, 5), (8, 3), (9, 4))
]
