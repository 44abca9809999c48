"""Every round is recorded exactly once, even if requests or answers are lost (bar O1)."""

import math
from urllib.parse import parse_qsl, urlencode

import pytest

from bars import SOAK, tried, tries, trying
from patience import wait_until
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from web.pages.line import IN_A_HURRY, Line, is_saving
from web.pages.phone import SIX, Thumb

pytestmark = pytest.mark.long


CUTS = (
    *("before", "half way", "after", "server killed", "server killed after"),
    *("before", "after", "server killed after"),
)
KILLED = ("never answered", "after, never answered", "before", "after")
"""Here the tab is closed as well, and the board sends the round."""


@pytest.mark.service_worker
@pytest.mark.bar("O1")
def test_every_round_is_recorded_exactly_once_despite_lost_connections(thumb, table):
    """Evenings of twelve rounds, each cut in another way."""
    thumb.phone.add_init_script(IN_A_HURRY)
    line = Line(thumb, table)
    runs = [*((cut, False) for cut in CUTS), *((cut, True) for cut in KILLED)]
    for dice in trying("O1", math.ceil(tries("O1") / len(runs))):
        board = thumb.begin()
        dice.shuffle(runs)
        for number, (cut, is_killed) in enumerate(runs, 1):
            thumb.open(board)
            thumb.quick_round(number)
            thumb.page.locator("#save:enabled").wait_for()
            line.cut = cut
            thumb.press("#save")
            if is_killed:
                thumb.page.wait_for_timeout(200)
                thumb.turn_off()
                thumb.turn_on()
                thumb.page.goto(board)
                thumb.page.locator(f".pad tr:not(.next) .nr a:text-is('{number}')").wait_for()
                thumb.everything_sent()
            else:
                thumb.saved()

            assert table.rounds(board) == number, cut

        thumb.page.goto(board)
        totals = thumb.page.locator(".pad .total").all_inner_texts()

        assert totals == ["0", *[str(sum(range(1, 13)))] * 3]
        tried(len(runs) - 1)


QUEUE = 3
"""As many rounds are entered without a connection, then sent."""


@pytest.fixture
def plain(plain):
    """A phone in whose open form one round is entered after the other."""
    plain.phone.add_init_script(IN_A_HURRY)
    return plain


def enter_without_connection(thumb: Thumb, line: Line, number: int) -> None:
    """Enter rounds from this number on, which wait; each has its number as points."""
    line.is_down = True
    thumb.open(thumb.board)
    for other in range(number, number + QUEUE):
        thumb.page.get_by_role("heading", name=f"Round {other}", exact=True).wait_for()
        thumb.quick_round(other)
        thumb.save()
    thumb.page.get_by_text(f"{QUEUE} rounds are waiting here").wait_for()
    line.is_down = False


@pytest.mark.bar("O1")
def test_rounds_that_wait_are_recorded_once_and_in_order_whatever_is_cut(plain, table):
    """Evenings without a connection: three rounds wait, and the first attempts to send are cut."""
    line = Line(plain, table)
    cuts = [(cut, False) for cut in dict.fromkeys(CUTS)] + [(cut, True) for cut in KILLED]
    for dice in trying("O1", math.ceil(tries("O1") / (QUEUE * 4))):
        plain.board = plain.begin()
        runs = dice.sample(cuts, 4 if SOAK else 2)
        for number, (cut, is_killed) in enumerate(runs):
            enter_without_connection(plain, line, QUEUE * number + 1)
            line.cut, line.first = cut, dice.randrange(QUEUE)
            plain.page.evaluate("dispatchEvent(new Event('online'))")
            if is_killed:
                wait_until(lambda: not line.cut, lambda: plain.page.wait_for_timeout(50))
                plain.turn_off()
                plain.turn_on()
                plain.page.goto(plain.board)
            plain.everything_sent()

            assert table.rounds(plain.board) == QUEUE * (number + 1), cut

        plain.page.goto(plain.board)
        points = plain.page.locator(".pad tbody td:nth-child(3) b").all_inner_texts()

        assert points == [str(number + 1) for number in range(QUEUE * len(runs))]
        tried(QUEUE * len(runs) - 1)


@pytest.mark.parametrize("system", ["contract-rummy", "three-thirteen"])
def test_rounds_of_a_game_by_a_plan_wait_and_are_recorded_once(plain, table, system):
    """The server had the first one; each is for the next row of the plan."""
    line = Line(plain, table)
    plain.board = plain.plays(system, SIX[:4])
    enter_without_connection(plain, line, 1)
    line.cut = "after"
    plain.page.evaluate("dispatchEvent(new Event('online'))")
    plain.everything_sent()
    game = table.app.extensions["ledger"].game(plain.board.rsplit("/", 1)[1])

    assert [row.round.plan_row for row in game.sheet.rows] == [1, 2, 3]


