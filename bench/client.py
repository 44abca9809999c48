"""Phones: threads that keep their connections and ask again and again; a process of its own."""

import json
import sys
import time
from http.client import HTTPConnection
from threading import Barrier, Thread
from typing import Any
from uuid import uuid4


def ask(work: dict[str, Any], order: dict[str, Any], start: Barrier, times: list[int]) -> None:
    """Send one request until time or work is up; note how long each answer took, in ns."""
    connection = HTTPConnection("127.0.0.1", work["port"])
    connection.connect()
    body = order.get("body")
    start.wait()
    end = time.perf_counter_ns() + work["seconds"] * 1e9
    while (begun := time.perf_counter_ns()) < end and len(times) < work["most"]:
        headers = order["headers"] | ({"Idempotency-Key": str(uuid4())} if body else {})
        connection.request(order["method"], order["path"], body, headers)
        answer = connection.getresponse()
        said = answer.read()
        times.append(time.perf_counter_ns() - begun)
        if answer.status != order["expect"]:
            sys.exit(f"{order['method']} {order['path']}: {answer.status} {said[:200]!r}")


def main() -> None:
    """Read what to do from standard input, write the times of all answers."""
    work = json.load(sys.stdin)
    orders = work["orders"]
    start = Barrier(len(orders))
    times: list[int] = []
    threads = [Thread(target=ask, args=(work, order, start, times)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
