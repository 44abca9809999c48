"""Account numbers (IBAN, ISO 13616): reading, checking and masking them."""

import re

from scorekeeper.domain.errors import RuleError

LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI NL",
        19: "MK SI",
        20: "AT EE LT LU",
        21: "CH HR LI LV",
        22: "BG DE GB IE ME RS VA",
        23: "GI",
        24: "AD CZ ES MD RO SE SK",
        25: "PT",
        26: "IS",
        27: "FR GR IT MC SM",
        28: "AL CY HU PL",
        31: "MT",
    }.items()
    for country in countries.split()
}
"""The length of account numbers in each country of SEPA."""


def read_iban(text: str) -> str:
    """Return an account number without blanks; raise RuleError E_FORM for an invalid one."""
    iban = re.sub(r"\s", "", text).upper()
    country = iban[:2]
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]*", iban):
        raise _refused("iban_letters")
    if country not in LENGTHS:
        raise _refused("iban_country", country=country)
    if len(iban) != LENGTHS[country]:
        raise _refused("iban_length", country=country, needed=LENGTHS[country], reached=len(iban))
    if remainder(iban) != 1:
        raise _refused("iban_check", digits=iban[2:4])
    return iban


def remainder(iban: str) -> int:
    """Return the account number as an integer modulo 97, with its first four characters last.

    Letters count from A = 10; the check digits are chosen so that the remainder is 1.
    """
    return int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97


def masked(iban: str) -> str:
    """Return the recognisable part of an account number: ``LU28 … 0000``."""
    return f"{iban[:4]} … {iban[-4:]}"


def _refused(why: str, **facts: object) -> RuleError:
    return RuleError("E_FORM", ("iban",), why=why, **facts)
