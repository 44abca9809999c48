"""The base of both engines: they run statements and know whether writing works.

The SQL is plain enough for SQLite and PostgreSQL. Parameters are ``?`` by position or ``:name`` by
name, and every engine brings them into its own form. So a statement has no question mark or
colon elsewhere.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

Values = Sequence[object] | dict[str, Any]
"""The parameters of a statement, by position or by name."""
AfterCommit = Callable[[BaseException | None], object]
"""Called with None once a change is durable, or with the error if it is not."""
PROBE_EVERY_S = 5
"""The shortest time between two writes that only probe whether writing works."""
NEVER = -float("inf")


class Engine(ABC):
    """The connections to one database."""

    def __init__(self) -> None:
        self._saved_at = self._probed_at = NEVER
        """The times of the last commit and of the last probe, by the monotonic clock."""
        self._takes = True
        self._probing = threading.Lock()

    @abstractmethod
    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        """Return all rows of a query; within a transaction of this thread it sees its writes.

        Raises Unreadable.
        """

    def row(self, sql: str, values: Values = ()) -> Any:
        """Return the first row of a query, or None."""
        return next(iter(self.rows(sql, values)), None)

    @abstractmethod
    def write(self) -> AbstractContextManager[object]:
        """Open a write transaction that is durable at the end, or join that of this thread.

        Raises NotSaved.
        """

    @property
    @abstractmethod
    def in_transaction(self) -> bool:
        """Whether this thread is in a write transaction."""

    @abstractmethod
    def execute(self, sql: str, values: Values = ()) -> object:
        """Run a statement within a transaction."""

    @abstractmethod
    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for every row, within a transaction."""

    @abstractmethod
    def after_commit(self, call: AfterCommit) -> None:
        """Within a transaction: call this after its commit."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""

    def takes_writes(self) -> bool:
        """Return whether a round would be saved now, without waiting for running writes.

        The last commit shows it, or else a probe. There is at most one probe in
        ``PROBE_EVERY_S``; its result is valid until the next.
        """
        now = time.monotonic()
        if now - self._saved_at < PROBE_EVERY_S:
            return True
        if now - self._probed_at >= PROBE_EVERY_S and self._probing.acquire(blocking=False):
            try:
                self._probed_at = now
                self._takes = self._probe()
            finally:
                self._probing.release()
        return self._takes

    def quiet_s(self) -> float:
        """Return the seconds since this process last saved something."""
        return time.monotonic() - self._saved_at

    @abstractmethod
    def _probe(self) -> bool:
        """Write something that changes nothing, and return whether it is durable."""

    def _mark_saved(self) -> None:
        self._saved_at = time.monotonic()

    def _mark_failed(self) -> None:
        self._saved_at = NEVER


def placeholders(values: Sequence[object]) -> str:
    """Return a placeholder for every value, separated by commas.

    Without values it is ``NULL``, which equals nothing: PostgreSQL refuses ``IN ()``.
    """
    return ", ".join("?" * len(values)) or "NULL"
