"""The description: a valid OpenAPI 3.1 document and a page that loads nothing from outside."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask

import scorekeeper
from scorekeeper import doors
from scorekeeper.api.examples import ROUNDS


@pytest.fixture
def document(app: Flask) -> dict[str, Any]:
    answer = app.test_client().get("/api/v1/openapi.json")
    assert answer.mimetype == "application/json"
    found: dict[str, Any] = answer.json
    return found


@pytest.fixture
def handbook(app: Flask) -> str:
    return app.test_client().get("/api/v1/docs").text


def references(value: object) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_the_document_is_openapi_3_1_and_names_itself(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    assert set(document["info"]) >= {"title", "version", "description"}


def test_every_schema_in_it_is_a_json_schema(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        jsonschema_rs.meta.validate({"$schema": DIALECT, **schema})
        jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
        assert schema["type"] == "object", name


DIALECT = "https://json-schema.org/draft/2020-12/schema"


def test_every_reference_in_it_leads_somewhere(document: dict[str, Any]) -> None:
    for reference in references(document):
        found: Any = document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]


def test_every_call_is_described(app: Flask, document: dict[str, Any]) -> None:
    described = {
        (method.upper(), re.sub(r"{(\w+)}", "<>", path))
        for path, operations in document["paths"].items()
        for method in operations
        if method != "parameters"
    }
    routes = {
        (method, re.sub(r"<[^>]*>", "<>", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }

    assert described == routes


def test_every_operation_says_what_it_does_answers_and_needs(document: dict[str, Any]) -> None:
    for path, operations in document["paths"].items():
        named = {p["name"] for p in operations.get("parameters", ()) if p["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))
        for method, operation in operations.items():
            if method == "parameters":
                continue
            assert operation["summary"], (method, path)
            assert any(status.startswith("2") for status in operation["responses"]), path
            assert "default" in operation["responses"], path
            assert ("security" in operation) == ("{game_id}" in path or "{group_id}" in path), path


def test_the_handbook_shows_every_call_and_schema(handbook: str, document: dict[str, Any]) -> None:
    for path in document["paths"]:
        assert f"<code>{path.removeprefix('/api/v1')}</code>" in handbook
    for name in document["components"]["schemas"]:
        assert f'id="{name}"' in handbook
    assert set(re.findall(r'href="#([^"]+)"', handbook)) <= set(
        re.findall(r'id="([^"]+)"', handbook)
    )


def test_the_page_about_groups_names_every_call_of_theirs(document: dict[str, Any]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "groups.md").read_text(encoding="utf-8")
    calls = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, operations in document["paths"].items()
        for method in operations
        if path.startswith("/api/v1/groups") and method != "parameters"
    }

    assert set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /groups\S*)`", page)) == calls


def test_every_reason_of_a_group_stands_on_its_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "groups.md").read_text(encoding="utf-8")
    code = Path(scorekeeper.__file__).parent.rglob("*.py")
    reasons = {
        reason
        for path in code
        for reason in re.findall(r'"E_GROUP", .*why="(\w+)"', path.read_text(encoding="utf-8"))
    }
    (told,) = re.findall(r"a fact `why`: ([^.]*)\.", page)

    assert reasons - {"no_game"} == set(re.findall(r"`(\w+)`", told))  # a 404 over REST


def test_the_handbook_loads_nothing_from_outside_and_runs_no_script(handbook: str) -> None:
    loaded = []

    class Loads(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag not in ("script", "iframe", "object", "style")
            for name, value in attrs:
                assert name != "style" and not name.startswith("on")
                if name == "src" or (name == "href" and tag != "a"):
                    loaded.append(value)

    Loads().feed(handbook)

    assert loaded == ["/static/handbook.css"]


def test_every_route_has_its_row_in_the_rights_table(app: Flask) -> None:
    doors.check_doors(app)
    app.add_url_rule("/api/v1/backdoor", "backdoor", lambda: "")

    with pytest.raises(RuntimeError, match="backdoor"):
        doors.check_doors(app)


@pytest.mark.parametrize("family", ROUNDS)
def test_the_example_of_every_family_is_a_round_that_scores(
    app: Flask, document: dict[str, Any], family: str
) -> None:
    body = document["paths"]["/api/v1/rounds/score"]["post"]["requestBody"]
    example = body["content"]["application/json"]["examples"][family]["value"]

    told = app.test_client().post("/api/v1/rounds/score", json=example)

    assert told.status_code == 200
    assert any(seat["minus"] or seat["plus"] for seat in told.json["scores"])
    assert example["round"] == ROUNDS[family]["value"]
