"""Who may pass which door: the rights table itself, on every call (RELIABILITY A2, A3)."""

from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from rest import QUICK, ROOT, Table
from scorekeeper import doors

BODIES: dict[str, Any] = {
    "change_game": {"title": "Neu"},
    "replace_secret": {"right": "watch"},
    "mark_paid": {"paid": True},
    "record_round": QUICK,
    "preview_round": QUICK,
    "correct_round": QUICK,
}
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
HOLDERS = ("none", "watch", "pen", "other pen", "old pen", "garbage")


def rules_of_games(app: Flask) -> list[Rule]:
    """Every route of the interface that concerns one game."""
    return [
        rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(f"{ROOT}/games/<") and "game_id" in rule.arguments
    ]


def secrets(app: Flask, table: Table) -> dict[str, str]:
    other = Table(app).begin()
    old = table.pen
    answer = table.post("/games/{id}/secrets", {"right": "pen"})
    table.pen = answer.json["secret"]
    return {
        "none": "",
        "watch": table.watch,
        "pen": table.pen,
        "other pen": other.pen,
        "old pen": old,
        "garbage": "aaaa-bbbb-cccc-dddd",
    }


def expected(endpoint: str, method: str, holder: str) -> int | None:
    """What the rights table says: a refusal, or None for whatever the call itself says."""
    to_read, to_change = doors.RIGHTS[endpoint]
    needed = to_read if method in doors.READING else to_change
    if holder not in ("watch", "pen"):
        return 404
    return 403 if needed == "pen" and holder == "watch" else None


@pytest.mark.parametrize("holder", HOLDERS)
def test_every_call_opens_for_exactly_who_may_pass(app: Flask, table: Table, holder: str) -> None:
    table.record(QUICK)
    held = secrets(app, table)[holder]
    called = set()
    for rule in rules_of_games(app):
        name = rule.endpoint.removeprefix("api.")
        path = rule.rule.removeprefix(ROOT).replace("<game_id>", "{id}")
        path = path.replace("<int:number>", "0" if "transfers" in path else "1")
        for method in sorted(rule.methods or ()):
            asked = rule.endpoint if method != "OPTIONS" else routed(app, table, path)
            before = app.extensions["ledger"].head(table.id)
            answer = table.call(
                method,
                path,
                BODIES.get(name) if method not in doors.READING else None,
                secret=held or "",
                match=str(app.extensions["ledger"].version(table.id)),
                key=f"{name}-{method}",
            )
            refused = expected(asked, method, holder)
            called.add(rule.endpoint)
            if refused:
                assert answer.status_code == refused, (method, path)
                assert app.extensions["ledger"].head(table.id) == before, (method, path)
            else:
                assert answer.status_code < 300, (method, path, answer.text)

    assert called == {rule.endpoint for rule in rules_of_games(app)}


def routed(app: Flask, table: Table, path: str) -> str:
    """Which route answers OPTIONS where several share a path."""
    adapter = app.url_map.bind("localhost")
    return str(adapter.match(ROOT + path.replace("{id}", table.id), method="OPTIONS")[0])


def test_other_methods_are_not_allowed_and_tell_nothing(app: Flask, table: Table) -> None:
    paths: dict[str, set[str]] = {}
    for rule in rules_of_games(app):
        paths.setdefault(rule.rule.removeprefix(ROOT), set()).update(rule.methods or ())
    for path, known in paths.items():
        for method in set(METHODS) - known:
            route = path.replace("<game_id>", "{id}").replace("<int:number>", "1")
            answer = table.call(method, route, secret="")

            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["Allow"].split(", ")) == known


def test_a_game_that_is_not_there_and_one_that_is_not_yours_look_the_same(
    app: Flask, table: Table
) -> None:
    foreign = Table(app).begin()

    answers = [
        table.get(f"/games/{game_id}").json | {"instance": ""}
        for game_id in (foreign.id, "nothing")
    ]

    assert answers[0] == answers[1]
    assert answers[0]["status"] == 404


@pytest.mark.parametrize("scheme", ["Basic ", "bearer", "", "Bearer  ", "Token "])
def test_a_secret_is_sent_as_bearer_and_in_no_other_way(table: Table, scheme: str) -> None:
    headers = {"Authorization": f"{scheme}{table.pen if scheme.strip() != 'Bearer' else ''}"}

    assert table.get("/games/{id}", secret="", headers=headers).status_code == 404


def test_a_secret_may_be_typed_as_people_type(table: Table) -> None:
    typed = table.pen.upper().replace("-", " ")

    assert table.get("/games/{id}", secret=typed).status_code == 200


@pytest.mark.parametrize("right", ["pen", "watch"])
def test_a_replaced_secret_is_refused_on_the_next_request(table: Table, right: str) -> None:  # A3
    old = getattr(table, right)

    answer = table.post("/games/{id}/secrets", {"right": right})

    assert answer.headers["Cache-Control"] == "no-store"
    assert table.get("/games/{id}", secret=old).status_code == 404
    assert table.get("/games/{id}", secret=answer.json["secret"]).status_code == 200


def test_no_answer_but_the_first_holds_a_secret(table: Table) -> None:  # A5
    table.record(QUICK)

    for path in ("", "/history", "/settlement", "/export.json", "/export.csv", "/rounds/1"):
        text = table.get("/games/{id}" + path).text

        assert table.pen not in text
        assert table.watch not in text
