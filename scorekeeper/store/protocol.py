"""The interface that a database engine implements for the ledger.

A ``Store`` holds rows: events, secrets, texts, results of evenings. It knows nothing about games.
The ledger above it knows games and no SQL. Every read is consistent at one moment; within
``transaction`` it also sees the writes of that transaction. A read that fails raises Unreadable,
a write that is not durable raises NotSaved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from scorekeeper.domain.group.rating import Pair
from scorekeeper.domain.group.results import Encounter
from scorekeeper.domain.group.season import ALWAYS, WITH_TRAINING, Choices, Figures, Span
from scorekeeper.domain.history.book import Event
from scorekeeper.store.cache import BookHead, Kind
from scorekeeper.store.chain import EventRow, Stored, TextRow
from scorekeeper.store.evenings import Attendance, Best, Record, Rows, StoredEvening
from scorekeeper.store.links import SecretName
from scorekeeper.store.report import CheckResult
from scorekeeper.store.rows import BookRows, Row

NO_LIMIT = 2**62
"""As many rows as there are."""
AfterCommit = Callable[[BaseException | None], object]
"""Called with None once a change is durable, or with the error if it is not."""


class BookState(NamedTuple):
    """The state of a book at the start of a transaction."""

    version: int
    head: bytes
    """The last link of the chain."""
    group_id: str | None
    """The group that a game belongs to."""
    over: bool
    """Whether the game was over when its evening was last stored."""
    repeated: int | None
    """The number of the event that was written with the same idempotency key."""
    digest: str | None
    """The digest of the request body of that event."""


class EventStore(Protocol):
    """Books with their events and texts."""

    def version(self, book_id: str) -> int | None:
        """Return the number of events of a book; None if there is no such book."""

    def link(self, book_id: str) -> bytes | None:
        """Return the last link of a book's chain."""

    def heads(self, book_id: str) -> tuple[BookHead, ...]:
        """Return the head of a book, then the head of the group it belongs to."""

    def ids(self, kind: Kind) -> tuple[str, ...]:
        """Return all games or all groups, in the order of their ids."""

    def begun_with(self, start: bytes) -> tuple[str, str | None] | None:
        """Return the book with this creation key, and the digest of its first event."""

    def state(self, book_id: str, key: str | None) -> BookState | None:
        """Return the state of a book for a transaction; None if there is no such book."""

    def add_book(self, rows: BookRows, pen: bytes, watch: bytes, start: bytes | None) -> None:
        """Add a whole book with the digests of its secrets and its creation key."""

    def add_rows(self, events: Sequence[Row], texts: Sequence[Row]) -> None:
        """Append rows of events, which have their links, and of texts."""

    def start_of(self, book_id: str) -> bytes | None:
        """Return the creation key of a book."""

    def append(self, book_id: str, event: Stored, texts: Mapping[str, str], link: bytes) -> None:
        """Append an event with its texts; refused if it does not follow the last event."""

    def read(
        self, book_id: str, after: int, upto: int, kinds: Sequence[str] | None = None
    ) -> list[Event]:
        """Return the events after one version and up to another, of these kinds or of all.

        Raises Damaged for an event whose payload cannot be read.
        """

    def number_before(self, book_id: str, kinds: Sequence[str], upto: int, limit: int) -> int:
        """Return the number before the last ``limit`` events of these kinds; 0 if there are fewer.

        Only events up to the version ``upto`` count.
        """

    def count(self, book_id: str, kinds: Sequence[str]) -> int:
        """Return the number of events of these kinds."""

    def replace_secret(self, book_id: str, name: SecretName, digest: bytes | None) -> None:
        """Replace a secret; None withdraws the code of printed sheets."""


class RightStore(Protocol):
    """The secrets that browsers have used; browsers and secrets are stored as digests."""

    def remember(self, browser: bytes, book_id: str, secret: bytes) -> None:
        """Store a secret for a browser."""

    def copy(self, source: bytes, target: bytes, *, moves: bool) -> int:
        """Give a browser all secrets of another, which may lose them; return how many."""

    def browsers_of(self, book_id: str) -> list[tuple[bytes, bytes]]:
        """Return the browsers that have used secrets of a book, each with its secret."""

    def holds_pen(self, browser: bytes, book_id: str) -> bool | None:
        """Return whether a browser holds the pen of a book or of its group; None if no right."""

    def books_of(self, browser: bytes, kind: Kind) -> list[tuple[str, bool]]:
        """Return the books of a browser and whether it holds the pen, last changed first."""

    def all_books(self, kind: Kind) -> list[str]:
        """Return all books, last changed first."""


