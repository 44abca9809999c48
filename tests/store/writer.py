"""Records rounds until it is killed and says of each when it is saved: run by test_crash."""

import json
import sys

from scorekeeper.store import open_ledger

path, journal, payload = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
ledger = open_ledger(path, journal=journal)
print(flush=True)
while True:
    with ledger.turn("evening") as turn:
        payload["number"] = turn.version
        event = turn.append("round", payload, at="2026-06-12T19:40:05Z", by="pen")
    print(event.number, flush=True)
