"""The rights table on every call of the API (bars A2, A3)."""

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

import short
from bars import tries, trying
from pictures import scene
from rest import QUICK, ROOT, Club, Table
from scorekeeper.services import games
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.web import permissions

BODIES: dict[str, Any] = {
    "change_game": {"title": "Neu"},
    "replace_secret": {"right": "watch"},
    "open_code": {},
    "end_code": {"code": "AAAAAA"},
    "open_group_code": {},
    "end_group_code": {"code": "AAAAAA"},
    "mark_paid": {"paid": True},
    "record_round": QUICK,
    "preview_round": QUICK,
    "recognise_cards_of_game": scene("joker"),
    "correct_round": QUICK,
    "insert_round": QUICK,
    "give_points": {"side": 1, "minus": 5},
    "change_group": {"name": "Neu"},
    "add_member": {"name": "Doris"},
    "rename_member": {"name": "Berta"},
    "replace_group_secret": {"right": "watch"},
    "open_evening": {"players": [{"name": "Anna"}, {"name": "Ben"}]},
    "admit_game": {"training": True},
    "enter_payment": {"from": 0, "to": 1, "amount": "5", "unit": "ct"},
    "settle_up": {"unit": "ct"},
    "agree_rate": {"unit": "ct", "in": "EUR", "rate": "1/100"},
    "convert_balances": {"unit": "ct", "in": "EUR"},
    "reverse_entry": {"number": 4},
    "import_sheet": {"sheet": "date;Anna;Ben\n2026-03-05;0;12\n"},
    "create_tournament": {"format": "random", "rounds": 2, "rules": {"preset": "german-family"}},
    "change_plan": {"format": "danish", "rounds": 2, "rules": {"preset": "german-family"}},
    "enter_tournament": {"entrants": [{"names": [name]} for name in ("Xaver", "Yves", "Zoé")]},
    "state_result": {"scores": [{"points": 5}, {"points": 6}, {"points": 7}]},
    "close_round": {"late": True},
}
TOURNAMENT = ("create_tournament", "enter_tournament", "draw_round", "state_result")
"""The calls that lead to a tournament with everything in it."""
PREPARED = {
    **{"create_tournament": 0, "change_plan": 1, "enter_tournament": 1, "draw_round": 2},
    **{"read_tournament": 2, "read_standings": 2, "end_tournament": 2, "withdraw_entrant": 2},
    **{"undraw_round": 3, "check_draw": 3, "state_result": 3, "close_round": 3},
    **{"standings_pdf": 2, "table_cards_pdf": 3, "certificates_pdf": 4},
    **{"unstate_result": 4, "bring_back_entrant": 2},
}
"""How many of them come before a call about a tournament."""
IN_MEMORY = ("/codes", "/codes/end")
"""The ends of routes that write nothing to the database."""
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
HOLDERS = ("none", "watch", "pen", "other pen", "old pen", "garbage", "pen of its game")
KINDS = ("games", "groups")
BOOK_TRANSACTION = Ledger.book_transaction


def rules_of(app: Flask, kind: str) -> list[Rule]:
    """Return every route of the API about one game or one group."""
    return [rule for rule in app.url_map.iter_rules() if rule.rule.startswith(f"{ROOT}/{kind}/<")]


def begun(app: Flask, kind: str, name: str = "") -> Table:
    """A game or group with enough in it for every call; entry 4 of a group is a payment."""
    if kind == "games":
        table = Table(app).begin()
        table.record(QUICK)
        if name == "take_back_points":
            table.post("/games/{id}/points", BODIES["give_points"], match="2")
        return table
    club = Club(app).found()
    club.evening(points=(0, 12, 35))
    club.pay(1, 0, "7")
    club.call("PUT", "/groups/{id}/rates", BODIES["agree_rate"], match="4")
    paths = ("", "/entrants", "/rounds", "/rounds/1/tables/1/result")
    for call, path in zip(TOURNAMENT[: PREPARED.get(name, 0)], paths, strict=False):
        method = "PUT" if path.endswith("result") else "POST"
        path = "/groups/{id}/tournament" + path
        answer = club.call(method, path, BODIES.get(call), match=club.version)
        assert answer.status_code < 300, answer.text
    if name == "bring_back_entrant":
        club.call("DELETE", "/groups/{id}/tournament/entrants/1", match=club.version)
    return club


