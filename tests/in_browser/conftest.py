"""The edition without a server, built once, on a static host."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.in_browser.build import Unavailable, build
from tools.in_browser.driving import Host, Pane, Shell
from tools.in_browser.libraries import ROOT
from web.pages import conftest as pages
from web.pages.phone import TALL, Thumb

launch, chromium = pages.launch, pages.chromium


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


@pytest.fixture
def host(site: Path, tmp_path: Path, external: None) -> Iterator[Host]:
    served = Host(site, tmp_path / "www")
    yield served
    served.stop()


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


@pytest.fixture
def pocket(chromium, host) -> Iterator[Pocket]:
    made = Pocket(chromium, host)
    yield made
    made.phone.close()

    assert made.complaints == []
