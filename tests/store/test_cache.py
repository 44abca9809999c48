"""The cache of books is limited by their rounds and keeps the most recently used."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.rounds.facts import Round, RoundScore
from scorekeeper.domain.rules.presets import preset
from scorekeeper.store import cache
from scorekeeper.store.cache import BookCache, HeadCache

SCORE = RoundScore(
    outcome="void", winner=None, verification="verified", scores=(), lines=(), warnings=()
)
ROW = Row(1, "", Round(outcome="void"), SCORE, preset("german-family"), 1)


def game(name: str, rounds: int) -> Game:
    rules = preset("german-family")
    return Game(id=name, version=1 + rounds, rules=rules, sheet=Sheet(rules, 3, (ROW,) * rounds))


@pytest.fixture
def books(monkeypatch: pytest.MonkeyPatch) -> BookCache:
    """A cache for three games of nine rounds."""
    monkeypatch.setattr(cache, "MAX_ROUNDS", 30)
    return BookCache()


def cached(books: BookCache, names: str) -> str:
    return "".join(name for name in names if books.get(name))


def test_the_cache_holds_fewer_games_if_they_are_long(books: BookCache) -> None:
    for name in "abcdef":
        books.put(game(name, 9))
    assert cached(books, "abcdef") == "def"

    books.put(game("g", 19))
    assert cached(books, "defg") == "fg"

    for name in "hijklmnopq":
        books.put(game(name, 0))
    assert cached(books, "fghijklmnopq") == "ghijklmnopq"


def test_recently_used_games_stay_in_the_cache(books: BookCache) -> None:
    for name in "abc":
        books.put(game(name, 9))
    books.get("a")

    books.put(game("d", 9))

    assert cached(books, "abcd") == "acd"


def test_a_growing_game_counts_once(books: BookCache) -> None:
    books.put(game("a", 9))
    for rounds in range(20):
        books.put(game("b", rounds))
    assert cached(books, "ab") == "ab"

    books.put(game("b", 25))

    assert cached(books, "ab") == "b"


def test_a_game_longer_than_the_limit_is_cached_alone(books: BookCache) -> None:
    books.put(game("a", 9))
    books.put(game("b", 1000))

    assert cached(books, "ab") == "b"


def test_a_group_counts_as_one_whatever_its_evenings(books: BookCache) -> None:
    books.put(game("a", 9))
    books.put(replace(Group(id="g"), version=10_000))

    assert cached(books, "ag") == "ag"


def test_an_earlier_version_does_not_replace_a_later_one(books: BookCache) -> None:
    books.put(game("a", 9))
    books.put(game("a", 8))

    found = books.get("a")

    assert found and found.version == 10


def test_an_emptied_cache_has_no_weight(books: BookCache) -> None:
    for _ in range(3):
        for name in "abc":
            books.put(game(name, 9))
        books.forget()
        assert cached(books, "abc") == ""

    for name in "abc":
        books.put(game(name, 9))
    assert cached(books, "abc") == "abc"


def test_heads_are_remembered_unless_something_changed_meanwhile() -> None:
    heads = HeadCache()
    found: Any = ("head",)
    heads.put("g1", found, heads.changes)
    heads.put("g2", found, heads.changes + 1)
    heads.put("g3", (), heads.changes)

    assert heads.get("g1") == found
    assert heads.get("g2") is heads.get("g3") is None
