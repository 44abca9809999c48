"""Home, board and entry without a connection, where a service worker keeps them."""

import re
from http.server import BaseHTTPRequestHandler
from threading import Event

import pytest
from playwright.sync_api import expect

import short
from patience import wait_until
from scorekeeper.domain.game.frame import Frame
from scorekeeper.services import games
from scorekeeper.store.writes import PROGRAM, Write
from web.pages.phone import SIX, WORKER_RUNS, Table, Thumb, until

pytestmark = pytest.mark.service_worker

KEPT = """async (paths) => {
    const found = await Promise.all(paths.map((path) => caches.match(path)));
    return found.every(Boolean);
}"""
DROPPED = """async (paths) => {
    const found = await Promise.all(paths.map((path) => caches.match(path)));
    return !found.some(Boolean);
}"""
FORGET = """async (path) => {
    for (const name of await caches.keys()) await (await caches.open(name)).delete(path);
}"""
CONTROLLED = "() => Boolean(navigator.serviceWorker.controller)"
LONG_AGO = "Mon, 01 Jan 2001 12:00:00 GMT"


def path_of(board: str) -> str:
    return "/g/" + board.rsplit("/", 1)[1]


def wait_until_kept(thumb: Thumb, board: str) -> None:
    """Wait until the service worker has everything that an evening needs."""
    thumb.page.goto("/")
    path = path_of(board)
    until(thumb.page, CONTROLLED)
    until(thumb.page, KEPT, ["/", "/offline", path, f"{path}/round"])


@pytest.fixture
def board(thumb, network) -> str:
    """A game whose pages are kept by a phone that is offline now."""
    board = thumb.begin()
    wait_until_kept(thumb, board)
    network.cut(thumb)
    return board


def waiting(thumb: Thumb) -> list[str]:
    """Return the numbers of the rounds that wait on the board."""
    return thumb.page.locator(".pad tr.waits .nr").all_inner_texts()


def queued(phone: Thumb) -> int:
    """The number of rounds in the outbox."""
    stored: int = phone.page.evaluate(
        "Object.keys(localStorage).filter((name) => name.startsWith('outbox')).length"
    )
    return stored


def enter_offline(thumb: Thumb, points: int, number: int) -> None:
    """Enter a round from the board, and return to it."""
    thumb.page.get_by_role("link", name=f"Enter round {number}", exact=True).tap()
    thumb.page.wait_for_url(re.compile("/round$"))
    thumb.page.locator("form.fast").wait_for()
    thumb.page.get_by_role("heading", name=f"Round {number}", exact=True).wait_for()
    thumb.quick_round(points)
    thumb.save()
    thumb.page.wait_for_url(re.compile("#waits$"))
    thumb.page.locator(f".pad tr.waits .nr:text-is('{number}')").wait_for()


def test_home_board_and_entry_open_offline(thumb, board):
    thumb.page.reload()
    thumb.page.get_by_text("You are seeing the score as of").wait_for()
    thumb.page.locator(".pad-foot a.main").tap()
    thumb.page.get_by_role("link", name="Enter round 1").tap()
    thumb.page.locator("form.fast").wait_for()

    assert thumb.page.get_by_role("heading", name="Round 1", exact=True).is_visible()


def test_a_form_that_was_opened_offline_notices_that_the_server_answers(thumb, board, network):
    thumb.page.goto(f"{board}/round")
    notice = thumb.page.get_by_text("No connection.", exact=True)
    notice.wait_for()
    network.mend()
    notice.wait_for(state="hidden")

    assert not thumb.page.get_by_role("button", name="No connection").is_visible()


def test_a_draft_is_counted_offline_after_a_reload(thumb, network):
    board = thumb.begin()
    wait_until_kept(thumb, board)
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(10)
    network.cut(thumb)
    thumb.page.reload()
    thumb.page.locator("#cell-1").get_by_text("10").wait_for()


def test_a_server_without_its_database_shows_pages_as_they_were(thumb, table, monkeypatch):
    board = thumb.begin()
    wait_until_kept(thumb, board)

    def away(environ, start_response):
        start_response("503 Service Unavailable", [("Content-Type", "text/html")])
        return [b"<p>The game cannot be read."]

    with monkeypatch.context() as database:
        database.setattr(table.app, "wsgi_app", away)
        thumb.page.goto(board)
        thumb.page.get_by_text("You are seeing the score as of").wait_for()
        thumb.page.get_by_role("link", name="Enter round 1").tap()
        thumb.page.locator("form.fast").wait_for()
        thumb.quick_round(10)
        thumb.save()
        thumb.page.locator(".pad tr.waits .nr:text-is('1')").wait_for()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('1')").wait_for()

    assert table.rounds(board) == 1


