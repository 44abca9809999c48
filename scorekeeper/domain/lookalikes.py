"""Names that look alike although they are written with different characters.

``Anna`` and ``Аnna``, whose first letter is Cyrillic, cannot be told apart on a score sheet. Two
names look alike if they have the same skeleton, as in Unicode Technical Standard 39.
"""

import unicodedata
from collections.abc import Collection, Sequence

from scorekeeper.domain.errors import RuleError

_LATIN = {
    # Cyrillic
    **dict(zip("АВЕЅІЈКМНОРСТУХԚԜҮѴ", "ABESIJKMHOPCTYXQWYV", strict=True)),
    **dict(zip("асԁеһіјкӏорԛѕуүхѵԝ", "acdehijklopqsyyxvw", strict=True)),
    # Greek
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
    **dict(zip("αικνορυχϲϳ", "aikvopuxcj", strict=True)),
    # Armenian
    **dict(zip("ՕՍՏօոսհցք", "OUSonuhgp", strict=True)),
    # Latin letters and digits that many fonts draw alike, and marks
    **dict(zip("ıɑɡӀI1|ǀ0", "iaglllllO", strict=True)),
    **dict.fromkeys("’‘ʼʹ′`´", "'"),
    **dict.fromkeys("‐‑‒–—−", "-"),
}
_LOOKS = {ord(char): "l" if looks == "I" else looks for char, looks in _LATIN.items()}
"""What a character looks like. A capital I and a small l are one vertical stroke."""


def skeleton(name: str) -> str:
    """Return what a name looks like: names that look alike have the same skeleton.

    Compatibility forms, such as full-width letters, count as the usual ones; accents stay.
    """
    parts = unicodedata.normalize("NFKD", name).translate(_LOOKS)
    return unicodedata.normalize("NFC", parts)


def spelling(name: str) -> str:
    """Return what a name looks like to people who ignore its capitals and spaces."""
    seen = (char for char in name.casefold() if unicodedata.category(char) != "Cf")
    return " ".join(skeleton("".join(seen)).split())


def check_lookalikes(names: Sequence[str], whose: str, known: Collection[str] = ()) -> None:
    """Raise RuleError E_FORM for a name that looks like an earlier one.

    Names that were ``known`` before may stay: earlier versions allowed them.
    """
    earlier: dict[str, str] = {}
    for number, name in enumerate(names):
        other = earlier.setdefault(skeleton(name), name)
        if other != name and not (name in known and other in known):
            facts = {"value": name, "other": other}
            raise RuleError("E_FORM", (whose, number, "name"), why="lookalike", **facts)
