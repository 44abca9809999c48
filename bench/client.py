"""Simulated phones: threads in a process of their own, each with one connection.

A phone repeats a request, or sends a list of requests once, one after the other.

They speak HTTP over plain sockets to keep their own cost low. An unexpected answer ends the run
with a message.
"""

import json
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from threading import Barrier
from typing import Any
from uuid import uuid4

PATIENCE_S = 60


class Connection:
    """A connection to the server, opened again after an answer that closes it."""

    def __init__(self, port: int) -> None:
        self._place = ("127.0.0.1", port)
        self._connect()

    def _connect(self) -> None:
        self._socket = socket.create_connection(self._place, PATIENCE_S)
        self._heard = self._socket.makefile("rb")
        self._is_open = True

    def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer."""
        if not self._is_open:
            self._connect()
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
            self.close()
        return status, said

    def close(self) -> None:
        self._heard.close()
        self._socket.close()


def ask(
    work: dict[str, Any],
    requests: dict[str, Any] | list[dict[str, Any]],
    start: Barrier,
    times: list[int],
) -> None:
    """Send requests until time or count is used up; record the time of each answer in ns."""
    connection = Connection(work["port"])
    start.wait()
    end = time.perf_counter_ns() + work["seconds"] * 1e9
    for request in requests if isinstance(requests, list) else repeat(requests):
        if time.perf_counter_ns() >= end or len(times) >= work["most"]:
            break
        content = written(request)
        begun = time.perf_counter_ns()
        status, said = connection.ask(content)
        times.append(time.perf_counter_ns() - begun)
        if status != request["expect"]:
            sys.exit(f"{request['method']} {request['path']}: {status} {said[:200]!r}")
    connection.close()


def written(request: dict[str, Any]) -> bytes:
    """Return the bytes of a request; writes get a new idempotency key."""
    body: bytes = request.get("body", "").encode()
    headers = {"Host": "127.0.0.1", **request["headers"]}
    if body:
        headers |= {"Content-Length": len(body), "Idempotency-Key": uuid4()}
    lines = [f"{request['method']} {request['path']} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def main() -> None:
    """Read the work from standard input and print the times of all answers."""
    work = json.load(sys.stdin)
    requests = work["requests"]
    start = Barrier(len(requests), timeout=PATIENCE_S)
    times: list[int] = []
    with ThreadPoolExecutor(len(requests)) as phones:
        asking = [phones.submit(ask, work, request, start, times) for request in requests]
    for phone in asking:
        phone.result()
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
