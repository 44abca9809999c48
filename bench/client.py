"""Phones: threads that keep their lines and ask again and again; a process of its own.

They speak HTTP over bare sockets, so that it is not they who are measured. An answer that was
not expected ends it all, in words.
"""

import json
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

PATIENCE_S = 60


class Line:
    """A line to the server; after an answer that hangs up, the next question dials anew."""

    def __init__(self, port: int) -> None:
        self._place = ("127.0.0.1", port)
        self._dial()

    def _dial(self) -> None:
        self._socket = socket.create_connection(self._place, PATIENCE_S)
        self._heard = self._socket.makefile("rb")
        self._is_open = True

    def ask(self, request: bytes) -> tuple[int, bytes]:
        """The status of the answer and what it says."""
        if not self._is_open:
            self._dial()
        self._socket.sendall(request)
        status = int(self._heard.readline().split()[1])
        length = 0 if status == 304 else None
        while (header := self._heard.readline().lower()) != b"\r\n":
            if header.startswith(b"content-length:") and length is None:
                length = int(header.partition(b":")[2])
            elif header == b"connection: close\r\n":
                self._is_open = False
        if length is None:
            sys.exit(f"an answer without its length: {request[:80]!r}")
        said = self._heard.read(length)
        if not self._is_open:
            self.hang_up()
        return status, said

    def hang_up(self) -> None:
        self._heard.close()
        self._socket.close()


def ask(work: dict[str, Any], order: dict[str, Any], start: Barrier, times: list[int]) -> None:
    """Send one request until time or work is up; note how long each answer took, in ns."""
    line = Line(work["port"])
    start.wait()
    end = time.perf_counter_ns() + work["seconds"] * 1e9
    while time.perf_counter_ns() < end and len(times) < work["most"]:
        request = written(order)
        begun = time.perf_counter_ns()
        status, said = line.ask(request)
        times.append(time.perf_counter_ns() - begun)
        if status != order["expect"]:
            sys.exit(f"{order['method']} {order['path']}: {status} {said[:200]!r}")
    line.hang_up()


def written(order: dict[str, Any]) -> bytes:
    """A request as it is sent; one that writes has a new key each time."""
    body: bytes = order.get("body", "").encode()
    headers = {"Host": "127.0.0.1", **order["headers"]}
    if body:
        headers |= {"Content-Length": len(body), "Idempotency-Key": uuid4()}
    lines = [f"{order['method']} {order['path']} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def main() -> None:
    """Read what to do from standard input, write the times of all answers."""
    work = json.load(sys.stdin)
    orders = work["orders"]
    start = Barrier(len(orders), timeout=PATIENCE_S)
    times: list[int] = []
    with ThreadPoolExecutor(len(orders)) as phones:
        asking = [phones.submit(ask, work, order, start, times) for order in orders]
    for phone in asking:
        phone.result()
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
