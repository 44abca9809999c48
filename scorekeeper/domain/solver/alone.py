"""Hands with one meld at most, which need no search."""

from collections.abc import Sequence

from scorekeeper.domain.solver.hand import Hand
from scorekeeper.domain.solver.pieces import COPIES, Piece
from scorekeeper.domain.solver.prepared import Prepared


def fit_together(hand: Hand, own: Sequence[Piece]) -> bool:
    """Return whether two of the melds may fit together, or one of them twice."""
    if hand.wilds:
        fewer = (1 << len(hand.wilds)) - 1  # wild cards than all, as bits
        return any([piece.wilds & fewer for piece in own])
    return len(own) > 1 or any([not piece.cards & ~(hand.naturals >> COPIES) for piece in own])


def best_alone(
    hand: Hand, own: Sequence[Piece], prepared: Prepared
) -> tuple[int, tuple[Piece, ...]]:
    """Return the same as ``Cutting.least`` for a hand of which no two melds fit together."""
    if not own:
        return hand.price + sum([prepared.cost(card) for card in hand.wilds]), ()
    best = max(own, key=lambda piece: (piece.price, piece.cards.bit_length()))
    return hand.price - best.price, (best,)  # it takes all wild cards
