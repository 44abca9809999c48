"""The cache of books is bounded by what it takes, and what is used stays."""

from dataclasses import replace

import pytest

from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.presets import preset
from scorekeeper.domain.rounds import Round, RoundScore
from scorekeeper.domain.sheet import Row, Sheet
from scorekeeper.store import cache
from scorekeeper.store.cache import BookCache

SCORE = RoundScore(outcome="void", winner=None, mark="verified", scores=(), lines=(), warnings=())
ROW = Row(1, "", Round(outcome="void"), SCORE)


def game(name: str, rounds: int) -> Game:
    rules = preset("german-family")
    return Game(id=name, version=1 + rounds, rules=rules, sheet=Sheet(rules, 3, (ROW,) * rounds))


@pytest.fixture
def books(monkeypatch: pytest.MonkeyPatch) -> BookCache:
    """Room for three games of nine rounds."""
    monkeypatch.setattr(cache, "MOST_ROUNDS", 30)
    return BookCache()


def kept(books: BookCache, names: str) -> str:
    return "".join(name for name in names if books.get(name))


def test_the_longer_games_are_the_fewer_are_kept(books: BookCache) -> None:
    for name in "abcdef":
        books.put(game(name, 9))
    assert kept(books, "abcdef") == "def"

    books.put(game("g", 19))
    assert kept(books, "defg") == "fg"

    for name in "hijklmnopq":
        books.put(game(name, 0))
    assert kept(books, "fghijklmnopq") == "ghijklmnopq"


def test_what_is_used_stays(books: BookCache) -> None:
    for name in "abc":
        books.put(game(name, 9))
    books.get("a")

    books.put(game("d", 9))

    assert kept(books, "abcd") == "acd"


def test_a_game_that_goes_on_takes_the_room_of_its_rounds_once(books: BookCache) -> None:
    books.put(game("a", 9))
    for rounds in range(20):
        books.put(game("b", rounds))
    assert kept(books, "ab") == "ab"

    books.put(game("b", 25))

    assert kept(books, "ab") == "b"


def test_the_longest_game_of_all_is_kept_alone(books: BookCache) -> None:
    books.put(game("a", 9))
    books.put(game("b", 1000))

    assert kept(books, "ab") == "b"


def test_a_group_is_kept_however_many_evenings_it_had(books: BookCache) -> None:
    books.put(game("a", 9))
    books.put(replace(Group(id="g"), version=10_000))

    assert kept(books, "ag") == "ag"


def test_an_earlier_version_takes_the_place_of_no_later_one(books: BookCache) -> None:
    books.put(game("a", 9))
    books.put(game("a", 8))

    found = books.get("a")

    assert found and found.version == 10


def test_what_is_forgotten_takes_no_room(books: BookCache) -> None:
    for _ in range(3):
        for name in "abc":
            books.put(game(name, 9))
        books.forget()
        assert kept(books, "abc") == ""

    for name in "abc":
        books.put(game(name, 9))
    assert kept(books, "abc") == "abc"
