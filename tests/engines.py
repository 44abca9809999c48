"""Firefox and WebKit for tests: what a person does in them, over the protocol that each speaks.

Both speak WebDriver: WebKit over HTTP, as the standard says, and Firefox the same commands over
Marionette, a socket that needs no program beside the browser. Playwright drives neither of them as
Debian packages them.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SECONDS = 60
FIREFOX = ("firefox-esr", "firefox")
WEBKIT_PARTS = ("WebKitWebDriver", "Xvfb", "dbus-run-session")
WINDOW = Path(__file__).parents[1] / "tools" / "webkit_window"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element in every answer, from the standard."""
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en",
    "marionette.port": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9",
    "ui.prefersReducedMotion": 1,
    "ui.useOverlayScrollbars": 1,
    "widget.gtk.overlay-scrollbars.enabled": True,
}
REDRAWN = """() => void setInterval(() => {
    document.body.style.opacity = 1 - Math.random() / 999;
}, 50)"""
RESIZE = """const { style } = gBrowser.selectedBrowser;
for (const [side, length] of Object.entries({ width: arguments[0], height: arguments[1] })) {
    for (const which of ["min", "max"]) style.setProperty(`${which}-${side}`, `${length}px`);
}"""


class Engine:
    """A browser: opens pages, presses, types, runs scripts and takes pictures."""

    name = ""
    frame: str | None = None
    """The frame that commands are for."""

    def call(self, name: str, method: str, path: str, body: dict[str, Any]) -> Any:
        """Send a command of WebDriver; ``name`` is what Marionette calls it."""
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        raise NotImplementedError

    def open(self, address: str) -> None:
        self.call("Navigate", "POST", "/url", {"url": address})

    def back(self) -> None:
        """Go back by the button of the browser."""
        self.call("Back", "POST", "/back", {})

    def run(self, script: str, *args: object) -> Any:
        """Return the value of a JavaScript function for these arguments."""
        body = {"script": f"return ({script})(...arguments)", "args": list(args)}
        return self.call("ExecuteScript", "POST", "/execute/sync", body)

    def until(self, script: str, *args: object) -> Any:
        """Wait until a function returns something true, and return it."""
        end = time.monotonic() + SECONDS
        while not (value := self.run(script, *args)):
            assert time.monotonic() < end, f"{self.name}: {script} {args}"
            time.sleep(0.05)
        return value

    def find(self, selector: str) -> str:
        self.until("(one) => document.querySelector(one)?.checkVisibility()", selector)
        body = {"using": "css selector", "value": selector}
        return str(self.call("FindElement", "POST", "/element", body)[ELEMENT])

    def inside(self, selector: str | None) -> None:
        """Go on in a frame, or in the page around all frames."""
        self.frame = None
        self.call("SwitchToFrame", "POST", "/frame", {"id": None})
        if selector:
            one = {ELEMENT: self.find(selector)}
            self.call("SwitchToFrame", "POST", "/frame", {"id": one, "element": one})
        self.frame = selector

    def press(self, selector: str) -> None:
        self.until("(one) => document.querySelector(one)?.disabled !== true", selector)
        try:
            self.click(selector)
        except (AssertionError, HTTPError):  # an answer of the server replaced it meanwhile
            self.click(selector)

    def click(self, selector: str) -> None:
        one = self.find(selector)
        self.call("ElementClick", "POST", f"/element/{one}/click", {"id": one})

    def type(self, selector: str, text: str) -> None:
        one = self.find(selector)
        self.call("ElementSendKeys", "POST", f"/element/{one}/value", {"id": one, "text": text})

    def picture(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        taken = self.call("TakeScreenshot", "GET", "/screenshot", {"full": False})
        path.write_bytes(base64.b64decode(taken))


class Firefox(Engine):
    """Firefox over Marionette: messages are arrays in JSON, each after its length."""

    name = "firefox"

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.count = 0
        self.read()  # a greeting
        self.send("WebDriver:NewSession", {})

    def read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self.socket.recv(1)
        left, text = int(length[:-1]), b""
        while len(text) < left:
            text += self.socket.recv(left - len(text))
        return json.loads(text)

    def send(self, name: str, body: dict[str, Any]) -> Any:
        self.count += 1
        said = json.dumps([0, self.count, name, body]).encode()
        self.socket.sendall(b"%d:%s" % (len(said), said))
        _, _, error, answer = self.read()
        assert not error, error
        return answer.get("value") if answer else None

    def call(self, name: str, method: str, path: str, body: dict[str, Any]) -> Any:
        return self.send(f"WebDriver:{name}", body)

    def resize(self, width: int, height: int) -> None:
        """Make the page as large as a phone: the window has a least width, its pages have none."""
        self.send("Marionette:SetContext", {"value": "chrome"})
        self.send("WebDriver:ExecuteScript", {"script": RESIZE, "args": [width, height]})
        self.send("Marionette:SetContext", {"value": "content"})
        self.until("(width) => innerWidth === width", width)


class WebKit(Engine):
    """WebKit over HTTP."""

    name = "webkit"

    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}/session"
        options = {"webkitgtk:browserOptions": {"binary": str(WINDOW), "args": []}}
        session = self.ask("POST", "", {"capabilities": {"alwaysMatch": options}})
        self.root += f"/{session['sessionId']}"

    def ask(self, method: str, path: str, body: dict[str, Any]) -> Any:
        said = json.dumps(body).encode() if method == "POST" else None
        headers = {"Content-Type": "application/json"}
        request = Request(self.root + path, said, headers, method=method)
        with urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)["value"]

    def call(self, name: str, method: str, path: str, body: dict[str, Any]) -> Any:
        try:
            return self.ask(method, path, body)
        except HTTPError as error:
            if error.code != 404 or not self.frame:
                raise
            self.inside(self.frame)  # it is lost whenever it shows another page
            return self.ask(method, path, body)

    def picture(self, path: Path) -> None:
        """Take a picture with the next frame, for which something has to change."""
        self.run(REDRAWN)
        super().picture(path)

    def resize(self, width: int, height: int) -> None:
        self.ask("POST", "/window/rect", {"width": width, "height": height})
        self.until("(width) => innerWidth === width", width)


