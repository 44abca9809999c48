"""The handbook: the OpenAPI document as a page of our own that loads nothing from outside."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from flask import Flask, render_template, request

from scorekeeper.api.blueprint import ROOT, Interface

Json = Mapping[str, Any]
TAGS = (
    "Games",
    "Rounds",
    "Settlement",
    "Groups",
    "Evenings",
    "Money",
    "Season",
    "In and out",
    "Rules",
    "Referee",
)


@dataclass(frozen=True)
class Kind:
    """The type of a value in words, and the schema that it leads to."""

    words: str
    schema: str = ""


@dataclass(frozen=True)
class Field:
    """One line in the table of a schema."""

    name: str
    kind: Kind
    required: bool
    description: str


@dataclass(frozen=True)
class Answer:
    """What comes back."""

    status: str
    words: str
    kind: Kind


@dataclass(frozen=True)
class Call:
    """One operation."""

    method: str
    path: str
    summary: str
    secret: bool
    parameters: tuple[Json, ...]
    body: Kind | None
    examples: tuple[tuple[str, str], ...]
    """What a body may look like: a word about it and its JSON."""
    answers: tuple[Answer, ...]


def register(app: Flask, interface: Interface) -> None:
    """Put the page up."""

    def handbook() -> str:
        document = interface.spec.to_dict()
        schemas = document["components"]["schemas"]
        return render_template(
            "handbook.html",
            info=document["info"],
            root=ROOT,
            here=request.host_url.rstrip("/"),
            groups=groups(document),
            schemas={name: (schema, tuple(fields(schema))) for name, schema in schemas.items()},
        )

    app.add_url_rule(f"{ROOT}/docs", "handbook", handbook)


def groups(document: Json) -> dict[str, list[Call]]:
    """The calls by their tag: what concerns a game first, then what needs none."""
    found: dict[str, list[Call]] = {tag: [] for tag in TAGS}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method != "parameters":
                call = _call(method, path, operation)
                found[operation["tags"][0]].append(call)
    return found


def _call(method: str, path: str, operation: Json) -> Call:
    body = operation.get("requestBody")
    return Call(
        method=method.upper(),
        path=path.removeprefix(ROOT),
        summary=operation["summary"],
        secret="security" in operation,
        parameters=tuple(operation.get("parameters", ())),
        body=_content(body) if body else None,
        examples=tuple(_examples(body)) if body else (),
        answers=tuple(
            Answer(status, HTTPStatus(int(status)).phrase, _content(answer))
            for status, answer in operation["responses"].items()
            if status.isdigit() and "content" in answer
        ),
    )


def _examples(body: Json) -> Iterator[tuple[str, str]]:
    for content in body["content"].values():
        for name, example in content.get("examples", {}).items():
            words = f"{name}: {example['summary']}"
            yield words, json.dumps(example["value"], ensure_ascii=False, indent=2)


def _content(message: Json) -> Kind:
    ((media, content),) = message["content"].items()
    return kind(content["schema"]) if media == "application/json" else Kind(media)


def fields(schema: Json) -> Iterator[Field]:
    """The properties of a schema."""
    required = schema.get("required", ())
    for name, about in schema.get("properties", {}).items():
        yield Field(name, kind(about), name in required, about.get("description", ""))


def kind(schema: Json) -> Kind:
    """A type in words: ``array of Seat``, ``out | knock``, ``integer 0–5``."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return Kind(name, name)
    for several in ("oneOf", "anyOf"):
        if several in schema:
            kinds = [kind(one) for one in schema[several]]
            target = next((one.schema for one in kinds if one.schema), "")
            return Kind(" or ".join(one.words for one in kinds), target)
    if "items" in schema:
        items = kind(schema["items"])
        return Kind(f"array of {items.words}", items.schema)
    if "enum" in schema:
        return Kind(" | ".join(map(str, schema["enum"])))
    types = schema.get("type", "any")
    words = types if isinstance(types, str) else " or ".join(types)
    if "maximum" in schema:
        words += f" {schema.get('minimum')}–{schema['maximum']}"
    return Kind(words)
