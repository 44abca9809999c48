"""A tournament in Chromium: played by phones and a typed list, followed on a television."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import expect

from club_nights import NAMES
from patience import wait_until
from pdf.paper import Print
from scorekeeper.services import imports
from scorekeeper.store import open_ledger
from web.pages.phone import Thumb
from web.pages.test_sight import ENLARGE, with_letters
from web.pages.test_unjudged_browser import OFTEN, SOON_GIVEN_UP
from web.pages.walk import NARROW, PHONE, SCREEN, violations

PLAYERS = "\n".join([*NAMES, "Nadia Rossi-Kremer, SC Trier"])


def size_of(screen: dict[str, int]) -> tuple[int, int]:
    return screen["width"], screen["height"]


@pytest.fixture
def director(chromium, table) -> Iterator[Thumb]:
    """The director at a desk, with thirteen entered and one from Trier."""
    made = Thumb(chromium, table, size_of(SCREEN), language="de-DE")
    page = made.page
    page.goto("/groups/new")
    page.locator("[name=name]").fill("Café Zentral")
    page.locator("[value=found]").click()
    group = page.locator('a[href^="/s/"]').first.get_attribute("href")
    page.goto(f"{group}/tournament")
    page.locator("[name=hands]").fill("1")
    page.locator("[name=minutes]").fill("45")
    page.locator(".foot button").click()
    page.locator("[name=names]").fill(PLAYERS)
    page.get_by_role("button", name="Melden").click()
    page.get_by_role("link", name="Turnier").last.click()
    page.wait_for_url(re.compile("/tournament$"))
    yield made
    made.phone.close()

    assert made.complaints == []


def links(director: Thumb, table, number: int) -> list[str]:
    """Return the links on the table cards of a round."""
    ledger = table.app.extensions["ledger"]
    group = re.search(r"/s/(\w+)", director.page.url)
    assert group
    games = ledger.group(group[1]).tournament.rounds[number - 1].games
    return [f"/enter#{game}.{ledger.link_secret(game, 'pen')}" for game in games]


def plays(phone: Thumb, link: str) -> None:
    """Scan the code of a table and enter its round: the first player goes out."""
    phone.page.goto(link)
    phone.page.wait_for_url(re.compile(r"/g/\w+"))
    board = phone.page.url.partition("?")[0]
    seats = len(phone.totals())
    phone.open(board)
    phone.ends(0)
    for seat in range(1, seats):
        phone.digits(10 * seat + seat)
        if seat < seats - 1:
            phone.next()
    phone.save()
    phone.saved()


def types(director: Thumb, table_number: int, *points: int) -> None:
    page = director.page
    card = page.locator(".tbl", has_text=f"Tisch {table_number}")
    card.get_by_role("link", name="Ergebnis eintragen").click()
    fields = page.locator("[name^=points-]")
    fields.first.wait_for()
    for place in range(fields.count()):
        fields.nth(place).fill(str(points[place]))
    page.get_by_role("button", name="Ergebnis festhalten").click()
    page.wait_for_url(re.compile("/tournament$"))


def draws(director: Thumb, number: int) -> None:
    director.page.get_by_role("button", name=f"Runde {number} auslosen").click()
    director.page.get_by_text(f"Auslosung Runde {number}").wait_for()


def play_round(director: Thumb, phones: list[Thumb], table, number: int) -> None:
    """Three tables are played on phones; the list of the fourth is typed."""
    for phone, link in zip(phones, links(director, table, number), strict=False):
        plays(phone, link)
    director.page.locator(".tbl:not(.open)").nth(2).wait_for()  # the page follows by itself
    types(director, 4, 92, 89, 86)
    director.page.get_by_text("Alle Tische sind da.").wait_for()


@pytest.mark.long
def test_three_phones_and_a_typed_list_play_a_danish_evening(
    director, chromium, table, tmp_path
) -> None:
    """14 at 4 + 4 + 3 + 3 for three rounds; one comes late, one leaves; all of it is printed."""
    page = director.page
    draws(director, 1)
    night = page.url
    state = director.phone.storage_state()
    screen = Thumb(chromium, table, size_of(SCREEN), language="de-DE", state=state)
    screen.page.goto(night + "/tv")
    assert screen.page.locator(".tbl.open").count() == 4

    phones = [Thumb(chromium, table) for _ in range(3)]
    play_round(director, phones, table, 1)
    screen.page.locator(".tbl:not(.open)").nth(3).wait_for()

    page.goto(night + "/entrants")
    page.locator("[name=names]").fill("Olga Weis")
    page.get_by_role("button", name="Melden").click()
    page.get_by_text("ab Runde 2").wait_for()
    anna = page.locator("li", has=page.get_by_role("link", name="Anna", exact=True))
    anna.get_by_role("button", name="Geht").click()
    page.get_by_text("weg seit Runde 2").wait_for()
    page.goto(night)
    draws(director, 2)
    screen.page.get_by_text("Nach Runde 1").wait_for()
    assert re.fullmatch(r"4[45]:\d\d", screen.page.locator("[data-ends]").inner_text())
    seats = [screen.page.locator(".tbl").nth(at).locator("li").count() for at in range(4)]
    assert sorted(seats) == [3, 3, 4, 4]
    assert "Anna" not in screen.page.locator(".tables").inner_text()
    first = phones[0].page
    first.reload()
    assert first.locator("#asks").count() == 0  # the round is over for this table
    shown = screen.page.locator(".list li:visible").count()
    assert shown == 11

    play_round(director, phones, table, 2)
    draws(director, 3)
    play_round(director, phones, table, 3)
    page.get_by_role("button", name="Letzte Runde abschließen").click()
    screen.page.get_by_text("Endstand").wait_for()

    page.goto(night + "/standings")
    ranks = page.locator(".results tbody tr")
    assert ranks.count() == 15
    winner = ranks.first.locator("th").inner_text()
    for what, pages in (("cards", 4), ("standings", 1), ("certificates", 3)):
        paper = Print(page.request.get(f"{night}/{what}.pdf").body())
        assert len(paper.pages) == pages
        assert winner in paper.text or what == "cards"

    group = night.removesuffix("/tournament")
    exported = page.request.get(f"{group}/export.json").body()
    here, name = table.app.extensions["ledger"], group.rpartition("/")[2]
    with closing(open_ledger(tmp_path / "abroad.sqlite")) as abroad:
        export, games = imports.group_from_json(exported)
        imports.write_group(abroad, imports.read_group(export, games))
        assert abroad.group(name).tournament == here.group(name).tournament
        assert abroad.head(name) == here.head(name)

    assert [*director.complaints, *screen.complaints] == []
    for phone in (*phones, screen):
        phone.phone.close()


FAST = "const now = Date.now; Date.now = () => now() + 600_000;"
"""The clock of a device that is ten minutes fast."""
FOCUS = "() => [document.activeElement.href, document.activeElement.getBoundingClientRect().top]"


@pytest.fixture
def reader(director, chromium, table) -> Iterator[Thumb]:
    """The director's phone, at the second table of a round that was drawn."""
    draws(director, 1)
    state = director.phone.storage_state()
    made = Thumb(chromium, table, size_of(PHONE), language="de-DE", state=state)
    made.page.add_init_script(FAST)
    made.page.goto(director.page.url)
    yield made
    made.phone.close()

    assert made.complaints == []


