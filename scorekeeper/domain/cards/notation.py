"""Reading and writing cards: ``10H``, ``JK=9S``, ``4H..8H``, ``Herz-Dame`` (RULES 2).

The names of the cards are in ``card_names``.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice

from scorekeeper.domain.cards.card import CARDS, Card, Rank, Suit
from scorekeeper.domain.cards.names import (
    BARE_C,
    BARE_K,
    FRENCH,
    FRENCH_RANKS,
    FRENCH_SUIT_WORDS,
    GERMAN,
    GERMAN_RANKS,
    GERMAN_SUIT_WORDS,
    NAMES,
    Notation,
)
from scorekeeper.domain.errors import Problem, RuleError, problem

MAX_CARDS = 200
MAX_LETTERS = 4000

WHYS = (
    "E_NOTATION.unknown",  # token: no card in this notation
    "E_NOTATION.other_notation",  # token, card: the card in another notation
    "E_NOTATION.ten",  # token: a T for ten; write 10
    "E_NOTATION.suit_unclear",  # token, suit (T or C), cards: the possible cards in German
    "E_NOTATION.range",  # token: 4H..8H needs one suit, upwards, at most to the ace
    "E_NOTATION.declared",  # token: only a joker or a two stands for a card, and only a natural one
    "E_NOTATION.too_many",  # most: cards in one entry
    "E_NOTATION.too_long",  # most: letters in one entry
    "E_NOTATION_AMBIGUOUS.en_fr",  # token, en, fr: the two readings
)
"""The reasons why a text cannot be read, with their facts. Without ``why``:
E_NOTATION_AMBIGUOUS (token, en, de: the two readings) and E_SUIT_NEEDED (token, rank)."""

UNCLEAR_SUITS = {
    "T": (Suit.CLUBS, Suit.DIAMONDS),  # Treff, or diamonds: [001] writes K and T for both
    "C": (Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS),  # Coeur, Caro, Clubs
}
"""Suit letters that German leaves open."""

_FULL_NAMES = {
    notation: {name: card for name, card in names.items() if not card.is_bare}
    for notation, names in NAMES.items()
}
"""The names of cards, without bare ranks."""

_END = r"(?![^\s,=.])"
_BEGIN = r"(?<![^\s,=.])"
_SUIT_THEN_RANK = re.compile(
    rf"{_BEGIN}({'|'.join(GERMAN_SUIT_WORDS)})\s+(?=(?:{'|'.join(GERMAN_RANKS)}){_END})"
)
_RANK_THEN_SUIT = re.compile(
    rf"{_BEGIN}({'|'.join(FRENCH_RANKS)})\s+(?:DE\s+)?(?=(?:{'|'.join(FRENCH_SUIT_WORDS)}){_END})"
)
_JOINED = {
    "de": (_SUIT_THEN_RANK,),
    "fr": (_RANK_THEN_SUIT,),
    "auto": (_SUIT_THEN_RANK, _RANK_THEN_SUIT),
}
"""The names of several words, by notation: ``Kreuz 9``, ``dame de pique``."""
_AROUND = re.compile(r" ?(=|-|\.\.) ?")
_BETWEEN = re.compile(r"[\s,]+")
_UNSEEN = dict.fromkeys((0xFE0E, 0xFE0F))
"""Variation selectors, which phones append to a suit symbol."""


def read_cards(
    text: str | Sequence[str], notation: Notation = "en", *, bare: bool = False
) -> tuple[tuple[Card, ...], tuple[Problem, ...]]:
    """Return the cards of a text or of several texts, and the warnings about them.

    ``bare`` allows ranks without suits (RULES 6.1). Raises RuleError E_NOTATION,
    E_NOTATION_AMBIGUOUS or E_SUIT_NEEDED at the first name that cannot be read.
    """
    texts = (text,) if isinstance(text, str) else text
    if sum(map(len, texts)) > MAX_LETTERS:
        raise RuleError("E_NOTATION", why="too_long", most=MAX_LETTERS)
    tokens = " ".join(texts).upper().split()
    known = (NAMES if bare else _FULL_NAMES).get(notation, {})
    try:
        cards = tuple([known[name] for name in tokens])
    except KeyError:  # needs normalising first, or is no card
        tokens = _tokens(texts, notation)
        read = chain.from_iterable(_read_token(token, notation, bare) for token in tokens)
        cards = tuple(islice(read, MAX_CARDS + 1))
    if len(cards) > MAX_CARDS:
        raise RuleError("E_NOTATION", why="too_many", most=MAX_CARDS)
    return cards, () if notation == "en" else _warnings(tokens)


def write_cards(cards: Iterable[Card]) -> list[str]:
    """Return the canonical names, as stored and sent."""
    return [str(card) for card in cards]


def _tokens(texts: Sequence[str], notation: Notation) -> list[str]:
    """Return the names in the texts, in upper case, with ``Kreuz 9`` and ``JK = 9S`` joined."""
    tokens: list[str] = []
    for text in texts:
        plain = unicodedata.normalize("NFC", text).upper().translate(_UNSEEN)
        plain = _AROUND.sub(r"\1", " ".join(plain.split()))
        for words in _JOINED.get(notation, ()):
            plain = words.sub(r"\1", plain)
        tokens += filter(None, _BETWEEN.split(plain))
    return tokens


def _warnings(tokens: Iterable[str]) -> tuple[Problem, ...]:
    """Return W_SUIT_K_KREUZ or W_SUIT_C_COEUR for the first name whose suit is only a letter.

    There is one warning per entry.
    """
    for token in tokens:
        names = re.split(r"=|\.\.", token)
        for name in names:
            if name in BARE_K and all(one in GERMAN for one in names):
                return (problem("W_SUIT_K_KREUZ", token=_short(token), card=GERMAN[name]),)
            if name in BARE_C and all(one in FRENCH for one in names):
                return (problem("W_SUIT_C_COEUR", token=_short(token), card=FRENCH[name]),)
    return ()


def _read_token(token: str, notation: Notation, bare: bool) -> tuple[Card, ...]:
    if notation == "auto":
        return _read_any(token, bare)
    try:
        return _read(token, notation, bare)
    except RuleError as refusal:
        if refusal.problems[0].facts.get("why") != "unknown":
            raise
        raise _hint(token, notation, bare) or refusal from None


def _hint(token: str, notation: Notation, bare: bool) -> RuleError | None:
    """Return the error for a name that other notations can read, else None."""
    readings, _ = _read_in(token, (other for other in NAMES if other != notation), bare)
    if not readings:
        return None
    try:
        card = _agreed(token, readings)[0]
    except RuleError as ambiguous:
        return ambiguous
    return RuleError("E_NOTATION", why="other_notation", token=_short(token), card=card)


def _read_any(token: str, bare: bool) -> tuple[Card, ...]:
    """Read a name in the notations that know it, which must agree."""
    readings, refused = _read_in(token, NAMES, bare)
    if not readings:
        telling = (each for each in refused if each.problems[0].facts.get("why") != "unknown")
        raise next(telling, refused[0])
    return _agreed(token, readings)


def _read_in(
    token: str, notations: Iterable[Notation], bare: bool
) -> tuple[dict[str, tuple[Card, ...]], list[RuleError]]:
    """Return the readings of a name by notation, and the errors of the other notations."""
    readings: dict[str, tuple[Card, ...]] = {}
    refused: list[RuleError] = []
    for notation in notations:
        try:
            readings[notation] = _read(token, notation, bare)
        except RuleError as refusal:
            refused.append(refusal)
    return readings, refused


def _agreed(token: str, readings: Mapping[str, tuple[Card, ...]]) -> tuple[Card, ...]:
    """Return the only reading of a name; raises E_NOTATION_AMBIGUOUS if there are two.

    ``AS`` is the ace of spades, or the German or French word for any ace. All are aces, so the
    more precise reading is taken.
    """
    (_, first), *others = readings.items()
    for notation, other in others:
        any_of_rank = other[0].is_bare and other[0].rank == first[0].rank
        if other != first and not any_of_rank:
            raise _ambiguous(token, first[0], other[0], notation)
    return first


def _ambiguous(token: str, english: Card, other: Card, notation: str) -> RuleError:
    """Return the error for a name that is another card in English: no other two ever differ."""
    if notation == "fr":
        return RuleError(
            "E_NOTATION_AMBIGUOUS", why="en_fr", token=_short(token), en=english, fr=other
        )
    return RuleError("E_NOTATION_AMBIGUOUS", token=_short(token), en=english, de=other)


def _read(token: str, notation: Notation, bare: bool) -> tuple[Card, ...]:
    """Read one card, one declared wild card, or a range of cards."""
    card = NAMES[notation].get(token)
    if card is not None and (bare or not card.is_bare):
        return (card,)
    if "=" in token:
        return (_declared(token, notation),)
    if ".." in token:
        return _range(token, notation)
    if card is not None:
        raise RuleError("E_SUIT_NEEDED", token=token, rank=card.rank)
    raise _unreadable(token, notation)


def _declared(token: str, notation: Notation) -> Card:
    """Read ``JK=9S``; besides jokers, only twos may stand for another card."""
    wild, natural = _parts(token, "=", "declared", notation)
    may_stand = wild.is_joker or (wild.rank is Rank.TWO and not wild.is_bare)
    if not may_stand or natural.rank is None or natural.is_bare:
        raise RuleError("E_NOTATION", why="declared", token=_short(token))
    return Card(wild.rank, wild.suit, stands_for=natural)


def _range(token: str, notation: Notation) -> tuple[Card, ...]:
    """Read ``4H..8H``; an ace at the end is above the king."""
    first, last = _parts(token, "..", "range", notation)
    ranks = _upwards(first.rank, last.rank)
    if not ranks or first.suit is None or first.suit != last.suit:
        raise RuleError("E_NOTATION", why="range", token=_short(token))
    return tuple(CARDS[rank, first.suit] for rank in ranks)


def _parts(token: str, between: str, why: str, notation: Notation) -> tuple[Card, Card]:
    """Return the cards on both sides of a sign."""
    one, other = token.split(between, 1)
    if not one or not other:
        raise RuleError("E_NOTATION", why=why, token=_short(token))
    return _natural(one, notation), _natural(other, notation)


def _upwards(first: Rank | None, last: Rank | None) -> list[Rank]:
    """Return the ranks from one to a higher one, or none."""
    if first is None or last is None or first is last:
        return []
    if last is Rank.ACE:
        return [*list(Rank)[first - 1 :], last]
    return list(Rank)[first - 1 : last]


def _natural(name: str, notation: Notation) -> Card:
    card = NAMES[notation].get(name)
    if card is None:
        raise _unreadable(name, notation)
    return card


def _unreadable(name: str, notation: Notation) -> RuleError:
    """Return the error for a name that is no card, with a reason for common mistakes."""
    meant = _unclear_suit(name) if notation == "de" else ()
    if meant:
        return RuleError(
            "E_NOTATION", why="suit_unclear", token=_short(name), suit=name[0], cards=meant
        )
    ten = name.replace("T", "10", 1) in NAMES[notation]
    return RuleError("E_NOTATION", why="ten" if ten else "unknown", token=_short(name))


def _unclear_suit(name: str) -> tuple[Card, ...]:
    """Return the cards that ``T2`` or ``C9`` may mean ([001])."""
    rank = GERMAN_RANKS.get(name[1:].removeprefix("-"))
    suits = UNCLEAR_SUITS.get(name[:1], ())
    return tuple(CARDS[rank, suit] for suit in suits) if rank else ()


def _short(token: str) -> str:
    """Return as much of a name as fits into a sentence."""
    return token if len(token) <= 40 else f"{token[:39]}…"
