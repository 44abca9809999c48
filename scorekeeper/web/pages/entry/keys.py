"""The on-screen keys of the entry form, and the points of each entry so far.

The keys only write into the fields of the form. The points are computed here, by the rules that
score the round.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

from markupsafe import Markup

from scorekeeper.domain.cards.card import BARE_RANKS, JOKER, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.melds import card_value, hand_value, read_meld
from scorekeeper.domain.rounds.facts import Cards, MeldRef, RoundScore, Seat
from scorekeeper.domain.rounds.scoring import lay
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.web.pages.blueprint import page
from scorekeeper.web.pages.entry import fields as forms
from scorekeeper.web.pages.entry.layout import EntryLayout
from scorekeeper.wire.rounds import RoundEntry

DIGITS = ("7", "8", "9", "4", "5", "6", "1", "2", "3", "back", "0", "+")
SUITS = (Suit.CLUBS, Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)


@dataclass(frozen=True)
class Key:
    """A key that enters one card."""

    card: Card
    text: str
    """The card in the notation of the page."""
    value: int = 0
    """The points of the card in the hand, on the keys of the ranks."""

    @property
    def says_value(self) -> bool:
        """Whether the value differs from the number on the card."""
        return self.card.rank is None or self.value != self.card.rank


def keypads(rules: RuleSet, notation: str, lang: Language) -> Markup:
    """Return the keys of the entry form."""
    cards = BARE_RANKS + (JOKER,) * bool(rules.deck.jokers)
    return _keypads(tuple(card_value(card, rules) for card in cards), notation, lang)


@lru_cache(maxsize=64)
def _keypads(values: tuple[int, ...], notation: str, lang: Language) -> Markup:
    """Draw the keys once for these values of the ranks, and of the joker if there are any."""
    cards = zip((*BARE_RANKS, JOKER), values, strict=False)
    typed = forms.write_cards((BARE_RANKS[-1], BARE_RANKS[-1], BARE_RANKS[8]), notation)
    keys = page(
        "_keypads.html",
        lang=lang,
        digits=DIGITS,
        ranks=[_key(card, notation, value) for card, value in cards],
        typed=typed.lower(),
        pack=pack_keys(notation),
    )
    return Markup(re.sub(r"\n\s+", "\n", keys))


@cache
def pack_keys(notation: str) -> tuple[tuple[Suit, tuple[Key, ...]], ...]:
    """Return a key for each card, suit by suit."""
    return tuple((suit, tuple(_key(Card(rank, suit), notation) for rank in Rank)) for suit in SUITS)


def _key(card: Card, notation: str, value: int = 0) -> Key:
    return Key(card, forms.write_cards((card,), notation), value)


# ---- the points of an entry -------------------------------------------------------------


@dataclass(frozen=True)
class EnteredMeld:
    """A meld on the table as it was entered, and why it is or is not a meld."""

    cards: Cards
    words: str
    facts: str = ""
    """Its points, and what its jokers stand for."""
    is_meld: bool = True


class Working(NamedTuple):
    """The sum of one player's entry as on paper."""

    sum: str = ""
    """``10 + 10 + 9 + 20``, or after a hand rommé ``(10 + 9) × 2``."""
    points: int | None = None
    melds: Sequence[EnteredMeld] = ()
    entered: str = ""
    """How many cards of a whole hand are entered, while some are missing: ``7 of 10 cards``."""


def workings(
    game: Game, entry: RoundEntry | None, missing: Sequence[int], lang: Language
) -> list[Working]:
    """Return the sums by seat; without points while the fields cannot be read."""
    found = [Working()] * len(game.players)  # a round may name fewer, if somebody joined later
    if entry is None:
        return found
    doubles = entry.round.hand_romme and game.rules.score.mode != "winner_collects"
    factor = game.rules.hand_romme.factor if doubles else 1
    for seat, facts in enumerate(entry.round.seats):
        working = _working(facts, game, lang, is_missing=seat in missing)
        found[seat] = _times(working, 1 if seat == entry.round.winner else factor)
    return found


def _times(working: Working, factor: int) -> Working:
    """Return the sum of a player as it counts after a hand rommé."""
    if factor == 1 or working.points is None:
        return working
    summed = f"({working.sum})" if "+" in working.sum else str(working.points)
    return working._replace(sum=f"{summed} × {factor}", points=working.points * factor)


def _working(facts: Seat, game: Game, lang: Language, *, is_missing: bool) -> Working:
    rules = game.rules
    melds = tuple(_entered_meld(cards, game, lang) for cards in facts.all_melds)
    if is_missing:
        return Working(melds=melds)
    left = facts.hand if rules.family == "lay" else facts.rest
    if left is not None:
        summed = " + ".join(str(card_value(card, rules)) for card in left)
        return Working(summed, hand_value(left, rules), melds)
    points = (facts.points, facts.deadwood, facts.count)
    entered = len(facts.hand or ())
    return Working(
        points=next((point for point in points if point is not None), None),
        melds=melds,
        entered=_cards_of(game, lang, entered) if 0 < entered < _dealt(game) else "",
    )


def _dealt(game: Game) -> int:
    return game.sheet.next_deal.cards


def _cards_of(game: Game, lang: Language, entered: object) -> str:
    return lang("pages.entry.cards_of", entered=entered, dealt=_dealt(game))


