"""Integrity check of the database (``scorekeeper check``), and rebuilding of stored evenings.

The findings are facts; the catalogues word them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.domain.book import Book, Event
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group, still_to_book
from scorekeeper.domain.record import decode_round, decode_score
from scorekeeper.domain.replay import begun
from scorekeeper.domain.rounds import Round, RoundScore
from scorekeeper.store.chain import BEGINNING, link, text_sum
from scorekeeper.store.errors import Damaged, Unreadable
from scorekeeper.store.evenings import Rows, rows_of, stored_evening
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.protocol import Inspection
from scorekeeper.store.report import SHOWN, Line, Report

AS_IT_WAS = "as_it_was"
Price = Callable[[Game, Round], RoundScore]
"""Scores a round under the rules of a game."""
Progress = Callable[[list[Any]], Iterable[Any]]
"""Yields the books of a list one by one, for example with a progress bar."""


EventId = tuple[str, int]
"""A game and the number of an event, or 0 for the game as a whole."""


@dataclass
class _Findings:
    games: int = 0
    books: int = 0
    """Games and groups."""
    events: int = 0
    rounds: int = 0
    broken: list[EventId] = field(default_factory=list)
    texts: list[EventId] = field(default_factory=list)
    unplayable: list[EventId] = field(default_factory=list)
    repriced: list[EventId] = field(default_factory=list)
    groups: dict[str, Group] = field(default_factory=dict)
    """The group of each game."""
    evenings: int = 0
    stale: list[EventId] = field(default_factory=list)
    unbooked: list[EventId] = field(default_factory=list)
    booked_as_it_was: set[str] = field(default_factory=set)
    """Games whose bookings were imported as they were."""
    as_it_was: list[EventId] = field(default_factory=list)
    """Differences that are marked as imported."""


def check(ledger: Ledger, price: Price | None = None, progress: Progress = iter) -> Report:
    """Check engine, pragmas, tables, pages, chain, texts, replay of every book, and disk.

    With ``price`` every round is scored again. Differences are reported and nothing is changed,
    so the ledger may be open for reading only. Differences that were marked when they were
    imported are reported but are no failure.
    """
    return Report(tuple(_lines(ledger, price, progress)))


def _lines(ledger: Ledger, price: Price | None, progress: Progress) -> Iterator[Line]:
    inspection = ledger.store.inspection
    yield inspection.engine_line()
    yield inspection.settings_line()
    try:
        yield inspection.tables_line()
        yield inspection.pages_line()
        found = _Findings()
        books = inspection.books()  # groups first, because they name their games
        for game_id, kind, version, head in progress(books):
            found.books += 1
            found.games += kind == "game"
            broken = _first_broken(inspection, game_id, version, head)
            if broken is None:
                book = _replay(ledger, game_id, price, found)
                if isinstance(book, Group):
                    found.groups |= dict.fromkeys(book.evenings, book)
                elif isinstance(book, Game):
                    _check_evening(ledger, book, found)
            else:
                found.broken.append((game_id, broken))
        _check_texts(inspection, found)
    except Unreadable as error:
        yield Line("readable", False, {"error": str(error)})
    else:
        yield Line("readable", True)
        counted = {"games": found.games, "books": found.books}
        yield _verdict("chain", found.broken, **counted, events=found.events)
        yield _verdict("texts", found.texts)
        yield _verdict("replay", found.unplayable, **counted)
        yield _verdict("evenings", found.stale, evenings=found.evenings)
        yield _verdict("accounts", found.unbooked, evenings=found.evenings)
        if price:
            yield _verdict("prices", found.repriced, rounds=found.rounds)
        if found.as_it_was:
            facts = {"n": len(found.as_it_was), "places": tuple(found.as_it_was[:SHOWN])}
            yield Line("as_it_was", True, facts)
    yield inspection.space_line()


def _verdict(key: str, bad: list[EventId], **facts: int) -> Line:
    return Line(key, not bad, {**facts, "bad": len(bad), "places": tuple(bad[:SHOWN])})


def _replay(ledger: Ledger, game_id: str, price: Price | None, found: _Findings) -> Book | None:
    """Replay a book whose chain is good, and return it; None if it cannot be replayed."""
    book: Book | None = None
    try:
        events = ledger.events(game_id)
    except Damaged as damaged:
        found.unplayable.append((game_id, damaged.number))
        return None
    repriced: dict[int, int] = {}  # by event: the number of a round that differs
    for event in events:
        found.events += 1
        try:
            after = book.apply(event) if book else begun(game_id, event)
            marked = _marked(event)
        except Exception:  # any error means that the events do not fit
            found.unplayable.append((game_id, event.number))
            return None
        if isinstance(book, Game) and price and event.kind in ("round", "corrected"):
            found.rounds += 1
            if not _same_price(book, event, price):
                repriced[event.number] = event.payload["number"]
        if isinstance(after, Group):
            found.booked_as_it_was |= marked
        for number in [number for number, row in repriced.items() if row in marked]:
            del repriced[number]
            found.as_it_was.append((game_id, number))
        book = after
    found.repriced += ((game_id, number) for number in repriced)
    return book


def _marked(event: Event) -> set[Any]:
    """Return the rounds of a game, or the games of a group, that an event marks as imported."""
    if event.kind != AS_IT_WAS:
        return set()
    return {*event.payload.get("rounds", ()), *event.payload.get("games", ())}


def _check_evening(ledger: Ledger, game: Game, found: _Findings) -> None:
    """Compare the stored evening and the bookings of a game with its events."""
    group = found.groups.get(game.id)
    found.evenings += group is not None
    if not _is_up_to_date(ledger, game, group):
        found.stale.append((game.id, 0))
    if group and still_to_book(group, game):
        is_marked = game.id in found.booked_as_it_was
        (found.as_it_was if is_marked else found.unbooked).append((game.id, 0))


def _is_up_to_date(ledger: Ledger, game: Game, group: Group | None) -> bool:
    """Return whether the stored evening matches the game; without a group there must be none."""
    rows = ledger.seasons.evening_rows(game.id)
    if group is None:
        return not rows["evenings"]
    derived = rows_of(group.id, stored_evening(game, group.evenings[game.id]))
    return _compared(rows) == _compared(derived)


@dataclass(frozen=True)
class Rebuilt:
    """The number of evenings of groups, and the number of those that were rewritten."""

    evenings: int
    changed: int


def rebuild(ledger: Ledger, progress: Progress = iter) -> Rebuilt:
    """Derive the stored evenings from the events again, and rewrite those that differ.

    Events are not changed. Raises Unreadable or NotSaved.
    """
    groups = {
        game_id: group_id
        for group_id in ledger.groups()
        for game_id in ledger.group(group_id).evenings
    }
    games = [*ledger.store.events.ids("game")]
    changed = sum(_rebuild(ledger, game_id, groups.get(game_id)) for game_id in progress(games))
    return Rebuilt(len(groups), changed)


def _rebuild(ledger: Ledger, game_id: str, group_id: str | None) -> bool:
    """Rewrite the stored evening of a game if it differs, and return whether it did."""
    with ledger.transaction():  # the game must not change between comparing and writing
        game, group = ledger.game(game_id), ledger.group(group_id) if group_id else None
        if group and game_id not in group.evenings:
            group = None
        if _is_up_to_date(ledger, game, group):
            return False
        ledger.seasons.delete_evening(game_id)
        if group:
            ledger.seasons.save_evening(group.id, stored_evening(game, group.evenings[game_id]))
    return True


def _compared(rows: Rows) -> object:
    """Return the columns to compare: all if the evening is over, else only group and players."""
    over = [about[4] for about in rows["evenings"]]
    if over == [True]:
        return rows
    return [about[:5] for about in rows["evenings"]], [seat[:4] for seat in rows["results"]]


def broken_at(ledger: Ledger, book_id: str) -> int | None:
    """Return the first event of a book whose link does not match; None if the chain is good."""
    inspection = ledger.store.inspection
    found = inspection.book(book_id)
    return _first_broken(inspection, book_id, *found) if found else None


def _first_broken(inspection: Inspection, game_id: str, version: int, head: bytes) -> int | None:
    """Return the first event whose link does not match; 0 if the book's own row does not."""
    before: object = BEGINNING
    count = 0
    for count, (*event, hashed) in enumerate(inspection.events(game_id), 1):
        if event[0] != count or hashed != _hashed(link, before, game_id, tuple(event)):
            return count
        before = hashed
    return None if (version, head) == (count, before) and count else 0