def test_the_clock_of_a_round_is_that_of_the_server(reader):
    clock = reader.page.locator("[data-ends]")
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)

    assert re.fullmatch(r"4[45]:\d\d", clock.inner_text())


def test_a_result_moves_nothing_under_the_eyes_and_fingers_of_a_reader(director, reader):
    page = reader.page
    second = page.locator(".tables footer a").nth(1)
    second.focus()
    before = page.evaluate(FOCUS)
    types(director, 1, 10, 20, 30, 40)
    finished = page.locator(".tbl:not(.open)")
    expect(finished).to_have_count(1, timeout=10_000)

    assert page.evaluate(FOCUS) == pytest.approx(before)

    page.mouse.down()
    with page.expect_response(lambda answer: answer.status == 200, timeout=10_000):
        types(director, 2, 10, 20, 30, 40)
    page.wait_for_timeout(200)
    expect(finished).to_have_count(1)
    page.mouse.up()
    expect(finished).to_have_count(2)


def test_a_page_that_gets_no_answer_asks_once_at_a_time_and_again(director, table):
    """So that a television goes on when the connection is back."""
    draws(director, 1)
    page, held, ended = director.page, [], []
    page.add_init_script(OFTEN)
    page.add_init_script(SOON_GIVEN_UP)
    page.reload()
    page.on("requestfailed", lambda request: ended.append(request))
    page.route("**/tournament", lambda route: held.append(route))
    wait_until(lambda: len(ended) > 2, lambda: page.wait_for_timeout(50))

    assert len(held) - len(ended) <= 1

    page.unroute("**/tournament")
    with page.expect_response(lambda answer: answer.status == 304):
        pass


def flaws_of(page, paths: list[str]) -> list[str]:
    found = []
    for path in paths:
        page.goto(path)
        for screen in (PHONE, NARROW, SCREEN):
            page.set_viewport_size(screen)
            found += [f"{path}: {flaw}" for flaw in with_letters(page, (100, 150))]
    return found


@pytest.mark.long
def test_no_page_cuts_anything_off_and_all_can_be_read_aloud(director) -> None:
    page = director.page
    page.get_by_role("button", name="Runde 1 auslosen").click()
    page.get_by_text("Auslosung Runde 1").wait_for()
    night = page.url
    types(director, 4, 92, 89, 86)
    paths = ["", "/1/1", "/entrants", "/entrants/1", "/standings", "/draws/1"]
    assert flaws_of(page, [night + path for path in paths]) == []

    page.goto(night)
    notice = page.locator(".tables-wrap > .note-box").bounding_box()
    assert page.locator(".club-head").bounding_box()["y"] >= notice["y"] + notice["height"] + 8
    # at a desk: the next draw is in sight
    draws = page.locator(".draw .btn.big").bounding_box()
    assert draws["y"] + draws["height"] <= SCREEN["height"]
    page.set_viewport_size(NARROW)
    page.goto(night + "/standings")
    page.evaluate(ENLARGE, "150%")
    points = page.locator(".results td b").first.bounding_box()
    assert points["x"] + points["width"] <= NARROW["width"]
    assert page.locator(".results td small:visible").count() == 0

    page.set_viewport_size(PHONE)
    for path in [*paths, "/plan", "/tv"]:
        page.goto(night + path)
        assert violations(page) == [], path
