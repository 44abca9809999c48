"""Amounts to pay as people say them."""

from fractions import Fraction

import pytest

from scorekeeper.i18n import language
from scorekeeper.wording.amounts import amount_format, sums_format

GERMAN = language("de")


@pytest.mark.parametrize(
    ("amount", "unit", "payable", "words"),
    [
        ("568", "ct", "1", "5,68 €"),
        ("5", " Cent ", "1", "0,05 €"),
        ("0", "ct", "10", "0,00 €"),
        ("13/2", "ct", "1/2", "6,5 ct"),
        ("65", "Pf", "1", "65 Pf"),
        ("5", "EUR", "1/100", "5,00 €"),
        ("5", "€", "1", "5 €"),
    ],
)
def test_whole_cents_are_written_in_euro(amount: str, unit: str, payable: str, words: str) -> None:
    written = amount_format(unit, Fraction(payable)).words(Fraction(amount), GERMAN)

    assert written.replace("\u00a0", " ") == words


def test_exact_amounts_have_the_decimals_that_they_need() -> None:
    cents = amount_format("ct", Fraction(1))

    assert cents.numbers([Fraction(65, 2), Fraction(-65, 2)], GERMAN) == ["+0,325", "−0,325"]
    assert cents.number(Fraction(-23), GERMAN) == "−0,23"


@pytest.mark.parametrize(
    ("unit", "sums", "words"),
    [
        ("Pf", ["5", "-3"], ["5 Pf", "−3 Pf"]),
        ("Pf", ["1/2", "3"], ["0,5 Pf", "3,0 Pf"]),
        ("Pf", ["1/4", "1/2"], ["0,25 Pf", "0,50 Pf"]),
        ("Pf", ["1/100"], ["0,01 Pf"]),
        ("ct", ["568", "-68"], ["5,68 €", "−0,68 €"]),
        ("ct", ["1/2"], ["0,5 ct"]),
    ],
)
def test_sums_are_written_with_the_decimals_that_they_need(
    unit: str, sums: list[str], words: list[str]
) -> None:
    amounts = [Fraction(one) for one in sums]
    written = sums_format(unit, amounts)

    assert [written.words(one, GERMAN).replace("\u00a0", " ") for one in amounts] == words
