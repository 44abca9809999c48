"""The look of every page: small, large, and with letters twice as large.

Nothing may extend beyond the width of the screen, be cut off or overlap, and buttons have the
size of a finger. A screenshot of a faulty page is in build/screens; after ``make screens`` there
are screenshots of all pages, light and dark.
"""

import os
import shutil
from pathlib import Path

import pytest

from web.pages.walk import (
    NARROW,
    PHONE,
    PICTURES,
    SCREEN,
    addresses,
    ending,
    open_phone,
    unfold,
    visit,
)

FINGER = 48
UNSTUCK = ".foot, .line { position: static !important; }"
"""The style that puts the foot of a page at its end for a full-page screenshot."""

FLAWS = Path(__file__).with_name("flaws.js").read_text(encoding="utf-8")


ALL = "SCREENS" in os.environ
"""Whether to take screenshots, which take twice as long as everything else."""


SCHEMES = ("light", "dark")


def pictured(page, name: str, what: str) -> None:
    """Take screenshots of a page."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        picture = PICTURES / f"{name}-{scheme}" / f"{what}.png"
        page.screenshot(path=picture, full_page=True, style=UNSTUCK)


@pytest.fixture
def look(app, address, anna, played, group):
    """Walk over all pages and return their visible faults."""

    def looked(browser, name: str, finger: int = FINGER, **wishes) -> list[str]:
        still = {"bypass_csp": True, "reduced_motion": "reduce"}  # no key between light and dark
        phone = open_phone(browser, address, anna, **still, **wishes)
        page = phone.new_page()
        found: list[str] = []
        for scheme in SCHEMES:  # what was mended since is not shown any more
            shutil.rmtree(PICTURES / f"{name}-flawed-{scheme}", ignore_errors=True)
        for what, path in (addresses(played, group) | ending(app, group)).items():
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


@pytest.mark.parametrize("language", ["en-GB", "lb-LU", "fr-FR"])
def test_every_page_fits_a_narrow_phone_in_every_language(chromium, look, language):
    assert not look(chromium, f"320x640-{language}", viewport=NARROW, locale=language)


@pytest.mark.parametrize("language", ["de-DE", "en-GB", "lb-LU", "fr-FR"])
def test_nothing_is_cut_off_with_letters_twice_as_large(large_letters, look, language):
    assert not look(large_letters, f"390-letters-200-{language}", locale=language)


def test_nothing_is_cut_off_on_a_desktop_with_letters_twice_as_large(large_letters, look):
    assert not look(large_letters, "1280-letters-200", viewport=SCREEN)


@pytest.mark.parametrize("size", [PHONE, SCREEN], ids=lambda size: f"{size['width']}")
def test_nothing_is_cut_off_at_200_percent_zoom(chromium, look, size):
    half = {side: length // 2 for side, length in size.items()}
    name = f"{size['width']}-zoom-200"

    assert not look(chromium, name, FINGER // 2, viewport=half, device_scale_factor=2)
