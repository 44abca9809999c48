"""Every page under the rules of axe-core: in every language, light and dark, and in every state."""

import pytest

from scorekeeper.i18n import LANGUAGES
from web.pages.phone import Thumb
from web.pages.test_offline_browser import wait_until_kept
from web.pages.walk import AXE, addresses, ending, open_phone, unfold, visit

LOOKS: dict[str, dict[str, object]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
"""The rules by colour scheme: all of them, then those that depend on the scheme."""
ENGLISH = {"handbook": "/api/v1/docs"}
"""The pages of one language."""
RUN = """async (rules) => {
    const found = await axe.run(document, { ...rules, resultTypes: ["violations"] });
    return found.violations.map((rule) =>
        `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_has_accessibility_violations(
    app, chromium, address, anna, played, group, language
):
    phone = open_phone(
        chromium, address, anna, locale=language, bypass_csp=True, reduced_motion="reduce"
    )
    phone.add_init_script(path=AXE)
    page = phone.new_page()
    pages = addresses(played, group) | ending(app, group) | (ENGLISH if language == "en" else {})
    broken = {}
    for name, path in pages.items():
        visit(page, path)
        broken |= {(name, scheme): found for scheme, found in violations(page)}
    phone.close()

    assert broken == {}


def violations(page):
    """Yield what breaks a rule on a page with everything unfolded, by colour scheme."""
    unfold(page)
    for scheme, rules in LOOKS.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if found := page.evaluate(RUN, rules):
            yield scheme, found


def violations_of(thumb: Thumb) -> dict[str, list[str]]:
    """Return what breaks a rule on the page that a phone shows, loading axe-core into it."""
    thumb.page.evaluate(AXE.read_text(encoding="utf-8"))
    return dict(violations(thumb.page))


def test_a_stranger_is_welcomed_accessibly(thumb):
    thumb.page.goto("/")

    assert violations_of(thumb) == {}


@pytest.mark.parametrize("names", [[], ["Anna", "Anna"], ["Anna", "Bernd", "Claire", "Dieter"]])
def test_a_refused_game_is_accessible(thumb, names):
    thumb.page.goto("/new")
    thumb.page.locator("details.pick summary").tap()
    thumb.page.locator("label:has([value=gin-palast])").tap()
    thumb.page.locator("#options_of[value=gin-palast]").wait_for(state="attached")
    for seat, name in enumerate(names):
        thumb.page.locator("[name=name]").nth(seat).fill(name)
    thumb.page.locator("[name=point_value]").fill("0,,5")
    thumb.page.locator(".foot .main").tap()
    thumb.page.locator(".hop").first.wait_for()

    assert violations_of(thumb) == {}


@pytest.mark.parametrize("way", ["points", "ranks", "cards"])
def test_a_round_being_entered_is_accessible(thumb, way):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, way)

    assert violations_of(thumb) == {}


@pytest.mark.parametrize("points", ["5", "40"])
def test_a_round_of_gin_with_its_result_or_refusal_is_accessible(thumb, anna_plays, points):
    thumb.open(anna_plays("gin-palast", ["Anna", "Bernd"]))
    thumb.ends(0)
    thumb.digits(24)
    thumb.page.locator("#cell-0").tap()
    thumb.digits(points)
    thumb.page.locator("#result h2, #why:has-text('10')").first.wait_for()

    assert violations_of(thumb) == {}


def test_two_entries_of_a_round_are_accessible(two_entries):
    other, _ = two_entries

    assert violations_of(other) == {}


def test_without_a_connection_every_page_is_accessible(thumb):
    board = thumb.begin()
    wait_until_kept(thumb, board)
    thumb.phone.set_offline(True)
    thumb.open(board)
    thumb.quick_round(20)
    thumb.save()
    thumb.page.locator(".pad .waits").first.wait_for()

    assert violations_of(thumb) == {}

    for path in ("/", "/evenings"):
        thumb.page.goto(path)

        assert violations_of(thumb) == {}


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

        assert violations_of(thumb) == {}
