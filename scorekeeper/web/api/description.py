"""What the OpenAPI document says of all calls alike: tags, parameters, refusals, examples.

The calls themselves are described where they are declared; what follows from that is added
here, so that no view says it again.
"""

import json
import re
from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path
from typing import Any

from marshmallow import Schema

Json = dict[str, Any]
CLAUSE = re.compile(r" \(RULES [\d.]+\)")
"""What only those who work on the code can look up."""

TAGS = {
    "Games": "A game from its beginning to its end.",
    "Rounds": "Rounds are recorded, previewed, corrected and struck out; nothing gets lost.",
    "Settlement": "Who pays whom, in exact money.",
    "Groups": "Friends who play for years: members, house rules, history.",
    "Evenings": "The games of a group.",
    "Money": "The book of money of a group; nothing in it is ever edited.",
    "Season": "Who stands where after many evenings.",
    "Import and export": "Paper, tables, and whole games and groups as files.",
    "Rules": "Rule systems and their options; nothing is stored.",
    "Referee": "Questions about cards; nothing is stored.",
}

PARAMETERS = {
    "game_id": "the id of the game",
    "group_id": "the id of the group",
    "number": "which one; rounds count from 1, payments of a settlement from 0",
    "member": "a member by index, from 0",
    "seat": "a seat, from 0",
    "name": "the name of a rule system",
    "preset": "the name of a rule system",
    "from": "the first day that counts",
    "to": "the last day that counts",
    "year": "the days of one year; all: every day",
    "family": "only games of this family of rules",
    "training": "no: without the evenings that count for nothing",
    "limit": "how many are listed at most",
    "offset": "how many are passed over",
    "by": "what the table is ordered by",
    "unit": "the unit of the money",
    "min_rounds": "who played fewer rounds has no rank",
    "table": "which table",
    "size": "the size of the paper",
    "as_it_was": "true: take in scores that differ from the rules, marked for good",
    "details": "yes: every round with its cards",
    "side": "whose, by the place in the list of players, in teams of sides",
    "lang": "the language; else Accept-Language decides",
    "up": "how many leaves are on a paper",
    "pages": "how many papers",
    "players": "how many columns",
    "names": "with commas between, in the order of the seats",
    "teams": "yes: a column for each side",
    "If-Match": "the version that was seen: the ETag of the book, with or without the language",
    "If-None-Match": "the ETag of the answer already known; 304 while it stands",
    "Idempotency-Key": "made before sending; a repeat does nothing again",
}
"""A parameter means the same wherever it is taken."""

REFUSALS = {
    400: ("Malformed", "no JSON that two readers would read alike, or no usable Idempotency-Key"),
    403: ("ReadOnly", "the secret may read and not change"),
    404: ("Unknown", "not there, or not opened by this secret: both look the same"),
    412: ("Stale", "changed by somebody else since; the ETag is the version that stands"),
    413: ("TooLarge", "the body is too large"),
    415: ("NotJson", "the body does not call itself application/json"),
    422: ("Broken", "a rule or the form is broken, at the places that are named"),
    428: ("Unseen", "If-Match is missing: which version was seen?"),
    429: ("TooMany", "too many of them from one place; Retry-After says when it goes on"),
    503: ("NotNow", "nothing was saved; the same again, with the same key, does no harm"),
    507: ("NoRoom", "nothing was saved: there is no room left"),
    0: ("Refused", "any other refusal"),
}
"""By status: what it is called in the document, and what it means."""

MOST_LINE = 90
FIRST = ("openapi", "info", "tags", "operationId", "summary", "description", "parameters")
"""What is read first, of the document and of a call."""

HEADERS = {
    "ETag": 'version and language of the answer, "17-en"',
    "Location": "where it is to be found from now on",
}
"""What an answer's headers say."""


def played() -> Json:
    """Every call as it was once played and answered, and every refusal (tools/openapi.py)."""
    found: Json = json.loads(Path(__file__).with_name("played.json").read_text(encoding="utf-8"))
    return found


