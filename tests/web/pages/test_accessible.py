"""Every page under the rules of axe-core, in three languages, by light and in the dark."""

import pytest

from web.pages.walk import AXE, addresses, open_phone, unfold, visit

LOOKS: dict[str, dict[str, object]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
"""By scheme: every rule, and then what the scheme changes."""
ENGLISH = {"handbook": "/api/v1/docs"}
"""Pages of one language."""
RUN = """async (rules) => {
    const found = await axe.run(document, { ...rules, resultTypes: ["violations"] });
    return found.violations.map((rule) =>
        `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
}"""


@pytest.mark.parametrize("language", ["de", "en", "lb"])
def test_no_page_breaks_a_rule_of_accessibility(chromium, address, anna, played, group, language):
    phone = open_phone(
        chromium, address, anna, locale=language, bypass_csp=True, reduced_motion="reduce"
    )
    phone.add_init_script(path=AXE)
    page = phone.new_page()
    pages = addresses(played, group) | (ENGLISH if language == "en" else {})
    broken = {}
    for name, path in pages.items():
        visit(page, path)
        unfold(page)
        for scheme, rules in LOOKS.items():
            page.emulate_media(color_scheme=scheme)
            if found := page.evaluate(RUN, rules):
                broken[name, scheme] = found
    phone.close()

    assert broken == {}
