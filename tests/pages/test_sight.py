"""Every page looked at: small, large, by light, in the dark, with letters twice as large.

The pictures stay in build/screens. Nothing may leave the screen sideways, be cut off or lie
over something else, and everything to press is as large as a finger.
"""

import pytest

from pages.walk import NARROW, PHONE, PICTURES, SCREEN, addresses, open_phone, unfold

FINGER = 48
UNSTUCK = ".foot, .line { position: static !important; }"
"""A picture of a whole page shows its foot at its foot."""

FLAWS = """(finger) => {
    const flaws = [];
    const about = (node, what) => flaws.push(`${what}: ${node.outerHTML.slice(0, 160)}`);
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) flaws.push(`sideways: ${root.scrollWidth}`);
    const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".vh, svg, datalist, option");
    const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
    for (const node of document.body.querySelectorAll("*")) {
        if (!shown(node) || node.offsetWidth <= 1) continue;
        const style = getComputedStyle(node);
        if (["hidden", "clip"].includes(style.overflowX) && node.scrollWidth > node.clientWidth + 1) about(node, "cut");
        if (node.closest("[data-scrolls]") || scrolls(node)) { node.dataset.scrolls = ""; continue; }
        const text = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
        if (!text || style.display === "inline") continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = node.getBoundingClientRect();
        for (const line of range.getClientRects()) {
            if (line.width > 1 && (line.right > box.right + 1.5 || line.left < box.left - 1.5 || (line.top + line.bottom) / 2 > box.bottom)) { about(node, "spills"); break; }
            if (line.right > root.clientWidth + 1 || line.left < -1) { about(node, "off"); break; }
        }
    }
    const pressed = "a[href], button, select, summary, textarea, input:not([type=hidden], .vh), .vh + label";
    for (const node of document.querySelectorAll(pressed)) {
        if (!shown(node) || node.disabled) continue;
        const label = node.closest("label");
        const after = getComputedStyle(node, "::after");
        const spread = after.position === "absolute" && after.content !== "none" && node.closest("tr, .bar-text");
        const inText = node.parentNode.matches("p, td, li, .lead") && node.matches("a:not([class])");
        const { width, height } = (spread || label || node).getBoundingClientRect();
        if (!inText && Math.min(width, height) < finger - 0.6) about(node, `${Math.round(width)}x${Math.round(height)}`);
    }
    return flaws;
}"""


@pytest.fixture
def look(address, anna, played):
    """Walk over all pages; take their pictures; tell what is wrong with them."""

    def looked(browser, name: str, finger: int = FINGER, **wishes) -> list[str]:
        phone = open_phone(browser, address, anna, bypass_csp=True, **wishes)
        page = phone.new_page()
        found: list[str] = []
        for what, path in addresses(played).items():
            page.goto(path)
            page.screenshot(path=PICTURES / name / f"{what}.png", full_page=True, style=UNSTUCK)
            unfold(page)
            found += [f"{what}: {flaw}" for flaw in page.evaluate(FLAWS, finger)]
        phone.close()
        return found

    return looked


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, NARROW, SCREEN], ids=lambda size: f"{size['width']}")
def test_every_page_fits_its_screen(chromium, look, size, scheme):
    name = f"{size['width']}x{size['height']}-{scheme}"

    assert not look(chromium, name, viewport=size, color_scheme=scheme)


@pytest.mark.parametrize("size", [PHONE, SCREEN], ids=lambda size: f"{size['width']}")
def test_letters_twice_as_large_lose_nothing(large_letters, look, size):
    assert not look(large_letters, f"{size['width']}-letters-200", viewport=size)


@pytest.mark.parametrize("size", [PHONE, SCREEN], ids=lambda size: f"{size['width']}")
def test_a_page_enlarged_to_200_percent_loses_nothing(chromium, look, size):
    half = {side: length // 2 for side, length in size.items()}
    name = f"{size['width']}-zoom-200"

    assert not look(chromium, name, FINGER // 2, viewport=half, device_scale_factor=2)
