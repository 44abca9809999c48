"""Rate limits of a client do not lock out others."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from rest import QUICK, Table
from scorekeeper import config, create_app
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import language
from scorekeeper.store.exports import exported
from scorekeeper.store.growth import GROWTH
from scorekeeper.web import permissions, rate_limits
from scorekeeper.web.rate_limits import TokenBucket
from scorekeeper.workers.pool import Pool
from web.conftest import Clock
from web.pages.conftest import Form

API = "/api/v1"
GUEST = {"REMOTE_ADDR": "192.168.7.30"}
OTHER = {"REMOTE_ADDR": "192.168.7.31"}
NEW = {
    "title": "Abend",
    "rules": {"preset": "german-family"},
    "players": [{"name": name} for name in "ABCD"],
}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """An app with three games an hour and three wrong guesses a minute, by the test's clock."""
    return limited(app, clock, monkeypatch, GAMES_PER_HOUR=3, WRONG_PER_MINUTE=3)


def limited(app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, **wishes: int) -> Flask:
    """An app with other limits, by the test's clock."""
    set_here = rate_limits.limits_from({**app.config, **wishes})
    for field in fields(set_here):
        if isinstance(allowance := getattr(set_here, field.name), TokenBucket):
            monkeypatch.setattr(allowance, "_clock", clock)
    monkeypatch.setitem(app.extensions, "limits", set_here)
    return app


def begin(app: Flask, peer: dict[str, str] = OTHER) -> Any:
    players = [{"name": name} for name in "ABCD"]
    body = {"title": "Abend", "rules": {"preset": "german-family"}, "players": players}
    return app.test_client().post(f"{API}/games", json=body, environ_overrides=peer)


def ask(app: Flask, path: str, secret: str = "guess", peer: dict[str, str] = GUEST) -> Any:
    headers = {"Authorization": f"Bearer {secret}", "Accept-Language": "en"}
    return app.test_client().get(API + path, headers=headers, environ_overrides=peer)


# ---- wrong secrets and invented ids ------------------------------------------------


def test_too_many_guesses_are_refused_with_retry_after(app: Flask) -> None:
    guesses = [ask(app, f"/games/invented{n}") for n in range(4)]

    assert [guess.status_code for guess in guesses] == [404, 404, 404, 429]
    assert guesses[3].headers["Retry-After"] == "20"
    assert "20 s" in guesses[3].json["detail"]


def test_wrong_secrets_and_codes_count_as_guesses(app: Flask) -> None:
    game = begin(app).json["id"]
    client = app.test_client()
    ask(app, f"/games/{game}")
    client.get(f"/g/{game}", environ_overrides=GUEST)
    typed = Form(client.get("/enter").text).fields.to_dict() | {"code": f"{game}.guess"}
    entered = [client.post("/enter", data=typed, environ_overrides=GUEST) for _ in range(2)]

    assert [answer.status_code for answer in entered] == [404, 429]
    assert entered[1].headers["Retry-After"] == "20"


def test_valid_rights_are_never_limited(app: Flask) -> None:
    begun = begin(app).json
    for n in range(5):
        ask(app, f"/games/invented{n}")
    client = app.test_client()
    key = {"Authorization": f"Bearer {begun['pen']}", "Idempotency-Key": "first"}
    recorded = client.post(
        f"{API}/games/{begun['id']}/rounds", json=QUICK, headers=key, environ_overrides=GUEST
    )
    typed = Form(client.get("/enter").text).fields.to_dict() | {
        "code": f"{begun['id']}.{begun['watch']}"
    }
    entered = client.post("/enter", data=typed, environ_overrides=GUEST)

    assert ask(app, "/games/invented").status_code == 429
    assert ask(app, f"/games/{begun['id']}", begun["watch"]).status_code == 200
    assert (recorded.status_code, entered.status_code) == (201, 303)


def test_the_limit_of_guesses_ends_after_a_minute(app: Flask, clock: Clock) -> None:
    for n in range(4):
        ask(app, f"/games/invented{n}")
    clock.wait(60)

    assert [ask(app, "/games/invented").status_code for _ in range(4)] == [404] * 3 + [429]


# ---- games and groups --------------------------------------------------------------


