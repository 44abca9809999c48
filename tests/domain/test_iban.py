"""Account numbers: the check digits find typing errors."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.money.iban import masked, read_iban

GOOD = {
    "LU28 0019 4006 4475 0000": "LU280019400644750000",
    "de89 3704 0044 0532 0130 00": "DE89370400440532013000",
    "AT611904300234573201": "AT611904300234573201",
    "FR14 2004 1010 0505 0001 3M02 606": "FR1420041010050500013M02606",
}


@pytest.mark.parametrize("typed, iban", GOOD.items())
def test_blanks_and_small_letters_are_accepted(typed, iban):
    assert read_iban(typed) == iban


@pytest.mark.parametrize(
    "typed, why",
    [
        ("", "iban_letters"),
        ("2800 1940", "iban_letters"),
        ("LU28-0019", "iban_letters"),
        ("LU28 ٠019 4006 4475 0000", "iban_letters"),
        ("US64 0000 0000", "iban_country"),
        ("LU28 0019 4006 4475", "iban_length"),
        ("LU29 0019 4006 4475 0000", "iban_check"),
    ],
)
def test_an_invalid_account_number_is_refused_with_the_reason(typed, why):
    with pytest.raises(RuleError) as refused:
        read_iban(typed)

    assert refused.value.problems[0].facts["why"] == why


@given(st.integers(4, 19), st.integers(1, 9))
def test_one_wrong_digit_is_always_found(place, more):
    iban = list("LU280019400644750000")
    iban[place] = str((int(iban[place]) + more) % 10)
    with pytest.raises(RuleError):
        read_iban("".join(iban))


@given(st.integers(4, 18))
def test_two_swapped_digits_are_always_found(place):
    iban = list("LU280019400644750000")
    iban[place], iban[place + 1] = iban[place + 1], iban[place]
    assume("".join(iban) != "LU280019400644750000")

    with pytest.raises(RuleError):
        read_iban("".join(iban))


def test_a_masked_number_keeps_its_ends_only():
    assert masked("LU280019400644750000") == "LU28 … 0000"
