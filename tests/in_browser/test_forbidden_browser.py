"""Without a server, in a browser that lets no site store anything."""

import json
import zlib
from base64 import urlsafe_b64encode

from tools.in_browser.driving import Host, Shell

HEADS = [["Anna", "0", "1st", True, ""], ["Bernd", "10", "2nd", False, ""]]
ROWS = [[1, False, [["0", "0", ""], ["10", "10", ""]], []]]
UNDER = ["2", "Bernd deals", "Anna begins"]
DATED = [1, "abc", 3, "en", "2026-05-01T20:00:00Z"]
EVENING = [*DATED, "Friday", "Rommé", HEADS, ROWS, UNDER, []]


def in_link(evening: list[object]) -> str:
    """Return an evening as links hold it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(evening).encode()) + packer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(self, name, { get() { throw new DOMException("", "SecurityError"); } });
StorageManager.prototype.getDirectory = async () => { throw new DOMException(); };
"""
"""What browsers do that let no site store anything."""


def test_a_browser_that_may_store_nothing_says_so_and_shows_evenings(chromium, host: Host) -> None:
    phone = chromium.new_context(locale="en-GB")
    phone.add_init_script(FORBIDDEN)
    shell = Shell(phone, host).open()
    shell.tab.locator("#trouble").wait_for()

    assert "keeps nothing" in shell.tab.locator("#trouble").inner_text()

    shell.tab.locator("#language").select_option("fr")

    assert shell.tab.evaluate("document.documentElement.lang") == "fr"

    shell.tab.goto(f"{host.address}#e={in_link(EVENING)}")
    shell.tab.get_by_role("heading", name="Friday").wait_for()
    phone.close()
