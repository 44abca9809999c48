"""Named values that the program stores for itself, in SQLite; see ``SettingStore``."""

from scorekeeper.store.sqlite.engine import Engine


class Settings:
    """The settings of one file."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, name: str) -> str | None:
        """Return a value; None if it was never set."""
        found = self._engine.row("SELECT value FROM settings WHERE name = ?", (name,))
        return str(found[0]) if found else None

    def set(self, name: str, value: str) -> None:
        """Set a value."""
        with self._engine.write() as db:
            db.table("settings").insert({"name": name, "value": value}, replace=True)
