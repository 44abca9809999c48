"""Times that no calendar has: a version that did not ask took them in; they are a dash now.

What comes in today is refused (test_arrivals); what is there already is readable.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pages.walk import addresses
from rest import ROOT, described
from scorekeeper.app import open_record
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.groups import import_group
from scorekeeper.i18n import NO_TIME, language
from scorekeeper.store.exports import exported

FORGED = (
    ("0001-01-01T00:00:00Z", "Etc/GMT+12"),  # its zone leads out of the calendar
    ("9999-12-31T23:59:59Z", "Pacific/Kiritimati"),
    ("2026-13-45T99:99:99Z", "UTC"),
    ("gestern", "UTC"),
    ("2026", "UTC"),
)
OF_GAME = (
    *("/sheet.pdf", "/sheet.pdf?details=yes", "/settlement.pdf", "/rules-card.pdf"),
    "/export.csv",
)
OF_GROUP = (
    "/export.json",
    "/season.pdf",
    "/season?year=2026",
    "/statistics?year=2026",
    "/season?from=2020-01-01",
)


def everywhere(app, game: str, group: str) -> Iterator[str]:
    """All addresses of a game and its group: pages, paper, calls."""
    yield from addresses(game, group).values()
    yield from (game + path for path in OF_GAME)
    yield from (group + path for path in OF_GROUP)
    ids = {"game_id": game[3:], "group_id": group[3:], "version": 1, "number": 1, "member": 0}
    for path, operations in described(app).document["paths"].items():
        if "get" in operations and ("{game_id}" in path or "{group_id}" in path):
            yield path.format(**ids)


@pytest.mark.parametrize(("at", "zone"), FORGED)
def test_a_game_whose_times_are_in_no_calendar_is_shown_everywhere(
    app, anna, played, group, tmp_path, at, zone
):
    written = app.extensions["ledger"]

    def forged(kind, book_id):
        return exported(kind, book_id, [replace(one, at=at) for one in written.events(book_id)])

    games = [forged(Game, game) for game in written.group(group[3:]).evenings]
    app.config |= {"DATA": tmp_path / "forged.sqlite", "TIMEZONE": zone}
    open_record(app)
    ledger = app.extensions["ledger"]
    taken = import_group(ledger, forged(Group, group[3:]), games, judge=lambda *_: None)
    written.close()
    ledger.remember(anna.client.get_cookie("browser").value, taken.group.id, taken.pen)
    known = {"Authorization": f"Bearer {taken.pen}"}

    for path in everywhere(app, played, group):
        answer = anna.get(path, **(known if path.startswith(ROOT) else {}))

        assert answer.status_code == (404 if "nowhere" in path else 200), path
    assert f'<p class="lead">{NO_TIME}, {NO_TIME}.' in anna.get(f"{played}/round/1").text


@pytest.mark.parametrize("code", ["de", "en", "lb"])
def test_a_time_that_no_calendar_has_is_told_as_a_dash(code):
    lang = language(code, "Etc/GMT+12")

    assert lang.date("0001-01-01T00:00:00Z") == lang.time("25:00") == lang.day("gestern") == NO_TIME
    assert (lang.month("2026-06-12"), lang.month("2026")) == ("6/26", NO_TIME)
    assert NO_TIME not in lang.date("1900-01-01T00:00:00Z", "full")
