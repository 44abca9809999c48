"""Acknowledged rounds survive the sudden end of the browser (N1)."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import ConsoleMessage, Playwright

from bars import trying
from patience import wait_until
from scorekeeper.services.import_checks import HOST
from scorekeeper.services.imports import read_game
from tools.in_browser.driving import Host, Killable, Shell

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


class Stream(NamedTuple):
    """Rounds that were being recorded when the browser was killed."""

    game: dict[str, Any]
    acknowledged: int


class Phone:
    """A profile on the disk, and the browser with the edition that is killed and starts again.

    Each start checks what was there at the end of the last one and records the next rounds, since
    a start takes longer than all the rest.
    """

    def __init__(self, driver: Playwright, profile: Path, host: Host) -> None:
        self._driver, self._profile, self._host = driver, profile, host
        self.turn_on()

    def turn_on(self) -> None:
        self._browser = Killable(self._driver, self._profile)
        self.shell = Shell(self._browser.phone, self._host).open()
        self._pane = self.shell.ready()

    def kill(self) -> None:
        self._browser.kill()

    def killed_while_recording(self, after: float) -> Stream:
        """Begin a game, record rounds, and kill the browser some time after the first of them."""
        count = 0

        def heard(said: ConsoleMessage) -> None:
            nonlocal count
            count += said.text == "acknowledged"

        tab, pane = self.shell.tab, self._pane
        tab.on("console", heard)
        game: dict[str, Any] = pane.evaluate(CREATE, pane.root)
        asked = json.dumps([pane.root, game["id"], game["pen"]])
        pane.evaluate(f"void ({RECORD})({asked})")
        wait_until(lambda: count or self.shell.complaints, lambda: tab.wait_for_timeout(5))
        assert self.shell.complaints == []
        ends = time.monotonic() + after
        while time.monotonic() < ends:
            tab.wait_for_timeout(5)
        self.kill()
        return Stream(game, count)

    def lost(self, stream: Stream) -> int:
        """Return how many acknowledged rounds are missing; the chain of the others must be whole.

        Less than none may be: the last ones were saved, and their acknowledgement on its way.
        """
        game = stream.game
        asked = [self._pane.root, game["id"], game["pen"]]
        try:
            checked = read_game(json.loads(self._pane.evaluate(EXPORT, asked)), HOST)
        except (KeyError, ValueError):  # not even the game is there
            return stream.acknowledged
        return stream.acknowledged - len(checked.book.sheet.rows)


@contextmanager
def phone(driver: Playwright, profile: Path, host: Host) -> Iterator[Phone]:
    made = Phone(driver, profile, host)
    try:
        yield made
    finally:
        made.kill()


@pytest.mark.bar("N1")
def test_no_acknowledged_round_is_lost_when_the_browser_is_killed(
    profile: Path, host: Host, driver: Playwright
) -> None:
    streams = []
    with phone(driver, profile, host) as used:
        for dice in trying("N1"):
            streams.append(used.killed_while_recording(dice.uniform(0.0, 1.0)))
            used.turn_on()

            assert streams[-1].acknowledged > 0
            assert used.lost(streams[-1]) <= 0
        assert all(used.lost(stream) <= 0 for stream in streams)  # nor by a later kill


@pytest.mark.bar("N1", control="no flush")
def test_without_writing_through_rounds_are_lost(
    tmp_path: Path, host: Host, driver: Playwright
) -> None:
    host.change("shell-*/storage.js", "await handle.createSyncAccessHandle();", LAZY)
    with phone(driver, tmp_path, host) as used:
        for dice in trying("N1", 1):
            stream = used.killed_while_recording(dice.uniform(0.0, 1.0))
            used.turn_on()

            assert stream.acknowledged > 0
            assert used.lost(stream) > 0
