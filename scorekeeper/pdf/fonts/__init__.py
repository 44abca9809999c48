"""The faces that the paper is set in, and the characters they can draw.

Nothing of reportlab here: names are checked when they are entered.
"""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
FACES = {
    "Sans": "DejaVuSansCondensed.ttf",
    "Sans-Bold": "DejaVuSansCondensed-Bold.ttf",
    "Serif": "DejaVuSerifCondensed.ttf",
    "Serif-Bold": "DejaVuSerifCondensed-Bold.ttf",
}
"""Pressed or explained is sans, written is serif."""
STRANGE = "\ufffd"
"""Stands for a character that no face has, where one got past the door."""


@cache
def characters() -> frozenset[str]:
    """The characters that every face draws, one look for each."""
    found: set[str] = set()
    for line in (FOLDER / "characters.txt").read_text(encoding="ascii").split():
        first, _, last = line.partition("-")
        found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(found)


def undrawable(text: str) -> str:
    """The characters of a text that cannot be printed, each once; empty if all can."""
    return "".join(dict.fromkeys(c for c in text if c not in characters()))


def drawable(text: str) -> str:
    """What somebody wrote, as one line that can be printed.

    The one way from people to paper: what comes out is drawn character by character and
    never read as mark-up, so there is nothing to escape.
    """
    known = characters()
    return "".join(c if c in known else STRANGE for c in " ".join(text.split()))
