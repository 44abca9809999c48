"""The bin: evenings that were thrown away are erased after thirty days, with their links.

All words of the evening are erased, every secret that opened it is replaced by one that nobody
knows, and its group no longer has it. What is left is points without names in the hash chain,
which nobody can reach: the ledger only grows, also here [dec].
"""

import logging
import secrets
from contextlib import ExitStack
from datetime import datetime, timedelta

from scorekeeper.domain.game import frame
from scorekeeper.services.bookkeeping import release
from scorekeeper.services.clock import TIME, now
from scorekeeper.services.names import HOST
from scorekeeper.store.errors import Damaged
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
        try:
            count += _discard(ledger, game_id, before)
        except Damaged as damaged:  # the others are still due
            log.error("an evening that is due was not erased: damaged %s", damaged)
    if count:
        ledger.cleaning.clean(None)
    return count


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
        if group:
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
