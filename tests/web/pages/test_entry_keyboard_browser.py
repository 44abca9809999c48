"""Entering rounds with a keyboard, in a browser."""

MELDED = """(field, cards) => new Promise((judged) => {
    field.form.addEventListener("judged", judged, { once: true });
    setTimeout(judged, 20000);
    field.value = cards;
    field.dispatchEvent(new Event("input", { bubbles: true }));
})"""
"""Write melds into their field, and wait at most 20 s until the page shows the server's answer."""


def test_keys_and_keyboard_write_into_the_same_field(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.page.locator("[name=hand-1]").fill("10+15")
    thumb.press("[data-digit='+']")
    thumb.digits(8)
    thumb.page.locator("#working-1 output").get_by_text("33").wait_for()

    assert thumb.held(1) == "10+15+8"

    thumb.way(1, "ranks")
    thumb.page.locator("[name=hand-1]").fill("k 9")
    thumb.ranks("JK")

    assert thumb.held(1) == "k 9 JK"
    assert thumb.page.locator(".current .chips button").count() == 3

    thumb.way(1, "points")

    assert thumb.held(1) == "10+15+8"


def test_a_lay_off_can_be_entered_with_the_keyboard(thumb):
    thumb.open(thumb.begin())
    thumb.quick_round(12)
    press = thumb.page.keyboard.press
    thumb.page.locator("[name=melds-1]").evaluate(MELDED, "7H 8H 9H")
    thumb.page.locator("#onto [data-onto]").wait_for(state="attached")
    thumb.press("#cell-2")
    thumb.way(2, "cards")
    thumb.page.get_by_role("button", name="Laid off").focus()
    press("Enter")
    thumb.page.locator("[data-pad=cards] [data-key='10H']").focus()
    press("Enter")
    focused = thumb.page.evaluate("document.activeElement.dataset.onto")

    assert focused == "2.1"

    press("Enter")

    assert thumb.page.locator("[name=layoffs-2]").input_value() == "10H 2.1"
    assert thumb.page.evaluate("document.activeElement.dataset.key") == "10H"


def test_the_focus_stays_on_a_button_when_the_answer_arrives(thumb):
    thumb.open(thumb.begin())
    thumb.quick_round(12)
    thumb.press("#cell-1")
    thumb.way(1, "cards")
    thumb.page.locator("[name=hand-1]").evaluate(MELDED, "KD 9S")
    for row in (".targets", ".chips"):
        button = thumb.page.locator(f".current {row} button").last
        button.focus()
        thumb.page.evaluate("document.forms[0].dispatchEvent(new Event('judged'))")

        assert button.evaluate("one => one === document.activeElement")


def test_a_round_is_typed_on_a_keyboard_without_a_tab(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.page.locator("label[for=ender-0]").click()
    for typed in ("12", "35", "60"):
        thumb.page.keyboard.type(typed)
        thumb.page.keyboard.press("Enter")
    thumb.saved()

    assert thumb.page.locator(".pad .total").all_inner_texts() == ["0", "12", "35", "60"]


def test_enter_moves_the_focus_to_the_next_field(thumb):
    thumb.open(thumb.begin())
    focused = "document.activeElement.name ?? document.activeElement.tagName"
    thumb.page.locator("#ender-3").focus()
    thumb.page.keyboard.press("ArrowRight")  # round the table: Anna
    thumb.page.keyboard.type("12")

    assert thumb.page.evaluate(focused) == "hand-1"

    thumb.page.keyboard.press("Enter")

    assert thumb.page.evaluate(focused) == "hand-2"

    thumb.page.locator("#next").focus()
    thumb.page.keyboard.press("Enter")

    assert thumb.page.evaluate(focused) == "hand-3"


def test_enter_saves_nothing_that_is_incomplete(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.page.locator("label[for=ender-0]").click()
    thumb.page.keyboard.type("12")
    for _ in range(2):
        thumb.page.keyboard.press("Enter")
    thumb.page.locator("#cell-3[aria-current]").wait_for()
    thumb.page.keyboard.type("7")
    thumb.page.keyboard.press("Enter")
    thumb.page.locator("#cell-2[aria-current]").wait_for()
    thumb.page.keyboard.press("Enter")
    thumb.page.get_by_text("Missing: Claire.").wait_for()
    thumb.page.wait_for_timeout(300)

    assert table.rounds(board) == 0


def test_every_key_works_from_the_keyboard(thumb):
    thumb.open(thumb.begin())
    press = thumb.page.keyboard.press
    thumb.page.locator("#ender-3").focus()
    press("ArrowRight")  # round the table: Anna
    thumb.page.locator("form.asks-way").wait_for()
    thumb.page.locator("#way-1-points").focus()
    press("Space")
    thumb.page.locator(".digits [data-digit='4']").focus()
    press("Enter")
    press("Tab")
    press("Space")
    outline = thumb.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")

    assert thumb.held(1) == "45"
    assert outline == "solid"

    thumb.page.locator("[name=hand-1]").focus()
    press("Enter")

    assert thumb.page.locator("#cell-2").get_attribute("aria-current") == "true"


# ---- numbers wait for "next" -------------------------------------------------------------


def current(thumb) -> str | None:
    return thumb.page.locator("#line [aria-current]").get_attribute("id")


def test_back_and_plus_change_a_number_until_next_is_pressed(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.digits(35)
    thumb.press(".digits [data-tool=back]")

    assert (current(thumb), thumb.held(1)) == ("cell-1", "3")

    thumb.digits(6)
    thumb.press(".digits [data-digit='+']")
    thumb.digits(20)

    assert (current(thumb), thumb.held(1)) == ("cell-1", "36+20")

    thumb.next()

    assert (current(thumb), thumb.held(2)) == ("cell-2", "")


def test_next_pressed_once_too_often_skips_nobody(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.digits(35)
    thumb.next()
    thumb.next()

    assert (current(thumb), thumb.held(2)) == ("cell-3", "")

    thumb.digits(8)
    thumb.next()

    assert current(thumb) == "cell-2"

    thumb.digits(7)
    thumb.page.locator("#save:enabled").wait_for()

    assert thumb.page.locator("#next").is_hidden()
