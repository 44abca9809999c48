"""The edition without a server: visits, and recording a round, also on a slow processor."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from bench.table import Effort, Row, at_most, format_seconds
from tools.in_browser.build import build, megabytes
from tools.in_browser.driving import PATIENCE_MS, Host, Killable, Shell
from tools.in_browser.libraries import ROOT

SLOWER = 4
FIRST_S, SHOWN_S, READY_S = {1: 5, SLOWER: 12}, {1: 0.5, SLOWER: 1}, {1: 2.5, SLOWER: 6}
"""The limits, by how much slower the processor is."""
ROUND_MS = 150
MAX_MB = 12
ROUNDS = 20
BEGIN = """async (root) => {
    const page = await (await fetch(`${root}new`)).text();
    const form = new DOMParser().parseFromString(page, "text/html").querySelector("[name=name]").form;
    const body = new URLSearchParams(new FormData(form));
    for (const name of ["name", "do"]) body.delete(name);
    for (const name of ["Anna", "Bernd", "Claire", "Dieter"]) body.append("name", name);
    body.set("preset", "romme-palast");
    body.set("do", "start");
    return (await fetch(`${root}new`, { method: "POST", body })).url.split("?")[0];
}"""  # noqa: E501
RECORD = """async (board) => {
    const page = await (await fetch(`${board}/round`)).text();
    const form = new DOMParser().parseFromString(page, "text/html").querySelector("[name=winner]").form;
    const body = new URLSearchParams(new FormData(form));
    body.set("winner", "0");
    for (const seat of [1, 2, 3]) body.set(`hand-${seat}`, "17");
    body.set("do", "save");
    const began = performance.now();
    const answer = await fetch(`${board}/round`, { method: "POST", body });
    await answer.text();
    if (!answer.redirected) throw new Error(answer.status);
    return performance.now() - began;
}"""  # noqa: E501


@dataclass(frozen=True)
class Visit:
    """How long one start took, in seconds."""

    shown: float
    """Until a page was on the screen."""
    ready: float
    """Until Python answered."""


def measured(effort: Effort) -> Iterator[Row]:
    """Yield the rows of this group."""
    target = ROOT / "build" / "browser"
    build(target)
    loaded = megabytes(target)
    yield Row(
        what="edition in a browser",
        request="first visit",
        work="loaded",
        ours=f"{loaded:.1f} MB",
              bars=(at_most(loaded, MAX_MB, " MB"),))  # fmt: skip
    with TemporaryDirectory() as folder:
        host = Host(target, Path(folder) / "www")
        for slower in (1, SLOWER):
            yield from rows(host, Path(folder) / f"profile-{slower}", slower, effort.runs)
        host.stop()


def rows(host: Host, profile: Path, slower: int, runs: int) -> Iterator[Row]:
    """Yield the rows for one speed of the processor."""
    what = "edition in a browser" if slower == 1 else f"the same, {slower} times slower"
    profile.mkdir()
    first, _ = visit(host, profile, slower)
    yield row(what, "first visit", "ready", first.ready, FIRST_S[slower])
    later = [visit(host, profile, slower) for _ in range(max(runs, 2))]
    yield row(what, "later visit", "last page shown", median(one.shown for one, _ in later), SHOWN_S[slower])  # noqa: E501  # fmt: skip
    yield row(what, "later visit", "ready", median(one.ready for one, _ in later), READY_S[slower])
    recorded = median(took for _, times in later for took in times)
    yield Row(
        what=what,
        request="save a round",
        work="to the new board",
        ours=f"{recorded:.0f} ms",
              bars=(at_most(recorded, ROUND_MS, " ms"),))  # fmt: skip


def row(what: str, request: str, work: str, seconds: float, limit: float) -> Row:
    bars = (at_most(round(seconds, 2), limit, " s"),)
    return Row(what=what, request=request, work=work, ours=format_seconds(seconds), bars=bars)


def visit(host: Host, profile: Path, slower: int) -> tuple[Visit, list[float]]:
    """Start the browser, open the edition, and record some rounds; return how long it took."""
    with sync_playwright() as driver:
        browser = Killable(driver, profile)
        try:
            with browser.slowed(slower):
                began = time.perf_counter()
                shell = Shell(browser.phone, host).open()
                shell.tab.locator("#frame").wait_for(timeout=PATIENCE_MS)
                shown = time.perf_counter() - began
                pane = shell.ready()
                ready = time.perf_counter() - began
                board = pane.evaluate(BEGIN, pane.root)
                times = [pane.evaluate(RECORD, board) for _ in range(ROUNDS)]
        finally:
            browser.kill()
    return Visit(shown, ready), times
