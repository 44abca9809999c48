"""Books: stored numbers are read back exactly, and nothing else is accepted."""

from fractions import Fraction

import pytest

from scorekeeper.domain.history.book import exact


@pytest.mark.parametrize("number", ["7", "-7/3", "0", f"{10**199}/{10**199 - 1}"])
def test_an_exact_number_is_read_as_it_was_stored(number: str) -> None:
    assert exact(number) == Fraction(number)


@pytest.mark.parametrize("text", ["", "1/0", "1/03", "1.5", "1e999", "٣", "1/-2", "9" * 201])
def test_invalid_exact_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no exact number"):
        exact(text)
