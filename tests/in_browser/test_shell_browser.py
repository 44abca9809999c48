"""The page around the program: one owner, updates as a whole, files, links, sentences."""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from browsers import Pocket
from in_browser.test_evening_browser import play
from in_browser.test_same_answers_browser import take_in
from scorekeeper.domain.game.changes import score_for
from scorekeeper.in_browser.edition import Edition
from scorekeeper.services import games
from scorekeeper.services.copies import copy_lines, read_copy, take_copy
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.schemas import NewGameSchema
from scorekeeper.wire.strict import load
from tools.in_browser.driving import PATIENCE_MS, Host, Shell

GAME = {
    "title": "",
    "rules": {"preset": "german-family"},
    "players": [{"name": "Anna"}, {"name": "Ben"}],
}


def test_a_second_tab_says_so_and_takes_over_when_asked(pocket: Pocket) -> None:
    board = pocket.begin()
    play(pocket, board, 12)
    second = Shell(pocket.phone, pocket.host).open()
    trouble = second.tab.locator("#trouble")
    trouble.wait_for(timeout=PATIENCE_MS)

    assert "open in another window" in trouble.inner_text()
    second.tab.locator("#act").tap()
    pane = second.ready()
    pocket.shell.tab.locator("#trouble").wait_for(timeout=PATIENCE_MS)

    assert "Another window is writing" in pocket.shell.tab.locator("#trouble").inner_text()
    pane.goto(board)
    assert pane.locator(".pad .total").all_inner_texts() == ["0", "12", "12", "12"]


def test_a_new_version_comes_as_a_whole_at_the_next_start(pocket: Pocket, host: Host) -> None:
    board = pocket.begin()
    play(pocket, board, 12)
    later = host.release()
    fetch_update(pocket)
    assert version(pocket.shell) != later  # the evening goes on with the old one
    play(pocket, board, 7)
    pocket.shell.tab.close()
    host.stop()  # it is complete, and needs no network
    pocket.turn_on()

    assert version(pocket.shell) == later
    pocket.page.goto(board)
    assert pocket.totals() == ["0", "19", "19", "19"]
    host.start()


def fetch_update(pocket: Pocket) -> None:
    """Let the browser look for a new version, and wait until it has loaded it."""
    pocket.shell.tab.evaluate(
        """async () => {
            const known = await navigator.serviceWorker.getRegistration();
            await known.update();
            const next = known.installing ?? known.waiting;
            if (next.state !== "installed") await new Promise((done) => next.onstatechange = done);
        }"""
    )


def version(shell: Shell) -> str:
    return str(json.loads(shell.tab.locator("#build").text_content() or "")["version"])


def test_without_a_network_everything_opens(pocket: Pocket, host: Host) -> None:
    pocket.shell.tab.close()
    host.stop()
    pocket.turn_on()
    for path in ("/new", "/pads", "/referee", "/groups/new", "/evenings", "/copies"):
        pocket.page.goto(path)

        assert pocket.page.locator("h1").count() == 1, path
    host.start()


def test_a_form_opened_without_a_network_has_what_it_needs(pocket: Pocket) -> None:
    board = pocket.begin()
    pocket.phone.set_offline(True)
    pocket.open(board)

    expect(pocket.page.get_by_text("No connection.")).to_be_hidden(timeout=1000)
    pocket.ends(0)
    pocket.digits(12)
    pocket.shell.tab.reload()
    pocket.page = pocket.shell.ready()  # says that it is, though the form was not loaded again
    pocket.phone.set_offline(False)

    assert pocket.held(1) == "12"


def offered_copy(pocket: Pocket) -> None:
    """Let the page make a copy of everything, which can be sent or saved then."""
    pocket.page.goto("/copies")
    pocket.page.get_by_role("link", name="Save a copy").tap()
    pocket.shell.tab.locator("#paper").wait_for()


def saved_copy(pocket: Pocket, tmp_path: Path) -> Path:
    """Save a copy of everything as a file."""
    offered_copy(pocket)
    tab = pocket.shell.tab
    with tab.expect_download() as saved:
        tab.locator("#paper-save").tap()
    tab.get_by_role("button", name="Back").tap()
    target = tmp_path / "copy.jsonl"
    saved.value.save_as(target)
    return target


