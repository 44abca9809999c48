"""Numbers and amounts as people type them: ``12``, ``0,05 €``, ``5 ct``, ``1/10``."""

import re

from scorekeeper.domain.rules.coins import parts_of_a_euro
from scorekeeper.domain.rules.kinds import Exact

TYPED = re.compile(r"(?P<sign>[€$£])?\s*(?P<number>\d[\d.,/]*)\s*(?P<unit>[^\d.,/\s][^\d]{0,11})?")
UNITS = {
    **dict.fromkeys(("€", "eur", "euro", "euros", "euroen"), "EUR"),
    **dict.fromkeys(("chf", "fr", "sfr"), "CHF"),
    **dict.fromkeys(("$", "us$"), "USD"),
    "£": "GBP",
    **dict.fromkeys(("ct", "cts", "c", "cent", "cents", "centime", "centimes"), "ct"),
    **dict.fromkeys(("pf", "pfennig"), "Pf"),
}
"""Units by what people write; any other word stays as it is."""
MINUS = ("-", "–", "−")
"""What people type, or paste, as a minus sign."""


def split_amount(text: str, unit: str = "") -> tuple[str, str]:
    """Return the number and the unit of an amount; a unit beside the number goes first.

    What cannot be read stays as it was typed.
    """
    found = TYPED.fullmatch(text.strip())
    if found is None or (found["sign"] and found["unit"]):
        return text.strip(), unit.strip()
    typed = (found["sign"] or found["unit"] or unit).strip()
    return found["number"], UNITS.get(typed.lower().rstrip("."), typed)


def in_unit(text: str, unit: str) -> str:
    """Return the number of an amount typed in a field that is counted in ``unit``.

    ``5 ct`` is 1/20 where euros are counted. What cannot be read, or is in a unit with no value
    in this one, stays as it was typed.
    """
    number, typed = split_amount(text)
    number = number.replace(",", ".")
    if not unit or typed.lower() in ("", unit.lower()):
        return number
    theirs, ours = parts_of_a_euro(typed), parts_of_a_euro(unit)
    if theirs is None or ours is None:
        return text
    try:
        amount = Exact().read(number)
    except ValueError:
        return text
    return text if amount is None else str(amount * ours / theirs)


def whole(text: str) -> int | str:
    """Return a whole number, or the text itself, which the schema then refuses."""
    number = whole_or_none(text)
    return text if number is None else number


def signed(text: str) -> int | str:
    """Return a whole number with any kind of minus sign, or the text itself."""
    digits = text.strip()
    is_minus = digits[:1] in MINUS
    number = whole_or_none(digits[is_minus:])
    return text if number is None else -number if is_minus else number


def whole_or_none(text: str) -> int | None:
    """Return a whole number; None for any other text."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
