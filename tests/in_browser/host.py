"""A static host for the edition, and a phone that opens it."""

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Frame, Page

BELOW = "some/where"
"""The path below which the tests serve the edition."""
PATIENCE_MS = 120_000
"""How long Python may take to start while other tests run."""


class Handler(SimpleHTTPRequestHandler):
    """Serves files, and notes which."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Host:
    """A server of static files that knows nothing about the program."""

    def __init__(self, site: Path, folder: Path) -> None:
        self._root = folder
        self.use(site)
        self._port = 0
        self.start()

    def use(self, site: Path) -> None:
        """Replace the files by those of another folder, as an upload does."""
        target = self._root / BELOW
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(site, target)
        self.site = target

    def start(self) -> None:
        handler = partial(Handler, directory=str(self._root))
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        self._server.asked = self.asked = []  # type: ignore[attr-defined]
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Take the network away."""
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/{BELOW}/"


class Pane:
    """The program in its frame, used like a page: paths are those of the program."""

    def __init__(self, frame: Frame, root: str) -> None:
        self._frame, self._root = frame, root

    def goto(self, path: str) -> None:
        below = path.removeprefix(self._root.rstrip("/"))
        self._frame.goto(self._root.rstrip("/") + below)

    def reload(self) -> None:
        self._frame.goto(self._frame.url)

    def wait_for_timeout(self, ms: float) -> None:
        self._frame.page.wait_for_timeout(ms)

    @property
    def keyboard(self) -> Any:
        return self._frame.page.keyboard

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frame, name)


class Shell:
    """A tab with the edition."""

    def __init__(self, phone: BrowserContext, host: Host) -> None:
        self.host = host
        self.complaints: list[str] = []
        self.tab: Page = phone.new_page()
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on(
            "console",
            lambda said: "Content Security" in said.text and self.complaints.append(said.text),
        )

    def open(self, path: str = "") -> "Shell":
        self.tab.goto(self.host.address + path)
        return self

    def ready(self) -> Pane:
        """Wait until Python answers; return the pages."""
        self.tab.locator("#frame").wait_for(timeout=PATIENCE_MS)
        self.tab.locator("#soon").wait_for(state="hidden", timeout=PATIENCE_MS)
        return self.pane

    @property
    def pane(self) -> Pane:
        frame = self.tab.locator("#frame").element_handle().content_frame()
        assert frame
        return Pane(frame, f"{self.host.address}app/")