def test_rounds_entered_offline_wait_on_the_board_and_are_sent_in_order(
    thumb, board, table, network
):
    thumb.page.goto(board)
    for number, points in enumerate((10, 20, 30), 1):
        enter_offline(thumb, points, number)

    assert waiting(thumb) == ["1", "2", "3"]

    thumb.page.get_by_text("3 rounds are waiting here").wait_for()

    assert thumb.totals() == ["0", "60", "60", "60"]  # counted in the browser
    assert thumb.page.locator(".pad .leads .name").all_inner_texts() == ["Anna"]
    assert thumb.page.locator("#next strong").inner_text() == "Dieter deals 13 cards"

    network.mend()
    thumb.saved()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('3')").wait_for()

    assert table.rounds(board) == 3
    assert thumb.totals() == ["0", "60", "60", "60"]
    assert thumb.page.locator(".pad tr:not(.waits) td:nth-child(3) b").all_inner_texts()[:3] == [
        "10",
        "20",
        "30",
    ]
    assert waiting(thumb) == []


def test_rounds_that_were_sent_stay_on_the_board_until_it_is_brought_up_to_date(
    thumb, board, table, network
):
    thumb.page.goto(board)
    for number, points in enumerate((10, 20), 1):
        enter_offline(thumb, points, number)
    looked = Event()
    table.start()
    held_back(table, path_of(board), until=looked, polled=True)
    network.phone.set_offline(False)
    network.phone = None
    thumb.everything_sent()

    assert table.rounds(board) == 2
    assert thumb.totals() == ["0", "30", "30", "30"]
    assert waiting(thumb) == ["1", "2"]

    looked.set()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('2')").wait_for()

    assert thumb.totals() == ["0", "30", "30", "30"]
    assert waiting(thumb) == []


def test_waiting_rounds_count_among_those_that_a_player_must_have_played(thumb, table, network):
    board = thumb.begin()
    ledger = table.app.extensions["ledger"]
    for key, dieter in enumerate((None, None, 5)):
        short.record(ledger, path_of(board)[3:], 0, 10, 20, dieter, key=str(key))
    wait_until_kept(thumb, board)
    thumb.page.goto(board)
    places = thumb.page.locator(".pad thead .place")

    assert places.all_inner_texts() == ["leads", "2nd", "3rd", "4th"]  # one of three

    network.cut(thumb)
    enter_offline(thumb, 1, 4)

    assert thumb.totals() == ["0", "31", "61", "6"]
    assert places.all_inner_texts() == ["leads", "3rd", "4th", "2nd"]  # two of four

    network.mend()
    thumb.saved()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('4')").wait_for()

    assert places.all_inner_texts() == ["leads", "3rd", "4th", "2nd"]


@pytest.mark.parametrize("thumb", [(1280, 704)], indirect=True)
def test_on_a_wide_screen_the_next_round_is_in_sight_below_those_that_wait(thumb, board):
    thumb.page.goto(board)
    for number in range(1, 6):
        enter_offline(thumb, 20, number)
    thumb.page.get_by_role("button", name="Change or withdraw").wait_for()
    pad = thumb.page.locator("#pad")
    more, seen = pad.evaluate("(pad) => [pad.scrollHeight, pad.clientHeight]")

    assert more > seen
    expect(pad.locator("tbody > tr").last).to_be_in_viewport(ratio=1)


def test_rounds_that_wait_are_changed_and_withdrawn_offline(thumb, board, table, network):
    thumb.page.goto(board)
    for number, points in enumerate((10, 20, 30), 1):
        enter_offline(thumb, points, number)
    thumb.waiting_round(2, "Change")
    thumb.page.get_by_role("heading", name="Round 2", exact=True).wait_for()

    assert thumb.held(1) == "20"

    thumb.press("#cell-1")
    thumb.digits(25)
    thumb.save()
    thumb.page.wait_for_url(re.compile("#waits$"))
    thumb.page.locator(".pad .total:text-is('65')").wait_for()

    assert thumb.totals() == ["0", "65", "60", "60"]

    thumb.waiting_round(1, "Withdraw")
    thumb.page.locator(".pad .total:text-is('55')").wait_for()

    assert waiting(thumb) == ["1", "2"]
    assert thumb.totals() == ["0", "55", "50", "50"]

    network.mend()
    thumb.saved()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('2')").wait_for()

    assert table.rounds(board) == 2
    assert thumb.totals() == ["0", "55", "50", "50"]


