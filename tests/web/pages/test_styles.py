"""Every page loads ``base.css``, the stylesheets of its parts, and no others."""

from pathlib import Path

import scorekeeper
from web.pages.walk import addresses, ending, open_phone, visit

STATIC = Path(scorekeeper.__file__).parent / "static"
OF_PARTS = ("board", "entry", "forms", "money", "pad", "referee")

MATCHED = """(sheets) => {
  const loaded = [...document.styleSheets].map((one) => one.href.match(/(\\w+)\\.css/)[1]);
  const inner = (rule) => (rule.selectorText ? [rule] : [...(rule.cssRules ?? [])].flatMap(inner));
  const matches = ({ selectorText }) =>
    document.querySelector(selectorText.replace(/::[\\w-]+/g, ""));
  return Object.entries(sheets).map(([name, text]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const found = [...sheet.cssRules].flatMap(inner).filter(matches);
    return [name, loaded.includes(name), found.map((rule) => rule.selectorText)];
  });
}"""
"""For each stylesheet whether the page loads it, and its selectors that match something there."""


def test_every_page_loads_the_stylesheets_of_its_parts_and_no_others(
    chromium, app, address, anna, played, group
):
    sheets = {name: (STATIC / f"{name}.css").read_text(encoding="utf-8") for name in OF_PARTS}
    page = open_phone(chromium, address, anna).new_page()
    missing, idle = [], []
    for what, path in (addresses(played, group) | ending(app, group)).items():
        visit(page, path)
        for name, loaded, selectors in page.evaluate(MATCHED, sheets):
            if loaded and not selectors:
                idle.append((what, name))
            if selectors and not loaded and what != "print":  # paper has its own
                missing.append((what, name, selectors))
    page.context.close()

    assert missing == []
    assert idle == []
