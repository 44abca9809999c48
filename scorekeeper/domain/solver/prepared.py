"""The rules prepared for the solver: pieces and prices, computed once for each rule set."""

from collections.abc import Sequence
from functools import lru_cache

from scorekeeper.domain.budget import Budget, once
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank
from scorekeeper.domain.melds import Meld, card_value, readings
from scorekeeper.domain.rules import Ace, Deck, Joker, Melding, RuleSet, Value, Wild
from scorekeeper.domain.solver.arrangement import CARD_COUNTS, Arrangement
from scorekeeper.domain.solver.exhaustive import ExhaustivePieces
from scorekeeper.domain.solver.fast import Sums, is_plain
from scorekeeper.domain.solver.pieces import (
    BIT,
    CARDS,
    EVERY_COPY,
    MeldOptions,
    Piece,
    Pieces,
    natural_cards,
)

MAX_COST = CARD_COUNTS**3
"""More than any hand costs."""


class Prepared:
    """The rules of pieces and prices, prepared once for all searches."""

    def __init__(self, rules: RuleSet, *, twos_apart: bool = False) -> None:
        self.rules = rules
        self.twos_apart = twos_apart
        self.price = {
            card: CARD_COUNTS * card_value(card, rules) + 1
            for card in (*PACK, *(Card(rank, None) for rank in Rank), JOKER)
        }
        """The cost of a card left."""
        self.prices = tuple(map(self.price.__getitem__, CARDS))
        wild = 15 << 4 * (rules.wild_rank - 1) if rules.wild_rank else 0
        options = MeldOptions.of(rules)
        self.twos = 0 if twos_apart else wild * EVERY_COPY[-1 if options.free_sets else 0]
        """The bits of the twos, or of another rank, that are also wild cards."""
        self.losses = tuple(
            0 if 1 << at & self.twos else price for at, price in enumerate(self.prices)
        )
        """The cost of each natural card left; wild twos are counted with the wild cards."""
        self.price_of = {1 << at: price for at, price in enumerate(self.losses)} | {0: 0}
        """The same by the bit of the card; 0 is no natural card."""
        self.pieces = (
            ExhaustivePieces(rules, self.prices) if twos_apart else Pieces(options, self.prices)
        )
        self.is_sure = twos_apart or not (rules.wild.twos and options.unambiguous)
        """Whether wild cards are interchangeable."""
        self.naturals = {card: bit for card, bit in BIT.items() if not bit & wild}
        self.sums = Sums(rules) if is_plain(rules) else None
        self.melds = lru_cache(maxsize=4096)(self._melds)
        self._exhaustive: Prepared | None = None

    @property
    def exhaustive(self) -> "Prepared":
        """A slower version that tells wild twos apart."""
        if self._exhaustive is None:
            self._exhaustive = Prepared(self.rules, twos_apart=True)
        return self._exhaustive

    def plain(self, hand: Sequence[Card]) -> list[Arrangement]:
        """Return the best arrangements as far as the fast path finds them, else none."""
        return self.sums.best(hand) if self.sums else []

    def cost(self, card: Card) -> int:
        """Return the cost of a card left."""
        return self.price[card]

    def among(self, held: int, wilds: int, budget: Budget) -> list[Piece]:
        """Return every piece of these cards, computed once for all searches of a question."""
        return once((self, held, wilds), lambda: self.pieces.among(held, wilds, budget))

    def _melds(self, piece: Piece, wilds: tuple[Card, ...]) -> list[Meld]:
        """Return every meld that the piece forms with these cards; never none if ``is_sure``."""
        if self.rules.wild_rank:
            return readings([*natural_cards(piece.cards), *wilds], self.rules)
        return self.pieces.melds(piece, wilds)


class _Same:
    """A rule set compared by identity, which is faster than comparing its options."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules  # the reference keeps its id from being reused

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rules is other.rules


def prepare(rules: RuleSet) -> Prepared:
    """Return the prepared rules, shared by rule sets with equal melds and prices."""
    return _prepared(_Same(rules))


@lru_cache(maxsize=64)
def _prepared(same: _Same) -> Prepared:
    rules = same.rules
    return _prepared_for(rules.deck, rules.value, rules.wild, rules.ace, rules.meld, rules.joker)


@lru_cache(maxsize=16)
def _prepared_for(
    deck: Deck, value: Value, wild: Wild, ace: Ace, meld: Melding, joker: Joker
) -> Prepared:
    return Prepared(RuleSet(deck=deck, value=value, wild=wild, ace=ace, meld=meld, joker=joker))