@pytest.mark.parametrize(
    "order, listed, deals",
    [
        ((0, 1), "+15, \u221215", ""),
        ((0, 1, 2), "+40, \u221215, \u221225", "Bernd deals 7 cards\nClaire begins"),
        ((0, 2, 1), "+40, \u221215, \u221225", "Claire deals 7 cards\nBernd begins"),
    ],
)
def test_what_is_said_about_waiting_rounds_and_the_one_after_them(
    thumb, anna_plays, table, network, order, listed, deals
):
    rounds, players = {"end.mode": "rounds", "end.rounds": 4}, len(order)
    board = anna_plays("knock-rummy", SIX[:players], **rounds)
    ledger = table.app.extensions["ledger"]
    games.correct_frame(ledger, board[3:], "order", lambda _: Frame(order=order), PROGRAM)
    wait_until_kept(thumb, board)
    network.cut(thumb)
    thumb.page.goto(f"{board}/round")
    thumb.ends(0)
    for seat, points in enumerate((5, 20, 30)[:players]):
        thumb.page.locator(f"#cell-{seat}").tap()
        thumb.digits(points)
    thumb.save()
    thumb.page.get_by_role("button", name="Change or withdraw").tap()

    expect(thumb.page.locator("#unsent li")).to_contain_text(f"Round 1 {listed}")
    thumb.page.locator(".pad tr.waits").first.wait_for()
    following = thumb.page.locator("#next td:visible").all_inner_texts()
    assert following == ([deals] if deals else [])


def test_a_board_whose_waiting_rounds_were_all_withdrawn_is_as_before(thumb, board, table, network):
    thumb.page.goto(board)
    before = thumb.page.locator("#pad").inner_text()
    enter_offline(thumb, 10, 1)
    thumb.waiting_round(1, "Withdraw")
    thumb.page.locator(".pad tr.waits").first.wait_for(state="detached")

    assert thumb.page.locator("#pad").inner_text() == before
    assert thumb.page.get_by_role("link", name="Enter round 1").is_visible()

    network.mend()
    thumb.everything_sent()

    assert table.rounds(board) == 0


def test_home_sends_the_rounds_that_wait(thumb, board, table, network):
    thumb.page.goto(board)
    for number, points in enumerate((10, 20), 1):
        enter_offline(thumb, points, number)
    thumb.page.goto("/")
    thumb.page.get_by_text("2 rounds are waiting here").wait_for()
    network.mend()
    thumb.page.locator(".pad .total:text-is('30')").first.wait_for()

    assert table.rounds(board) == 2
    assert not thumb.sends()


def held_back(table: Table, path: str, until: Event, *, polled: bool = False) -> Event:
    """Let the server answer a path only after an event; return the event that it was asked.

    ``polled``: only a page that asks what has changed.
    """
    asked, answer = Event(), table.app.wsgi_app

    def held(environ, start_response):
        asks = "since=" in environ["QUERY_STRING"] or "HTTP_IF_NONE_MATCH" in environ
        if environ["PATH_INFO"] == path and (asks or not polled):
            asked.set()
            until.wait(60)
        return answer(environ, start_response)

    table.app.wsgi_app = held
    return asked


def test_a_page_that_was_still_loading_when_the_worker_began_is_kept(thumb, table):
    runs = Event()
    home_is_asked = held_back(table, "/", until=runs)
    held_back(table, "/worker.js", until=home_is_asked)
    board = thumb.begin()
    other = thumb.phone.new_page()
    other.goto("/enter")
    thumb.page.evaluate("location.assign('/')")
    until(other, WORKER_RUNS)
    runs.set()
    thumb.page.wait_for_url(re.compile("/$"))
    until(thumb.page, CONTROLLED)
    until(thumb.page, KEPT, ["/", "/offline", path_of(board), f"{path_of(board)}/round"])


def test_the_time_of_a_kept_page_is_by_the_clock_of_the_phone(thumb, table, network, monkeypatch):
    monkeypatch.setattr(BaseHTTPRequestHandler, "date_time_string", lambda *_: LONG_AGO)
    board = thumb.begin()
    wait_until_kept(thumb, board)
    network.cut(thumb)
    thumb.page.goto(board)
    thumb.page.get_by_text("You are seeing the score as of").wait_for()

    assert "2001" not in (thumb.page.locator("#heard").get_attribute("datetime") or "2001")


def test_other_pages_say_offline_that_they_need_a_connection(thumb, board, network):
    for away in ("/settlement", "/tv", "/more", "/round/1", "/share"):
        thumb.page.goto(board + away)

        assert thumb.page.get_by_role("heading", name="Offline").is_visible(), away

        thumb.page.get_by_role("link", name="To the scoreboard").tap()
        thumb.page.get_by_role("link", name="Enter round 1").wait_for()

    thumb.page.goto(f"{board}/share")
    network.mend()
    thumb.page.get_by_role("link", name="Try again").tap()
    thumb.page.get_by_role("heading", name="Offline").wait_for(state="detached")


