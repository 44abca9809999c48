"""A whole turn in Chromium: by tapping, by keyboard alone, and without scripts."""

import pytest

from web.pages.walk import NARROW, PHONE, open_phone, silent_page


@pytest.fixture
def game(anna) -> str:
    return anna.begin(preset="robber")


@pytest.fixture(params=[PHONE, NARROW], ids=["phone", "narrow"])
def page(chromium, address, anna, game, request):
    """The referee of a game; an error message of the browser fails the test."""
    phone = open_phone(chromium, address, anna, viewport=request.param, has_touch=True)
    with silent_page(phone) as opened:
        opened.goto(f"{game}/referee")
        yield opened


def is_open(page, step: str) -> None:
    page.locator(f"#step-{step}[open]").wait_for()


def press(page, name: str) -> None:
    page.locator("#keyboard button:visible", has_text=name).first.tap()


def drawn(page, field: str) -> list[str]:
    """Return the cards that a field shows, in words."""
    cards = page.locator(f":has(> label [name={field}]) > .drawn button").all()
    return [str(card.get_attribute("aria-label")).removesuffix(" entfernen") for card in cards]


def test_a_turn_can_be_entered_by_tapping(page):
    page.get_by_text("Bernd").tap()
    page.get_by_text("vom Ablagestapel").tap()
    press(page, "Karo 9")
    is_open(page, "melded")
    for card in ("Pik 5", "Pik 6", "Pik 7"):
        press(page, card)
    press(page, "Weiter")
    is_open(page, "laid_off")
    for card in ("Herz 8", "Herz 5", "Herz 6", "Herz 7"):
        press(page, card)
    assert page.locator("[name=laid_off_card_0]").input_value() == "H8"
    assert page.locator("[name=laid_off_on_0]").input_value() == "H5 H6 H7"
    assert drawn(page, "laid_off_on_0") == ["Herz 5", "Herz 6", "Herz 7"]
    press(page, "Weiter")
    is_open(page, "swapped")
    page.locator("#step-swapped label", has_text="keinen Joker").tap()
    is_open(page, "discarded")
    press(page, "Kreuz-König")

    page.locator("#ruling", has_text="muss im selben Zug gemeldet werden").wait_for()
    assert page.locator(".step details[open]").count() == 0  # the verdict has the room
    assert "Erlaubt wäre" in page.locator("#ruling").inner_text()
    assert page.locator("#answer-drawn .card").count() == 1
    assert "keinen Joker" in page.locator("#answer-swapped").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # an answer is changed by pressing its line: the nine was laid off after all
    page.locator("#step-laid_off summary").tap()
    page.locator(".move:nth-of-type(2) .drawn").first.tap()
    for card in ("Karo 9", "Karo 6", "Karo 7", "Karo 8"):
        press(page, card)
    page.locator("#ruling", has_text="Erlaubt.").wait_for()
    page.get_by_role("link", name="Nächster Zug").tap()
    is_open(page, "drawn")
    assert page.locator("#who-2").is_checked()


def test_a_turn_can_be_entered_with_the_keyboard_alone(page):
    page.locator("#drawn-stock").focus()
    page.keyboard.press("Space")
    is_open(page, "melded")
    for step in ("melded", "laid_off", "swapped"):
        page.locator(f"[name={step}_none]").focus()
        page.keyboard.press("Space")
    is_open(page, "discarded")
    page.locator("[name=discarded]").focus()
    page.keyboard.type("KrK")

    page.locator("#ruling", has_text="Erlaubt.").wait_for()


LIES_OPEN = """(at) => {
    const box = document.querySelector(at).getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(at);
}"""
"""Whether an element can be tapped at the current scroll position."""


def test_the_form_asks_which_of_two_equal_cards_was_discarded(chromium, address, anna):
    game = anna.begin(preset="german-family", **{"draw.no_immediate_return": "yes"})
    phone = open_phone(chromium, address, anna, viewport=NARROW, has_touch=True)
    page = phone.new_page()
    page.goto(
        f"{game}/referee?ask=turn&drawn=discard&drawn_card=7♣&melded_none=yes&swapped_none=yes"
    )
    page.locator("#step-discarded summary").tap()
    press(page, "Kreuz 7")
    page.locator("label[for=same-yes]").wait_for()
    assert page.evaluate(f"({LIES_OPEN})('label[for=same-yes]')")
    page.locator("label[for=same-yes]").tap()

    page.locator("#ruling", has_text="nicht gleich wieder dorthin").wait_for()
    phone.close()


def test_a_long_system_name_does_not_cut_off_the_title(chromium, address, anna):
    game = anna.begin(preset="german-family")
    phone = open_phone(chromium, address, anna)
    page = phone.new_page()
    page.goto(f"{game}/referee")
    assert page.locator("h1").evaluate("(at) => at.clientHeight") < 30
    page.set_viewport_size(NARROW)
    page.goto(f"{anna.begin(preset='luxembourg')}/referee")
    assert page.locator(".saved").evaluate("(at) => at.scrollWidth <= at.clientWidth")
    assert page.locator(".saved").evaluate("(at) => at.clientHeight") < 40  # two whole words
    phone.close()


def test_a_turn_can_be_entered_without_scripts(chromium, address, anna, game):
    phone = open_phone(chromium, address, anna, java_script_enabled=False)
    page = phone.new_page()
    page.goto(f"{game}/referee")
    page.get_by_text("nicht gezogen").click()
    page.get_by_role("button", name="Prüfen").click()

    assert "In diesem Zug wurde nicht gezogen." in page.locator("#ruling").inner_text()
    assert page.locator("#step-melded").get_attribute("open") is not None
    assert page.locator("#keyboard").is_hidden()
    page.locator("#step-discarded summary").click()
    page.locator("[name=discarded]").fill("KrK")
    page.get_by_role("button", name="Prüfen").click()
    assert page.locator("#answer-discarded .card").count() == 1
    phone.close()


def test_a_meld_during_play_is_refused_until_the_player_knocks(chromium, address, anna):  # R23
    anna.begin(preset="robber")
    phone = open_phone(chromium, address, anna, viewport=NARROW, has_touch=True)
    with silent_page(phone) as page:
        page.goto(f"{address}/referee?ask=turn&preset=gin-palast")
        page.get_by_text("vom Talon").tap()
        is_open(page, "ended")
        page.get_by_text("nicht geklopft").tap()
        is_open(page, "melded")
        for card in ("Herz 7", "Karo 7", "Pik 7"):
            press(page, card)
        page.locator("#ruling", has_text="erst wer klopft, legt sie hin").wait_for()

        page.locator("#step-ended summary").tap()
        page.locator("label[for=ended-knock]").tap()
        page.locator("#ruling", has_text="Bis hierher erlaubt").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_hand_romme_is_allowed_once_no_card_is_left(page):  # R21
    page.get_by_text("vom Talon").tap()
    is_open(page, "melded")
    page.locator("[name=first]").tap()
    page.locator("[name=melded]").fill("P5 P6 P7")
    press(page, "Weiter")
    for step in ("laid_off", "swapped"):
        is_open(page, step)
        page.locator(f"[name={step}_none]").tap()
    is_open(page, "discarded")
    page.locator("#ruling", has_text="als Handrommé").wait_for()
    page.locator("[name=hand_left]").fill("0")
    page.locator("#ruling", has_text="Bis hierher erlaubt").wait_for()
    press(page, "Kreuz-König")

    page.locator("#ruling", has_text="Erlaubt.").wait_for()
