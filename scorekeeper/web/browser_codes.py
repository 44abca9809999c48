"""Codes that give another browser what this one holds: all its games, groups and pens.

A code is valid for ten minutes and once. It stands for the digest of the browser, so that neither
memory nor the database holds a secret that opens anything; see ``short_codes`` for where they are.
"""

from typing import NamedTuple

from scorekeeper.store.rights import digest, plain
from scorekeeper.web import context, rate_limits
from scorekeeper.web.short_codes import short_codes

LENGTH = 12
"""Characters, 60 bits: unlike a short code it gives pens, and it lives for longer."""
LIFE_S = 600
MOVES, COPIES = b"m", b"c"


class Taken(NamedTuple):
    """What another browser has given."""

    source: bytes
    """The digest of that browser."""
    moves: bool
    """Whether that browser keeps nothing."""


def new_code(browser: str, *, moves: bool) -> str:
    """Return a code for what a browser holds, in groups of four; its last code ends."""
    source = digest(browser)
    place, content = f"browser {source.hex()}", source + (MOVES if moves else COPIES)
    code = short_codes().new(LENGTH, place, content, LIFE_S * 10**9, most=1)
    return "-".join(code[at : at + 4] for at in range(0, LENGTH, 4)).upper()


def is_browser_code(typed: str) -> bool:
    """Return whether this may be such a code."""
    return len(plain(typed)) == LENGTH


def take(typed: str) -> Taken | None:
    """Return what a code gives, and end it; None if it gives nothing, which is counted."""
    rate_limits.limit_short_codes()
    found = short_codes().store.take(plain(typed))
    if found is None:
        rate_limits.count_wrong_short_code()
        return None
    _, content = found
    return Taken(content[:-1], content[-1:] == MOVES)


def receive(taken: Taken) -> None:
    """Give this browser what the other one holds."""
    rate_limits.limit_growth()
    context.ledger().rights.copy(taken.source, context.new_browser(), moves=taken.moves)
