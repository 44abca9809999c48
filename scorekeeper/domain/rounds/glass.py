"""*Glas auffangen*: melds that a gin player claims in the discard pile ([003])."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from scorekeeper.domain.cards.card import Card, Rank, Suit
from scorekeeper.domain.errors import Problem, problem
from scorekeeper.domain.rounds.facts import Cards, Glass

MIN_CARDS = 3
"""The cards of the smallest group or sequence."""


def claimed(attempt: Glass, pile: Cards) -> list[Cards]:
    """Return every meld in the pile that a call may mean.

    The ace is low, and jokers, corners and rainbows do not count (RULES 7.4.11).
    """
    if attempt.kind == "group":
        found = [tuple(card for card in pile if card.rank == attempt.rank)]
    else:
        found = list(_in_a_row([card for card in pile if card.suit == attempt.suit]))
    return [cards for cards in found if len(cards) >= MIN_CARDS]


def _in_a_row(cards: Sequence[Card]) -> Iterator[Cards]:
    """Yield the cards of one suit, split where a rank is missing."""
    ranked = sorted({card.rank: card for card in cards if card.rank}.items())
    for _, row in groupby(enumerate(ranked), key=lambda one: one[1][0] - one[0]):
        yield tuple(card for _, (_, card) in row)


def caught(attempt: Glass) -> Cards:
    """Return the known cards that this attempt removed from the game.

    The whole meld leaves the pile ([003]). If the pile was not recorded, three cards of a
    group are known by their rank. Nothing is known of a sequence, nor if the call fits two
    melds [dec].
    """
    named = attempt.rank if attempt.kind == "group" else attempt.suit
    if not attempt.hit or named is None:
        return ()
    if attempt.pile is None:
        return (Card(attempt.rank, None),) * MIN_CARDS if attempt.kind == "group" else ()
    melds = claimed(attempt, attempt.pile)
    return melds[0] if len(melds) == 1 else ()


def sequences_left(suit: Suit, elsewhere: Counter[Card], packs: int) -> int:
    """Return how many sequences of a suit can be caught, given the cards that are elsewhere.

    Each takes at least three cards in a row of which no copy is known to be elsewhere.
    """
    left = [card for card in (Card(rank, suit) for rank in Rank) if elsewhere[card] < packs]
    return packs * sum(len(row) // MIN_CARDS for row in _in_a_row(left))


def check_glass(attempt: Glass, k: int, players: int) -> Iterator[Problem]:
    """Check that an attempt names what it claims, and that a declared pile agrees with it."""
    at = ("glass", k)
    if attempt.by >= players:
        yield problem("E_FORM", (*at, "by"), why="no_seat", seat=attempt.by)
    if (attempt.rank if attempt.kind == "group" else attempt.suit) is None:
        yield problem("E_GLASS", at, why=attempt.kind, seat=attempt.by)
        return
    pile = attempt.pile
    if pile is not None and bool(claimed(attempt, pile)) != attempt.hit:
        why = "missed" if attempt.hit else "was_there"
        yield problem("E_GLASS", (*at, "hit"), why=why, seat=attempt.by, cards=pile)
