"""Amounts as people type them: ``0,05 €``, ``5 ct``, ``1/10``."""

import re

TYPED = re.compile(r"(?P<sign>€)?\s*(?P<number>\d[\d.,/]*)\s*(?P<unit>[^\d.,/\s][^\d]{0,11})?")
UNITS = {
    **dict.fromkeys(("€", "eur", "euro", "euros", "euroen"), "EUR"),
    **dict.fromkeys(("ct", "cts", "c", "cent", "cents", "centime", "centimes"), "ct"),
    **dict.fromkeys(("pf", "pfennig"), "Pf"),
}
"""Units by what people write; any other word stays as it is."""


def split_amount(text: str, unit: str = "") -> tuple[str, str]:
    """Return the number and the unit of an amount; a unit beside the number goes first.

    What cannot be read stays as it was typed.
    """
    found = TYPED.fullmatch(text.strip())
    if found is None or (found["sign"] and found["unit"]):
        return text.strip(), unit.strip()
    typed = (found["sign"] or found["unit"] or unit).strip()
    return found["number"], UNITS.get(typed.lower().rstrip("."), typed)