def test_a_button_pressed_offline_leads_to_a_page_of_ours(thumb, table, network):
    board = thumb.begin_after((0, 10, 10, 10))
    wait_until_kept(thumb, board)
    thumb.page.goto(board)
    network.cut(thumb)
    thumb.page.get_by_role("button", name="Take back").tap()
    thumb.page.get_by_role("heading", name="Offline").wait_for()
    network.mend()

    assert table.rounds(board) == 1


@pytest.mark.parametrize("dropped_by", ["a refusal", "home"])
def test_a_game_whose_link_was_replaced_is_not_kept_for_offline_use(
    thumb, table, network, monkeypatch, dropped_by
):
    """Not even a page that was answered before, and arrives after the worker dropped the game."""
    board, another = thumb.begin(), thumb.begin()
    wait_until_kept(thumb, board)
    wait_until_kept(thumb, another)
    path, served = path_of(board), table.app.wsgi_app
    is_answered, is_delivered = Event(), Event()

    def slow(environ, start_response):
        pieces = served(environ, start_response)
        if environ["PATH_INFO"] == f"{path}/round" and not is_answered.is_set():
            is_answered.set()
            assert is_delivered.wait(60)
        return pieces

    monkeypatch.setattr(table.app, "wsgi_app", slow)
    other = thumb.phone.new_page()
    other.goto("/enter")
    other.evaluate(FORGET, path_of(another))
    other.evaluate("(path) => { late = fetch(path).then((one) => one.text()); }", f"{path}/round")
    assert is_answered.wait(60)
    games.replace_secret(table.app.extensions["ledger"], path[3:], "pen", write=Write())
    thumb.page.goto(board if dropped_by == "a refusal" else "/")
    until(thumb.page, DROPPED, [path, f"{path}/round"])
    is_delivered.set()
    other.evaluate("() => late")
    other.evaluate("(path) => fetch(path)", path_of(another))  # is stored after the late page
    until(other, KEPT, [path_of(another)])
    network.cut(thumb)
    thumb.page.goto(f"{path}/round")

    assert thumb.page.get_by_role("heading", name="Offline").is_visible()
    assert thumb.page.get_by_role("link", name="To the scoreboard").count() == 0


def test_pages_that_home_no_longer_names_are_dropped(thumb, table):
    board = thumb.begin()
    wait_until_kept(thumb, board)
    thumb.phone.clear_cookies(name="browser")
    thumb.page.goto("/")
    until(thumb.page, DROPPED, [path_of(board), f"{path_of(board)}/round"])


def test_the_worker_drops_its_own_old_pages_only(thumb):
    """The edition without a server may be at another path of the same host."""
    thumb.page.goto("/healthz")
    names = ["pages-1", "pages", "edition-1.2.0", "photographs"]
    thumb.page.evaluate("(all) => Promise.all(all.map((one) => caches.open(one)))", names)
    wait_until_kept(thumb, thumb.begin())

    assert set(thumb.page.evaluate("caches.keys()")) == {"pages-3", *names[1:]}


FAILS_AFTER = """(left) => {
    const real = fetch;
    window.fetch = (address, how) => how?.method === "POST" && left-- > 0
        ? real(address, how)
        : Promise.reject(new TypeError("no connection"));
}"""
"""Send this many rounds, and let every other request fail."""


@pytest.mark.parametrize("sent", [1, 3])
def test_a_form_from_the_cache_counts_what_was_sent_before_the_line_was_lost_again(
    thumb, board, network, table, sent
):
    thumb.page.goto(board)
    for number, points in enumerate((10, 20, 30), 1):
        enter_offline(thumb, points, number)
    thumb.page.evaluate(FAILS_AFTER, sent)
    network.mend()
    thumb.page.evaluate("dispatchEvent(new Event('online'))")
    wait_until(lambda: queued(thumb) == 3 - sent, lambda: thumb.page.wait_for_timeout(50))
    network.cut(thumb)
    thumb.page.goto(board)
    thumb.page.locator(".pad tr.waits .nr:text-is('3')").wait_for()

    assert waiting(thumb) == ["1", "2", "3"]

    enter_offline(thumb, 5, 4)
    network.mend()
    thumb.saved()
    thumb.page.locator(".pad tbody tr:not(.next) .nr a:text-is('4')").wait_for()

    assert table.rounds(board) == 4
    assert thumb.totals() == ["0", "65", "65", "65"]
