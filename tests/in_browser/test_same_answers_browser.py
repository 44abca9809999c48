"""The Python of a browser gives the same answers as the one of a server (N2)."""

import base64
import math
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random

import pytest

from bars import tried, tries, trying
from browsers import Pocket
from scorekeeper.in_browser.bridge import Bridge
from scorekeeper.in_browser.edition import Edition
from scorekeeper.services.copies import copy_lines, read_copy, take_copy
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.store import Ledger, open_ledger
from tools.in_browser.driving import PATIENCE_MS

GROUP = 12
"""The evenings of a group."""
SHOWN = ("", "/settlement", "/history", "/rules", "/print", "/sheet.pdf", "/export.csv")
FRESH = re.compile(r'name="(key|csrf_token)" value="[^"]*"|data-tag="[^"]*"')
"""What is drawn anew each time."""
READ = """async (address) => {
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
}"""


@pytest.fixture
def outside(pocket: Pocket, tmp_path: Path) -> Iterator[Bridge]:
    """The same edition in the Python of this machine."""
    zone = pocket.shell.tab.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    root = f"{pocket.host.address}app"
    bridge = Edition(root, zone).open(str(tmp_path / "outside.sqlite"))
    yield bridge
    bridge.app.extensions["ledger"].close()


def played(dice: Random, evenings: int, file: Path) -> Ledger:
    """Return random evenings of a group, some by points and some by cards."""
    ledger = open_ledger(file)
    until = date(2026, 2, 1)
    make(
        ledger, DemoSettings(evenings=evenings, members=4, seed=dice.randrange(10**6), until=until)
    )
    return ledger


@pytest.mark.bar("N2")
def test_pages_tables_and_paper_are_the_same(
    pocket: Pocket, outside: Bridge, tmp_path: Path
) -> None:
    left = tries("N2")
    for number, dice in enumerate(trying("N2", math.ceil(left / GROUP))):
        evenings = min(GROUP, left)
        ledger = played(dice, evenings, tmp_path / f"played-{number}.sqlite")
        copy = tmp_path / "copy.jsonl"
        copy.write_text("".join(copy_lines(ledger)), encoding="utf-8")
        take_in(pocket, copy)
        take_copy(outside.app.extensions["ledger"], read_copy(copy.read_bytes()))
        for game in ledger.games():
            assert_same(pocket, outside, f"{pocket.host.address}app/g/{game}")
        ledger.close()
        left -= evenings
        tried(evenings - 1)


def take_in(pocket: Pocket, copy: Path) -> None:
    pocket.page.goto("/copies")
    pocket.page.locator("input[type=file]").set_input_files(copy)
    pocket.page.get_by_role("button", name="Open").tap()
    pocket.page.get_by_text("1 new one").wait_for(timeout=PATIENCE_MS)


def assert_same(pocket: Pocket, outside: Bridge, board: str) -> None:
    for path in SHOWN:
        address = f"{board}{path}"
        inside = base64.b64decode(pocket.page.evaluate(READ, address))
        answer = outside.answer("GET", address, [("accept-language", "en")])

        assert same(inside) == same(answer.body), address


def same(body: bytes) -> bytes:
    """Return a page without what is drawn anew each time; paper as it is."""
    return body if body.startswith(b"%PDF") else FRESH.sub("", body.decode()).encode()
