"""Rights over a book: none, watch, pen."""

import pytest

from scorekeeper.store import open_ledger
from scorekeeper.store.rights import ALPHABET, new_secret, normal


def test_a_secret_has_at_least_128_bits_and_can_be_read_out():
    secret = new_secret()

    assert len(secret.replace("-", "")) * 5 >= 128
    assert set(secret) <= set(ALPHABET + "-")
    assert all(len(group) == 4 for group in secret.split("-"))
    assert len({new_secret() for _ in range(1000)}) == 1000


@pytest.mark.parametrize(
    "typed",
    ["7k2m-0v1x", "7K2M-0V1X", " 7k2m 0v1x ", "7k2m0v1x", "7k2m–oVlx", "7k2m_Ovix\n"],
)
def test_a_secret_may_be_typed_as_it_is_read(typed):
    assert normal(typed) == "7k2m-0v1x"


def test_each_secret_opens_its_right_and_nothing_else_does(table):
    game_id = table.open()

    assert table.ledger.rights.of_secret(game_id, table.pen) == "pen"
    assert table.ledger.rights.of_secret(game_id, table.watch.upper()) == "watch"
    for wrong in ("", "7k2m", "\ud800", "x" * 10_000):
        assert table.ledger.rights.of_secret(game_id, wrong) is None
    assert table.ledger.rights.of_secret("nowhere", table.pen) is None


def test_no_secret_stands_in_the_file(table, path):
    table.open(browser="a browser's secret")
    content = path.read_bytes()

    for secret in (table.pen, normal(table.pen), table.watch, "a browser's secret"):
        assert secret.encode() not in content


def test_a_browser_keeps_the_strongest_right_it_was_shown(table):
    game_id = table.open()
    remembered = [
        table.ledger.rights.remember("phone", game_id, s) for s in (table.pen, table.watch)
    ]

    assert remembered == ["pen", "watch"]
    assert table.ledger.rights.of_browser("phone", game_id) == "pen"
    assert table.ledger.rights.of_browser("another phone", game_id) is None


def test_a_wrong_secret_is_not_remembered(table):
    game_id = table.open()

    assert table.ledger.rights.remember("phone", game_id, "guess") is None
    assert table.ledger.rights.of_browser("phone", game_id) is None


def test_whoever_begins_a_game_holds_its_pen(table):
    game_id = table.open(browser="phone")

    assert table.ledger.rights.of_browser("phone", game_id) == "pen"


@pytest.mark.bar("A3")
@pytest.mark.parametrize("right", ["pen", "watch"])
def test_a_replaced_secret_is_refused_at_once_also_where_it_was_remembered(table, right):
    game_id = table.open()
    old = {"pen": table.pen, "watch": table.watch}
    table.ledger.rights.remember("phone", game_id, old[right])
    for turn_number in range(10):
        new = f"new-{turn_number}"
        with table.ledger.book_transaction(game_id) as transaction:
            transaction.append("secret", {"right": right}, at="now", by="pen")
            transaction.replace_secret(right, new)

        assert table.ledger.rights.of_secret(game_id, old[right]) is None
        assert table.ledger.rights.of_browser("phone", game_id) is None
        assert table.ledger.rights.remember("phone", game_id, new) == right
        old[right] = new
    other = "watch" if right == "pen" else "pen"
    assert table.ledger.rights.of_secret(game_id, old[other]) == other


def test_my_games_are_those_i_may_see_the_last_played_first(table):
    for game_id, at in [("old", "2026-01-01T20:00:00Z"), ("new", "2026-05-01T20:00:00Z")]:
        table.open(game_id, browser="phone")
        with table.ledger.book_transaction(game_id) as transaction:
            transaction.append("round", table.round(1, 10), at=at, by="pen")
    table.open("not mine")
    table.ledger.rights.remember("phone", "not mine", "guess")
    table.ledger.rights.remember("guest", "old", table.watch)

    assert table.ledger.rights.books_of("phone", "game") == [("new", "pen"), ("old", "pen")]
    assert table.ledger.rights.books_of("guest", "game") == [("old", "watch")]


def test_a_game_can_be_taken_off_the_list(table):
    game_id = table.open(browser="phone")
    table.ledger.rights.forget("phone", game_id)

    assert table.ledger.rights.books_of("phone", "game") == []
    assert table.ledger.version(game_id) == 1


def test_the_key_that_signs_cookies_stays_the_same(ledger):
    key = ledger.secret_key()

    assert len(key) >= 32
    assert ledger.secret_key() == key


def test_the_key_survives_a_restart_in_a_file_that_only_its_owner_reads(tmp_path):
    file = tmp_path / "games.sqlite"
    keys = []
    for _ in range(2):
        ledger = open_ledger(file)
        keys.append(ledger.secret_key())
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        ledger.close()

        assert set(modes.values()) == {0o600}, modes
    assert keys[0] == keys[1]
