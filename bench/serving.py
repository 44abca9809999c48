"""Servers under test, in processes of their own."""

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import mean
from typing import Any

import psutil

from bench.measuring import megabytes, shared_megabytes

SECONDS = 1.5


@dataclass(frozen=True)
class Served:
    """A server under test."""

    process: subprocess.Popen[str]
    port: int
    ready: float
    """The seconds from its start until it said that it was running."""
    ready_processor: float
    """The processor time until then."""
    first: float
    """The seconds of its first answer."""

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Send one request that is not measured."""
        connection = HTTPConnection("127.0.0.1", self.port)
        headers = {name.replace("_", "-"): text for name, text in headers.items()}
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"} | headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {content[:200]!r}")
        return json.loads(content) if method == "POST" else answer

    def load(
        self,
        *requests: dict[str, Any] | list[dict[str, Any]],
        seconds: float = SECONDS,
        most: float = 1e9,
    ) -> list[float]:
        """Return the times of the answers to simulated phones, in ms.

        Each phone repeats a request, or sends a list of requests once.
        """
        work = {"port": self.port, "seconds": seconds, "most": most, "requests": requests}
        client = [sys.executable, "-m", "bench.client"]
        done = subprocess.run(client, input=json.dumps(work), stdout=-1, text=True, check=True)
        return [nanoseconds / 1e6 for nanoseconds in json.loads(done.stdout)]

    @property
    def megabytes(self) -> float:
        """Return the memory of the server."""
        return megabytes(self.process.pid)

    @property
    def megabytes_of_all(self) -> float:
        """Return the memory of the server and of the processes it has started."""
        first = psutil.Process(self.process.pid)
        return sum(shared_megabytes(one) for one in (first, *first.children(recursive=True)))

    def throughput(self, *requests: dict[str, Any]) -> float:
        """Return the answers per second."""
        return len(self.load(*requests)) / SECONDS

    def rate(self, *phones: list[dict[str, Any]]) -> float:
        """Return the answers per second while each phone sends its requests once."""
        return 1000 * len(phones) / mean(self.load(*phones, seconds=600))


@contextmanager
def served(*command: str, **settings: str) -> Iterator[Served]:
    """Start a server; yield it after its first answer."""
    begun = time.perf_counter()
    environment = os.environ | {"SCOREKEEPER_BACKUPS": "off"} | settings
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        said = process.stdout.readline() if process.stdout else ""
        ready = time.perf_counter()
        found = re.search(r"http://[^:]+:(\d+)", said)
        if not found:
            sys.exit(f"{' '.join(command)} does not serve")
        used = psutil.Process(process.pid).cpu_times()
        connection = HTTPConnection("127.0.0.1", int(found[1]))
        connection.request("GET", "/")
        connection.getresponse().read()
        first = time.perf_counter() - ready
        yield Served(process, int(found[1]), ready - begun, used.user + used.system, first)
    finally:
        process.terminate()
        process.wait()


def once(*command: str, **settings: str) -> tuple[float, float]:
    """Run a command to its end; return its seconds and its processor seconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    known = os.environ | settings
    subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=True, env=known)
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def serve(data: Path | str) -> Sequence[str]:
    """Return the command of our server."""
    return "-m", "scorekeeper", "serve", "--port", "0", "--data", str(data)
