"""The look of every page: small, large, with larger letters, and to assistive software.

Nothing may extend beyond the width of the screen, be cut off or overlap, no word may break that
would fit a line, buttons have the size of a finger, and axe-core finds nothing. ``make screens``
takes screenshots of all pages, light and dark.
"""

import os
from pathlib import Path

import pytest

from scorekeeper.i18n import LANGUAGES
from web.pages.conftest import evening
from web.pages.phone import SIX, boxes
from web.pages.walk import (
    NARROW,
    PHONE,
    PICTURES,
    SCREEN,
    addresses,
    ending,
    open_phone,
    unfold,
    violations,
    visit,
)

FINGER = 48
LETTERS = (100, 130, 150, 200)
"""Sizes of the letters in percent of the usual one."""
ENLARGE = "(size) => { document.documentElement.style.fontSize = size; }"
UNSTUCK = ".foot, .line { position: static !important; }"
"""The style that puts the foot of a page at its end for a full-page screenshot."""

WIDE = """(numbers) => [...document.querySelectorAll(numbers)].filter((number) => {
    const box = number.parentElement.getBoundingClientRect(), text = document.createRange();
    text.selectNodeContents(number);
    const { left, right } = text.getBoundingClientRect();
    return left < box.left - 1 || right > box.right;
}).map((number) => number.textContent)"""
"""The numbers that extend beyond their columns."""

BROAD = """() => [...document.querySelectorAll(".pad-sheet table")].filter((table) =>
    table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right
).map((table) => table.className)"""
"""The tables that are broader than their sheets."""

BELOW = """() => [...document.querySelectorAll(".tally > div")].filter((row) => {
    const [label, figure] = [...row.children].map((part) => part.getBoundingClientRect());
    return figure.top >= label.bottom;
}).map((row) => row.textContent)"""
"""The figures below their labels instead of beside them."""

OUTSIDE = """() => [...document.querySelectorAll(".run .chart text")].filter((name) =>
    name.getBoundingClientRect().right > name.closest(".run").getBoundingClientRect().right
).map((name) => name.textContent)"""
"""The names that leave the frame of their chart."""

TOUCHED = """() => [...document.querySelectorAll(".pad td em + b")].filter((number) => {
    const [mark, points] = [number.previousElementSibling, number].map((part) => {
        const text = document.createRange();
        text.selectNodeContents(part);
        return text.getBoundingClientRect();
    });
    return mark.right > points.left - 4 && mark.bottom > points.top + 4;
}).map((number) => number.parentElement.textContent)"""
"""The points that the mark beside them touches."""

SPLIT = """(text) => {
    const { style } = document.body, broken = [];
    for (let width = 320; width > 160; width -= 4) {
        style.width = `${width}px`;
        if (text.getClientRects().length > 1) broken.push(width);
    }
    return broken;
}"""
"""The widths of the page at which a text takes more than one line."""

PRINTED = """() => [
    ...document.querySelectorAll("button:not(.tick), .btn, .switch, .more, .back, .foot, .key"),
].filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 160)).concat(
    document.querySelector("h1")?.checkVisibility() === false ? ["no title"] : [],
    document.body.innerText.length < 20 ? ["nothing"] : [],
)"""
"""What a page prints although it can only be pressed on a screen."""

FLAWS = Path(__file__).with_name("flaws.js").read_text(encoding="utf-8")
FLAWS_OF_SIZES = f"""([finger, sizes]) => {{
    const flaws = {FLAWS};
    const found = sizes.map((percent) => {{
        document.documentElement.style.fontSize = `${{percent}}%`;
        return flaws(finger);
    }});
    document.documentElement.style.fontSize = "";
    return found;
}}"""
"""The flaws with letters of each of these sizes."""
ALL = "SCREENS" in os.environ
"""Whether to take screenshots, which take twice as long as everything else."""
SCHEMES = ("light", "dark")


