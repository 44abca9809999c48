"""The edition without a server, called as a service worker calls it."""

import gzip
import json
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode, urljoin

import pytest
from pypdf import PdfReader
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.routing import MapAdapter
from werkzeug.test import encode_multipart

from scorekeeper.in_browser.bridge import Answer, Bridge
from scorekeeper.in_browser.edition import LEFT_OUT, Edition
from tools.released import RELEASES
from web.pages.conftest import Form

pytestmark = pytest.mark.usefixtures("unsynced")
ROOT = "https://cards.example/some/where/app"
LINK = re.compile(r'(?:href|src|data-keep)="([^"#]+)')
ACTION = re.compile(r'action="([^"#]+)')
GERMAN = [("accept-language", "de")]


class Phone:
    """Someone who reads pages and sends forms."""

    def __init__(self, bridge: Bridge) -> None:
        self.bridge = bridge

    def get(self, path: str) -> Answer:
        return self.bridge.answer("GET", urljoin(f"{ROOT}/", path), GERMAN)

    def text(self, path: str) -> str:
        answer = self.get(path)

        assert answer.status == 200, (path, answer.status)
        return answer.body.decode()

    def send(self, path: str, page: str | None = None, **fields: object) -> str:
        """Open a page, send its form, and return where it leads."""
        form = Form(self.text(path if page is None else page)).fields
        for name, value in fields.items():
            form.setlist(name.replace("__", "-"), value if isinstance(value, list) else [value])
        headers = [*GERMAN, ("content-type", "application/x-www-form-urlencoded")]
        body = urlencode(list(form.items(multi=True))).encode()
        answer = self.bridge.answer("POST", urljoin(f"{ROOT}/", path), headers, body)

        assert answer.status == 303, answer.body.decode()
        return dict(answer.headers)["Location"]

    def take_in(self, content: bytes) -> str:
        """Open a file under "Copies"; return the page that says what it has brought."""
        boundary, body = encode_multipart({"file": FileStorage(BytesIO(content), "export.json")})
        headers = [*GERMAN, ("content-type", f"multipart/form-data; boundary={boundary}")]
        answer = self.bridge.answer("POST", f"{ROOT}/copies", headers, body)

        assert answer.status == 200, answer.body.decode()
        return answer.body.decode()


def opened(folder: Path) -> Bridge:
    return Edition(ROOT, "Europe/Luxembourg").open(str(folder / "games.sqlite"))


def close(bridge: Bridge) -> None:
    bridge.app.extensions["ledger"].close()


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Phone]:
    bridge = opened(tmp_path)
    yield Phone(bridge)
    close(bridge)


def begin(phone: Phone) -> str:
    answer = phone.send(
        "new", name=["Anna", "Bernd", "Claire"], do="start", unit="ct", point_value="1"
    )
    return answer.partition("?")[0]


def enter(phone: Phone, game: str, winner: int, **hands: object) -> str:
    return phone.send(f"{game}/round", winner=str(winner), do="save", **hands)


def test_an_evening_is_played_settled_and_printed(phone: Phone) -> None:
    game = begin(phone)
    enter(phone, game, 0, hand__1="35", hand__2="K D 9", way__2="ranks")
    phone.send(f"{game}/end", page=game)

    assert game.startswith("/some/where/app/g/")
    assert "Anna" in phone.text(f"{game}/settlement")
    sheet = phone.get(f"{game}/sheet.pdf").body
    assert "cards.example/some/where" in PdfReader(BytesIO(sheet)).pages[0].extract_text()
    assert game in phone.text("")


def test_no_page_leads_to_what_this_edition_leaves_out(phone: Phone) -> None:
    game = begin(phone)
    enter(phone, game, 0, hand__1="35", hand__2="20")
    group = phone.send("groups/new", name="Freitag", member=["Anna", "Bernd"], do="found")
    phone.send(f"{group}/tournament/plan", size="2")
    phone.send(f"{group}/tournament/entrants", names="Anna\nBernd", do="enter")
    seen, waiting = set(), {"/some/where/app/"}
    while waiting:
        path = waiting.pop()
        seen.add(path)
        answer = phone.get(path)

        assert answer.status in (200, 303), (path, answer.status)
        if dict(answer.headers).get("Content-Type", "").startswith("text/html"):
            page = answer.body.decode()
            targets = set(addresses(LINK, page)) | set(addresses(ACTION, page))

            assert not {one for one in targets if endpoint(phone, one) in LEFT_OUT}, path
            waiting |= set(addresses(LINK, page)) - seen
    assert len(seen) > 40


