"""The texts that people wrote, in PostgreSQL.

Erased rows are removed from the tables by the server's own vacuum, and from its base backups and
archived logs when these expire. That is up to whoever runs the server.
"""

from scorekeeper.store.sql.names import Names as SharedNames


class Names(SharedNames):
    """The texts of one database."""

    def is_unclean(self) -> bool:
        """Return False: the server removes the traces of erased texts itself."""
        return False

    def clean(self, max_size: int | None) -> bool:
        """Return True, because nothing is left to do."""
        return True
