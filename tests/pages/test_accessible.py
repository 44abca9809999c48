"""Every page under the rules of axe-core, in three languages, by light and in the dark."""

from pathlib import Path

import pytest

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
RUN = """async (only) => {
    const found = await axe.run(document, only ? { runOnly: only } : {});
    return found.violations.map((rule) =>
        `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
}"""
SIZES = ({"width": 390, "height": 844}, {"width": 320, "height": 640})


@pytest.fixture
def played(anna) -> str:
    """A game with everything a page can show: a correction, a struck round, an account."""
    game = anna.begin(unit="ct", point_value="1", **{"joker.hand_value": "50"})
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60", hand_romme="yes", note="Glück")
    anna.enter(game, 1, hand__0="K D 9", way__0="ranks", hand__2="7", absent__3="yes")
    anna.enter(game, 0, hand__1="5", hand__2="7", hand__3="8")
    anna.send(f"{game}/round/1/correct", hand__0="43", do="save")
    anna.send(f"{game}/round/3/strike", page=game)
    page = f"{game}/settlement"
    account = {"holder": "Claire Muster", "iban": "LU28 0019 4006 4475 0000", "do": "keep"}
    anna.send(f"{page}/account", page=page, side="2", **account)
    return game


def addresses(game: str) -> list[str]:
    """Every page, as a reader comes to it."""
    paths = "?since=5 /tv /round /round/1 /round/3 /round/1/correct /settlement /share /history"
    of_game = [game, *(game + path for path in paths.split()), f"{game}/more", f"{game}/rules"]
    asked = "/referee?cards=8♥ 9♥ JK JK&before=4♥ 5♥ 6♥&after=4♥ 5♥ 6♥"
    return [*of_game, f"{game}/referee", "/", "/new", "/enter", asked, "/nowhere"]


@pytest.mark.parametrize("language", ["de", "en", "lb"])
def test_no_page_breaks_a_rule_of_accessibility(chromium, address, anna, played, language):
    phone = chromium.new_context(
        viewport=SIZES[0],
        locale=language,
        base_url=address,
        bypass_csp=True,
        reduced_motion="reduce",
    )
    known = anna.client.get_cookie("browser").value
    phone.add_cookies([{"name": "browser", "value": known, "url": address}])
    page = phone.new_page()
    broken = {}
    for path in addresses(played):
        page.emulate_media(color_scheme="light")
        page.goto(path)
        page.locator("summary").evaluate_all(
            "all => all.forEach(one => one.parentNode.open = true)"
        )
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate(RUN, None)
        page.emulate_media(color_scheme="dark")
        found += page.evaluate(RUN, ["color-contrast"])
        if found:
            broken[path] = found
    phone.close()

    assert broken == {}