def addresses(pattern: re.Pattern[str], page: str) -> Iterator[str]:
    """Yield the addresses in a page, as paths."""
    for found in pattern.findall(page):
        if not found.startswith("data:"):
            yield urljoin(f"{ROOT}/", unescape(found)).removeprefix("https://cards.example")


def endpoint(phone: Phone, path: str) -> str:
    below = path.partition("?")[0].removeprefix("/some/where/app")

    assert below != path.partition("?")[0], f"{path} is outside"
    routes = phone.bridge.app.url_map.bind("cards.example")
    name, _ = next(
        found for method in ("GET", "POST") if (found := matched(routes, below, method)) is not None
    )
    return str(name)


def matched(routes: MapAdapter, path: str, method: str) -> tuple[str, object] | None:
    try:
        return routes.match(path, method)
    except MethodNotAllowed:
        return None


def test_nobody_is_told_that_the_others_can_follow(phone: Phone) -> None:
    assert "Alle lesen auf ihrem Handy mit" not in phone.text("")
    assert "Die anderen scannen den Stand von deinem Handy" in phone.text("")


def test_what_is_left_out_is_not_found(phone: Phone) -> None:
    game = begin(phone)

    for path in ("metrics", "healthz", "enter", "worker.js", f"{game}/share", f"{game}/tv"):
        assert phone.get(path).status == 404, path
    assert "pages.tv" in LEFT_OUT


def test_the_owner_holds_the_pen_of_what_was_there_before(tmp_path: Path) -> None:
    first = opened(tmp_path)
    game = begin(Phone(first))
    close(first)
    second = opened(tmp_path)

    assert game in Phone(second).text("")
    enter(Phone(second), game, 1, hand__0="3", hand__2="4")
    close(second)


@pytest.mark.parametrize("order", [1, -1], ids=["games first", "groups first"])
@pytest.mark.parametrize("version", ["1.0.0", "1.1.0", "1.2.0"])
def test_what_every_version_has_exported_is_taken_in(
    phone: Phone, version: str, order: int
) -> None:
    written = json.loads(gzip.decompress((RELEASES / f"{version}.json.gz").read_bytes()))["answers"]
    paths = sorted(path for path in written if path.endswith("/export.json"))
    for path in paths[::order]:
        page = phone.take_in(json.dumps(written[path]).encode())

        assert "1 neu" in page or "schon" in page, path
    for path in paths:
        _, kind, name, _ = path.split("/")
        home = {"games": f"g/{name}", "groups": f"s/{name}"}[kind]

        assert phone.get(home).status == 200
        if kind == "games":
            assert phone.get(f"{home}/sheet.pdf").body.startswith(b"%PDF")
            assert json.loads(phone.get(f"{home}/file").body) == written[path]


def test_the_language_is_kept(tmp_path: Path) -> None:
    first = opened(tmp_path)
    Phone(first).send("language", page="", lang="fr")
    close(first)
    second = opened(tmp_path)

    assert 'lang="fr"' in Phone(second).text("")
    close(second)


def test_another_page_of_this_origin_may_show_it_in_a_frame(phone: Phone) -> None:
    headers = dict(phone.get("").headers)

    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]


def test_the_api_answers_too(phone: Phone) -> None:
    players = [{"name": "Anna"}, {"name": "Ben"}]
    game = {"title": "", "rules": {"preset": "german-family"}, "players": players}
    body = json.dumps(game).encode()
    url = f"{ROOT}/api/v1/games"
    answer = phone.bridge.answer("POST", url, [("content-type", "application/json")], body)

    assert answer.status == 201, answer.body.decode()
    assert json.loads(answer.body)["pen"]
