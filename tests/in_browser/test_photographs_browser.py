"""Cards in photographs are read in the browser as they are on a server, once that is wanted."""

import base64
import json
from typing import Any

import pytest
from PIL import Image

from browsers import Pocket
from in_browser.test_shell_browser import fetch_update
from pictures import scene, stored
from scorekeeper.services.photographs import cards_in
from tools.in_browser.driving import Host
from web.pages.test_photo_browser import take

NEAR = 0.01
"""How much places and likelihoods may differ: browsers decode a JPEG a little differently."""
SCENES = ("fan-in-the-dark", "hand-of-thirteen", "joker", "twins")
"""A dark scene, a full one, rows, and identical cards: each takes seconds in a browser."""
BLANK = stored(Image.new("RGB", (300, 200), "green"))
READ = """async ([root, text]) => {
    const body = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const headers = { "Content-Type": "image/jpeg" };
    const address = `${root}api/v1/cards/recognise?packs=2&jokers=6`;
    const answer = await fetch(address, { method: "POST", headers, body });
    return [answer.status, await answer.text()];
}"""


def read(pocket: Pocket, picture: bytes) -> tuple[int, Any]:
    coded = base64.b64encode(picture).decode()
    status, text = pocket.page.evaluate(READ, [pocket.page.root, coded])
    return status, json.loads(text)


def ask(pocket: Pocket) -> None:
    """Ask for the cards in a photograph without waiting for them."""
    asked = json.dumps([pocket.page.root, base64.b64encode(scene("twins")).decode()])
    pocket.page.evaluate(f"void ({READ})({asked}).then((answer) => (self.told = answer))")


def loaded(host: Host) -> bool:
    return any("/photographs-" in path for path in host.asked)


def names(rows: list[dict[str, Any]]) -> list[list[str]]:
    return [[seen["card"] for seen in row["cards"]] for row in rows]


def test_cards_are_read_as_on_a_server_and_later_without_a_network(
    pocket: Pocket, host: Host
) -> None:
    assert not loaded(host)
    for number, name in enumerate(SCENES):
        picture = scene(name)
        status, told = read(pocket, picture)
        wanted = cards_in(picture, 2, 6)

        assert status == 200, told
        assert names(told["rows"]) == names(wanted), name
        for row, known in zip(told["rows"], wanted, strict=True):
            for seen, other in zip(row["cards"], known["cards"], strict=True):
                assert seen["alternatives"] == other["alternatives"]
                assert seen["sure"] == pytest.approx(other["sure"], abs=NEAR)
                assert seen["box"] == pytest.approx(other["box"], abs=NEAR)
        if not number:
            host.stop()
    host.start()

    assert loaded(host)


def test_what_is_no_picture_and_what_shows_no_cards_is_said(running_edition: Pocket) -> None:
    for picture, code in ((b"no picture", "E_PICTURE"), (BLANK, "E_NO_CARDS")):
        status, told = read(running_edition, picture)

        assert status == 422
        assert told["problems"][0]["code"] == code


def test_a_hand_is_photographed_on_the_entry_page(running_edition: Pocket) -> None:
    pocket = running_edition
    board = pocket.begin()
    pocket.open(board)
    pocket.ends(0)
    take(pocket, scene("twins"))

    assert len(pocket.held(1).split()) == 5


def test_without_what_it_needs_the_page_says_why_and_offers_it_again(
    pocket: Pocket, host: Host
) -> None:
    host.stop()
    ask(pocket)
    dialog = pocket.shell.tab.locator("#reader")
    dialog.get_by_text("could not be loaded").wait_for()

    assert "MB" in dialog.locator("#reader-load").inner_text()
    dialog.get_by_role("button", name="Not now").tap()
    pocket.page.wait_for_function("() => self.told")

    assert pocket.page.evaluate("told[0]") == 503
    assert "tap the cards" in pocket.page.evaluate("told[1]")
    host.start()


@pytest.mark.parametrize("answer", ["Load", "Not now"])
def test_where_bytes_are_counted_it_asks_first(pocket: Pocket, host: Host, answer: str) -> None:
    tab = pocket.shell.tab
    tab.evaluate("Object.defineProperty(navigator, 'connection', { value: { type: 'cellular' } })")
    ask(pocket)
    tab.locator("#reader").wait_for()

    assert "1.8 MB" in tab.locator("#reader-line").inner_text()
    assert not loaded(host)
    tab.locator("#reader").get_by_role("button", name=answer).tap()
    pocket.page.wait_for_function("() => self.told")

    assert loaded(host) == (answer == "Load")
    assert pocket.page.evaluate("told[0]") == (200 if answer == "Load" else 503)


def test_a_new_version_comes_with_the_reader(pocket: Pocket, host: Host) -> None:
    read(pocket, scene("twins"))
    host.release()
    fetch_update(pocket)
    pocket.shell.tab.close()
    host.stop()
    pocket.turn_on()
    status, _ = read(pocket, scene("twins"))

    assert status == 200
    host.start()
