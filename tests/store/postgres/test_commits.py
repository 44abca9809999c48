"""A commit counts only if the server has confirmed it without a warning (G5)."""

from contextlib import closing, suppress

import psycopg
import pytest

from bars import tries, trying
from scorekeeper.store import NotSaved, Unreadable
from scorekeeper.store.errors import OutcomeUnknown
from scorekeeper.store.postgres import engine as engine_module
from scorekeeper.store.postgres.engine import Connection, Engine


def cut(engine: Engine, monkeypatch: pytest.MonkeyPatch, when: str, postgres: str) -> None:
    """Break the next connection that commits, before or after the server has received COMMIT."""
    execute = Connection.execute

    def cutting(connection, query, *values, **more):
        if query != "COMMIT":
            return execute(connection, query, *values, **more)
        monkeypatch.setattr(Connection, "execute", execute)
        if when == "after":
            execute(connection, query)
        with psycopg.connect(postgres, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))
        return execute(connection, query)

    monkeypatch.setattr(Connection, "execute", cutting)


@pytest.mark.bar("G5")
def test_a_commit_without_an_answer_is_unknown_and_sent_again_counts_once(
    table_at, ledger, postgres, monkeypatch
):
    table = table_at(ledger)
    game_id = table.open()
    for number, dice in enumerate(trying("G5", tries("G5"))):
        when = dice.choice(["before", "after"])
        cut(ledger.store.engine, monkeypatch, when, postgres)
        with pytest.raises(OutcomeUnknown):
            table.record(game_id, number, key=f"k{number}", digest="d")
        saved = len(ledger.game(game_id).sheet.rows) == number + 1

        assert saved == (when == "after")
        game = table.record(game_id, number, key=f"k{number}", digest="d")
        assert [row.points(1).minus for row in game.sheet.rows] == [*range(number + 1)]


def test_a_warning_at_commit_means_that_no_standby_has_it(table_at, ledger, monkeypatch):
    """PostgreSQL only warns when waiting for the standby was cancelled."""
    table = table_at(ledger)
    game_id = table.open()
    execute = Connection.execute

    def warning(connection, query, *values, **more):
        if query == "COMMIT":
            execute(connection, "DO $$ BEGIN RAISE WARNING 'cancelled'; END $$")
        return execute(connection, query, *values, **more)

    monkeypatch.setattr(Connection, "execute", warning)
    with pytest.raises(OutcomeUnknown):
        table.record(game_id, 10, key="k", digest="d")
    monkeypatch.setattr(Connection, "execute", execute)

    assert table.record(game_id, 10, key="k", digest="d").version == 2


def test_a_statement_that_failed_cannot_be_committed(ledger):
    def write() -> None:
        with ledger.transaction():
            with pytest.raises(Unreadable):
                ledger.store.engine.rows("SELECT 1 / 0")
            ledger.settings.set("a", "b")

    with pytest.raises(NotSaved):
        write()

    assert ledger.settings.get("a") is None


def test_a_query_is_repeated_on_another_connection_if_its_own_was_cut(table_at, ledger, postgres):
    table = table_at(ledger)
    table.record(table.open(), 10)
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE application_name = 'scorekeeper' AND datname = current_database()
            """
        )

    assert ledger.game("evening").version == 2
    assert table.record("evening", 20).version == 3


def recorded_again(table, game_id):
    """Record a round as soon as the server is connected again, and return the game."""
    for _ in range(30):
        with suppress(NotSaved):
            return table.record(game_id, 20)
    pytest.fail("nothing is saved")


@pytest.mark.parametrize(("seconds", "connections"), [(0, 3), (600, 1)])
def test_a_connection_is_replaced_after_its_time(postgres, monkeypatch, seconds, connections):
    """A server that moved is found again by processes that were connected to the old one."""
    monkeypatch.setattr(engine_module, "MAX_LIFETIME_S", seconds)
    with closing(Engine(postgres)) as engine:
        used = {engine.row("SELECT pg_backend_pid()") for _ in range(3)}

    assert len(used) == connections


def test_a_server_that_takes_no_writes_is_noticed_and_recovers(table_at, ledger, postgres):
    table = table_at(ledger)
    game_id = table.open()
    name = psycopg.conninfo.conninfo_to_dict(postgres)["dbname"]
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        ends = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> %s"
        other.execute(ends + " AND datname = %s", (other.info.backend_pid, name))

        with pytest.raises(NotSaved):
            table.record(game_id, 10)

        other.execute("SET default_transaction_read_only = off")
        other.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only".encode())

    assert recorded_again(table, game_id).version == 2


def test_while_the_server_is_away_nothing_is_saved_and_all_resumes_when_it_is_back(
    table_at, ledger, postgres_server, monkeypatch
):
    monkeypatch.setattr(ledger.store.engine._pool, "timeout", 1)
    table = table_at(ledger)
    game_id = table.open()
    postgres_server.stop("fast")
    try:
        with pytest.raises(Unreadable):
            ledger.game(game_id)
        with pytest.raises(NotSaved):
            table.record(game_id, 10)
        assert not ledger.takes_writes()
    finally:
        postgres_server.start()

    assert recorded_again(table, game_id).version == 2
    assert ledger.takes_writes()
