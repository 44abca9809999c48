"""Acknowledged rounds survive the sudden end of the browser (N1)."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Playwright

from bars import trying
from patience import wait_until
from scorekeeper.services.import_checks import HOST
from scorekeeper.services.imports import read_game
from tools.in_browser.driving import Host, Killable, Pane, Shell

CREATE = """async (root) => {
    const game = { title: "", rules: { preset: "german-family" }, players: [{ name: "Anna" }, { name: "Ben" }] };
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${root}api/v1/games`, { method: "POST", headers, body: JSON.stringify(game) });
    return answer.json();
}"""  # noqa: E501
RECORD = """async ([root, id, pen]) => {
    const usual = { "Content-Type": "application/json", Authorization: `Bearer ${pen}` };
    const body = JSON.stringify({ outcome: "out", winner: 0, seats: [{}, { points: 15 }] });
    for (;;) {
        const headers = { ...usual, "Idempotency-Key": crypto.randomUUID() };
        const answer = await fetch(`${root}api/v1/games/${id}/rounds`, { method: "POST", headers, body });
        if (answer.status !== 201) throw new Error(await answer.text());
        console.log("acknowledged");
    }
}"""  # noqa: E501
EXPORT = """async ([root, id, pen]) => {
    const headers = { Authorization: `Bearer ${pen}` };
    return (await fetch(`${root}api/v1/games/${id}/export.json`, { headers })).text();
}"""
REMEMBERS = """async () => {
    for (const name of await caches.keys()) {
        const known = await (await caches.open(name)).keys();
        if (known.some(({ url }) => url.includes("/memory?"))) return true;
    }
}"""
"""Whether the next start begins with the memory of this one."""
LAZY = """lazy(await handle.createSyncAccessHandle());
    function lazy(real) {
      let copy = new Uint8Array(real.getSize());
      real.read(copy, { at: 0 });
      let due = null;
      const later = () => (due ??= setTimeout(() => ((due = null), real.truncate(0), real.write(copy, { at: 0 }), real.flush()), 60_000));
      const resize = (size) => { const old = copy; copy = new Uint8Array(size); copy.set(old.subarray(0, size)); };
      return {
        getSize: () => copy.length, flush() {}, close() {},
        truncate(size) { resize(size); later(); },
        read(into, { at }) {
          const from = copy.subarray(at, at + into.byteLength);
          new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(from);
          return from.length;
        },
        write(from, { at }) {
          if (at + from.byteLength > copy.length) resize(at + from.byteLength);
          copy.set(new Uint8Array(from.buffer, from.byteOffset, from.byteLength), at);
          later();
          return from.byteLength;
        },
      };
    }"""  # noqa: E501
"""A file that is written a minute later."""


@contextmanager
def opened(driver: Playwright, profile: Path, host: Host) -> Iterator[tuple[Killable, Shell, Pane]]:
    browser = Killable(driver, profile)
    shell = Shell(browser.phone, host).open()
    try:
        yield browser, shell, shell.ready()
    finally:
        browser.kill()


@contextmanager
def used(driver: Playwright, folder: Path, host: Host) -> Iterator[Path]:
    """Yield a profile in which the edition has been started before, so that it starts fast."""
    profile = folder / "used"
    profile.mkdir()
    with opened(driver, profile, host) as (_, shell, _):
        wait_until(lambda: shell.tab.evaluate(REMEMBERS), lambda: shell.tab.wait_for_timeout(50))
    yield profile
    shutil.rmtree(profile)


def rounds_acknowledged(
    driver: Playwright, profile: Path, host: Host, after: float
) -> tuple[dict[str, Any], int]:
    """Return a game, and how many of its rounds were acknowledged before the end."""
    count = 0

    def heard(said: ConsoleMessage) -> None:
        nonlocal count
        count += said.text == "acknowledged"

    with opened(driver, profile, host) as (browser, shell, pane):
        shell.tab.on("console", heard)
        game: dict[str, Any] = pane.evaluate(CREATE, pane.root)
        asked = json.dumps([pane.root, game["id"], game["pen"]])
        pane.evaluate(f"void ({RECORD})({asked})")
        wait_until(lambda: count or shell.complaints, lambda: shell.tab.wait_for_timeout(5))
        assert shell.complaints == []
        ends = time.monotonic() + after
        while time.monotonic() < ends:
            shell.tab.wait_for_timeout(5)
        browser.kill()
    return game, count


def rounds_there(driver: Playwright, profile: Path, host: Host, game: dict[str, Any]) -> int:
    """Return how many rounds the game has after a new start; its chain must be whole."""
    with opened(driver, profile, host) as (_, _, pane):
        export = json.loads(pane.evaluate(EXPORT, [pane.root, game["id"], game["pen"]]))
    checked = read_game(export, HOST)
    return len(checked.book.sheet.rows)


def lost(dice: Random, driver: Playwright, host: Host, before: Path) -> tuple[int, int]:
    """Return how many rounds were acknowledged, and how many of them are lost."""
    profile = before.with_name("killed")
    shutil.rmtree(profile, ignore_errors=True)
    shutil.copytree(before, profile, ignore=shutil.ignore_patterns("Singleton*"))
    game, acknowledged = rounds_acknowledged(driver, profile, host, dice.uniform(0.0, 1.0))
    try:
        there = rounds_there(driver, profile, host, game)
    except (KeyError, ValueError):  # not even the game is there
        there = 0
    return acknowledged, acknowledged - there


@pytest.mark.bar("N1")
def test_no_acknowledged_round_is_lost_when_the_browser_is_killed(
    tmp_path: Path, host: Host, driver: Playwright
) -> None:
    with used(driver, tmp_path, host) as before:
        for dice in trying("N1"):
            acknowledged, missing = lost(dice, driver, host, before)

            assert acknowledged > 0
            assert missing <= 0  # the last ones may be saved, and their acknowledgement on its way


@pytest.mark.bar("N1", control="no flush")
def test_without_writing_through_rounds_are_lost(
    tmp_path: Path, host: Host, driver: Playwright
) -> None:
    host.change("shell-*/storage.js", "await handle.createSyncAccessHandle();", LAZY)
    with used(driver, tmp_path, host) as before:
        for dice in trying("N1", 1):
            acknowledged, missing = lost(dice, driver, host, before)

            assert acknowledged > 0
            assert missing > 0