def _entered_meld(cards: Cards, game: Game, lang: Language) -> EnteredMeld:
    try:
        meld = read_meld(cards, game.rules)
    except RuleError as error:
        words = lang.problem(error.problems[0], game.players)
        return EnteredMeld(cards, words, is_meld=False)
    points = [lang.number(meld.points)] if game.rules.family == "lay" else []
    wild = [lang.card_word(card) for card in meld.cards if card.stands_for]
    return EnteredMeld(meld.cards, lang(f"pages.meld.{meld.kind}"), ", ".join(points + wild))


PARTS = ("difference", "undercut", "gin", "small_gin", "big_gin", "box")
"""The reasons for points in gin that the browser counts by itself."""
MARKS = {
    "lay": ("out",),
    "hand": ("out",),
    "gin": ("knock", "undercut", "gin", "small_gin", "big_gin"),
    "knock": ("knock", "rummy"),
}
"""How a round may end, by family."""


def texts_for_counting(game: Game, lang: Language) -> dict[str, Any]:
    """Return the words for what the browser counts by itself, and the totals so far."""
    rules = game.rules
    outcome = EntryLayout(rules).outcome
    return {
        "thousands": lang.thousands,
        "out": lang(f"mark.word.{outcome}"),
        "who": lang(f"pages.entry.who.{outcome}"),
        "missing": lang("pages.entry.missing"),
        "is_missing": lang("pages.entry.is_missing", players="{players}"),
        "and": lang.all_before(game.players),
        "so_far": lang("pages.entry.so_far", sum="{sum}"),
        "fits": lang("pages.entry.fits"),
        "marks": {name: lang(f"mark.word.{name}") for name in MARKS[rules.family]},
        **(_said_of_gin(game, lang) if rules.family == "gin" else {}),
        **(
            {"hand_romme": hand_romme(rules, lang)}
            if rules.family == "lay"
            else {"dealt": _dealt(game), "cards_of": _cards_of(game, lang, "{entered}")}
        ),
    }


def hand_romme(rules: RuleSet, lang: Language) -> str:
    """Return the words for a hand rommé, with its factor if it multiplies: ``Handrommé ×2``."""
    factor = rules.hand_romme.factor
    return lang("pages.entry.hand_romme") + (f" ×{factor}" if factor > 1 else "")


def _said_of_gin(game: Game, lang: Language) -> dict[str, Any]:
    return {
        "parts": {name: _part(name, lang) for name in PARTS},
        "stays": lang("pages.gin.stays", player="{player}"),
        "sides": game.sides,
        "totals": [tally.of(game.rules.rank.measure) for tally in game.sheet.tallies],
    }


def _part(reason: str, lang: Language) -> str:
    """Return the name of points in the result of a round of gin."""
    short = f"pages.gin.part.{reason}"
    return lang(short if short in lang else f"reason.{reason}")


# ---- the melds on the table --------------------------------------------------------------


@dataclass(frozen=True)
class TableMeld:
    """A meld on the table that cards may be laid off on."""

    ref: MeldRef
    owner: str
    cards: Cards
    text: str
    """Its cards in the notation of the page."""

    @property
    def to(self) -> str:
        """The name of the meld in a field: ``2.1`` is the first meld of the second player."""
        return f"{self.ref.seat + 1}.{self.ref.index + 1}"

    @property
    def is_wild(self) -> bool:
        """Whether it contains a joker that can be exchanged."""
        return any(card.stands_for for card in self.cards)


def table_melds(
    game: Game, entry: RoundEntry | None, score: RoundScore | None, notation: str
) -> list[TableMeld]:
    """Return the melds on the table; in gin, those of the knocker, as entered or as arranged."""
    if entry is None or not entry.round.counts:
        return []
    facts = entry.round
    melds: dict[MeldRef, Cards] = {}
    if game.rules.family == "lay":
        melds = {ref: meld.cards for ref, meld in lay.laid(facts, game.rules)[0].items()}
    elif game.rules.family == "gin" and facts.knocker in facts.present:
        named = facts.seats[facts.knocker].melds
        shown = _knocker_melds(score, facts.knocker) if named is None else named
        melds = {MeldRef(facts.knocker, place): cards for place, cards in enumerate(shown)}
    return [
        TableMeld(ref, game.players[ref.seat], cards, forms.write_cards(cards, notation))
        for ref, cards in sorted(melds.items(), key=lambda meld: astuple(meld[0]))
    ]


def _knocker_melds(score: RoundScore | None, knocker: int) -> Sequence[Cards]:
    """Return the melds on the knocker's receipt."""
    lines = score.lines if score else ()
    own = (line.facts for line in lines if line.facts.get("of") == knocker)
    return next(
        (cast("tuple[Cards, ...]", facts["melds"]) for facts in own if "melds" in facts), ()
    )


def sum_so_far(game: Game, score: RoundScore | None, missing: Sequence[int]) -> str:
    """Return the sum of the players entered so far, such as ``33 + 49 = 82``."""
    if game.rules.score.mode == "melded":
        return ""
    points = list(_points_entered(game, score, missing)) if score and missing else []
    return f"{' + '.join(map(str, points))} = {sum(points)}" if len(points) > 1 else ""


def _points_entered(game: Game, score: RoundScore, missing: Sequence[int]) -> Iterator[int]:
    collected = {line.facts["of"]: line.plus for line in score.lines if line.reason == "collected"}
    for side, points in enumerate(score.scores):
        if points and side not in missing and side != score.winner:
            yield points.minus or collected.get(side, 0)
