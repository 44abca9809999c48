"""Boards in Chromium that follow a game; how soon they do is measured by `make bench`."""

import re
from collections.abc import Iterator

import pytest

from web.pages.phone import WORKER_RUNS, boxes, until
from web.pages.walk import PHONE, known_as

SOON = 2500
"""The page polls at this interval, in milliseconds."""
PATIENCE = 20_000
"""The time limit for events that must come; their speed is for a benchmark."""


@pytest.fixture
def watched(anna, bernd) -> str:
    """A game with a round, which Bernd's phone may watch."""
    game = anna.begin(name=["Anna", "Bernd", "Claire"])
    bernd.send("/enter", code=anna.code(game))
    anna.enter(game, 2, hand__0="33", hand__1="12")
    return game


@pytest.fixture
def phone(chromium, address) -> Iterator:
    opened = chromium.new_context(viewport=PHONE, locale="de-DE", base_url=address)
    yield opened
    opened.close()


def page_of(phone, reader, address, path):
    """Open a page on a phone with this reader's cookies and a clock that can be moved on."""
    known_as(phone, address, reader)
    page = phone.new_page()
    page.clock.install()
    page.goto(path)
    return page


def polled(page):
    """Move the clock on until the page polls, and return the answer."""
    with page.expect_response(lambda answer: answer.url == page.url, timeout=PATIENCE) as asked:
        page.clock.fast_forward(SOON)
    return asked.value


