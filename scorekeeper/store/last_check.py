"""The position of the last check without damage, kept in a small file.

It is beside the database, or in the folder for user data if the database is on a server, but not
in it, because a check writes nothing there.
"""

from contextlib import suppress
from pathlib import Path

from scorekeeper.store.files import replacing
from scorekeeper.store.sql.inspection import Position


def save(file: Path, position: Position) -> None:
    """Save a position up to which everything is good; do nothing in a read-only folder."""
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # for a database of a server
        with replacing(file) as part:
            part.write_text(f"{position.number} {position.link.hex()}\n", encoding="ascii")


def load(file: Path) -> Position | None:
    """Return the saved position; None if there is none or it is unreadable."""
    try:
        number, link = file.read_text(encoding="ascii").split()
        return Position(int(number), bytes.fromhex(link))
    except (OSError, ValueError):
        return None
