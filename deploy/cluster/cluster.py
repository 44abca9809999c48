"""A cluster to try on one machine: PostgreSQL that survives the loss of a machine, and two apps.

    python deploy/cluster/cluster.py start      # prints the address of the service
    python deploy/cluster/cluster.py status
    python deploy/cluster/cluster.py kill db1   # as if the plug of this machine were pulled
    python deploy/cluster/cluster.py cut db1    # as if its network cable were
    python deploy/cluster/cluster.py mend db1
    python deploy/cluster/cluster.py stop

A machine is a folder, and an address in 127.0.0.0/8. ``db1``, ``db2`` and ``db3`` run etcd, Patroni
and PostgreSQL, ``app1`` and ``app2`` the app with two worker processes each, ``proxy`` haproxy. The
processes of a machine work in its folder, which is how they are found. The network cable of a
database machine is another haproxy.

etcd asks nobody for a password: do not use this where others have an account.
"""

import json
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cached_property
from http.client import HTTPException
from pathlib import Path
from string import Template
from tempfile import gettempdir
from typing import Any
from urllib.request import urlopen

import click
import psutil
import psycopg

HERE = Path(__file__).parent
DATABASES = ("db1", "db2", "db3")
APPS = ("app1", "app2")
PROXY = "proxy"
MACHINES = (*DATABASES, *APPS, PROXY)
PROCESSES = 2
PORTS = {"etcd": 12379, "peers": 12380, "postgresql": 15432, "patroni": 18008, "app": 18000}
"""Other ports than the usual ones, which a service of this machine may have taken everywhere."""
PACKAGES = {
    "initdb": "postgresql",
    "etcd": "etcd-server",
    "patroni": "patroni python3-etcd",
    "haproxy": "haproxy",
}
"""The programs, and the Debian packages that have them."""
PLACES = (
    *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True),
    os.environ.get("PATH", ""),
    "/usr/sbin",
)
USER = "postgres" if os.geteuid() == 0 else None
"""PostgreSQL refuses to run as root."""
PATIENCE_S = 120
ROLES = {
    "primary": "primary: saves rounds",
    "sync": "standby in step: has every saved round, and takes over",
    "async": "standby",
    None: "does not follow",
}
TCP_GIVES_UP_S = 11
"""Seconds until both sides of a cut connection notice it: keepalives, ``tcp_user_timeout``."""


class Failed(Exception):
    """The cluster cannot do what was asked."""


def program(name: str) -> str | None:
    """Return the path of a program."""
    return shutil.which(name, path=os.pathsep.join(PLACES))


def missing() -> str:
    """Return the packages that have to be installed."""
    return " ".join(package for name, package in PACKAGES.items() if not program(name))


def processes(folder: Path) -> list[psutil.Process]:
    """Return the processes that work in a folder, but not those of a terminal, such as a shell."""
    return [
        process
        for process in psutil.process_iter(["name", "cwd", "terminal"])
        if Path(process.info["cwd"] or "/").is_relative_to(folder) and not process.info["terminal"]
    ]


def free_network() -> int:
    """Return a network ``127.n.0.0/16`` in which nobody uses our ports."""
    for number in random.sample(range(1, 255), 254):
        with suppress(OSError), ExitStack() as taken:
            for port in PORTS.values():
                taken.enter_context(socket.create_server((f"127.{number}.0.1", port)))
            return number
    raise Failed(f"some of the ports {[*PORTS.values()]} are taken on every address")


