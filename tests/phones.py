"""Many phones in their own process, with bare sockets, so that they are not the bottleneck.

Reads what to do from standard input and writes what came of it, as JSON::

    {"port": 8000, "seconds": 20, "phones": [
        {"name": "poll", "every": 5, "path": "/g/abc", "headers": {...}},
        {"name": "post", "every": 60, "path": ..., "headers": {...}, "body": {...}},
        {"name": "guess", "every": 0, "asks": [{"path": "/g/abd"}, {"path": "/g/abe"}]}]}

A phone keeps its connection and asks at a fixed interval; a GET says which version it
knows, a POST has a new key each time. Where some have a list to ask, all stop with them.
"""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from patience import terminate

PATIENCE = 30.0
"""The time limit of an answer in seconds."""
ARRIVING = 60.0
"""The seconds within which all phones start."""
Order = Mapping[str, Any]


# ---- the other process -------------------------------------------------------------------


class Phone:
    """A phone that repeats its request."""

    def __init__(self, port: int, order: Order, dice: random.Random) -> None:
        self.port, self.order, self.dice = port, order, dice
        self.body = json.dumps(order["body"]).encode() if "body" in order else b""
        self.tag = ""
        self.sent = 0
        self.stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def live(self, evening: "Evening") -> None:
        """Start at some moment, and repeat the request until the evening is over."""
        every, asks = self.order["every"], self.order.get("asks")
        if asks is None:
            await asyncio.sleep(self.dice.random() * evening.arriving)
        while (began := time.perf_counter()) < evening.until:
            if asks is not None:
                if self.sent == len(asks):
                    return
                self.order = {**self.order, **asks[self.sent]}
            try:
                status: int | str = await asyncio.wait_for(self.ask(), PATIENCE)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                status, self.stream = type(error).__name__, None
            took = time.perf_counter() - began
            about = (status, took, began - evening.began)
            evening.answers.setdefault(self.order["name"], []).append(about)
            left = evening.until - time.perf_counter()
            await asyncio.sleep(max(0, min(every - took, left)))

    async def ask(self) -> int:
        """Send a request and return the status of its answer; reconnect if necessary."""
        request, known = self.request(), self.stream is not None
        try:
            return await self.answer(request)
        except (ConnectionError, asyncio.IncompleteReadError):
            if not known:
                raise
            self.stream = None
            return await self.answer(request)

    async def answer(self, request: bytes) -> int:
        if self.stream is None:
            mine = (f"127.0.0.{self.dice.randint(2, 250)}", 0)  # one address has 28,000 ports
            self.stream = await asyncio.open_connection("127.0.0.1", self.port, local_addr=mine)
        reader, writer = self.stream
        writer.write(request)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        if length := re.search(r"content-length: (\d+)", head):
            await reader.readexactly(int(length[1]) if status != 304 else 0)
        if tag := re.search(r"\netag: (\S+)", head):
            self.tag = tag[1]
        if "connection: close" in head:
            writer.close()
            self.stream = None
        return status

    def request(self) -> bytes:
        self.sent += 1
        headers = {"Host": "127.0.0.1", **self.order.get("headers", {})}
        if self.body:
            headers |= {"Content-Type": "application/json", "Content-Length": len(self.body)}
            headers |= {"Idempotency-Key": f"{id(self)}-{self.sent}"}
        elif self.tag:
            headers["If-None-Match"] = self.tag
        lines = [f"{'POST' if self.body else 'GET'} {self.order['path']} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode() + self.body


class Evening:
    """All phones, and their answers."""

    def __init__(self, work: Mapping[str, Any]) -> None:
        dice = random.Random(1)
        self.phones = [Phone(work["port"], order, dice) for order in work["phones"]]
        self.began = time.perf_counter()
        self.until = self.began + work["seconds"]
        self.arriving = 0 if any("asks" in order for order in work["phones"]) else ARRIVING
        self.answers: dict[str, list[Any]] = {}

    async def last(self) -> None:
        """Wait for the end, or until all counted phones have sent their requests."""
        counting = [phone.live(self) for phone in self.phones if "asks" in phone.order]
        others = [phone.live(self) for phone in self.phones if "asks" not in phone.order]
        running = asyncio.gather(*others)
        await asyncio.gather(*counting)
        if counting:
            self.until = 0
        await running


# ---- this process ------------------------------------------------------------------------


def play(port: int, phones: Sequence[Order], seconds: float) -> dict[str, "Answers"]:
    """Let phones use a server for some seconds, and return their answers by name."""
    work = {"port": port, "phones": phones, "seconds": seconds}
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(work),
        stdout=subprocess.PIPE,
        text=True,
        timeout=seconds + 10 * PATIENCE,
    )
    return {name: Answers(found) for name, found in json.loads(done.stdout).items()}


class Answers:
    """The answers to phones of one kind, and their times."""

    def __init__(self, found: Sequence[tuple[int | str, float, float]]) -> None:
        self.statuses = Counter(status for status, _, _ in found)
        self.times = sorted(took for _, took, _ in found)
        self.minutes: dict[int, list[float]] = {}
        for _, took, when in found:
            self.minutes.setdefault(int(when // 60), []).append(took)

    def within(self, share: float) -> float:
        """Return a percentile of the times in milliseconds."""
        return ms(self.times, share)

    @property
    def brief(self) -> str:
        """Return the answers by status, their median and their 99th percentile."""
        found = ", ".join(f"{count:,} {status}" for status, count in self.statuses.most_common())
        return f"{found} (p50 {self.within(0.5):,.0f} ms, p99 {self.within(0.99):,.0f} ms)"

    def __str__(self) -> str:
        p50, p99, most = (self.within(share) for share in (0.5, 0.99, 1))
        count = len(self.times)
        minutes = (ms(sorted(times), 0.99) for _, times in sorted(self.minutes.items()))
        by_minute = ", ".join(f"{most:.0f}" for most in minutes)
        return (
            f"{count:,} answers {dict(self.statuses)}: {p50:.0f}, {p99:.0f}, {most:.0f} ms;"
            f" minute by minute all but one in a hundred: {by_minute} ms"
        )


def ms(times: Sequence[float], share: float) -> float:
    """Return a percentile of sorted times in milliseconds."""
    return 1000 * times[int(share * (len(times) - 1))]


@contextmanager
def served(data: Path | str, *command: str, **settings: str) -> Iterator[int]:
    """Return the port of a server in its own process."""
    command = command or ("-m", "scorekeeper", "serve", "--port", "0", "--data", str(data))
    known = {**os.environ, **{f"SCOREKEEPER_{name}": value for name, value in settings.items()}}
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=known
    ) as process:
        assert process.stdout is not None
        found = re.search(r":(\d+)$", process.stdout.readline().strip())
        try:
            assert found, "it does not serve"
            yield int(found[1])
        finally:
            terminate(process)


if __name__ == "__main__":
    evening = Evening(json.load(sys.stdin))
    asyncio.run(evening.last())
    json.dump(evening.answers, sys.stdout)
