"""The Python of a browser gives the same answers as the one of a server, down to the bytes."""

import base64
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from browsers import Pocket
from scorekeeper.in_browser.bridge import Bridge
from scorekeeper.in_browser.edition import Edition
from scorekeeper.services.copies import copy_lines, read_copy, take_copy
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.store import Ledger, open_ledger

EVENINGS = 12
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
def played(tmp_path: Path) -> Iterator[Ledger]:
    """Random evenings of a group, some by points and some by cards."""
    ledger = open_ledger(tmp_path / "played.sqlite")
    until = date(2026, 2, 1)
    make(ledger, DemoSettings(evenings=EVENINGS, members=4, seed=11, until=until))
    yield ledger
    ledger.close()


@pytest.fixture
def outside(pocket: Pocket, played: Ledger, tmp_path: Path) -> Iterator[Bridge]:
    """The same edition in the Python of this machine, with the same evenings."""
    zone = pocket.shell.tab.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    root = f"{pocket.host.address}app"
    bridge = Edition(root, zone, "en").open(str(tmp_path / "outside.sqlite"))
    take_copy(bridge.app.extensions["ledger"], read_copy(copy_of(played)))
    yield bridge
    bridge.app.extensions["ledger"].close()


def copy_of(ledger: Ledger) -> bytes:
    return "".join(copy_lines(ledger)).encode()


def test_pages_tables_and_paper_are_the_same(
    pocket: Pocket, outside: Bridge, played: Ledger, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(copy_of(played))
    pocket.page.goto("/copies")
    pocket.page.locator("input[type=file]").set_input_files(copy)
    pocket.page.get_by_role("button", name="Open").tap()
    pocket.page.get_by_text("1 new one").wait_for(timeout=120_000)
    root = f"{pocket.host.address}app"
    for game in played.games():
        for path in SHOWN:
            address = f"{root}/g/{game}{path}"
            inside = base64.b64decode(pocket.page.evaluate(READ, address))
            answer = outside.answer("GET", address, [("accept-language", "en")])

            assert same(inside) == same(answer.body), (game, path)


def same(body: bytes) -> bytes:
    """Return a page without what is drawn anew each time; paper as it is."""
    return body if body.startswith(b"%PDF") else FRESH.sub("", body.decode()).encode()