class Cluster:
    """A cluster in a folder, running or not."""

    def __init__(self, folder: Path, port: int = 8000) -> None:
        self.folder = folder.resolve()
        self._port = port
        self._started: list[tuple[str, subprocess.Popen[bytes]]] = []

    @cached_property
    def plan(self) -> dict[str, Any]:
        """The network, the password and the port of the service, which stay the same."""
        self.folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        if self.folder.stat().st_uid != os.geteuid():
            raise Failed(f"{self.folder} belongs to somebody else; choose another --folder")
        enter = ["test", "-x", self.folder]
        if USER and subprocess.run(enter, user=USER, group=USER, extra_groups=()).returncode:
            raise Failed(f"{USER} may not enter {self.folder}; choose another --folder")
        file = self.folder / "plan.json"
        if not file.exists():
            plan = {
                "network": free_network(),
                "password": secrets.token_hex(16),
                "port": self._port,
            }
            file.touch(mode=0o600)
            file.write_text(json.dumps(plan), encoding="ascii")
        found: dict[str, Any] = json.loads(file.read_text(encoding="ascii"))
        return found

    @property
    def url(self) -> str:
        """The address of the service."""
        return f"http://127.0.0.1:{self.plan['port']}"

    def address(self, user: str = "scorekeeper", database: str = "scorekeeper") -> str:
        """Return the address of a database of PostgreSQL."""
        hosts = ",".join(f"{self.outside(name)}:{PORTS['postgresql']}" for name in DATABASES)
        return f"postgresql://{user}:{self.plan['password']}@{hosts}/{database}"

    def outside(self, name: str) -> str:
        """Return the address of a machine."""
        return f"127.{self.plan['network']}.0.{MACHINES.index(name) + 1}"

    def inside(self, name: str) -> str:
        """Return the address behind the network cable."""
        return f"127.{self.plan['network']}.1.{MACHINES.index(name) + 1}"

    # ---- starting ------------------------------------------------------------------------

    def start(self) -> None:
        """Start everything that does not run, and wait until the service answers."""
        if absent := missing():
            raise Failed(f"Missing programs. As root: apt-get install {absent}")
        for name in DATABASES:
            self.mend(name, "etcd")
        self.until(lambda: self._runs() and self._has_etcd(), "etcd")
        for name in DATABASES:
            self.mend(name)
        self.until(lambda: self._runs() and self.is_whole(), "a primary and two standbys")
        self._make_database()
        for name in (*APPS, PROXY):
            self.mend(name)
        self.until(lambda: self._runs() and self._answers(), "the service")

    def _runs(self) -> bool:
        """Return True; raises Failed if something has ended that was just started."""
        for name, process in self._started:
            if process.poll() is not None:
                raise Failed(f"something ended; see {self.folder / name}/*.log")
        return True

    def mend(self, name: str, *only: str) -> None:
        """Start whatever does not run on a machine, or only some of it."""
        folder = self.folder / name
        commands = {Path(command[0]).name: command for command in self._commands(name)}
        if not folder.exists():
            folder.mkdir(mode=0o700)
            self._configure(name)
            if USER and name not in APPS:
                for path in (folder, *folder.iterdir()):
                    shutil.chown(path, USER, USER)
        running = {process.info["name"] for process in processes(folder)}
        for wanted in only or commands:
            if wanted not in running:
                self._run(name, commands[wanted])

    def _configure(self, name: str) -> None:
        """Write the files of a machine."""
        values = {
            **PORTS,
            **{machine: self.outside(machine) for machine in MACHINES},
            **self.plan,
            "name": name,
            "folder": self.folder / name,
            "inside": self.inside(name),
            "outside": self.outside(name),
            "network": "127.0.0.0/8",
            "etcds": f"{self.inside(name)}:{PORTS['etcd']}",
            "programs": Path(program("initdb") or "").parent,
        }
        files = {PROXY: ("proxy.cfg",)} | dict.fromkeys(DATABASES, ("patroni.yml", "cable.cfg"))
        for file in files.get(name, ()):
            text = (HERE / file).read_text(encoding="utf-8")
            written = self.folder / name / file
            written.touch(mode=0o600)
            written.write_text(Template(text).substitute(values), encoding="utf-8")

    def _commands(self, name: str) -> list[list[str]]:
        """Return what runs on a machine."""
        outside = self.outside(name)
        if name in APPS:
            serve = ("serve", "--host", outside, "--port", str(PORTS["app"]))
            return [[sys.executable, "-m", "scorekeeper", *serve, "--processes", str(PROCESSES)]]
        haproxy, etcd, patroni = (str(program(one)) for one in ("haproxy", "etcd", "patroni"))
        if name == PROXY:
            return [[haproxy, "-db", "-f", "proxy.cfg"]]
        peers = (f"{one}=http://{self.outside(one)}:{PORTS['peers']}" for one in DATABASES)
        here, peer = (f"http://{outside}:{PORTS[port]}" for port in ("etcd", "peers"))
        etcd_options = {
            "name": name,
            "data-dir": "etcd",
            "listen-client-urls": here,
            "advertise-client-urls": here,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": ",".join(peers),
            "heartbeat-interval": "250",
            "election-timeout": "2500",
        }
        return [
            [etcd, *(f"--{option}={value}" for option, value in etcd_options.items())],
            [haproxy, "-db", "-f", "cable.cfg"],
            [patroni, "patroni.yml"],
        ]

    def _run(self, name: str, command: list[str]) -> None:
        settings = {
            "SCOREKEEPER_DATA": self.address(),
            "SCOREKEEPER_SECRET_KEY": self.plan["password"],
            "SCOREKEEPER_TRUSTED_PROXIES": "1",
            "XDG_DATA_HOME": str(self.folder / name),
        }
        user = None if name in APPS else USER
        with (self.folder / name / f"{Path(command[0]).name}.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=self.folder / name,
                env={**os.environ, "HOME": str(self.folder / name), **settings},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=() if user else None,
            )
        self._started.append((name, process))

    def _make_database(self) -> None:
        """Create the user and the database of scorekeeper, if they are not there."""
        address = f"{self.address('postgres', 'postgres')}?target_session_attrs=read-write"
        with psycopg.connect(address, autocommit=True) as connection:
            known = "SELECT 1 FROM pg_database WHERE datname = 'scorekeeper'"
            if connection.execute(known).fetchone():
                return
            password = self.plan["password"]
            for statement in (
                "DROP ROLE IF EXISTS scorekeeper",
                f"CREATE ROLE scorekeeper LOGIN IN ROLE pg_monitor PASSWORD '{password}'",
                "CREATE DATABASE scorekeeper OWNER scorekeeper",
            ):
                connection.execute(statement.encode())

    # ---- looking -------------------------------------------------------------------------

    def members(self) -> dict[str, str]:
        """Return the machines with the primary and those that follow it, with their roles.

        The roles are ``primary``, and for a standby ``sync`` or ``async``.
        """
        for name in DATABASES:
            about = self._asked(name, "patroni")
            if about.get("state") == "running" and about["role"] in ("master", "primary"):
                standbys = about.get("replication", ())
                following = (one for one in standbys if one["state"] == "streaming")
                return {
                    name: "primary",
                    **{one["application_name"]: one["sync_state"] for one in following},
                }
        return {}

    def primary(self) -> str | None:
        """Return the machine with the primary."""
        return next(iter(self.members()), None)

    def is_whole(self) -> bool:
        """Return whether both standbys follow the primary, and one of them would take over."""
        roles = {role: name for name, role in self.members().items()}
        return roles.keys() == {"primary", "sync", "async"} and bool(
            self._asked(roles["sync"], "sync")
        )

    def _has_etcd(self) -> bool:
        """Return whether etcd has begun; a Patroni that comes earlier stumbles over its version."""
        versions = [self._asked(name, "version", "etcd") for name in DATABASES]
        return all(one.get("etcdcluster", "not_decided") != "not_decided" for one in versions)

    def _asked(self, name: str, path: str, whom: str = "patroni") -> dict[str, Any]:
        """Return what a machine answers; nothing if it does not, or not with 200."""
        with suppress(OSError, HTTPException, ValueError):
            where = f"http://{self.outside(name)}:{PORTS[whom]}/{path}"
            with urlopen(where, timeout=2) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        return {}

    def _answers(self) -> bool:
        with (
            suppress(OSError, HTTPException),
            urlopen(f"{self.url}/healthz", timeout=10) as answer,
        ):
            return bool(answer.status == 200)
        return False

    def until(self, is_so: Callable[[], object], what: str) -> None:
        """Wait for something; raises Failed."""
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > end:
                raise Failed(f"waited {PATIENCE_S} s for {what}; see {self.folder}/*/*.log")
            time.sleep(0.1)

    # ---- breaking ------------------------------------------------------------------------

    def kill(self, *names: str) -> None:
        """End all processes of some machines at once; of all machines if none is named."""
        for name in names or MACHINES:
            while left := processes(self.folder / name):
                for process in left:
                    with suppress(psutil.Error):
                        process.kill()
            for _, ended in (one for one in self._started if one[0] == name):
                ended.wait()
            self._started = [one for one in self._started if one[0] != name]

    def cut(self, name: str) -> None:
        """Cut the network of a database machine: first there is silence, then TCP gives up."""
        (cable,) = (one for one in processes(self.folder / name) if one.info["name"] == "haproxy")
        cable.send_signal(signal.SIGSTOP)
        time.sleep(TCP_GIVES_UP_S)
        cable.kill()


