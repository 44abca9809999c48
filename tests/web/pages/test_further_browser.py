"""The further systems entered with the keys of their pads, in a browser."""

import os

import pytest

import short
from scorekeeper.i18n import LANGUAGES
from scorekeeper.wire.rounds import load_round
from web.pages.phone import OVER, SMALL, TALL

SHOTS = os.environ.get("SHOTS", "")


def picture(thumb, name: str) -> None:
    if SHOTS:
        thumb.page.wait_for_timeout(400)
        thumb.page.screenshot(path=f"{SHOTS}/{name}-{thumb.size[0]}.png")


APART = """() => {
    const seat = document.querySelector(".current");
    const keyed = [...seat.querySelectorAll("[data-keys]")];
    const [held, laid] = keyed.filter((one) => one.offsetHeight);
    const tabs = [...seat.querySelectorAll(".targets button")];
    const left = (one) => one.getBoundingClientRect().left;
    return held.getBoundingClientRect().top - laid.getBoundingClientRect().top
        || left(tabs[0]) - left(held) || left(tabs[1]) - left(laid);
}"""
"""How far two sums are from the same line, each under its tab."""


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_two_numbers_a_player_are_entered_one_after_the_other(thumb, anna_plays):
    board = anna_plays("rummy-500", ("Anna", "Bernd", "C$$"))
    thumb.open(board)
    picture(thumb, "500-who")
    thumb.ends(1)
    assert thumb.page.evaluate("scrollY") == 0
    laid = thumb.page.locator("[name=laid_points-2], #next, .targets")
    assert laid.filter(visible=True).count() == 0
    thumb.way_of_table()
    assert thumb.page.evaluate("scrollY") == 0
    assert abs(thumb.page.evaluate(APART)) <= 1
    assert thumb.page.evaluate(OVER) <= 0
    assert "C$$" in thumb.page.locator("#why").inner_text()
    for number in (20, 0):
        thumb.digits(number)
        picture(thumb, f"500-{number}")
        thumb.next()
    for number in (72, 60):
        thumb.digits(number)
        thumb.next()
    thumb.digits(45)
    picture(thumb, "500-all")

    assert thumb.page.evaluate(OVER) <= 0
    thumb.save()
    thumb.saved()
    assert thumb.totals() == ["−12", "+45", "−20"]  # N86

    thumb.open(board)
    thumb.press("label[for=ender-none]")
    picture(thumb, "500-count")
    for number in (5, 30, 40, 10, 12, 0):
        thumb.digits(number)
        if number:
            thumb.next()
    thumb.save()
    thumb.saved()
    assert thumb.totals() == ["+13", "+15", "−32"]  # N88
    picture(thumb, "500-board")


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_the_contract_stands_above_the_keys_and_whoever_has_laid_is_ticked(thumb, anna_plays):
    board = anna_plays("phases", ("Anna", "Bernd", "Claire"))
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(55)
    picture(thumb, "phases")
    thumb.press(".current label.switch:has([name=laid-1])")
    thumb.next()
    thumb.digits(90)
    assert thumb.page.locator(".contracts p:visible").count() == 1
    assert thumb.page.evaluate(OVER) <= 0
    thumb.save()
    thumb.saved()
    assert thumb.totals() == ["0", "55", "90"]  # N81, N82
    assert "Claire: phase 1 of 10" in thumb.page.locator("#next").inner_text()
    assert "Bernd: phase 2 of 10" in thumb.page.locator("#next").inner_text()
    picture(thumb, "phases-board")


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_the_wild_rank_of_the_round_stands_above_the_keys(thumb, anna_plays):
    board = anna_plays("three-thirteen", ("Anna", "Bernd"))
    thumb.open(board)
    thumb.ends(0)
    thumb.way(1, "ranks")
    picture(thumb, "thirteen")
    thumb.ranks("3", "K", "A")
    assert "3" in thumb.page.locator(".contracts").inner_text()
    thumb.save()
    thumb.saved()
    assert thumb.totals() == ["0", "14"]  # N77
    picture(thumb, "thirteen-board")


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_big_gin_counts_at_once_as_the_server_counts_it(thumb, anna_plays):
    board = anna_plays("gin-american", ("Anna", "Bernd"))
    thumb.open(board)
    thumb.ends(0)
    thumb.press("label[for=how-gin]")
    thumb.press(".big label")
    thumb.digits(31)
    thumb.page.locator("#result h2").get_by_text("Anna").wait_for()
    picture(thumb, "gin-big")

    assert "+31" in thumb.page.locator("#result h2").inner_text()
    assert thumb.page.evaluate(OVER) <= 0
    thumb.save()
    thumb.saved()
    assert thumb.totals() == ["62", "0"]  # N3
    picture(thumb, "gin-board")


