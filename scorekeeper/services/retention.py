"""The retention period: names in games and groups that nobody has changed for long are erased."""

import logging
import time
from datetime import datetime, timedelta

from scorekeeper.services.clock import TIME, now
from scorekeeper.services.discard import discard_due, only_logged
from scorekeeper.services.names import book_of, erase_people
from scorekeeper.store.cleaning import MEDIUM
from scorekeeper.store.ledger import Ledger

log = logging.getLogger(__name__)

QUIET_S = 60
"""Seconds without a recorded round before the file is rewritten."""
LONG_S = 3600
"""Longest time that traces of erased words may remain if rounds are recorded all the time."""
MAX_DAYS = 36_500
"""A hundred years; dates have a minimum."""


def erase_untouched(ledger: Ledger, days: int) -> int:
    """Erase the names in books unchanged for ``days``; return the number of books."""
    then = datetime.fromisoformat(now()) - timedelta(days=min(days, MAX_DAYS))
    before, count = then.strftime(TIME), 0
    for book_id in ledger.names.untouched_since(before):
        with only_logged("names that are due were not erased", book_id), ledger.transaction():
            book = book_of(ledger, book_id)
            if book.changed_at < before:  # nobody has changed it in the meantime
                erase_people(ledger, book, range(len(book.players)))
                count += 1
    ledger.cleaning.clean(None)
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
                try:
                    discard_due(self._ledger)
                finally:
                    if self._days:
                        erase_untouched(self._ledger, self._days)
                self._ledger.cleaning.clean(None)
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
            self._ledger.cleaning.clean(MEDIUM)
            self._unclean_since = None
