"""Is everything still there, as it was written? Findings are facts; others word them."""

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
from scorekeeper.store.evenings import Rows, kept, rows_of
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.protocol import Inspection
from scorekeeper.store.report import SHOWN, Line, Report

AS_IT_WAS = "as_it_was"
Price = Callable[[Game, Round], RoundScore]
"""Prices a round under the rules of a game."""
Watch = Callable[[list[Any]], Iterable[Any]]
"""Passes the books on one by one, and may say how far it is."""


EventId = tuple[str, int]
"""A game and the number of an event; 0: the game as a whole."""


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
    """By game: the group it belongs to."""
    evenings: int = 0
    stale: list[EventId] = field(default_factory=list)
    unbooked: list[EventId] = field(default_factory=list)
    booked_as_it_was: set[str] = field(default_factory=set)
    """Games whose amounts their groups marked as imported as they were."""
    as_it_was: list[EventId] = field(default_factory=list)
    """What differs today and is marked so."""


def check(ledger: Ledger, price: Price | None = None, watch: Watch = iter) -> Report:
    """Engine, pragmas, tables, pages, chain, texts, replay of every book, and disk.

    With ``price`` every round is priced again. Whatever differs is reported and nothing is
    changed: the ledger may be open for reading only. What was imported as it was, and is
    marked so, is told but no finding.
    """
    return Report(tuple(_lines(ledger, price, watch)))


def _lines(ledger: Ledger, price: Price | None, watch: Watch) -> Iterator[Line]:
    inspection = ledger.store.inspection
    yield inspection.engine_line()
    yield inspection.settings_line()
    try:
        yield inspection.tables_line()
        yield inspection.pages_line()
        found = _Findings()
        books = inspection.books()
        for game_id, kind, version, head in watch(
            books
        ):  # groups first: they say whose evening it was
            found.books += 1
            found.games += kind == "game"
            broken = _first_broken(inspection, game_id, version, head)
            if broken is None:
                book = _play(ledger, game_id, price, found)
                if isinstance(book, Group):
                    found.groups |= dict.fromkeys(book.evenings, book)
                elif isinstance(book, Game):
                    _look_at_evening(ledger, book, found)
            else:
                found.broken.append((game_id, broken))
        _look_at_texts(inspection, found)
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


def _play(ledger: Ledger, game_id: str, price: Price | None, found: _Findings) -> Book | None:
    """Replay one book whose chain is good."""
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
        except Exception:  # whatever it is: this history makes no book
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
    """The rounds of a game, or the games of a group, that an event marks as they were."""
    if event.kind != AS_IT_WAS:
        return set()
    return {*event.payload.get("rounds", ()), *event.payload.get("games", ())}


def _look_at_evening(ledger: Ledger, game: Game, found: _Findings) -> None:
    """Compare what is kept of a game for its group with what it comes to."""
    group = found.groups.get(game.id)
    found.evenings += group is not None
    if not _is_kept(ledger, game, group):
        found.stale.append((game.id, 0))
    if group and still_to_book(group, game):
        is_marked = game.id in found.booked_as_it_was
        (found.as_it_was if is_marked else found.unbooked).append((game.id, 0))


def _is_kept(ledger: Ledger, game: Game, group: Group | None) -> bool:
    """Whether the projections of a game are what its events give; none for a game of no group."""
    there = ledger.seasons.rows_kept(game.id)
    if group is None:
        return not there["evenings"]
    return _settled(there) == _settled(rows_of(group.id, kept(game, group.evenings[game.id])))


@dataclass(frozen=True)
class Rebuilt:
    """How many evenings of groups were looked at, and how many of them were put right."""

    evenings: int
    changed: int


def rebuild(ledger: Ledger, watch: Watch = iter) -> Rebuilt:
    """Derive what is kept of evenings from the events again, where it differs.

    Only projections change; the events stay as they are. Raises Unreadable or NotSaved.
    """
    groups = {
        game_id: group_id
        for group_id in ledger.groups()
        for game_id in ledger.group(group_id).evenings
    }
    games = [*ledger.store.events.ids("game")]
    changed = sum(_put_right(ledger, game_id, groups.get(game_id)) for game_id in watch(games))
    return Rebuilt(len(groups), changed)


def _put_right(ledger: Ledger, game_id: str, group_id: str | None) -> bool:
    """Whether the projections of one game had to be written anew."""
    with ledger.transaction():  # nobody plays on between the look and the change
        game, group = ledger.game(game_id), ledger.group(group_id) if group_id else None
        if group and game_id not in group.evenings:
            group = None
        if _is_kept(ledger, game, group):
            return False
        ledger.seasons.drop_evening(game_id)
        if group:
            ledger.seasons.keep_evening(group.id, kept(game, group.evenings[game_id]))
    return True


def _settled(rows: Rows) -> object:
    """What must be right of an evening; while it goes on, only whose it is and who sits there."""
    over = [about[4] for about in rows["evenings"]]
    if over == [True]:
        return rows
    return [about[:5] for about in rows["evenings"]], [seat[:4] for seat in rows["results"]]


def broken_at(ledger: Ledger, book_id: str) -> int | None:
    """The first event of a book whose link does not fit; None where the chain is good."""
    inspection = ledger.store.inspection
    found = inspection.book(book_id)
    return _first_broken(inspection, book_id, *found) if found else None


def _first_broken(inspection: Inspection, game_id: str, version: int, head: bytes) -> int | None:
    """The first event whose link does not fit; 0 if the game and its last event differ."""
    before: object = BEGINNING
    count = 0
    for count, (*event, hashed) in enumerate(inspection.events(game_id), 1):
        if event[0] != count or hashed != _sum(link, before, game_id, tuple(event)):
            return count
        before = hashed
    return None if (version, head) == (count, before) and count else 0


def _sum(of: Callable[..., object], *values: Any) -> object:
    """A sum over what was read, or None where damage gave a value another type."""
    try:
        return of(*values)
    except TypeError:
        return None


def _same_price(game: Game, event: Event, price: Price) -> bool:
    """Whether a round has the winner and gives everybody the points today that it did then.

    Warnings, marks and the wording of lines may change from one version to the next.
    """
    then = decode_score(event.payload["score"])
    try:
        now = price(game, decode_round(event.payload["round"]))
    except Exception:  # today it would be refused
        return False
    return (now.outcome, now.winner, now.scores) == (then.outcome, then.winner, then.scores)


def _look_at_texts(inspection: Inspection, found: _Findings) -> None:
    for game_id, number, name, text, crc in inspection.texts():
        if crc != _sum(text_sum, game_id, number, name, text):
            found.texts.append((game_id, number))


def find_digits(ledger: Ledger, digits: str) -> tuple[EventId, ...]:
    """Which games, at which version, bear the digits of a printed sheet; none: never was."""
    wanted = "".join(digits.split()).lower()
    if len(wanted) < 8 or not set(wanted) <= set("0123456789abcdef"):
        raise ValueError(digits)
    return tuple(ledger.store.inspection.with_digits(wanted, SHOWN))
