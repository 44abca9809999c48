"""Cards: ranks, suits, jokers, and the packs they come from (RULES 2)."""

from enum import IntEnum, StrEnum
from functools import cache
from typing import NamedTuple, Optional


class Suit(StrEnum):
    """The four suits, in the order used throughout."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    __hash__ = str.__hash__  # an enum's own hash is several times slower

    @property
    def is_red(self) -> bool:
        return self in (Suit.DIAMONDS, Suit.HEARTS)


class Rank(IntEnum):
    """The thirteen ranks, numbered by their place in the circle A 2 3 ... Q K."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    __hash__ = int.__hash__

    @property
    def letter(self) -> str:
        """``A 2 ... 10 J Q K``."""
        return _LETTERS[self - 1]


_LETTERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class Card(NamedTuple):
    """A natural card, a joker (no rank), or a bare rank (no suit).

    ``stands_for`` is the card that a wild card represents if that was declared: ``JK=9S``.
    """

    rank: Rank | None
    suit: Suit | None
    stands_for: Optional["Card"] = None

    @property
    def is_joker(self) -> bool:
        return self.rank is None

    @property
    def is_bare(self) -> bool:
        """Whether this is a rank without a suit, as in counting by ranks (RULES 6.1)."""
        return self.rank is not None and self.suit is None

    @property
    def physical(self) -> "Card":
        """The card itself, without the card it stands for."""
        return self._replace(stands_for=None) if self.stands_for else self

    @cache  # noqa: B019  # there are few cards, and a recorded round names each of its own often
    def __str__(self) -> str:
        """Return the canonical notation: ``10H``, ``K``, ``JK``, ``JK=9S``."""
        name = "JK" if self.rank is None else _LETTERS[self.rank - 1] + (self.suit or "")
        return f"{name}={self.stands_for}" if self.stands_for else name


JOKER = Card(None, None)
PACK = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""One pack of 52, suit by suit."""
CARDS = {(card.rank, card.suit): card for card in PACK}
"""Every card of a pack by rank and suit."""
BARE_RANKS = tuple(Card(rank, None) for rank in Rank)
"""The ranks without suits, as in counting by ranks (RULES 6.1)."""

_BY_NAME = {str(card): card for card in (*PACK, JOKER, *BARE_RANKS)}


@cache
def card_named(name: str) -> Card:
    """Return the card of a canonical name; raise KeyError for any other text."""
    wild, declared, meaning = name.partition("=")
    card = _BY_NAME[wild]
    return card._replace(stands_for=_BY_NAME[meaning]) if declared else card
