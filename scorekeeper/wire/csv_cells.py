"""The cells of a typed score sheet: the text of a file, its separator, days, points."""

import csv
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

from scorekeeper.domain.errors import RuleError

SEPARATORS = ";\t,"
SAMPLE = 50
"""Lines that are looked at to find the separator."""
ABSENT = frozenset(["-", "--", "–", "—", "−", "x", "×", "/"])
"""The signs of a player who was away, besides an empty cell; in small letters."""
EARLIEST = date(1900, 1, 1)

DateOrder = Literal["day_first", "month_first"]
DATE_ORDERS: tuple[DateOrder, ...] = ("day_first", "month_first")

_NAMED_SEPARATOR = re.compile(r'"?sep=([;,\t])"?', re.IGNORECASE)
_TIME = r"(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?Z?)?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_TIME}", re.ASCII)
_YEAR_LAST = re.compile(
    rf"(\d{{1,2}})([-/.]) ?(\d{{1,2}})\2 ?(\d{{4}}|(?<!-)\d{{2}}){_TIME}", re.ASCII
)
_POINTS = re.compile(r"(\d{1,4})(?:[.,]0{1,2})?", re.ASCII)


def decode_file(content: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 or, as older spreadsheets save it, Windows-1252."""
    for encoding in _encodings(content):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise RuleError("E_SHEET", why="text")


def _encodings(content: bytes) -> Sequence[str]:
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return ("utf-16",)
    # Every second byte of Western text in UTF-16 is zero; other encodings contain no zeros.
    for first, encoding in enumerate(("utf-16-be", "utf-16-le")):
        if content[first::2].count(0) > len(content) / 4:
            return (encoding,)
    return ("utf-8-sig", "cp1252")


def cells_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield every row that is not empty, with its line number; csv.Error for unbalanced quotes.

    Empty cells at the end of a row are left out. A first line ``sep=;`` names the separator.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    named = _NAMED_SEPARATOR.fullmatch(lines[0].rstrip()) if lines else None
    skipped = 1 if named else 0
    separator = named[1] if named else _separator(lines)
    reader = csv.reader(lines[skipped:], delimiter=separator, strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield skipped + reader.line_num, cells
    except csv.Error as error:
        raise UnbalancedQuotes(max(skipped + reader.line_num, 1)) from error


class UnbalancedQuotes(ValueError):
    """The quotation marks of a row do not match; ``line`` is its number."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _separator(lines: Sequence[str]) -> str:
    """Return the separator that most lines contain at least twice.

    A title above the columns may contain commas, and so may points (``35,0``).
    """
    sample = [line for line in lines if line.strip()][:SAMPLE]
    counts = Counter(sep for line in sample for sep in SEPARATORS if line.count(sep) >= 2)
    return max(SEPARATORS, key=lambda sep: counts[sep])


def points_of(cell: str) -> int | None:
    """Return the points in a cell, such as ``35``, ``35,0`` or ``35.0``; None for anything else."""
    found = _POINTS.fullmatch(cell)
    return int(found[1]) if found else None


def is_absent(cell: str) -> bool:
    """Return whether a cell says that the player was away."""
    return not cell or cell.casefold() in ABSENT


# ---- days ----------------------------------------------------------------------------


def days_of(cell: str, this_year: int) -> dict[DateOrder, date]:
    """Return the days that a cell may mean: ``3/5/2026`` is two, anything but a date none.

    Years of two digits are the latest that are not in the future.
    """
    days: dict[DateOrder, date | None]
    if found := _YEAR_FIRST.fullmatch(cell):
        year, _, month, day = found.groups()
        days = {order: _day(year, month, day, this_year) for order in DATE_ORDERS}
    elif found := _YEAR_LAST.fullmatch(cell):
        one, sign, other, year = found.groups()
        day_first = _day(year, other, one, this_year)
        month_first = day_first if sign == "." else _day(year, one, other, this_year)
        days = {"day_first": day_first, "month_first": month_first}
    else:
        return {}
    return {order: day for order, day in days.items() if day and day >= EARLIEST}


def _day(year: str, month: str, day: str, this_year: int) -> date | None:
    number = int(year)
    if len(year) == 2:
        number += this_year // 100 * 100
        number -= 100 if number > this_year else 0
    try:
        return date(number, int(month), int(day))
    except ValueError:  # such as 30 February
        return None


def date_order(cells: Sequence[str], this_year: int) -> DateOrder | None:
    """Return the order of day and month that the unambiguous days of a sheet have in common."""
    found = {
        order
        for cell in cells
        for days in [days_of(cell, this_year)]
        if len(days) == 1
        for order in days
    }
    return found.pop() if len(found) == 1 else None