def test_games_and_groups_of_one_address_are_counted_together(app: Flask) -> None:
    group = {"name": "Runde", "members": [{"name": "Anna"}, {"name": "Bernd"}]}
    founded = app.test_client().post(f"{API}/groups", json=group, environ_overrides=OTHER)
    statuses = [begin(app).status_code for _ in range(3)]
    refused = begin(app)

    assert [founded.status_code, *statuses] == [201, 201, 201, 429]
    assert refused.headers["Retry-After"] == "1200"
    assert begin(app, GUEST).status_code == 201


def test_a_refused_new_game_says_when_to_try_again(app: Flask) -> None:
    for _ in range(3):
        begin(app)
    client = app.test_client()
    said = Form(client.get("/new").text).fields.to_dict()
    said |= {"preset": "german-family", "name": ["Anna", "Bernd"], "do": "start"}
    refused = client.post(
        "/new", data=said, headers={"Accept-Language": "en"}, environ_overrides=OTHER
    )

    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1200")
    assert language("en")("refused.begun", seconds=1200) in refused.text


def test_an_import_counts_as_a_new_game(app: Flask) -> None:
    client = app.test_client()
    for kind in ("games", "groups", "games"):
        client.post(f"{API}/{kind}/import", json={}, environ_overrides=OTHER)

    assert begin(app).status_code == 429


def test_evenings_of_a_group_do_not_count_as_new_games(app: Flask) -> None:
    group = {"name": "Runde", "members": [{"name": "Anna"}, {"name": "Bernd"}]}
    client = app.test_client()
    founded = client.post(f"{API}/groups", json=group, environ_overrides=OTHER).json
    place = f"{API}/groups/{founded['id']}/games"
    order = {"rules": {"preset": "german-family"}, "players": group["members"]}
    headers = {"Authorization": f"Bearer {founded['pen']}"}
    begun = [
        client.post(place, json=order, headers=headers, environ_overrides=OTHER) for _ in range(5)
    ]

    assert {answer.status_code for answer in begun} == {201}


# ---- how much ----------------------------------------------------------------------


class Player(Table):
    """A phone with its own address and a game."""

    def __init__(self, app: Flask, address: str = "192.168.7.30", **headers: str) -> None:
        super().__init__(app)
        self.about = {"environ_overrides": {"REMOTE_ADDR": address}}
        self.headers = headers

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        more["headers"] = {**self.headers, **more.get("headers", {})}
        return super().call(method, path, body, **self.about, **more)

    def until_refused(self, **more: Any) -> Any:
        """Record rounds until one is refused, and return that answer."""
        for _ in range(200):
            answer = self.record(QUICK, **more)
            if answer.status_code != 201:
                return answer
        pytest.fail("nobody is ever refused")


