"""The keys of the fast way of entry, and what each player's entry comes to meanwhile.

The keys write into the fields of the form and nothing else; everything that counts is said
here, by the same rules that price the round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import cast

from scorekeeper.domain.cards import JOKER, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.melds import card_value, hand_value, read_meld
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Cards, MeldRef, RoundScore, Seat
from scorekeeper.domain.scoring import lay
from scorekeeper.i18n import Language
from scorekeeper.web.pages import forms
from scorekeeper.web.pages.asks import Asks
from scorekeeper.wire.schemas import Entry

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
    return Key(card, forms.written((card,), notation), card_value(card, rules))


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
        _working(said, game, lang, is_missing=seat in missing) for seat, said in enumerate(seats)
    ] or [Working()] * len(game.players)


def _working(said: Seat, game: Game, lang: Language, *, is_missing: bool) -> Working:
    rules = game.rules
    figures = tuple(_figure(cards, game, lang) for cards in said.table)
    if is_missing:
        return Working(figures=figures)
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


# ---- the melds on the table --------------------------------------------------------------


@dataclass(frozen=True)
class OnTable:
    """A meld that cards may be laid on, as it lies now."""

    ref: MeldRef
    owner: str
    cards: Cards
    text: str
    """Its cards in the notation of the page."""

    @property
    def to(self) -> str:
        """What names it in a field: ``2.1``, the first meld of the second player."""
        return f"{self.ref.seat + 1}.{self.ref.index + 1}"

    @property
    def is_wild(self) -> bool:
        """Whether a joker in it waits for its card."""
        return any(card.stands_for for card in self.cards)


def on_table(
    game: Game, entry: Entry | None, score: RoundScore | None, notation: str
) -> list[OnTable]:
    """Whatever was laid; in gin what the knocker shows, named by him or found for him."""
    if entry is None or entry.round.outcome != Asks(game.rules).outcome:
        return []
    facts = entry.round
    melds: dict[MeldRef, Cards] = {}
    if game.rules.family == "lay":
        melds = {ref: meld.cards for ref, meld in lay.laid(facts, game.rules)[0].items()}
    elif game.rules.family == "gin" and facts.knocker in facts.present:
        named = facts.seats[facts.knocker].melds
        shown = _shown(score, facts.knocker) if named is None else named
        melds = {MeldRef(facts.knocker, place): cards for place, cards in enumerate(shown)}
    return [
        OnTable(ref, game.players[ref.seat], cards, forms.written(cards, notation))
        for ref, cards in sorted(melds.items(), key=lambda one: astuple(one[0]))
    ]


def _shown(score: RoundScore | None, knocker: int) -> Sequence[Cards]:
    """The melds on the receipt of whoever knocked."""
    lines = score.lines if score else ()
    own = (line.facts for line in lines if line.facts.get("of") == knocker)
    return next((cast("tuple[Cards, ...]", said["melds"]) for said in own if "melds" in said), ())


def so_far(game: Game, score: RoundScore | None, missing: Sequence[int]) -> str:
    """``33 + 49 = 82``: the points of those who are entered, while some are missing."""
    points = list(_entered(game, score, missing)) if score and missing else []
    return f"{' + '.join(map(str, points))} = {sum(points)}" if len(points) > 1 else ""


def _entered(game: Game, score: RoundScore, missing: Sequence[int]) -> Iterator[int]:
    for side, given in enumerate(score.scores):
        if given and side not in missing and side != score.winner:
            yield given.minus
