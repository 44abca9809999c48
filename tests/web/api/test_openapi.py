"""The OpenAPI 3.1 document is valid, and its page loads nothing from elsewhere."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask

import scorekeeper
from scorekeeper.web.api import blueprint
from scorekeeper.web.api import handbook as handbook_module
from scorekeeper.web.api.examples import ROUNDS
from tools import openapi
from web.pages.conftest import words

VENDOR = Path(__file__).parents[2] / "vendor"


@pytest.fixture
def document(app: Flask) -> dict[str, Any]:
    answer = app.test_client().get("/api/v1/openapi.json")
    assert answer.mimetype == "application/json"
    found: dict[str, Any] = answer.json
    return found


@pytest.fixture
def handbook(app: Flask) -> str:
    return app.test_client().get("/api/v1/docs").text


def articles(handbook: str) -> list[str]:
    """Return the text about each call, refusal and schema, without examples."""
    html = re.sub(r"<details>.*?</details>", "", handbook, flags=re.DOTALL)
    return [words(one).strip() for one in re.findall(r"<article.*?</article>", html, re.DOTALL)]


def references(value: object) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


@pytest.fixture(scope="module")
def made() -> dict[Path, str]:
    """Return the files as ``make openapi`` would write them now."""
    return openapi.made()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_the_document_is_openapi_3_1_and_names_itself(document: dict[str, Any]) -> None:
    schema = json.loads((VENDOR / "openapi-3.1.json").read_text(encoding="utf-8"))

    jsonschema_rs.Draft202012Validator(schema).validate(document)
    assert document["openapi"].startswith("3.1.")
    assert set(document["info"]) >= {"title", "version", "description"}


def test_the_vendored_openapi_schema_is_unchanged() -> None:
    sums = dict(line.split()[::-1] for line in (VENDOR / "SHA256SUMS").read_text().splitlines())

    assert {name: sha256((VENDOR / name).read_bytes()).hexdigest() for name in sums} == sums


def test_the_committed_document_is_up_to_date(made: dict[Path, str]) -> None:
    for path, text in made.items():
        same = path.read_text(encoding="utf-8") == text  # the texts are too long to be shown
        assert same, f"{path.name} is not what the interface says now: run make openapi"


def test_the_served_document_is_the_committed_one(app: Flask) -> None:
    served = app.test_client().get("/api/v1/openapi.json").text

    assert served == openapi.DOCUMENT.read_text(encoding="utf-8")


def test_the_openapi_document_is_compressed(app: Flask) -> None:
    for path in ("openapi.json", "docs"):
        plain = app.test_client().get(f"/api/v1/{path}")
        packed = app.test_client().get(f"/api/v1/{path}", headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert packed.data[4:8] == bytes(4)  # no time, so all servers send the same bytes
        assert len(packed.data) < len(plain.data) / 4


def test_the_client_makes_every_call(document: dict[str, Any], made: dict[Path, str]) -> None:
    """The examples are made by the client, which has no other way to the app."""
    played = json.loads(made[openapi.PLAYED])["calls"]

    assert set(played) == {operation["operationId"] for _, _, operation in operations(document)}


def test_every_schema_is_a_valid_json_schema(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        jsonschema_rs.meta.validate({"$schema": DIALECT, **schema})
        jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
        assert schema["type"] == "object", name
        assert schema["description"], name


DIALECT = "https://json-schema.org/draft/2020-12/schema"


def test_every_default_and_example_matches_its_schema(document: dict[str, Any]) -> None:
    """In schemas, parameters, bodies and answers, including errors."""
    checked = 0
    for about in dictionaries(document):
        schema = about.get("schema", about)
        shown = about.get("examples", {})
        values = [one["value"] for one in shown.values()] if isinstance(shown, dict) else shown
        values = [*values, *(about[name] for name in ("default", "example") if name in about)]
        if values and isinstance(schema, dict) and schema.keys() & KINDS:
            validator = jsonschema_rs.Draft202012Validator(
                {**schema, "components": document["components"]}
            )
            for value in values:
                validator.validate(value)
                checked += 1

    assert checked > 300


KINDS = {"type", "$ref", "oneOf", "enum"}


def dictionaries(value: object) -> Iterator[dict[str, Any]]:
    """Yield every object in the document, without those inside examples."""
    if isinstance(value, dict):
        yield value
        inner = [one for name, one in value.items() if name not in ("examples", "example")]
        for one in inner:
            yield from dictionaries(one)
    elif isinstance(value, list):
        for one in value:
            yield from dictionaries(one)


@pytest.mark.parametrize("book", ["games/{game_id}", "groups/{group_id}"])
def test_one_of_two_replacements_of_a_secret_wins(document: dict[str, Any], book: str) -> None:
    answer = document["paths"][f"/api/v1/{book}/secrets"]["post"]["responses"]

    assert answer["412"] == {"$ref": "#/components/responses/Stale"}


def test_every_reference_can_be_resolved(document: dict[str, Any]) -> None:
    leading = references(document)

    assert len(leading) > 50
    for reference in leading:
        found: Any = document
        for part in reference.removeprefix("#/").split("/"):
            assert part in found, reference
            found = found[part]


def test_every_call_is_described(app: Flask, document: dict[str, Any]) -> None:
    described = {
        (method, re.sub(r"{(\w+)}", "<>", path)) for method, path, _ in operations(document)
    }
    routes = {
        (method, re.sub(r"<[^>]*>", "<>", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }

    assert described == routes


def test_every_operation_id_is_the_name_of_its_view(app: Flask, document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    views = {rule.endpoint for rule in app.url_map.iter_rules()}

    assert len(set(names)) == len(names)
    assert {f"api.{name}" for name in names} <= views


def test_every_operation_describes_its_purpose_answers_and_right(document: dict[str, Any]) -> None:
    tags = {tag["name"] for tag in document["tags"] if tag["description"]}
    for _, path, operation in operations(document):
        taken = operation.get("parameters", ())
        assert {p["name"] for p in taken if p["in"] == "path"} == set(re.findall(r"{(\w+)}", path))
        assert all(parameter["description"] for parameter in taken), path
        assert re.fullmatch(r"[^.]+\.", operation["summary"].replace("...", "")), path
        assert len(operation["tags"]) == 1
        assert set(operation["tags"]) <= tags, path
        assert any(status.startswith("2") for status in operation["responses"]), path
        assert "default" in operation["responses"], path
        needs_secret = "{game_id}" in path or "{group_id}" in path
        assert operation.get("security") == ([{"secret": []}] if needs_secret else None), path


def test_every_operation_has_examples_of_request_and_answer(
    document: dict[str, Any],
) -> None:
    for _, path, operation in operations(document):
        if "requestBody" in operation:
            for media, content in operation["requestBody"]["content"].items():
                assert media != "application/json" or content["examples"], path
        for status, answer in operation["responses"].items():
            for media, content in answer.get("content", {}).items():
                if media in ("application/json", "text/csv"):
                    assert content["examples"], (path, status)


def test_every_error_is_described_with_an_example(document: dict[str, Any]) -> None:
    for name, about in document["components"]["responses"].items():
        (content,) = about["content"].values()
        assert about["description"]
        assert "example" in content or name in ("Refused", "TooMany"), name


def test_every_call_lists_its_possible_errors(document: dict[str, Any]) -> None:
    said = {o["operationId"]: set(o["responses"]) for _, _, o in operations(document)}

    assert said["list_presets"] == {"200", "default"}
    assert said["check_meld"] >= {"400", "413", "415", "422"}
    assert said["record_round"] >= {"400", "403", "404", "413", "415", "422", "503", "507"}
    assert said["correct_round"] >= {"412", "428"}
    assert said["read_game"] == {"200", "304", "404", "default"}
    for name in ("read_links", "read_group_links"):
        assert said[name] == {"200", "403", "404", "default"}
    for name in ("end_code", "end_group_code"):
        assert said[name] >= {"400", "403", "404", "413", "415", "422", "429"}
    assert said["withdraw_paper"] >= {"403", "404", "412", "429", "503", "507"}
    assert "429" in said["enter_code"]


def test_the_handbook_shows_every_call_and_schema(handbook: str, document: dict[str, Any]) -> None:
    for path in document["paths"]:
        assert f"<code>{path.removeprefix('/api/v1')}</code>" in handbook
    for name in document["components"]["schemas"]:
        assert f'id="{name}"' in handbook
    assert set(re.findall(r'href="#([^"]+)"', handbook)) <= set(
        re.findall(r'id="([^"]+)"', handbook)
    )


ARTICLES = {
    "PUT /games/{game_id}/rounds/{number} Correct a round; the previous entry stays in the"
    " history. needs a secret If-Match header, required: the ETag of the version to change,"
    " with or without the language Idempotency-Key header: 1 to 100 printable ASCII characters,"
    " chosen by the client; a repeat with the same key changes nothing body Round 200 RoundAnswer"
    " refused 400 403 404 412 413 415 422 428 429 503 507",
    "WayOut A way to go out at once. points * integer melds * array of Reading"
    " layoffs * array of LayOff rest * array of string"
    " discard * string or null null if nothing is discarded",
    "Glass An attempt at catching the glass. by * integer 0–11 kind * group | sequence"
    " rank A | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | J | Q | K | null suit C | D | H | S | null"
    " hit * boolean pile string or array of string or null cards: 7H 2C 7S KD 7C",
    "Newcomer Somebody who joins, perhaps in the place of a player who leaves, by seat."
    " name * string in_place_of integer 0–11",
}
"""Some articles of the handbook, as they are read."""


def test_the_handbook_describes_calls_and_schemas_in_words(make_app: Callable[[], Flask]) -> None:
    page = make_app().test_client().get("/api/v1/docs").text  # the app of other tests has kept one
    ways = page.split('id="WayOut"')[1].split("</article>")[0]
    body = page.split("<code>/rounds/score</code>")[1].split("</article>")[0]

    assert ARTICLES - set(articles(page)) == set()
    assert '<a href="#Reading">array of Reading</a>' in ways
    assert '<a href="#ScoreBody">ScoreBody</a>' in body
    assert re.findall(r'<a href="#refused-\w+">(\d+)</a>', body)[0] == "400"


def test_the_handbook_shows_every_example(handbook: str, document: dict[str, Any]) -> None:
    messages = [
        *(operation.get("requestBody", {}) for _, _, operation in operations(document)),
        *(one for _, _, o in operations(document) for one in o["responses"].values()),
        *document["components"]["responses"].values(),
    ]
    contents = [content for one in messages for content in one.get("content", {}).values()]
    examples = sum(len(one.get("examples", ())) + ("example" in one) for one in contents)

    assert handbook.count("<details>") == examples > 100


def test_the_pages_about_groups_list_every_call_for_groups(document: dict[str, Any]) -> None:
    docs = Path(__file__).parents[3] / "docs"
    pages = [(docs / name).read_text(encoding="utf-8") for name in ("groups.md", "tournaments.md")]
    calls = {
        f"{method} {path.removeprefix('/api/v1')}"
        for method, path, _ in operations(document)
        if path.startswith("/api/v1/groups")
    }

    assert set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /groups\S*)`", "".join(pages))) == calls


def test_every_error_reason_of_groups_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs" / "groups.md").read_text(encoding="utf-8")
    code = Path(scorekeeper.__file__).parent.rglob("*.py")
    reasons = {
        reason
        for path in code
        for reason in re.findall(r'"E_GROUP", .*why="(\w+)"', path.read_text(encoding="utf-8"))
    }
    (answer,) = re.findall(r"a fact `why`: ([^.]*)\.", page)

    assert reasons - {"no_game"} == set(re.findall(r"`(\w+)`", answer))  # a 404 over REST


@pytest.mark.parametrize("path", ["/api/v1/docs", "/api/v1/openapi.json"])
def test_a_constant_page_is_made_and_compressed_once(
    app: Flask, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    client, packed = app.test_client(), {"Accept-Encoding": "gzip"}
    first = client.get(path, headers=packed)
    for module, name in (
        (handbook_module, "groups"),
        (blueprint, "format_json"),
        (gzip, "compress"),
    ):
        monkeypatch.setattr(module, name, None)  # would fail if it were called
    again, plain = client.get(path, headers=packed), client.get(path)
    tag = {"If-None-Match": first.headers["ETag"]}

    assert again.data == first.data
    assert gzip.decompress(first.data) == plain.data
    assert first.content_encoding == "gzip" and "Accept-Encoding" in first.headers["Vary"]
    assert [client.get(path, headers=packed | tag).status_code for _ in range(2)] == [304, 304]
    assert client.get(path, headers=tag).data == b""


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


@pytest.mark.parametrize("family", ROUNDS)
def test_the_example_of_every_family_is_a_round_that_scores(
    app: Flask, document: dict[str, Any], family: str
) -> None:
    body = document["paths"]["/api/v1/rounds/score"]["post"]["requestBody"]
    example = body["content"]["application/json"]["examples"][family]["value"]

    answer = app.test_client().post("/api/v1/rounds/score", json=example)

    assert answer.status_code == 200
    assert any(seat["minus"] or seat["plus"] for seat in answer.json["scores"])
    assert example["round"] == ROUNDS[family]["value"]