@pytest.fixture
def small(app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """20 KB an hour for an address, of which 10 KB for one game."""
    wishes = {"GAMES_PER_HOUR": 0, "KILOBYTES_PER_HOUR": 20, "GAME_KILOBYTES_PER_HOUR": 10}
    return limited(app, clock, monkeypatch, **wishes)


def test_a_game_over_its_budget_is_refused_until_retry_after(small: Flask, clock: Clock) -> None:
    anna = Player(small).begin()
    refused = anna.until_refused()
    seconds = int(refused.headers["Retry-After"])
    clock.wait(seconds - 1)
    early = anna.record(QUICK)
    clock.wait(1)
    later = anna.record(QUICK)

    assert refused.status_code == early.status_code == 429
    assert language("en")("refused.added", seconds=seconds) == refused.json["detail"]
    assert later.status_code == 201
    assert anna.get("/games/{id}").status_code == 200


def test_a_repeated_request_costs_no_budget(small: Flask) -> None:
    anna = Player(small).begin()
    answers = {anna.record(QUICK, key="the same").status_code for _ in range(100)}

    assert answers == {201}


def test_the_games_of_an_address_share_its_budget(small: Flask, clock: Clock) -> None:
    tables = [Player(small).begin() for _ in range(3)]
    other = Player(small, "192.168.7.31").begin()
    for table in tables[:2]:
        table.until_refused()
    refused = tables[2].until_refused()

    assert refused.status_code == 429
    assert len(small.extensions["ledger"].game(tables[2].id).sheet.rows) < 5
    assert other.record(QUICK).status_code == 201


GROWS = {
    "correct": ("PUT", "/games/{id}/rounds/1", QUICK),
    "strike": ("DELETE", "/games/{id}/rounds/1", None),
    "change": ("PATCH", "/games/{id}", {"title": "Neu"}),
    "secret": ("POST", "/games/{id}/secrets", {"right": "watch"}),
    "begin": ("POST", "/games", NEW),
    "found": ("POST", "/groups", {"name": "R", "members": [{"name": "A"}, {"name": "B"}]}),
}


@pytest.mark.parametrize("what", GROWS)
def test_every_write_counts_against_the_budget(small: Flask, what: str) -> None:
    anna = Player(small).begin()
    anna.record(QUICK)
    method, path, body = GROWS[what]
    for _ in range(300):
        version = small.extensions["ledger"].version(anna.id)
        match = None if method == "POST" else str(version)
        answer = anna.call(method, path, body, match=match)
        if what == "strike":
            anna.call("POST", "/games/{id}/rounds/1/restore", match=str(version + 1))
        if answer.status_code == 429:
            return
        assert answer.status_code < 300, answer.text
    pytest.fail("it is never refused")


def test_every_call_that_writes_is_refused_while_the_budget_is_used_up(small: Flask) -> None:
    anna = Player(small).begin()
    anna.until_refused()
    small.extensions["limits"].added.charge("192.168.7.30", 10**6)
    calls = [
        rule for rule in small.url_map.iter_rules() if permissions.RIGHTS[rule.endpoint][1] == "pen"
    ]
    browser = small.test_client()
    browser.set_cookie("browser", "anna")
    small.extensions["ledger"].rights.remember("anna", anna.id, anna.pen)
    refused = 0
    for rule in calls:
        if "<game_id>" not in rule.rule or "<group_id>" in rule.rule:
            continue
        place = re.sub("<int:.*?>", "1", rule.rule.replace("<game_id>", anna.id))
        for method in rule.methods & {"POST", "PUT", "PATCH", "DELETE"}:
            headers = {"Authorization": f"Bearer {anna.pen}"}
            answer = browser.open(
                place, method=method, headers=headers, data={"csrf_token": "x"}, **anna.about
            )
            assert answer.status_code in ((429,) if rule.rule.startswith(API) else (429, 400)), rule
            refused += answer.status_code == 429
    assert refused >= 8


def test_entering_a_code_counts_as_growth_when_a_browser_is_stored(small: Flask) -> None:
    anna = Player(small).begin()
    client = small.test_client()
    typed = Form(client.get("/enter").text).fields.to_dict() | {"code": f"{anna.id}.{anna.watch}"}
    statuses = []
    for _ in range(150):
        phone = small.test_client()
        phone.set_cookie("form", client.get_cookie("form").value)
        statuses.append(phone.post("/enter", data=typed, **anna.about).status_code)

    assert statuses[0] == 303
    assert statuses[-1] == 429


def test_one_import_per_address_runs_at_a_time(
    small: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = Player(small).begin()
    events = small.extensions["ledger"].events(anna.id)
    run, others = small.extensions["workers"].run, []

    def meanwhile(*given: Any, **named: Any) -> Any:
        with ThreadPoolExecutor(1) as other:
            second = exported(Game, "second", events)
            answer = other.submit(anna.post, "/games/import", second, secret="").result(20)
        others.append(answer.status_code)
        return run(*given, **named)

    with monkeypatch.context() as patched:
        patched.setattr(small.extensions["workers"], "run", meanwhile)
        first = anna.post("/games/import", exported(Game, "first", events), secret="")
    after = anna.post("/games/import", exported(Game, "third", events), secret="")

    assert (first.status_code, others, after.status_code) == (201, [503], 201)


def test_a_typed_sheet_is_an_import_even_if_it_is_refused(app: Flask) -> None:
    client, about = app.test_client(), {"environ_overrides": GUEST}
    founded = client.post(f"{API}/groups", json={"name": "Runde", "members": []}, **about).json
    sheet = {"sheet": "date;Anna;Ben\n2026-03-05;0;12\n", "new_members": ["Anna", "Ben"]}
    headers = {"Authorization": f"Bearer {founded['pen']}"}
    path = f"{API}/groups/{founded['id']}/sheets"
    statuses = [
        client.post(path + query, json=sheet, headers=headers, **about).status_code
        for query in ("?preview=true", "", "", "", "?preview=true")
    ]

    assert statuses == [200, 201, 422, 429, 200]


def test_imports_have_a_budget_of_their_own(small: Flask) -> None:
    anna = Player(small).begin()
    for _ in range(3):
        anna.record(QUICK)
    events = small.extensions["ledger"].events(anna.id)
    for number in range(100):
        copy = exported(Game, f"copy{number}", events)
        refused = anna.post("/games/import", copy, secret="")
        if refused.status_code != 201:
            break

    assert refused.status_code == 429
    assert number > 10, refused.text
    assert anna.record(QUICK).status_code == 201


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("203.0.113.5", "203.0.113.5", True),
        ("203.0.113.5", "203.0.113.6", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
    ],
)
def test_behind_a_proxy_clients_are_counted_separately(
    tmp_path: Path, one: str, other: str, alike: bool
) -> None:
    app = create_app(
        {
            "DATA": tmp_path / "games.sqlite",
            "TRUSTED_PROXIES": 1,
            "KILOBYTES_PER_HOUR": 8,
            "GAME_KILOBYTES_PER_HOUR": 0,
        }
    )
    guest = Player(app, "127.0.0.1", **{"X-Forwarded-For": f"198.51.100.7, {one}"}).begin()
    friend = Player(app, "127.0.0.1", **{"X-Forwarded-For": other}).begin()
    guest.until_refused()
    answer = friend.record(QUICK)
    app.extensions["ledger"].close()

    assert answer.status_code == (429 if alike else 201)


def test_this_machine_is_limited_on_request(small: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = Player(small, "127.0.0.2").begin(), Player(small, "127.0.0.3").begin()
    free = [here.record(QUICK).status_code for _ in range(30)]
    monkeypatch.setitem(small.config, "LIMIT_LOOPBACK", 1)
    refused = here.until_refused()

    assert set(free) == {201}
    assert refused.status_code == 429
    assert there.record(QUICK).status_code == 201  # each address by itself


def test_a_real_evening_never_comes_near_its_budget(app: Flask) -> None:
    """Ten times as fast as people play, with two corrections each, uses less than a tenth."""
    anna = Player(app).begin()
    before = GROWTH.size = 0
    for number in range(1, 21):
        anna.record({**QUICK, "note": "ä" * 100})
        before += GROWTH.size
        for _ in range(2):
            version = str(app.extensions["ledger"].version(anna.id))
            anna.call("PUT", f"/games/{{id}}/rounds/{number}", QUICK, match=version)
            before += GROWTH.size

    assert 20_000 < before < config.SETTINGS["GAME_KILOBYTES_PER_HOUR"].default * 1024 / 10


def test_the_bytes_counted_match_the_growth_of_the_file(app: Flask) -> None:
    ledger = app.extensions["ledger"]
    anna = Player(app).begin()
    size, counted = ledger.store.engine.path.stat().st_size, 0
    for _ in range(200):
        anna.record(QUICK)
        counted += GROWTH.size
    grown = ledger.store.engine.path.stat().st_size - size

    assert 0.8 * grown < counted < 2 * grown


# ---- paper -------------------------------------------------------------------------


def test_pdfs_are_refused_while_all_workers_are_busy_and_pages_are_served(app: Flask) -> None:
    client, drawing = app.test_client(), app.extensions["workers"]
    paper = f"{API}/pads/robber.pdf?names=Anna,Ben"
    before = client.get(paper)
    app.extensions["workers"] = Pool(1, places=0)
    without = client.get(paper, headers={"Accept-Language": "en"})
    drawn = "/pads/pad.pdf?preset=robber&name=Anna&name=Ben"
    page = client.get(drawn, headers={"Accept-Language": "en"})
    other = client.get("/")
    app.extensions["workers"] = drawing

    assert (before.status_code, without.status_code, other.status_code) == (200, 503, 200)
    assert without.headers["Retry-After"] == page.headers["Retry-After"] == "3"
    assert "The server is busy" in without.json["detail"]
    assert "The server is busy" in page.text


def test_a_pdf_that_takes_too_long_is_refused(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.workers.pool.POLL_S", 0)
    app.extensions["workers"] = Pool(1, seconds=-1)

    stopped = app.test_client().get("/pads/pad.pdf?preset=robber&name=Anna&name=Ben")

    assert stopped.status_code == 503
    assert "abgebrochen" in stopped.text


def test_every_route_of_a_pdf_is_recognised_by_its_path(app: Flask) -> None:
    papers = [rule for rule in app.url_map.iter_rules() if rule.endpoint.endswith("_pdf")]

    assert len(papers) > 10
    assert all(rule.rule.endswith(".pdf") for rule in papers)
