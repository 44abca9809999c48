"""Impossible times, which an early version imported unchecked, are shown as a dash.

New imports with such times are refused (test_imports); existing games stay readable.
"""

from dataclasses import replace

import pytest

from rest import ROOT
from scorekeeper.app import open_database
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.replay import replay
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.i18n.formats import NO_TIME
from scorekeeper.services.bookkeeping import store_result
from scorekeeper.store.exports import exported, read_export
from web.pages.walk import everywhere

FORGED = (
    ("0001-01-01T00:00:00Z", "Etc/GMT+12"),  # its zone leads out of the calendar
    ("9999-12-31T23:59:59Z", "Pacific/Kiritimati"),
    ("2026-13-45T99:99:99Z", "UTC"),
    ("gestern", "UTC"),
    ("2026", "UTC"),
)


@pytest.mark.long
@pytest.mark.parametrize(("at", "zone"), FORGED)
def test_a_game_with_impossible_times_is_shown_on_every_page(
    app, anna, played, group, tmp_path, at, zone
):
    written = app.extensions["ledger"]

    def forged(kind, book_id):
        return exported(kind, book_id, [replace(one, at=at) for one in written.events(book_id)])

    games = [forged(Game, game) for game in written.group(group[3:]).evenings]
    app.config |= {"DATA": tmp_path / "forged.sqlite", "TIMEZONE": zone}
    open_database(app)
    ledger = app.extensions["ledger"]
    group_id, events = read_export(Group, forged(Group, group[3:]))
    there = replay(group_id, events)
    pen, _ = ledger.import_book(there, events)
    for game_id, events in (read_export(Game, game) for game in games):
        ledger.import_book(replay(game_id, events), events)
        store_result(ledger, there, ledger.game(game_id))
    written.close()
    ledger.rights.remember(anna.client.get_cookie("browser").value, group_id, pen)
    known = {"Authorization": f"Bearer {pen}"}

    for path in everywhere(app, played, group):
        answer = anna.get(path, **(known if path.startswith(ROOT) else {}))

        assert answer.status_code == (404 if "nowhere" in path else 200), path
    assert f'<p class="lead">{NO_TIME}, {NO_TIME}.' in anna.get(f"{played}/round/1").text


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_impossible_time_is_shown_as_a_dash(code):
    lang = language(code, "Etc/GMT+12")

    assert lang.date("0001-01-01T00:00:00Z") == lang.time("25:00") == lang.day("gestern") == NO_TIME
    assert (lang.month("2026-06-12"), lang.month("2026")) == ("6/26", NO_TIME)
    assert NO_TIME not in lang.date("1900-01-01T00:00:00Z", "full")
