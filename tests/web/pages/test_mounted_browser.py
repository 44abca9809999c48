"""An app mounted below a prefix, in Chromium: no link leads out of it."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from rest import mounted, served
from web.pages.phone import WORKER_RUNS, until

PREFIX = "/cards"


@pytest.fixture
def address(app, external) -> Iterator[str]:
    with served(mounted(app, PREFIX)) as where:
        yield where


def test_an_evening_is_played_below_the_prefix(chromium, address):
    requested: set[str] = set()
    pen, watch = (chromium.new_context(locale="en-GB").new_page() for _ in range(2))
    for page in (pen, watch):
        page.on("request", lambda request: requested.add(urlsplit(request.url).path))
    pen.goto(f"{address}{PREFIX}/new?preset=german-family")
    for seat, name in enumerate(("Anna", "Bernd", "Claire", "Dieter")):
        pen.locator("[name=name]").nth(seat).fill(name)
    pen.locator(".foot button").click()
    pen.wait_for_url(re.compile(r"/cards/g/\w+$"))
    board = pen.url
    pen.goto(f"{board}/share")
    pen.locator("form:has([value=watch]) button").click()
    watch.goto(pen.locator(".address").first.get_attribute("href"))
    watch.wait_for_url(re.compile(r"/cards/g/\w+$"))
    until(watch, WORKER_RUNS)
    scope = watch.evaluate("async () => (await navigator.serviceWorker.getRegistration()).scope")
    pen.goto(board)
    pen.get_by_role("link", name=re.compile("Enter round")).click()
    pen.locator("label[for=ender-0]").click()
    for seat in (1, 2, 3):
        pen.locator(f"#cell-{seat}").click()
        pen.locator(f"label[for=way-{seat}-points]").click()
        pen.locator(f"[name=hand-{seat}]").fill("35")
    pen.locator(".foot button[value=save]:enabled").click()
    pen.wait_for_url(re.compile(r"/cards/g/\w+#next$"))
    watch.locator(".pad .total", has_text="35").first.wait_for()  # it follows by itself
    for page in (pen, watch):
        page.context.close()

    assert scope == f"{address}{PREFIX}/"
    assert {path for path in requested if not path.startswith(f"{PREFIX}/")} == set()
