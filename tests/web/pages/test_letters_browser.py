"""The pad and the entry with larger letters, and on the smallest phone, step by step."""

from web.pages.phone import SIX, SMALL, TALL
from web.pages.test_sight import ENLARGE, FINGER, FLAWS

SIZES = (100, 130, 150, 200)
"""Sizes of the letters in percent of the usual one."""
PLACES = """() => [...document.querySelectorAll(".pad thead th, .pad tbody:has(th a)")].map((one) =>
    [one.getBoundingClientRect().top, one.querySelector(".name, .nr").textContent.trim()]
).sort(([one], [other]) => one - other).map(([, name]) => name)"""
"""The sides and rounds of the pad from top to bottom."""


def flaws(page) -> list[str]:
    """Return what is wrong with a page on both phones with letters of all sizes."""
    found = []
    for width, height in (TALL, SMALL):
        page.set_viewport_size({"width": width, "height": height})
        for percent in SIZES:
            page.evaluate(ENLARGE, f"{percent}%")
            found += [f"{percent} % at {width}: {one}" for one in page.evaluate(FLAWS, FINGER)]
    page.evaluate(ENLARGE, "")
    return found


def test_with_larger_letters_the_pad_is_turned(thumb, anna_plays):
    thumb.page.goto(anna_plays("robber", SIX[:4]))
