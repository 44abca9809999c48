"""Why a database cannot be opened is said so that the operator can do something about it."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from scorekeeper.cli.ledgers import why_not_opened
from scorekeeper.config import Address, place_of
from scorekeeper.i18n import language
from scorekeeper.store import CannotOpen, errors, open_ledger
from scorekeeper.store import postgres as engines
from scorekeeper.store.postgres import migrations, store


def refusal(url: str) -> CannotOpen:
    with pytest.raises(CannotOpen) as refused:
        open_ledger(url)
    return refused.value


def run(postgres: str, *statements: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as other:
        for statement in statements:
            other.execute(statement.encode())


def test_a_server_that_does_not_answer_is_unreachable():
    assert type(refusal("postgresql://somebody@127.0.0.1:1/games")) is errors.Unreachable


def test_a_database_that_does_not_exist_is_named(postgres_server):
    error = refusal(postgres_server.address("nowhere"))

    assert type(error) is CannotOpen
    assert "nowhere" in str(error)


@pytest.mark.parametrize("password", ["", ":wrong"])
def test_a_wrong_password_is_refused_and_in_no_message(postgres_server, password):
    with postgres_server.with_password("guarded", "right"):
        url = postgres_server.address(user=f"guarded{password}")
        error = refusal(url)

        assert type(error) is errors.WrongPassword
        for line in why_not_opened(error, place_of(url), language("en")):
            assert ":wrong" not in line
        with closing(open_ledger(postgres_server.address(user="guarded:right"))):
            pass


def test_a_user_who_may_not_make_tables_is_told_so(postgres, postgres_server):
    name = Address(postgres).url.partition("?")[0].rpartition("/")[2]
    run(postgres, "CREATE ROLE guest LOGIN", "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    try:
        first = refusal(postgres_server.address(name, "guest"))
        open_ledger(postgres).close()
        second = refusal(postgres_server.address(name, "guest"))
    finally:
        run(postgres, "DROP ROLE guest")

    assert {type(first), type(second)} == {errors.MissingPrivileges}


def test_a_server_that_takes_no_writes_is_read_only(postgres):
    name = postgres.partition("?")[0].rpartition("/")[2]
    run(postgres, f"ALTER DATABASE {name} SET default_transaction_read_only = on")

    assert type(refusal(postgres)) is errors.ReadOnly


def test_an_old_server_is_refused(postgres, monkeypatch):
    monkeypatch.setattr(store, "OLDEST", 990_000)

    assert type(refusal(postgres)) is errors.TooOld


def test_without_the_driver_the_extra_is_named(postgres, monkeypatch):
    monkeypatch.delattr(engines, "store")
    monkeypatch.setitem(sys.modules, "scorekeeper.store.postgres.store", None)
    error = refusal(postgres)

    assert type(error) is errors.NoDriver
    (line,) = why_not_opened(error, place_of(postgres), language("en"))
    assert ".whl[postgres]" in line


def test_the_tables_of_another_program_are_left_alone(postgres):
    run(postgres, "CREATE TABLE books (title text)")

    assert type(refusal(postgres)) is errors.NotOurs


def test_tables_for_newer_programs_are_refused_and_those_that_serve_this_one_are_not(postgres):
    open_ledger(postgres).close()
    newer = f"UPDATE settings SET value = '99' WHERE name = '{migrations.VERSION}'"
    run(postgres, newer)
    open_ledger(postgres).close()
    run(postgres, newer.replace(migrations.VERSION, migrations.SERVES))

    assert type(refusal(postgres)) is errors.Newer


def test_tables_that_are_up_to_date_are_opened_without_a_write(postgres):
    open_ledger(postgres).close()
    written = f"SELECT xmin::text FROM settings WHERE name = '{migrations.VERSION}'"
    with psycopg.connect(postgres, autocommit=True) as other:
        before = other.execute(written.encode()).fetchall()
        open_ledger(postgres).close()

        assert other.execute(written.encode()).fetchall() == before


def test_several_processes_may_make_the_tables_at_once(postgres):
    with ThreadPoolExecutor(4) as starting:
        ledgers = list(starting.map(lambda _: open_ledger(postgres), range(4)))

    assert {ledger.store.is_outdated() for ledger in ledgers} == {False}
    assert {ledger.store.version() for ledger in ledgers} == {len(migrations.MIGRATIONS)}
    for ledger in ledgers:
        ledger.close()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://a:s3cret@h/db", "postgresql://a@h/db"),
        (
            "postgres://a:s3cret@h1:5432,h2/db?sslmode=require",
            "postgres://a@h1:5432,h2/db?sslmode=require",
        ),
        (
            "postgresql:///db?host=/run&password=s3cret&user=a",
            "postgresql:///db?host=/run&password=...&user=a",
        ),
    ],
)
def test_an_address_is_shown_without_its_password(url, shown):
    address = place_of(url)

    assert str(address) == shown
    assert "s3cret" not in repr(address)
    assert os.sep not in address.file_name
