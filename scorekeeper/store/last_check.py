"""The position of the last check without damage, kept in a small file beside the database.

It is not in the database, because a check writes nothing there.
"""

from contextlib import suppress
from pathlib import Path

from scorekeeper.store.files import replacing
from scorekeeper.store.protocol import Position


def file_of(database: Path) -> Path:
    """Return the file beside a database."""
    return database.with_name(f"{database.name}.checked")


def save(database: Path, position: Position) -> None:
    """Remember that everything up to a position is good; a folder that is read-only is left."""
    with suppress(OSError), replacing(file_of(database)) as part:
        part.write_text(f"{position.number} {position.link.hex()}\n", encoding="ascii")


def load(database: Path) -> Position | None:
    """Return what was remembered; None if nothing legible was."""
    try:
        number, link = file_of(database).read_text(encoding="ascii").split()
        return Position(int(number), bytes.fromhex(link))
    except (OSError, ValueError):
        return None
