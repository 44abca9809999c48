"""Choosing among the rule systems: those played on this phone or in the group come first."""

from collections.abc import Iterator

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.web import context
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import pages
from scorekeeper.wording.systems import Offer, offered, search_text

MAX_LISTED = 50


def evenings_before() -> list[Game]:
    """Return this browser's last game under each rule system, latest first."""
    browser = context.browser()
    games_held = ledger().rights.books_of(browser, "game")[:MAX_LISTED] if browser else []
    newest: dict[str, Game] = {}
    for game in ledger().readable(Game, [game_id for game_id, held in games_held if held == "pen"]):
        newest.setdefault(game.rules.preset, game)
    return list(newest.values())


def _played(group: Group | None) -> Iterator[str]:
    """Yield the rule systems of a group, the most frequent first, then those of this browser."""
    if group:
        yield from ledger().seasons.choices(group.id).presets
    yield from (game.rules.preset for game in evenings_before())


@pages.app_template_global("offered_systems")
def offered_systems(group: Group | None = None, words: str = "") -> Offer:
    """Return the rule systems to choose from, and which of them a search finds."""
    return offered(language(), _played(group), words)


pages.add_app_template_global(search_text, "system_names")
