"""Every page looked at: small, large, with letters twice as large.

Nothing may leave the screen sideways, be cut off or lie over something else, and everything
to press is as large as a finger. A page with a flaw is to be seen in build/screens; all of
them, by light and in the dark, after ``make screens``.
"""

import os
import shutil
from pathlib import Path

import pytest

from web.pages.walk import NARROW, PHONE, PICTURES, SCREEN, addresses, open_phone, unfold, visit

FINGER = 48
UNSTUCK = ".foot, .line { position: static !important; }"
"""A picture of a whole page shows its foot at its foot."""

FLAWS = Path(__file__).with_name("flaws.js").read_text(encoding="utf-8")


ALL = "SCREENS" in os.environ
"""Whether pictures are taken of all pages: that takes twice as long as everything else."""


SCHEMES = ("light", "dark")


def pictured(page, name: str, what: str) -> None:
    """Take pictures of a page."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        picture = PICTURES / f"{name}-{scheme}" / f"{what}.png"
        page.screenshot(path=picture, full_page=True, style=UNSTUCK)


@pytest.fixture
def look(address, anna, played, group):
    """Walk over all pages and tell what is wrong with them."""

    def looked(browser, name: str, finger: int = FINGER, **wishes) -> list[str]:
        still = {"bypass_csp": True, "reduced_motion": "reduce"}  # no key between light and dark
        phone = open_phone(browser, address, anna, **still, **wishes)
        page = phone.new_page()
        found: list[str] = []
        for scheme in SCHEMES:  # what was mended since is not shown any more
            shutil.rmtree(PICTURES / f"{name}-flawed-{scheme}", ignore_errors=True)
        for what, path in addresses(played, group).items():
            visit(page, path)
            if ALL:
                pictured(page, name, what)
            unfold(page)
            flaws = page.evaluate(FLAWS, finger)
            if flaws:
                pictured(page, f"{name}-flawed", what)
            found += [f"{what}: {flaw}" for flaw in flaws]
        phone.close()
        return found

    return looked


@pytest.mark.parametrize("size", [PHONE, NARROW, SCREEN], ids=lambda size: f"{size['width']}")
def test_every_page_fits_its_screen(chromium, look, size):
    assert not look(chromium, f"{size['width']}x{size['height']}", viewport=size)


@pytest.mark.parametrize("language", ["de-DE", "en-GB", "lb-LU"])
def test_letters_twice_as_large_lose_nothing(large_letters, look, language):
    assert not look(large_letters, f"390-letters-200-{language}", locale=language)


def test_letters_twice_as_large_lose_nothing_on_a_screen(large_letters, look):
    assert not look(large_letters, "1280-letters-200", viewport=SCREEN)


@pytest.mark.parametrize("size", [PHONE, SCREEN], ids=lambda size: f"{size['width']}")
def test_a_page_enlarged_to_200_percent_loses_nothing(chromium, look, size):
    half = {side: length // 2 for side, length in size.items()}
    name = f"{size['width']}-zoom-200"

    assert not look(chromium, name, FINGER // 2, viewport=half, device_scale_factor=2)
