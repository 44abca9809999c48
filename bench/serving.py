"""A server to be measured, in a process of its own."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import psutil

from bench.measuring import megabytes

SECONDS = 1.5


@dataclass(frozen=True)
class Served:
    """A server under test."""

    process: subprocess.Popen[str]
    port: int
    ready: float
    """Seconds from its start to its first answer."""

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """One request, outside of any measurement."""
        connection = HTTPConnection("127.0.0.1", self.port)
        headers = {name.replace("_", "-"): text for name, text in headers.items()}
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"} | headers)
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {said[:200]!r}")
        return json.loads(said) if method == "POST" else answer

    def load(
        self, *orders: dict[str, Any], seconds: float = SECONDS, most: float = 1e9
    ) -> list[float]:
        """The times of all answers, or of so many, that a crowd of phones got, in ms."""
        work = {"port": self.port, "seconds": seconds, "most": most, "orders": orders}
        client = [sys.executable, "-m", "bench.client"]
        done = subprocess.run(client, input=json.dumps(work), stdout=-1, text=True, check=True)
        return [nanoseconds / 1e6 for nanoseconds in json.loads(done.stdout)]

    @property
    def megabytes(self) -> float:
        """What the server holds."""
        return megabytes(self.process.pid)

    @property
    def processor(self) -> float:
        """Seconds of the processor that the server took since its start."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)

    def throughput(self, *orders: dict[str, Any]) -> float:
        """Answers per second."""
        return len(self.load(*orders)) / SECONDS


@contextmanager
def served(*command: str, **settings: str) -> Iterator[Served]:
    """A server in a process of its own, from its first answer on."""
    begun = time.perf_counter()
    alone = os.environ | {"SCOREKEEPER_BACKUPS": "off"} | settings  # no copies while time is taken
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=alone
    )
    try:
        found = re.search(
            r"http://[^:]+:(\d+)", process.stdout.readline() if process.stdout else ""
        )
        if not found:
            sys.exit(f"{' '.join(command)} does not serve")
        connection = HTTPConnection("127.0.0.1", int(found[1]))
        connection.request("GET", "/")
        connection.getresponse().read()
        yield Served(process, int(found[1]), time.perf_counter() - begun)
    finally:
        process.terminate()
        process.wait()


def serve(data: Path) -> Sequence[str]:
    """Our server's command."""
    return "-m", "scorekeeper", "serve", "--port", "0", "--data", str(data)
