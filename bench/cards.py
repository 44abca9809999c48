"""Reading cards and judging melds, beside the plainest code that answers the like."""

import random
from collections.abc import Callable, Iterator, Sequence

from bench.measuring import Runner, beside, grown
from bench.table import Effort, Line, under
from scorekeeper.domain.cards import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, read_meld
from scorekeeper.domain.notation import GERMAN, Notation, read_cards
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import preset

HAND = 10
MELD_US = 20
"""What judging a meld may take."""


def measured(effort: Effort) -> Iterator[Line]:
    """Every line about cards and melds."""
    yield from parsing(effort)
    for name in ("german-family", "romme-palast"):
        for jokers in range(3):
            yield from judging(effort, name, jokers)


def parsing(effort: Effort) -> Iterator[Line]:
    """A hand as somebody types it, in either notation."""
    german = {card: name for name, card in GERMAN.items()}
    spelling: dict[Notation, dict[Card, str]] = {
        "en": {card: str(card) for card in PACK},
        "de": german,
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

        asked = typed(HAND * effort.some(1000))
        yield from beside(
            effort,
            f"{len(asked):,} hands of {HAND} cards",
            Runner(f"cards read, {notation}", ours, asked),
            Runner("split, look up", plain, asked),
            growth=grown(effort.rungs, typed, ours),
            per="cards",
        )


def judging(effort: Effort, name: str, jokers: int) -> Iterator[Line]:
    """Is that a meld? Three to seven cards, one in three of them none."""
    rules = preset(name)
    asked = laid_down(effort.some(1000), jokers)
    which = ("natural", "1 joker", "2 jokers")[jokers]
    ours = judge(rules)
    rungs = effort.rungs if name == "german-family" else ()
    yield from beside(
        effort,
        f"{len(asked):,} of 3 to 7 cards",
        Runner(f"meld, {name}, {which}", ours, asked),
        Runner("alike or in a row, no more", looks_like_one, asked),
        bars=lambda own: (under(own.mean * 1e6, MELD_US, " µs"),),
        growth=grown(rungs, lambda count: laid_down(count, jokers), ours),
        per="melds",
    )


def judge(rules: RuleSet) -> Callable[[Sequence[Card]], Meld | None]:
    """What the referee says."""

    def judged(cards: Sequence[Card]) -> Meld | None:
        try:
            return read_meld(cards, rules)
        except RuleError:
            return None

    return judged


def looks_like_one(cards: Sequence[Card]) -> bool:
    """Yes or no as one would write it in a minute: no ace on top, no rules, no reading."""
    naturals = [card for card in cards if card.rank]
    ranks = {int(card.rank or 0) for card in naturals}
    suits = {card.suit for card in naturals}
    if len(ranks) == 1:
        return len(suits) == len(naturals) and len(cards) <= len(Suit)
    spread = max(ranks) - min(ranks)
    return len(suits) == 1 and len(ranks) == len(naturals) and spread < len(cards)


def laid_down(count: int, jokers: int, seed: int = 5) -> list[list[Card]]:
    """Sets and runs with just so many jokers; one in three with a card that does not belong."""
    chance = random.Random(seed)
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