@contextmanager
def started(*command: str, **settings: str) -> Iterator[None]:
    """Run a program and those that it starts."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 15)
        process.wait(SECONDS)


@contextmanager
def firefox(folder: Path) -> Iterator[Engine]:
    program = next(filter(None, map(shutil.which, FIREFOX)))
    preferences = (
        f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in PREFERENCES.items()
    )
    (folder / "user.js").write_text("\n".join(preferences), encoding="utf-8")
    command = ("--headless", "--no-remote", "--marionette", "--remote-allow-system-access")
    with started(str(program), *command, "--profile", str(folder), HOME=str(folder)):
        opened = Firefox(int(written(folder / "MarionetteActivePort")))
        with opened.socket:
            yield opened


@contextmanager
def webkit(folder: Path) -> Iterator[Engine]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    display = f":{port}"
    quiet = {
        "DISPLAY": display,
        "HOME": str(folder),
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "WEBKIT_DATA": str(folder / "data"),
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # it opens only pages of the tests
    }
    driver = ("dbus-run-session", "--", "WebKitWebDriver", f"--port={port}")
    with (
        started("Xvfb", display, "-screen", "0", "1400x1000x24"),
        started(*driver, **quiet),
    ):
        listening(port)
        yield WebKit(port)


def written(file: Path) -> str:
    """Wait for a file with something in it."""
    end = time.monotonic() + SECONDS
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < end, file
        time.sleep(0.05)
    return file.read_text()


def listening(port: int) -> None:
    """Wait until a program listens at a port."""
    end = time.monotonic() + SECONDS
    while True:
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            return
        assert time.monotonic() < end, port
        time.sleep(0.05)


ENGINES = {"firefox": firefox, "webkit": webkit}


def missing(name: str) -> str:
    """Return what an engine needs and this machine has not, or nothing."""
    if name == "firefox":
        return "" if any(map(shutil.which, FIREFOX)) else "apt install firefox-esr"
    has_window = Path("/usr/lib/python3/dist-packages/gi").exists()
    if has_window and all(map(shutil.which, WEBKIT_PARTS)):
        return ""
    return "apt install webkit2gtk-driver xvfb dbus python3-gi gir1.2-webkit2-4.1"
