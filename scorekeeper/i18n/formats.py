"""Numbers, money, times and lists as a language writes them; no sentences."""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Concatenate, Literal, ParamSpec

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list

from scorekeeper.domain.rules.coins import parts_of_a_euro
from scorekeeper.i18n.elision import eifel_n
from scorekeeper.i18n.languages import TRAITS

MINUS = "\u2212"
NBSP = "\u00a0"
NO_TIME = "–"
P = ParamSpec("P")
MAX_DECIMALS = 6
MAX_PARTS = 10
"""Stakes with a larger denominator are written as decimals."""


def dash_if_invalid(
    format_time_fact: Callable[Concatenate["Formats", str, P], str],
) -> Callable[Concatenate["Formats", str, P], str]:
    """Make a formatter of times return a dash for invalid ones.

    Imports are validated (``import_checks``), but a database may come from an older version that
    did not validate them, and its games must still be shown.
    """

    @wraps(format_time_fact)
    def decorated(self: "Formats", time: str, /, *how: P.args, **more: P.kwargs) -> str:
        try:
            return format_time_fact(self, time, *how, **more)
        except (ValueError, OverflowError, OSError):  # not a time, or out of range in its zone
            return NO_TIME

    return decorated


class Formats:
    """The formats of one language; times are in a time zone, or in that of this machine."""

    def __init__(self, code: str, zone: tzinfo | None) -> None:
        self.code = code
        self.zone = zone
        self._traits = TRAITS[code]
        self._locale = Locale.parse(self._traits.locale)
        self.decimal_sign = self._traits.decimal_sign

    def number(self, number: int, signed: bool = False) -> str:
        """Return a whole number with a true minus sign, and a plus sign if ``signed``."""
        if 0 <= number < 1000 and not signed:  # as nearly all numbers of a table are
            return str(number)
        return _sign(number, signed) + self._grouped(abs(number))

    def _grouped(self, whole: int) -> str:
        return str(whole) if whole < 1000 else f"{whole:,}".replace(",", self._traits.thousands)

    def ordinal(self, place: int) -> str:
        """Return a place among fewer than twenty: ``2.``, ``2nd``, ``2ᵉ``."""
        suffixes = self._traits.ordinals
        return f"{place}{suffixes[min(place, len(suffixes)) - 1]}"

    def exact(self, number: Fraction, signed: bool = False, decimals: int = 0) -> str:
        """Return ``1,8``, or ``1/3`` where the decimals do not end soon; never rounded.

        ``decimals`` is the least number of decimals, so that a column can be aligned.
        """
        return _sign(number, signed) + self._unsigned(abs(number), decimals)

    def _unsigned(self, number: Fraction, least: int) -> str:
        needed = _decimals(number.denominator)
        if needed is None:
            return str(number)
        decimals = max(needed, least)
        whole, rest = divmod(int(number * 10**decimals), 10**decimals)
        written = self._grouped(whole)
        return f"{written}{self.decimal_sign}{rest:0{decimals}}" if decimals else written

    def tenths(self, number: Fraction, signed: bool = False) -> str:
        """Return a number rounded to one decimal: ``−29,0``."""
        rounded = round(10 * number)
        whole, tenth = divmod(abs(rounded), 10)
        return f"{_sign(rounded, signed)}{self._grouped(whole)}{self.decimal_sign}{tenth}"

    def money(self, amount: Fraction, unit: str) -> str:
        """Return an exact amount with its unit, joined by a no-break space."""
        return self.exact(amount) + NBSP + unit_sign(unit)

    def rate(self, value: Fraction, unit: str) -> str:
        """Return a point value as players say it, ``1/10 ct``, or in decimals."""
        as_fraction = value < 1 and value.denominator <= MAX_PARTS
        return f"{value}{NBSP}{unit_sign(unit)}" if as_fraction else self.money(value, unit)

    def cents(self, amount: Decimal) -> str:
        """Return an amount in euros with two decimals: ``0,65 €``."""
        euro, _, cent = f"{amount:.2f}".partition(".")
        return f"{self._grouped(int(euro))}{self.decimal_sign}{cent}{NBSP}€"

    @dash_if_invalid
    def date(self, at: str, size: str = "long") -> str:
        """Return the date of an event: ``12. Juni 2026``; ``full`` adds the weekday."""
        return _date_words(self._local_time(at).date(), size, self.code)

    @dash_if_invalid
    def numeric_date(self, at: str) -> str:
        """Return the date of an event in figures, as in file names: ``12.06.2026``."""
        return format_date(self._local_time(at), "dd.MM.yyyy", locale=self._locale)

    @dash_if_invalid
    def day(self, day: str) -> str:
        """Return a calendar day, independent of the time zone: ``12. Juni 2026``."""
        return _date_words(date.fromisoformat(day), "long", self.code)

    @dash_if_invalid
    def short_date(self, at: str) -> str:
        """Return the date of an event without its year, for charts: ``12.6.``."""
        found = self._local_time(at)
        return f"{found.day}.{found.month}."

    @dash_if_invalid
    def month(self, at: str) -> str:
        """Return the month of an event, abbreviated for charts: ``6/26``."""
        found = self._local_time(at)
        return f"{found.month}/{found.year % 100:02}"

    @dash_if_invalid
    def time(self, at: str) -> str:
        """Return the time of an event: ``22:14``."""
        return f"{self._local_time(at):%H:%M}"

    def _local_time(self, at: str) -> datetime:
        moment = datetime.fromisoformat(at)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(self.zone)

    def all_of(self, words: Iterable[str]) -> str:
        """Return ``a, b und c``."""
        return self._format_list(words, "standard")

    def all_before(self, names: Iterable[str]) -> list[str]:
        """Return ``{others} und c`` for every name: a browser fills in the names before it.

        The word before a name may depend on it: *a Bernd*, but *an Anna*.
        """
        return [self.all_of(("{others}", name)) for name in names]

    def one_of(self, words: Iterable[str]) -> str:
        """Return ``a, b oder c``."""
        listed = list(words)
        if len(listed) > 1 and self._traits.either:
            return f"{', '.join(listed[:-1])} {self._traits.either} {listed[-1]}"
        return self._format_list(listed, "or")

    def _format_list(self, words: Iterable[str], style: Literal["standard", "or"]) -> str:
        listed = list(words)
        text = format_list(listed, style, locale=self._locale)
        last = listed[-1] if listed else ""
        head = text.removesuffix(last)
        if head.endswith("(n) "):
            return f"{head.removesuffix('(n) ')}{eifel_n(last)} {last}"
        return text

    def clauses(self, parts: Iterable[str]) -> str:
        """Return ``a; b; c``, in French with a space before each semicolon."""
        return f"{self.sign(';')} ".join(parts)

    def sign(self, sign: str) -> str:
        """Return a colon or semicolon, in French with a space before it."""
        return self._traits.sign_space + sign


@lru_cache(maxsize=1024)
def _date_words(day: date, size: str, code: str) -> str:
    """Return a date with the first of the month as the language writes it: ``1er juin``."""
    traits = TRAITS[code]
    text = format_date(day, size, locale=traits.locale)
    return re.sub(r"\b1\b", traits.first_of_month, text, count=1)


def unit_sign(unit: str) -> str:
    """Return a unit of money as people write it beside an amount: € for EUR."""
    return "€" if parts_of_a_euro(unit) == 1 else unit


def most_decimals(numbers: Iterable[Fraction]) -> int:
    """Return the decimals that a column of exact numbers needs."""
    return max((_decimals(number.denominator) or 0 for number in numbers), default=0)


@lru_cache(maxsize=256)
def _decimals(denominator: int) -> int | None:
    """Return the decimals that a fraction needs; None if they do not end soon."""
    ends = (many for many in range(MAX_DECIMALS + 1) if 10**many % denominator == 0)
    return next(ends, None)


def _sign(number: int | Fraction, signed: bool) -> str:
    return MINUS if number < 0 else "+" if signed and number > 0 else ""
