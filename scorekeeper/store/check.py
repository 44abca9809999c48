"""Integrity check of the database (``scorekeeper check``), and rebuilding of stored evenings.

The findings are facts; the catalogues word them.
"""

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from scorekeeper.store.book_check import (
    BookCheck,
    EventId,
    Findings,
    Host,
    Price,
    is_up_to_date,
)
from scorekeeper.store.errors import Damaged, Unreadable
from scorekeeper.store.evenings import stored_evening
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.report import SHOWN, CheckResult, Report
from scorekeeper.store.sql.inspection import Position

Progress = Callable[[list[Any]], Iterable[Any]]
"""Yields the items of a list one by one, for example with a progress bar."""
GAMES_AT_ONCE = 100
"""The number of games that a process checks before it reports."""


@dataclass(frozen=True)
class Processes:
    """Processes that check games at the same time, each with a ledger of its own."""

    number: int
    reopen: Callable[[], Ledger]
    """Opens the same database again, for reading only."""


def check(
    ledger: Ledger,
    price: Price | None = None,
    progress: Progress = iter,
    *,
    processes: Processes | None = None,
    since: Position | None = None,
) -> Report:
    """Check engine, pragmas, tables, pages, chain, texts, replay of every book, and disk.

    With ``price`` every round is scored again. With ``since`` only the books with later events
    are checked, and the pages are not, provided that this event is still in its place.
    Differences are reported and nothing is changed, so the ledger may be open for reading only
    and others may write. Differences that were marked when they were imported are reported but
    are no failure.
    """
    return Report(tuple(_lines(ledger, price, progress, processes, since)))


def _lines(
    ledger: Ledger,
    price: Price | None,
    progress: Progress,
    processes: Processes | None,
    since: Position | None,
) -> Iterator[CheckResult]:
    inspection = ledger.store.inspection
    yield inspection.engine_line()
    yield inspection.settings_line()
    try:
        yield inspection.tables_line()
        if since and inspection.link_at(since.number) == since.link:
            yield CheckResult("since", True, {"events": inspection.count_after(since.number)})
        else:
            since = None
            yield from filter(None, [inspection.pages_line()])
        groups, games = _books(ledger, since)
        found, hosts = _check_groups(ledger, groups)
        for part in _check_games(games, ledger, price, hosts, progress, processes):
            found += part
        if not since:
            misplaced = {*ledger.seasons.misplaced()} - {game for game, _ in found.stale}
            found.stale += ((game, 0) for game in sorted(misplaced))
    except Unreadable as error:
        yield CheckResult("readable", False, {"error": str(error)})
    else:
        yield CheckResult("readable", True)
        yield from _verdicts(found, with_prices=price is not None)
    yield from filter(None, [inspection.space_line()])


def _verdicts(found: Findings, *, with_prices: bool) -> Iterator[CheckResult]:
    counted = {"games": found.games, "books": found.books}
    yield _verdict("chain", found.broken, **counted, events=found.events)
    yield _verdict("texts", found.texts)
    yield _verdict("replay", found.unplayable, **counted)
    yield _verdict("evenings", found.stale, evenings=found.evenings)
    yield _verdict("accounts", found.unbooked, evenings=found.evenings)
    if with_prices:
        yield _verdict("prices", found.repriced, rounds=found.rounds)
    if found.as_it_was:
        places = tuple(found.as_it_was[:SHOWN])
        yield CheckResult("as_it_was", True, {"n": len(found.as_it_was), "places": places})


def _verdict(key: str, bad: list[EventId], **facts: int) -> CheckResult:
    return CheckResult(key, not bad, {**facts, "bad": len(bad), "places": tuple(bad[:SHOWN])})


# ---- books -----------------------------------------------------------------------------


def _books(ledger: Ledger, since: Position | None) -> tuple[list[str], list[str]]:
    """Return the groups and the games with events after a position, and the groups of these games.

    They come in the order in which they were created, so that the disk is read from front to end.
    """
    books = ledger.store.inspection.books(since.number if since else 0)
    games = [book_id for book_id, kind in books if kind == "game"]
    groups = [book_id for book_id, kind in books if kind == "group"]
    if since:
        hosts = map(ledger.seasons.group_of, games)
        groups = [*dict.fromkeys([*groups, *filter(None, hosts)])]
    return groups, games


