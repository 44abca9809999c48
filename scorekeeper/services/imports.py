"""Games and groups from elsewhere: read, checked (``import_checks``), written whole or not at all.

Checking is a plain function from the export to what may be written, without a ledger, so it
can run in another process; only the write needs the record.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

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
from scorekeeper.store.exports import BadExport, read_events, read_export
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.rights import new_secret
from scorekeeper.store.seasons import Kept, kept
from scorekeeper.wire.strict import MOST_PROBLEMS, FormError, read_json

T = TypeVar("T")

EXPORT_DEPTH = 12
"""A round lies four levels deep in its event, and a lay-off four levels deep in its round."""
GROUP_DEPTH = EXPORT_DEPTH + 2
AT_ONCE = 300
"""Events that are checked in one job; a tenth of the time that a job has, even in hard cards."""
MOST_AT_ONCE = 50
"""Games in one job, however short they are."""


# ---- use cases -----------------------------------------------------------------------


def import_game(
    ledger: Ledger,
    export: Any,
    *,
    as_it_was: bool = False,
    bounds: Bounds = NETWORK,
    read: Callable[[Any, Bounds], Checked[Game]] | None = None,
) -> Opened:
    """Take in an exported game whole, under new secrets.

    ``read`` stands for ``read_game``, for instance in another process.
    Raises BadExport for what is incomplete or changed, Known for a game that is here, and
    RuleError for what breaks a rule: E_IMPORT_DIFFERS for points that today's rules give
    otherwise, unless they are taken ``as_it_was``.
    """
    game = marked((read or read_game)(export, bounds), as_it_was)
    pen, watch = new_secret(), new_secret()
    ledger.take_in(game.book, game.events, pen=pen, watch=watch)
    return Opened(game.book, pen, watch)


def write_group(ledger: Ledger, group: "ReadGroup", games: Iterable[Any]) -> Founded:
    """Take in a group that was read with these games, under new secrets; all of it or nothing.

    The games are read a second time, so that memory need not hold what is written. Raises
    Known where the group or one of its games is here already, and BadExport for games that
    are not those that were checked.
    """
    pen, watch = new_secret(), new_secret()
    with ledger.engine.write():
        ledger.take_in(group.book, group.events, pen=pen, watch=watch)
        for game, evening in zip_longest(games, group.evenings):
            if evening is None:
                raise BadExport("more games than were checked")
            book_id, events = read_events(Game, game)
            events += [evening.mark] if evening.mark else []
            book = begun(book_id, events[0])
            ledger.take_in(book, events, pen=new_secret(), watch=new_secret())
            if (book_id, ledger.head(book_id)) != (evening.kept.game, evening.head):
                raise BadExport("not the game that was checked")
            ledger.keep_evening(group.book.id, evening.kept)
    return Founded(group.book, pen, watch)


# ---- checking ------------------------------------------------------------------------


def read_game(export: Any, bounds: Bounds) -> Checked[Game]:
    """The game of an export; BadExport or RuleError for what cannot come in."""
    return check_game(*read_export(Game, export), bounds)


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
    return check_group(*read_export(Group, export), bounds)


def _tasks(group: CheckedGroup, games: Iterable[Any]) -> Iterator[_Task]:
    """The games that left with a group; BadExport for others, and for those that are missing."""
    missing = set(group.book.evenings)
    for place, export in enumerate(games):
        game_id = export.get("id") if isinstance(export, dict) else None
        if not isinstance(game_id, str) or game_id not in missing:
            raise BadExport("a game that is no evening of this group")
        missing.remove(game_id)
        yield _Task(place, group.about(game_id), export)
    if missing:
        raise BadExport(f"{len(missing)} evenings are missing")


def _batches(tasks: Iterable[_Task]) -> Iterator[list[_Task]]:
    """Tasks of about as much work as fits well into one job."""
    batch: list[_Task] = []
    size = 0
    for task in tasks:
        given = task.export.get("events")
        events = len(given) if isinstance(given, list) else 0
        if batch and (size + events > AT_ONCE or len(batch) == MOST_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append(task)
        size += events
    if batch:
        yield batch


def read_evenings(tasks: Iterable[_Task], bounds: Bounds) -> list[ReadEvening]:
    """Check games of a group, and that they came to what the group booked of them."""
    return [_read_evening(task, bounds) for task in tasks]


def _read_evening(task: _Task, bounds: Bounds) -> ReadEvening:
    try:
        game = read_game(task.export, bounds)
    except RuleError as error:
        raise error.under("games", task.place) from None
    seating = task.group.book.evenings[game.book.id]
    if len(seating.members) != game.book.sheet.seats:
        raise BadExport(f"game {game.book.id} is no evening of this group")
    misbooked = check_evening(task.group, game)
    head: str = task.export["head"]
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