def secret_of(app: Flask, table: Table, kind: str, holder: str) -> str:
    """Return the credentials of a holder; the table keeps a valid pen."""
    match holder:
        case "watch" | "pen":
            return str(getattr(table, holder))
        case "other pen":
            return begun(app, kind).pen
        case "old pen":
            old, answer = table.pen, table.post(f"/{kind}/{{id}}/secrets", {"right": "pen"})
            table.pen = answer.json["secret"]
            return old
        case "pen of its game" if isinstance(table, Club):
            of_game = table.post("/games/{game}/secrets", {"right": "pen"})
            return str(of_game.json["secret"])
    return "aaaa-bbbb-cccc-dddd" if holder == "garbage" else ""


def expected(endpoint: str, method: str, holder: str) -> int | None:
    """Return the status by which the rights table refuses, or None if the call decides."""
    to_read, to_change = permissions.RIGHTS[endpoint]
    needed = to_read if method in permissions.READ_METHODS else to_change
    if holder not in ("watch", "pen"):
        return 404
    return 403 if needed == "pen" and holder == "watch" else None


@pytest.mark.bar("A2")
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_call_admits_exactly_the_rights_in_the_table(
    app: Flask, kind: str, holder: str
) -> None:
    ledger, table, called, ready_for = app.extensions["ledger"], None, set(), ""
    for rule in rules_of(app, kind):
        name = rule.endpoint.removeprefix("api.")
        for method in sorted(rule.methods or ()):
            path = place(rule)
            endpoint = rule.endpoint if method != "OPTIONS" else routed(app, path)
            refused = expected(endpoint, method, holder)
            needs_more = not refused and name in ("take_back_points", *PREPARED)
            if table is None or (needs_more and ready_for != name):
                table, ready_for = begun(app, kind, name), name
                held = secret_of(app, table, kind, holder)
            before = ledger.head(table.id)
            answer = table.call(
                method,
                path,
                BODIES.get(name) if method not in permissions.READ_METHODS else None,
                secret=held,
                match=str(ledger.version(table.id)),
                key=f"{name}-{method}",
            )
            called.add(rule.endpoint)
            if refused:
                assert answer.status_code == refused, (method, path)
                assert ledger.head(table.id) == before, (method, path)
            else:
                assert answer.status_code < 300, (method, path, answer.text)
                if method not in permissions.READ_METHODS:
                    table = None  # the change may prevent another one

    assert called == {rule.endpoint for rule in rules_of(app, kind)}