@pytest.mark.bar("O1")
def test_rounds_entered_on_an_open_board_over_plain_http_are_recorded_once(home_network, table):
    """The form is in a frame of the board, which sends the rounds."""
    phone, line = home_network, Line(home_network, table)
    phone.phone.add_init_script(IN_A_HURRY)
    cuts = [(cut, False) for cut in dict.fromkeys(CUTS)] + [(cut, True) for cut in KILLED]
    for dice in trying("O1", math.ceil(tries("O1") / (QUEUE * 4))):
        board = phone.begin()
        runs = dice.sample(cuts, 4 if SOAK else 1)
        for number, (cut, is_killed) in enumerate(runs):
            phone.form_is_kept()
            phone.phone.set_offline(True)
            for other in range(QUEUE * number + 1, QUEUE * (number + 1) + 1):
                phone.enter_inside(other, other)
            line.cut, line.first = cut, dice.randrange(QUEUE)
            phone.phone.set_offline(False)
            if is_killed:
                wait_until(lambda: not line.cut, lambda: phone.page.wait_for_timeout(50))
                phone.turn_off()
                phone.turn_on()
                phone.page.goto(board)
            phone.everything_sent()

            assert table.rounds(board) == QUEUE * (number + 1), cut

        phone.page.goto(board)
        points = phone.page.locator(".pad tbody td:nth-child(3) b").all_inner_texts()

        assert points == [str(number + 1) for number in range(QUEUE * len(runs))]
        tried(QUEUE * len(runs) - 1)


class OneAttempt(Line):
    """A connection that is down again after the one attempt that is cut."""

    def carry(self, route) -> None:
        cut = self.cut
        super().carry(route)
        was_cut = cut and not self.cut  # the test may have ordered a cut meanwhile
        self.is_down = self.is_down or bool(was_cut)


LOST = ("before", "half way", "server killed")
HAD = ("after", "server killed after")
"""Here the server has the round, and the phone has not heard of it."""


def attempt(plain: Thumb, line: OneAttempt, cut: str) -> None:
    """Let rounds wait of which the first was sent without an answer."""
    enter_without_connection(plain, line, 1)
    line.cut = cut
    plain.page.evaluate("dispatchEvent(new Event('online'))")
    wait_until(lambda: not line.cut, lambda: plain.page.wait_for_timeout(50))
    plain.page.get_by_text(f"{QUEUE} rounds are waiting here").wait_for()


def reconnect(plain: Thumb, line: OneAttempt) -> None:
    line.is_down = False
    plain.page.evaluate("dispatchEvent(new Event('online'))")


def recorded_points(plain: Thumb) -> list[str]:
    plain.page.goto(plain.board)
    return plain.page.locator(".pad tbody td:nth-child(3) b").all_inner_texts()


@pytest.mark.bar("O1")
def test_a_withdrawn_round_is_recorded_only_if_it_had_arrived_which_the_page_says(plain, table):
    line = OneAttempt(plain, table)
    for dice in trying("O1", math.ceil(tries("O1") / (QUEUE * 10))):
        for cut in dice.choice(LOST), dice.choice(HAD):
            plain.board = plain.begin()
            attempt(plain, line, cut)
            plain.waiting_round(1, "Withdraw")
            plain.page.get_by_text(f"{QUEUE - 1} rounds are waiting here").wait_for()
            reconnect(plain, line)
            plain.saved()
            told = plain.page.get_by_text("Round 1 had already arrived.")
            if cut in HAD:
                told.wait_for()
            plain.everything_sent()

            assert told.is_visible() == (cut in HAD), cut
            assert recorded_points(plain) == [*["1"] * (cut in HAD), "2", "3"], cut
            tried(QUEUE - 1)


NUMBERS = """() => {
    const names = Object.keys(localStorage).filter((name) => name.startsWith("outbox ")).sort();
    return names.map((name) => Number(JSON.parse(localStorage[name]).number));
}"""
"""The numbers of the rounds in the outbox, in order."""


@pytest.mark.parametrize(("cut", "first"), [("before", 1), ("after", 2)])
def test_what_is_entered_after_a_withdrawn_round_has_the_right_number(plain, table, cut, first):
    """Whether the withdrawn round had arrived or not, somebody else has saved another one."""
    line = OneAttempt(plain, table)
    plain.board = plain.begin()
    attempt(plain, line, cut)
    plain.waiting_round(1, "Withdraw")
    plain.page.get_by_role("heading", name=f"Round {QUEUE}", exact=True).wait_for()
    plain.quick_round(4)
    plain.save()
    plain.page.get_by_role("heading", name=f"Round {QUEUE + 1}", exact=True).wait_for()

    assert plain.page.evaluate(NUMBERS) == [1, 1, 2, 3]

    table.record(plain.board, (0, 9, 9, 9))
    reconnect(plain, line)
    plain.page.get_by_text(f"There are two entries of round {first}.").wait_for()

    assert plain.page.evaluate(NUMBERS) == [first, first + 1, first + 2]


