"""The characters that can be printed: those that every font of the score sheets has.

Names are checked when they are entered, so that nobody's name is a row of empty boxes on paper.
"""

from functools import cache
from pathlib import Path

REPLACEMENT = "\ufffd"
"""Stands for a character without a glyph in a record that is older than the check."""


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
    """Return text that somebody wrote as one line that can be printed.

    Everything that people typed passes through here on its way to paper. It is drawn
    character by character and never read as mark-up, so there is nothing to escape.
    """
    known = characters()
    return "".join(c if c in known else REPLACEMENT for c in " ".join(text.split()))