def test_a_new_round_is_shown_and_announced_by_itself(anna, bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    anna.enter(watched, 1, hand__0="40", hand__2="7")
    page.clock.fast_forward(SOON)
    page.get_by_role("status").get_by_text("Runde 2: Bernd hat Rommé gemacht").wait_for(
        timeout=PATIENCE
    )

    assert page.locator(".pad .total").all_inner_texts() == ["73", "12", "7"]


def test_an_unchanged_board_is_polled_with_its_etag_and_answered_304(
    bernd, phone, address, watched
):
    page = page_of(phone, bernd, address, watched)

    assert polled(page).status == 304
    assert page.locator("#cue").inner_text() == ""


def test_a_hidden_page_does_not_poll(bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { get: () => true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.clock.fast_forward(SOON)
    page.evaluate("document.hidden")  # requests are reported before this is answered

    assert requested == []


def test_a_correction_is_marked_for_returning_readers(anna, bernd, phone, address, watched):
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
    polled(page)

    assert page.locator("tr.fresh").count() == 0


def test_without_connection_the_page_shows_its_age(bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    phone.set_offline(True)
    page.clock.fast_forward(SOON)
    page.locator("#offline").wait_for(timeout=PATIENCE)

    assert re.search(r"Ohne Verbindung\. .* \d\d:\d\d[.]$", page.locator("#offline").inner_text())

    phone.set_offline(False)
    page.locator("#offline").wait_for(state="hidden", timeout=PATIENCE)


def test_the_last_board_opens_without_connection_with_a_notice(bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    until(page, WORKER_RUNS)
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.reload()
    phone.set_offline(True)
    page.reload()

    assert page.locator("#offline").is_visible()
    assert re.search(r"\d\d:\d\d[.]$", page.locator("#offline").inner_text())
    assert page.locator(".pad .total").all_inner_texts() == ["33", "12", "0"]


def test_the_previous_phone_says_that_its_pen_was_replaced(anna, bernd, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    bernd.send("/enter", code=anna.code(watched, "pen"))

    assert page.get_by_role("link", name="Runde 2 eintragen").is_visible()

    bernd.send(f"{watched}/share", right="pen")
    page.clock.fast_forward(SOON)
    page.get_by_role("alert").get_by_text("Dein Link gilt nicht mehr.").wait_for(timeout=PATIENCE)

    assert page.get_by_role("link", name="Runde 2 eintragen").count() == 0
    assert page.locator(".pad .total").all_inner_texts() == ["33", "12", "0"]


def test_a_round_is_undone_and_restored_with_one_button_each(anna, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    page.get_by_role("button", name="Zurücknehmen").click()
    page.locator("#act").get_by_text("Runde 1 zurückgenommen").wait_for()

    assert page.locator(".pad .total").all_inner_texts() == ["0", "0", "0"]

    page.get_by_role("button", name="Wiederherstellen").click()
    page.get_by_role("button", name="Zurücknehmen").wait_for()

    assert page.locator(".pad .total").all_inner_texts() == ["33", "12", "0"]


def test_the_television_fits_its_screen_and_follows(anna, bernd, phone, address, watched):
    page = page_of(phone, bernd, address, f"{watched}/tv")
    page.set_viewport_size({"width": 1280, "height": 720})
    anna.enter(watched, 1, hand__0="1000", hand__2="7")
    page.clock.fast_forward(SOON)
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
    page.locator("label[for=order]").click()
    page.locator("#order[checked]").wait_for(state="attached")  # the answer replaced the seats
    page.locator(".grip").nth(3).scroll_into_view_if_needed()
    start, end = (page.locator(".grip").nth(seat).bounding_box() for seat in (0, 2))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
    page.mouse.up()

    names = page.locator("[name=name]").evaluate_all("all => all.map(field => field.value)")
    assert names == ["Bernd", "Claire", "Anna", "Dieter"]


def test_a_round_can_be_put_back_until_the_next_one_is_saved(anna, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    page.get_by_role("button", name="Zurücknehmen").click()
    page.locator("#act").get_by_text("Runde 1 zurückgenommen").wait_for()
    page.clock.fast_forward(60_000)
    page.reload()

    assert page.get_by_role("button", name="Wiederherstellen").count() == 1

    anna.enter(watched, 1, hand__0="40", hand__2="7")
    page.reload()

    assert page.get_by_role("button", name="Wiederherstellen").count() == 0
    assert page.locator("tr.struck").count() == 1  # the page of the round still puts it back


def test_a_phone_does_not_report_its_own_changes_as_news(anna, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    page.goto(f"{watched}/round/1/correct")
    page.locator("#cell-0").click()
    page.locator(".digits [data-tool=back]").click()
    page.locator(".digits [data-digit='5']").click()
    page.locator("#cell-0").get_by_text("35").wait_for()
    page.locator("#save").click()
    page.locator("#act").get_by_text("Runde 1 geändert").wait_for()
    page.goto(watched)
    page.wait_for_timeout(SOON)

    assert page.locator(".pad .total").first.inner_text() == "35"
    assert page.locator("tr.fresh").count() == 0

    page.get_by_role("button", name="Zurücknehmen").click()  # the correction, not the round
    page.locator(".pad .total:text-is('33')").wait_for()
    page.wait_for_timeout(SOON)

    assert page.locator("tr.fresh").count() == 0

    page.goto(f"{watched}/round/1")
    page.get_by_role("button", name="Zurücknehmen").first.click()
    page.locator("#act").get_by_text("Runde 1 zurückgenommen").wait_for()
    page.wait_for_timeout(SOON)

    assert page.locator("tr.fresh").count() == 0


def test_earlier_changes_of_others_are_news_beside_ones_own(anna, phone, address, watched):
    page = page_of(phone, anna, address, watched)
    page.goto("/")
    anna.send(f"{watched}/round/1/correct", hand__0="43", do="save")
    page.goto(f"{watched}/round")
    page.locator("label[for=ender-0]").click()
    for digit in "25":
        page.locator(f".digits [data-digit='{digit}']").click()
        page.locator("#next:visible, #save:enabled").first.click()
    page.wait_for_url(re.compile("#next"))
    page.locator("tr.fresh").wait_for(timeout=PATIENCE)

    assert "vorher: Anna" in page.locator(".fresh + .note").inner_text()


@pytest.mark.parametrize("scroll", [True, False])
def test_the_newest_round_is_scrolled_into_view_unless_the_reader_is_above_it(
    anna, bernd, phone, address, watched, scroll
):
    for number in range(12):
        anna.enter(watched, 2, hand__0=str(number + 1), hand__1="12")
    page = page_of(phone, bernd, address, watched)
    next_line = "#next"

    assert is_in_sight(page, next_line)
    assert is_in_sight(page, ".pad thead th")  # the cells stick, not their row

    if scroll:
        page.evaluate("scrollTo(0, 0)")
    anna.enter(watched, 2, hand__0="100", hand__1="12")
    page.clock.fast_forward(SOON)
    page.get_by_role("link", name="Runde 14").wait_for(timeout=PATIENCE)

    assert is_in_sight(page, next_line) is not scroll


def is_in_sight(page, part) -> bool:
    """Whether a part is not hidden, neither above, below nor by the foot."""
    box, foot = boxes(page, part, "#foot")
    return box["height"] > 0 and box["y"] >= 0 and box["bottom"] <= foot["y"]


LISTEN = """
    window.spoken = [];
    speechSynthesis.speak = (said) => spoken.push([said.lang, said.text.trim()]);
"""


def test_the_score_is_read_aloud_only_on_request(anna, bernd, phone, address, watched):
    page = page_of(phone, bernd, address, watched)
    page.add_init_script(LISTEN)
    page.reload()
    anna.enter(watched, 1, hand__0="40", hand__2="7")
    page.clock.fast_forward(SOON)
    page.get_by_role("status").get_by_text("Runde 2").wait_for(timeout=PATIENCE)
    assert page.evaluate("spoken") == []

    page.goto(f"{watched}/more")
    page.get_by_text("Stand vorlesen").click()
    assert page.evaluate("spoken") == [["de", "Stand vorlesen"]]

    page.goto(watched)
    anna.enter(watched, 1, hand__0="1", hand__2="2")
    page.clock.fast_forward(SOON)
    page.get_by_role("status").get_by_text("Runde 3").wait_for(timeout=PATIENCE)
    ((language, words),) = page.evaluate("spoken")
    assert language == "de"
    assert "Claire 9, Bernd 12, Anna 74" in words