def _hashed(function: Callable[..., object], *values: Any) -> object:
    """Return a hash of values that were read; None if damage gave one of them another type."""
    try:
        return function(*values)
    except TypeError:
        return None


def _same_price(game: Game, event: Event, price: Price) -> bool:
    """Return whether a round has the same winner and points today as when it was recorded.

    Warnings, marks and the wording of lines may change from one version to the next.
    """
    then = decode_score(event.payload["score"])
    try:
        now = price(game, decode_round(event.payload["round"]))
    except Exception:  # it would be refused today
        return False
    return (now.outcome, now.winner, now.scores) == (then.outcome, then.winner, then.scores)


def _check_texts(inspection: Inspection, found: _Findings) -> None:
    for game_id, number, name, text, crc in inspection.texts():
        if crc != _hashed(text_sum, game_id, number, name, text):
            found.texts.append((game_id, number))


def find_digits(ledger: Ledger, digits: str) -> tuple[EventId, ...]:
    """Return the games and versions with the digits of a printed sheet; ValueError for nonsense."""
    wanted = "".join(digits.split()).lower()
    if len(wanted) < 8 or not set(wanted) <= set("0123456789abcdef"):
        raise ValueError(digits)
    return tuple(ledger.store.inspection.with_digits(wanted, SHOWN))
