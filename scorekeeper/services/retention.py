"""Finding and erasing a name in the whole database, by command or by age."""

import logging
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.services.bookkeeping import TIME, now
from scorekeeper.services.erasure import (
    NAMES,
    erase_mentions,
    erase_player,
    fold_case,
    name_redactor,
)
from scorekeeper.services.groups import erase_member
from scorekeeper.store.errors import Damaged
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.names import MEDIUM

log = logging.getLogger(__name__)

Book = Game | Group
HOST = "host"
"""The right under which the administrator's changes are recorded."""
QUIET_S = 60
"""Seconds without a recorded round before the file is rewritten."""
LONG_S = 3600
"""Longest time that traces of erased words may remain if rounds are recorded all the time."""
MAX_DAYS = 36_500
"""A hundred years; dates have a minimum."""


@dataclass(frozen=True)
class Occurrence:
    """A game or group that contains a name."""

    book: Book
    bearers: tuple[int, ...]
    """Seats of the game or members of the group that have or had the name."""
    mentions: int
    """Number of notes, titles and other texts that contain it."""


def find_name(ledger: Ledger, name: str, book_id: str | None = None) -> list[Occurrence]:
    """Return where a name occurs, groups first, because erasing there includes their evenings.

    The search covers the whole database, one game, or one group with its evenings. It ignores
    case and also finds mentions such as ``Annas``.
    """
    without = name_redactor([name])
    bearers: dict[str, set[int]] = {}
    mentions: Counter[str] = Counter()
    for word in ledger.names.written(lambda text: without(text) != text, book_id):
        if not word.field.startswith(NAMES):
            mentions[word.book] += 1
        elif fold_case(word.text) == fold_case(name):
            bearers.setdefault(word.book, set()).add(int(word.field.partition(".")[2]))
    found = [
        Occurrence(_book(ledger, one), tuple(sorted(bearers.get(one, ()))), mentions[one])
        for one in sorted({*bearers, *mentions})
    ]
    return sorted(found, key=lambda one: not isinstance(one.book, Group))


def _book(ledger: Ledger, book_id: str) -> Book:
    return ledger.group(book_id) if ledger.kind(book_id) == "group" else ledger.game(book_id)


def by_index(ledger: Ledger, book_id: str, number: int) -> Occurrence:
    """Return a player or member by index; IndexError if there is none."""
    book = _book(ledger, book_id)
    if not 0 <= number < len(book.players):
        raise IndexError(number)
    return Occurrence(book, (number,), 0)


def erase_occurrences(ledger: Ledger, found: Iterable[Occurrence], name: str) -> None:
    """Erase the people found, and the name wherever else it was found."""
    with ledger.transaction():
        for one in found:
            _erase(ledger, one.book, one.bearers)
            with ledger.book_transaction(one.book.id) as transaction:
                erase_mentions(transaction, [name], by=HOST)
    ledger.names.clean(None)


def erase_untouched(ledger: Ledger, days: int) -> int:
    """Erase the names in books unchanged for ``days``; return the number of books."""
    then = datetime.fromisoformat(now()) - timedelta(days=min(days, MAX_DAYS))
    before, count = then.strftime(TIME), 0
    for book_id in ledger.names.untouched_since(before):
        with ledger.transaction():
            try:
                book = _book(ledger, book_id)
            except Damaged as damaged:  # the others are still due
                log.error("names that are due were not erased: damaged %s", damaged)
                continue
            if book.changed_at < before:  # nobody has changed it in the meantime
                _erase(ledger, book, range(len(book.players)))
                count += 1
    ledger.names.clean(None)
    return count


class Retention:
    """A daily task that erases names that are due, and traces of erased words.

    Rewriting the file blocks other writers, so it waits until nobody records, or until the
    traces are old.
    """

    def __init__(self, ledger: Ledger, days: int) -> None:
        self._ledger, self._days = ledger, days
        self._ran_on = ""
        self._unclean_since: float | None = None

    def run(self) -> None:
        """Erase what is due; log a failure and try again."""
        try:
            self._clean_when_quiet()
            day = now()[:10]
            if day != self._ran_on:
                if self._days:
                    erase_untouched(self._ledger, self._days)
                self._ledger.names.clean(None)
                self._ran_on = day
        except Exception as error:  # nobody would notice if the thread died
            log.error("names that are due were not erased: %s", type(error).__name__)

    def _clean_when_quiet(self) -> None:
        if not self._ledger.names.is_unclean():
            self._unclean_since = None
            return
        at = time.monotonic()
        since = self._unclean_since = at if self._unclean_since is None else self._unclean_since
        if self._ledger.store.quiet_s() >= QUIET_S or at - since >= LONG_S:
            self._ledger.names.clean(MEDIUM)
            self._unclean_since = None


def _erase(ledger: Ledger, book: Book, numbers: Iterable[int]) -> None:
    for number in numbers:
        if isinstance(book, Group):
            erase_member(ledger, book.id, number, expect=None, by=HOST)
        else:
            erase_player(ledger, book.id, number, expect=None, by=HOST)