def test_a_form_that_stays_open_counts_the_rounds_that_were_sent_meanwhile(plain, table):
    line = Line(plain, table)
    plain.board = plain.begin()
    enter_without_connection(plain, line, 1)
    plain.ends(0)
    plain.digits(4)
    reconnect(plain, line)
    plain.everything_sent()
    line.is_down = True
    for seat in (2, 3):
        plain.press(f"#cell-{seat}")
        plain.digits(4)
    plain.save()

    plain.page.get_by_role("heading", name=f"Round {QUEUE + 2}", exact=True).wait_for()


FILL = """() => {
    let text = "";
    for (let size = 2 ** 22; size >= 1; size /= 2) {
        try {
            localStorage.setItem("full", text + "x".repeat(size));
            text += "x".repeat(size);
        } catch {}
    }
}"""
"""Fills the storage of the browser to the last letter."""


def test_a_withdrawn_round_is_remembered_also_where_the_browser_has_no_room(plain, table):
    line = OneAttempt(plain, table)
    plain.board = plain.begin()
    attempt(plain, line, "before")
    plain.page.evaluate(FILL)
    plain.waiting_round(1, "Withdraw")
    plain.page.get_by_text(f"{QUEUE - 1} rounds are waiting here").wait_for()
    plain.turn_off()
    plain.turn_on()
    line.is_down = False
    plain.page.goto(plain.board)
    plain.everything_sent()

    assert recorded_points(plain) == ["2", "3"]


@pytest.mark.bar("O1")
def test_a_changed_round_is_recorded_once_and_the_page_names_one_that_had_arrived(plain, table):
    line = OneAttempt(plain, table)
    for dice in trying("O1", math.ceil(tries("O1") / (QUEUE * 10))):
        for cut in dice.choice(LOST), dice.choice(HAD):
            plain.board = plain.begin()
            attempt(plain, line, cut)
            plain.waiting_round(1, "Change")
            plain.page.get_by_role("heading", name="Round 1", exact=True).wait_for()
            plain.press("#cell-1")
            plain.digits(25)
            plain.save()
            plain.page.get_by_role("heading", name=f"Round {QUEUE + 1}", exact=True).wait_for()
            reconnect(plain, line)
            if cut in HAD:  # the outbox stops, and says why
                plain.page.get_by_text("Round 1 stays here").wait_for()
                plain.page.get_by_role("link", name="Look").first.tap()
                plain.page.get_by_text("Already saved:").wait_for()
                plain.page.locator("#notice [data-discard]").tap()
            plain.everything_sent()

            assert recorded_points(plain) == ["1" if cut in HAD else "25", "2", "3"], cut
            tried(QUEUE - 1)


class Careless(Line):
    """A phone that forgets the key of a round, and what it was entered after."""

    def deliver(self, route) -> None:
        if not is_saving(route.request):
            return super().deliver(route)
        game = self.table.app.extensions["ledger"].game(self.thumb.board.rsplit("/", 1)[1])
        fields = dict(parse_qsl(route.request.post_data, keep_blank_values=True))
        fields |= {"key": f"{game.version}-{fields['key']}", "version": str(game.version)}
        route.continue_(post_data=urlencode(fields))


@pytest.mark.bar("O1", control="a new key for every attempt")
def test_a_phone_that_forgets_the_key_records_a_round_twice(plain, table):
    line = Careless(plain, table)
    plain.board = plain.begin()
    enter_without_connection(plain, line, 1)
    line.cut = "after"
    plain.page.evaluate("dispatchEvent(new Event('online'))")
    plain.everything_sent()
    tried(0, failed=table.rounds(plain.board) - QUEUE)

    assert table.rounds(plain.board) == QUEUE + 1


def test_a_rate_limited_round_is_kept_and_sent_again(thumb, table):
    line = Line(thumb, table)
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(1)
    thumb.page.locator("#save:enabled").wait_for()
    line.cut = "too much"
    thumb.press("#save")
    thumb.page.get_by_text("one round is waiting here").wait_for()
    thumb.saved()

    assert table.rounds(board) == 1


