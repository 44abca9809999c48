"""The interface that an engine offers to the statements of this package.

The SQL is plain enough for SQLite and PostgreSQL. Parameters are ``?`` by position or ``:name`` by
name, and every engine brings them into its own form. So a statement has no question mark or
colon elsewhere.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Values = Sequence[object] | dict[str, Any]
"""The parameters of a statement, by position or by name."""


class Statements(Protocol):
    """Runs statements on a database."""

    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        """Return all rows of a query; within a transaction of this thread it sees its writes.

        Raises Unreadable.
        """

    def row(self, sql: str, values: Values = ()) -> Any:
        """Return the first row of a query, or None."""

    def write(self) -> AbstractContextManager[object]:
        """Open a write transaction, or join that of this thread; raises NotSaved."""

    def execute(self, sql: str, values: Values = ()) -> object:
        """Run a statement within a transaction."""

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> object:
        """Run a statement once for every row, within a transaction."""


def placeholders(values: Sequence[object]) -> str:
    """Return a placeholder for every value, separated by commas.

    Without values it is ``NULL``, which equals nothing: PostgreSQL refuses ``IN ()``.
    """
    return ", ".join("?" * len(values)) or "NULL"