# ---- commands ----------------------------------------------------------------------------

FOLDER = Path(gettempdir()) / f"scorekeeper-cluster-{os.geteuid()}"
a_database = click.argument("name", type=click.Choice(DATABASES))


@click.group(help=(__doc__ or "").partition("\n")[0])
@click.option("--folder", type=click.Path(path_type=Path), default=FOLDER, show_default=True)
@click.option("--port", default=8000, show_default=True, help="Of the service, at the first start.")
@click.pass_context
def main(context: click.Context, folder: Path, port: int) -> None:
    context.obj = Cluster(folder, port)


@main.command()
@click.pass_obj
def start(cluster: Cluster) -> None:
    """Start a cluster, or continue with one that was stopped."""
    click.echo(f"Starting in {cluster.folder} ...")
    try:
        cluster.start()
    except BaseException:
        cluster.kill()
        raise
    click.echo(f"Ready on {cluster.url}")
    show(cluster)


@main.command()
@click.pass_obj
def status(cluster: Cluster) -> None:
    """Say which machine has the primary, and which ones follow it."""
    show(cluster)


@main.command()
@a_database
@click.pass_obj
def kill(cluster: Cluster, name: str) -> None:
    """End all processes of a machine, as if its plug were pulled."""
    cluster.kill(name)


@main.command()
@a_database
@click.pass_obj
def cut(cluster: Cluster, name: str) -> None:
    """Cut the network of a machine, which takes as long as others need to notice."""
    cluster.cut(name)


@main.command()
@a_database
@click.pass_obj
def mend(cluster: Cluster, name: str) -> None:
    """Start again what does not run on a machine."""
    cluster.mend(name)


@main.command()
@click.pass_obj
def stop(cluster: Cluster) -> None:
    """End all processes; what was saved stays in the folder."""
    cluster.kill()


def show(cluster: Cluster) -> None:
    """Print the roles of the machines."""
    roles = cluster.members()
    for name in DATABASES:
        click.echo(f"{name}  {ROLES[roles.get(name)]}")


if __name__ == "__main__":
    try:
        main()
    except (Failed, OSError) as error:
        sys.exit(str(error))
