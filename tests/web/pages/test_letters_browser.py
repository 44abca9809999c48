"""The pad and the entry with larger letters, and on the smallest phone, step by step."""

from web.pages.phone import SIX, SMALL, TALL, boxes
from web.pages.test_sight import ENLARGE, FLAWS

SIZES = (100, 130, 150, 200)
"""Sizes of the letters in percent of the usual one."""
KEY = 37
"""The width of a key where seven cards are in a row on a narrow phone."""
FROM_TOP = """(parts) => [...document.querySelectorAll(parts)]
    .map((one) => [one.getBoundingClientRect().top, one.innerText.trim()])
    .sort(([one], [other]) => one - other).map(([, words]) => words)"""

CARDS_OUTSIDE = """() => {
    const boxOf = (one) => one.getBoundingClientRect();
    const cards = [...document.querySelectorAll(".drawn .card")], boxes = cards.map(boxOf);
    const field = boxOf(document.querySelector(".drawn"));
    const apart = (one, other) =>
        one.left >= other.right || other.left >= one.right
        || one.top >= other.bottom || other.top >= one.bottom;
    const fits = (box) =>
        box.top >= field.top && box.bottom <= field.bottom
        && boxes.every((other) => other === box || apart(box, other));
    return cards.filter((_, at) => !fits(boxes[at])).map((card) => card.innerText);
}"""
"""The drawn cards that leave their field or cover one another."""


def flaws(page) -> list[str]:
    """Return what is wrong with a page on both phones with letters of all sizes."""
    found = []
    for width, height in (TALL, SMALL):
        page.set_viewport_size({"width": width, "height": height})
        for percent in SIZES:
            page.evaluate(ENLARGE, f"{percent}%")
            found += [f"{percent} % at {width}: {one}" for one in page.evaluate(FLAWS, KEY)]
    page.evaluate(ENLARGE, "")
    page.set_viewport_size({"width": TALL[0], "height": TALL[1]})
    return found


def test_from_130_percent_the_pad_has_a_line_for_each_player_and_the_newest_round_first(thumb):
    board = thumb.begin()
    for points in (12, 35):
        thumb.open(board)
        thumb.quick_round(points)
        thumb.save()
        thumb.saved()
    page = thumb.page

    assert page.evaluate(FROM_TOP, ".pad tbody .nr")[:2] == ["1", "2"]
    assert len({one.bounding_box()["y"] for one in page.locator(".pad .name").all()}) == 1

    page.evaluate(ENLARGE, "130%")

    assert page.evaluate(FROM_TOP, ".pad .name") == list(SIX[:4])
    assert page.evaluate(FROM_TOP, ".pad tbody:not(:has(.next)) .nr a") == ["2", "1"]
    assert len({one.bounding_box()["y"] for one in page.locator(".pad .name").all()}) == 4
    act, pad = boxes(page, "#act", "#pad")
    assert act["bottom"] <= pad["y"]  # the rounds would push it out of sight
    assert flaws(page) == []


def test_every_step_of_the_entry_has_room_for_larger_letters(thumb):
    thumb.open(thumb.begin())
    found = flaws(thumb.page)
    thumb.ends(0)
    found += flaws(thumb.page)
    thumb.digits(12)
    thumb.way(1, "ranks")
    thumb.ranks("K", "9")
    found += flaws(thumb.page)
    thumb.way(1, "cards")
    thumb.cards("7H", "8H", "9H")
    found += flaws(thumb.page)

    assert found == []


def test_gin_by_cards_has_room_for_larger_letters(thumb, anna_plays):
    thumb.open(anna_plays("gin-palast", ("Maggie", "Bartholomew")))
    thumb.ends(0)
    thumb.way(1, "cards")
    for card in ["7C", "8C", "9C", "KS", "KC", "KD", "QS", "QC", "QD", "AC"]:
        thumb.cards(card)

    assert flaws(thumb.page) == []


def test_larger_cards_stay_inside_the_field_of_the_referee(thumb):
    page = thumb.page
    page.goto("/referee?ask=hand&cards=KH+KD+KS+9C+9D+9S+4H+4D+4C+2S")
    page.locator(".drawn .card").nth(9).wait_for()
    for width, height in (TALL, SMALL):
        page.set_viewport_size({"width": width, "height": height})
        for percent in SIZES:
            page.evaluate(ENLARGE, f"{percent}%")

            assert page.evaluate(CARDS_OUTSIDE) == [], (percent, width)
