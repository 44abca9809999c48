"""The edition without a server in Firefox and in WebKit, which iPhones run.

The WebKit of Debian cannot keep the record: it has no synchronous access to private files, which
Safari has. There it is kept in memory, and not sought after a new start.
"""

import base64
import json
import time

from engines import Engine
from pictures import scene
from tools.in_browser.driving import PATIENCE_MS, Host
from web.pages.phone import SIX
from web.pages.test_engines import TOTALS, digits, engine, save  # noqa: F401
from web.pages.test_sight import FINGER, FLAWS

SHOWN = """() => {
    const [frame, soon] = ["frame", "soon"].map((id) => document.getElementById(id));
    return document.getElementById("trouble").innerText.trim() || (!frame.hidden && soon.hidden);
}"""
LOADED = "() => document.readyState === 'complete'"
IN_MEMORY = """in_memory();
    function in_memory() {
      let copy = new Uint8Array(0);
      const resize = (size) => { const old = copy; copy = new Uint8Array(size); copy.set(old.subarray(0, size)); };
      return {
        getSize: () => copy.length, flush() {}, close() {}, truncate: resize,
        read(into, { at }) {
          const from = copy.subarray(at, at + into.byteLength);
          new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(from);
          return from.length;
        },
        write(from, { at }) {
          if (at + from.byteLength > copy.length) resize(at + from.byteLength);
          copy.set(new Uint8Array(from.buffer, from.byteOffset, from.byteLength), at);
          return from.byteLength;
        },
      };
    }"""  # noqa: E501
"""A file that is lost with its page."""
READ = """(address, text) => {
    const body = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const asked = fetch(address, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body });
    asked.then((answer) => answer.text()).then((told) => (document.body.dataset.told = told));
}"""  # noqa: E501


def started(engine: Engine, host: Host) -> None:  # noqa: F811
    """Open the edition and wait until Python answers."""
    engine.inside(None)
    engine.open(host.address)
    ends = time.monotonic() + PATIENCE_MS / 1000
    while (shown := engine.run(SHOWN)) is False:
        assert time.monotonic() < ends
        time.sleep(0.2)

    assert shown is True
    engine.inside("#frame")


def go(engine: Engine, address: str, until: str) -> None:  # noqa: F811
    """Open a page in the frame, and wait for a part of it."""
    engine.run("(address) => void (location.href = address)", address)
    engine.until("(address) => location.href === address", address)
    engine.until(LOADED)
    engine.find(until)


def test_an_evening_and_a_photograph(engine: Engine, host: Host) -> None:  # noqa: F811
    keeps = engine.name == "firefox"
    if not keeps:
        host.change("shell-*/storage.js", "await handle.createSyncAccessHandle();", IN_MEMORY)
    started(engine, host)
    app = f"{host.address}app/"
    go(engine, f"{app}new?preset=german-family", ".seat [name=name]")
    for seat, name in enumerate(SIX[:4], 1):
        engine.type(f":nth-child({seat} of .seat) [name=name]", name)
    engine.press(".foot button")
    game = engine.until("() => /\\/g\\/\\w+$/.test(location.pathname) && location.href")
    for points in ((12, 35, 60), (20, 7, 3)):
        go(engine, f"{game}/round", "form.fast")
        engine.press("label[for=ender-0]")
        for seat, number in enumerate(points, 1):
            engine.press(f"#cell-{seat}")
            if engine.run("() => document.querySelector('.asks-way') !== null"):
                engine.press(f"label[for=way-{seat}-points]")
            digits(engine, number)
        save(engine)

    assert engine.run(TOTALS) == ["0", "32", "42", "63"]
    engine.until(LOADED)
    assert engine.run(FLAWS, FINGER) == []
    go(engine, f"{game}/settlement", "h1")
    assert "Dieter" in engine.run("() => document.querySelector('main').innerText")

    address = f"{app}api/v1/cards/recognise?packs=2&jokers=6"
    engine.run(READ, address, base64.b64encode(scene("twins")).decode())
    told = json.loads(engine.until("() => document.body.dataset.told"))
    assert "rows" in told, told
    cards = sorted(seen["card"] for row in told["rows"] for seen in row["cards"])
    assert cards == sorted(["8D", "9S", "9S", "3C", "QH"])

    if not keeps:
        return
    host.stop()  # what follows comes from this browser alone
    started(engine, host)
    go(engine, game, ".pad .total")
    # Shown at once from the last visit, and loaded again when Python is ready.
    assert engine.until(TOTALS) == ["0", "32", "42", "63"]
    host.start()
