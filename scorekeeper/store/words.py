"""The words that people wrote: found by what they say, and erased down to the last byte.

A deleted row leaves its bytes behind, in free pages, in gaps between rows and in the
journal: only a file that is written anew is free of them.
"""

import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlite_utils import Database

from scorekeeper.store.engine import Engine, NotSaved

log = logging.getLogger(__name__)

AT_ONCE = 2**20
"""So large a file is written anew as fast as a round is saved; a larger one waits until nobody
plays."""
WHEN_QUIET = 32 * 2**20
"""So large a file is written anew in a second or two; a larger one waits for the daily upkeep."""
OFTEN = 5
WITHIN_S = 600
"""So often within so many seconds a file is written anew at once; whoever erases one name after
the other makes nobody wait."""
UNCLEAN = "unclean"
"""The setting that stands while traces of erased words may be in the file."""


class Written(NamedTuple):
    """A word that somebody wrote, also one that was replaced since."""

    book: str
    field: str
    text: str


class Words:
    """The part of the ledger that finds words, and cleans up after erased ones."""

    engine: Engine

    def __init__(self) -> None:
        super().__init__()
        self._cleaned_at: deque[float] = deque(maxlen=OFTEN)

    def written(self, fits: Callable[[str], bool], book_id: str | None = None) -> list[Written]:
        """Every text that fits, of one book with its evenings or of all."""
        self.engine.db.conn.create_function("fits", 1, fits)
        rows = self.engine.rows(
            """
            SELECT book, field, text FROM texts
            WHERE (:book IS NULL OR book = :book
                OR book IN (SELECT game FROM evenings WHERE group_id = :book)) AND fits(text)
            """,
            {"book": book_id},
        )
        return [Written(*row) for row in rows]

    def untouched_since(self, time: str) -> list[str]:
        """Books with names in which nothing happened since; groups first, games of none after.

        A group is touched by whatever happens in its evenings.
        """
        rows = self.engine.rows(
            """
            SELECT id FROM books JOIN events ON book = id AND number = version
            WHERE at < :time AND id NOT IN (SELECT game FROM evenings)
                AND EXISTS (SELECT 1 FROM texts WHERE texts.book = id AND text <> ''
                    AND (field GLOB 'name.*' OR field GLOB 'member.*'))
                AND NOT EXISTS (SELECT 1 FROM evenings
                    JOIN books AS games ON games.id = evenings.game
                    JOIN events AS last ON last.book = games.id AND last.number = games.version
                    WHERE group_id = books.id AND last.at >= :time)
            ORDER BY books.kind DESC, id
            """,
            {"time": time},
        )
        return [book_id for (book_id,) in rows]

    def clean_soon(self) -> None:
        """Write the file anew if words were erased in it, it is small, and that was not often done.

        Otherwise the upkeep does, when nobody plays.
        """
        now, times = time.monotonic(), self._cleaned_at
        if (len(times) < OFTEN or now - times[0] >= WITHIN_S) and self.clean():
            times.append(now)

    def clean(self, most: int | None = AT_ONCE) -> bool:
        """Write the file anew if words were erased in it; a file larger than ``most`` is left.

        What cannot be done now, since the disk is full or somebody reads, is done next time;
        within a transaction nothing can. Whether the file was written anew.
        """
        if self.engine.db.conn.in_transaction:
            return False
        mark = self._unclean()
        if mark is None or (most is not None and self.engine.path.stat().st_size > most):
            return False
        try:
            if not self.engine.write_anew():
                return False
            with self.engine.write() as db:  # unless more was erased meanwhile
                db.execute("DELETE FROM settings WHERE name = ? AND value = ?", (UNCLEAN, mark))
        except NotSaved as error:
            log.warning("erased words may still have traces in the file: %s", error)
            return False
        return True

    def is_unclean(self) -> bool:
        """Whether traces of erased words may be in the file."""
        return self._unclean() is not None

    def _unclean(self) -> str | None:
        found = self.engine.row("SELECT value FROM settings WHERE name = ?", (UNCLEAN,))
        return str(found[0]) if found else None


def erase(db: Database, book_id: str, fields: Sequence[str]) -> None:
    """Take fields of a book off the disk; the file is unclean from now on."""
    for field in fields:
        db.execute("DELETE FROM texts WHERE book = ? AND field = ?", (book_id, field))
    soil(db)


def soil(db: Database) -> None:
    """Remember that words were erased."""
    db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (UNCLEAN, secrets.token_hex(8)))
