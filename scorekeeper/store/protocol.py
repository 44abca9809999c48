"""What an engine must be able to do, so that a ledger can be built on it.

A ``Store`` holds the rows: events, secrets, words, what evenings came to. It knows nothing of
the games. The ledger above it knows the games and no SQL. Every method either answers as of one
moment or, within ``transaction``, sees what that transaction has written so far; a store that
does not answer raises Unreadable, a change that is not durable NotSaved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from scorekeeper.domain.book import Event
from scorekeeper.domain.results import Encounter
from scorekeeper.domain.season import ALL_THERE_ARE, ALWAYS, Choices, Figures, Span
from scorekeeper.store.cache import BookHead, Kind
from scorekeeper.store.chain import Stored
from scorekeeper.store.evenings import Attendance, Best, Kept, Record, Rows
from scorekeeper.store.report import Line
from scorekeeper.store.rows import BookRows

AfterCommit = Callable[[BaseException | None], object]
"""Called with None once a change is durable, or with the reason why it is not."""


class BookState(NamedTuple):
    """What a transaction on one book begins with."""

    version: int
    head: bytes
    """The last link of the chain."""
    group_id: str | None
    """The group that a game belongs to."""
    over: bool
    """Whether the game was over when its evening was last kept."""
    repeated: int | None
    """The event that was written with the same idempotency key."""
    digest: str | None
    """The digest of the body of that event."""


class EventStore(Protocol):
    """Books, their events and the words that belong to them."""

    def version(self, book_id: str) -> int | None:
        """Return the number of events of a book; None if there is no such book."""

    def link(self, book_id: str) -> bytes | None:
        """Return the last link of a book's chain."""

    def heads(self, book_id: str) -> tuple[BookHead, ...]:
        """Return the head of a book, then that of the group it belongs to."""

    def ids(self, kind: Kind) -> tuple[str, ...]:
        """Return all games or all groups, in the order of their ids."""

    def begun_with(self, start: bytes) -> tuple[str, str | None] | None:
        """Return the book that was begun with this mark, and the digest of its first event."""

    def state(self, book_id: str, key: str | None) -> BookState | None:
        """Return what a transaction needs to know of a book; None if there is none."""

    def add_book(self, rows: BookRows, pen: bytes, watch: bytes, start: bytes | None) -> None:
        """Add a whole book with the digests of its secrets and the mark it was begun with."""

    def append(self, book_id: str, event: Stored, texts: Mapping[str, str], link: bytes) -> None:
        """Add an event with its words; one that does not follow the last is refused."""

    def read(
        self, book_id: str, after: int, upto: int, kinds: Sequence[str] | None = None
    ) -> list[Event]:
        """Return events in order, after one version and up to another, of some kinds or all.

        Raises Damaged for an event whose payload cannot be read.
        """

    def number_before(self, book_id: str, kinds: Sequence[str], upto: int, most: int) -> int:
        """Return the event after which the last ``most`` of some kinds come; 0 for all."""

    def count(self, book_id: str, kinds: Sequence[str]) -> int:
        """Return how many events of some kinds a book has."""

    def replace_secret(self, book_id: str, right: str, digest: bytes) -> None:
        """Store another secret for ``pen`` or ``watch``."""


class RightStore(Protocol):
    """Which browsers were shown which secrets; both are stored as digests."""

    def remember(self, browser: bytes, book_id: str, secret: bytes) -> None:
        """Keep a secret for a browser."""

    def forget(self, browser: bytes, book_id: str) -> None:
        """Drop what a browser knows of a book."""

    def holds_pen(self, browser: bytes, book_id: str) -> bool | None:
        """Return whether a browser holds the pen of a book, or of its group; None: no right."""

    def books_of(self, browser: bytes, kind: Kind) -> list[tuple[str, bool]]:
        """Return the books of a browser with whether it holds the pen, last changed first."""


class Written(NamedTuple):
    """A text that somebody wrote, or wrote once."""

    book: str
    field: str
    text: str


class NameStore(Protocol):
    """Names, titles and notes: what people wrote, and what can be erased."""

    def words(self, book_id: str) -> list[tuple[int, str, str]]:
        """Return all texts of a book, replaced ones too: number of the event, field, text."""

    def words_of(self, book_ids: Sequence[str], field: str) -> dict[str, str]:
        """Return one field of many books as it is now, without replaying them."""

    def written(self, fits: Callable[[str], bool], book_id: str | None = None) -> list[Written]:
        """Return every text that fits, of one book with its evenings or of all books."""

    def untouched_since(self, time: str) -> list[str]:
        """Return the books with names in which nothing happened since; groups first.

        A group is touched by whatever happens in its evenings.
        """

    def erase(self, book_id: str, fields: Sequence[str]) -> None:
        """Delete fields of a book, and mark the store as unclean."""

    def reword(self, book_id: str, number: int, field: str, text: str, crc: int) -> None:
        """Replace the text of an event, and mark the store as unclean."""

    def is_unclean(self) -> bool:
        """Return whether traces of erased texts may be left on the disk."""

    def clean(self, most: int | None) -> bool:
        """Remove the traces of erased texts, unless the record is larger than ``most`` bytes.

        Return whether that was done. What cannot be done now is done by the next call.
        """