def described(document: Json, played: Json) -> Json:
    """The document with everything that follows from its calls."""
    told: Json = json.loads(json.dumps(document))  # nothing in it is shared any more
    told["tags"] = [{"name": tag, "description": words} for tag, words in TAGS.items()]
    classes = dict(_schemas(Schema))
    for name, schema in told["components"]["schemas"].items():
        words = CLAUSE.sub("", getdoc(classes[name]) or "")
        told["components"]["schemas"][name] = {"description": words} | schema
    for status, answer in played["refusals"].items():
        response = told["components"]["responses"][REFUSALS[int(status)][0]]
        response["content"]["application/problem+json"]["example"] = answer
    for path in told["paths"].values():
        placed = path.pop("parameters", [])
        for method, operation in path.items():
            operation["parameters"] = [*map(dict, placed), *operation.get("parameters", ())]
            _describe(operation)
            for call in played["calls"].get(operation["operationId"], ()):
                _show(call, operation)
            path[method] = _in_order(operation)
    return _in_order(told)


def _in_order(about: Json) -> Json:
    return {name: about[name] for name in (*FIRST, *about) if name in about}


def _schemas(above: type[Schema]) -> Iterator[tuple[str, type[Schema]]]:
    for schema in above.__subclasses__():
        yield schema.__name__.removesuffix("Schema"), schema
        yield from _schemas(schema)


def _describe(operation: Json) -> None:
    taken = {parameter["name"]: parameter for parameter in operation["parameters"]}
    for name, parameter in taken.items():
        parameter.setdefault("description", PARAMETERS.get(name, ""))
    answers = operation["responses"]
    for status in refusals(operation):
        answers[str(status)] = {"$ref": f"#/components/responses/{REFUSALS[status][0]}"}
    if "If-None-Match" in taken:
        answers["304"] = {"description": "nothing has changed since that version"}
    operation["responses"] = dict(sorted(answers.items()))


def refusals(operation: Json) -> Iterator[int]:
    """With which statuses a call may be refused, as it follows from what it takes."""
    taken = {parameter["name"]: parameter for parameter in operation["parameters"]}
    changes = "201" in operation["responses"] or "If-Match" in taken
    if any(one["in"] == "path" for one in taken.values()):
        yield 404
    if "requestBody" in operation:
        yield from (400, 413, 415)
    if "Idempotency-Key" in taken:
        yield 400
    if "If-Match" in taken:
        yield from (412, 428)
    if changes or "requestBody" in operation or any(one["in"] == "query" for one in taken.values()):
        yield 422
    if changes:
        yield from (429, 503, 507)
        if "security" in operation:
            yield 403


def _show(call: Json, operation: Json) -> None:
    """Put a call that was played and its answer where they belong."""
    name = call["name"]
    taken = {parameter["name"]: parameter for parameter in operation["parameters"]}
    for given, value in call["given"].items():
        known = taken[given]
        read = int(value) if known["schema"].get("type") == "integer" else value
        known.setdefault("examples", {})[name] = {"value": read}
    if "body" in call:
        _example(operation["requestBody"], name, call["body"])
    answer = operation["responses"][call["status"]]
    for header, value in call["headers"].items():
        about = {"description": HEADERS[header], "schema": {"type": "string"}, "example": value}
        answer.setdefault("headers", {}).setdefault(header, about)
    if "answer" in call:
        _example(answer, name, call["answer"])


def _example(message: Json, name: str, value: object) -> None:
    for content in message["content"].values():
        content.setdefault("examples", {}).setdefault(name, {})["value"] = value


def written(document: object) -> str:
    """JSON as people would lay it out: what fits into a line stands in one."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return f"{INNERMOST.sub(_in_one_line, text)}\n"


INNERMOST = re.compile(r"[\[{]\n[^\[\]{}]*\n *[\]}]")


def _in_one_line(found: re.Match[str]) -> str:
    begin, *within, end = found[0].split("\n")
    line = f"{begin}{' '.join(part.strip() for part in within)}{end.strip()}"
    return line if len(line) <= MOST_LINE else found[0]
