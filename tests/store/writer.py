"""Records rounds until it is killed and says of each when it is saved: run by test_crash.

Every evening has a pen of its own; those who write at once share a commit.
"""

import json
import sys
from threading import Thread

from scorekeeper.store import open_ledger

path, journal, payload, *evenings = sys.argv[1:]
ledger = open_ledger(path, journal=journal)


def record(evening: str) -> None:
    """One round after the other."""
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
