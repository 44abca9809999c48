"""Wide screens: board, chart and history side by side, and the pad beside the keys."""

import re

import pytest
from playwright.sync_api import expect

from web.pages.walk import PHONE, open_phone

DESKTOP = {"width": 1280, "height": 800}
NARROW_WINDOW = {"width": 900, "height": 800}


@pytest.fixture
def evening(anna) -> str:
    """A game of seven rounds, one of them corrected."""
    game = anna.begin()
    for number in range(7):
        anna.enter(game, 0, hand__1=str(20 + number), hand__2="7", hand__3="60")
    anna.send(f"{game}/round/6/correct", hand__1="56", do="save")
    return game


def box(page, selector: str) -> dict[str, float]:
    found = page.locator(selector).bounding_box()

    assert found, selector
    return found


def scrolls(page) -> bool:
    root = "document.documentElement"
    return page.evaluate(f"{root}.scrollHeight > {root}.clientHeight")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_board_chart_and_history_lie_side_by_side(chromium, address, anna, evening, scripts):
    page = open_phone(
        chromium, address, anna, viewport=DESKTOP, java_script_enabled=scripts
    ).new_page()
    page.goto(evening)
    pad, chart, history = (box(page, part) for part in ("#pad", "#run svg", "#recent"))

    assert pad["x"] + pad["width"] <= chart["x"]
    assert chart["x"] + chart["width"] <= history["x"]
    assert max(pad["y"], chart["y"], history["y"]) < 160
    expect(page.locator("#recent li")).to_have_count(6)
    expect(page.locator("#recent b", has_text="Runde 6 geändert")).to_be_visible()
    names = page.locator("#foot .names .btn")
    expect(names).to_have_count(4)
    for name in names.all():
        expect(name).to_be_in_viewport(ratio=1)
    if scripts:  # without them it cannot be measured
        assert not scrolls(page)
    page.context.close()


@pytest.mark.parametrize("size", [PHONE, NARROW_WINDOW], ids=["phone", "narrow window"])
def test_elsewhere_the_chart_is_folded_and_there_is_no_history(
    chromium, address, anna, evening, size
):
    page = open_phone(chromium, address, anna, viewport=size).new_page()
    page.goto(evening)

    expect(page.locator("#recent")).to_be_hidden()
    expect(page.locator("#run")).to_be_hidden()
    page.locator(".side > .fold > summary").click()
    expect(page.locator("#run svg")).to_be_visible()
    page.context.close()


def test_seven_rounds_are_seen_at_once_on_a_phone(chromium, address, anna, evening):
    page = open_phone(chromium, address, anna).new_page()
    page.goto(evening)
    foot = box(page, "#foot")["y"]

    for line in page.locator("#pad tbody tr").all():
        place = line.bounding_box()
        assert place["y"] >= 0
        assert place["y"] + place["height"] <= foot
    page.context.close()


def test_the_pad_is_shown_beside_the_keys(chromium, address, anna, evening):
    page = open_phone(chromium, address, anna, viewport=DESKTOP).new_page()
    page.goto(f"{evening}/round")
    page.locator("#pad").wait_for()
    page.locator("label[for=ender-0]").click()
    page.locator(".keys:visible").wait_for()
    pad, keys = box(page, "#pad"), box(page, ".keys:visible")

    assert pad["x"] + pad["width"] <= keys["x"]
    assert pad["y"] < keys["y"]
    assert not scrolls(page)
    expect(page.locator("#pad tbody .nr")).to_have_count(7)
    expect(page.locator("#pad .next")).to_have_count(0)
    page.context.close()


def test_the_pad_waits_until_a_press_has_ended(chromium, address, anna, evening):
    """It moves the form, and the key would no longer be below the pointer."""
    page = open_phone(chromium, address, anna, viewport=DESKTOP).new_page()
    boards = []
    page.route(re.compile(f"{evening}$"), lambda route: boards.append(route))
    page.goto(f"{evening}/round")
    page.locator("form.fast").wait_for()
    winner = page.locator("label[for=ender-0]")
    winner.hover()
    page.mouse.down()
    before = winner.bounding_box()
    with page.expect_response(re.compile(f"{evening}$")):
        boards[0].continue_()
    page.locator("link[href*='board.css']").wait_for(state="attached")
    page.wait_for_timeout(300)

    assert winner.bounding_box() == before

    page.mouse.up()
    expect(page.locator("#ender-0")).to_be_checked()
    page.locator("form ~ #pad").wait_for()
    page.context.close()


@pytest.mark.parametrize(("size", "shown"), [(DESKTOP, True), (PHONE, False)])
def test_what_to_type_is_said_where_a_keyboard_is_likely(
    chromium, address, anna, evening, size, shown
):
    page = open_phone(chromium, address, anna, viewport=size).new_page()
    page.goto(f"{evening}/round")
    if shown:  # the pad beside it moves the form
        page.locator("form ~ #pad").wait_for()
    page.locator("label[for=ender-0]").click()
    page.locator(".digits:visible").wait_for()
    points = page.get_by_text("Oder tippen: 10+15, dann Enter")
    ranks = page.get_by_text("Oder tippen: k k 9, dann Enter")

    assert (points.is_visible(), ranks.is_visible()) == (shown, False)

    page.locator("label[for=way-1-ranks]").click()
    page.locator("[data-pad=ranks]:visible").wait_for()

    assert (points.is_visible(), ranks.is_visible()) == (False, shown)
    assert not scrolls(page)

    page.keyboard.type("k k 9")
    page.locator("#cell-1", has_text="29").wait_for()
    page.context.close()


def test_a_phone_does_not_load_the_board_to_enter_a_round(chromium, address, anna, evening):
    phone = open_phone(chromium, address, anna)
    page = phone.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{evening}/round", wait_until="networkidle")

    assert f"{address}{evening}/round" in asked
    assert f"{address}{evening}" not in asked
    phone.close()
