"""Sharing the end of an evening from a phone."""

import pytest
from playwright.sync_api import expect

from scorekeeper.i18n import LANGUAGES
from scorekeeper.web.pages.end import size_of
from web.pages.phone import boxes
from web.pages.walk import NARROW, PHONE, known_as, open_phone, visit

SHARES = """
window.shared = [];
navigator.canShare = (parcel) => Boolean(parcel.files);
navigator.share = async (parcel) => { window.shared.push({
    text: parcel.text, files: (parcel.files ?? []).map((file) => [file.name, file.type]) }); };
"""
COPIES = """
Object.defineProperty(navigator, "share", { value: undefined });
Object.defineProperty(navigator, "canShare", { value: undefined });
Object.defineProperty(navigator, "clipboard", {
    value: { writeText: async (text) => { window.copied = text; } } });
"""
FRAMED = """
const refuse = () => Promise.reject(new DOMException("", "NotAllowedError"));
navigator.share = navigator.clipboard.writeText = refuse;
navigator.canShare = () => false;
addEventListener("copy", () => { window.copied = document.activeElement.value; });
"""
"""What a page may do in a frame of another one."""

NAMES = ("Emma", "Wanda", "Thomas", "Emmanuel", "Alexander", "Konstantin", "Anna-Magdalena")
LINES = """([name, size]) => {
    const text = document.createRange(), heading = document.querySelector(".winner h2");
    heading.className = size;
    heading.firstChild.textContent = name;
    text.selectNodeContents(heading.firstChild);
    return text.getClientRects().length;
}"""
"""The number of lines that the name of a winner takes."""


@pytest.fixture
def end(anna) -> str:
    game = anna.begin(unit="ct", point_value="1", title="Freitagsrunde")
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    anna.send(f"{game}/end", page=f"{game}/more")
    return f"{game}/end"


@pytest.fixture
def phone(chromium, address, anna):
    """A phone of the one who keeps the score; its script says what it can do."""
    opened = []

    def begin(script: str):
        phone = chromium.new_context(
            base_url=address, locale="de-DE", accept_downloads=True, bypass_csp=True
        )
        known_as(phone, address, anna)
        phone.add_init_script(script)
        opened.append(phone)
        return phone.new_page()

    yield begin
    for one in opened:
        one.close()


def test_one_press_shares_text_and_picture(phone, end):
    page = phone(SHARES)
    visit(page, end)
    page.get_by_role("link", name="Teilen").click()
    page.wait_for_function("() => window.shared.length")
    (shared,) = page.evaluate("window.shared")

    assert "Claire gewinnt." in shared["text"]
    assert [kind for _, kind in shared["files"]] == ["image/png"]


def test_without_sharing_the_text_is_copied_and_the_picture_downloaded(phone, end):
    page = phone(COPIES)
    visit(page, end)
    with page.expect_download() as started:
        page.get_by_role("link", name="Teilen").click()
    expect(page.get_by_text("Der Text ist kopiert")).to_be_in_viewport(ratio=1)

    assert started.value.suggested_filename.endswith(".png")
    assert "Claire gewinnt." in page.evaluate("window.copied")


def test_a_link_is_copied_in_a_frame_that_may_use_neither_menu_nor_clipboard(phone, end):
    page = phone(FRAMED)
    visit(page, end.replace("/end", "/share"))
    button = page.locator("[data-copy]").first
    link, done = (button.get_attribute(f"data-{name}") for name in ("copy", "done"))
    button.press("Enter")
    page.get_by_text(done).first.wait_for()

    assert page.evaluate("window.copied") == link
    expect(button).to_be_focused()
    assert page.locator("[data-share]").count()
    assert not page.locator("[data-share]:visible").count()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_winner_is_marked_within_a_narrow_column(chromium, address, anna, end, language):
    phone = open_phone(chromium, address, anna, viewport=NARROW, locale=language)
    page = phone.new_page()
    for path in ("", "/tv"):
        visit(page, end.removesuffix("/end") + path)
        mark, column = boxes(page, ".leads .place", "th.leads")

        assert column["x"] < mark["x"]
        assert mark["right"] < column["right"]

    phone.close()


@pytest.mark.parametrize("size", [NARROW, PHONE], ids=["narrow", "phone"])
def test_the_name_of_the_winner_does_not_break(chromium, address, anna, end, size):
    opened = open_phone(chromium, address, anna, viewport=size)
    page = opened.new_page()
    visit(page, end)
    lines = {name: page.evaluate(LINES, [name, size_of([name])]) for name in NAMES}
    opened.close()

    assert lines == dict.fromkeys(NAMES, 1)


def test_the_line_under_the_winner_does_not_move_with_reduced_motion(phone, end):
    page = phone("")
    page.emulate_media(reduced_motion="reduce")
    visit(page, end)

    assert page.evaluate("document.getAnimations().length") == 0


def test_an_account_is_entered_without_scripts(chromium, address, anna):
    game = anna.begin(unit="ct", point_value="1")
    anna.enter(game, 0, hand__1="10", hand__2="20", hand__3="30")
    anna.enter(game, 1, hand__0="10", hand__2="25", hand__3="8")
    anna.send(f"{game}/end", page=f"{game}/more")
    phone = open_phone(chromium, address, anna, java_script_enabled=False)
    page = phone.new_page()
    page.goto(f"{game}/end")
    for fold in ("Mit der Bank zahlen", "Claire zahlt Bernd"):
        page.locator("summary", has_text=fold).click()
    form = page.locator("form:visible", has=page.locator("[name=iban]"))
    form.locator("[name=holder]").fill("Bernd Muster")
    for typed, said in (("", "Eine IBAN beginnt"), ("LU29 0019 4006 4475 0000", "Prüfziffern 29")):
        form.locator("[name=iban]").fill(typed)
        form.get_by_role("button", name="Speichern").click()
        message = form.locator(".fault", has_text=said)
        expect(message).to_be_in_viewport()
        assert form.locator("[name=holder]").input_value() == "Bernd Muster"
        assert form.locator("[name=iban]").input_value() == typed
    form.locator("[name=iban]").fill("LU28 0019 4006 4475 0000")
    form.get_by_role("button", name="Speichern").click()

    account = "Claire liest den Code mit der Banking-App. An: Bernd Muster, LU28 … 0000"
    code = page.get_by_text(account).filter(visible=True)
    expect(code).to_be_in_viewport()

    phone.close()
