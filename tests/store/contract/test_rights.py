"""The rights in a book: none, watch, pen."""

import hmac

import pytest

from scorekeeper.store.links import ALPHABET, LinkKey
from scorekeeper.store.rights import SoleOwner, Withdrawn, digest, normal
from scorekeeper.store.writes import Holder, Write

BOTH = ("pen", "watch")


def test_a_secret_has_at_least_128_bits_in_legible_characters():
    key = LinkKey()
    secret = key.secret("evening", "pen", (1, "now"))

    assert len(secret.replace("-", "")) * 5 >= 128
    assert set(secret) <= set(ALPHABET + "-")
    assert all(len(group) == 4 for group in secret.split("-"))
    others = {key.secret("evening", right, (n, "now")) for n in range(500) for right in BOTH}
    others |= {key.secret("other", right, (1, "now")) for right in BOTH}
    others |= {LinkKey().secret("evening", right, (1, "now")) for right in BOTH}
    assert len(others) == 1004


def test_every_five_bits_of_a_secret_are_one_of_its_characters():
    """A secret made by this key stays: links that were printed must open their game."""
    key = LinkKey(configured="a key that is configured")

    secret = key.secret("evening", "pen", (1, "2026-06-12T19:40:05Z"))

    text = b"link evening pen 1 2026-06-12T19:40:05Z"
    bits = int.from_bytes(hmac.digest(b"a key that is configured", text, "sha256"))
    characters = [ALPHABET[bits // 32**place % 32] for place in range(28)]
    assert secret.replace("-", "") == "".join(characters)


@pytest.mark.parametrize(
    "typed",
    ["7k2m-0v1x", "7K2M-0V1X", " 7k2m 0v1x ", "7k2m0v1x", "7k2m–oVlx", "7k2m_Ovix\n"],
)
def test_a_secret_may_be_typed_in_any_form(typed):
    assert normal(typed) == "7k2m-0v1x"


def test_each_secret_gives_its_right_and_others_give_none(table):
    game_id = table.open()

    assert table.ledger.rights.of_secret(game_id, table.pen) == "pen"
    assert table.ledger.rights.of_secret(game_id, table.watch.upper()) == "watch"
    for wrong in ("", "7k2m", "\ud800", "x" * 10_000):
        assert table.ledger.rights.of_secret(game_id, wrong) is None
    assert table.ledger.rights.of_secret("nowhere", table.pen) is None


def test_the_database_contains_no_secret(table, database):
    table.open(browser="a browser's secret")
    content = database.content()

    for secret in (table.pen, normal(table.pen), table.watch, "a browser's secret"):
        assert secret.encode() not in content


def test_a_browser_has_the_strongest_right_of_its_secrets(table):
    game_id = table.open()
    remembered = [
        table.ledger.rights.remember("phone", game_id, s) for s in (table.pen, table.watch)
    ]

    assert remembered == ["pen", "watch"]
    assert table.ledger.rights.of_browser("phone", game_id) == "pen"
    assert table.ledger.rights.of_browser("another phone", game_id) is None


def test_a_wrong_secret_is_not_stored(table):
    game_id = table.open()

    assert table.ledger.rights.remember("phone", game_id, "guess") is None
    assert table.ledger.rights.of_browser("phone", game_id) is None


def test_the_creator_of_a_game_holds_its_pen(table):
    game_id = table.open(browser="phone")

    assert table.ledger.rights.of_browser("phone", game_id) == "pen"


@pytest.mark.bar("A3")
@pytest.mark.parametrize("right", ["pen", "watch"])
def test_a_replaced_secret_is_refused_at_once_even_from_known_browsers(table, right):
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


def test_a_replaced_pen_changes_nothing_more_even_if_its_request_began_before(table):
    """The transaction that replaces the pen itself goes on; later writes of that pen do not."""
    game_id = table.open()
    write = Write(holders=(Holder(game_id, secret=table.pen),))
    with table.ledger.book_transaction(game_id, write) as transaction:
        transaction.append("secret", {"right": "pen"}, at="now", by="pen")
        transaction.replace_secret("pen", "another pen")
        transaction.append("secret", {"right": "pen"}, at="now", by="pen")

    with (
        pytest.raises(Withdrawn) as refused,
        table.ledger.book_transaction(game_id, write) as transaction,
    ):
        transaction.append("secret", {"right": "pen"}, at="now", by="pen")

    assert refused.value.left is None
    watching = Write(holders=(Holder(game_id, secret=table.watch),))
    with (
        pytest.raises(Withdrawn) as refused,
        table.ledger.book_transaction(game_id, watching) as transaction,
    ):
        transaction.append("secret", {"right": "pen"}, at="now", by="pen")
    assert refused.value.left == "watch"
    assert table.record(game_id, 10).version == 4


def test_the_games_of_a_browser_are_listed_last_played_first(table):
    for game_id, at in [("old", "2026-01-01T20:00:00Z"), ("new", "2026-05-01T20:00:00Z")]:
        table.open(game_id, browser="phone")
        with table.ledger.book_transaction(game_id) as transaction:
            transaction.append("round", table.round(1, 10), at=at, by="pen")
    table.ledger.rights.remember("guest", "new", table.watch)
    table.open("not mine")
    table.ledger.rights.remember("phone", "not mine", "guess")

    assert table.ledger.rights.books_of("phone", "game") == [("new", "pen"), ("old", "pen")]
    assert table.ledger.rights.books_of("guest", "game") == [("new", "watch")]


def test_the_key_for_cookies_does_not_change(ledger):
    key = ledger.secret_key()

    assert len(key) >= 32
    assert ledger.secret_key() == key


def test_the_sole_owner_holds_the_pen_of_all_books(table):
    owner = SoleOwner(table.ledger.store, table.ledger.read_heads, table.ledger.cached_heads)
    for game_id, at in [("old", "2026-01-01T20:00:00Z"), ("new", "2026-05-01T20:00:00Z")]:
        table.open(game_id)
        with table.ledger.book_transaction(game_id) as transaction:
            transaction.append("round", table.round(1, 10), at=at, by="pen")

    assert owner.books_of("whoever", "game") == [("new", "pen"), ("old", "pen")]
    assert owner.books_of("whoever", "group") == []
    assert owner.of_browser("whoever", "old") == "pen"
    assert owner.of_browser("whoever", "none") is None


def test_a_browser_is_given_what_another_one_holds(table):
    rights, one = table.ledger.rights, table.open("one")
    rights.remember("old phone", one, table.pen)
    other = table.open("other")
    rights.remember("old phone", other, table.watch)
    rights.remember("new phone", other, table.pen)
    rights.copy(digest("old phone"), "new phone", moves=False)

    assert dict(rights.books_of("new phone", "game")) == {one: "pen", other: "pen"}
    assert dict(rights.books_of("old phone", "game")) == {one: "pen", other: "watch"}

    rights.copy(digest("old phone"), "third phone", moves=True)
    rights.copy(digest("third phone"), "third phone", moves=True)

    assert dict(rights.books_of("third phone", "game")) == {one: "pen", other: "watch"}
    assert rights.books_of("old phone", "game") == []
