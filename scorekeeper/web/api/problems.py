"""Error answers of the API.

All errors have the same body, ``application/problem+json`` (RFC 9457), with the findings of the
rules in the client's language.
"""

from collections.abc import Mapping
from urllib.parse import quote

from flask import Response, jsonify, request
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.http import quote_etag

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n.findings import finding
from scorekeeper.services.writes import Stale
from scorekeeper.store.errors import (
    AlreadyExists,
    Damaged,
    KeyReused,
    NotFound,
    NotSaved,
    OutcomeUnknown,
)
from scorekeeper.store.exports import BadExport
from scorekeeper.store.rights import Withdrawn
from scorekeeper.web import observability
from scorekeeper.web.api.blueprint import blp, etag_of
from scorekeeper.web.context import find_damage, has_saved, judged_by, language, visible_book
from scorekeeper.web.errors import KIB, Refusal, problem_of
from scorekeeper.wire.strict import Malformed

KEPT_HEADERS = ("Allow", "Retry-After")


def refusal(
    status: int,
    *problems: Problem,
    headers: Mapping[str, str] | None = None,
    detail: str = "",
) -> Response:
    """Return the response for an error; one of the server says if the change was saved before.

    Without problems it has the one that the status stands for; ``detail`` is said instead.
    """
    lang = language()
    if status >= 500 and has_saved():
        problems, detail = (Problem("E_SAVED"),), ""
    key = f"http.{status}"
    title = lang(key) if key in lang else lang("http.400")
    book = visible_book()
    players, rules = (book.players, book.rules) if isinstance(book, Game) else ((), judged_by())
    findings = [
        finding(problem, lang, players, rules)
        for problem in problems or [problem_of(status, request.script_root)]
    ]
    if detail:
        findings[0]["message"] = detail
    response = jsonify(
        {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": findings[0]["message"],
            "instance": quote(request.script_root + request.path),
            "problems": findings,
        }
    )
    response.status_code = status
    response.mimetype = "application/problem+json"
    response.headers.extend(headers or {})
    response.vary.add("Accept-Language")
    return response


# ---- from errors to answers ----------------------------------------------------------


def http_problem(error: HTTPException) -> Response:
    """Answer an HTTP error."""
    if isinstance(error, InternalServerError) and (damage := find_damage()):
        return damaged(damage)
    if isinstance(error, Refusal):
        detail = language()(error.message_key, **error.facts)
        problem = problem_of(error.code or 500, request.script_root, **error.facts)
        return refusal(error.code or 500, problem, headers=error.retry_headers(), detail=detail)
    sent = dict(error.get_headers())
    kept = {name: sent[name] for name in KEPT_HEADERS if name in sent}
    status = error.code or 500
    facts: dict[str, object] = {}
    if status == 405:
        facts = {"method": request.method, "allowed": kept.get("Allow", "GET")}
    elif status == 413:
        facts = {"most": (request.max_content_length or 0) // KIB}
    return refusal(status, problem_of(status, request.script_root, **facts), headers=kept)


def damaged(error: Damaged) -> Response:
    """Answer that one game or group is damaged; all others still work."""
    return refusal(503, error.problem)


def _rule_broken(error: RuleError) -> Response:
    if request.endpoint == "api.record_round":
        observability.round_refused(error.problems)
    return refusal(400 if isinstance(error, Malformed) else 422, *error.problems)


def _not_found(error: NotFound) -> Response:
    return refusal(404)


def _withdrawn(error: Withdrawn) -> Response:
    return refusal(403 if error.left else 404)


def _stale(error: Stale) -> Response:
    return refusal(412, headers={"ETag": quote_etag(etag_of(error.version))})


def _key_reused(error: KeyReused) -> Response:
    return refusal(422, Problem("E_KEY_REUSED", {}, ("Idempotency-Key",)))


def _not_saved(error: NotSaved) -> Response:
    observability.report(error)
    if isinstance(error, OutcomeUnknown):
        return refusal(503, Problem("E_OUTCOME_UNKNOWN"))
    return refusal(507 if error.disk_full else 503)


def _bad_export(error: BadExport) -> Response:
    return refusal(422, Problem("E_IMPORT"))


def _already_exists(error: AlreadyExists) -> Response:
    return refusal(422, Problem("E_IMPORT", {"why": "known", "id": error.book_id}))


for _kind, _handler in {
    HTTPException: http_problem,
    Damaged: damaged,
    RuleError: _rule_broken,
    NotFound: _not_found,
    Withdrawn: _withdrawn,
    Stale: _stale,
    KeyReused: _key_reused,
    NotSaved: _not_saved,
    BadExport: _bad_export,
    AlreadyExists: _already_exists,
}.items():
    blp.register_error_handler(_kind, _handler)
