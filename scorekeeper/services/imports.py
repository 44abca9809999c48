"""Games and groups from elsewhere: read, checked (``import_checks``), written whole or not at all.

Checking is a plain function from the export to what may be written, without a ledger, so it
can run in another process; only the write needs the record.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from scorekeeper.domain.book import Event
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.replay import begun
from scorekeeper.services.bookkeeping import now
from scorekeeper.services.games import Opened
from scorekeeper.services.groups import Founded
from scorekeeper.services.import_checks import (
    NETWORK,
    Bounds,
    Checked,
    CheckedGroup,
    check_evening,
    check_game,
    check_group,
)
from scorekeeper.store.chain import link, stored
from scorekeeper.store.evenings import Kept, kept
from scorekeeper.store.exports import BadExport, read_events, read_export
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.rights import new_secret
from scorekeeper.store.rows import BookRows, rows_of_book
from scorekeeper.wire.strict import MOST_PROBLEMS, FormError, read_json

T = TypeVar("T")

EXPORT_DEPTH = 12
"""A round lies four levels deep in its event, and a lay-off four levels deep in its round."""
GROUP_DEPTH = EXPORT_DEPTH + 2
AT_ONCE = 300
"""Events that are checked in one job; a tenth of the time that a job has, even in hard cards."""
MOST_AT_ONCE = 50
"""Games in one job, however short they are."""
MOST_GAMES = 10_000
"""Games of a group that comes as JSON: twice a week for a hundred years."""


# ---- use cases -----------------------------------------------------------------------


def import_game(
    ledger: Ledger, export: Any, *, as_it_was: bool = False, bounds: Bounds = NETWORK
) -> Opened:
    """Take in an exported game whole; raises as ``ready_game`` and ``write_game`` do."""
    return write_game(ledger, ready_game(export, as_it_was=as_it_was, bounds=bounds))


def write_game(ledger: Ledger, game: "ReadyGame") -> Opened:
    """Take in a game that was checked, under new secrets; AlreadyExists for one that is here."""
    pen, watch = new_secret(), new_secret()
    ledger.take_in_rows(game.rows, pen=pen, watch=watch)
    return Opened(game.book, pen, watch)


def write_group(ledger: Ledger, group: "ReadGroup", games: Iterable[Any] | None = None) -> Founded:
    """Take in a group that was read with these games, under new secrets; all of it or nothing.

    Games that came as JSON (``GameText``) are ready to be written. Others are read a second
    time, so that memory need not hold them all. Raises AlreadyExists where the group or one of its
    games is here already, and BadExport for games that are not those that were checked.

    Whoever records a round waits meanwhile, so only what must be is done in the transaction.
    """
    ready = (one.rows for one in group.evenings) if games is None else _again(group, games)
    rows = rows_of_book(group.book, group.events)
    pen, watch, *secrets = (new_secret() for _ in range(2 + 2 * len(group.evenings)))
    with ledger.transaction():
        ledger.take_in_rows(rows, pen=pen, watch=watch)
        for game, evening in zip_longest(ready, group.evenings):
            if game is None or (game.book, game.head.hex()) != (evening.kept.game, evening.head):
                raise BadExport("not the game that was checked")
            ledger.take_in_rows(game, pen=secrets.pop(), watch=secrets.pop())
        ledger.seasons.keep_evenings(group.book.id, (evening.kept for evening in group.evenings))
    return Founded(group.book, pen, watch)


def _again(group: "ReadGroup", games: Iterable[Any]) -> Iterator[BookRows]:
    """The rows of games that were checked before."""
    for game, evening in zip_longest(games, group.evenings):
        if evening is None:
            raise BadExport("more games than were checked")
        yield _rows_of_game(*read_events(Game, game), evening.mark)


def _rows_of_game(book_id: str, events: Sequence[Event], mark: Event | None) -> BookRows:
    return rows_of_book(begun(book_id, events[0]), (*events, mark) if mark else events)


# ---- checking ------------------------------------------------------------------------


def read_game(export: Any, bounds: Bounds) -> Checked[Game]:
    """The game of an export; BadExport or RuleError for what cannot come in."""
    return check_game(*read_export(Game, export), bounds)


class ReadyGame(NamedTuple):
    """A game that may come in, and its rows."""

    book: Game
    rows: BookRows


def ready_game(export: Any, *, as_it_was: bool, bounds: Bounds = NETWORK) -> ReadyGame:
    """Return the game of an export, ready to be written.

    Raises BadExport for what is incomplete or changed, and RuleError for what breaks a rule:
    E_IMPORT_DIFFERS for points that today's rules give otherwise, unless they are taken
    ``as_it_was``.
    """
    game = marked(read_game(export, bounds), as_it_was)
    return ReadyGame(game.book, rows_of_book(game.book, game.events))


def game_from_json(body: bytes, *, as_it_was: bool) -> ReadyGame:
    """As ``ready_game``, from JSON; FormError for what is none."""
    return ready_game(read_json(body, EXPORT_DEPTH), as_it_was=as_it_was)


class GameText(NamedTuple):
    """A game of a group as JSON, which is read where it is checked."""

    id: str | None
    events: int
    text: str


def group_from_json(body: bytes) -> tuple[str, list[GameText]]:
    """Return a group without its games, and its games, all as JSON.

    FormError for what is no JSON, BadExport for what is no group.
    """
    data = read_json(body, GROUP_DEPTH)
    games = data.pop("games", None) if isinstance(data, dict) else None
    if not isinstance(games, list) or len(games) > MOST_GAMES:
        raise BadExport("no group with its games")
    return json.dumps(data), [_game_text(game) for game in games]


def _game_text(game: Any) -> GameText:
    game_id, events = _about(game)
    return GameText(game_id if isinstance(game_id, str) else None, events, json.dumps(game))


def _values(export: Any) -> Any:
    """The values of an export that may be JSON still."""
    return json.loads(export) if isinstance(export, str) else export


@dataclass(frozen=True)
class ReadEvening:
    """A game that was checked with its group, reduced to what writing it takes."""

    head: str
    """Once it is written, with its mark."""
    kept: Kept
    mark: Event | None
    """To be written after its own events."""
    problems: tuple[Problem, ...]
    """Why it comes in only as it was."""
    misbooked: bool
    """The group has to be marked for it."""
    rows: BookRows | None = None
    """Of a game that came as JSON; another one is read again when it is written."""


@dataclass(frozen=True)
class ReadGroup:
    """A group that may come in, and its evenings in the order of their games."""

    book: Group
    events: Sequence[Event]
    evenings: Sequence[ReadEvening]


@dataclass(frozen=True)
class _Task:
    """A game to check, its place among those of its group, and what the group says of it."""

    place: int
    group: CheckedGroup
    export: Any
    events: int


Run = Callable[..., Any]
"""Calls a function of plain data, for instance in another process."""


def _here(job: Callable[..., T], *given: Any) -> T:
    return job(*given)


def read_group(
    export: Any,
    games: Iterable[Any],
    *,
    as_it_was: bool = False,
    bounds: Bounds = NETWORK,
    run: Run = _here,
) -> ReadGroup:
    """Check a group and its games; nothing is written.

    ``run`` does the work, a few games at a time, each time no more than ``AT_ONCE`` events
    unless one game has more. Raises as ``import_game``, with the findings of several games.
    """
    group: CheckedGroup = run(read_group_alone, export, bounds)
    evenings: list[ReadEvening] = []
    problems: list[Problem] = []
    for tasks in _batches(_tasks(group, games)):
        read: Sequence[ReadEvening] = run(read_evenings, tasks, bounds)
        evenings += read
        for task, evening in zip(tasks, read, strict=True):
            problems += (one.under("games", task.place) for one in evening.problems)
        if not as_it_was and len(problems) >= MOST_PROBLEMS:
            break
    if problems and not as_it_was:
        raise RuleError.of(problems[:MOST_PROBLEMS])
    if misbooked := sorted(one.kept.game for one in evenings if one.misbooked):
        mark = _mark(group.book.version, games=misbooked)
        return ReadGroup(group.book.apply(mark), (*group.events, mark), evenings)
    return ReadGroup(group.book, group.events, evenings)


def read_group_alone(export: Any, bounds: Bounds) -> CheckedGroup:
    return check_group(*read_export(Group, _values(export)), bounds)


def _tasks(group: CheckedGroup, games: Iterable[Any]) -> Iterator[_Task]:
    """The games that left with a group; BadExport for others, and for those that are missing."""
    missing = set(group.book.evenings)
    for place, export in enumerate(games):
        game_id, events = _about(export)
        if not isinstance(game_id, str) or game_id not in missing:
            raise BadExport("a game that is no evening of this group")
        missing.remove(game_id)
        text = export.text if isinstance(export, GameText) else export
        yield _Task(place, group.about(game_id), text, events)
    if missing:
        raise BadExport(f"{len(missing)} evenings are missing")


def _about(export: Any) -> tuple[Any, int]:
    """The id of a game, and how many events it has."""
    if isinstance(export, GameText):
        return export.id, export.events
    about = export if isinstance(export, dict) else {}
    events = about.get("events")
    return about.get("id"), len(events) if isinstance(events, list) else 0


def _batches(tasks: Iterable[_Task]) -> Iterator[list[_Task]]:
    """Tasks of about as much work as fits well into one job."""
    batch: list[_Task] = []
    size = 0
    for task in tasks:
        if batch and (size + task.events > AT_ONCE or len(batch) == MOST_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append(task)
        size += task.events
    if batch:
        yield batch


def read_evenings(tasks: Iterable[_Task], bounds: Bounds) -> list[ReadEvening]:
    """Check games of a group, and that they came to what the group booked of them."""
    return [_read_evening(task, bounds) for task in tasks]


def _read_evening(task: _Task, bounds: Bounds) -> ReadEvening:
    export = _values(task.export)
    try:
        game = read_game(export, bounds)
    except RuleError as error:
        raise error.under("games", task.place) from None
    seating = task.group.book.evenings[game.book.id]
    if len(seating.members) != game.book.sheet.seats:
        raise BadExport(f"game {game.book.id} is no evening of this group")
    misbooked = check_evening(task.group, game)
    head: str = export["head"]
    mark = None
    if game.differences:
        mark = _mark(game.book.version, rounds=_rounds(game))
        head = link(bytes.fromhex(head), game.book.id, stored(mark)).hex()
    return ReadEvening(
        head=head,
        kept=kept(game.book, seating),
        mark=mark,
        problems=tuple(one.problem for one in (*game.differences, *misbooked))[:MOST_PROBLEMS],
        misbooked=bool(misbooked),
        rows=_rows_of_game(game.book.id, game.events, mark) if export is not task.export else None,
    )


def marked(game: Checked[Game], as_it_was: bool) -> Checked[Game]:
    """The game with the mark for what is taken as it was; RuleError E_IMPORT_DIFFERS without."""
    if not game.differences:
        return game
    if not as_it_was:
        raise RuleError.of([one.problem for one in game.differences][:MOST_PROBLEMS])
    mark = _mark(game.book.version, rounds=_rounds(game))
    return Checked(game.book.apply(mark), (*game.events, mark))


def _rounds(game: Checked[Game]) -> tuple[int, ...]:
    """The rounds that today's rules score otherwise."""
    return tuple(sorted({one.what for one in game.differences if isinstance(one.what, int)}))


