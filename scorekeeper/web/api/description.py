"""The shared parts of the OpenAPI document: tags, parameters, errors and examples.

Calls are documented where they are declared. What follows from that is added here, so that no
view repeats it.
"""

import json
import re
from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path
from typing import Any, cast

from marshmallow import Schema

from scorekeeper.web.context import READ_METHODS
from scorekeeper.web.permissions import RIGHTS

Json = dict[str, Any]
CLAUSE = re.compile(r" \(RULES [\d.]+\)")
"""References to the rules, which only developers of scorekeeper can look up."""

TAGS = {
    "Games": "A game from its beginning to its end.",
    "Rounds": "Record, preview, correct and strike out rounds; nothing gets lost.",
    "Settlement": "Who pays whom, in exact money.",
    "Groups": "Friends who play for years: members, house rules, history.",
    "Evenings": "The games of a group.",
    "Money": "The account book of a group; entries are never edited.",
    "Tournaments": "A group whose evenings are drawn: entrants, rounds, results, standings.",
    "Season": "Tables and statistics over many evenings.",
    "Sharing": "Links and short codes that let others watch or write.",
    "Import and export": "Paper, tables, and whole games and groups as files.",
    "Rules": "Rule systems and their options; nothing is stored.",
    "Referee": "Questions about cards, and cards in photographs; nothing is stored.",
}

PARAMETERS = {
    "game_id": "the id of the game",
    "group_id": "the id of the group",
    "number": "the number; rounds count from 1, payments of a settlement from 0",
    "member": "a member by index, from 0",
    "seat": "a seat, from 0",
    "entrant": "an entrant of a tournament by number, from 1",
    "at_table": "a table of a round, from 1",
    "after": "only rounds up to this one count",
    "name": "the name of a rule system",
    "preset": "the name of a rule system",
    "from": "the first day that counts",
    "to": "the last day that counts",
    "year": "the days of one year; all: every day",
    "family": "only games of this family of rules",
    "system": "only evenings played by this rule system",
    "training": "no: without training evenings",
    "limit": "the most to list",
    "offset": "the number to skip",
    "by": "what the table is ordered by",
    "unit": "the unit of the money",
    "min_rounds": "members with fewer rounds have no rank",
    "table": "which table",
    "size": "the size of the paper",
    "as_it_was": "true: accept scores that differ from the rules, and mark them for good",
    "details": "yes: every round with its cards",
    "side": "the player's index in the list of players; in teams, the side's",
    "lang": "the language; by default from Accept-Language",
    "up": "pages per sheet of paper",
    "pages": "number of sheets of paper",
    "players": "number of columns",
    "names": "separated by commas, in the order of the seats",
    "teams": "yes: a column for each side",
    "hollywood": "yes: three games of gin side by side",
    "stake": "no: for tables that play for nothing, without lines for the stake and the amount",
    "packs": "how many packs the deck has",
    "jokers": "how many jokers the deck has",
    "If-Match": "the ETag of the version to change, with or without the language",
    "If-None-Match": "the ETag of the client's copy; 304 while it is up to date",
    "Idempotency-Key": (
        "1 to 100 printable ASCII characters, chosen by the client; a repeat with the same key"
        " changes nothing"
    ),
}
"""Descriptions of parameters; a parameter means the same in every call."""

ERRORS = {
    400: ("Malformed", "not unambiguous JSON, or not a usable Idempotency-Key"),
    403: ("ReadOnly", "the secret may read but not write"),
    404: ("Unknown", "it does not exist, or this secret does not open it; both look the same"),
    412: ("Stale", "changed by somebody else; the ETag is the current version"),
    413: ("TooLarge", "the body is too large"),
    415: ("NotJson", "the body is not sent as application/json"),
    422: ("Broken", "the round or form breaks a rule, at the paths named"),
    428: ("Unseen", "If-Match is missing"),
    429: ("TooMany", "too many requests from one client; Retry-After says when to try again"),
    503: ("NotNow", "nothing was saved; it is safe to send the request again with the same key"),
    501: ("NotHere", "this server lacks what is needed for it"),
    507: ("NoRoom", "nothing was saved; the disk is full"),
    0: ("Refused", "any other error"),
}
"""By status: the name of the response in the document, and its meaning."""

LINE_LENGTH = 90
FIRST_KEYS = ("openapi", "info", "tags", "operationId", "summary", "description", "parameters")
"""Keys that come first in the document and in each call."""

HEADERS = {
    "ETag": 'version and language of the answer, "17-en"',
    "Location": "the URL of the new resource",
}
"""Descriptions of response headers."""


def recorded_calls() -> Json:
    """Return one recorded example of every call and every error (tools/openapi.py)."""
    text = Path(__file__).with_name("recorded_calls.json").read_text(encoding="utf-8")
    return cast(Json, json.loads(text))


