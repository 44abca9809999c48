"""Recognising the kind of a file, so that the wrong import can say where it belongs."""

import re
from typing import Literal

from scorekeeper.domain.errors import RuleError
from scorekeeper.wire.csv_cells import SAMPLE, SEPARATORS

Kind = Literal["game", "group", "copy", "table"]

_FORMAT = re.compile(rb'"format"\s*:\s*"scorekeeper (game|group|copy) \d')
_BEFORE = b"\xef\xbb\xbf\xff\xfe \t\r\n"
"""Spaces, and the marks that some editors put in front of a text."""


def refuse_others(content: bytes, *wanted: Kind) -> None:
    """Raise RuleError for a file that is clearly of another kind, also if it is damaged."""
    found = _kind_of(content)
    if found and found not in wanted:
        raise RuleError("E_IMPORT", why=f"is_{found}")


def _kind_of(content: bytes) -> str | None:
    text = content.replace(b"\0", b"").lstrip(_BEFORE)  # in UTF-16, every second byte is zero
    if text.startswith(b"{"):
        found = _FORMAT.search(text)
        return found[1].decode() if found else None
    lines = text.splitlines()[:SAMPLE]
    separated = any(line.count(sep.encode()) >= 2 for line in lines for sep in SEPARATORS)
    return "table" if separated and not text.startswith(b"[") else None
