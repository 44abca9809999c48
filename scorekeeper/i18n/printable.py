"""The characters that can be printed: those for which all fonts of the PDFs have a glyph.

Names are checked when they are entered, so that no name is printed as a row of empty boxes.
"""

from functools import cache
from pathlib import Path

REPLACEMENT = "\ufffd"
"""Replaces characters without a glyph in names that are older than the check."""


@cache
def characters() -> frozenset[str]:
    """Return the characters that every font has a glyph for."""
    found: set[str] = set()
    for line in Path(__file__).with_name("printable.txt").read_text(encoding="ascii").split():
        first, _, last = line.partition("-")
        found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(found)


def unprintable(text: str) -> str:
    """Return the characters of a text that cannot be printed, each once; empty if all can."""
    return "".join(dict.fromkeys(c for c in text if c not in characters()))


def printable(text: str) -> str:
    """Return user input as one line that can be printed.

    All user input passes through here before it is drawn. Nothing needs escaping, since it is
    drawn as plain text and never parsed as mark-up.
    """
    known = characters()
    return "".join(c if c in known else REPLACEMENT for c in " ".join(text.split()))