def test_everything_moves_to_a_server_and_to_another_phone(
    pocket: Pocket, running_edition: Pocket, elsewhere: Ledger, tmp_path: Path
) -> None:
    board = pocket.begin()
    play(pocket, board, 12)
    offered_copy(pocket)
    pocket.shell.tab.get_by_role("button", name="Back").tap()
    pocket.page.goto("/copies")
    pocket.page.get_by_text("1 evening is not in any copy yet.").wait_for()
    copy = saved_copy(pocket, tmp_path)
    taken = take_copy(elsewhere, read_copy(copy.read_bytes()))
    (game,) = elsewhere.games()

    pocket.page.get_by_text("The file holds 1 evening.", exact=True).wait_for()
    assert taken.new == 1
    assert elsewhere.game(game).sheet.tallies[1].minus == 12
    take_in(running_edition, copy)
    running_edition.page.goto(f"/g/{game}")

    assert running_edition.totals() == ["0", "12", "12", "12"]


TWELVE_SEEN = """() => {
    const seen = [..."abcdefghijkl"].map((letter) => [letter, 1, ""]);
    localStorage["seen evenings"] = JSON.stringify(seen);
}"""


def test_an_evening_in_a_link_is_read_without_python(running_edition: Pocket, chromium) -> None:
    pocket, host = running_edition, running_edition.host
    board = pocket.begin()
    play(pocket, board, 12, 7)
    old = link_of(pocket, board)
    play(pocket, board, 30)
    new = link_of(pocket, board)
    reader: BrowserContext = chromium.new_context(viewport={"width": 390, "height": 844})
    host.asked.clear()
    shell = Shell(reader, host)
    shell.tab.goto(host.address)
    shell.tab.evaluate(TWELVE_SEEN)
    shell.tab.goto("about:blank")
    shell.tab.goto(new)
    shell.tab.locator(".pad").wait_for()

    assert len(shell.tab.evaluate("JSON.parse(localStorage['seen evenings'])")) == 12
    assert shell.tab.locator(".pad .total").all_inner_texts() == ["0", "49", "49", "49"]
    assert shell.tab.locator(".pad tbody .nr").all_inner_texts() == ["1", "2", "3", "4"]
    assert shell.tab.locator(".pad .name").all_inner_texts() == [
        "Anna",
        "Bernd",
        "Claire",
        "Dieter",
    ]
    assert not any(name.endswith(".bin") for name in host.asked)
    shell.tab.goto("about:blank")
    shell.tab.goto(old)
    shell.tab.get_by_text("Here is the newer one").wait_for()

    assert shell.tab.locator(".pad .total").all_inner_texts() == ["0", "49", "49", "49"]
    reader.add_init_script("Storage.prototype.setItem = () => { throw new Error('no room'); }")
    shell.tab.evaluate("localStorage.clear()")
    shell.tab.goto("about:blank")
    shell.tab.goto(old)
    shell.tab.locator(".pad").wait_for()

    assert shell.tab.locator(".pad .total").all_inner_texts() == ["0", "19", "19", "19"]
    assert shell.complaints == []
    reader.close()


LANGUAGES = """(parts) =>
    parts.map((part) => document.querySelector(`#shown ${part}`).closest("[lang]").lang)"""


def test_three_games_of_gin_in_a_link_stand_side_by_side(
    chromium, host: Host, tmp_path: Path
) -> None:
    bridge = Edition(f"{host.address}app").open(str(tmp_path / "games.sqlite"))
    ledger = bridge.app.extensions["ledger"]
    rules = {"preset": "gin-american", "options": {"gin.hollywood": True}}
    players = [{"name": "Anna"}, {"name": "Ben"}]
    order = load(NewGameSchema(), {"title": "", "rules": rules, "players": players})
    game = games.create_game(ledger, order).game
    seats: list[dict[str, int]] = [{"deadwood": 3}, {"deadwood": 43}]
    for number in range(2):
        entry = load_round({"outcome": "knock", "knocker": 0, "seats": seats})
        write = Write(expected=game.version, key=f"{number}")
        games.record_round(ledger, game.id, score_for(game, entry.round), write)
        game = ledger.game(game.id)
    address = f"{host.address}app/g/{game.id}/snapshot"
    answer = bridge.answer("GET", address, [("accept-language", "en")])
    ledger.close()
    found = re.search(r'data-copy="([^"]*)"', answer.body.decode())
    assert found
    reader: BrowserContext = chromium.new_context(locale="de-DE")
    shell = Shell(reader, host).open(found[1].removeprefix(host.address))
    pad = shell.tab.locator(".pad.holly")
    pad.wait_for()

    assert pad.locator(".games th").all_inner_texts() == [
        "Game 1\n20 to go",
        "Game 2\n60 to go",
        "Game 3\n100 to go",
    ]
    assert pad.locator(".total").all_inner_texts() == ["80", "0", "40", "0", "0", "0"]
    assert shell.tab.evaluate(LANGUAGES, [".stamp", ".pad", "h1"]) == ["de", "en", "en"]
    reader.close()


