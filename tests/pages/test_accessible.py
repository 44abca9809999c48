"""Every page under the rules of axe-core, in three languages, by light and in the dark.

Colours are looked at in one language: the other two change words only.
"""

from pathlib import Path

import pytest

from pages.walk import addresses, open_phone, unfold

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
COLOURS = "color-contrast"
EVERY_RULE: dict[str, object] = {}
ONLY_COLOURS = {"runOnly": [COLOURS]}
ALL_BUT_COLOURS = {"rules": {COLOURS: {"enabled": False}}}
LOOKS = {
    "de": (("light", EVERY_RULE), ("dark", ONLY_COLOURS)),
    "en": (("light", ALL_BUT_COLOURS),),
    "lb": (("light", ALL_BUT_COLOURS),),
}
ENGLISH = {"handbook": "/api/v1/docs"}
"""Pages of one language."""
RUN = """async (rules) => {
    const found = await axe.run(document, { ...rules, resultTypes: ["violations"] });
    return found.violations.map((rule) =>
        `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
}"""


@pytest.mark.parametrize("language", LOOKS)
def test_no_page_breaks_a_rule_of_accessibility(chromium, address, anna, played, group, language):
    phone = open_phone(
        chromium, address, anna, locale=language, bypass_csp=True, reduced_motion="reduce"
    )
    phone.add_init_script(path=AXE)
    page = phone.new_page()
    pages = addresses(played, group) | (ENGLISH if language == "de" else {})
    broken = {}
    for name, path in pages.items():
        page.goto(path)
        unfold(page)
        for scheme, rules in LOOKS[language]:
            page.emulate_media(color_scheme=scheme)
            if found := page.evaluate(RUN, rules):
                broken[name, scheme] = found
    phone.close()

    assert broken == {}
