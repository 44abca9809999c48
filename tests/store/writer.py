"""Record rounds until killed, and print each one that is saved; run by test_crash.

Every evening has its own writer; concurrent writers share a commit.
"""

import json
import sys
from threading import Thread

from scorekeeper.store import open_ledger

path, journal, payload, *evenings = sys.argv[1:]
ledger = open_ledger(path, journal=journal)


def record(evening: str) -> None:
    """Record one round after the other."""
    played = json.loads(payload)
    while True:
        with ledger.book_transaction(evening) as transaction:
            played["number"] = transaction.version
            event = transaction.append("round", played, at="2026-06-12T19:40:05Z", by="pen")
        sys.stdout.write(f"{evening} {event.number}\n")
        sys.stdout.flush()


print(flush=True)
for evening in evenings:
    Thread(target=record, args=(evening,)).start()
