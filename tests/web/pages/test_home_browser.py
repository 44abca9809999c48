"""A new evening as a person begins it, in a real Chromium: taps, keys, refusals."""

import re
from urllib.parse import urlsplit

import pytest

from scorekeeper.i18n import LANGUAGES
from web.pages.phone import SMALL, TALL, Thumb
from web.pages.test_weight import fetched
from web.pages.walk import open_phone

MAX_HOME = 15_000


def type_names(thumb, *names: str) -> None:
    """Tap into the first name and type; Enter goes on to the next."""
    page = thumb.page
    page.locator("[name=name]").first.tap()
    for name in names:
        page.keyboard.type(name)
        page.keyboard.press("Enter")


def focused(page) -> str:
    return page.evaluate("document.activeElement.id || document.activeElement.name")


def in_sight(page, selector: str) -> bool:
    """Whether an element is seen: within the window, and nothing lies over it."""
    return page.evaluate(
        """(selector) => {
            const one = document.querySelector(selector), box = one.getBoundingClientRect();
            const points = [[box.left + 2, box.top + 2], [box.right - 2, box.bottom - 2]];
            return points.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
        }""",
        selector,
    )


def test_enter_goes_from_name_to_name_and_after_the_last_begins_the_game(thumb):
    thumb.page.goto("/new?preset=german-family")
    type_names(thumb, "Anna", "Bernd", "Claire")

    assert urlsplit(thumb.page.url).path == "/new"

    thumb.page.keyboard.type("Dieter")
    thumb.page.keyboard.press("Enter")
    thumb.page.wait_for_url(re.compile(r"/g/\w+$"))

    assert thumb.page.locator(".pad th .name").all_inner_texts() == [
        *("Anna", "Bernd", "Claire", "Dieter")
    ]


def test_enter_after_the_last_row_goes_to_the_button_while_a_name_is_missing(thumb):
    thumb.page.goto("/new?preset=german-family")
    type_names(thumb, "Anna", "Bernd", "Claire", "")

    assert urlsplit(thumb.page.url).path == "/new"
    assert thumb.page.evaluate("document.activeElement.value") == "start"


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_a_refusal_is_visible_and_focused(thumb):
    page = thumb.page
    page.goto("/new")
    page.locator("[name=money] + i").tap()
    page.locator("[name=point_value]").fill("0,,5")
    page.locator(".foot .main").tap()
    page.locator(".hop").wait_for()

    assert focused(page) == "message-1"
    assert in_sight(page, "#message-1")

    page.locator(".hop").tap()
    page.locator(".hop").tap()

    assert focused(page) == "message-2"
    assert in_sight(page, "#message-2")
    assert page.locator("[name=point_value]").input_value() == "0,,5"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_to_a_refusal_is_one_line(chromium, table, language):
    thumb = Thumb(chromium, table, SMALL, language=language)
    thumb.page.goto("/new")
    thumb.page.locator(".foot .main").tap()

    parts = [thumb.page.locator(f".hop {part}").bounding_box() for part in ("b", "u", "svg")]
    thumb.phone.close()

    assert len({round(box["y"] + box["height"] / 2) for box in parts}) == 1


def test_a_refusal_is_visible_without_scripts(chromium, table):
    phone = chromium.new_context(
        viewport={"width": TALL[0], "height": TALL[1]},
        base_url=f"http://127.0.0.1:{table.port}",
        java_script_enabled=False,
    )
    page = phone.new_page()
    page.goto("/new")
    page.locator("[name=name]").first.fill("Anna")
    page.locator(".foot .main").click()
    page.locator("#message-1:focus").wait_for()
    page.locator(".hop").click()

    assert page.url.endswith("#message-1")
    assert page.locator("[name=name]").first.input_value() == "Anna"
    phone.close()


def test_a_corrected_field_leaves_the_count_without_a_press(thumb):
    page = thumb.page
    page.goto("/new")
    page.locator("[name=money] + i").tap()
    page.locator("[name=point_value]").fill("0,,5")
    page.locator(".foot .main").tap()
    page.locator(".hop").wait_for()
    page.locator("[name=point_value]").fill("0,05 €")
    page.locator("[name=point_value]").blur()
    page.get_by_text("One thing to fix").wait_for()

    assert page.locator("[name=unit]").input_value() == "EUR"


def test_what_is_unfolded_stays_so_when_the_form_is_checked(thumb):
    page = thumb.page
    page.goto("/new")
    page.locator("[name=money] + i").tap()
    page.locator("[name=unit]").fill("ct")
    page.locator("#stake summary").tap()
    page.locator("#stake .hint", has_text="ct").wait_for()

    assert page.locator("[name=payable]").is_visible()


def test_a_tapped_system_is_chosen_and_folded_away(thumb):
    page = thumb.page
    page.goto("/new?preset=german-family")
    page.locator(".pick summary").tap()
    page.locator(".choice", has_text="Gin").first.tap()
    page.locator("#chosen", has_text="Gin").wait_for()

    assert page.locator(".pick[open]").count() == 0
    assert page.locator("[name=name]").count() == 2
    assert page.locator("#add").is_hidden()

    page.locator("label", has=page.locator("#teams-yes")).tap()
    page.locator("#name-3").wait_for()

    assert page.locator("#add").is_hidden()


