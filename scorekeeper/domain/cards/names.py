"""The names that cards have in each notation: ``10H`` (en), ``H10`` (de), ``10Co`` (fr); RULES 2.

Each notation has a table with every name of every card, so reading is a lookup, and one name
of each card that pages write.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from scorekeeper.domain.cards.card import CARDS, JOKER, PACK, Card, Rank, Suit

Notation = Literal["en", "de", "fr", "auto"]
NOTATIONS: tuple[Notation, ...] = get_args(Notation)
"""The notations that an entry can name; ``auto`` reads the cards that have only one reading."""

SYMBOLS = dict(zip("♣♦♥♠", Suit, strict=True))
GERMAN_SUITS = {
    **dict.fromkeys(("K", "KR", "KREUZ", "TREFF"), Suit.CLUBS),
    **dict.fromkeys(("P", "PI", "PIK"), Suit.SPADES),
    **dict.fromkeys(("H", "HE", "HERZ"), Suit.HEARTS),
    **dict.fromkeys(("KA", "KARO"), Suit.DIAMONDS),
}
GERMAN_SUIT_WORDS = ("KREUZ", "TREFF", "PIK", "HERZ", "KARO")
FRENCH_SUITS = {
    **dict.fromkeys(("T", "TR", "TRÈFLE", "TREFLE"), Suit.CLUBS),
    **dict.fromkeys(("P", "PI", "PIQUE"), Suit.SPADES),
    **dict.fromkeys(("C", "CO", "CŒ", "CŒUR", "COEUR"), Suit.HEARTS),
    **dict.fromkeys(("K", "CA", "CARREAU"), Suit.DIAMONDS),
}
FRENCH_SUIT_WORDS = ("TRÈFLE", "TREFLE", "PIQUE", "CŒUR", "COEUR", "CARREAU")

ENGLISH_RANKS = {rank.letter: rank for rank in Rank}
NUMBERS = {str(int(rank)): rank for rank in Rank if Rank.TWO <= rank <= Rank.TEN}
GERMAN_NUMBERS = ("ZWEI", "DREI", "VIER", "FÜNF", "SECHS", "SIEBEN", "ACHT", "NEUN", "ZEHN")
GERMAN_RANKS = {
    **NUMBERS,
    **dict(zip(GERMAN_NUMBERS, NUMBERS.values(), strict=True)),
    **dict.fromkeys(("A", "AS", "ASS", "ÄSS"), Rank.ACE),
    **dict.fromkeys(("B", "BUBE", "BAUER"), Rank.JACK),
    **dict.fromkeys(("D", "DAME", "DAMM"), Rank.QUEEN),
    **dict.fromkeys(("K", "KÖNIG", "KINNEK"), Rank.KING),
}
"""German ranks, and the Luxembourgish words of [002]."""
FRENCH_NUMBERS = ("DEUX", "TROIS", "QUATRE", "CINQ", "SIX", "SEPT", "HUIT", "NEUF", "DIX")
FRENCH_RANKS = {
    **NUMBERS,
    **dict(zip(FRENCH_NUMBERS, NUMBERS.values(), strict=True)),
    **dict.fromkeys(("A", "AS"), Rank.ACE),
    **dict.fromkeys(("V", "VALET"), Rank.JACK),
    **dict.fromkeys(("D", "DAME"), Rank.QUEEN),
    **dict.fromkeys(("R", "ROI"), Rank.KING),
}


def _bare_names(ranks: Mapping[str, Rank], *jokers: str) -> dict[str, Card]:
    """Return the names of ranks without a suit, and of the joker."""
    named_ranks = {name: Card(rank, None) for name, rank in ranks.items()}
    return named_ranks | dict.fromkeys((*jokers, "JK", "JOKER"), JOKER)


def _symbol_names() -> Iterator[tuple[str, Card]]:
    """Yield the names with a suit symbol, before or behind a rank of any notation."""
    for symbol, suit in SYMBOLS.items():
        for name, rank in (ENGLISH_RANKS | GERMAN_RANKS | FRENCH_RANKS).items():
            for written in (f"{symbol}{name}", f"{symbol}-{name}", f"{name}{symbol}"):
                yield written, CARDS[rank, suit]


def _german_names() -> Iterator[tuple[str, str, Card]]:
    """Yield name, suit part and card; of several readings, that with the longest suit is last."""
    for suit_name, suit in GERMAN_SUITS.items():
        for rank_name, rank in GERMAN_RANKS.items():
            for dash in ("", "-"):
                yield f"{suit_name}{dash}{rank_name}", suit_name, CARDS[rank, suit]


def _french_names() -> Iterator[tuple[str, str, Card]]:
    """Yield name, suit part and card; every name has one reading only."""
    for suit_name, suit in FRENCH_SUITS.items():
        for rank_name, rank in FRENCH_RANKS.items():
            for dash in ("", "-"):
                yield f"{rank_name}{dash}{suit_name}", suit_name, CARDS[rank, suit]


ENGLISH: Mapping[str, Card] = {
    **_bare_names(ENGLISH_RANKS),
    **dict(_symbol_names()),
    **{str(card): card for card in PACK},
}
"""The English names: rank first."""

GERMAN: Mapping[str, Card] = {
    **_bare_names(GERMAN_RANKS, "J"),
    **dict(_symbol_names()),
    **{name: card for name, _, card in _german_names()},
}
"""The German names: suit first; of several readings, the one with the longest suit."""

FRENCH: Mapping[str, Card] = {
    **_bare_names(FRENCH_RANKS),
    **dict(_symbol_names()),
    **{name: card for name, _, card in _french_names()},
}
"""The French names: rank first. J is no name: it may be the jack of an English pack or a joker."""

NAMES: Mapping[Notation, Mapping[str, Card]] = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH}
"""The names of every notation."""

BARE_K = frozenset(
    name
    for name, suit_name in {name: suit for name, suit, _ in _german_names()}.items()
    if suit_name == "K"
)
"""German names in which K alone is read as Kreuz; [001] does not say whether it is."""
BARE_C = frozenset(name for name, suit_name, _ in _french_names() if suit_name == "C")
"""French names in which C alone is read as cœur; carreau begins with it too [dec]."""

_SPELT_SUITS = {
    "de": {Suit.CLUBS: "Kr", Suit.DIAMONDS: "Ka", Suit.HEARTS: "H", Suit.SPADES: "P"},
    "fr": {Suit.CLUBS: "T", Suit.DIAMONDS: "Ca", Suit.HEARTS: "Co", Suit.SPADES: "P"},
}
_SPELT_RANKS = {
    "de": {Rank.JACK: "B", Rank.QUEEN: "D", Rank.KING: "K"},
    "fr": {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"},
}


def spell(card: Card, notation: str) -> str:
    """Return a card as people type it: ``KrD``, ``DT``; reading it gives no warning."""
    if card.stands_for:
        return f"{spell(card.physical, notation)}={spell(card.stands_for, notation)}"
    if notation not in _SPELT_RANKS or card.rank is None:
        return str(card)
    rank = _SPELT_RANKS[notation].get(card.rank, card.rank.letter)
    suit = _SPELT_SUITS[notation][card.suit] if card.suit else ""
    return suit + rank if notation == "de" else rank + suit
