"""The bin: evenings that were thrown away are erased after thirty days, with their links.

All words of the evening are erased, every secret that opened it is replaced by one that nobody
knows, and its group no longer has it. What is left is points without names in the hash chain,
which nobody can reach: the ledger only grows, also here [dec]. A table of a tournament, which
earlier versions could throw away, stays in its place.
"""

import logging
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta

from scorekeeper.domain.game import frame
from scorekeeper.services.bookkeeping import release
from scorekeeper.services.clock import TIME, now
from scorekeeper.services.names import HOST
from scorekeeper.store.errors import NotSaved, Unreadable
from scorekeeper.store.ledger import BookTransaction, Ledger

log = logging.getLogger(__name__)

KEPT_DAYS = 30
DELETED = ("name.", "holder.", "iban.")
"""Prefixes of texts that are deleted; all others are emptied, since their events list them."""


def discard_due(ledger: Ledger) -> int:
    """Erase the evenings that were thrown away long enough ago; return their number."""
    before = (datetime.fromisoformat(now()) - timedelta(days=KEPT_DAYS)).strftime(TIME)
    count = 0
    for game_id in ledger.names.thrown_away_before(before):
        with only_logged("an evening that is due was not erased", game_id):
            count += _discard(ledger, game_id, before)
    if count:
        ledger.cleaning.clean(None)
    return count


@contextmanager
def only_logged(failure: str, book_id: str) -> Iterator[None]:
    """Log what fails in one book, because others are due too; raise what fails in the store."""
    try:
        yield
    except (NotSaved, Unreadable):
        raise
    except Exception as error:
        log.error("%s: %s in %s", failure, type(error).__name__, book_id)


def _discard(ledger: Ledger, game_id: str, before: str) -> bool:
    """Erase one evening, unless it was brought back in the meantime."""
    with ExitStack() as stack:
        stack.enter_context(ledger.transaction())
        group_id = ledger.group_of(game_id)
        group = stack.enter_context(ledger.book_transaction(group_id)) if group_id else None
        transaction = stack.enter_context(ledger.book_transaction(game_id))
        draft, thrown = frame.discard(transaction.game), transaction.game.thrown_away_at
        if draft is None or thrown is None or thrown >= before or transaction.game.discarded:
            return False
        if group and not group.group.is_table(game_id):
            release(ledger, group, transaction.game)
            ledger.seasons.delete_evening(game_id)
        _erase_words(transaction)
        transaction.append(draft.kind, draft.payload, at=now(), by=HOST, texts=draft.texts)
        transaction.replace_secret("pen", secrets.token_urlsafe(32))
        transaction.replace_secret("watch", secrets.token_urlsafe(32))
        transaction.replace_secret("paper", None)
    return True


def _erase_words(transaction: BookTransaction) -> None:
    for number, field, text in transaction.words():
        if field.startswith(DELETED):
            transaction.erase(field)
        elif text:
            transaction.reword(number, field, "")