def test_known_players_are_offered_under_the_name_that_is_typed(anywhere):
    thumb = anywhere
    thumb.begin("Claire", "Clemens", "Dora")
    page = thumb.page
    page.goto("/new")
    page.locator("[name=name]").first.and_(page.locator(":focus")).wait_for()
    page.keyboard.type("Anna")
    page.keyboard.press("Enter")
    page.keyboard.type("cl")
    offered = page.locator("#known button:visible")

    assert offered.all_inner_texts() == ["Claire", "Clemens"]
    assert page.locator("li:has(#name-1) + #known").is_visible()

    offered.nth(1).tap()

    assert page.locator("#name-1").input_value() == "Clemens"
    assert page.locator("#name-2").evaluate("one => one === document.activeElement")
    left = page.locator("#known button:visible").all_inner_texts()
    assert "Dora" in left and not {"Anna", "Clemens"} & {*left}


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_controls_of_a_name_appear_with_the_name(chromium, table, scripts):
    phone = chromium.new_context(
        viewport={"width": TALL[0], "height": TALL[1]},
        base_url=f"http://127.0.0.1:{table.port}",
        java_script_enabled=scripts,
    )
    page = phone.new_page()
    page.goto("/new?preset=german-family")
    crosses, arrows = page.locator(".drop"), page.locator(".up")

    assert crosses.first.is_hidden()

    page.locator("#name-0").fill("Anna")
    page.locator("#name-1").fill("Bernd")

    assert [one.is_visible() for one in crosses.all()] == [True, True, False, False]
    assert not any(one.is_visible() for one in arrows.all())
    assert page.locator("#dealer").is_hidden()

    page.locator("label[for=order]").click()

    assert [one.is_visible() for one in arrows.all()] == [True, True, False, False]
    assert page.locator("#dealer").is_visible()

    arrows.nth(1).click()
    page.wait_for_load_state()

    assert page.locator("#name-0").input_value() == "Bernd"
    assert arrows.first.is_visible()
    phone.close()


def test_a_searched_rule_stays_in_sight_while_it_is_changed(thumb):
    page = thumb.page
    page.goto("/new?preset=german-family")
    page.locator("#change-rules").tap()
    page.locator("#all-rules > summary").tap()
    find, rule = page.locator("#find-rule"), page.locator("[name='hand_romme.factor']")
    find.fill("HAND ROMME times")
    others = page.locator("#options .option:visible").filter(has_not=rule)

    assert rule.is_visible()
    assert others.count() == 0

    find.press("Enter")
    rule.select_option(rule.locator("option:not([selected])").first.get_attribute("value"))
    page.locator("#deviations li").wait_for()

    assert urlsplit(page.url).path == "/new"
    assert rule.is_visible()
    assert others.count() == 0

    find.fill("poker")

    assert page.get_by_text("No rule matches.").is_visible()


@pytest.mark.parametrize("known", [True, False], ids=["player", "stranger"])
def test_home_is_light(chromium, address, anna, game, known):
    sizes = fetched(chromium, address, anna if known else None, "/")

    assert sum(sizes.values()) < MAX_HOME


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_the_date_of_an_evening_fits_on_one_line(thumb):
    thumb.begin()
    heading = thumb.page.locator("h1")

    assert heading.evaluate(
        "one => one.getClientRects().length === 1 && one.scrollWidth <= one.clientWidth"
        " && one.clientHeight < 2 * parseFloat(getComputedStyle(one).fontSize)"
    )


INSTALL = """() => {
    const offer = new Event("beforeinstallprompt", { cancelable: true });
    offer.prompt = () => (window.prompted = true);
    dispatchEvent(offer);
}"""
LINES = """() => {
    const words = document.querySelector("#install b").firstChild;
    const range = document.createRange();
    range.setStart(words, words.data.lastIndexOf(" ") + 1);
    range.setEnd(words, words.length);
    return range.getClientRects().length;
}"""
"""The number of lines that the last word of the offer takes."""


@pytest.mark.parametrize("size", [TALL, SMALL], ids=["390x844", "320x640"])
def test_home_offers_to_be_put_on_the_home_screen(chromium, table, size):
    phone = Thumb(chromium, table, size, language="de-DE")
    phone.begin()
    phone.page.goto("/")

    assert phone.page.locator("#install").is_hidden()

    phone.page.evaluate(INSTALL)

    assert phone.page.evaluate(LINES) == 1

    phone.page.locator("#install-now").tap()

    assert phone.page.evaluate("window.prompted")

    phone.page.evaluate("dispatchEvent(new Event('appinstalled'))")

    assert phone.page.locator("#install").is_hidden()

    phone.phone.close()


def test_an_iphone_is_told_where_its_menu_adds_to_the_home_screen(thumb):
    thumb.phone.add_init_script("navigator.standalone = false")
    thumb.begin()
    thumb.page.goto("/")
    thumb.page.get_by_text("Tap Share, then Add to Home Screen.").wait_for()

    assert thumb.page.locator("#install-now").is_hidden()


def test_the_languages_are_on_one_line(chromium, address, anna, game):
    phone = open_phone(chromium, address, anna)
    page = phone.new_page()
    for path in ("/", "/status"):
        page.goto(path)
        for language in LANGUAGES:  # the current one is bold, and thus broader
            page.locator(f"button[lang={language}]").click()
            page.locator(f"html[lang={language}]").wait_for(state="attached")
            boxes = [one.bounding_box() for one in page.locator("button[name=lang]").all()]
            assert len({box["y"] for box in boxes}) == 1, (path, language)
    phone.close()
