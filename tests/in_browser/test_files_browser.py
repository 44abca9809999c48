"""Every file that the edition makes can be opened, sent and saved, without a network."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Download, Page
from pypdf import PdfReader

from browsers import Pocket
from in_browser.test_evening_browser import play
from patience import wait_until
from tools.in_browser.driving import Pane

SENDS = """Object.defineProperties(navigator, {
    canShare: { value: () => true, configurable: true },
    share: {
        value: async ({ files, text }) => {
            const parts = files?.map(async (file) => [file.name, file.type, (await file.arrayBuffer()).byteLength]);
            self.sent = [text, ...(await Promise.all(parts ?? []))];
        },
        configurable: true,
    },
});"""  # noqa: E501
"""Stands in for the menu of a phone, which this browser lacks."""


class Paper(NamedTuple):
    """A file that a page leads to."""

    page: str
    """Where its link or button is; ``{game}`` and ``{group}`` are addresses."""
    link: str
    kind: bytes
    """How it begins."""
    can_open: bool = True


PAPERS = [
    Paper("{game}", "a[href$='/sheet.pdf']", b"%PDF"),
    Paper("{game}/more", "a[href*='size=A5']", b"%PDF"),
    Paper("{game}/more", "a[href*='details=']", b"%PDF"),
    Paper("{game}/end", "a[href$='/sheet.pdf']", b"%PDF"),
    Paper("{game}/settlement", "a[href$='/settlement.pdf']", b"%PDF"),
    Paper("{game}/rules", "a[href*='rules-card.pdf']", b"%PDF"),
    Paper("{game}/snapshot", "a[href$='/file']", b'{"'),
    Paper("/pads", "form.whole .btn.main", b"%PDF"),
    Paper("/pads", "form.whole [formaction]", b"%PDF"),
    Paper("/new", "button[value=card]", b"%PDF"),
    Paper("{group}/season", "a[href*='season.pdf']", b"%PDF"),
    Paper("{group}/season", "a[href*='season.csv']", b"\xef\xbb\xbf", can_open=False),
    Paper("{group}/in", "a[href*='export.json']", b"{"),
    Paper("{group}/in", "a[href*='table=totals']", b"\xef\xbb\xbf", can_open=False),
    Paper("/copies", "a[href$='/copies/file']", b'{"format', can_open=False),
]


@pytest.fixture(scope="module")
def table(_running_edition: Pocket) -> Iterator[dict[str, str]]:
    """A group with an evening that is over, and no network."""
    pocket = _running_edition
    page = pocket.page
    page.goto("/groups/new")
    page.locator("[name=name]").fill("Freitag")
    for seat, name in enumerate(("Anna", "Bernd", "Claire", "Dieter")):
        page.locator("[name=member]").nth(seat).fill(name)
    page.locator("button[value=found]").tap()
    page.wait_for_url(re.compile(r"/s/\w+$"))
    group = page.url
    page.goto(f"{group}/new?preset=german-family")
    page.locator(".foot button").tap()
    page.wait_for_url(re.compile(r"/g/\w+$"))
    game = page.url
    play(pocket, game, 12, 30)
    page.goto(f"{game}/more")
    page.locator("form[action$='/end'] button").first.tap()
    page.wait_for_url(re.compile("/end$"))
    pocket.host.stop()
    yield {"game": game, "group": group}
    pocket.host.start()


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: f"{paper.page} {paper.link}")
def test_every_file_is_opened_sent_and_saved(
    running_edition: Pocket, table: dict[str, str], paper: Paper
) -> None:
    pocket = running_edition
    tab = pocket.shell.tab
    tab.evaluate(SENDS)
    pocket.page.goto(paper.page.format(**table))
    pocket.page.evaluate(
        "for (const fold of document.querySelectorAll('details')) fold.open = true"
    )
    for _ in range(2):  # a page stays as it was, and can be asked again
        pocket.page.locator(paper.link).first.tap()
        tab.locator("#paper").wait_for()
        name = tab.locator("#paper-name").inner_text()
        content = saved(pocket).path().read_bytes()

        assert content.startswith(paper.kind)
        tab.locator("#paper-share").tap()

        assert sent(tab)[1][::2] == [name, len(content)]
        assert tab.locator("#paper-open").is_visible() == paper.can_open
        tab.evaluate("self.sent = null")
        tab.get_by_role("button", name="Back").tap()
        pocket.page.locator(paper.link).first.wait_for()


def sent(page: Page | Pane) -> list[Any]:
    """Return the text and the file that the menu was given."""
    wait_until(lambda: page.evaluate("self.sent?.length === 2"), lambda: page.wait_for_timeout(50))
    return list(page.evaluate("self.sent"))


def saved(pocket: Pocket) -> Download:
    tab = pocket.shell.tab
    with tab.expect_download() as started:
        tab.locator("#paper-save").tap()
    assert started.value.suggested_filename == tab.locator("#paper-name").inner_text()
    return started.value


def test_a_file_is_opened_in_a_window_of_its_own(
    running_edition: Pocket, table: dict[str, str]
) -> None:
    pocket = running_edition
    pocket.page.goto(f"{table['game']}/snapshot")
    pocket.page.locator("a[href$='/file']").tap()
    tab = pocket.shell.tab
    tab.locator("#paper").wait_for()
    with pocket.phone.expect_page() as opened:
        tab.locator("#paper-open").tap()

    assert "Claire" in opened.value.locator("body").inner_text()
    opened.value.close()
    tab.get_by_role("button", name="Back").tap()


def test_the_result_is_sent_with_its_picture(
    running_edition: Pocket, table: dict[str, str]
) -> None:
    pocket = running_edition
    pocket.page.goto(f"{table['game']}/end")
    pocket.page.evaluate(SENDS)
    pocket.page.locator("[data-send]").tap()
    words, (name, kind, _) = sent(pocket.page)

    assert "Anna" in words
    assert (name.rpartition(".")[2], kind) == ("png", "image/png")


def test_without_a_menu_to_send_the_result_is_copied_and_its_picture_saved(
    running_edition: Pocket, table: dict[str, str]
) -> None:
    pocket = running_edition
    pocket.phone.grant_permissions(["clipboard-read", "clipboard-write", "screen-wake-lock"])
    pocket.page.goto(f"{table['game']}/end")
    with pocket.shell.tab.expect_download() as picture:
        pocket.page.locator("[data-send]").tap()
    pocket.page.locator("#sent").wait_for()

    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    assert "Anna" in pocket.page.evaluate("navigator.clipboard.readText()")


def test_the_link_of_the_board_is_copied(running_edition: Pocket, table: dict[str, str]) -> None:
    pocket = running_edition
    pocket.phone.grant_permissions(["clipboard-read", "clipboard-write", "screen-wake-lock"])
    pocket.page.goto(f"{table['game']}/snapshot")
    button = pocket.page.locator("[data-copy]")
    link = button.get_attribute("data-copy")
    button.tap()
    pocket.page.get_by_text(button.get_attribute("data-done") or "").wait_for()

    assert pocket.page.evaluate("navigator.clipboard.readText()") == link


def test_a_page_is_printed_to_its_end(running_edition: Pocket, table: dict[str, str]) -> None:
    pocket = running_edition
    pocket.page.goto(f"{table['game']}/rules")
    last = pocket.page.locator("h2").last.inner_text()
    printed = PdfReader(BytesIO(pocket.shell.tab.pdf()))

    assert len(printed.pages) > 1
    assert last in "\n".join(one.extract_text() for one in printed.pages)