def replaced_meanwhile(ledger: Ledger, book_id: str) -> Any:
    """Return a transaction that replaces the pen after its request was admitted."""

    def book_transaction(self: Ledger, *about: Any, **more: Any) -> Any:
        if not ledger.store.in_transaction:
            with ledger.transaction():
                ledger.store.events.replace_secret(book_id, "pen", b"\0")
            ledger._heads.forget(ledger.book(book_id))
        return BOOK_TRANSACTION(self, *about, **more)

    return book_transaction


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written_if_the_pen_was_replaced_meanwhile(
    app: Flask, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, called = app.extensions["ledger"], 0
    for rule in rules_of(app, kind):
        name = rule.endpoint.removeprefix("api.")
        for method in sorted((rule.methods or set()) - set(permissions.READ_METHODS)):
            if permissions.RIGHTS[rule.endpoint][1] != "pen" or rule.rule.endswith(IN_MEMORY):
                continue
            table = begun(app, kind, name)
            if name == "restore_round":
                table.call("DELETE", "/games/{id}/rounds/1", match="2")
            version, count = str(ledger.version(table.id)), events(ledger)
            with monkeypatch.context() as patched:
                patched.setattr(Ledger, "book_transaction", replaced_meanwhile(ledger, table.id))
                answer = table.call(method, place(rule), BODIES.get(name), match=version, key="k")

            refused = 412 if "secrets" in rule.rule else 404  # somebody else was faster
            assert (answer.status_code, events(ledger)) == (refused, count), (method, rule.rule)
            called += 1

    assert called >= 8


def events(ledger: Ledger) -> int:
    return int(ledger.store.engine.row("SELECT count(*) FROM events")[0])


def waiting_together(ledger: Ledger, book_id: str, requests: list[Callable[[], Any]]) -> list[Any]:
    """Return the answers to requests that were all admitted before the first of them writes."""
    with ThreadPoolExecutor(len(requests)) as phones:
        with ledger.transaction():
            ledger.store.events.state(book_id, None)  # locked
            pending = [phones.submit(request) for request in requests]
            until(lambda: waiting(ledger) == len(requests))
        return [one.result() for one in pending]


def waiting(ledger: Ledger) -> int:
    """Return how many transactions wait for another one."""
    if not ledger.store.is_shared:
        return len(ledger.store.engine._waiting)
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return int(ledger.store.engine._read(query, ())[0][0])


def until(holds: Callable[[], bool]) -> None:
    for _ in range(2000):
        if holds():
            return
        time.sleep(0.01)
    pytest.fail("it never came to that")


@pytest.mark.parametrize("right", ["pen", "watch"])
def test_one_of_five_concurrent_replacements_of_a_secret_wins(app: Flask, right: str) -> None:
    table = begun(app, "games")

    def replace() -> Any:
        phone = copy(table)
        phone.client = app.test_client()
        return phone.post("/games/{id}/secrets", {"right": right})

    answers = waiting_together(app.extensions["ledger"], table.id, [replace] * 5)

    assert sorted(answer.status_code for answer in answers) == [201, 412, 412, 412, 412]
    (won,) = (answer.json["secret"] for answer in answers if answer.status_code == 201)
    assert app.extensions["ledger"].rights.of_secret(table.id, won) == right
    assert app.extensions["ledger"].version(table.id) == 3


def test_a_pending_round_is_not_recorded_after_the_pen_was_replaced(app: Flask) -> None:
    """In any order: rounds before the new pen count, rounds after it do not."""
    ledger = app.extensions["ledger"]
    for number in range(10):
        table = begun(app, "games")

        def record(table: Table = table) -> Any:
            phone = copy(table)
            phone.client = app.test_client()
            return phone.record(QUICK)

        def replace(table: Table = table) -> Any:
            ledger.rights.of_secret(table.id, table.pen)
            return games.replace_secret(ledger, table.id, "pen", write=Write())

        *rounds, _ = waiting_together(ledger, table.id, [record, record, record, replace])
        kinds = [event.kind for event in ledger.events(table.id)]
        recorded = [answer.status_code for answer in rounds].count(201)

        assert {answer.status_code for answer in rounds} <= {201, 404}
        assert kinds == ["created", "round", *["round"] * recorded, "secret"], number


def place(rule: Rule) -> str:
    """Return the path of a route with existing ids."""
    path = rule.rule.removeprefix(ROOT)
    path = path.replace("<group_id>/games/<game_id>", "{id}/games/{game}")
    path = path.replace("<game_id>", "{id}").replace("<group_id>", "{id}")
    path = path.replace("<int:member>", "1").replace("<int:seat>", "1")
    path = path.replace("<int:entrant>", "1").replace("<int:at_table>", "1")
    known = {"transfers": "0", "points": "3"}
    number = next((one for part, one in known.items() if part in path), "1")
    return path.replace("<int:number>", number)


def routed(app: Flask, path: str) -> str:
    """Return the route that answers OPTIONS if several share a path."""
    adapter = app.url_map.bind("localhost")
    path = ROOT + path.format(id="any", game="any")
    return str(adapter.match(path, method="OPTIONS")[0])


@pytest.mark.parametrize("kind", KINDS)
def test_other_methods_are_refused_without_details(app: Flask, kind: str) -> None:
    paths: dict[str, set[str]] = {}
    table = begun(app, kind)
    for rule in rules_of(app, kind):
        paths.setdefault(place(rule), set()).update(rule.methods or ())
    for path, known in paths.items():
        for method in set(METHODS) - known:
            answer = table.call(method, path, secret="")

            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["Allow"].split(", ")) == known


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_and_a_forbidden_book_get_the_same_answer(app: Flask, kind: str) -> None:
    table, foreign = begun(app, kind), begun(app, kind)

    answers = [
        table.get(f"/{kind}/{book_id}").json | {"instance": ""}
        for book_id in (foreign.id, "nothing")
    ]

    assert answers[0] == answers[1]
    assert answers[0]["status"] == 404


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tag", [None, '"1"'], ids=["plain", "conditional"])
def test_a_missing_and_a_forbidden_book_are_looked_up_alike(
    app: Flask, kind: str, tag: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, foreign = begun(app, kind), begun(app, kind)
    foreign.get("/{kind}/{id}".replace("{kind}", kind))  # from now on it is cached
    events, read = app.extensions["ledger"].store.events, []
    heads = events.heads
    monkeypatch.setattr(events, "heads", lambda book_id: read.append(book_id) or heads(book_id))

    for book_id in (foreign.id, "nothing"):
        client = app.test_client()
        headers = {"Authorization": f"Bearer {table.pen}"} | ({"If-None-Match": tag} if tag else {})
        assert client.get(f"{ROOT}/{kind}/{book_id}", headers=headers).status_code == 404

    assert read.count(foreign.id) == read.count("nothing") > 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_url_of_a_game_does_not_open_a_group_or_the_reverse(app: Flask, kind: str) -> None:
    table, other = begun(app, kind), {"games": "groups", "groups": "games"}[kind]

    for rule in rules_of(app, other):
        for method in rule.methods or ():
            body = BODIES.get(rule.endpoint.removeprefix("api."))
            about = {"match": str(app.extensions["ledger"].version(table.id)), "key": method}
            answer = table.call(
                method,
                place(rule),
                body if method not in permissions.READ_METHODS else None,
                **about,
            )

            assert answer.status_code == 404, (method, rule)


@pytest.mark.parametrize("right", ["pen", "watch"])
def test_rights_in_a_group_extend_to_its_games(app: Flask, right: str) -> None:
    club = Club(app).found()
    table = club.evening()
    allowed = 201 if right == "pen" else 403

    assert table.get("/games/{id}", secret=getattr(club, right)).status_code == 200
    assert table.record(short.body(0, 12, 35), secret=getattr(club, right)).status_code == allowed
    club.call("DELETE", "/groups/{id}/games/{game}", match=club.version)
    assert table.get("/games/{id}", secret=getattr(club, right)).status_code == 404


@pytest.mark.parametrize("scheme", ["Basic ", "bearer", "", "Bearer  ", "Token "])
def test_a_secret_is_accepted_as_bearer_token_only(table: Table, scheme: str) -> None:
    headers = {"Authorization": f"{scheme}{table.pen if scheme.strip() != 'Bearer' else ''}"}

    assert table.get("/games/{id}", secret="", headers=headers).status_code == 404


def test_a_secret_may_be_typed_with_other_case_and_spacing(table: Table) -> None:
    typed = table.pen.upper().replace("-", " ")

    assert table.get("/games/{id}", secret=typed).status_code == 200


@pytest.mark.bar("A3")
@pytest.mark.parametrize("right", ["pen", "watch"])
def test_a_replaced_secret_is_refused_on_the_next_request(table: Table, right: str) -> None:
    for _ in trying("A3", math.ceil(tries("A3") / 2)):
        old = getattr(table, right)
        answer = table.post("/games/{id}/secrets", {"right": right})
        setattr(table, right, answer.json["secret"])

        assert answer.headers["Cache-Control"] == "no-store"
        assert table.get("/games/{id}", secret=old).status_code == 404
        assert table.get("/games/{id}", secret=answer.json["secret"]).status_code == 200


@pytest.mark.bar("A5")
def test_no_answer_but_the_first_holds_a_secret(table: Table) -> None:
    table.record(QUICK)

    for path in ("", "/history", "/settlement", "/export.json", "/export.csv", "/rounds/1"):
        text = table.get("/games/{id}" + path).text

        assert table.pen not in text
        assert table.watch not in text
