"""The tables, and the migration of older ones: all steps or none, by one process at a time.

Machines are upgraded one after the other, so an older version must be able to work on newer
tables for a while. A step therefore only adds; what is not used any more is removed by a later
step, once no version that needs it is left.
"""

from typing import NamedTuple

from psycopg import errors

from scorekeeper.store.errors import (
    CannotOpen,
    MissingPrivileges,
    Newer,
    NotOurs,
    NotSaved,
    Unreadable,
)
from scorekeeper.store.evenings import TABLES
from scorekeeper.store.postgres import shared
from scorekeeper.store.postgres.engine import Engine
from scorekeeper.store.sql.settings import UPSERT

FIRST_TABLES = """
    CREATE TABLE books (
        id text COLLATE "C" PRIMARY KEY,
        position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        version bigint NOT NULL,
        head bytea NOT NULL,
        pen bytea NOT NULL,
        watch bytea NOT NULL,
        paper bytea,
        start bytea UNIQUE,
        kind text NOT NULL
    );

    CREATE TABLE events (
        book text COLLATE "C" NOT NULL REFERENCES books (id),
        number bigint NOT NULL,
        at text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        by_right text NOT NULL,
        payload text NOT NULL,
        key text COLLATE "C",
        digest text,
        hash bytea NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        PRIMARY KEY (book, number)
    );
    CREATE UNIQUE INDEX events_once ON events (book, key) WHERE key IS NOT NULL;

    CREATE FUNCTION events_follow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE books SET version = NEW.number, head = NEW.hash
        WHERE id = NEW.book AND version = NEW.number - 1;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'events follow one another without gap';
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER events_follow AFTER INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION events_follow();

    CREATE FUNCTION events_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'events are never changed or deleted';
    END $$;
    CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_stay();

    CREATE TABLE texts (
        book text COLLATE "C" NOT NULL,
        number bigint NOT NULL,
        field text COLLATE "C" NOT NULL,
        text text NOT NULL,
        crc bigint NOT NULL,
        PRIMARY KEY (book, number, field),
        FOREIGN KEY (book, number) REFERENCES events (book, number)
    );

    CREATE TABLE browsers (
        browser bytea NOT NULL,
        book text COLLATE "C" NOT NULL REFERENCES books (id),
        secret bytea NOT NULL,
        PRIMARY KEY (browser, book, secret)
    );

    CREATE TABLE evenings (
        game text COLLATE "C" PRIMARY KEY REFERENCES books (id),
        group_id text COLLATE "C" NOT NULL REFERENCES books (id),
        began text COLLATE "C" NOT NULL,
        training boolean NOT NULL,
        over boolean NOT NULL,
        rounds bigint NOT NULL,
        family text COLLATE "C" NOT NULL,
        preset text NOT NULL,
        unit text COLLATE "C"
    );
    CREATE INDEX evenings_in_order ON evenings (group_id, began, game);

    CREATE TABLE results (
        group_id text COLLATE "C" NOT NULL,
        game text COLLATE "C" NOT NULL REFERENCES evenings (game),
        seat bigint NOT NULL,
        member bigint NOT NULL,
        place bigint,
        minus bigint NOT NULL,
        plus bigint NOT NULL,
        worth bigint NOT NULL,
        league bigint NOT NULL,
        played bigint NOT NULL,
        won bigint NOT NULL,
        hand_rommes bigint NOT NULL,
        gins bigint NOT NULL,
        undercuts bigint NOT NULL,
        left_over bigint NOT NULL,
        lost bigint NOT NULL,
        best bigint,
        worst bigint,
        streak bigint NOT NULL,
        numerator text,
        denominator text,
        PRIMARY KEY (group_id, game, seat)
    );

    CREATE TABLE encounters (
        group_id text COLLATE "C" NOT NULL,
        game text COLLATE "C" NOT NULL REFERENCES evenings (game),
        one bigint NOT NULL,
        other bigint NOT NULL,
        points bigint NOT NULL,
        rounds bigint NOT NULL,
        won bigint NOT NULL,
        lost bigint NOT NULL,
        PRIMARY KEY (group_id, game, one, other)
    );
    """


class Step(NamedTuple):
    """A migration, and the oldest version of the tables whose programs still work after it."""

    statements: str
    serves: int


MIGRATIONS = (Step(FIRST_TABLES + shared.TABLES, serves=1),)
"""Step n leads from version n to n + 1; a released step never changes."""
SETTINGS = """
    CREATE TABLE IF NOT EXISTS settings (name text COLLATE "C" PRIMARY KEY, value text NOT NULL)
    """
VERSION, SERVES = "tables", "tables_serve"
"""The settings with the version of the tables, and with the oldest one that they serve."""
LOCK = 0x73636F72656B  # "scorek"
"""The advisory lock of migrations; others of this program are this number plus 1, 2, ..."""


def version_of(engine: Engine) -> int:
    """Return the version of the tables; 0 if there are none.

    Raises Newer if they need a newer program, NotOurs if another program has such tables.
    """
    if not _exists(engine, "settings"):
        if _exists(engine, "books") or _exists(engine, "events"):
            raise NotOurs("settings")
        return 0
    try:
        found = dict(
            engine.rows("SELECT name, value FROM settings WHERE name IN (?, ?)", (VERSION, SERVES))
        )
        version, serves = int(found.get(VERSION, 0)), int(found.get(SERVES, 0))
    except (CannotOpen, ValueError) as error:
        raise NotOurs("settings") from error
    if serves > len(MIGRATIONS):
        raise Newer("settings")
    return version


def _exists(engine: Engine, table: str) -> bool:
    """Return whether the schema in use has a table of this name."""
    query = "SELECT 1 FROM pg_tables WHERE tablename = ? AND schemaname = current_schema()"
    return engine.row(query, (table,)) is not None


def is_older(engine: Engine) -> bool:
    """Return whether an older version made the tables."""
    return 0 < version_of(engine) < len(MIGRATIONS)


def require_tables(engine: Engine) -> None:
    """Raise MissingPrivileges unless this user may read and write all tables."""
    for table in ("books", "events", "texts", "browsers", "settings", "limits", "codes", *TABLES):
        wanted = "SELECT, INSERT" + ", UPDATE, DELETE" * (table != "events")
        (may,) = engine.row("SELECT has_table_privilege(?, ?)", (table, wanted))
        if not may:
            raise MissingPrivileges(f"{wanted} ON {table}")


def migrate(engine: Engine) -> None:
    """Bring the tables to the newest version; nothing happens if they are at it or beyond.

    Raises MissingPrivileges if the user may not create tables.
    """
    try:
        if version_of(engine) >= len(MIGRATIONS):
            return
        with engine.write():
            engine.row("SELECT pg_advisory_xact_lock(?)", (LOCK,))
            engine.execute(SETTINGS)
            for step in MIGRATIONS[version_of(engine) :]:  # another process may have migrated
                engine.script(step.statements)
            engine.execute(UPSERT, (VERSION, str(len(MIGRATIONS))))
            engine.execute(UPSERT, (SERVES, str(MIGRATIONS[-1].serves)))
    except (NotSaved, Unreadable) as error:
        if isinstance(error.__cause__, errors.InsufficientPrivilege):
            raise MissingPrivileges(str(error)) from error
        raise error if isinstance(error, CannotOpen) else CannotOpen(str(error)) from error
