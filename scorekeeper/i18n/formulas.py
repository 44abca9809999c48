"""Texts in tables that a spreadsheet would evaluate, and how they are read back."""

import re

_BEGINS = r"(?<![^;,|])([\"\s]*)"
"""The beginning of a cell. German versions of Excel also split cells at semicolons."""
_FORMULA = re.compile(rf"{_BEGINS}(?='*[=+@＝＋－＠-])")
_ESCAPED = re.compile(rf"{_BEGINS}'(?='*[=+@＝＋－＠-])")


def escape_formulas(text: str) -> str:
    """Return a text that spreadsheets show instead of evaluating (OWASP: CSV injection)."""
    return _FORMULA.sub(r"\1'", text)


def unescape_formulas(text: str) -> str:
    """Return the text that ``escape_formulas`` was given."""
    return _ESCAPED.sub(r"\1", text)