def _mark(version: int, **found: Sequence[int | str]) -> Event:
    """The event that says what was taken as it was."""
    payload = {name: list(what) for name, what in found.items()}
    return Event(version + 1, now(), "as_it_was", "pen", payload)


# ---- files ---------------------------------------------------------------------------


def read_exports(
    file: Path, step: Callable[[int], None] = lambda _: None
) -> Iterator[Mapping[str, Any]]:
    """The exports in a file: one, or a group and then its games, each on a line of its own.

    Line by line where it can be, so that a large group fits into a small memory. ``step``
    hears how many bytes are read.
    """
    with file.open("rb") as lines:
        first = lines.readline()
        try:
            export = _object(first)
        except FormError:  # one export, over several lines
            export, first = _object(first + lines.read()), b""
        yield from _unpacked(export)
        step(len(first))
        for line in lines:
            if line.strip():
                yield _object(line)
            step(len(line))


def _object(text: bytes) -> Mapping[str, Any]:
    export = read_json(text, GROUP_DEPTH)
    if not isinstance(export, dict):
        raise BadExport("not an export of scorekeeper")
    return export


def _unpacked(export: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A group, and the games that came inside of it."""
    yield export
    games = export.get("games", [])
    if not isinstance(games, list):
        raise BadExport("no list of games")
    yield from games
