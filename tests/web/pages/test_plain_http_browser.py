"""Board and entry without a connection on plain http, where no service worker can keep them."""

import re

import pytest
from playwright.sync_api import expect

from patience import wait_until
from rest import EVENING
from scorekeeper.domain.game.changes import score_for
from scorekeeper.services.games import record_round
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from web.pages.line import is_saving
from web.pages.phone import SIX, SMALL, TALL, Thumb
from web.pages.test_offline_browser import queued, waiting


def three_rounds_offline(plain, network):
    """Lose the connection, and enter three rounds that wait."""
    network.cut(plain)
    for number, points in enumerate((10, 20, 30), 1):
        plain.page.get_by_role("heading", name=f"Round {number}", exact=True).wait_for()
        plain.quick_round(points)
        plain.save()
    plain.page.get_by_text("3 rounds are waiting here").wait_for()
    plain.page.get_by_role("heading", name="Round 4", exact=True).wait_for()


@pytest.mark.parametrize("language", ["de-DE", "en-GB", "fr-FR", "lb-LU"])
def test_the_word_for_a_lost_connection_fits_beside_the_title_of_a_correction(
    chromium, table, network, language
):
    phone = Thumb(chromium, table, SMALL, language=language)
    board = phone.begin()
    ledger, game = table.app.extensions["ledger"], board.rpartition("/")[2]
    played, _ = load_round(EVENING["rounds"][3])
    for number in range(12):
        record_round(
            ledger, game, score_for(ledger.game(game), played), write=Write(key=str(number))
        )
    phone.page.goto(f"{board}/round/12/correct")
    phone.page.locator("form.fast").wait_for()
    phone.press("#cell-3")
    key = phone.page.locator(".digits [data-digit='9']")
    before = key.bounding_box()
    network.cut(phone)
    phone.digits(5)
    phone.page.locator(".cut:visible").wait_for()

    assert key.bounding_box() == before
    assert phone.page.locator("h1").bounding_box()["y"] >= 0

    network.mend()
    phone.phone.close()


@pytest.mark.parametrize("size", [TALL, SMALL], ids=["390x844", "320x640"])
def test_no_key_moves_when_the_connection_is_lost(chromium, table, network, size):
    phone = Thumb(chromium, table, size)
    phone.open(phone.begin())
    phone.ends(0)
    phone.way_of_table()
    key = phone.page.locator(".digits [data-digit='9']")
    before = key.bounding_box()
    network.cut(phone)
    phone.digits(5)
    phone.page.get_by_role("button", name="No connection").wait_for()

    assert key.bounding_box() == before

    phone.page.get_by_role("button", name="No connection").tap()

    assert (
        phone.page.evaluate(
            "document.querySelector('[data-state=offline]').getBoundingClientRect().bottom"
        )
        <= size[1]
    )

    network.mend()
    phone.page.get_by_role("button", name="No connection").wait_for(state="hidden")

    assert key.bounding_box() == before

    phone.phone.close()


RESUMED = """() => {
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    for (const field of document.querySelectorAll("[data-keys=way]")) field.value = "";
}"""
"""What WebKit does with a page that it had kept to go back to."""


@pytest.mark.parametrize("storage", ["kept", "refused"])
def test_the_way_back_to_the_form_shows_what_was_entered(plain, network, storage):
    """A page that is loaded again needs a connection, and forgets what could not be stored."""
    if storage == "refused":
        plain.page.add_init_script("Storage.prototype.setItem = null")
    plain.open(plain.begin())
    plain.ends(0)
    plain.digits(10)
    if storage == "kept":
        network.cut(plain)
    plain.page.evaluate(RESUMED)
    expect(plain.page.locator("[name=hand-1]")).to_have_value("10")
    plain.press("#cell-3")
    plain.digits(5)

    assert [plain.held(seat) for seat in (1, 2, 3)] == ["10", "", "5"]


def test_the_open_form_takes_several_rounds_offline(plain, table, network):
    board = plain.begin()
    plain.open(board)
    three_rounds_offline(plain, network)

    assert plain.held(1) == ""
    assert plain.page.get_by_text("Without https").first.is_visible()

    network.mend()
    plain.saved()

    assert table.rounds(board) == 3
    assert plain.totals() == ["0", "60", "60", "60"]


