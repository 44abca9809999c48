"""Every page under the rules of axe-core, in every language, light and dark."""

import pytest

from scorekeeper.i18n import LANGUAGES
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
        unfold(page)
        for scheme, rules in LOOKS.items():
            page.emulate_media(color_scheme=scheme)
            if found := page.evaluate(RUN, rules):
                broken[name, scheme] = found
    phone.close()

    assert broken == {}
