"""Named values that the program stores for itself."""

from scorekeeper.store.sql.engine import Engine

UPSERT = """
    INSERT INTO settings (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """


class Settings:
    """The settings of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, name: str) -> str | None:
        """Return a value; None if it was never set."""
        found = self._engine.row("SELECT value FROM settings WHERE name = ?", (name,))
        return str(found[0]) if found else None

    def set(self, name: str, value: str) -> None:
        """Set a value."""
        with self._engine.write():
            self._engine.execute(UPSERT, (name, value))
