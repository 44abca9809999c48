"""Fixtures for browsers, and for the edition without a server, built once, on a static host."""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from patience import wait_until
from tools.browser import LIGHT, browser_path
from tools.in_browser.build import Unavailable, build
from tools.in_browser.driving import Host, Pane, Shell
from tools.in_browser.libraries import ROOT
from web.pages.phone import SIX, TALL, Thumb

ALLOWED = ["screen-wake-lock"]
"""Without windows, Chromium refuses to keep the screen on unless it is allowed."""


@pytest.fixture(scope="session")
def driver(external):
    """What drives browsers; a process can have one only."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def program() -> dict[str, Any]:
    """The browser to start, and how; without one the tests are skipped, but never on CI."""
    path = browser_path(LIGHT)
    if path is None:
        words = f"no Chromium installed: apt install {LIGHT}"
        if os.environ.get("CI") == "true":
            pytest.fail(words)
        pytest.skip(words)
    quiet = ("background-networking", "component-update", "sync", "gpu")
    usual = ["--no-sandbox", "--no-first-run", *(f"--disable-{part}" for part in quiet)]
    return {"executable_path": path, "args": usual}


@pytest.fixture(scope="session")
def launch(driver, program):
    """Start a real browser."""

    def launched(*more):
        browser = driver.chromium.launch(**program | {"args": [*program["args"], *more]})
        browser.new_context = partial(browser.new_context, permissions=ALLOWED)
        return browser

    yield launched


@pytest.fixture(scope="session")
def chromium(launch):
    """A browser with default settings."""
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def site() -> Path:
    """The static files; without npm the tests are skipped, but never on CI."""
    target = ROOT / "build" / "browser"
    target.parent.mkdir(exist_ok=True)
    with (target.parent / "browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers of this run want it too
        try:
            build(target)
        except Unavailable as reason:
            if os.environ.get("CI") == "true":
                pytest.fail(str(reason))
            pytest.skip(f"the edition for browsers was not built: {reason}")
    return target


@pytest.fixture(scope="session")
def _host(site: Path, external: None, tmp_path_factory: pytest.TempPathFactory) -> Host:
    """One host, since what a browser keeps is known to it by the address, with the port."""
    served = Host(site, tmp_path_factory.mktemp("host"))
    served.stop()
    return served


@pytest.fixture
def host(_host: Host, site: Path) -> Iterator[Host]:
    _host.use(site)
    _host.asked.clear()
    _host.refuse = None
    _host.start()
    yield _host
    _host.stop()


REMEMBERS = """async () => {
    for (const name of await caches.keys()) {
        const known = await (await caches.open(name)).keys();
        if (known.some(({ url }) => url.includes("/memory?"))) return true;
    }
}"""
"""Whether the next start begins with the memory of this one."""


class Pocket(Thumb):
    """A phone with the edition: its pages are in the frame of the shell."""

    def __init__(self, chromium, host: Host, size=TALL, *, language="en-GB", **wishes) -> None:
        self.phone = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            has_touch=True,
            reduced_motion="reduce",
            **wishes,
        )
        self.size, self.presses = size, 0
        self.host = host
        self.turn_on()

    def turn_on(self) -> None:
        self.shell = Shell(self.phone, self.host).open()
        self.complaints = self.shell.complaints
        self.page: Pane = self.shell.ready()

    def begin(self, *names: str) -> str:
        self.page.goto("/new?preset=german-family")
        for _ in range(4, len(names)):
            self.page.locator("button[name=do][value=add]").click()
            self.page.wait_for_load_state()
        for seat, name in enumerate(names or SIX[:4]):
            self.page.locator("[name=name]").nth(seat).fill(name)
        self.page.locator(".foot button").click()
        self.page.wait_for_url(re.compile(r"/g/\w+$"))
        return self.page.url

    def resize(self, size: tuple[int, int]) -> None:
        self.size = size
        self.shell.tab.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.fixture(scope="session")
def _visited(driver, program, _host: Host, site: Path, tmp_path_factory) -> Path:
    """The profile of a browser that has started the edition: the next start takes a third."""
    folder = tmp_path_factory.mktemp("visited")
    _host.use(site)
    _host.start()
    made = Pocket(kept_in(folder, driver, program), _host)
    remembers = partial(made.shell.tab.evaluate, REMEMBERS)
    wait_until(remembers, lambda: made.shell.tab.wait_for_timeout(50))
    made.phone.close()
    _host.stop()
    return folder


def kept_in(folder: Path, driver, program: dict[str, Any]) -> SimpleNamespace:
    """Return a browser with a single context, which is kept in a folder."""
    persistent = driver.chromium.launch_persistent_context
    context = partial(persistent, folder, permissions=ALLOWED, **program)
    return SimpleNamespace(new_context=context)


@pytest.fixture
def profile(_visited: Path, tmp_path: Path) -> Path:
    """The profile of a browser that has started the edition before."""
    return Path(shutil.copytree(_visited, tmp_path / "profile"))


@pytest.fixture
def pocket(profile: Path, driver, program, host: Host) -> Iterator[Pocket]:
    """A phone that has started the edition before, and played no game."""
    made = Pocket(kept_in(profile, driver, program), host)
    yield made
    made.phone.close()

    assert made.complaints == []


@pytest.fixture(scope="session")
def _running_edition(chromium, site, tmp_path_factory) -> Iterator[Pocket]:
    made = Pocket(chromium, Host(site, tmp_path_factory.mktemp("www")))
    yield made
    made.phone.close()
    made.host.stop()


@pytest.fixture
def running_edition(_running_edition) -> Iterator[Pocket]:
    """A phone with the edition and the games of earlier tests: starting Python takes seconds."""
    _running_edition.resize(TALL)
    yield _running_edition

    assert _running_edition.complaints == []


@pytest.fixture(params=["thumb", "running_edition"], ids=["on a server", "in a browser"])
def anywhere(request, external) -> Thumb:
    """A phone with a server or without one: what a test of an evening asks for, if it can."""
    return request.getfixturevalue(request.param)
