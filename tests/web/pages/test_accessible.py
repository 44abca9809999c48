"""Pages in states that no address leads to, under the rules of axe-core (see also test_sight)."""

import pytest

from web.pages.test_offline_browser import wait_until_kept
from web.pages.walk import open_phone, violations, visit

FEW = """() => {
    const more = [...document.querySelectorAll("article:nth-of-type(n+4)")];
    for (const one of more) one.remove();
    return more.length;
}"""
"""Leave three calls or schemas of every section: all are drawn alike, and there are hundreds."""


@pytest.mark.long
def test_the_handbook_is_accessible(chromium, address):
    phone = open_phone(chromium, address, None, locale="en", bypass_csp=True)
    page = phone.new_page()
    visit(page, "/api/v1/docs")
    removed = page.evaluate(FEW)
    found = violations(page)
    phone.close()

    assert removed > 100
    assert found == []


def test_a_stranger_is_welcomed_accessibly(thumb):
    thumb.page.goto("/")

    assert violations(thumb.page) == []


@pytest.mark.parametrize("names", [[], ["Anna", "Anna"], ["Anna", "Bernd", "Claire", "Dieter"]])
def test_a_refused_game_is_accessible(thumb, names):
    thumb.page.goto("/new?preset=german-family")
    for seat, name in enumerate(names):
        thumb.page.locator("[name=name]").nth(seat).fill(name)
    thumb.page.locator("details.pick summary").tap()
    thumb.page.locator("label:has([value=gin-palast])").tap()
    thumb.page.locator("#options_of[value=gin-palast]").wait_for(state="attached")
    thumb.page.locator("[name=money] + i").tap()
    thumb.page.locator("[name=point_value]").fill("0,,5")
    thumb.page.locator(".foot .main").tap()
    thumb.page.locator(".hop").first.wait_for()

    assert violations(thumb.page) == []


@pytest.mark.parametrize("way", ["points", "ranks", "cards"])
def test_a_round_being_entered_is_accessible(thumb, way):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, way)

    assert violations(thumb.page) == []


@pytest.mark.parametrize("points", ["5", "40"])
def test_a_round_of_gin_with_its_result_or_refusal_is_accessible(thumb, anna_plays, points):
    thumb.open(anna_plays("gin-palast", ["Anna", "Bernd"]))
    thumb.ends(0)
    thumb.digits(24)
    thumb.page.locator("#cell-0").tap()
    thumb.digits(points)
    thumb.page.locator("#result h2, #why:has-text('10')").first.wait_for()

    assert violations(thumb.page) == []


def test_two_entries_of_a_round_are_accessible(two_entries):
    other, _ = two_entries

    assert violations(other.page) == []


@pytest.mark.service_worker
def test_without_a_connection_every_page_is_accessible(thumb):
    board = thumb.begin()
    wait_until_kept(thumb, board)
    thumb.phone.set_offline(True)
    thumb.open(board)
    thumb.quick_round(20)
    thumb.save()
    thumb.page.locator(".pad .waits").first.wait_for()

    assert violations(thumb.page) == []

    for path in ("/", "/evenings"):
        thumb.page.goto(path)

        assert violations(thumb.page) == []


def test_a_finished_game_is_accessible(thumb):
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(20)
    thumb.save()
    thumb.saved()
    thumb.page.get_by_role("button", name="End the game").tap()
    thumb.page.locator(".winner h2").wait_for()
    for path in ("", "/tv", "/settlement"):
        thumb.page.goto(board + path)

        assert violations(thumb.page) == []
