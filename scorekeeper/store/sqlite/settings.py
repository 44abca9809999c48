"""What the program keeps for itself, in SQLite."""

from scorekeeper.store.sqlite.engine import Engine


class Settings:
    """Values by name."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, name: str) -> str | None:
        """Return a value; None if it was never kept."""
        found = self._engine.row("SELECT value FROM settings WHERE name = ?", (name,))
        return str(found[0]) if found else None

    def keep(self, name: str, value: str) -> None:
        """Keep a value, in place of the one before."""
        with self._engine.write() as db:
            db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))
