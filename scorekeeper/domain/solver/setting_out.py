"""Setting out a hand: the arrangements that the pieces chosen by the search allow."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import accumulate, product

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.solver.arrangement import CARD_COUNTS, Arrangement
from scorekeeper.domain.solver.bits import numbers, shares, sums
from scorekeeper.domain.solver.hand import Hand, without
from scorekeeper.domain.solver.layoffs import LayOffs
from scorekeeper.domain.solver.pieces import CARDS, COPIES, EVERY_COPY, FIRST, Piece, cards_of
from scorekeeper.domain.solver.prepared import Prepared


def set_out(
    hand: Hand,
    cost: int,
    chosen: Sequence[Piece],
    prepared: Prepared,
    layoffs: LayOffs | None,
    budget: Budget,
) -> Iterator[Arrangement]:
    """Yield the arrangements of the chosen pieces of a hand, which leave cards of this cost.

    There is one for every way to distribute the wild cards, and to read the melds; a wild card
    is rather in an own meld than laid off, and rather in an earlier meld.
    """
    melds, laid = chosen, chosen[:0]
    if layoffs:
        melds = [piece for piece in chosen if not piece.onto]
        laid = layoffs.in_use([piece for piece in chosen if piece.onto])
    wanted, onto = [piece.wilds for piece in melds], [piece.wilds for piece in laid]
    left, wilds, placed = hand.naturals, hand.wilds, 0
    for piece in chosen:
        left = without(left, piece.cards)
    if wilds:
        if prepared.twos:
            wilds = wild_cards(wilds, [piece.cards & prepared.twos for piece in chosen], prepared)
            left &= ~((prepared.twos & FIRST) * EVERY_COPY[-1])
        placed = (reduce(sums, wanted + onto, 1) & (2 << len(wilds)) - 1).bit_length() - 1
    rest = (*cards_of(left), *wilds[placed:], *hand.idle)
    for melding in range(placed, -1, -1) if laid else (placed,):
        moved: tuple[tuple[Card, int], ...] = ()
        if layoffs:
            others = next(shares(onto, placed - melding), None)
            if others is None:
                continue
            moved = _moved(laid, others, wilds[melding:placed], layoffs)
        for counts in shares(wanted, melding):
            for read in product(*_read(melds, counts, wilds, prepared)):
                budget.spend()
                yield Arrangement(cost // CARD_COUNTS, read, moved, rest)


def wild_cards(
    wilds: Sequence[Card], themselves: Sequence[int], prepared: Prepared
) -> tuple[Card, ...]:
    """Return the wild cards without the twos used as natural cards, the dearest first."""
    left = list(wilds)
    for cards in filter(None, themselves):
        for number in numbers(cards):
            left.remove(CARDS[number % COPIES])
    return tuple(sorted(left, key=prepared.cost, reverse=True))


def _moved(
    laid: Sequence[Piece], counts: Sequence[int], wilds: Sequence[Card], layoffs: LayOffs
) -> tuple[tuple[Card, int], ...]:
    """Return the lay-offs in a possible order, with the wild cards they use."""
    spare = iter(wilds)
    return tuple(
        (move.laid(next(spare)) if move.wild else move.card, piece.meld)
        for piece, count in zip(laid, counts, strict=True)
        for move in layoffs.moves[piece.meld, piece.cards, count]
    )


def _read(
    melds: Sequence[Piece], counts: Sequence[int], wilds: Sequence[Card], prepared: Prepared
) -> list[Sequence[Meld]]:
    """Return, for each piece, the melds that it forms with its share of the wild cards."""
    if not wilds:
        return [prepared.melds(piece, ()) for piece in melds]
    ends = accumulate(counts)
    return [
        prepared.melds(piece, tuple(wilds[end - count : end]))
        for piece, count, end in zip(melds, counts, ends, strict=True)
    ]
