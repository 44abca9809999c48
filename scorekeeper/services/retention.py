"""Who bears a name, in the whole record, and how all of that is erased; by hand or by age."""

import logging
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.services.bookkeeping import TIME, now
from scorekeeper.services.erasure import NAMES, erase_mentions, erase_player, name_redactor, plain
from scorekeeper.services.groups import erase_member
from scorekeeper.store.errors import Damaged
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.names import WHEN_QUIET

log = logging.getLogger(__name__)

Book = Game | Group
HOST = "host"
"""By which right: of whoever runs the server."""
QUIET_S = 60
"""So long nobody has recorded anything when a file is written anew."""
LONG_S = 3600
"""So long traces of erased words stand at most where somebody always records."""
MOST_DAYS = 36_500
"""A hundred years; the calendar has a beginning."""


@dataclass(frozen=True)
class Found:
    """A book in which a name stands."""

    book: Book
    bearers: tuple[int, ...]
    """Seats of a game, or members of a group, that are or once were called so."""
    mentions: int
    """Notes, titles and the like in which it stands besides."""


def find(ledger: Ledger, name: str, book_id: str | None = None) -> list[Found]:
    """Where a name stands, groups first: erasing it there does so in their evenings too.

    In the whole record, in one game, or in one group with its evenings. Names are alike
    whatever their case, mentioned ones also as ``Annas``.
    """
    without = name_redactor([name])
    bearers: dict[str, set[int]] = {}
    mentions: Counter[str] = Counter()
    for word in ledger.names.written(lambda text: without(text) != text, book_id):
        if not word.field.startswith(NAMES):
            mentions[word.book] += 1
        elif plain(word.text) == plain(name):
            bearers.setdefault(word.book, set()).add(int(word.field.partition(".")[2]))
    found = [
        Found(_book(ledger, one), tuple(sorted(bearers.get(one, ()))), mentions[one])
        for one in sorted({*bearers, *mentions})
    ]
    return sorted(found, key=lambda one: not isinstance(one.book, Group))


def _book(ledger: Ledger, book_id: str) -> Book:
    return ledger.group(book_id) if ledger.kind(book_id) == "group" else ledger.game(book_id)


def bearer(ledger: Ledger, book_id: str, number: int) -> Found:
    """A player of a game or a member of a group, by his place; IndexError if there is none."""
    book = _book(ledger, book_id)
    if not 0 <= number < len(book.players):
        raise IndexError(number)
    return Found(book, (number,), 0)


def erase_found(ledger: Ledger, found: Iterable[Found], name: str = "") -> None:
    """Erase who was found, and the name wherever else it was found."""
    with ledger.transaction():
        for one in found:
            _erase(ledger, one.book, one.bearers)
            with ledger.book_transaction(one.book.id) as transaction:
                erase_mentions(transaction, [name], by=HOST)
    ledger.names.clean(None)


def erase_untouched(ledger: Ledger, days: int) -> int:
    """Erase the names in games and groups in which nothing happened for so long; how many."""
    then = datetime.fromisoformat(now()) - timedelta(days=min(days, MOST_DAYS))
    before, count = then.strftime(TIME), 0
    for book_id in ledger.names.untouched_since(before):
        with ledger.transaction():
            try:
                book = _book(ledger, book_id)
            except Damaged as damaged:  # the names of all others are due all the same
                log.error("names that are due were not erased: damaged %s", damaged)
                continue
            if book.changed_at < before:  # still: nobody came back meanwhile
                _erase(ledger, book, range(len(book.players)))
                count += 1
    ledger.names.clean(None)
    return count


class Retention:
    """Erases what is due, once a day, and what traces erased words may have left.

    Writing a file anew keeps everybody waiting who records meanwhile: it is done when nobody
    does, or when the traces have stood for long.
    """

    def __init__(self, ledger: Ledger, days: int) -> None:
        self._ledger, self._days = ledger, days
        self._looked_on = ""
        self._unclean_since: float | None = None

    def run(self) -> None:
        """Do what is due; what goes wrong is said and tried again."""
        try:
            self._clean_when_quiet()
            day = now()[:10]
            if day != self._looked_on:
                if self._days:
                    erase_untouched(self._ledger, self._days)
                self._ledger.names.clean(None)
                self._looked_on = day
        except Exception as error:  # a thread that died would be missed by nobody
            log.error("names that are due were not erased: %s", type(error).__name__)

    def _clean_when_quiet(self) -> None:
        if not self._ledger.names.is_unclean():
            self._unclean_since = None
            return
        at = time.monotonic()
        since = self._unclean_since = at if self._unclean_since is None else self._unclean_since
        if self._ledger.store.quiet_s() >= QUIET_S or at - since >= LONG_S:
            self._ledger.names.clean(WHEN_QUIET)
            self._unclean_since = None


def _erase(ledger: Ledger, book: Book, numbers: Iterable[int]) -> None:
    for number in numbers:
        if isinstance(book, Group):
            erase_member(ledger, book.id, number, expect=None, by=HOST)
        else:
            erase_player(ledger, book.id, number, expect=None, by=HOST)
