"""Named values that the program stores for itself."""

from scorekeeper.store.sql.statements import Statements

UPSERT = """
    INSERT INTO settings (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """


class Settings:
    """The settings of one database."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql

    def get(self, name: str) -> str | None:
        """Return a value; None if it was never set."""
        found = self._sql.row("SELECT value FROM settings WHERE name = ?", (name,))
        return str(found[0]) if found else None

    def set(self, name: str, value: str) -> None:
        """Set a value."""
        with self._sql.write():
            self._sql.execute(UPSERT, (name, value))