def test_the_open_form_changes_and_withdraws_what_waits(plain, table, network):
    board = plain.begin()
    plain.open(board)
    plain.ends(0)  # the first press fetches what is needed without a connection
    plain.page.wait_for_load_state("networkidle")
    three_rounds_offline(plain, network)
    plain.ends(2)
    plain.digits(15)
    plain.waiting_round(1, "Withdraw")
    plain.page.get_by_role("heading", name="Round 3", exact=True).wait_for()

    assert plain.held(3) == "15"

    plain.waiting_round(1, "Change")  # the second one, before
    plain.page.get_by_role("heading", name="Round 1", exact=True).wait_for()

    assert [plain.held(seat) for seat in (1, 2, 3)] == ["20", "20", "20"]

    plain.press("#cell-3")
    plain.digits(21)
    plain.save()
    plain.page.get_by_role("heading", name="Round 3", exact=True).wait_for()

    assert plain.held(3) == "15"  # what was being entered is still there

    network.mend()
    plain.everything_sent()
    plain.page.goto(board)

    assert table.rounds(board) == 2
    assert plain.totals() == ["0", "50", "50", "51"]


@pytest.mark.parametrize("page", ["correct", "insert"])
def test_a_correction_that_waits_is_withdrawn_and_its_form_goes_on(plain, table, network, page):
    board = plain.begin_after((0, 10, 10, 10))
    plain.page.goto(f"{board}/round/1/{page}")
    plain.page.locator("form.fast").wait_for()
    if page == "insert":
        plain.quick_round(3)
    else:
        plain.press("#cell-1")
        plain.digits(25)
    plain.page.wait_for_load_state("networkidle")
    plain.page.locator("#save:enabled").wait_for()
    network.cut(plain)
    plain.save()
    plain.page.get_by_text("one round is waiting here").wait_for()
    plain.waiting_round(1, "Withdraw")
    plain.page.locator("form.fast:not([inert])").wait_for()

    assert plain.held(1) == ("10" if page == "correct" else "")

    if page == "insert":
        plain.quick_round(4)
    else:
        plain.press("#cell-1")
        plain.digits(15)
    plain.save()
    plain.page.get_by_text("one round is waiting here").wait_for()
    network.mend()
    plain.saved()

    assert plain.totals() == (["0", "15", "10", "10"] if page == "correct" else ["0", *["14"] * 3])
    assert not plain.sends()


def test_an_open_board_stays_and_says_why(plain, network):
    board = plain.begin()
    plain.page.goto(board)
    network.cut(plain)
    plain.page.get_by_role("link", name="Enter round 1").tap()
    plain.page.locator("[data-state=stays]").get_by_text("Keep this page open.").wait_for()

    assert plain.page.url == board


# ---- plain http ------------------------------------------------------------------------------


@pytest.fixture
def plain_board(home_network, network) -> str:
    """A game whose board is open on a phone in a home network that is offline now."""
    board = home_network.begin()
    home_network.form_is_kept()
    network.cut(home_network)
    return board


def test_an_open_board_takes_rounds_on_plain_http(home_network, plain_board, table, network):
    phone = home_network
    for number, points in enumerate((10, 20, 30), 1):
        phone.enter_inside(number, points)

    assert waiting(phone) == ["1", "2", "3"]
    assert phone.totals() == ["0", "60", "60", "60"]
    phone.page.get_by_text("3 rounds are waiting here").wait_for()

    network.mend()
    phone.saved()
    phone.page.locator(".pad tbody tr:not(.next) .nr a:text-is('3')").wait_for()

    assert table.rounds(plain_board) == 3
    assert phone.totals() == ["0", "60", "60", "60"]
    assert waiting(phone) == []

    network.cut(phone)
    phone.enter_inside(4, 5)
    network.mend()
    phone.page.locator(".pad tbody tr:not(.next) .nr a:text-is('4')").wait_for()

    assert table.rounds(plain_board) == 4
    assert phone.totals() == ["0", "65", "65", "65"]