@pytest.mark.service_worker
def test_without_a_server_entry_continues_and_nothing_is_shown_as_saved(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(10)
    table.stop()
    thumb.next()
    thumb.digits(20)
    thumb.page.get_by_text("No connection.").wait_for()
    thumb.next()
    thumb.digits(30)
    thumb.save()
    thumb.page.get_by_text("one round is waiting here").wait_for()
    table.start()
    thumb.saved()

    assert table.rounds(board) == 1
    assert thumb.page.locator(".pad .total").all_inner_texts() == ["0", "10", "20", "30"]


@pytest.mark.service_worker
def test_a_reopened_browser_sends_the_pending_round(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(7)
    thumb.page.locator("#save:enabled").wait_for()
    line = Line(thumb, table)
    line.is_down = True
    thumb.press("#save")
    thumb.page.get_by_text("one round is waiting here").wait_for()
    thumb.turn_off()
    line.is_down = False
    thumb.phone.clear_cookies(name="form")  # it lives as long as the browser is open
    thumb.turn_on()
    thumb.page.goto(board)
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('1')").wait_for()

    assert table.rounds(board) == 1


SENDING_OF_1_0 = """() => {
    const fields = [...new FormData(document.querySelector("form.fast")), ["do", "save"]];
    localStorage.clear();
    localStorage.setItem(`sending ${location.pathname}`, JSON.stringify({ number: "1", fields }));
}"""
"""Store the round of the form as a page of version 1.0 did while it was sending it."""


@pytest.mark.service_worker
@pytest.mark.parametrize("page", ["/", "{board}", "{board}/round"])
def test_a_round_that_waited_in_the_browser_during_the_upgrade_is_recorded(thumb, table, page):
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(10)
    thumb.page.evaluate(SENDING_OF_1_0)
    thumb.page.goto(page.format(board=board))
    for _ in range(600):
        if table.rounds(board):
            break
        thumb.page.wait_for_timeout(50)
    thumb.everything_sent()
    wait_until(lambda: not thumb.stores(" /g/"), lambda: thumb.page.wait_for_timeout(50))

    assert table.rounds(board) == 1


def test_a_refused_round_stops_the_outbox_until_it_was_looked_at(plain, chromium, table):
    """Somebody else has saved the first of two rounds that wait."""
    line = Line(plain, table)
    plain.board = plain.begin()
    other = Thumb(chromium, table, state=plain.phone.storage_state())
    line.is_down = True
    plain.open(plain.board)
    for number in (1, 2):
        plain.page.get_by_role("heading", name=f"Round {number}", exact=True).wait_for()
        plain.quick_round(10 * number)
        plain.save()
    plain.page.get_by_text("2 rounds are waiting here").wait_for()
    other.open(plain.board)
    other.quick_round(10)
    other.save()
    other.saved()
    other.phone.close()
    line.is_down = False
    plain.page.evaluate("dispatchEvent(new Event('online'))")
    plain.page.get_by_text("There are two entries of round 1.").wait_for()

    assert table.rounds(plain.board) == 1
    assert plain.sends()

    plain.page.get_by_role("link", name="Look").tap()
    plain.page.get_by_text("The same round?").wait_for()

    assert plain.held(1) == "10"

    plain.page.get_by_role("link", name="Yes, the same").tap()
    plain.page.locator(".pad tr:not(.next) .nr a:text-is('2')").wait_for()
    plain.everything_sent()

    assert table.rounds(plain.board) == 2
    assert plain.page.locator(".pad .total").all_inner_texts() == ["0", "30", "30", "30"]


@pytest.mark.parametrize("page", ["home", "board"])
def test_a_round_whose_pen_is_gone_is_read_out_and_discarded(plain, table, page):
    """On Home, another game has a round that was refused."""
    line = Line(plain, table)
    other, board = plain.begin(), plain.begin()
    line.is_down = True
    for game, points in ((board, 25), (other, 10)):
        plain.open(game)
        plain.quick_round(points)
        plain.save()
        plain.page.get_by_text("one round is waiting here").wait_for()
    table.record(other, (0, 10, 10, 10))
    plain.page.goto(board)  # while this phone may read it
    ledger = table.app.extensions["ledger"]
    games.replace_secret(ledger, board.rsplit("/", 1)[1], "pen", write=Write())
    line.is_down = False
    lost = plain.page.get_by_text("Somebody else has the pen now.")
    if page == "board":
        plain.page.evaluate("dispatchEvent(new Event('online'))")
    else:
        plain.page.goto("/")
        plain.page.get_by_text("There are two entries of round 1.").wait_for()
        plain.page.get_by_role("link", name="Look").first.tap()
        plain.page.get_by_role("link", name="Yes, the same").tap()
        plain.page.locator(".pad").wait_for()
        plain.page.goto("/")
    lost.wait_for()
    line = plain.page.locator("#lost li")

    assert line.locator("div").inner_text() == "Round 1 0, 25, 25, 25"

    line.get_by_role("button", name="Discard").tap()
    lost.wait_for(state="hidden")

    assert not plain.stores(f"^outbox /g/{board.rsplit('/', 1)[1]}")
    assert table.rounds(board) == 0
