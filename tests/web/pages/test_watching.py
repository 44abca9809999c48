"""Phones that look on, in a real Chromium; how soon they follow is measured by `make bench`."""

import re
from collections.abc import Iterator

import pytest

from web.pages.conftest import codes
from web.pages.walk import PHONE, known_as

SOON = 3500
"""A question every 2.5 seconds, and a moment for the answer, in milliseconds."""
PATIENCE = 20_000
"""How long a test waits for what must come; how fast it comes is for a benchmark."""


@pytest.fixture
def watched(anna, bernd) -> str:
    """A game with a round, which Bernd's phone may watch."""
    shared = anna.send("/new", name=["Anna", "Bernd", "Claire"], do="start").text
    code, _ = codes(shared)
    game = "/g/" + code.split(".")[0]
    bernd.send("/enter", code=code)
    anna.enter(game, 2, hand__0="33", hand__1="12")
    return game


@pytest.fixture
def phone(chromium, address) -> Iterator:
    opened = chromium.new_context(viewport=PHONE, locale="de-DE", base_url=address)
    yield opened
    opened.close()


def page_of(phone, reader, address, path):
    """A page on a phone that is known as this reader's browser."""
    known_as(phone, address, reader)
    page = phone.new_page()
    page.goto(path)
    return page


def test_watchers_see_and_hear_of_a_new_round_without_a_press(anna, bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    anna.enter(watched, 1, hand__0="40", hand__2="7")
    page.get_by_role("status").get_by_text("Runde 2: Bernd hat Rommé gemacht").wait_for(
        timeout=PATIENCE
    )

    assert page.locator(".pad .total").all_inner_texts() == ["73", "12", "7"]


def test_an_unchanged_board_is_polled_with_its_etag_and_answered_304(
    bernd, phone, address, watched
):
    page = page_of(phone, bernd, address, watched)
    with page.expect_response(
        lambda answer: answer.url.endswith(watched), timeout=PATIENCE
    ) as asked:
        pass

    assert asked.value.status == 304
    assert page.locator("#cue").inner_text() == ""


def test_a_hidden_page_asks_nothing(bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { get: () => true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(SOON)

    assert asked == []


def test_a_correction_is_marked_for_who_looked_before(anna, bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    page.goto("/")
    anna.send(f"{watched}/round/1/correct", hand__0="43", do="save")
    page.goto(watched)
    page.locator("tr.fresh").wait_for(timeout=PATIENCE)

    assert (
        "vorher: Anna\u00a033, Bernd\u00a012, Claire\u00a00"
        in page.locator(".fresh + .note").inner_text()
    )

    page.reload()
    page.wait_for_timeout(SOON)

    assert page.locator("tr.fresh").count() == 0


def test_without_connection_the_page_says_how_old_it_is(bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    phone.set_offline(True)
    page.locator("#offline").wait_for(timeout=PATIENCE)

    assert re.search(r"Ohne Verbindung\. .* \d\d:\d\d$", page.locator("#offline").inner_text())

    phone.set_offline(False)
    page.locator("#offline").wait_for(state="hidden", timeout=PATIENCE)


def test_the_last_board_opens_without_connection_and_says_so(bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.reload()
    phone.set_offline(True)
    page.reload()

    assert page.locator("#offline").is_visible()
    assert re.search(r"\d\d:\d\d$", page.locator("#offline").inner_text())
    assert page.locator(".pad .total").all_inner_texts() == ["33", "12", "0"]


def test_the_old_phone_says_that_its_pen_was_replaced(anna, bernd, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    shared = anna.send(f"{watched}/share", right="pen").text  # keeps this browser's right
    bernd.send("/enter", code=codes(shared)[0])

    assert page.get_by_role("link", name="Runde 2 eintragen").is_visible()

    bernd.send(f"{watched}/share", right="pen")
    page.get_by_role("alert").get_by_text("Dein Link gilt nicht mehr.").wait_for(timeout=PATIENCE)

    assert page.get_by_role("link", name="Runde 2 eintragen").count() == 0
    assert page.locator(".pad .total").all_inner_texts() == ["33", "12", "0"]


def test_a_round_is_taken_back_and_put_back_in_one_press_each(anna, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    page.get_by_role("button", name="Zurücknehmen").click()
    page.get_by_text("Runde 1 zurückgenommen.").wait_for()

    assert page.locator(".pad .total").all_inner_texts() == ["0", "0", "0"]

    page.get_by_role("button", name="Wiederherstellen").click()
    page.get_by_role("button", name="Zurücknehmen").wait_for()

    assert page.locator(".pad .total").all_inner_texts() == ["33", "12", "0"]


def test_the_television_fits_its_screen_and_follows(anna, bernd, phone, address, watched):
    page = page_of(phone, bernd, address, f"{watched}/tv")
    page.set_viewport_size({"width": 1280, "height": 720})
    anna.enter(watched, 1, hand__0="1000", hand__2="7")
    page.locator(".total", has_text="1033").wait_for(timeout=PATIENCE)
    size = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )

    assert size == [1280, 720]
    assert page.locator(".total").first.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_players_change_seats_by_dragging(anna, phone, address, watched):
    page = page_of(phone, anna, address, "/new")
    for seat, name in enumerate(("Anna", "Bernd", "Claire", "Dieter")):
        page.locator("[name=name]").nth(seat).fill(name)
    page.locator(".grip").nth(3).scroll_into_view_if_needed()
    start, end = (page.locator(".grip").nth(seat).bounding_box() for seat in (0, 2))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
    page.mouse.up()

    names = page.locator("[name=name]").evaluate_all("all => all.map(field => field.value)")
    assert names == ["Bernd", "Claire", "Anna", "Dieter"]


def test_the_offer_to_put_a_round_back_goes_after_ten_seconds(anna, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    page.clock.install()
    page.get_by_role("button", name="Zurücknehmen").click()
    page.get_by_text("Runde 1 zurückgenommen.").wait_for()
    page.clock.fast_forward(11_000)

    assert page.get_by_role("button", name="Wiederherstellen").count() == 0
    assert page.locator("tr.struck").count() == 1  # the round page still puts it back


def test_the_score_is_read_aloud_only_where_somebody_wants_it(anna, bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    page.evaluate(
        """() => {
            window.spoken = [];
            speechSynthesis.speak = (said) => spoken.push([said.lang, said.text]);
        }"""
    )
    anna.enter(watched, 1, hand__0="40", hand__2="7")
    page.get_by_role("status").get_by_text("Runde 2").wait_for(timeout=PATIENCE)

    assert page.evaluate("spoken") == []

    page.get_by_text("Stand vorlesen").click()

    assert page.evaluate("spoken") == [["de", "Claire 7, Bernd 12, Anna 73"]]
