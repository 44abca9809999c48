"""The REST API; only this package uses flask-smorest."""

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from scorekeeper.config import VERSION
from scorekeeper.web.api import (
    endings,
    evenings,
    games,
    given,
    group_transfer,
    groups,
    handbook,
    money,
    paper,
    photographs,
    referee,
    rounds,
    rules,
    seasons,
    settlements,
    sharing,
    tournaments,
    transfer,
)
from scorekeeper.web.api.blueprint import ROOT, ApiDocument, blp
from scorekeeper.web.api.problems import damaged, http_problem

__all__ = ["damaged", "http_problem", "register"]

CALLS = (
    rules,
    referee,
    photographs,
    rounds,
    settlements,
    games,
    given,
    endings,
    groups,
    evenings,
    money,
    seasons,
    tournaments,
    sharing,
    paper,
    transfer,
    group_transfer,
)
"""The modules with the calls; importing a module adds its calls to the blueprint."""

DESCRIPTION = """\
Keeps score for rummy games played with real cards.

A new game or group answers with two secrets, shown only once: the pen allows writing, watch \
allows reading. Send one as "Authorization: Bearer ...". The secrets of a group open its games \
too. What does not exist and what you may not see get the same answer, 404.

Answers about a game or group have its version as ETag; changes to existing data need it as \
If-Match. Recording a round or a payment needs an Idempotency-Key: sent again with the same key \
and the same body, it counts once.

Points are whole numbers, amounts of money exact fractions written as text. Errors are \
application/problem+json; their messages follow Accept-Language (de, en, lb, fr).

Two cards are easily confused: KD is the king of diamonds in the notation "en", but Kreuz-Dame, \
the queen of clubs, in "de"; C is clubs in "en", but hearts (cœur) in "fr". The notation "auto" \
refuses both."""


LICENSE = {"name": "MIT", "identifier": "MIT"}


def register(app: Flask, csrf: CSRFProtect) -> None:
    """Register the calls, the OpenAPI document and the handbook."""
    app.config |= {
        "API_TITLE": "scorekeeper",
        "API_VERSION": VERSION,
        "OPENAPI_VERSION": "3.1.0",
        "OPENAPI_URL_PREFIX": ROOT,
        "OPENAPI_JSON_PATH": "openapi.json",
        "API_SPEC_OPTIONS": {"info": {"description": DESCRIPTION, "license": LICENSE}},
    }
    app.json.sort_keys = False  # type: ignore[attr-defined]  # keep the order of the schemas
    api = ApiDocument(app)
    api.spec.components.security_scheme(
        "secret", {"type": "http", "scheme": "bearer", "description": "the pen or watch secret"}
    )
    api.register_blueprint(blp)
    handbook.register(app, api)
    csrf.exempt(blp)  # safe: cookies grant no rights here, and changes are read from JSON only
