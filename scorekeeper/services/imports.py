"""Imports of games and groups: read, checked (``import_checks``) and written as a whole.

Checks are plain functions of the export that use no ledger, so they can run in another process.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.replay import begun
from scorekeeper.services.clock import now
from scorekeeper.services.games import CreatedGame
from scorekeeper.services.groups import CreatedGroup
from scorekeeper.services.import_checks import NETWORK, Bounds, Checked
from scorekeeper.services.imported_games import check_game
from scorekeeper.services.imported_groups import CheckedGroup, check_evening, check_group
from scorekeeper.store.chain import link, stored
from scorekeeper.store.evenings import StoredEvening, stored_evening
from scorekeeper.store.exports import BadExport, exported_events, read_export
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.rows import BookRows, rows_of_book
from scorekeeper.wire.file_kinds import refuse_others
from scorekeeper.wire.strict import MAX_PROBLEMS, FormError, read_json

T = TypeVar("T")


class Sized(Protocol):
    """Work of which it is known how many events it has."""

    @property
    def events(self) -> int: ...


S = TypeVar("S", bound=Sized)

EXPORT_DEPTH = 12
"""A round lies four levels deep in its event, and a lay-off four levels deep in its round."""
GROUP_DEPTH = EXPORT_DEPTH + 2
EVENTS_PER_JOB = 300
"""Events checked in one job: a tenth of the time limit, even for hard hands."""
GAMES_PER_JOB = 50
"""Games in one job, however short they are."""
MAX_GAMES = 10_000
"""Games of a group imported as JSON: twice a week for a hundred years."""


# ---- use cases -----------------------------------------------------------------------


def import_game(
    ledger: Ledger, export: Any, *, as_it_was: bool = False, bounds: Bounds = NETWORK
) -> CreatedGame:
    """Import a game; raises as ``ready_game`` and ``write_game`` do."""
    return write_game(ledger, ready_game(export, as_it_was=as_it_was, bounds=bounds))


def write_game(ledger: Ledger, game: "ReadyGame") -> CreatedGame:
    """Store a checked game under new secrets; AlreadyExists if it is already here."""
    return CreatedGame(game.book, *ledger.import_rows(game.rows))


def write_group(
    ledger: Ledger, group: "ImportedGroup", games: Iterable[Any] | None = None
) -> CreatedGroup:
    """Store a checked group with its games, under new secrets; all or nothing.

    Games imported as JSON (``GameText``) are ready to be written. Others are read a second
    time, so that they need not all be in memory. Raises AlreadyExists if the group or a game is
    already here, and BadExport if the games are not those that were checked.

    Other writers wait for the transaction, so it contains only what is necessary.
    """
    ready = (one.rows for one in group.evenings) if games is None else _rows_again(group, games)
    rows = rows_of_book(group.book, group.events)
    with ledger.transaction():
        secrets = ledger.import_rows(rows)
        for game, evening in zip_longest(ready, group.evenings):
            if game is None or game.events[-1][-1] != evening.head:
                raise BadExport("not the game that was checked")
            ledger.import_rows(game)
        ledger.seasons.add_evenings(group.book.id, (evening.stored for evening in group.evenings))
    return CreatedGroup(group.book, *secrets)


def _rows_again(group: "ImportedGroup", games: Iterable[Any]) -> Iterator[BookRows]:
    """Yield the rows of games that were checked before."""
    for game, evening in zip_longest(games, group.evenings):
        if evening is None:
            raise BadExport("more games than were checked")
        yield _rows_of_game(*exported_events(Game, game), evening.acceptance)


def rows_of_evening(export: Any, evening: "ImportedEvening") -> BookRows:
    """Return the rows of a checked game of a group."""
    return _rows_of_game(*exported_events(Game, _values(export)), evening.acceptance)


def _rows_of_game(book_id: str, events: Sequence[Event], acceptance: Event | None) -> BookRows:
    return rows_of_book(begun(book_id, events[0]), (*events, acceptance) if acceptance else events)


# ---- checking ------------------------------------------------------------------------


def read_game(export: Any, bounds: Bounds) -> Checked[Game]:
    """Return the game of an export; BadExport or RuleError if it is not valid."""
    return check_game(*read_export(Game, export), bounds)


class ReadyGame(NamedTuple):
    """A checked game and its rows."""

    book: Game
    rows: BookRows


def ready_game(export: Any, *, as_it_was: bool, bounds: Bounds = NETWORK) -> ReadyGame:
    """Return the game of an export, ready to be written.

    Raises BadExport for an incomplete or altered export, and RuleError for broken rules:
    E_IMPORT_DIFFERS for points that today's rules would not give, unless ``as_it_was``.
    """
    game = with_acceptance(read_game(export, bounds), as_it_was)
    return ReadyGame(game.book, rows_of_book(game.book, game.events))


def game_from_json(body: bytes, *, as_it_was: bool) -> ReadyGame:
    """Return ``ready_game`` of a JSON text; FormError if it is not JSON."""
    refuse_others(body, "game")
    return ready_game(read_json(body, EXPORT_DEPTH), as_it_was=as_it_was)


class GameText(NamedTuple):
    """A game of a group as JSON, which is parsed where it is checked."""

    id: str | None
    events: int
    text: str


def group_from_json(body: bytes) -> tuple[str, list[GameText]]:
    """Return a group without its games, and its games, all as JSON.

    FormError if the text is not JSON, BadExport if it is not a group.
    """
    refuse_others(body, "group")
    data = read_json(body, GROUP_DEPTH)
    games = data.pop("games", None) if isinstance(data, dict) else None
    if not isinstance(games, list) or len(games) > MAX_GAMES:
        raise BadExport("no group with its games")
    return json.dumps(data), [_game_text(game) for game in games]


def _game_text(game: Any) -> GameText:
    game_id, events = _about(game)
    return GameText(game_id if isinstance(game_id, str) else None, events, json.dumps(game))


def _values(export: Any) -> Any:
    """Return the values of an export that may still be JSON."""
    return json.loads(export) if isinstance(export, str) else export


@dataclass(frozen=True)
class ImportedEvening:
    """A checked game of a group, reduced to what is needed to write it."""

    head: bytes
    """The head of its chain once written, including ``acceptance``."""
    stored: StoredEvening
    acceptance: Event | None
    """The event that accepts its points as they were, to append to its own."""
    problems: tuple[Problem, ...]
    """Differences that have to be accepted as they were."""
    misbooked: bool
    """Whether the group must be marked for this evening."""
    rows: BookRows | None = None
    """The rows of a game imported as JSON; others are read again when written."""


@dataclass(frozen=True)
class ImportedGroup:
    """A checked group and its evenings, in the order of its games."""

    book: Group
    events: Sequence[Event]
    evenings: Sequence[ImportedEvening]


@dataclass(frozen=True)
class _Task:
    """A game to check, its index in the group, and what the group knows about it."""

    place: int
    group: CheckedGroup
    export: Any
    events: int


Run = Callable[..., Any]
"""Calls a function with plain data, for example in another process."""


def run_here(job: Callable[..., T], *args: Any) -> T:
    """Call a function in this process."""
    return job(*args)


def read_group(
    export: Any,
    games: Iterable[Any],
    *,
    as_it_was: bool = False,
    bounds: Bounds = NETWORK,
    run: Run = run_here,
) -> ImportedGroup:
    """Check a group and its games, without writing anything.

    ``run`` does the work in jobs of at most EVENTS_PER_JOB events, unless one game has more.
    Raises as ``import_game`` does, with the findings of several games.
    """
    group: CheckedGroup = run(read_group_alone, export, bounds)
    evenings: list[ImportedEvening] = []
    problems: list[Problem] = []
    for tasks in batches(_tasks(group, games)):
        read: Sequence[ImportedEvening] = run(read_evenings, tasks, bounds)
        evenings += read
        for task, evening in zip(tasks, read, strict=True):
            problems += (problem.under("games", task.place) for problem in evening.problems)
        if not as_it_was and len(problems) >= MAX_PROBLEMS:
            break
    if problems and not as_it_was:
        raise RuleError.of(problems[:MAX_PROBLEMS])
    if misbooked := sorted(one.stored.game for one in evenings if one.misbooked):
        acceptance = _acceptance(group.book.version, games=misbooked)
        return ImportedGroup(group.book.apply(acceptance), (*group.events, acceptance), evenings)
    return ImportedGroup(group.book, group.events, evenings)


def read_group_alone(export: Any, bounds: Bounds) -> CheckedGroup:
    return check_group(*read_export(Group, _values(export)), bounds)


def _tasks(group: CheckedGroup, games: Iterable[Any]) -> Iterator[_Task]:
    """Yield the games of a group; BadExport for games of others or missing ones."""
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
    """Return the id of a game and its number of events."""
    if isinstance(export, GameText):
        return export.id, export.events
    about = export if isinstance(export, dict) else {}
    events = about.get("events")
    return about.get("id"), len(events) if isinstance(events, list) else 0


def batches(tasks: Iterable[S]) -> Iterator[list[S]]:
    """Yield tasks in batches for one job each."""
    batch: list[S] = []
    size = 0
    for task in tasks:
        if batch and (size + task.events > EVENTS_PER_JOB or len(batch) == GAMES_PER_JOB):
            yield batch
            batch, size = [], 0
        batch.append(task)
        size += task.events
    if batch:
        yield batch


def read_evenings(tasks: Iterable[_Task], bounds: Bounds) -> list[ImportedEvening]:
    """Check games of a group, and that the group booked their results."""
    return [_read_evening(task, bounds) for task in tasks]


def _read_evening(task: _Task, bounds: Bounds) -> ImportedEvening:
    export = _values(task.export)
    try:
        game = read_game(export, bounds)
    except RuleError as error:
        raise error.under("games", task.place) from None
    seating = task.group.book.evenings[game.book.id]
    if len(seating.members) != game.book.sheet.seats:
        raise BadExport(f"game {game.book.id} is no evening of this group")
    misbooked = check_evening(task.group, game)
    head = bytes.fromhex(export["head"])
    acceptance = None
    if game.differences:
        acceptance = _acceptance(game.book.version, rounds=_rounds(game))
        head = link(head, game.book.id, stored(acceptance))
    kept = export is not task.export
    rows = _rows_of_game(game.book.id, game.events, acceptance) if kept else None
    return ImportedEvening(
        head=head,
        stored=stored_evening(game.book, seating),
        acceptance=acceptance,
        problems=tuple(difference.problem for difference in (*game.differences, *misbooked))[
            :MAX_PROBLEMS
        ],
        misbooked=bool(misbooked),
        rows=rows,
    )


def with_acceptance(game: Checked[Game], as_it_was: bool) -> Checked[Game]:
    """Return the game marked for differences; RuleError E_IMPORT_DIFFERS unless ``as_it_was``."""
    if not game.differences:
        return game
    if not as_it_was:
        raise RuleError.of([difference.problem for difference in game.differences][:MAX_PROBLEMS])
    acceptance = _acceptance(game.book.version, rounds=_rounds(game))
    return Checked(game.book.apply(acceptance), (*game.events, acceptance))


def _rounds(game: Checked[Game]) -> tuple[int, ...]:
    """Return the rounds that today's rules score differently."""
    return tuple(
        sorted(
            {difference.what for difference in game.differences if isinstance(difference.what, int)}
        )
    )


