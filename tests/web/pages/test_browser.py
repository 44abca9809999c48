"""The pages in Chromium, used as a person would, with and without scripts."""

import re
from collections.abc import Iterator

import pytest

from rest import EVENING
from web.pages.walk import NARROW, PHONE, open_phone, silent_page, unfold, visit

SUITS = re.compile(r"\b(?:[2-9AKQJ]|10)[HDSC]\b")
LONG = ("Maximiliane-Charlotte", "Ö", "Bartholomäus der Ältere", "Zoë", "Konstantin", "Wilhelmine")


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def page(chromium, address, request) -> Iterator:
    """A phone in the browser; an error message of the browser fails the test."""
    phone = chromium.new_context(
        viewport=PHONE,
        locale="en-GB",
        base_url=address,
        java_script_enabled=request.param,
    )
    with silent_page(phone, allowed="status of 404") as opened:
        yield opened


def begin(page, names, **fields: str) -> str:
    """Create a game by its form and return the path of its board."""
    page.goto("/new?preset=german-family")
    for _ in range(4, len(names)):
        page.get_by_role("button", name="Add a player").click()
        page.wait_for_load_state()
    for seat, name in enumerate(names):
        page.locator("[name=name]").nth(seat).fill(name)
    if "point_value" in fields:
        page.locator("[name=money] + i").click()
    for name, value in fields.items():
        page.locator(f"[name={name}]").fill(value)
    page.locator(".foot button").click()
    page.wait_for_url(re.compile(r"/g/\w+$"))
    return page.url


def has_script(page) -> bool:
    return page.evaluate("matchMedia('(scripting: enabled)').matches")


def turn_to(page, seat: int) -> None:
    """Open a player's fields: with scripts one player is open at a time."""
    if has_script(page):
        page.locator(f"#cell-{seat}").click()


def open_fold(page, seat: int) -> None:
    fold = page.locator(f"#seat-{seat} details")
    if has_script(page):
        if page.locator("#more").get_attribute("aria-expanded") == "false":
            page.locator("#more").click()
    elif fold.get_attribute("open") is None:
        fold.locator("summary").click()


def enter(page, played, then: str = "#next$") -> None:
    """Type one round of the evening: the winner, then the hands of the others; save it."""
    page.get_by_role("link", name=re.compile("Enter round")).click()
    page.locator(f"label[for=ender-{played['winner']}]").click()
    if played.get("hand_romme"):
        turn_to(page, played["winner"])
        page.get_by_text("Hand rommé").first.click()
    for seat, said in enumerate(played["seats"]):
        turn_to(page, seat)
        if "points" in said or "hand" in said:
            held = str(said.get("points", said.get("hand")))
            way = "points" if "points" in said else "cards" if SUITS.search(held) else "ranks"
            page.locator(f"label[for=way-{seat}-{way}]").click()
            page.locator(f"[name=hand-{seat}]").fill(held)
        for name in ("melds", "discard"):
            if name in said:
                value = said[name] if name == "discard" else "\n".join(said[name])
                open_fold(page, seat)
                page.locator(f"[name={name}-{seat}]").fill(value)
    if not has_script(page):
        page.locator(".foot button[value=check]").click()
    page.locator(".foot button[value=save]:enabled").click()
    page.wait_for_url(re.compile(then))


@pytest.mark.long
def test_the_reference_evening_settles_as_in_the_source(page):
    board = begin(page, ("A", "B", "C", "D"), title=EVENING["title"], point_value="1/10", unit="Pf")
    for played in EVENING["rounds"]:
        enter(page, played)
    totals = page.locator(".pad .total").all_inner_texts()

    assert totals == ["220", "360", "140", "490"]

    page.goto(f"{board}/settlement")
    page.get_by_text("How it adds up").click()

    assert page.locator(".sum b").all_inner_texts() == ["+330", "−230", "+650", "−750"]
    assert page.locator(".money b").all_inner_texts() == ["+33", "−23", "+65", "−75"]
    assert page.locator(".pay .tick").all_inner_texts() == ["D pays C", "B pays A", "D pays A"]
    assert page.locator(".pay .sum").all_inner_texts() == ["65\u00a0Pf", "23\u00a0Pf", "10\u00a0Pf"]


