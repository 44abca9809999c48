"""Every page under the rules of axe-core, in three languages, by light and in the dark."""

from pathlib import Path

import pytest

from pages.walk import addresses, open_phone, unfold

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
RUN = """async (only) => {
    const found = await axe.run(document, only ? { runOnly: only } : {});
    return found.violations.map((rule) =>
        `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
}"""


@pytest.mark.parametrize("language", ["de", "en", "lb"])
def test_no_page_breaks_a_rule_of_accessibility(chromium, address, anna, played, group, language):
    phone = open_phone(
        chromium, address, anna, locale=language, bypass_csp=True, reduced_motion="reduce"
    )
    page = phone.new_page()
    broken = {}
    for name, path in (addresses(played, group) | {"handbook": "/api/v1/docs"}).items():
        page.emulate_media(color_scheme="light")
        page.goto(path)
        unfold(page)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate(RUN, None)
        page.emulate_media(color_scheme="dark")
        found += page.evaluate(RUN, ["color-contrast"])
        if found:
            broken[name] = found
    phone.close()

    assert broken == {}
