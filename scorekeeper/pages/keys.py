"""The keys of the fast way of entry, and what each player's entry comes to meanwhile.

The keys write into the fields of the form and nothing else; everything that counts is said
here, by the same rules that price the round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.domain.cards import JOKER, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.melds import card_value, hand_value, read_meld
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Cards, RoundScore, Seat
from scorekeeper.i18n import Language
from scorekeeper.pages import forms
from scorekeeper.schemas import Entry

DIGITS = ("1", "2", "3", "back", "4", "5", "6", "+", "7", "8", "9", "0")
SUITS = (Suit.CLUBS, Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)
TOOLS = ("joker", "run", "meld", "back")
"""What stands behind each suit of the pack."""


@dataclass(frozen=True)
class Key:
    """A key that writes one card."""

    card: Card
    text: str
    """What it writes, in the notation of the page."""
    value: int
    """What the card counts in the hand."""

    @property
    def says_value(self) -> bool:
        """Whether the value is not what is printed on the card."""
        return self.card.rank is None or self.value != self.card.rank


def rank_keys(rules: RuleSet, notation: str) -> list[Key]:
    """A key for each rank, and one for the joker where there are any."""
    cards = [Card(rank, None) for rank in Rank] + [JOKER] * bool(rules.deck.jokers)
    return [_key(card, rules, notation) for card in cards]


def pack_keys(rules: RuleSet, notation: str) -> list[tuple[Suit, list[Key]]]:
    """A key for each card of the pack, suit by suit."""
    return [(suit, [_key(Card(rank, suit), rules, notation) for rank in Rank]) for suit in SUITS]


def _key(card: Card, rules: RuleSet, notation: str) -> Key:
    return Key(card, forms.written([str(card)], notation), card_value(card, rules))


# ---- what an entry comes to ------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """A meld as it was laid, and what it is or why it is none."""

    cards: Cards
    words: str
    facts: str = ""
    """Its points, and what its jokers stand for."""
    is_meld: bool = True


@dataclass(frozen=True)
class Working:
    """One player's entry as one would reckon it on paper."""

    sum: str = ""
    """``10 + 10 + 9 + 20``"""
    points: int | None = None
    figures: Sequence[Figure] = ()


def workings(
    game: Game, entry: Entry | None, missing: Sequence[int], lang: Language
) -> list[Working]:
    """By seat, as far as the fields can be read."""
    seats = entry.round.seats if entry else ()
    return [
        Working() if seat in missing else _working(said, game, lang)
        for seat, said in enumerate(seats)
    ] or [Working()] * len(game.players)


def _working(said: Seat, game: Game, lang: Language) -> Working:
    rules = game.rules
    figures = tuple(_figure(cards, game, lang) for cards in said.table)
    left = said.hand if rules.family == "lay" else said.rest
    if left is not None:
        summed = " + ".join(str(card_value(card, rules)) for card in left)
        return Working(summed, hand_value(left, rules), figures)
    told = (said.points, said.deadwood, said.count)
    return Working(points=next((one for one in told if one is not None), None), figures=figures)


def _figure(cards: Cards, game: Game, lang: Language) -> Figure:
    try:
        meld = read_meld(cards, game.rules)
    except RuleError as error:
        words = lang.problem(error.problems[0], game.players)
        return Figure(cards, words, is_meld=False)
    points = [lang.number(meld.points)] if game.rules.family == "lay" else []
    wild = [lang.card_word(card) for card in meld.cards if card.stands_for]
    return Figure(meld.cards, lang(f"pages.meld.{meld.kind}"), ", ".join(points + wild))


def so_far(game: Game, score: RoundScore | None, missing: Sequence[int]) -> str:
    """``33 + 49 = 82``: the points of those who are entered, while some are missing."""
    points = list(_entered(game, score, missing)) if score and missing else []
    return f"{' + '.join(map(str, points))} = {sum(points)}" if len(points) > 1 else ""


def _entered(game: Game, score: RoundScore, missing: Sequence[int]) -> Iterator[int]:
    for side, given in enumerate(score.scores):
        if given and side not in missing and side != score.winner:
            yield given.minus