class Written(NamedTuple):
    """A text that somebody wrote, current or replaced."""

    book: str
    field: str
    text: str


class NameStore(Protocol):
    """Names, titles and notes: texts that people wrote and that can be erased."""

    def words(self, book_id: str) -> list[tuple[int, str, str]]:
        """Return all texts of a book, replaced ones too: number of the event, field, text."""

    def words_of(self, book_ids: Sequence[str], field: str) -> dict[str, str]:
        """Return the current text of one field of many books, without replaying them."""

    def written(self, fits: Callable[[str], bool], book_id: str | None = None) -> list[Written]:
        """Return every text that fits, of one book and its evenings or of all books."""

    def untouched_since(self, time: str) -> list[str]:
        """Return the books with names that have not changed since; groups first.

        A change of an evening counts as a change of its group.
        """

    def thrown_away_before(self, time: str) -> list[str]:
        """Return the games that were thrown away before, and neither brought back nor discarded."""

    def erase(self, book_id: str, fields: Sequence[str]) -> None:
        """Delete fields of a book, and mark the store as unclean."""

    def reword(self, book_id: str, number: int, field: str, text: str, crc: int) -> None:
        """Replace the text of an event, and mark the store as unclean."""

    def is_unclean(self) -> bool:
        """Return whether traces of erased texts may be on the disk."""

    def clean(self, max_size: int | None) -> bool:
        """Remove the traces of erased texts, unless the store is larger than ``max_size`` bytes.

        Return whether it is clean now; if not, a later call tries again.
        """


class SeasonStore(Protocol):
    """The results of the evenings of groups."""

    def group_of(self, game_id: str) -> str | None:
        """Return the group that a game belongs to."""

    def save_evening(self, group_id: str, stored: StoredEvening) -> None:
        """Store an evening, or replace it."""

    def add_evenings(self, group_id: str, evenings: Iterable[StoredEvening]) -> None:
        """Store evenings that are not stored yet."""

    def put_rows(self, game_id: str, rows: Rows) -> None:
        """Replace the stored rows of an evening; without rows there is none."""

    def delete_evening(self, game_id: str) -> None:
        """Delete the results of an evening; its game stays."""

    def evening_rows(self, game_id: str) -> Rows:
        """Return the stored rows of an evening, as ``rows_of`` makes them."""

    def misplaced(self) -> list[str]:
        """Return the games with results stored for a group that is not theirs."""

    def days_of(self, game_ids: Sequence[str]) -> dict[str, str]:
        """Return the days of evenings by game."""

    def presets_of(self, game_ids: Sequence[str]) -> dict[str, str]:
        """Return the rule systems of evenings by game."""

    def running(self, group_id: str, limit: int) -> list[str]:
        """Return the games of a group that are not over, the latest first."""

    def count_evenings(
        self, group_id: str, span: Span = WITH_TRAINING, *, member: int | None = None
    ) -> int:
        """Return the number of evenings of a group or member in a span, unfinished ones too."""

    def evenings(
        self,
        group_id: str,
        span: Span = WITH_TRAINING,
        *,
        member: int | None = None,
        over: bool = False,
        limit: int = NO_LIMIT,
        offset: int = 0,
    ) -> list[StoredEvening]:
        """Return the evenings of a group or member, the latest first."""

    def figures(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Figures]:
        """Return the totals of every member, or of one, over finished evenings."""

    def choices(self, group_id: str, *, member: int | None = None) -> Choices:
        """Return what the evenings of a group, or of a member, can be filtered by."""

    def attendances(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Attendance]:
        """Return the members at each finished evening with rank and points, oldest first."""

    def pairs(self, group_id: str, span: Span = ALWAYS) -> list[list[Pair]]:
        """Return the pairs of members who met for half of an evening, for each, oldest first."""

    def record(self, group_id: str, what: Record, span: Span = ALWAYS) -> Best | None:
        """Return the highest value of a figure in one evening; of equal ones the first."""

    def encounters(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Encounter]:
        """Return every pair of members who met, with the sums of their encounters."""


class SettingStore(Protocol):
    """Named values that the program stores for itself."""

    def get(self, name: str) -> str | None:
        """Return a value; None if it was never set."""

    def set(self, name: str, value: str) -> None:
        """Set a value."""


BookEnd = tuple[int, bytes]
"""The version of a book, and the last link of its chain."""


class Position(NamedTuple):
    """An event of the whole store, in the order in which they were written."""

    number: int
    """Counted from 1."""
    link: bytes
    """Its link in the chain of its book."""


