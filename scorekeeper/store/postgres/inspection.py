"""The health of a PostgreSQL database, for ``check``."""

from scorekeeper.store.postgres.engine import Engine
from scorekeeper.store.postgres.migrations import MIGRATIONS
from scorekeeper.store.report import CheckResult
from scorekeeper.store.sql.inspection import Inspection as SharedInspection
from scorekeeper.store.sql.inspection import Position

DURABLE = ("fsync", "full_page_writes", "synchronous_commit")
"""The settings without which a confirmed commit may be lost."""
CHECKED = "scorekeeper_check"
"""A schema with new tables for comparison, which is rolled back."""
SCHEMA = """
    SELECT 'column', table_name || '.' || column_name, concat_ws(' ', data_type, collation_name,
        is_nullable, is_identity) FROM information_schema.columns WHERE table_schema = :schema
    UNION ALL SELECT 'trigger', tgname, replace(pg_get_triggerdef(pg_trigger.oid), nspname, '')
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = :schema AND NOT tgisinternal
    UNION ALL SELECT 'state', tgname, tgenabled::text
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = :schema AND NOT tgisinternal
    UNION ALL SELECT 'function', proname, prosrc FROM pg_proc
        JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = :schema
    UNION ALL SELECT 'index', indexname, replace(indexdef, schemaname, '') FROM pg_indexes
        WHERE schemaname = :schema
    """
"""Everything that the migrations make in a schema: kind, name, definition."""


class Inspection(SharedInspection):
    """The queries of ``check`` on one database.

    A server checks the pages that it reads if its cluster has checksums, and its disk is not
    visible from here.
    """

    _engine: Engine
    POSITION = "position"
    HEX = "encode(hash, 'hex')"

    def engine_line(self) -> CheckResult:
        """Return the version of the server, and how many synchronous standbys confirm commits."""
        (version,) = self._engine.row("SHOW server_version")
        return CheckResult(
            "server", True, {"version": version.split()[0], "standbys": self.standbys()}
        )

    def standbys(self) -> int | None:
        """Return the number of synchronous standbys that confirm commits.

        None if this user may not see it.
        """
        (visible,) = self._engine.row("SELECT pg_has_role('pg_monitor', 'USAGE')")
        query = "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')"
        return int(self._engine.row(query)[0]) if visible else None

    def settings_line(self) -> CheckResult:
        """Return whether server and session wait until a commit is on the disk."""
        found = {name: self._engine.row(f"SHOW {name}")[0] for name in DURABLE}
        return CheckResult("session", "off" not in found.values(), found)

    def tables_line(self) -> CheckResult:
        """Return whether tables and triggers are as the migrations make them.

        They are made again in a schema of their own, within a transaction that is rolled back.
        """
        (schema,) = self._engine.row("SELECT current_schema()")
        there = set(self._engine.rows(SCHEMA, {"schema": schema}))
        with self._engine.rolled_back():
            self._engine.script(f"CREATE SCHEMA {CHECKED}; SET LOCAL search_path TO {CHECKED}")
            for step in MIGRATIONS:
                self._engine.script(step.statements)
            new = set(self._engine.rows(SCHEMA, {"schema": CHECKED}))
        different = {one for one in there ^ new if not one[1].startswith("settings")}
        return CheckResult(
            "tables", not different, {"names": tuple(sorted({one[1] for one in different}))}
        )

    def last(self) -> Position | None:
        """Return the position of the event that was written last.

        Positions are given before their transactions are committed. This waits for those that are
        running, so that no event with a lower position is added later.
        """
        with self._engine.rolled_back():
            self._engine.script("LOCK TABLE events IN SHARE MODE")
            return super().last()

    def count_events(self) -> int:
        """Return the number of events."""
        return int(self._engine.row("SELECT coalesce(sum(version), 0) FROM books")[0])

    def size(self) -> int:
        """Return the size on the disk of the server in bytes."""
        return int(self._engine.row("SELECT pg_database_size(current_database())")[0])
