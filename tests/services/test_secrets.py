"""Secrets are replaced, and a browser keeps the pen that it has made."""

import pytest

from scorekeeper.services.games import replace_secret
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from short import begun

BROWSER = "b" * 20


@pytest.fixture
def game(ledger: Ledger) -> str:
    return begun(ledger, "Anna", "Ben")


@pytest.mark.parametrize("right", ["watch", "paper"])
def test_a_browser_keeps_no_secret_for_reading(ledger: Ledger, game: str, right: str) -> None:
    """It is made for others: who made it already writes."""
    _, made = replace_secret(ledger, game, right, browser=BROWSER, write=Write())

    assert ledger.rights.of_secret(game, made) == "watch"
    assert ledger.rights.books_of(BROWSER, "game") == []


def test_a_browser_keeps_the_pen_that_it_made(ledger: Ledger, game: str) -> None:
    _, made = replace_secret(ledger, game, "pen", browser=BROWSER, write=Write())

    assert ledger.rights.of_secret(game, made) == "pen"
    assert ledger.rights.books_of(BROWSER, "game") == [(game, "pen")]


def test_without_a_browser_nobody_keeps_the_pen(ledger: Ledger, game: str) -> None:
    replace_secret(ledger, game, "pen", write=Write())

    assert ledger.store.rights.browsers_of(game) == []