class SeasonStore(Protocol):
    """What the evenings of groups came to."""

    def group_of(self, game_id: str) -> str | None:
        """Return the group that a game belongs to."""

    def keep_evening(self, group_id: str, kept: Kept) -> None:
        """Keep an evening, in place of what was kept of it."""

    def keep_evenings(self, group_id: str, several: Iterable[Kept]) -> None:
        """Keep evenings of which nothing is kept yet."""

    def drop_evening(self, game_id: str) -> None:
        """Forget what an evening came to; its game stays."""

    def rows_kept(self, game_id: str) -> Rows:
        """Return what is kept of an evening, as ``rows_of`` gives it."""

    def days_of(self, game_ids: Sequence[str]) -> dict[str, str]:
        """Return the days of evenings by their games."""

    def running(self, group_id: str, most: int) -> list[str]:
        """Return the games of a group that are not over, the latest first."""

    def count_evenings(
        self, group_id: str, span: Span = ALL_THERE_ARE, *, member: int | None = None
    ) -> int:
        """Return how many evenings of a group, or of a member, lie in a span."""

    def evenings(
        self,
        group_id: str,
        span: Span = ALL_THERE_ARE,
        *,
        member: int | None = None,
        over: bool = False,
        most: int = -1,
        skip: int = 0,
    ) -> list[Kept]:
        """Return the evenings of a group, or of a member, the latest first."""

    def figures(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Figures]:
        """Return what the finished evenings of every member, or of one, add up to."""

    def choices(self, group_id: str) -> Choices:
        """Return the years, families of rules and units that a group has played in."""

    def attendances(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Attendance]:
        """Return who was there and how well they did, the first evening first."""

    def record(self, group_id: str, what: Record, span: Span = ALWAYS) -> Best | None:
        """Return the highest value of a figure in one evening; of equals the first."""

    def encounters(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Encounter]:
        """Return every pair of members who met, and what stood between them in all."""


class SettingStore(Protocol):
    """What the program keeps for itself."""

    def get(self, name: str) -> str | None:
        """Return a value; None if it was never kept."""

    def keep(self, name: str, value: str) -> None:
        """Keep a value, in place of the one before."""


class Inspection(Protocol):
    """The rows as they are stored, for ``check``, and how the engine is doing."""

    def engine_line(self) -> Line:
        """Return whether this engine, the way it is used, keeps what it confirms."""

    def space_line(self) -> Line:
        """Return whether there is free space for more."""

    def settings_line(self) -> Line:
        """Return whether the connection has the settings that it was given."""

    def tables_line(self) -> Line:
        """Return whether the tables are as the migrations make them."""

    def pages_line(self) -> Line:
        """Return what the engine itself finds."""

    def books(self) -> list[tuple[str, Kind, int, bytes]]:
        """Return id, kind, version and last link of every book, groups first."""

    def book(self, book_id: str) -> tuple[int, bytes] | None:
        """Return version and last link of one book; None if there is no such book."""

    def events(self, book_id: str) -> list[tuple[object, ...]]:
        """Return the events of a book as they are stored, each with its link."""

    def texts(self) -> list[tuple[str, int, str, str, int]]:
        """Return every text with its checksum."""

    def with_digits(self, digits: str, most: int) -> list[tuple[str, int]]:
        """Return the books and versions whose link begins with these hexadecimal digits."""

    def count_games(self) -> int:
        """Return the number of games."""

    def count_events(self) -> int:
        """Return the number of events."""

    def size(self) -> int:
        """Return the bytes that the record takes on the disk."""


class Store(Protocol):
    """One record on one engine."""

    @property
    def place(self) -> str:
        """Where the record is, for messages."""

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

    def transaction(self) -> AbstractContextManager[object]:
        """Make a change, whole or not at all, durable when the block is left.

        Within another transaction it is a part of that one. Only one change is made at a time.
        Raises NotSaved.
        """

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is making a change."""

    @property
    def changes(self) -> int:
        """The number of changes begun so far: within a change, its number."""

    def after_commit(self, call: AfterCommit) -> None:
        """Within a change: call this when it is durable or known to be lost.

        It is not called for a change that is undone alone.
        """

    def waiting_later(self) -> AbstractContextManager[None]:
        """Go on after a change while the disk works; wait for it when the block is left.

        Raises NotSaved then.
        """

    def takes_writes(self) -> bool:
        """Return whether a change would be durable now; never wait for one under way."""

    def quiet_s(self) -> float:
        """Return for how many seconds this process has saved nothing."""

    def is_outdated(self) -> bool:
        """Return whether an older version wrote the record, and nobody has migrated it yet."""

    def close(self) -> None:
        """Close all connections."""
