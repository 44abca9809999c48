"""The tables, and the migration of older files: all steps or none."""

import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.errors import CannotOpen, Newer, NotOurs, NotSaved
from scorekeeper.store.files import replacing
from scorekeeper.store.sqlite.connections import FAILURES, connect, fill_copy
from scorekeeper.store.sqlite.engine import Engine

log = logging.getLogger(__name__)


def first_tables(db: Database) -> None:
    """Create games, their events, texts, rights of browsers, and settings.

    ``events`` keeps its rowid: without one a row of more than about 1,000 bytes, such as
    a round with every card written down, would take a page of its own.
    """
    run(
        db,
        """
        CREATE TABLE games (
            id TEXT PRIMARY KEY,
            version INTEGER NOT NULL,
            head BLOB NOT NULL,
            pen BLOB NOT NULL,
            watch BLOB NOT NULL,
            start BLOB UNIQUE
        ) STRICT;

        CREATE TABLE events (
            game TEXT NOT NULL REFERENCES games (id),
            number INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            by_right TEXT NOT NULL,
            payload TEXT NOT NULL,
            key TEXT,
            digest TEXT,
            hash BLOB NOT NULL,
            PRIMARY KEY (game, number)
        ) STRICT;
        CREATE UNIQUE INDEX events_once ON events (game, key) WHERE key IS NOT NULL;

        CREATE TRIGGER events_follow BEFORE INSERT ON events
        WHEN NEW.number <> 1 + coalesce(
            (SELECT max(number) FROM events WHERE game = NEW.game), 0)
        BEGIN SELECT RAISE(ABORT, 'events follow one another without gap'); END;
        CREATE TRIGGER events_stay BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
        CREATE TRIGGER events_remain BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

        CREATE TABLE texts (
            game TEXT NOT NULL,
            number INTEGER NOT NULL,
            field TEXT NOT NULL,
            text TEXT NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (game, number, field),
            FOREIGN KEY (game, number) REFERENCES events (game, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE browsers (
            browser BLOB NOT NULL,
            game TEXT NOT NULL REFERENCES games (id),
            secret BLOB NOT NULL,
            PRIMARY KEY (browser, game, secret)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE settings (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
    )


def groups(db: Database) -> None:
    """Rename games to books, which are games or groups, and create the results of evenings.

    ``evenings``, ``results`` and ``encounters`` are derived from the events and can be rebuilt at
    any time. Their keys begin with ``group_id`` where queries read all rows of a group.
    """
    run(
        db,
        """
        ALTER TABLE games RENAME TO books;
        ALTER TABLE books ADD COLUMN kind TEXT NOT NULL DEFAULT 'game';
        ALTER TABLE events RENAME COLUMN game TO book;
        ALTER TABLE texts RENAME COLUMN game TO book;
        ALTER TABLE browsers RENAME COLUMN game TO book;

        CREATE TABLE evenings (
            game TEXT PRIMARY KEY REFERENCES books (id),
            group_id TEXT NOT NULL REFERENCES books (id),
            began TEXT NOT NULL,
            training INTEGER NOT NULL,
            over INTEGER NOT NULL,
            rounds INTEGER NOT NULL,
            family TEXT NOT NULL,
            preset TEXT NOT NULL,
            unit TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX evenings_in_order ON evenings (group_id, began, game);

        CREATE TABLE results (
            group_id TEXT NOT NULL,
            game TEXT NOT NULL REFERENCES evenings (game),
            seat INTEGER NOT NULL,
            member INTEGER NOT NULL,
            place INTEGER,
            minus INTEGER NOT NULL,
            plus INTEGER NOT NULL,
            worth INTEGER NOT NULL,
            league INTEGER NOT NULL,
            played INTEGER NOT NULL,
            won INTEGER NOT NULL,
            hand_rommes INTEGER NOT NULL,
            gins INTEGER NOT NULL,
            undercuts INTEGER NOT NULL,
            left_over INTEGER NOT NULL,
            lost INTEGER NOT NULL,
            best INTEGER,
            worst INTEGER,
            streak INTEGER NOT NULL,
            numerator TEXT,
            denominator TEXT,
            PRIMARY KEY (group_id, game, seat)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE encounters (
            group_id TEXT NOT NULL,
            game TEXT NOT NULL REFERENCES evenings (game),
            one INTEGER NOT NULL,
            other INTEGER NOT NULL,
            points INTEGER NOT NULL,
            rounds INTEGER NOT NULL,
            won INTEGER NOT NULL,
            lost INTEGER NOT NULL,
            PRIMARY KEY (group_id, game, one, other)
        ) STRICT, WITHOUT ROWID;
        """,
    )


def advance(db: Database) -> None:
    """Let a trigger update the version and head of a book with each event."""
    run(
        db,
        """
        CREATE TRIGGER books_advance AFTER INSERT ON events
        BEGIN UPDATE books SET version = NEW.number, head = NEW.hash WHERE id = NEW.book; END;
        """,
    )


def paper(db: Database) -> None:
    """Give games a third secret, which their printed sheets bear; NULL: none is printed."""
    run(db, "ALTER TABLE books ADD COLUMN paper BLOB;")


def run(db: Database, script: str) -> None:
    """Run a script statement by statement, because ``executescript`` would commit first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement.strip())
            statement = ""


MIGRATIONS: tuple[Callable[[Database], None], ...] = (first_tables, groups, advance, paper)
"""Step n leads from version n to n + 1; a released step never changes."""


def outdated(path: Path) -> bool:
    """Return whether an older version wrote the file, which may still be serving it."""
    if not path.exists():
        return False
    try:
        with closing(connect(path)) as file:
            version: int = file.execute("PRAGMA user_version").fetchone()[0]
    except FAILURES:  # opening the database will report the reason
        return False
    return 0 < version < len(MIGRATIONS)


def is_blank(path: Path) -> bool:
    """Return whether there is no file at a path, or one without tables.

    SQLite takes a file of a few bytes for a new one.
    """
    if not path.exists():
        return True
    try:
        with closing(connect(path, mode="ro")) as file:
            return file.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is None
    except FAILURES:  # opening the database will report the reason
        return False


def is_ours(path: Path) -> bool:
    """Return whether a file is a database of this program; nothing is created beside it."""
    place = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    trigger = "SELECT 1 FROM sqlite_schema WHERE name = 'events_follow'"
    try:
        with closing(sqlite3.connect(place, uri=True)) as file:
            return file.execute(trigger).fetchone() is not None
    except FAILURES:
        return False


def is_older(engine: Engine) -> bool:
    """Return whether an older version made the tables."""
    return 0 < version_of(engine) < len(MIGRATIONS)


def migrate(engine: Engine, *, back_up: bool = True) -> None:
    """Bring the file to the newest version; NotOurs for a file of another program.

    The file of an older version is copied first, as it is.
    """
    version = version_of(engine)
    if version == len(MIGRATIONS):
        return
    if back_up and version:
        back_up_old(engine, version)
    with engine.write() as db:
        version = version_of(engine)  # another process may have migrated it meanwhile
        for step in MIGRATIONS[version:]:
            step(db)
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def back_up_old(engine: Engine, version: int) -> None:
    """Copy the file beside itself; CannotOpen if it is damaged or the disk is full."""
    path = engine.path
    old = path.with_name(f"{path.stem}-of-version-{version}{path.suffix}")
    try:
        with replacing(old) as part:
            fill_copy(engine.copy_to, part)
            with closing(connect(part)) as copy:
                found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if found != "ok":
                raise CannotOpen(f"{path}: {found}")
    except (OSError, NotSaved, *FAILURES) as error:
        raise CannotOpen(f"{old}: {error}") from error
    log.warning("%s comes from an older version and is kept as it was: %s", path, old)


def version_of(engine: Engine) -> int:
    """Return the version of the tables; 0 if there are none.

    Raises Newer if they need a newer program, NotOurs if another program made them.
    """
    version: int = engine.row("PRAGMA user_version")[0]
    if version > len(MIGRATIONS):
        raise Newer(str(engine.path))
    if version == 0 and engine.rows("SELECT 1 FROM sqlite_schema LIMIT 1"):
        raise NotOurs(str(engine.path))
    return version


def schema(engine: Engine) -> set[tuple[str, str]]:
    """Return the name and definition of every table, index and trigger."""
    found = engine.rows("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {(name, sql) for name, sql in found}