def test_a_link_opens_the_game_and_leaves_no_secret_in_the_address(page, chromium, address):
    board = begin(page, ("Anna", "Bernd", "Claire", "Dieter"))
    page.goto(f"{board}/share")
    page.locator("form:has([value=watch]) button").click()
    link = page.locator(".address").first.get_attribute("href")
    phone = chromium.new_context(locale="en-GB")
    watcher = phone.new_page()
    watcher.goto(link)
    watcher.wait_for_url(re.compile(r"/g/\w+$"))

    assert watcher.get_by_text("You are watching.").is_visible()
    assert watcher.locator("form").count() == 0
    phone.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_nothing_scrolls_sideways_on_a_narrow_phone(chromium, address, anna, scripts):
    title = ("Ein sehr langer Name für einen sehr langen Abend " * 2)[:80].strip()
    game = anna.begin(name=list(LONG), title=title)
    for winner, points in ((1, "1999"), (0, "999")):
        held = {f"hand__{seat}": points for seat in range(len(LONG)) if seat != winner}
        assert anna.enter(game, winner, **held).status_code == 303
    phone = open_phone(chromium, address, anna, viewport=NARROW, java_script_enabled=scripts)
    page = phone.new_page()
    paths = ("", "/round", "/round/1", "/round/1/correct", "/settlement", "/share", "/history")
    addresses = [game + path for path in (*paths, "/more", "/rules")]
    for path in (*addresses, "/", "/new", "/enter", "/nowhere"):
        visit(page, path)
        unfold(page)

        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    phone.close()


def test_boards_follow_and_forms_save_where_nothing_may_be_stored(thumb, table):
    thumb.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException(); } })"
    )
    thumb.page.goto("/")
    board = thumb.begin()
    table.record(board, (0, 5, 6, 7))
    thumb.page.locator(".pad .total", has_text="7").wait_for()
    for page in ("tv", "more"):
        thumb.page.goto(f"{board}/{page}")
        thumb.page.wait_for_load_state("networkidle")
    thumb.open(board)
    thumb.quick_round(10)
    thumb.save()
    thumb.saved()

    assert thumb.totals() == ["0", "15", "16", "17"]


def test_a_board_exchanges_nothing_under_a_finger(thumb, table):
    page, board = thumb.page, thumb.begin()
    with page.expect_response(lambda answer: answer.status == 304, timeout=10_000):
        page.locator(".pad .total").first.hover()
    page.mouse.down()
    with page.expect_response(lambda answer: answer.status == 200, timeout=10_000):
        table.record(board, (0, 10, 20, 30))
    page.wait_for_timeout(200)

    assert thumb.totals() == ["0", "0", "0", "0"]

    page.mouse.up()
    page.locator(".pad .total:text-is('30')").wait_for()


def test_boards_follow_and_forms_save_in_a_browser_of_early_2022(thumb, table):
    thumb.page.add_init_script("delete AbortSignal.timeout, delete URLSearchParams.prototype.size")
    board = thumb.begin_after(*[(0, 5, 6, 7)] * 45)
    thumb.page.goto(f"{board}?all=yes")
    rows = thumb.page.locator(".pad tbody .nr")
    shown = rows.count()
    with thumb.page.expect_request(lambda asked: asked.resource_type == "fetch") as request:
        pass

    assert request.value.url == f"{board}?all=yes"
    thumb.page.wait_for_load_state("networkidle")

    assert rows.count() == shown > 40
    assert not thumb.page.locator("#offline").is_visible()

    thumb.open(board)
    thumb.quick_round(10)
    thumb.save()
    thumb.saved()

    assert thumb.totals() == ["0", "235", "280", "325"]


@pytest.mark.parametrize("page", [True], ids=["with script"], indirect=True)
def test_input_is_checked_while_typing(page):
    begin(page, ("A", "B", "C", "D"))
    page.get_by_role("link", name=re.compile("Enter round")).click()
    page.locator("label[for=ender-0]").click()
    page.locator("[name=hand-1]").fill("10+15+8")
    page.get_by_text("Missing: C and D.").wait_for()

    assert page.locator(".line b").all_inner_texts() == ["out", "33"]

    turn_to(page, 2)
    page.locator("label[for=way-2-ranks]").click()
    page.locator("[name=hand-2]").fill("K X")
    page.locator(".foot .said:visible").wait_for()

    assert page.locator("[name=hand-2]").input_value() == "K X"