def _acceptance(version: int, **found: Sequence[int | str]) -> Event:
    """Return the event that marks what was accepted as it was."""
    payload = {name: list(what) for name, what in found.items()}
    return Event(version + 1, now(), "as_it_was", "pen", payload)


# ---- files ---------------------------------------------------------------------------


def read_exports(
    file: Path, step: Callable[[int], None] = lambda _: None
) -> Iterator[Mapping[str, Any]]:
    """Yield the exports in a file: one export, or a group and its games on one line each.

    The file is read line by line if possible, so that a large group needs little memory.
    ``step`` is called with the number of bytes read.
    """
    with file.open("rb") as lines:
        first = lines.readline()
        try:
            export = read_object(first)
        except FormError:  # one export over several lines
            first += lines.read()
            export = read_object(first)
        yield from _unpacked(export)
        step(len(first))
        for line in lines:
            if line.strip():
                yield read_object(line)
            step(len(line))


def read_object(text: bytes) -> Mapping[str, Any]:
    """Return the export in a JSON text; FormError if it is not JSON, BadExport if no object."""
    try:
        export = read_json(text, GROUP_DEPTH)
    except FormError:
        refuse_others(text, "game", "group", "copy")
        raise
    if not isinstance(export, dict):
        raise BadExport("not an export of scorekeeper")
    return export


def _unpacked(export: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a group, then the games inside it."""
    yield export
    games = export.get("games", [])
    if not isinstance(games, list):
        raise BadExport("no list of games")
    yield from games