def pictured(page, name: str, what: str) -> None:
    """Take screenshots of a page."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        picture = PICTURES / f"{name}-{scheme}" / f"{what}.png"
        page.screenshot(path=picture, full_page=True, style=UNSTUCK)


def zoomed(page) -> list[str]:
    """Return what is cut off at a zoom of 200 %: half as much space, at twice the resolution."""
    half = {side: length // 2 for side, length in page.viewport_size.items()}
    zoom = page.context.new_cdp_session(page)
    zoom.send(
        "Emulation.setDeviceMetricsOverride", {**half, "deviceScaleFactor": 2, "mobile": False}
    )
    flaws: list[str] = page.evaluate(FLAWS, FINGER // 2)
    zoom.send("Emulation.clearDeviceMetricsOverride")
    zoom.detach()
    return [f"zoomed: {flaw}" for flaw in flaws]


def with_letters(page, sizes) -> list[str]:
    """Return the flaws with letters of several sizes, in percent of the usual one."""
    width = page.viewport_size["width"]
    found = zip(sizes, page.evaluate(FLAWS_OF_SIZES, [FINGER, sizes]), strict=True)
    return [f"{percent} % at {width}: {flaw}" for percent, flaws in found for flaw in flaws]


def printed(page) -> list[str]:
    """Return what a page prints that can only be pressed, and what does not fit the paper."""
    page.emulate_media(media="print")
    found = [f"printed: {one}" for one in page.evaluate(PRINTED)]
    page.emulate_media(media="screen")
    return found


@pytest.fixture
def look(app, address, anna, played, group):
    """Walk over all pages, look at each on several screens, and return the visible faults.

    The last screen is also given to *checks*.
    """

    def looked(browser, screens, *checks, letters=(100,), name="", **wishes) -> list[str]:
        wishes |= {"bypass_csp": True, "viewport": screens[0]}
        still = {"reduced_motion": "reduce"}  # no key between light and dark
        phone = open_phone(browser, address, anna, **still, **wishes)
        page = phone.new_page()
        found: list[str] = []
        for what, path in (addresses(played, group) | ending(app, group)).items():
            visit(page, path)
            for screen in screens:
                page.set_viewport_size(screen)
                if ALL:
                    pictured(page, "x".join(map(str, screen.values())) + name, what)
                unfold(page)
                found += [f"{what}: {flaw}" for flaw in with_letters(page, letters)]
            found += [f"{what}: {flaw}" for check in checks for flaw in check(page)]
        phone.close()
        return found

    return looked


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_phones_with_letters_of_all_sizes_and_is_accessible(
    chromium, look, language
):
    """Its names and contrasts are the same in all languages; long words need most room if large."""
    checks, letters = ((zoomed, violations), LETTERS) if language == "de" else ((), LETTERS[::3])
    wishes = {"name": f"-{language}", "locale": language}

    assert look(chromium, (NARROW, PHONE), *checks, letters=letters, **wishes) == []


@pytest.mark.long
def test_every_page_fits_a_wide_screen_also_at_200_percent_zoom_and_prints_no_button(
    chromium, look
):
    assert look(chromium, [SCREEN], zoomed, printed) == []


@pytest.mark.long
def test_nothing_is_cut_off_where_the_browser_has_letters_twice_as_large(launch, look):
    browser = launch("--blink-settings=defaultFontSize=32,defaultFixedFontSize=26")

    assert look(browser, (PHONE, SCREEN), name="-letters-200") == []

    browser.close()


def test_the_payments_of_a_settlement_are_printed(chromium, address, anna, played):
    phone = open_phone(chromium, address, anna)
    page = phone.new_page()
    visit(page, f"{played}/settlement")
    page.emulate_media(media="print")
    printed_words = " ".join(page.locator("main").inner_text().split())
    phone.close()

    assert "Dieter zahlt Claire 2,45" in printed_words
    assert "Als Text" not in printed_words


@pytest.mark.parametrize("size", [NARROW, PHONE], ids=["narrow", "phone"])
@pytest.mark.parametrize("players", [4, 6])
def test_long_amounts_stay_in_their_columns(chromium, address, anna, size, players):
    game = anna.begin(name=list(SIX[:players]), unit="ct", point_value="5")
    for _ in range(2):
        held = {f"hand__{seat}": "140" for seat in range(1, players)}
        anna.enter(game, 0, **held)
    phone = open_phone(chromium, address, anna, viewport=size, locale="fr")
    page = phone.new_page()
    visit(page, f"{game}/settlement")
    unfold(page)
    wide = page.evaluate(WIDE, ".pairs td b")
    amounts = page.locator(".pairs .money b").all_inner_texts()
    phone.close()

    assert max(map(len, amounts)) > 5
    assert not wide


@pytest.mark.parametrize("size", [NARROW, PHONE], ids=["narrow", "phone"])
def test_long_names_stay_inside_the_frame_of_the_chart(chromium, address, anna, size):
    game = anna.begin(name=["Anna-Katharina", "Wilhelmine", "Maximilian"])
    for _ in range(2):
        anna.enter(game, 0, hand__1="20", hand__2="90")
    phone = open_phone(chromium, address, anna, viewport=size)
    page = phone.new_page()
    visit(page, game)
    unfold(page)
    outside = page.evaluate(OUTSIDE)
    names = page.locator(".chart text:not(.axis):visible").all_text_contents()
    phone.close()

    assert names == ["Anna-Kath\u2026", "Wilhelmine", "Maximilian"]
    assert outside == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_of_a_group_fit_a_narrow_phone(chromium, address, anna, stammtisch, language):
    evening(anna, stammtisch, 0, 33, 60, 167, unit="ct", point_value="5")
    phone = open_phone(chromium, address, anna, viewport=NARROW, locale=language)
    page = phone.new_page()
    found = {}
    for path in ("", "/statistics", "/season"):
        visit(page, stammtisch + path)
        found[path] = page.evaluate(BROAD)
    presence = page.locator(".standings small span").all()
    heights = {one.bounding_box()["height"] for one in presence}
    visit(page, f"{stammtisch}/m/0")
    below = page.evaluate(BELOW)
    phone.close()

    assert found == {"": [], "/statistics": [], "/season": []}
    assert len(presence) == 8 and max(heights) < 24  # "3 evenings," and "40 rounds" do not break
    assert below == []


def test_signed_points_stay_in_their_columns(chromium, address, anna):
    game = anna.begin(preset="knock-rummy", name=list(SIX[:4]))
    held = {f"hand__{seat}": "20" for seat in range(1, 4)}

    assert anna.send(f"{game}/round", knocker="0", hand__0="5", do="save", **held).location

    phone = open_phone(chromium, address, anna, locale="fr")
    page = phone.new_page()
    visit(page, game)
    points = page.locator(".pad td b").all_inner_texts()
    wide = page.evaluate(WIDE, ".pad td b, .pad .total")
    phone.close()

    assert points == ["+45", "\u221215", "\u221215", "\u221215"]
    assert not wide


def test_on_a_narrow_phone_no_mark_touches_what_is_near_it(chromium, address, anna, played):
    phone = open_phone(chromium, address, anna, viewport=NARROW)
    page = phone.new_page()
    knock = anna.begin(preset="knock-rummy", name=list(SIX[:3]))
    held = {"hand__0": "8", "hand__1": "22", "hand__2": "31"}
    held |= {f"way__{seat}": "points" for seat in range(3)}  # not that of the last evening
    assert anna.send(f"{knock}/round", knocker="0", do="save", **held).status_code == 303
    corrected = {**held, "hand__1": "29"}
    assert anna.send(f"{knock}/round/1/correct", do="save", **corrected).status_code == 303
    visit(page, knock)
    mark, was = boxes(page, ".pad em:not(.was)", ".pad em.was")
    assert mark["height"] and mark["bottom"] <= was["y"]
    for path in (played, f"{played}/tv"):
        visit(page, path)
        page.locator(".pad em", has_text="Rommé").first.wait_for()
        assert page.evaluate(TOUCHED) == []
    phone.close()


def test_no_command_line_is_shown_to_people_at_the_table(chromium, address, anna, game):
    phone = open_phone(chromium, address, anna)
    page = phone.new_page()
    visit(page, f"{game}/share")

    assert page.get_by_text("Nur auf diesem Gerät:").is_visible()
    assert "--" not in page.locator("main").inner_text()
    phone.close()
