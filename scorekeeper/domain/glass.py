"""*Glas auffangen*: melds that a player of gin catches out of the discard pile ([003])."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from scorekeeper.domain.cards import Card
from scorekeeper.domain.rounds import Cards, Glass

FEWEST = 3
"""Cards that make a group or a sequence."""


def claimed(attempt: Glass, pile: Cards) -> list[Cards]:
    """Return every meld of the pile that a call can mean.

    Jokers never count, nor do corners and rainbows: the ace is low (RULES 7.4.11).
    """
    if attempt.kind == "group":
        found = [tuple(card for card in pile if card.rank == attempt.rank)]
    else:
        found = list(_in_a_row([card for card in pile if card.suit == attempt.suit]))
    return [cards for cards in found if len(cards) >= FEWEST]


def _in_a_row(cards: Sequence[Card]) -> Iterator[Cards]:
    """Split the cards of one suit where a rank is missing."""
    ranked = sorted({card.rank: card for card in cards if card.rank}.items())
    for _, row in groupby(enumerate(ranked), key=lambda one: one[1][0] - one[0]):
        yield tuple(card for _, (_, card) in row)


def caught(attempt: Glass) -> Cards:
    """Return the cards that have left the game by this attempt, as far as they are known.

    The whole meld leaves the pile ([003]). Where the pile was not written down, three cards
    of a group are known by their rank; of a sequence nothing is known, nor where the call
    fits two of them [dec].
    """
    named = attempt.rank if attempt.kind == "group" else attempt.suit
    if not attempt.hit or named is None:
        return ()
    if attempt.pile is None:
        return (Card(attempt.rank, None),) * FEWEST if attempt.kind == "group" else ()
    melds = claimed(attempt, attempt.pile)
    return melds[0] if len(melds) == 1 else ()