def link_of(pocket: Pocket, board: str) -> str:
    pocket.page.goto(f"{board}/snapshot")
    assert pocket.page.locator("svg.qr").count() == 1
    link = pocket.page.locator("[data-copy]").get_attribute("data-copy")
    assert link and re.match(re.escape(pocket.host.address) + "#e=", link)
    return link


def coded(text: str) -> str:
    """Return text as it stands in a link."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(text.encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.parametrize("text", ["broken", coded("null"), coded("[1]"), coded("[2, 3]")])
def test_a_broken_link_says_so(chromium, host: Host, text: str) -> None:
    phone = chromium.new_context()
    shell = Shell(phone, host).open(f"#e={text}")
    shell.tab.get_by_text("This link is not complete").wait_for()
    phone.close()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("delete Navigator.prototype.serviceWorker", "too old"),
        ("Object.defineProperty(self, 'isSecureContext', { value: false })", "not secure"),
        ("delete self.DecompressionStream", "too old"),
        (
            "StorageManager.prototype.getDirectory = async () => { throw new DOMException() }",
            "keeps nothing",
        ),
    ],
)
def test_what_a_browser_lacks_is_said(chromium, host: Host, script: str, words: str) -> None:
    phone = chromium.new_context(locale="en-GB")
    phone.add_init_script(script)
    shell = Shell(phone, host).open()
    shell.tab.locator("#trouble").wait_for()

    assert words in shell.tab.locator("#trouble").inner_text()
    phone.close()


def test_a_browser_that_cannot_flush_at_once_is_too_old(chromium, host: Host) -> None:
    late = "{ getSize: async () => 0 };"
    host.change("shell-*/storage.js", "await handle.createSyncAccessHandle();", late)
    phone = chromium.new_context(locale="en-GB")
    shell = Shell(phone, host).open()
    shell.tab.locator("#trouble").wait_for(timeout=PATIENCE_MS)

    assert "too old" in shell.tab.locator("#trouble").inner_text()
    phone.close()


def test_too_little_memory_is_said(launch, host: Host) -> None:
    browser = launch("--js-flags=--wasm-max-mem-pages=400")  # 26 MB: Python begins, and wants more
    phone = browser.new_context(locale="en-GB")
    shell = Shell(phone, host).open()
    shell.tab.locator("#trouble").wait_for(timeout=PATIENCE_MS)

    assert "not enough memory" in shell.tab.locator("#trouble").inner_text()
    browser.close()


def test_an_interrupted_load_goes_on_where_it_stopped(chromium, host: Host) -> None:
    phone = chromium.new_context(locale="en-GB")
    host.refuse = re.compile("stdlib")
    shell = Shell(phone, host).open()
    shell.tab.locator("#trouble").wait_for()

    assert "The network is gone" in shell.tab.locator("#trouble").inner_text()
    host.refuse = None
    host.asked.clear()
    shell.tab.locator("#act").click()
    shell.ready()

    assert not any("asm.wasm" in name for name in host.asked)
    phone.close()


FULL = """() => {
    const { prototype } = FileSystemSyncAccessHandle;
    self.write = prototype.write;
    prototype.write = () => { throw new DOMException("", "QuotaExceededError"); };
}"""
EMPTIED = "() => void (FileSystemSyncAccessHandle.prototype.write = self.write)"


def test_a_full_device_loses_nothing_and_goes_on_when_there_is_room(pocket: Pocket) -> None:
    board = pocket.begin()
    play(pocket, board, 12)
    (python,) = pocket.shell.tab.workers
    python.evaluate(FULL)
    pocket.open(board)
    pocket.quick_round(7)
    pocket.save()
    pocket.page.wait_for_url(re.compile("#waits$"), timeout=PATIENCE_MS)

    assert pocket.sends()  # the round waits in the outbox
    python.evaluate(EMPTIED)
    pocket.everything_sent()
    pocket.page.goto(board)

    assert pocket.totals() == ["0", "19", "19", "19"]


SHARE = """([address, text]) => {
    const form = Object.assign(document.createElement("form"), { method: "post", enctype: "multipart/form-data", action: address });
    const field = Object.assign(document.createElement("input"), { type: "file", name: "file" });
    const files = new DataTransfer();
    files.items.add(new File([text], "copy.jsonl"));
    field.files = files.files;
    form.append(field);
    document.body.append(form);
    form.submit();
}"""  # noqa: E501
OPEN = """(text) => {
    const file = { getFile: async () => new File([text], "copy.jsonl") };
    self.consumer({ files: [file] });
}"""
QUEUE = """Object.defineProperty(self, "launchQueue", {
    value: { setConsumer(one) {
        self.consumer = one;
        if (!self.text || sessionStorage.given) return;
        sessionStorage.given = true;
        one({ files: [{ getFile: async () => new File([self.text], "copy.jsonl") }] });
    } },
});"""
"""What starts the program with a file, once."""


@pytest.fixture
def copied(elsewhere: Ledger) -> str:
    """A copy of another phone with one game."""
    games.create_game(elsewhere, load(NewGameSchema(), GAME))
    return "".join(copy_lines(elsewhere))


@pytest.mark.parametrize("way", ["shared", "opened"])
def test_a_file_is_taken_in_from_another_program(
    pocket: Pocket, host: Host, copied: str, way: str
) -> None:
    tab = pocket.shell.tab
    if way == "shared":
        tab.evaluate(SHARE, [f"{host.address}app/copies", copied])
    else:
        pocket.phone.add_init_script(QUEUE)
        tab.reload()
        pocket.shell.ready()
        tab.evaluate(OPEN, copied)
    taken_in(pocket.shell)


def taken_in(shell: Shell) -> None:
    """Wait for the page that says what a file has brought."""
    shell.tab.frame_locator("#frame").get_by_text("1 new one").wait_for(timeout=PATIENCE_MS)


def test_a_file_that_starts_the_program_is_taken_in(pocket: Pocket, copied: str) -> None:
    pocket.phone.add_init_script(f"self.text = {json.dumps(copied)}; {QUEUE}")
    pocket.shell.tab.close()
    pocket.shell = Shell(pocket.phone, pocket.host).open()
    taken_in(pocket.shell)


def test_a_file_opened_in_a_second_tab_waits_until_that_tab_writes(
    pocket: Pocket, copied: str
) -> None:
    pocket.phone.add_init_script(f"self.text = {json.dumps(copied)}; {QUEUE}")
    second = Shell(pocket.phone, pocket.host).open()
    second.tab.locator("#trouble").wait_for(timeout=PATIENCE_MS)

    assert "open in another window" in second.tab.locator("#trouble").inner_text()
    second.tab.locator("#act").tap()
    taken_in(second)


def test_an_address_opened_in_a_running_tab_leads_to_its_page(pocket: Pocket) -> None:
    pocket.shell.tab.goto(f"{pocket.host.address}#/new")  # as a shortcut on the home screen does
    pocket.page.wait_for_url(re.compile("/app/new$"))
    pocket.shell.tab.goto(f"{pocket.host.address}#/copies/file")
    pocket.shell.tab.locator("#paper").wait_for()

    assert pocket.page.locator("[name=name]").count()


def test_the_address_of_a_file_offers_it_over_home(pocket: Pocket) -> None:
    pocket.shell.tab.close()
    pocket.shell = Shell(pocket.phone, pocket.host).open("#/pads/pad.pdf?preset=german-family")
    tab = pocket.shell.tab
    tab.locator("#paper").wait_for(timeout=PATIENCE_MS)
    tab.get_by_role("button", name="Back").tap()
    pane = pocket.shell.ready()

    assert pane.url == f"{pocket.host.address}app/"


GROWTH = """() => {
    const parts = [...document.querySelectorAll("body, body *")];
    const sizes = () => parts.map((one) => parseFloat(getComputedStyle(one).fontSize));
    const before = sizes();
    document.documentElement.style.fontSize = "200%";
    return [...new Set(sizes().map((size, at) => size / before[at]))];
}"""
"""How much larger the letters are for a reader who doubles them."""


def test_the_first_visit_says_what_works_meanwhile(chromium, host: Host) -> None:
    phone = chromium.new_context(locale="lb-LU")
    phone.add_init_script(
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    )
    shell = Shell(phone, host).open()
    papers = shell.tab.locator("[data-paper]")
    papers.first.wait_for()

    for link in papers.all():
        answer = shell.tab.request.get(f"{host.address}{link.get_attribute('href')}")
        assert answer.body().startswith(b"%PDF")
    assert not any(path.endswith(".bin") for path in host.asked)
    assert "Reegelkaart" in papers.first.inner_text()
    assert shell.tab.evaluate(GROWTH) == [2]
    phone.close()


def test_the_manifest_names_files_that_exist(host: Host) -> None:
    about = json.loads((host.site / "app.webmanifest").read_text(encoding="utf-8"))
    pictures = [*about["icons"], *about["screenshots"]]

    assert all((host.site / picture["src"]).exists() for picture in pictures)
    assert {one["form_factor"] for one in about["screenshots"]} == {"narrow"}
    (handler,) = about["file_handlers"]
    assert ".jsonl" in handler["accept"]["application/x-ndjson"]
