"""A cluster of PostgreSQL and apps, with everything that may break."""

import json
import os
import shutil
import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from urllib.request import Request, urlopen

import pytest

from deploy.cluster.cluster import DATABASES, PORTS, Cluster, missing
from scorekeeper.store import Ledger, read_ledger


class Tried(Cluster):
    """A cluster whose record can be read."""

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        ledger = read_ledger(self.address())
        try:
            yield ledger
        finally:
            ledger.close()

    def wait_for_standby(self, wanted: bool) -> None:
        """Let commits wait for a standby, or not, as ``patronictl edit-config`` does."""
        for name in DATABASES:
            self.mend(name)
        self.until(lambda: len(self.members()) == len(DATABASES), "both standbys")
        login = b64encode(f"patroni:{self.plan['password']}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}
        config = f"http://{self.outside(str(self.primary()))}:{PORTS['patroni']}/config"
        body = json.dumps({"synchronous_mode": wanted}).encode()
        with urlopen(Request(config, body, headers, method="PATCH"), timeout=10):
            pass
        self.until(lambda: ("sync" in self.members().values()) == wanted, "the new setting")

    def repair(self) -> None:
        """Wait until every machine does its part again."""
        for name in DATABASES:
            self.mend(name)
        self.until(self.is_whole, "both standbys to follow the primary")


@pytest.fixture(scope="session")
def running(external: None, request: pytest.FixtureRequest) -> Iterator[Tried]:
    """A cluster; skipped on a machine without the programs, except in CI."""
    if packages := missing():
        if "CI" in os.environ:
            pytest.fail(f"not installed: {packages}")
        pytest.skip(f"apt-get install {packages} to try a cluster on this machine")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    cluster = Tried(Path(mkdtemp(prefix="cluster")), port)
    cluster.folder.chmod(0o711)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.kill()
        if not request.session.testsfailed:  # else its logs tell why
            shutil.rmtree(cluster.folder)


@pytest.fixture
def cluster(running: Tried) -> Tried:
    """The cluster, with everything in order."""
    running.repair()
    return running