@pytest.mark.parametrize("sent", [1, 3])
def test_the_form_on_the_board_counts_what_was_sent_before_the_line_was_lost_again(
    home_network, table, sent
):
    """The board still shows the pad from before, where these rounds are marked as waiting."""
    phone, left = home_network, sent
    board = phone.begin()
    phone.form_is_kept()
    phone.phone.set_offline(True)
    for number, points in enumerate((10, 20, 30), 1):
        phone.enter_inside(number, points)

    def carry(route) -> None:
        nonlocal left
        if not left or not is_saving(route.request):
            return route.abort("connectionrefused")
        left -= 1
        return route.continue_()

    phone.phone.route(re.compile(r"/g/\w+"), carry)
    phone.phone.set_offline(False)
    wait_until(lambda: table.rounds(board) == sent, lambda: phone.page.wait_for_timeout(50))
    wait_until(lambda: queued(phone) == 3 - sent, lambda: phone.page.wait_for_timeout(50))
    phone.enter_inside(4, 5)

    assert waiting(phone) == ["1", "2", "3", "4"]

    phone.phone.unroute_all()
    phone.everything_sent()
    phone.page.locator(".pad tbody tr:not(.next) .nr a:text-is('4')").wait_for()

    assert table.rounds(board) == 4
    assert phone.totals() == ["0", "65", "65", "65"]


def test_the_form_on_the_board_goes_on_in_the_plan_after_rounds_that_were_sent(
    home_network, network
):
    phone = home_network
    phone.page.goto(phone.plays("contract-rummy", SIX[:4]))
    phone.form_is_kept()
    network.cut(phone)
    phone.enter_inside(1, 10)
    network.mend()
    phone.page.locator(".pad tbody tr:not(.next) .nr a:text-is('1')").wait_for()
    network.cut(phone)
    phone.page.get_by_role("link", name="Enter round 2", exact=True).tap()
    with phone.inside():
        expect(phone.page.locator(".contracts")).to_contain_text("one set of 3 or more and one run")


def test_the_form_on_the_board_knows_who_went_out_and_keeps_its_draft(home_network, plain_board):
    phone = home_network
    phone.page.locator(".names a").nth(2).tap()
    with phone.inside():
        phone.page.locator("#ender-2:checked").wait_for(state="attached")
        phone.page.locator(".bar .back").tap()
    phone.page.locator(".framed[inert]").wait_for(state="attached")
    phone.page.locator(".names a").nth(1).tap()
    with phone.inside():
        phone.page.locator("#ender-1:checked").wait_for(state="attached")
        phone.digits(15)
        phone.page.locator("#cell-2").get_by_text("15").wait_for()
    phone.page.go_back()
    phone.page.locator(".framed[inert]").wait_for(state="attached")

    assert phone.page.url == plain_board

    phone.page.get_by_role("link", name="Continue round").tap()
    with phone.inside():
        assert phone.held(2) == "15"
        assert phone.page.locator("#ender-1").is_checked()


def test_rounds_that_wait_on_plain_http_are_changed_and_withdrawn(
    home_network, plain_board, table, network
):
    phone = home_network
    for number, points in enumerate((10, 20, 30), 1):
        phone.enter_inside(number, points)
    phone.waiting_round(2, "Change")
    with phone.inside():
        phone.page.get_by_role("heading", name="Round 2", exact=True).wait_for()
        phone.press("#cell-1")
        phone.digits(25)
        phone.save()
    phone.page.locator(".pad .total:text-is('65')").wait_for()
    phone.waiting_round(1, "Withdraw")
    phone.page.locator(".pad .total:text-is('55')").wait_for()

    assert waiting(phone) == ["1", "2"]

    phone.enter_inside(3, 1)
    network.mend()
    phone.saved()
    phone.page.locator(".pad tbody tr:not(.next) .nr a:text-is('3')").wait_for()

    assert table.rounds(plain_board) == 3
    assert phone.totals() == ["0", "56", "51", "51"]


def test_with_a_connection_the_form_is_a_page_of_its_own(home_network):
    board = home_network.begin()
    home_network.form_is_kept()
    home_network.page.get_by_role("link", name="Enter round 1").tap()
    home_network.page.wait_for_url(f"{board}/round")
