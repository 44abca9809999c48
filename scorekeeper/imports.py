"""Games and groups from elsewhere: read, checked (``import_checks``), written whole or not at all.

Checking is a plain function from the export to what may be written, without a ledger, so it
can run in another process; only the write needs the record.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scorekeeper.bookkeeping import now, remember, write
from scorekeeper.changes import Draft
from scorekeeper.domain.book import Event
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.groups import Founded
from scorekeeper.import_checks import (
    NETWORK,
    Bounds,
    Checked,
    check_evening,
    check_game,
    check_group,
)
from scorekeeper.service import Opened
from scorekeeper.store.exports import BadExport, read_export
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.rights import new_secret
from scorekeeper.strict import MOST_PROBLEMS, FormError, read_json

EXPORT_DEPTH = 12
"""A round lies four levels deep in its event, and a lay-off four levels deep in its round."""
GROUP_DEPTH = EXPORT_DEPTH + 2


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


def import_group(
    ledger: Ledger,
    export: Any,
    games: Iterable[Any],
    *,
    as_it_was: bool = False,
    bounds: Bounds = NETWORK,
) -> Founded:
    """Take in a group with all its evenings, under new secrets; all of it or nothing.

    Games are taken one after the other, so that memory need not hold them all. Raises as
    ``import_game``.
    """
    checked = check_group(*read_export(Group, export), bounds)
    pen, watch = new_secret(), new_secret()
    problems: list[Problem] = []
    misbooked: list[str] = []
    with ledger.engine.write():
        ledger.take_in(checked.book, checked.events, pen=pen, watch=watch)
        for place, game in enumerate(evenings_of(checked.book, games, bounds)):
            booked = check_evening(checked, game)
            if not as_it_was and (game.differences or booked):
                told = [one.problem for one in (*game.differences, *booked)]
                problems += (problem.under("games", place) for problem in told)
                if len(problems) >= MOST_PROBLEMS:
                    break
                continue
            misbooked += [game.book.id] if booked else []
            taken = marked(game, as_it_was)
            ledger.take_in(taken.book, taken.events, pen=new_secret(), watch=new_secret())
            remember(ledger, checked.book, taken.book)
        if problems:
            raise RuleError.of(problems[:MOST_PROBLEMS])
        if misbooked:
            with ledger.turn(checked.book.id) as turn:
                write(turn, Draft("as_it_was", {"games": sorted(misbooked)}))
    return Founded(ledger.group(checked.book.id), pen, watch)


# ---- checking ------------------------------------------------------------------------


def read_game(export: Any, bounds: Bounds) -> Checked[Game]:
    """The game of an export; BadExport or RuleError for what cannot come in."""
    return check_game(*read_export(Game, export), bounds)


def evenings_of(group: Group, games: Iterable[Any], bounds: Bounds) -> Iterator[Checked[Game]]:
    """The games that left with a group, one after the other; BadExport if any is not right."""
    missing = dict(group.evenings)
    for place, data in enumerate(games):
        try:
            game = read_game(data, bounds)
        except RuleError as error:
            raise error.under("games", place) from None
        seating = missing.pop(game.book.id, None)
        if seating is None or len(seating.members) != game.book.sheet.seats:
            raise BadExport(f"game {game.book.id} is no evening of this group")
        yield game
    if missing:
        raise BadExport(f"{len(missing)} evenings are missing")


def marked(game: Checked[Game], as_it_was: bool) -> Checked[Game]:
    """The game with the mark for what is taken as it was; RuleError E_IMPORT_DIFFERS without."""
    if not game.differences:
        return game
    if not as_it_was:
        raise RuleError.of([one.problem for one in game.differences][:MOST_PROBLEMS])
    rounds = sorted({one.what for one in game.differences if isinstance(one.what, int)})
    mark = Event(game.book.version + 1, now(), "as_it_was", "pen", {"rounds": rounds})
    return Checked(game.book.apply(mark), (*game.events, mark))


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
