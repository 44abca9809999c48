"""Days are those of the table; impossible times, which an early version took, are a dash.

New imports with such times are refused (test_imports); existing games stay readable.
"""

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from rest import ROOT
from scorekeeper.app import open_database
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.replay import replay
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.i18n.formats import NO_TIME
from scorekeeper.services.bookkeeping import store_result
from scorekeeper.services.clock import set_clock
from scorekeeper.store.exports import exported, read_export
from web.pages.conftest import evening, words
from web.pages.walk import everywhere

FORGED = (
    ("0001-01-01T00:00:00Z", "Etc/GMT+12"),  # its zone leads out of the calendar
    ("9999-12-31T23:59:59Z", "Pacific/Kiritimati"),
    ("2026-13-45T99:99:99Z", "UTC"),
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
    assert lang.short_date("gestern") == lang.month("2026-13") == NO_TIME
    assert NO_TIME not in lang.date("1900-01-01T00:00:00Z", "full")


def test_days_are_those_of_the_table(app, anna):
    """In New York the first evening was still in May, in Greenwich on the first of June."""
    app.config["TIMEZONE"] = "America/New_York"
    group = anna.found("Kegelclub", ["Anna", "Bernd"])
    began = ("2026-06-01T00:30:00Z", "2026-06-12T00:30:00Z")
    for number, at in enumerate(began):
        with set_clock(at):
            game = evening(anna, group, 0, 50 - number)
    everybody, one = anna.get(f"{group}/statistics").text, anna.get(f"{group}/m/1").text
    paper = PdfReader(io.BytesIO(anna.get(f"{group}/season.pdf").data)).pages[0].extract_text()

    assert "31. Mai 2026" in anna.get(group).text
    assert "31. Mai 2026" in one and "11. Juni 2026" in one
    assert "31. Mai 2026" in everybody and "5/26" in everybody
    assert "31.05.2026" in paper and "31.5." in paper and "11.6." in paper
    assert "31. Mai 2026" in words(anna.get(f"{group}/money/1").text)
    assert "<title>11. Juni 2026" in anna.get(f"{group}/e/{game[3:]}").text
    assert "11. Juni 2026" in anna.get("/evenings").text
    on_day = [
        anna.get(f"{group}/season?from={day}&to={day}").text for day in ("2026-05-31", "2026-06-01")
    ]
    assert ["Bernd" in shown for shown in on_day] == [True, False]
    for shown in (everybody, one, paper, anna.get(group).text):
        assert "1. Juni" not in shown.replace("11. Juni", "") and "12. Juni" not in shown
        assert "1.6." not in shown.replace("11.6.", "") and "01.06." not in shown
