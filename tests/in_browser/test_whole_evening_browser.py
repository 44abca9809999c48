"""An evening on a slow phone without a network, killed in the middle, found on a server (N3)."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Download, Playwright

from bars import noted
from browsers import Pocket
from commands import run
from scorekeeper.services.copies import copy_lines
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.store import open_ledger
from tools.in_browser.driving import PATIENCE_MS, Host, Killable, Shell
from web.pages.phone import SIX, TALL

SLOWER = 4
READ = "async (address) => (await fetch(address)).text()"
TAKE = """async ([file, copies]) => {
    const body = new FormData();
    body.append("file", await (await fetch(file)).blob(), "copy.jsonl");
    return (await fetch(copies, { method: "POST", body })).text();
}"""
BEFORE, AFTER = (12, 35, 7, 20), (9, 41, 15, 3)
"""Points of rounds in which Anna goes out and all others hold the same."""


class Slow(Pocket):
    """A phone that can be killed; the profile of its browser stays."""

    def __init__(self, driver: Playwright, host: Host, profile: Path) -> None:
        profile.mkdir(exist_ok=True)
        self.browser = Killable(driver, profile)
        self.phone, self.host, self.presses = self.browser.phone, host, 0

    def turn_on(self) -> None:
        self.shell = Shell(self.phone, self.host)
        self.resize(TALL)
        self.shell.open()
        self.complaints = self.shell.complaints
        self.page = self.shell.ready()

    def press(self, selector: str) -> None:
        """Click: only a context of its own, which would keep nothing, can be tapped."""
        self.page.locator(selector).click()

    def go(self, path: str) -> None:
        self.page.goto(path)

    def file(self, path: str) -> Download:
        """Press a link to a file, and save what is offered."""
        self.page.locator(f"a[href*='{path}']").first.click()
        tab = self.shell.tab
        tab.locator("#paper-save").wait_for(timeout=PATIENCE_MS)
        with tab.expect_download() as saved:
            tab.locator("#paper-save").click()
        tab.get_by_role("button", name="Back").click()
        return saved.value

    def play(self, board: str, enter: Callable[[], None], path: str = "round") -> float:
        """Enter a round; return the seconds from pressing "Save" to the new board."""
        self.go(f"{board}/{path}")
        self.page.locator("form.fast").wait_for()
        enter()
        self.page.locator("#save:enabled").wait_for()
        began = time.perf_counter()
        self.save()
        self.saved()
        return time.perf_counter() - began


@contextmanager
def slow(driver: Playwright, host: Host, profile: Path, times: int = SLOWER) -> Iterator[Slow]:
    phone = Slow(driver, host, profile)
    try:
        with phone.browser.slowed(times):
            yield phone
    finally:
        phone.browser.kill()


def begin_for_money(phone: Slow) -> str:
    page = phone.page
    phone.go("/new?preset=german-family")
    for seat, name in enumerate(SIX[:4]):
        page.locator("[name=name]").nth(seat).fill(name)
    page.locator("[name=money] + i").click()
    page.locator("[name=point_value]").fill("1")
    page.locator(".foot button").click()
    page.wait_for_url(re.compile(r"/g/\w+$"))
    return str(page.url)


def by_cards(phone: Slow) -> None:
    phone.ends(1)
    for seat, cards in ((0, ("KH", "9S")), (2, ("2C",)), (3, ("AD", "10D"))):
        phone.press(f"#cell-{seat}")
        phone.way(seat, "cards")
        phone.cards(*cards)


def hand_romme(phone: Slow) -> None:
    phone.press("label[for=ender-2]")
    phone.press("label.switch:has([name=hand_romme])")
    for seat in (0, 1, 3):
        phone.press(f"#cell-{seat}")
        phone.way(seat, "points")
        phone.digits(10)


def correct(phone: Slow) -> None:
    phone.press("#cell-3")
    phone.digits(50)


def earlier_evenings(phone: Slow, count: int, folder: Path) -> None:
    """Take in a copy of a group with so many evenings."""
    ledger = open_ledger(folder / "earlier.sqlite")
    make(ledger, DemoSettings(evenings=count, members=6, seed=1, until=date(2026, 2, 1)))
    copy = phone.host.site / "earlier.jsonl"
    copy.write_text("".join(copy_lines(ledger)), encoding="utf-8")
    ledger.close()
    phone.turn_on()
    files = [f"{phone.host.address}{copy.name}", f"{phone.host.address}app/copies"]
    assert "1 new one" in phone.page.evaluate(TAKE, files)


@pytest.mark.bar("N3")
@pytest.mark.parametrize("kept", [0, 1000])
def test_an_evening_on_a_slow_phone_ends_on_a_server(
    driver: Playwright, host: Host, tmp_path: Path, kept: int
) -> None:
    profile, copy, took = tmp_path / "phone", tmp_path / "copy.jsonl", {}
    if kept:
        with slow(driver, host, profile, 1) as phone:
            earlier_evenings(phone, kept, tmp_path)
    with slow(driver, host, profile) as phone:
        began = time.perf_counter()
        phone.turn_on()
        took["first start"] = time.perf_counter() - began
        host.stop()  # what follows needs no network
        board = begin_for_money(phone)
        for points in BEFORE:
            phone.play(board, lambda points=points: phone.quick_round(points))
        phone.play(board, lambda: by_cards(phone))
        phone.go(f"{board}/round")
        phone.page.locator("form.fast").wait_for()
        phone.ends(3)
        phone.browser.kill()  # with a round half entered

    with slow(driver, host, profile) as phone:
        began = time.perf_counter()
        phone.turn_on()
        took["next start"] = time.perf_counter() - began
        phone.go(board)
        assert phone.page.locator("#pad tbody .nr").count() >= 5
        saved = [phone.play(board, lambda: hand_romme(phone))]
        for points in AFTER:
            saved.append(phone.play(board, lambda points=points: phone.quick_round(points)))
        took["a round"] = sorted(saved)[len(saved) // 2]
        phone.play(board, lambda: correct(phone), "round/1/correct")
        totals = phone.totals()
        link = board_link(phone, board, host)
        amounts = settled(phone, board)
        paper = phone.file("sheet.pdf")
        written = json.loads(phone.page.evaluate(READ, f"{board}/file"))
        began = time.perf_counter()
        phone.go("/copies")
        phone.file("copies/file").save_as(copy)
        took["a copy"] = time.perf_counter() - began

        assert [len(amounts), len(totals)] == [4, 4]
        assert paper.path().read_bytes().startswith(b"%PDF")
    host.start()
    assert on_a_server(copy, tmp_path / "server.sqlite", written["id"]) == written
    assert seen_elsewhere(driver, host, tmp_path / "other", link) == totals
    noted(f"{kept:,} evenings: " + ", ".join(f"{what} {s:.1f} s" for what, s in took.items()))


def board_link(phone: Slow, board: str, host: Host) -> str:
    """Return the link in the code with which others see the board."""
    phone.go(f"{board}/snapshot")
    assert phone.page.locator("svg.qr").count() == 1
    link = phone.page.locator("[data-copy]").get_attribute("data-copy")
    assert link and link.startswith(f"{host.address}#e=")
    return str(link)


def settled(phone: Slow, board: str) -> list[str]:
    """End the evening; return what everybody gets or pays."""
    phone.go(f"{board}/more")
    phone.page.locator("form[action$='/end'] button").first.click()
    phone.page.wait_for_url(re.compile("/end$"))
    phone.go(f"{board}/settlement")
    return list(phone.page.locator(".money b").all_inner_texts())


def seen_elsewhere(driver: Playwright, host: Host, profile: Path, link: str) -> list[str]:
    """Return the totals that another phone sees by a link; it loads no Python for them."""
    with slow(driver, host, profile) as other:
        host.asked.clear()
        tab = Shell(other.phone, host).tab
        tab.goto(link)
        tab.locator(".pad").wait_for(timeout=PATIENCE_MS)
        assert not any(name.endswith(".bin") for name in host.asked)
        return list(tab.locator(".pad .total").all_inner_texts())


def on_a_server(copy: Path, data: Path, game_id: str) -> dict[str, Any]:
    """Take in a copy on a server; return a game as the server exports it."""
    assert run("import", copy, "--data", data).exit_code == 0
    ledger = open_ledger(data)
    game = ledger.export(game_id)
    ledger.close()
    return game
