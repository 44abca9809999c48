"""How fast and how heavy the pages are on a slow phone, and how soon the others follow."""

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.paper import Found
from bench.serving import Served, serve, served
from scorekeeper.store.ledger import open_ledger

RUNS = 5
EXAMPLE = Path(__file__).parents[1] / "examples" / "evening.json"
PHONE = {"width": 390, "height": 844}
SLOW_4G = {"latency": 150, "downloadThroughput": 204_800, "uploadThroughput": 96_000}
SLOWER = 4
"""How many times slower its processor is."""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
ASKED_EVERY = 2500
PATIENCE = 20_000
"""In milliseconds, as the browser counts."""
LIGHT = {
    "first load": (60, "under 60 kB"),
    "requests": (6, "at most 6"),
    "script": (20, "under 20 kB"),
}
BARS = {
    "board": {"painted on a slow phone": (1, "under 1.00 s"), **LIGHT},
    "entry": LIGHT,
}
"""By page: what its first load may take."""
PEER = "432 kB (I Hate Money, stated)"


@dataclass(frozen=True)
class Load:
    """What the first load of a page took."""

    painted: float
    sizes: dict[str, float]
    """By address: bytes on the wire."""

    @property
    def kilobytes(self) -> float:
        return sum(self.sizes.values()) / 1000

    @property
    def script(self) -> float:
        return sum(size for address, size in self.sizes.items() if ".js" in address) / 1000


def open_evening(ours: Served, data: Path) -> str:
    """The address of the example evening, which the browser named ``phone`` may write."""
    about = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    order = {name: about[name] for name in ("title", "rules", "stake", "players")}
    opened = ours.call("POST", "/api/v1/games", order)
    for number, body in enumerate(about["rounds"]):
        ours.call(
            "POST",
            f"/api/v1/games/{opened['id']}/rounds",
            body,
            Authorization=f"Bearer {opened['pen']}",
            Idempotency_Key=f"round-{number}",
        )
    ledger = open_ledger(data)
    ledger.remember("phone", opened["id"], opened["pen"])
    ledger.close()
    return f"/g/{opened['id']}"


def new_phone(chromium: Any, ours: Served) -> Any:
    """A phone with nothing in its cache, that holds the pen."""
    address = f"http://127.0.0.1:{ours.port}"
    phone = chromium.new_context(viewport=PHONE, locale="de-DE", base_url=address)
    phone.add_cookies([{"name": "browser", "value": "phone", "url": address}])
    return phone


def first_load(chromium: Any, ours: Served, path: str) -> Load:
    """Open a page on a slow phone that was never here."""
    phone = new_phone(chromium, ours)
    page = phone.new_page()
    devtools = phone.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, float] = {}
    devtools.on(
        "Network.requestWillBeSent",
        lambda sent: addresses.update({sent["requestId"]: sent["request"]["url"]}),
    )
    devtools.on(
        "Network.loadingFinished",
        lambda got: sizes.update({addresses[got["requestId"]]: got["encodedDataLength"]}),
    )
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_4G})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path, wait_until="networkidle")
    page.wait_for_function(PAINTED, timeout=PATIENCE)
    painted = page.evaluate(PAINTED) / 1000
    phone.close()
    return Load(painted, sizes)


def loads(chromium: Any, ours: Served, game: str) -> Iterator[Found]:
    """Every page that is open all evening, each with what its first load took."""
    pages = {"board": "", "entry": "/round", "television": "/tv", "settlement": "/settlement"}
    for name, path in pages.items():
        runs = [first_load(chromium, ours, game + path) for _ in range(RUNS)]
        painted, load = median(one.painted for one in runs), runs[-1]
        bars = BARS.get(name, {})
        took = {
            "painted on a slow phone": (painted, f"{painted:.2f} s"),
            "first load": (load.kilobytes, f"{load.kilobytes:.1f} kB"),
            "requests": (len(load.sizes), str(len(load.sizes))),
            "script": (load.script, f"{load.script:.1f} kB"),
        }
        for what, (number, shown) in took.items():
            most, bar = bars.get(what, (float("inf"), ""))
            peer = PEER if (name, what) == ("board", "first load") else ""
            yield f"{name}: {what}", shown, peer, None, bar, number <= most


def followed(chromium: Any, ours: Served, game: str) -> Found:
    """From the press on save on one phone to the words on another."""
    writer, watcher = (new_phone(chromium, ours).new_page() for _ in range(2))
    watcher.goto(game)
    times = []
    for run in range(RUNS):
        writer.goto(f"{game}/round")
        number = writer.locator("form[data-kept]").get_attribute("data-kept")
        writer.locator("label[for=ender-0]").click()
        for seat in (1, 2, 3):
            writer.locator(f"#cell-{seat}").click()
            writer.locator(f"[name=hand-{seat}]").fill("5")
        save = writer.locator(".foot button[value=save]:enabled")
        save.wait_for()
        watcher.wait_for_timeout(run * ASKED_EVERY / RUNS)  # whenever it asked last
        pressed = time.perf_counter()
        save.click()
        watcher.locator("#cue", has_text=f"Runde {number}").wait_for(timeout=PATIENCE)
        times.append(time.perf_counter() - pressed)
        writer.wait_for_url("**#next")
    slowest = max(times)
    shown = f"{slowest:.2f} s", f"{median(times):.2f} s (median)"
    return "slowest to follow on another phone", *shown, None, "within 3.00 s", slowest <= 3


def measured() -> Iterator[Found]:
    """Every line about phones, as it comes; none where there is no browser."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        print("phones: left out, no Chromium is installed", file=sys.stderr)
        return
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as driver:
        data = Path(folder, "phone.sqlite")
        with served(*serve(data)) as ours:
            game = open_evening(ours, data)
            chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
            yield from loads(chromium, ours, game)
            yield followed(chromium, ours, game)
            chromium.close()


def main() -> None:
    """Only the phones."""
    for what, own, beside, _, bar, held in measured():
        kept = "" if not bar else "held" if held else "MISSED"
        print(f"{what:<36} {own:>8}  {beside:<30} {bar:<14} {kept}")


if __name__ == "__main__":
    main()
