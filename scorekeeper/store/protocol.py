"""The base of the stores: what a database engine does for the ledger.

A ``Store`` holds rows: events, secrets, texts, results of evenings. It knows nothing about games.
What is the same on every engine is here and in ``sql``. The ledger above it knows games and no
SQL. Every read is consistent at one moment; within ``transaction`` it also sees the writes of that
transaction. A read that fails raises Unreadable, a write that is not durable raises NotSaved.
"""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Protocol

from scorekeeper.store.sql.engine import AfterCommit, Engine
from scorekeeper.store.sql.events import Events
from scorekeeper.store.sql.inspection import Inspection
from scorekeeper.store.sql.names import Names
from scorekeeper.store.sql.rights import Rights
from scorekeeper.store.sql.seasons import Seasons
from scorekeeper.store.sql.settings import Settings


class LimitStore(Protocol):
    """Token buckets that several processes share. A bucket is full again at a time.

    Amounts are nanoseconds: using one of ``n`` in a span costs the ``n``-th part of the span.
    """

    def use(self, bucket: str, client: str, cost: int, span: int) -> int:
        """Use an amount; return 0, or how long to wait for it."""

    def over(self, bucket: str, client: str, span: int) -> int:
        """Return by how much a bucket is beyond a span; negative if it is not."""

    def charge(self, bucket: str, client: str, cost: int) -> None:
        """Use an amount, even if it is more than there is."""

    def purge(self) -> None:
        """Delete what has expired."""


class CodeStore(Protocol):
    """Short codes that several processes share; each stands for a secret of a book for a while.

    Of the secret, only the digest is stored.
    """

    def add(self, code: str, book_id: str, digest: bytes, life_ns: int, most: int) -> bool:
        """Add a code; False if it is in use. A book keeps the ``most`` codes that live longest."""

    def renew(self, code: str, book_id: str, digest: bytes, life_ns: int) -> bool:
        """Let a code live on; False if it does not stand for this secret any more."""

    def end(self, code: str, book_id: str) -> None:
        """Delete a code of a book."""

    def find(self, code: str) -> tuple[str, bytes] | None:
        """Return the book and the digest of the secret that a code stands for."""

    def take(self, code: str) -> tuple[str, bytes] | None:
        """Return the same, and end the code: of two requests at once, one receives it."""


class Store(ABC):
    """One database on one engine."""

    engine_name: str
    """``sqlite`` or ``postgresql``."""
    is_shared: bool
    """Whether other processes write too, so that memory must be compared with the store."""
    events: Events
    names: Names
    inspection: Inspection
    limits: LimitStore | None = None
    """The rate limits; None if one process serves the database and may keep them in memory."""
    codes: CodeStore | None = None
    """The short codes; None like ``limits``."""

    def __init__(self, engine: Engine, place: str) -> None:
        self.engine = engine
        self.place = place
        """The location of the database, for messages."""
        self.rights = Rights(engine)
        self.seasons = Seasons(engine)
        self.settings = Settings(engine)

    @abstractmethod
    def machines(self) -> int | None:
        """Return on how many machines a change is when it is confirmed; None if unknown."""

    @abstractmethod
    def sole_maintainer(self) -> AbstractContextManager[bool]:
        """Return whether no other process maintains the database until the block is left."""

    def transaction(self) -> AbstractContextManager[object]:
        """Open an atomic write transaction that is durable when the block is left.

        A nested transaction is part of the outer one. Two that change the same book run one after
        the other. Raises NotSaved, or OutcomeUnknown if it may have been saved nevertheless.
        """
        return self.engine.write()

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is in a write transaction."""
        return self.engine.in_transaction

    def after_commit(self, call: AfterCommit) -> None:
        """Within a transaction: call this once it is durable or known to be lost.

        A transaction that is rolled back alone does not call it.
        """
        self.engine.after_commit(call)

    @abstractmethod
    def defer_wait(self) -> AbstractContextManager[None]:
        """Let transactions return before they are durable; wait for them when the block is left.

        Raises NotSaved at the end of the block.
        """

    def takes_writes(self) -> bool:
        """Return whether a change would be durable now, without waiting for a running one."""
        return self.engine.takes_writes()

    def quiet_s(self) -> float:
        """Return the seconds since this process last saved something."""
        return self.engine.quiet_s()

    @abstractmethod
    def version(self) -> int:
        """Return the version of the tables; 0 if there are none yet."""

    @abstractmethod
    def is_outdated(self) -> bool:
        """Return whether an older version made the tables."""

    def close(self) -> None:
        """Close all connections."""
        self.engine.close()
