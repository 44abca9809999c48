"""Every round is recorded exactly once, even if requests or answers are lost (bar O1)."""

import math

import pytest

from bars import tried, tries, trying
from web.pages.phone import (
    Table,
    Thumb,
)


def is_saving(request) -> bool:
    return request.method == "POST" and "do=save" in (request.post_data or "")


class Line:
    """The connection between a phone and the server, cut while a round is sent."""

    def __init__(self, thumb: Thumb, table: Table) -> None:
        self.thumb, self.table, self.cut = thumb, table, ""
        thumb.phone.route("**/round", self.carry)

    def carry(self, route) -> None:
        cut, self.cut = (self.cut, "") if is_saving(route.request) else ("", self.cut)
        match cut:
            case "before":
                route.abort("connectionrefused")
            case "after":  # the server has it, the phone never hears of it
                route.fetch(max_redirects=0)
                route.abort("connectionreset")
            case "half way":
                route.fulfill(status=502, body="")
            case "too much":
                route.fulfill(status=429, headers={"Retry-After": "1"}, body="")
            case "never answered":
                self.waiting = route
            case "after, never answered":
                route.fetch(max_redirects=0)
                self.waiting = route
            case "server killed":
                self.table.stop()
                route.abort("connectionreset")
                self.table.start()
            case "server killed after":
                route.fetch(max_redirects=0)
                self.table.stop()
                route.abort("connectionreset")
                self.table.start()
            case _:
                route.continue_()


CUTS = (
    *("before", "half way", "after", "server killed", "server killed after"),
    *("before", "after", "server killed after"),
)
KILLED = ("never answered", "after, never answered", "before", "after")
"""Here the tab is closed as well, and the board sends the round."""


@pytest.mark.bar("O1")
def test_every_round_is_recorded_exactly_once_despite_lost_connections(thumb, table):
    """Evenings of twelve rounds, each cut in another way."""
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
                thumb.page.close()
                thumb.turn_on()
                thumb.page.goto(board)
                thumb.page.locator(f".pad tbody .nr a:text-is('{number}')").wait_for()
                thumb.everything_sent()
            else:
                thumb.saved()

            assert table.rounds(board) == number, cut

        thumb.page.goto(board)
        totals = thumb.page.locator(".pad .total").all_inner_texts()

        assert totals == ["0", *[str(sum(range(1, 13)))] * 3]
        tried(len(runs) - 1)


def test_a_rate_limited_round_is_kept_and_sent_again(thumb, table):
    line = Line(thumb, table)
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(1)
    thumb.page.locator("#save:enabled").wait_for()
    line.cut = "too much"
    thumb.press("#save")
    thumb.page.get_by_text("Round 1 is not saved yet.").wait_for()
    thumb.saved()

    assert table.rounds(board) == 1


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
    thumb.page.get_by_text("Round 1 is not saved yet.").wait_for()
    table.start()
    thumb.saved()

    assert table.rounds(board) == 1
    assert thumb.page.locator(".pad .total").all_inner_texts() == ["0", "10", "20", "30"]


def test_a_reopened_browser_sends_the_pending_round(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(7)
    thumb.page.locator("#save:enabled").wait_for()
    Line(thumb, table).cut = "before"
    thumb.press("#save")
    thumb.page.get_by_text("is not saved yet").wait_for()
    thumb.page.close()
    thumb.phone.clear_cookies(name="form")  # it lives as long as the browser is open
    thumb.turn_on()
    thumb.page.goto(board)
    thumb.page.locator(".pad tbody .nr a:text-is('1')").wait_for()

    assert table.rounds(board) == 1
