"""How tables are written as CSV for spreadsheets: headings, amounts, no formulas.

Amounts are decimals; where a decimal would be rounded, the exact fraction stands beside it.
A language with decimal commas separates columns with semicolons, as its spreadsheets expect:
they would read ``7.9`` as a date.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from scorekeeper.i18n.formulas import escape_formulas

Wording = Callable[[str], str]
"""Words a heading (``round``, ``Anna minus``) or a value (``struck``) for the reader."""
CsvCell = str | int | Fraction | Decimal | None
"""A fraction is written as such if the decimal sign is a point, else as a decimal."""
CsvRow = Sequence[CsvCell]
BOM = "\ufeff"
"""The byte order mark, by which Excel recognises UTF-8."""
DECIMALS = 6
MONEY_COLUMNS = ("amount", "exact", "unit")


def decimal(amount: Fraction) -> Decimal:
    """Return an amount for spreadsheets, rounded to six decimals: ``-2.333333``."""
    millionths = round(amount * 10**DECIMALS)
    whole, part = divmod(abs(millionths), 10**DECIMALS)
    sign = "-" if millionths < 0 else ""
    return Decimal(f"{sign}{whole}.{part:0{DECIMALS}}".rstrip("0").rstrip("."))


def money_cells(amount: Fraction, unit: str) -> CsvRow:
    """Return amount, exact fraction where the decimal is rounded, and unit."""
    # The apostrophe keeps spreadsheets from reading 5/3 as a date.
    exact = "" if Fraction(decimal(amount)) == amount else f"'{amount}"
    return decimal(amount), exact, escape_formulas(unit)


class _Echo:
    """A file-like object that returns what is written to it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[CsvRow], word: Wording, decimal_sign: str = ".") -> Iterator[str]:
    """Yield the lines of a table; ``word`` words the first one."""
    yield BOM
    write = csv.writer(_Echo(), delimiter="," if decimal_sign == "." else ";").writerow
    for number, row in enumerate(rows):
        cells = [_cell(cell, decimal_sign) for cell in row]
        yield str(write(cells if number else [word(str(heading)) for heading in row]))


def _cell(cell: CsvCell, decimal_sign: str) -> CsvCell:
    if decimal_sign == "." or not isinstance(cell, Fraction | Decimal):
        return cell
    return str(decimal(Fraction(cell))).replace(".", decimal_sign)
