"""Refusals about the request itself: each has a code, a place, and a sentence that helps."""

import json
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse, create_environ

from rest import Table
from scorekeeper.domain.errors import Problem
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.serving.setup import error_answer
from scorekeeper.web.api.blueprint import ProblemSchema
from scorekeeper.web.errors import BY_STATUS, problem_of

FACTS: dict[str, dict[str, Any]] = {
    "E_METHOD": {"method": "PUT", "allowed": "GET"},
    "E_CONTENT_TYPE": {"accepted": "application/json"},
    "E_TOO_LARGE": {"most": 64},
}


def problem(answer: TestResponse) -> tuple[int, str, list[Any]]:
    (one,) = answer.json["problems"]
    assert answer.json["detail"] == one["message"]
    assert answer.content_type == "application/problem+json"
    return answer.status_code, one["code"], one["path"]


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app).begin()


def test_a_change_without_the_version_seen_says_which_header_is_missing(table: Table) -> None:
    answer = table.call("PATCH", "/games/{id}", {"title": "x"})

    assert problem(answer) == (428, "E_IF_MATCH", ["If-Match"])
    assert "If-Match" in answer.json["detail"] and "ETag" in answer.json["detail"]


def test_a_stale_version_says_what_to_do(table: Table) -> None:
    answer = table.call("PATCH", "/games/{id}", {"title": "x"}, headers={"If-Match": '"99"'})

    assert problem(answer) == (412, "E_STALE", ["If-Match"])


def test_a_missing_game_and_a_wrong_secret_say_the_same(table: Table) -> None:
    wrong = table.call("GET", "/games/{id}", secret="aaaa-bbbb-cccc-dddd")
    missing = table.call("GET", "/games/nobody2345", secret="aaaa-bbbb-cccc-dddd")

    assert problem(wrong) == problem(missing) == (404, "E_NOT_FOUND", [])


def test_watching_does_not_allow_changes(table: Table) -> None:
    answer = table.call("PATCH", "/games/{id}", {"title": "x"}, secret=table.watch)

    assert problem(answer) == (403, "E_READ_ONLY", [])


def test_a_method_that_is_not_offered_names_those_that_are(table: Table) -> None:
    answer = table.call("PUT", "/presets", secret="")

    assert problem(answer) == (405, "E_METHOD", [])
    assert "GET" in answer.json["detail"] and "PUT" in answer.json["detail"]
    assert set(answer.json["problems"][0]["facts"]) == {"method", "allowed"}


@pytest.mark.parametrize(
    ("path", "accepted"), [("/rules/check", "application/json"), ("/cards/recognise", "image/png")]
)
def test_a_format_that_is_not_accepted_names_the_right_one(
    table: Table, path: str, accepted: str
) -> None:
    answer = table.call("POST", path, data=b"<a/>", content_type="text/xml", secret="")

    assert problem(answer) == (415, "E_CONTENT_TYPE", ["Content-Type"])
    assert accepted in answer.json["detail"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("status", BY_STATUS)
def test_every_status_has_a_sentence(status: int, lang: str) -> None:
    code, path = BY_STATUS[status]
    words = language(lang)

    found = problem_of(status, "/cards", **FACTS.get(code, {}))

    facts = {"docs": "/cards/api/v1/docs"} if code == "E_BAD_REQUEST" else FACTS.get(code, {})
    assert found == Problem(code, facts, path)
    assert words.problem(found).endswith(".")
    assert words.problem(found) != code


@pytest.mark.parametrize("status", [400, 408, 413, 414, 500, 503])
def test_early_refusals_of_the_server_are_complete_too(status: int) -> None:
    environ = create_environ("/api/v1/presets/k%C3%A4se") | {"SCRIPT_NAME": "/cards"}

    body = json.loads(b"".join(error_answer(status, environ).pieces))

    assert set(body) == set(ProblemSchema().fields)
    assert body["instance"] == "/cards/api/v1/presets/k%C3%A4se"
    assert body["problems"][0]["code"] == BY_STATUS[status][0]
    assert body["detail"] == body["problems"][0]["message"]


def test_an_early_refusal_repeats_only_the_beginning_of_a_long_address() -> None:
    environ = create_environ("/api/v1/" + "a" * 100_000)

    (body,) = error_answer(414, environ).pieces

    assert json.loads(body)["instance"].startswith("/api/v1/aaa")
    assert len(body) < 2_000


def test_what_cannot_be_understood_leads_to_the_handbook() -> None:
    environ = create_environ("/api/v1/presets") | {"SCRIPT_NAME": "/cards"}

    (body,) = error_answer(400, environ).pieces

    assert "/cards/api/v1/docs" in json.loads(body)["detail"]
