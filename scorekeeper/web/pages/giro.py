"""QR codes for bank transfers in euro (EPC069-12, *GiroCode*)."""

from decimal import Decimal
from fractions import Fraction

from markupsafe import Markup

from scorekeeper.domain.rules.coins import parts_of_a_euro
from scorekeeper.web.pages.qr_code import qr_code

MOST = Fraction(999_999_999)
MAX_PURPOSE, MAX_BYTES = 140, 331
UTF_8, VERSION = "1", "002"


def euros(amount: Fraction, unit: str) -> Decimal | None:
    """Return an amount in euro, exact to the cent; None if it cannot be transferred."""
    parts = parts_of_a_euro(unit)
    if parts is None:
        return None
    cents = amount * 100 / parts
    if cents.denominator != 1 or not 0 < cents / 100 <= MOST:
        return None
    return Decimal(int(cents)).scaleb(-2)


def giro_text(holder: str, iban: str, amount: Decimal, purpose: str) -> str:
    """Return the text of the code, in the order of EPC069-12, 5.1."""
    lines = ("BCD", VERSION, UTF_8, "SCT", "", holder, iban, f"EUR{amount:.2f}", "", "", "")
    text = "\n".join(lines)
    room = MAX_BYTES - len(text.encode())
    return text + purpose[:MAX_PURPOSE].encode()[:room].decode(errors="ignore")


def giro_code(holder: str, iban: str, amount: Decimal, purpose: str) -> Markup:
    """Return the QR code, with error correction M as the standard requires."""
    text = giro_text(holder, iban, amount, purpose)
    return qr_code(text, encoding="utf-8", eci=False, error="m", boost_error=False, micro=False)