BEYOND = """() => [...document.querySelectorAll(
    ".pad thead th > span, .games > *, .finale :is(th, td):not(:has(.boxes))"
)].filter((one) => {
    const cell = one.closest("th, td").getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(one);
    const isBeyond = ({ left, right }) => left < cell.left + 1 || right > cell.right - 1;
    return [...text.getClientRects()].some(isBeyond);
}).map((one) => one.outerHTML)"""
"""What is written over the edges of its column."""


def assert_in_their_cells(thumb, board: str) -> None:
    for code in LANGUAGES:
        thumb.phone.set_extra_http_headers({"Accept-Language": code})
        thumb.page.goto(board)
        for size in (TALL, SMALL):
            thumb.resize(size)
            assert thumb.page.evaluate(BEYOND) == [], (code, size)


ALSO: dict[str, dict[str, object]] = {
    "chinchon": {},
    "indian-points": {},
    "rummy-500": {"laid_points": 90},
    "phases": {"laid": True},
}
"""What the systems ask of a player besides the points."""


@pytest.mark.parametrize("preset", ALSO)
def test_the_heads_of_four_columns_stay_in_them(thumb, table, preset: str) -> None:
    board = thumb.plays(preset, ("Anna", "Bernd", "Claire", "Dieter"))
    ledger, game = table.app.extensions["ledger"], board.rpartition("/")[2]
    for left in ((0, 60, 55, 56), (48, 0, 57, 58)):
        body = short.body(*left)
        for points, seat in zip(left, body["seats"], strict=True):
            seat |= ALSO[preset] if points or preset == "rummy-500" else {}
        short.written(ledger, game, load_round(body).round, str(left))

    assert_in_their_cells(thumb, board)


def knock(table, board: str, *deadwood: int) -> None:
    """Record a round of gin in which whoever has less knocked."""
    ledger, game = table.app.extensions["ledger"], board.rpartition("/")[2]
    knocker = deadwood.index(min(deadwood))
    seats = [{"deadwood": points} for points in deadwood]
    body = {"outcome": "knock", "knocker": knocker, "seats": seats}
    short.written(ledger, game, load_round(body).round, f"{deadwood}")


HOLLYWOOD = ((1, 41), (1, 31), (21, 1), (0, 35))


def test_three_games_of_gin_stand_side_by_side_while_they_go_on(thumb, table, anna_plays):
    board = anna_plays("gin-american", ("Anna", "Bernd"), **{"gin.hollywood": True})
    for deadwood in HOLLYWOOD:
        knock(table, board, *deadwood)
    thumb.page.goto(board)

    picture(thumb, "hollywood")
    assert thumb.totals() == ["130", "20", "90", "0", "60", "0"]  # N14 before its last round
    assert "Anna +260" in thumb.page.locator(".pad tbody .games").inner_text()
    for size in (TALL, SMALL):
        thumb.resize(size)
        assert thumb.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert_in_their_cells(thumb, board)
    knock(table, board, 1, 46)
    assert_in_their_cells(thumb, board)  # with the end of all three games


@pytest.mark.parametrize("thumb", [SMALL], indirect=True)
def test_the_reckoning_follows_the_last_round_of_gin(thumb, table, anna_plays):
    board = anna_plays("gin-american", ("Anna", "Bernd"))
    knock(table, board, 0, 50)
    thumb.open(board)
    thumb.ends(0)
    thumb.press("label[for=how-gin]")
    thumb.digits(30)
    thumb.save()
    thumb.saved()

    picture(thumb, "finale-board")
    assert "Anna wins by 380" in thumb.page.locator(".finale").inner_text()  # 130 + 50 + 100 + 100
    thumb.page.goto(f"{board}/end")
    picture(thumb, "finale-end")
    thumb.page.goto(f"{board}/settlement")
    picture(thumb, "finale-settlement")
    thumb.page.goto(f"{board}/tv")
    picture(thumb, "finale-tv")
