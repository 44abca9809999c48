"""A static host for the edition and the tabs that open it, for tests and benchmarks."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.browser import LIGHT, browser_path

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Frame, Page, Playwright

BELOW = "some/where"
"""The path below which the tests serve the edition."""
SLICE_S = 0.005
PATIENCE_MS = 120_000
"""How long Python may take to start while other tests run."""


class Handler(SimpleHTTPRequestHandler):
    """Serves files, and notes which."""

    def do_GET(self) -> None:
        host: Host = self.server.host  # type: ignore[attr-defined]
        host.asked.append(self.path)
        if host.refuse and host.refuse.search(self.path):
            self.send_error(503)
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Host:
    """A server of static files that knows nothing about the program."""

    def __init__(self, site: Path, folder: Path) -> None:
        self.root = folder
        self.use(site)
        self.asked: list[str] = []
        """The paths asked for since a test has cleared them."""
        self.refuse: re.Pattern[str] | None = None
        """Paths that are answered with an error."""
        self._port = 0
        self.start()

    def use(self, site: Path) -> None:
        """Replace the files by the files of another folder, as an upload does."""
        target = self.root / BELOW
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(site, target)
        self.site = target

    def change(self, name: str, old: str, new: str) -> None:
        """Replace a text in a script of the edition, and the checksum that names it."""
        (path,) = self.site.glob(name)
        before = path.read_bytes()
        after = before.replace(old.encode(), new.encode())

        assert after != before
        path.write_bytes(after)
        for page in (self.site / "index.html", self.site / "service.js"):
            text = page.read_text(encoding="utf-8")
            text = text.replace(sha256(before).hexdigest(), sha256(after).hexdigest())
            page.write_text(text, encoding="utf-8")

    def release(self) -> str:
        """Turn the files into a new version, and return its name."""
        page = self.site / "index.html"
        (version,) = re.findall(r'"version": "(\w+)"', page.read_text(encoding="utf-8"))
        later = f"{int(version, 16) + 1:012x}"
        for name in (page, self.site / "service.js"):
            text = name.read_text(encoding="utf-8")
            name.write_text(text.replace(version, later), encoding="utf-8")
        return later

    def start(self) -> None:
        handler = partial(Handler, directory=str(self.root))
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        self._server.host = self  # type: ignore[attr-defined]
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

    def __init__(self, frame: "Frame", root: str) -> None:
        self._frame, self.root = frame, root

    def goto(self, path: str) -> None:
        below = path.removeprefix(self.root.rstrip("/"))
        self._frame.goto(self.root.rstrip("/") + below)

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

    def __init__(self, phone: "BrowserContext", host: Host) -> None:
        self.host = host
        self.complaints: list[str] = []
        self.tab: Page = phone.new_page()
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on("console", self._hear)

    def _hear(self, said: "ConsoleMessage") -> None:
        if "Content Security" in said.text:
            self.complaints.append(said.text)

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


class Killable:
    """A browser with a profile on the disk, in processes of its own."""

    def __init__(self, driver: "Playwright", profile: Path) -> None:
        path = browser_path(LIGHT)
        if path is None:
            raise FileNotFoundError("no Chromium installed")
        port = profile / "DevToolsActivePort"
        port.unlink(missing_ok=True)
        (profile / "SingletonLock").unlink(missing_ok=True)
        quiet = ["--headless", "--no-sandbox", "--no-first-run", "--disable-gpu"]
        self._process = subprocess.Popen(
            [path, *quiet, f"--user-data-dir={profile}", "--remote-debugging-port=0"],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(lambda: port.exists() and "\n" in port.read_text())
        address = f"http://127.0.0.1:{port.read_text().splitlines()[0]}"
        self._browser = driver.chromium.connect_over_cdp(address)
        self.phone = self._browser.contexts[0]

    @contextmanager
    def slowed(self, times: int) -> Iterator[None]:
        """Let all of its processes run only a fraction of the time."""
        done = threading.Event()

        def alternate() -> None:
            while not done.wait(SLICE_S):
                os.killpg(self._process.pid, signal.SIGSTOP)
                time.sleep(SLICE_S * (times - 1))
                os.killpg(self._process.pid, signal.SIGCONT)

        pacer = threading.Thread(target=alternate) if times > 1 else None
        if pacer:
            pacer.start()
        try:
            yield
        finally:
            done.set()
            if pacer:
                pacer.join()

    def kill(self) -> None:
        """End all of its processes at once."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    ends = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        if time.monotonic() > ends:
            raise TimeoutError
        time.sleep(0.01)
