"""Load times and sizes of pages on a slow phone, the work of a press, how soon others follow."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.measuring import peers_folder
from bench.requests import BOARD, ENTRY, SAVE, SETTLEMENT, TELEVISION
from bench.serving import Served, serve, served
from bench.table import Effort, Row, at_most, format_seconds, note, under
from bench.web import open_example
from bench.wire import counting
from scorekeeper.store import open_ledger
from tools.browser import browser_path

PHONE = {"width": 390, "height": 844}
SLOW_4G = {"latency": 150, "downloadThroughput": 204_800, "uploadThroughput": 96_000}
SLOWER = 4
"""The slowdown of its processor."""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
ASKED_EVERY = 2500
PATIENCE = 20_000
"""In milliseconds, as the browser counts."""
MAX_KB, MAX_REQUESTS, MAX_SCRIPT_KB, PAINTED_S, FOLLOWED_S = 60, 6, 20, 1, 3
MAX_PRESS_MS = 100
KEYS = {"digit": "points", "rank": "ranks", "card": "cards"}
"""The keys of the entry form, by the way of entry."""
WORK = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
PAINTED_TWICE = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PAGES = {
    "board": BOARD,
    "entry page": ENTRY,
    "television": TELEVISION,
    "settlement": SETTLEMENT,
}
"""The pages that stay open all evening."""
BARRED = {"board": "", "entry page": "add"}
"""The pages with a size limit, and the comparable page of I Hate Money."""


@dataclass(frozen=True)
class Load:
    """The first load of a page."""

    painted: float
    sizes: dict[str, int]
    """Bytes transferred, by address."""

    @property
    def kilobytes(self) -> float:
        return sum(self.sizes.values()) / 1000

    @property
    def script(self) -> float:
        return sum(size for address, size in self.sizes.items() if ".js" in address) / 1000


def open_evening(ours: Served, data: Path) -> str:
    """Return the address of the example evening, which the browser ``phone`` may write."""
    opened, rounds = open_example(ours)
    for number, body in enumerate(rounds):
        ours.call(
            "POST",
            f"/api/v1/games/{opened['id']}/rounds",
            body,
            Authorization=f"Bearer {opened['pen']}",
            Idempotency_Key=f"round-{number}",
        )
    ledger = open_ledger(data)
    ledger.rights.remember("phone", opened["id"], opened["pen"])
    ledger.close()
    return f"/g/{opened['id']}"


def new_phone(chromium: Any, server: Served) -> Any:
    """Return a phone with an empty cache that holds the pen."""
    address = f"http://127.0.0.1:{server.port}"
    # Pages may forbid the expressions with which the paint is waited for.
    phone = chromium.new_context(viewport=PHONE, locale="de-DE", base_url=address, bypass_csp=True)
    phone.add_cookies([{"name": "browser", "value": "phone", "url": address}])
    return phone


def first_load(chromium: Any, server: Served, path: str, invited: str = "") -> Load:
    """Load a page on a slow phone with an empty cache, after an optional invitation."""
    phone = new_phone(chromium, server)
    if invited:
        phone.request.get(invited)
    page = phone.new_page()
    tools, sizes = counting(phone, page)
    tools.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_4G})
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path, wait_until="networkidle")
    page.wait_for_function(PAINTED, timeout=PATIENCE)
    painted = page.evaluate(PAINTED) / 1000
    phone.close()
    return Load(painted, sizes)


def loads(effort: Effort, chromium: Any, ours: Served, game: str) -> Iterator[Row]:
    """Yield rows for the first load of each page."""
    with others(chromium) as other:
        for name, request in PAGES.items():
            path = request.replace("GET /g/{game}", game)
            peers: list[Load] = []
            runs = []
            for _ in range(effort.runs):
                runs.append(first_load(chromium, ours, path))
                peers += [other(name)] if other and name in BARRED else []
            yield from weighed(name, runs, peers)


def weighed(name: str, runs: list[Load], peers: list[Load]) -> Iterator[Row]:
    """Yield rows for one page: the time to first paint, and the bytes transferred."""
    painted, load = median(run.painted for run in runs), runs[-1]
    light = (
        under(load.kilobytes, MAX_KB, " kB"),
        at_most(len(load.sizes), MAX_REQUESTS, " requests"),
        under(load.script, MAX_SCRIPT_KB, " kB of script"),
    )
    loaded = Row(
        what=f"{name}, first load",
        request=PAGES[name],
        work=f"script {load.script:.1f} kB",
        ours=f"{load.kilobytes:.1f} kB, {len(load.sizes)} requests",
        bars=light if name in BARRED else (),
    )
    seen = Row(
        what=f"{name}, seen",
        request=PAGES[name],
        work="slow 4G, a slow phone",
        ours=format_seconds(painted),
        bars=(under(painted, PAINTED_S, " s"),) if name == "board" else (),
    )
    if peers:
        other, soon = peers[-1], median(peer.painted for peer in peers)
        weight = f"{other.kilobytes:.0f} kB, {len(other.sizes)} requests (I Hate Money)"
        loaded = replace(loaded, baseline=weight, ratio=load.kilobytes / other.kilobytes)
        seen = replace(
            seen, baseline=f"{format_seconds(soon)} (I Hate Money)", ratio=painted / soon
        )
    yield loaded
    yield seen


@contextmanager
def others(chromium: Any) -> Iterator[Callable[[str], Load] | None]:
    """Yield a loader of the page of I Hate Money; None and a message if not installed."""
    place = peers_folder() / "ihatemoney"
    if not place.is_dir():
        note("I Hate Money is not installed (make peers)")
        yield None
        return
    with (
        TemporaryDirectory() as folder,
        served("-m", "bench.ihatemoney", folder, PYTHONPATH=str(place)) as server,
    ):
        invited = Path(folder, "invited").read_text()
        yield lambda name: first_load(chromium, server, f"/demo/{BARRED[name]}", invited)


def presses(effort: Effort, chromium: Any, ours: Served, game: str) -> Iterator[Row]:
    """Yield the work of the browser for a press in the entry form, without a connection.

    It is counted in processor time, which does not depend on what else the machine does, and
    multiplied for a slow phone.
    """
    for name, way in KEYS.items():
        phone = new_phone(chromium, ours)
        page = phone.new_page()
        tools = phone.new_cdp_session(page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(f"{game}/round")
        page.locator("label[for=ender-0]").click()
        page.locator(f".current label[for$=-{way}]").click()
        page.wait_for_load_state("networkidle")
        phone.set_offline(True)
        key = page.locator(f"[data-pad={way}] .key:not(.tool):enabled").first
        work = []
        for _ in range(effort.runs):
            before = work_so_far(tools)
            key.click()
            page.evaluate(PAINTED_TWICE)
            work.append(work_so_far(tools) - before)
        phone.close()
        slow = 1000 * SLOWER * median(work)
        yield Row(
            what=f"a {name} is pressed",
            request=ENTRY,
            work="script, styles and layout, a slow phone",
            ours=f"{slow:.0f} ms",
            bars=(under(slow, MAX_PRESS_MS, " ms"),),
        )


def work_so_far(tools: Any) -> float:
    """Return the seconds of processor time that a page has taken."""
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return float(sum(metric["value"] for metric in metrics if metric["name"] in WORK))


def followed(effort: Effort, chromium: Any, ours: Served, game: str) -> Row:
    """Return the time from saving on one phone until another one shows it."""
    writer, watcher = (new_phone(chromium, ours).new_page() for _ in range(2))
    watcher.goto(game)
    times = []
    for run in range(effort.runs):
        writer.goto(f"{game}/round")
        number = writer.locator("form[data-draft]").get_attribute("data-draft")
        writer.locator("label[for=ender-0]").click()
        for seat in (1, 2, 3):
            writer.locator(f"#cell-{seat}").click()
            writer.locator(f"[name=hand-{seat}]").fill("5")
        save = writer.locator(".foot button[value=save]:enabled")
        save.wait_for()
        watcher.wait_for_timeout(run * ASKED_EVERY / effort.runs)  # vary the moment in its poll
        pressed = time.perf_counter()
        save.click()
        watcher.locator("#cue", has_text=f"Runde {number}").wait_for(timeout=PATIENCE)
        times.append(time.perf_counter() - pressed)
        writer.wait_for_url("**#next")
    slowest = max(times)
    return Row(
        what="seen on another phone",
        request=SAVE,
        work=f"{len(times)} rounds saved",
        ours=f"{format_seconds(median(times))} ({format_seconds(slowest)} the slowest)",
        bars=(at_most(slowest, FOLLOWED_S, " s"),),
    )


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about phones; none if there is no browser."""
    path = browser_path()
    if not path:
        note("left out: no Chromium is installed")
        return
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as driver:
        data = Path(folder, "phone.sqlite")
        with served(*serve(data)) as ours:
            game = open_evening(ours, data)
            chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
            yield from loads(effort, chromium, ours, game)
            yield from presses(effort, chromium, ours, game)
            yield followed(effort, chromium, ours, game)
            chromium.close()
