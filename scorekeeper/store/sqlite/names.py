"""The erasure of texts in SQLite, down to the last byte.

The bytes of a deleted row stay in free pages, in gaps between rows and in the journal. Only
rewriting the file removes them.
"""

import logging
import secrets
from collections.abc import Sequence

from scorekeeper.store.errors import NotSaved
from scorekeeper.store.sql.names import Names as SharedNames
from scorekeeper.store.sql.settings import Settings
from scorekeeper.store.sqlite.engine import Engine

log = logging.getLogger(__name__)

UNCLEAN = "unclean"
"""The setting that exists while traces of erased texts may be in the file."""


class Names(SharedNames):
    """The texts of one file."""

    _engine: Engine

    def clean(self, max_size: int | None) -> bool:
        """Rewrite the file if texts were erased in it, unless it is larger than ``max_size``.

        Return whether it was rewritten. It is not within a transaction, on a full disk, or while
        others read; a later call tries again.
        """
        if self._engine.in_transaction:
            return False
        token = Settings(self._engine).get(UNCLEAN)
        if token is None or (max_size is not None and self._engine.path.stat().st_size > max_size):
            return False
        try:
            if not self._engine.rewrite():
                return False
            with self._engine.write() as db:  # it is another one if more was erased since
                db.table("settings").delete_where("name = ? AND value = ?", (UNCLEAN, token))
        except NotSaved as error:
            log.warning("traces of erased texts may still be in the file: %s", error)
            return False
        return True

    def is_unclean(self) -> bool:
        """Return whether traces of erased texts may be in the file."""
        return Settings(self._engine).get(UNCLEAN) is not None

    def erase(self, book_id: str, fields: Sequence[str]) -> None:
        """Delete fields of a book, and mark the file as unclean."""
        super().erase(book_id, fields)
        self._mark_unclean()

    def reword(self, book_id: str, number: int, field: str, text: str, crc: int) -> None:
        """Replace the text of an event, and mark the file as unclean."""
        super().reword(book_id, number, field, text, crc)
        self._mark_unclean()

    def _mark_unclean(self) -> None:
        Settings(self._engine).set(UNCLEAN, secrets.token_hex(8))
