"""The lower bound of the search: no way to cut the cards costs less."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.solver.bits import Totals
from scorekeeper.domain.solver.exposure import Exposure

PRICES = (1, 2, 3, 5, 8, 13)
Pieces = list[tuple[int, int]]


def bound(pieces: Pieces) -> Exposure:
    """Return the bound for pieces, given as their cards and the wild cards that they need."""
    priced = ((cards, wilds, price(cards)) for cards, wilds in pieces)
    return Exposure(priced, Totals(PRICES), 1, Budget())


def price(cards: int) -> int:
    return sum(price for at, price in enumerate(PRICES) if cards >> at & 1)


def least(pieces: Pieces, left: int, wilds: int) -> int:
    """Return the minimum cost, by trying every choice of pieces."""
    return min(
        price(left & ~taken)
        for count in range(len(PRICES) + 1)
        for chosen in combinations(pieces, count)
        if sum(needed for _, needed in chosen) <= wilds
        and (taken := sum(cards for cards, _ in chosen)) & ~left == 0
        and sum(cards.bit_count() for cards, _ in chosen) == taken.bit_count()
    )


@given(
    st.lists(st.tuples(st.integers(1, 63), st.integers(0, 3)), max_size=8),
    st.integers(0, 63),
    st.integers(0, 4),
)
def test_the_bound_never_exceeds_the_minimum_cost(pieces: Pieces, left: int, wilds: int) -> None:
    exposure = bound(pieces)

    assert not exposure.costs(least(pieces, left, wilds) + 1, left, wilds)


def test_cards_in_no_piece_count_whatever_the_wild_cards() -> None:
    exposure = bound([(0b011, 1)])

    assert exposure.costs(3, 0b111, 9)
    assert not exposure.costs(4, 0b111, 9)


def test_a_wild_card_saves_the_pieces_that_still_fit() -> None:
    exposure = bound([(0b110000, 1), (0b000110, 1)])

    assert exposure.costs(5, 0b110110, 1)
    assert not exposure.costs(6, 0b110110, 1)
    assert exposure.costs(8, 0b010110 | 1, 0)


def test_cards_are_exposed_when_their_pieces_no_longer_fit() -> None:
    exposure = bound([(0b0111, 0)])

    assert not exposure.costs(1, 0b0111, 0)
    assert exposure.costs(5, 0b0110, 0)
