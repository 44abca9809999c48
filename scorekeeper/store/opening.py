"""Open the ledger of a database, whichever engine has it.

An engine is imported for a database of its kind: what only scores an evening needs no database,
and psycopg may be missing.
"""

from pathlib import Path

from scorekeeper.config import Address, file_about, place_of
from scorekeeper.store.errors import NoDriver
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.links import LinkKey


def open_ledger(
    data: str | Path | Address, *, journal: str | None = None, link_key: str | None = None
) -> Ledger:
    """Return the ledger of a database, which is prepared or upgraded first if necessary.

    ``journal`` is the journal mode of SQLite. The secrets of links are derived from ``link_key``,
    else from a key in a file beside the database, which no backup contains. Raises CannotOpen.
    """
    place = place_of(data)
    links = LinkKey(file_about(place, ".key"), link_key)
    if isinstance(place, Path):
        from scorekeeper.store.sqlite import store as sqlite

        return sqlite.open_ledger(place, links, journal)
    try:
        from scorekeeper.store.postgres import store as postgres
    except ImportError as error:
        raise NoDriver(str(error)) from error
    return postgres.open_ledger(place, links)


def read_ledger(data: str | Path | Address) -> Ledger:
    """Return the ledger of a database for reading only; raises CannotOpen."""
    place = place_of(data)
    if isinstance(place, Path):
        from scorekeeper.store.sqlite import store as sqlite

        return sqlite.read_ledger(place)
    try:
        from scorekeeper.store.postgres import store as postgres
    except ImportError as error:
        raise NoDriver(str(error)) from error
    return postgres.read_ledger(place)
