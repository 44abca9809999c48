"""The check of single books: hash chain, replay, scores, and the stored results of evenings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import ScoredRound
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.changes import enter_table
from scorekeeper.domain.group.state import Group, still_to_book
from scorekeeper.domain.history.book import Book, Event
from scorekeeper.domain.replay import begun
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.store.chain import BEGINNING, EventRow, TextRow, link, read_events, text_sum
from scorekeeper.store.errors import Damaged
from scorekeeper.store.evenings import Rows, rows_of, stored_evening
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.sql.inspection import BookEnd, Inspection

AS_IT_WAS = "as_it_was"
Price = Callable[[Game, Round], ScoredRound]
"""Scores a round under the rules of a game."""
EventId = tuple[str, int]
"""A game and the number of an event, or 0 for the game as a whole."""


class Host(NamedTuple):
    """The group of a game."""

    group: Group
    as_it_was: bool
    """Whether the bookings of the game were imported as they were."""


@dataclass
class Findings:
    """How much was checked, and every place that is wrong."""

    games: int = 0
    books: int = 0
    """Games and groups."""
    events: int = 0
    rounds: int = 0
    evenings: int = 0
    broken: list[EventId] = field(default_factory=list)
    texts: list[EventId] = field(default_factory=list)
    unplayable: list[EventId] = field(default_factory=list)
    repriced: list[EventId] = field(default_factory=list)
    stale: list[EventId] = field(default_factory=list)
    unbooked: list[EventId] = field(default_factory=list)
    as_it_was: list[EventId] = field(default_factory=list)
    """Differences that are marked as imported."""

    def __iadd__(self, other: "Findings") -> "Findings":
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        return self

    @property
    def are_good(self) -> bool:
        """Whether nothing is wrong."""
        lists = (self.broken, self.texts, self.unplayable, self.repriced, self.stale)
        return not any((*lists, self.unbooked))


class BookCheck:
    """Checks the books of a ledger one by one."""

    def __init__(self, ledger: Ledger, price: Price | None, hosts: Mapping[str, Host]) -> None:
        self._ledger = ledger
        self._inspection = ledger.store.inspection
        self._price = price
        self._hosts = hosts
        """The groups of the games that have one."""

    def game(self, game_id: str) -> Findings:
        """Check a game, and again if it or its group has changed meanwhile."""
        host = self._hosts.get(game_id)
        while True:
            found = Findings(books=1, games=1)
            stored = self._inspection.book(game_id)
            game = self._replay(game_id, stored, found, set())
            if isinstance(game, Game):
                self._check_evening(game, host, found)
            if found.are_good:
                return found
            before, host = host, self._host_now(game_id, host)
            if host == before and not self._has_changed(game_id, stored):
                return found

    def _has_changed(self, book_id: str, stored: BookEnd | None) -> bool:
        return self._inspection.book(book_id) != stored

    def _host_now(self, game_id: str, host: Host | None) -> Host | None:
        """Return the group of a game as it is now."""
        group_id = host.group.id if host else self._ledger.seasons.group_of(game_id)
        return self.group(group_id)[1].get(game_id) if group_id else None

    def group(self, group_id: str) -> tuple[Findings, dict[str, Host]]:
        """Check a group, and return it as the host of its games."""
        while True:
            found = Findings(books=1)
            marked: set[str] = set()
            stored = self._inspection.book(group_id)
            group = self._replay(group_id, stored, found, marked)
            if found.are_good or not self._has_changed(group_id, stored):
                break
        if not isinstance(group, Group):
            return found, {}
        return found, {game_id: Host(group, game_id in marked) for game_id in group.evenings}

    def _replay(
        self, book_id: str, stored: BookEnd | None, found: Findings, marked: set[Any]
    ) -> Book | None:
        """Check the chain and the texts of a book and replay it; None if that is impossible.

        What its events mark as imported is added to ``marked``.
        """
        rows = self._inspection.events(book_id)
        texts = self._inspection.texts(book_id)
        found.texts += wrong_texts(texts)
        broken = broken_link(book_id, stored, rows)
        if broken is not None:
            found.broken.append((book_id, broken))
            return None
        book: Book | None = None
        repriced: dict[int, int] = {}  # by event: the ordinal of a round that differs
        try:
            for event in read_events(book_id, (row[:-1] for row in rows), (t[1:4] for t in texts)):
                found.events += 1
                try:
                    after = book.apply(event) if book else begun(book_id, event)
                    now_marked, scored = _marked(event), _scored(after, event)
                except Exception as error:  # any error means that the events do not fit
                    raise Damaged(book_id, event.number) from error
                if isinstance(book, Game) and scored and self._price:
                    found.rounds += 1
                    if not _same_price(book, scored, self._price):
                        repriced[event.number] = scored.ordinal
                for number in [number for number, row in repriced.items() if row in now_marked]:
                    del repriced[number]
                    found.as_it_was.append((book_id, number))
                marked |= now_marked
                book = after
        except Damaged as damaged:
            found.unplayable.append((book_id, damaged.number))
            return None
        found.repriced += ((book_id, number) for number in repriced)
        return book

    def _check_evening(self, game: Game, host: Host | None, found: Findings) -> None:
        """Compare the stored evening and the bookings of a game with its events."""
        group = host.group if host else None
        found.evenings += group is not None
        if not is_up_to_date(self._ledger, game, group):
            found.stale.append((game.id, 0))
        if host and not is_booked(host.group, game):
            (found.as_it_was if host.as_it_was else found.unbooked).append((game.id, 0))


def _marked(event: Event) -> set[Any]:
    """Return the rounds of a game, or the games of a group, that an event marks as imported."""
    if event.kind != AS_IT_WAS:
        return set()
    return {*event.payload.get("rounds", ()), *event.payload.get("games", ())}


def is_booked(group: Group, game: Game) -> bool:
    """Return whether the balances of a group and its tournament agree with a game."""
    try:
        return not (still_to_book(group, game) or enter_table(group, game))
    except RuleError:  # no result of a table, which an import had another result for
        return False


def is_up_to_date(ledger: Ledger, game: Game, group: Group | None) -> bool:
    """Return whether the stored evening matches the game; without a group there must be none."""
    if group is None:
        return ledger.seasons.group_of(game.id) is None
    rows = ledger.seasons.evening_rows(game.id)
    derived = rows_of(group.id, stored_evening(game, group.evenings[game.id]))
    return _compared(rows) == _compared(derived)


def _compared(rows: Rows) -> object:
    """Return the columns to compare: all if the evening is over, else only group and players."""
    over = [about[4] for about in rows["evenings"]]
    if over == [True]:
        return rows
    return [about[:5] for about in rows["evenings"]], [seat[:4] for seat in rows["results"]]


def broken_at(inspection: Inspection, book_id: str) -> int | None:
    """Return what ``broken_link`` does for a book as it is now; None if there is no such book."""
    while stored := inspection.book(book_id):
        broken = broken_link(book_id, stored, inspection.events(book_id))
        if broken is None or stored == inspection.book(book_id):  # else it has grown meanwhile
            return broken
    return None


def broken_link(book_id: str, stored: BookEnd | None, rows: Sequence[EventRow]) -> int | None:
    """Return the first event whose link does not match, 0 if the book's own row does not.

    None: the chain is good.
    """
    before: object = BEGINNING
    for count, (*event, hashed) in enumerate(rows, 1):
        if event[0] != count or hashed != hashed_by(link, before, book_id, tuple(event)):
            return count
        before = hashed
    return None if rows and stored == (len(rows), before) else 0


def wrong_texts(texts: Iterable[TextRow]) -> list[EventId]:
    """Return the events with a text that does not match its checksum."""
    return [
        (book_id, number)
        for book_id, number, name, text, crc in texts
        if crc != hashed_by(text_sum, book_id, number, name, text)
    ]


def hashed_by(function: Callable[..., object], *values: Any) -> object:
    """Return a hash of values that were read; None if damage gave one of them another type."""
    try:
        return function(*values)
    except TypeError:
        return None


def _scored(book: Book, event: Event) -> Row | None:
    """Return the round that an event has recorded, corrected or inserted; None for others."""
    if event.kind not in ("round", "corrected", "inserted") or not isinstance(book, Game):
        return None
    return book.sheet.as_written(event.payload["number"])


def _same_price(game: Game, row: Row, price: Price) -> bool:
    """Return whether a round has the same winner and points today as when it was recorded.

    Warnings, marks and the wording of lines may change from one version to the next.
    """
    then = row.score
    try:
        now = price(game.under(row.rules), row.round).score
    except Exception:  # it would be refused today
        return False
    return (now.outcome, now.winner, now.scores) == (then.outcome, then.winner, then.scores)
