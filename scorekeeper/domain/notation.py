"""Reading and writing cards: ``10H``, ``JK=9S``, ``4H..8H``, ``Herz-Dame`` (RULES 2).

Every name that a card has in a notation stands in one table, so reading is looking up.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Literal

from scorekeeper.domain.cards import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import Problem, RuleError, warning

Notation = Literal["en", "de", "auto"]

MOST_CARDS = 200
MOST_LETTERS = 4000

WHYS = (
    "E_NOTATION.unknown",  # token: no card in this notation
    "E_NOTATION.other_notation",  # token, card: what it is in the notation that was not named
    "E_NOTATION.ten",  # token: a T for ten; write 10
    "E_NOTATION.suit_unclear",  # token, suit (T or C), cards: what that suit may mean in German
    "E_NOTATION.range",  # token: 4H..8H needs one suit, upwards, at most to the ace
    "E_NOTATION.declared",  # token: only a joker or a two stands for a card, and for a natural one
    "E_NOTATION.too_many",  # most: cards in one entry
    "E_NOTATION.too_long",  # most: letters in one entry
)
"""Why something cannot be read, with its facts. Without ``why``: E_NOTATION_AMBIGUOUS
(token, en, de: the two readings) and E_SUIT_NEEDED (token, rank)."""

SYMBOLS = dict(zip("♣♦♥♠", Suit, strict=True))
GERMAN_SUITS = {
    **dict.fromkeys(("K", "KR", "KREUZ", "TREFF"), Suit.CLUBS),
    **dict.fromkeys(("P", "PI", "PIK"), Suit.SPADES),
    **dict.fromkeys(("H", "HE", "HERZ"), Suit.HEARTS),
    **dict.fromkeys(("KA", "KARO"), Suit.DIAMONDS),
}
SUIT_WORDS = ("KREUZ", "TREFF", "PIK", "HERZ", "KARO")
UNCLEAR_SUITS = {
    "T": (Suit.CLUBS, Suit.DIAMONDS),  # Treff, or the other one of [001]'s K and T
    "C": (Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS),  # Coeur, Caro, Clubs
}

ENGLISH_RANKS = {rank.letter: rank for rank in Rank}
GERMAN_RANKS = {
    **{str(int(rank)): rank for rank in Rank if Rank.TWO <= rank <= Rank.TEN},
    **dict(
        zip(
            ("ZWEI", "DREI", "VIER", "FÜNF", "SECHS", "SIEBEN", "ACHT", "NEUN", "ZEHN"),
            list(Rank)[1:10],
            strict=True,
        )
    ),
    **dict.fromkeys(("A", "AS", "ASS", "ÄSS"), Rank.ACE),
    **dict.fromkeys(("B", "BUBE", "BAUER"), Rank.JACK),
    **dict.fromkeys(("D", "DAME", "DAMM"), Rank.QUEEN),
    **dict.fromkeys(("K", "KÖNIG", "KINNEK"), Rank.KING),
}
"""German ranks, and the Luxembourgish words of [002]."""

_CARDS = {(card.rank, card.suit): card for card in PACK}


def _symbol_names() -> Iterator[tuple[str, Card]]:
    """A symbol stands on either side, with English or German ranks."""
    for symbol, suit in SYMBOLS.items():
        for name, rank in (ENGLISH_RANKS | GERMAN_RANKS).items():
            for written in (f"{symbol}{name}", f"{symbol}-{name}", f"{name}{symbol}"):
                yield written, _CARDS[rank, suit]


def _german_names() -> Iterator[tuple[str, str, Card]]:
    """Name, suit part and card; shorter suits first, so that the longest has the last word."""
    for suit_name, suit in sorted(GERMAN_SUITS.items(), key=lambda item: len(item[0])):
        for rank_name, rank in GERMAN_RANKS.items():
            for dash in ("", "-"):
                yield f"{suit_name}{dash}{rank_name}", suit_name, _CARDS[rank, suit]


ENGLISH: Mapping[str, Card] = {
    **{name: Card(rank, None) for name, rank in ENGLISH_RANKS.items()},
    **dict.fromkeys(("JK", "JOKER"), JOKER),
    **dict(_symbol_names()),
    **{str(card): card for card in PACK},
}
"""Every English name: rank first."""

GERMAN: Mapping[str, Card] = {
    **{name: Card(rank, None) for name, rank in GERMAN_RANKS.items()},
    **dict.fromkeys(("J", "JK", "JOKER"), JOKER),
    **dict(_symbol_names()),
    **{name: card for name, _, card in _german_names()},
}
"""Every German name: suit first, and the longest suit that leaves a whole rank."""

BARE_K = frozenset(
    name
    for name, suit_name in {name: suit for name, suit, _ in _german_names()}.items()
    if suit_name == "K"
)
"""German names in which K alone means Kreuz; [001] leaves open whether it does."""

_NAMES = {"en": ENGLISH, "de": GERMAN}
_FULL_NAMES = {
    notation: {name: card for name, card in names.items() if not card.is_bare}
    for notation, names in _NAMES.items()
}
"""The names of cards, without those of ranks."""
_OTHER = {"en": "de", "de": "en"}

_END = r"(?![^\s,=.])"
_WORD_THEN_RANK = re.compile(
    rf"(?<![^\s,=.])({'|'.join(SUIT_WORDS)})\s+(?=(?:{'|'.join(GERMAN_RANKS)}){_END})"
)
_AROUND = re.compile(r" ?(=|-|\.\.) ?")
_BETWEEN = re.compile(r"[\s,]+")
_UNSEEN = dict.fromkeys((0xFE0E, 0xFE0F))
"""Variation selectors, which phones put behind a suit symbol."""


def read_cards(
    text: str | Sequence[str], notation: Notation = "en", *, bare: bool = False
) -> tuple[tuple[Card, ...], tuple[Problem, ...]]:
    """The cards of a text or of several texts, and the warnings of reading them.

    ``bare`` allows ranks without suits (RULES 6.1). Raises RuleError E_NOTATION,
    E_NOTATION_AMBIGUOUS or E_SUIT_NEEDED at the first name that cannot be read.
    """
    texts = (text,) if isinstance(text, str) else text
    if sum(map(len, texts)) > MOST_LETTERS:
        raise RuleError("E_NOTATION", why="too_long", most=MOST_LETTERS)
    tokens = " ".join(texts).upper().split()
    known = (_NAMES if bare else _FULL_NAMES).get(notation, {})
    try:
        cards = tuple([known[name] for name in tokens])
    except KeyError:  # something has to be put right first, or is no name
        tokens = _tokens(texts, notation)
        read = chain.from_iterable(_read_token(token, notation, bare) for token in tokens)
        cards = tuple(islice(read, MOST_CARDS + 1))
    if len(cards) > MOST_CARDS:
        raise RuleError("E_NOTATION", why="too_many", most=MOST_CARDS)
    return cards, () if notation == "en" else _warnings(tokens)


def write_cards(cards: Iterable[Card]) -> list[str]:
    """Canonical names, as stored and sent."""
    return [str(card) for card in cards]


def _tokens(texts: Sequence[str], notation: Notation) -> list[str]:
    """The texts cut into names, upper case, with ``Kreuz 9`` and ``JK = 9S`` drawn together."""
    tokens: list[str] = []
    for text in texts:
        plain = unicodedata.normalize("NFC", text).upper().translate(_UNSEEN)
        plain = _AROUND.sub(r"\1", " ".join(plain.split()))
        if notation != "en":
            plain = _WORD_THEN_RANK.sub(r"\1", plain)
        tokens += filter(None, _BETWEEN.split(plain))
    return tokens


def _warnings(tokens: Iterable[str]) -> tuple[Problem, ...]:
    """W_SUIT_K_KREUZ, once per entry, at the first German name with a bare K for its suit."""
    for token in tokens:
        names = re.split(r"=|\.\.", token)
        if all(name in GERMAN for name in names):
            for name in names:
                if name in BARE_K:
                    return (warning("W_SUIT_K_KREUZ", token=_short(token), card=GERMAN[name]),)
    return ()


def _read_token(token: str, notation: Notation, bare: bool) -> tuple[Card, ...]:
    if notation == "auto":
        return _read_either(token, bare)
    try:
        return _read(token, notation, bare)
    except RuleError as refusal:
        if refusal.problems[0].facts.get("why") != "unknown":
            raise
        raise _hint(token, _OTHER[notation]) or refusal from None


def _hint(token: str, notation: str) -> RuleError | None:
    """A name of the other notation is told so."""
    try:
        card = _read(token, notation, False)[0]
    except RuleError:
        return None
    return RuleError("E_NOTATION", why="other_notation", token=_short(token), card=card)


def _read_either(token: str, bare: bool) -> tuple[Card, ...]:
    """What a name is in the one notation that can read it, or in both alike.

    ``AS``, the ace of spades or the German word for any ace, is an ace both ways: the
    reading that says more is taken.
    """
    read: list[tuple[Card, ...]] = []
    refused: list[RuleError] = []
    for notation in _NAMES:
        try:
            read.append(_read(token, notation, bare))
        except RuleError as refusal:
            refused.append(refusal)
    if not read:
        telling = (each for each in refused if each.problems[0].facts.get("why") != "unknown")
        raise next(telling, refused[0])
    english, german = read[0], read[-1]
    any_of_rank = german[0].is_bare and german[0].rank == english[0].rank
    if english != german and not any_of_rank:
        raise RuleError("E_NOTATION_AMBIGUOUS", token=_short(token), en=english[0], de=german[0])
    return english


def _read(token: str, notation: str, bare: bool) -> tuple[Card, ...]:
    """One card, one declared wild card, or a run from a card to a card."""
    card = _NAMES[notation].get(token)
    if card is not None and (bare or not card.is_bare):
        return (card,)
    if "=" in token:
        return (_declared(token, notation),)
    if ".." in token:
        return _range(token, notation)
    if card is not None:
        raise RuleError("E_SUIT_NEEDED", token=token, rank=card.rank)
    raise _unreadable(token, notation)


def _declared(token: str, notation: str) -> Card:
    """``JK=9S``; only a two may stand for something else besides the joker."""
    wild, natural = (_natural(name, notation) for name in token.split("=", 1))
    may_stand = wild.is_joker or (wild.rank is Rank.TWO and not wild.is_bare)
    if not may_stand or natural.rank is None or natural.is_bare:
        raise RuleError("E_NOTATION", why="declared", token=_short(token))
    return Card(wild.rank, wild.suit, stands_for=natural)


def _range(token: str, notation: str) -> tuple[Card, ...]:
    """``4H..8H``; an ace at its end is the one above the king."""
    first, last = (_natural(name, notation) for name in token.split("..", 1))
    ranks = _upwards(first.rank, last.rank)
    if not ranks or first.suit is None or first.suit != last.suit:
        raise RuleError("E_NOTATION", why="range", token=_short(token))
    return tuple(_CARDS[rank, first.suit] for rank in ranks)


def _upwards(first: Rank | None, last: Rank | None) -> list[Rank]:
    """The ranks of a run from one to a higher one."""
    if first is None or last is None or first is last:
        return []
    if last is Rank.ACE:
        return [*list(Rank)[first - 1 :], last]
    return list(Rank)[first - 1 : last]


def _natural(name: str, notation: str) -> Card:
    card = _NAMES[notation].get(name)
    if card is None:
        raise _unreadable(name, notation)
    return card


def _unreadable(name: str, notation: str) -> RuleError:
    """Why a name is no card: the usual slips are told apart from the rest."""
    meant = _unclear_suit(name) if notation == "de" else ()
    if meant:
        return RuleError(
            "E_NOTATION", why="suit_unclear", token=_short(name), suit=name[0], cards=meant
        )
    ten = name.replace("T", "10") in _NAMES[notation]
    return RuleError("E_NOTATION", why="ten" if ten else "unknown", token=_short(name))


def _unclear_suit(name: str) -> tuple[Card, ...]:
    """What ``T2`` or ``C9`` of [001] may be."""
    rank = GERMAN_RANKS.get(name[1:].removeprefix("-"))
    suits = UNCLEAR_SUITS.get(name[:1], ())
    return tuple(_CARDS[rank, suit] for suit in suits) if rank else ()


def _short(token: str) -> str:
    """As much of a name as fits into a sentence."""
    return token if len(token) <= 40 else f"{token[:39]}…"
