"""Every page loads ``base.css``, the stylesheets of its parts, and no others."""

from pathlib import Path

import scorekeeper
from web.pages.walk import addresses, ending, open_phone, visit

STATIC = Path(scorekeeper.__file__).parent / "static"
OF_PARTS = ("board", "entry", "forms", "money", "pad", "referee")

SELECTORS = """(sheets) => {
  const inner = (rule) => (rule.selectorText ? [rule] : [...(rule.cssRules ?? [])].flatMap(inner));
  return Object.entries(sheets).map(([name, text]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return [name, [...sheet.cssRules].flatMap(inner).map((rule) => rule.selectorText)];
  });
}"""
"""The selectors of each stylesheet."""

MATCHED = """(sheets) => {
  const loaded = [...document.styleSheets].map((one) => one.href.match(/(\\w+)\\.css/)[1]);
  const matches = (selector) => document.querySelector(selector.replace(/::[\\w-]+/g, ""));
  return sheets.map(([name, all]) => [name, loaded.includes(name), all.filter(matches)]);
}"""
"""For each stylesheet whether the page loads it, and its selectors that match something there."""


def test_every_page_loads_the_stylesheets_of_its_parts_and_no_others(
    chromium, app, address, anna, played, group
):
    sheets = {name: (STATIC / f"{name}.css").read_text(encoding="utf-8") for name in OF_PARTS}
    page = open_phone(chromium, address, anna).new_page()
    visit(page, "/offline")
    selectors_of = page.evaluate(SELECTORS, sheets)
    missing, idle = [], []
    for what, path in (addresses(played, group) | ending(app, group)).items():
        visit(page, path)
        for name, loaded, selectors in page.evaluate(MATCHED, selectors_of):
            if loaded and not selectors:
                idle.append((what, name))
            if selectors and not loaded and what != "print":  # paper has its own
                missing.append((what, name, selectors))
    page.context.close()

    assert missing == []
    assert idle == []