def complete_document(document: Json, examples: Json) -> Json:
    """Return the document with tags, descriptions, errors and examples added."""
    complete: Json = json.loads(json.dumps(document))  # a deep copy, without shared parts
    complete["tags"] = [{"name": tag, "description": words} for tag, words in TAGS.items()]
    classes = dict(_schemas(Schema))
    for name, schema in complete["components"]["schemas"].items():
        words = CLAUSE.sub("", getdoc(classes[name]) or "")
        complete["components"]["schemas"][name] = {"description": words} | schema
    for status, answer in examples["refusals"].items():
        response = complete["components"]["responses"][ERRORS[int(status)][0]]
        response["content"]["application/problem+json"]["example"] = answer
    for path in complete["paths"].values():
        shared = path.pop("parameters", [])
        for method, operation in path.items():
            operation["parameters"] = [*map(dict, shared), *operation.get("parameters", ())]
            _describe(method, operation)
            for call in examples["calls"].get(operation["operationId"], ()):
                _show(call, operation)
            path[method] = _in_order(operation)
    return _in_order(complete)


def _in_order(part: Json) -> Json:
    return {name: part[name] for name in (*FIRST_KEYS, *part) if name in part}


def _schemas(above: type[Schema]) -> Iterator[tuple[str, type[Schema]]]:
    for schema in above.__subclasses__():
        yield schema.__name__.removesuffix("Schema"), schema
        yield from _schemas(schema)


def _describe(method: str, operation: Json) -> None:
    taken = {parameter["name"]: parameter for parameter in operation["parameters"]}
    for name, parameter in taken.items():
        parameter.setdefault("description", PARAMETERS.get(name, ""))
    answers = operation["responses"]
    for status in error_statuses(method, operation):
        answers[str(status)] = {"$ref": f"#/components/responses/{ERRORS[status][0]}"}
    if "If-None-Match" in taken:
        answers["304"] = {"description": "nothing has changed since that version"}
    operation["responses"] = dict(sorted(answers.items()))


def error_statuses(method: str, operation: Json) -> Iterator[int]:
    """Yield the statuses with which a call may be refused.

    They follow from the right that it needs, and from its parameters and body.
    """
    taken = {parameter["name"]: parameter for parameter in operation["parameters"]}
    reads = method.upper() in READ_METHODS
    to_read, to_change = RIGHTS[f"api.{operation['operationId']}"]
    needs_pen = (to_read if reads else to_change) == "pen"
    changes = "201" in operation["responses"] or (needs_pen and not reads)
    if any(one["in"] == "path" for one in taken.values()):
        yield 404
    if "requestBody" in operation:
        yield from (413, 415) if _takes_picture(operation) else (400, 413, 415)
    if _takes_picture(operation):
        yield from (501, 503)
    if "Idempotency-Key" in taken:
        yield 400
    if "If-Match" in taken:
        yield from (412, 428)
    if changes or "requestBody" in operation or any(one["in"] == "query" for one in taken.values()):
        yield 422
    if changes:
        yield from (429, 503, 507)
    if needs_pen:
        yield 403


def _takes_picture(operation: Json) -> bool:
    return "image/jpeg" in operation.get("requestBody", {}).get("content", ())


def _show(call: Json, operation: Json) -> None:
    """Add a recorded call and its answer as examples."""
    name = call["name"]
    taken = {parameter["name"]: parameter for parameter in operation["parameters"]}
    for argument, value in call["given"].items():
        parameter = taken[argument]
        read = int(value) if parameter["schema"].get("type") == "integer" else value
        parameter.setdefault("examples", {})[name] = {"value": read}
    if "body" in call:
        _example(operation["requestBody"], name, call["body"])
    answer = operation["responses"][call["status"]]
    for header, value in call["headers"].items():
        part = {"description": HEADERS[header], "schema": {"type": "string"}, "example": value}
        answer.setdefault("headers", {}).setdefault(header, part)
    if "answer" in call:
        _example(answer, name, call["answer"])


def _example(message: Json, name: str, value: object) -> None:
    for content in message["content"].values():
        content.setdefault("examples", {}).setdefault(name, {})["value"] = value


def format_json(document: object) -> str:
    """Return indented JSON, with everything on one line that fits."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return f"{INNERMOST.sub(_in_one_line, text)}\n"


INNERMOST = re.compile(r"[\[{]\n[^\[\]{}]*\n *[\]}]")


def _in_one_line(match: re.Match[str]) -> str:
    begin, *within, end = match[0].split("\n")
    line = f"{begin}{' '.join(part.strip() for part in within)}{end.strip()}"
    return line if len(line) <= LINE_LENGTH else match[0]
