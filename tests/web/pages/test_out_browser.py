"""Players who go out and come back in rounds that wait, when such a round or a draft is opened.

Chinchón to 100: Bernd passes it in the first round, and comes back with 20.
"""

import pytest
from playwright.sync_api import expect

from web.pages.phone import SIX
from web.pages.test_offline_browser import wait_until_kept

pytestmark = pytest.mark.service_worker

PEOPLE = SIX[:4]


@pytest.fixture
def board(thumb, network) -> str:
    """The board of a phone that is offline now."""
    board = thumb.plays("chinchon", PEOPLE)
    wait_until_kept(thumb, board)
    network.cut(thumb)
    thumb.page.goto(board)
    return board


def fill_in(thumb, number: int, *points: int, back: bool = False) -> None:
    """Enter from the board what everybody has who is asked; Anna goes out."""
    thumb.page.get_by_role("link", name=f"Enter round {number}", exact=True).tap()
    shown(thumb, number)
    if number > 1:
        thumb.page.locator("#back-1").wait_for()
    if back:
        thumb.page.locator("#back-1 label").tap()
    thumb.ends(0)
    for place, held in enumerate(points, 1):
        thumb.digits(held)
        if place < len(points):
            thumb.next()


def enter(thumb, number: int, *points: int, back: bool = False) -> None:
    fill_in(thumb, number, *points, back=back)
    save(thumb, number)


def save(thumb, number: int) -> None:
    thumb.save()
    thumb.page.locator(f".pad tr.waits .nr:text-is('{number}')").wait_for()


def shown(thumb, number: int) -> None:
    thumb.page.locator("form.fast").wait_for()
    thumb.page.get_by_role("heading", name=f"Round {number}", exact=True).wait_for()
    thumb.page.wait_for_load_state("networkidle")


def change(thumb, seat: int, points: int) -> None:
    """Replace what a player has."""
    thumb.press(f"#cell-{seat}")
    thumb.digits(points)


def recorded(thumb, network, rounds: int) -> None:
    network.mend()
    thumb.saved()
    thumb.page.locator(f".pad tr:not(.next) .nr a:text-is('{rounds}')").wait_for()


def test_a_player_who_goes_out_is_asked_nothing_and_may_come_back(thumb, board, table, network):
    enter(thumb, 1, 101, 10, 20)

    assert thumb.page.locator(".pad th.gone .name").all_inner_texts() == ["Bernd"]
    assert thumb.page.locator("#asks .names a:visible").all_inner_texts() == [
        "Anna",
        "Claire",
        "Dieter",
    ]

    enter(thumb, 2, 5, 1, 2, back=True)

    assert thumb.totals() == ["+20", "−25", "−11", "−22"]

    recorded(thumb, network, 2)

    assert table.rounds(board) == 2
    assert thumb.totals() == ["+20", "−25", "−11", "−22"]


def test_a_waiting_round_in_which_somebody_went_out_is_changed(thumb, board, table, network):
    enter(thumb, 1, 101, 10, 20)
    thumb.waiting_round(1, "Change")
    shown(thumb, 1)

    expect(thumb.page.locator("#cell-1")).to_contain_text("101")
    expect(thumb.page.locator("#back-1")).to_have_count(0)

    change(thumb, 2, 11)
    save(thumb, 1)

    assert thumb.totals() == ["+10", "−101", "−11", "−20"]

    recorded(thumb, network, 1)

    assert thumb.totals() == ["+10", "−101", "−11", "−20"]


@pytest.mark.parametrize("comes_back", [True, False], ids=["back", "out"])
def test_the_round_after_somebody_went_out_is_changed(
    thumb, board, table, network, comes_back: bool
):
    enter(thumb, 1, 101, 10, 20)
    enter(thumb, 2, *([5, 1, 2] if comes_back else [1, 2]), back=comes_back)
    thumb.waiting_round(2, "Change")
    shown(thumb, 2)
    thumb.page.locator("#back-1").wait_for()

    expect(thumb.page.locator("[name=rejoin-1]")).to_be_checked(checked=comes_back)
    expect(thumb.page.locator("#cell-1.gone")).to_have_count(0 if comes_back else 1)
    assert thumb.held(1) == ("5" if comes_back else "")

    change(thumb, 2, 3)
    save(thumb, 2)
    after = ["+20", "−25", "−13", "−22"] if comes_back else ["+20", "−101", "−13", "−22"]

    assert thumb.totals() == after

    recorded(thumb, network, 2)

    assert thumb.totals() == after


def test_a_draft_knows_after_a_reload_who_comes_back(thumb, board, table, network):
    enter(thumb, 1, 101, 10, 20)
    fill_in(thumb, 2, 5, 1, 2, back=True)
    thumb.page.reload()
    shown(thumb, 2)
    expect(thumb.page.locator("[name=rejoin-1]")).to_be_checked()
    expect(thumb.page.locator("#cell-1")).to_contain_text("5")
    save(thumb, 2)

    assert thumb.totals() == ["+20", "−25", "−11", "−22"]

    recorded(thumb, network, 2)

    assert thumb.totals() == ["+20", "−25", "−11", "−22"]


UNREADABLE = """() => {
    const [name, round] = Object.entries(localStorage).find(([one]) => one.startsWith("outbox"));
    localStorage[name] = round.replace('["hand-3","20"]', '["hand-3","2x"]');
}"""


def test_a_refused_round_in_which_somebody_went_out_keeps_their_points(
    thumb, board, table, network
):
    enter(thumb, 1, 101, 10, 20)
    thumb.page.evaluate(UNREADABLE)
    network.mend()
    thumb.page.get_by_text("The server does not accept a round.").wait_for()
    thumb.page.get_by_role("link", name="Look").tap()
    shown(thumb, 1)
    thumb.page.locator("form.fast:not([inert])").wait_for()

    assert (thumb.held(1), thumb.held(3)) == ("101", "2x")

    change(thumb, 3, 20)
    thumb.save()
    thumb.saved()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('1')").wait_for()

    assert thumb.totals() == ["+10", "−101", "−10", "−20"]
