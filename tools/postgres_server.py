"""A PostgreSQL server of its own, for tests and benchmarks; ``tools/programs`` installs it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import psycopg

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin")


def programs() -> Path | None:
    """Return the folder with the newest ``initdb`` of this machine."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    places = [place for pattern in PLACES for place in Path("/").glob(pattern[1:])]
    return max(
        places,
        default=None,
        key=lambda place: float(place.parts[-2].split("@")[-1].strip("pgsql-")),
    )


EMPTY = """
    SET session_replication_role = replica;  -- no triggers, no foreign keys
    DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('DELETE FROM %I', name)
                || CASE name WHEN 'settings' THEN $q$ WHERE name NOT LIKE 'tables%'$q$ ELSE '' END;
        END LOOP;
    END $$
    """
"""Deletes every row of a database but the version of its tables."""
PATIENCE_S = 300
"""Seconds; stopping in order syncs 370 files for each database, on a busy disk 5 ms each."""


class Server:
    """A server of its own, that listens on a socket in its folder only."""

    def __init__(self, programs: Path, *, syncs: bool = True) -> None:
        self._syncs = syncs
        self.folder = Path(mkdtemp(prefix="pg"))
        self._programs = programs
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        if self._user:
            shutil.chown(self.folder, self._user)
        self._numbers = count()
        self._reused: list[str] = []
        self.run(
            "initdb", "--no-sync", "-A", "trust", "-U", "scorekeeper", "-E", "UTF8", "-D", self.data
        )

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments: object) -> None:
        subprocess.run(
            [self._programs / program, *map(str, arguments)],
            check=True,
            user=self._user,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )

    def start(self) -> None:
        options = (
            f"-k {self.folder} -c listen_addresses= -c shared_buffers=16MB -c max_connections=60"
            f" {'' if self._syncs else '-c fsync=off'}"
        )
        log = self.folder / "log"
        self._control("-l", log, "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        self._control("-m", how, "stop")

    def _control(self, *arguments: object) -> None:
        self.run("pg_ctl", "-w", "-t", PATIENCE_S, "-D", self.data, *arguments)

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the server and delete its files."""
        self.stop()
        shutil.rmtree(self.folder)

    def address(self, database: str = "postgres", user: str = "scorekeeper") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    @contextmanager
    def with_password(self, user: str, password: str) -> Iterator[None]:
        """Let a new user connect with a password only."""
        rules = self.data / "pg_hba.conf"
        before = rules.read_text()
        rules.write_text(f"local all {user} scram-sha-256\n{before}")
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {user} SUPERUSER LOGIN PASSWORD '{password}'".encode())
            connection.execute("SELECT pg_reload_conf()")
        yield
        rules.write_text(before)
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(f"DROP OWNED BY {user}".encode())
            connection.execute(f"DROP ROLE {user}".encode())

    def new_database(self) -> str:
        """Return the address of an empty database."""
        name = f"games{next(self._numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    def emptied(self, number: int) -> str:
        """Return the address of a database that is used again and again, emptied.

        Creating one takes far longer. Its tables stay, with the version that they have.
        """
        while len(self._reused) <= number:
            self._reused.append(self.new_database())
        with psycopg.connect(self._reused[number], autocommit=True) as connection:
            connection.execute(EMPTY)
        return self._reused[number]