def _check_groups(ledger: Ledger, groups: Sequence[str]) -> tuple[Findings, dict[str, Host]]:
    """Check groups, and return them by the games that they name."""
    found, hosts = Findings(), dict[str, Host]()
    checks = BookCheck(ledger, None, {})
    for group_id in groups:
        part, named = checks.group(group_id)
        found += part
        hosts |= named
    return found, hosts


def _check_games(
    games: list[str],
    ledger: Ledger,
    price: Price | None,
    hosts: Mapping[str, Host],
    progress: Progress,
    processes: Processes | None,
) -> Iterator[Findings]:
    """Check games and yield the findings, in the order of the games."""
    if processes is None or processes.number < 2 or len(games) <= GAMES_AT_ONCE:
        yield from map(BookCheck(ledger, price, hosts).game, progress(games))
        return
    parts = [games[at : at + GAMES_AT_ONCE] for at in range(0, len(games), GAMES_AT_ONCE)]
    pool = ProcessPoolExecutor(
        processes.number,
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(processes.reopen, price, hosts),
    )
    try:
        for _, found in zip(progress(parts), pool.map(_check_part, parts), strict=True):
            yield found
    except BrokenProcessPool as error:
        raise Unreadable(str(error)) from error
    finally:
        pool.shutdown(cancel_futures=True)


_check_of_process: BookCheck
"""The check that this process uses for all its games."""


def _begin(reopen: Callable[[], Ledger], price: Price | None, hosts: Mapping[str, Host]) -> None:
    """Prepare a process that checks games; Ctrl-C is for the one that started it."""
    global _check_of_process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _check_of_process = BookCheck(reopen(), price, hosts)


def _check_part(games: Sequence[str]) -> Findings:
    found = Findings()
    for game_id in games:
        found += _check_of_process.game(game_id)
    return found


# ---- rebuilding ------------------------------------------------------------------------


@dataclass(frozen=True)
class Rebuilt:
    """The number of evenings of groups, and the number of those that were rewritten."""

    evenings: int
    changed: int
    damaged: tuple[Damaged, ...] = ()
    """The books that cannot be replayed, groups first; what is stored about them stays."""


def rebuild(ledger: Ledger, progress: Progress = iter) -> Rebuilt:
    """Derive the stored evenings from the events again, and rewrite those that differ.

    Events are not changed. Raises Unreadable or NotSaved.
    """
    groups: dict[str, str] = {}
    damaged: dict[str, Damaged] = {}
    changed = 0
    for group_id in ledger.groups():
        try:
            groups |= dict.fromkeys(ledger.group(group_id).evenings, group_id)
        except Damaged as error:
            damaged[group_id] = error
    for game_id in progress([*ledger.store.events.ids("game")]):
        group = groups.get(game_id)
        if group is None and ledger.seasons.group_of(game_id) in damaged:
            continue
        try:
            changed += _rebuild(ledger, game_id, group)
        except Damaged as error:
            damaged[error.book_id] = error
    return Rebuilt(len(groups), changed, tuple(damaged.values()))


def _rebuild(ledger: Ledger, game_id: str, group_id: str | None) -> bool:
    """Rewrite the stored evening of a game if it differs, and return whether it did."""
    with ledger.book_transaction(game_id) as transaction:  # nobody changes the game meanwhile
        game, group = transaction.game, ledger.group(group_id) if group_id else None
        if group and game_id not in group.evenings:
            group = None
        if is_up_to_date(ledger, game, group):
            return False
        ledger.seasons.delete_evening(game_id)
        if group:
            ledger.seasons.save_evening(group.id, stored_evening(game, group.evenings[game_id]))
    return True


# ---- printed sheets --------------------------------------------------------------------


def find_digits(ledger: Ledger, digits: str) -> tuple[EventId, ...]:
    """Return the games and versions with the digits of a printed sheet; ValueError for nonsense."""
    wanted = "".join(digits.split()).lower()
    if len(wanted) < 8 or not set(wanted) <= set("0123456789abcdef"):
        raise ValueError(digits)
    return tuple(ledger.store.inspection.with_digits(wanted, SHOWN))
