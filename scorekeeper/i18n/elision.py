"""Letters that depend on the next word: ``vu(n) {player}``, ``d(e) {player}``."""

import unicodedata
from itertools import takewhile

_APOSTROPHE = "\u2019"
_VOWELS = frozenset("aeiouœæø")
_KEEPS_N = frozenset("dhntz" + "012389")
"""The consonants that keep a final n, as vowels do, and the digits whose names begin with them."""


def joined(joint: str | None, following: str) -> str:
    """Return what a joint stands for before a word: ``vun Anna``, ``de Bernd``, ``d’Anna``."""
    match joint:
        case "(n) ":
            return f"{eifel_n(following)} "
        case "(e) ":
            return _APOSTROPHE if _begins_with_vowel(following) else "e "
    return ""


def _begins_with_vowel(word: str) -> bool:
    """Return whether French *de* is elided before a word; before h and y it need not be."""
    return unicodedata.normalize("NFD", word[:1].casefold())[:1] in _VOWELS


def eifel_n(following: str) -> str:
    """Return the final n that Luxembourgish keeps: *vun Anna*, but *vu Bernd*."""
    digits = "".join(takewhile(str.isdecimal, following))
    first = _spoken_first(digits) if digits else following[:1].casefold()
    begins_with_y = first == "y" and not _begins_with_vowel(following[1:])  # as Yves, not Yannick
    return "n" if first in _KEEPS_N or begins_with_y or _begins_with_vowel(following) else ""


def _spoken_first(digits: str) -> str:
    """Return the digit that begins the name of a number: of 24, *véieranzwanzeg*, the 4."""
    leading = digits[: len(digits) % 3 or 3]
    return leading[1] if len(leading) == 2 and leading[1] != "0" else leading[0]