class Inspection(Protocol):
    """The rows as they are stored, for ``check``, and the health of the engine."""

    def engine_line(self) -> CheckResult:
        """Return whether this version and mode of the engine keep every confirmed change."""

    def space_line(self) -> CheckResult | None:
        """Return whether there is enough free space; None if that cannot be seen from here."""

    def settings_line(self) -> CheckResult:
        """Return whether the connection has its required settings."""

    def tables_line(self) -> CheckResult:
        """Return whether the tables are as the migrations make them."""

    def pages_line(self) -> CheckResult | None:
        """Return the result of the engine's own integrity check; None if it has none."""

    def last(self) -> Position | None:
        """Return the position of the event that was written last."""

    def link_at(self, number: int) -> bytes | None:
        """Return the link of the event at a position."""

    def count_after(self, number: int) -> int:
        """Return the number of events after a position."""

    def books(self, after: int = 0) -> list[tuple[str, Kind]]:
        """Return the books with events after a position, in the order of their creation."""

    def book(self, book_id: str) -> BookEnd | None:
        """Return version and last link of one book; None if there is no such book."""

    def events(self, book_id: str) -> list[EventRow]:
        """Return the stored events of a book, each with its link."""

    def texts(self, book_id: str) -> list[TextRow]:
        """Return every text of a book with its checksum."""

    def with_digits(self, digits: str, limit: int) -> list[tuple[str, int]]:
        """Return the books and versions whose link begins with these hexadecimal digits."""

    def count_games(self) -> int:
        """Return the number of games."""

    def count_events(self) -> int:
        """Return the number of events."""

    def size(self) -> int:
        """Return the size on the disk in bytes."""


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

    ``mark`` is the digest of the secret.
    """

    def add(self, code: str, book_id: str, mark: bytes, life_ns: int, most: int) -> bool:
        """Add a code; False if it is in use. A book keeps the ``most`` codes that live longest."""

    def renew(self, code: str, book_id: str, mark: bytes, life_ns: int) -> bool:
        """Let a code live on; False if it does not stand for this secret any more."""

    def end(self, code: str, book_id: str) -> None:
        """Delete a code of a book."""

    def find(self, code: str) -> tuple[str, bytes] | None:
        """Return the book and the mark of the secret that a code stands for."""

    def take(self, code: str) -> tuple[str, bytes] | None:
        """Return the same, and end the code: of two requests at once, one receives it."""


class Store(Protocol):
    """One database on one engine."""

    @property
    def place(self) -> str:
        """The location of the database, for messages."""

    @property
    def engine_name(self) -> str:
        """The name of the engine: ``sqlite`` or ``postgresql``."""

    def machines(self) -> int | None:
        """Return on how many machines a change is when it is confirmed; None if unknown."""

    @property
    def events(self) -> EventStore: ...
    @property
    def rights(self) -> RightStore: ...
    @property
    def names(self) -> NameStore: ...
    @property
    def seasons(self) -> SeasonStore: ...
    @property
    def settings(self) -> SettingStore: ...
    @property
    def inspection(self) -> Inspection: ...
    @property
    def limits(self) -> LimitStore | None:
        """The rate limits; None if one process serves the database and may keep them in memory."""

    @property
    def codes(self) -> CodeStore | None:
        """The short codes; None like ``limits``."""

    def sole_maintainer(self) -> AbstractContextManager[bool]:
        """Return whether no other process maintains the database until the block is left."""

    def transaction(self) -> AbstractContextManager[object]:
        """Open an atomic write transaction that is durable when the block is left.

        A nested transaction is part of the outer one. Two that change the same book run one after
        the other. Raises NotSaved, or OutcomeUnknown if it may have been saved nevertheless.
        """

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is in a write transaction."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes write too, so that memory must be compared with the store."""

    def after_commit(self, call: AfterCommit) -> None:
        """Within a transaction: call this once it is durable or known to be lost.

        A transaction that is rolled back alone does not call it.
        """

    def defer_wait(self) -> AbstractContextManager[None]:
        """Let transactions return before they are durable; wait for them when the block is left.

        Raises NotSaved at the end of the block.
        """

    def takes_writes(self) -> bool:
        """Return whether a change would be durable now, without waiting for a running one."""

    def quiet_s(self) -> float:
        """Return the seconds since this process last saved something."""

    def is_outdated(self) -> bool:
        """Return whether an older version made the tables."""

    def is_empty(self) -> bool:
        """Return whether there are no tables yet."""

    def close(self) -> None:
        """Close all connections."""
