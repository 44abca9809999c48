"""The handbook: the OpenAPI document as a page that loads nothing from other sites."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, render_template, request

from scorekeeper.web.api.blueprint import ROOT, ApiDocument
from scorekeeper.web.api.description import TAGS, format_json
from scorekeeper.web.compression import Constant

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """The type of a value in words, and the schema that it links to."""

    words: str
    schema: str = ""


@dataclass(frozen=True)
class Field:
    """One row in the table of a schema."""

    name: str
    kind: Kind
    required: bool
    description: str


@dataclass(frozen=True)
class Message:
    """A request or response body with its examples."""

    kind: Kind
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Call:
    """One operation."""

    method: str
    path: str
    summary: str
    secret: bool
    parameters: tuple[Json, ...]
    body: Message | None
    answers: tuple[tuple[str, Message], ...]
    """By status."""
    refusals: tuple[tuple[str, str], ...]
    """Status, and the name of the response that explains it."""


def register(app: Flask, api: ApiDocument) -> None:
    """Add the route of the handbook."""

    def page() -> str:
        document = api.document
        schemas = document["components"]["schemas"]
        return render_template(
            "handbook.html",
            info=document["info"],
            root=request.script_root + ROOT,
            groups=groups(document),
            refusals={
                name: (part["description"], _message(part))
                for name, part in document["components"]["responses"].items()
            },
            schemas={name: (schema, tuple(fields(schema))) for name, schema in schemas.items()},
        )

    app.add_url_rule(f"{ROOT}/docs", "handbook", Constant(page, "text/html").response)


def groups(document: Json) -> dict[str, list[Call]]:
    """Return the calls by tag."""
    calls: dict[str, list[Call]] = {tag: [] for tag in TAGS}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            calls[operation["tags"][0]].append(_call(method, path, operation))
    return calls


def _call(method: str, path: str, operation: Json) -> Call:
    body, answers = operation.get("requestBody"), operation["responses"]
    return Call(
        method=method.upper(),
        path=path.removeprefix(ROOT),
        summary=operation["summary"],
        secret="security" in operation,
        parameters=tuple(operation.get("parameters", ())),
        body=_message(body) if body else None,
        answers=tuple(
            (status, _message(answer)) for status, answer in answers.items() if "content" in answer
        ),
        refusals=tuple(
            (status, answer["$ref"].rsplit("/", 1)[1])
            for status, answer in answers.items()
            if "$ref" in answer and status.isdigit()
        ),
    )


def _message(message: Json) -> Message:
    media, content = next(iter(message["content"].items()))
    body_kind = kind(content["schema"]) if media.endswith("json") else Kind(media)
    examples = {"example": content} if "example" in content else content.get("examples", {})
    return Message(body_kind, tuple(_example(*example) for example in examples.items()))


def _example(name: str, example: Json) -> tuple[str, str]:
    value = example.get("value", example.get("example"))
    label = f"{name}: {example['summary']}" if "summary" in example else name
    return label, value if isinstance(value, str) else format_json(value)


def fields(schema: Json) -> Iterator[Field]:
    """Yield the properties of a schema."""
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        yield Field(name, kind(part), name in required, part.get("description", ""))


def kind(schema: Json) -> Kind:
    """Return a type in words: ``array of Seat``, ``out | knock``, ``integer 0–5``."""
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
        words = ("null" if word is None else str(word) for word in schema["enum"])
        return Kind(" | ".join(words))
    types = schema.get("type", "any")
    first, *others = [types] if isinstance(types, str) else types
    if "maximum" in schema:
        first += f" {schema.get('minimum')}–{schema['maximum']}"
    return Kind(" or ".join((first, *others)))
