"""The blueprint of the API: reading requests, conditional requests, answering in JSON."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial, wraps
from threading import Lock
from typing import Any, NoReturn, ParamSpec, cast

from flask import Request, Response, abort, request
from flask_smorest import Api, Blueprint
from marshmallow import EXCLUDE, Schema, ValidationError, fields
from webargs.flaskparser import FlaskParser
from werkzeug.http import quote_etag

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.history.book import Book
from scorekeeper.i18n import LANGUAGES
from scorekeeper.store.writes import Write
from scorekeeper.web.api.description import ERRORS, complete_document, format_json, recorded_calls
from scorekeeper.web.api.parts import integer, list_of, text
from scorekeeper.web.compression import Constant
from scorekeeper.web.context import language, ledger
from scorekeeper.web.errors import Refusal
from scorekeeper.web.permissions import request_write
from scorekeeper.wire.referee import TableMeldField
from scorekeeper.wire.strict import MAX_DEPTH, MAX_KEY, Malformed, form_error, is_key, read_json

ROOT = "/api/v1"
NO_VERSION = -1
"""A version that no game or group has."""
P = ParamSpec("P")


# ---- the description -----------------------------------------------------------------


class AnswerSchema(Schema):
    """A schema that describes an answer; clients should expect further fields."""

    class Meta:
        """Ignore unknown fields."""

        unknown = EXCLUDE


class FindingSchema(AnswerSchema):
    """One problem (E_...) or warning (W_...)."""

    code = text(metadata={"examples": ["E_FIRST_MIN"]})
    message = text(metadata={"description": "in the reader's language"})
    path = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        metadata={"description": "where in the body", "examples": [["seats", 1, "hand"]]},
    )
    facts = fields.Dict(required=True)
    rule = fields.String(metadata={"description": "the rule behind it, with its source"})


class ProblemSchema(AnswerSchema):
    """An error (RFC 9457)."""

    type = text()
    title = text()
    status = integer()
    detail = text()
    instance = text()
    problems = list_of(FindingSchema)


def _or_only_cards(_: object, field: object, ret: dict[str, Any], **__: object) -> dict[str, Any]:
    """Document that a meld on the table may also be given as its cards alone."""
    if not isinstance(field, TableMeldField):
        return {}
    return {"oneOf": [{"$ref": ret.pop("$ref")}, *field.alternative.metadata["oneOf"]]}


class ApiDocument(Api):
    """The OpenAPI document. Errors are answered in ``problems``, not by flask-smorest."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = "Refused"

    @cached_property
    def document(self) -> dict[str, Any]:
        """The complete document, built on first use."""
        return complete_document(self.build(), recorded_calls())

    @cached_property
    def _constant(self) -> Constant:
        return Constant(lambda: format_json(self._mounted()), "application/json")

    def _mounted(self) -> dict[str, Any]:
        """Return the document with the path below which the application is published, if any."""
        root = request.script_root
        return self.document | ({"servers": [{"url": root}]} if root else {})

    def build(self) -> dict[str, Any]:
        """Return the document as the views declare it.

        It is built on request, so that starting the server does not wait for it.
        """
        with self._building:
            while self.pending:
                self.pending.pop()()
        return cast(dict[str, Any], self.spec.to_dict())

    def _openapi_json(self) -> Response:
        return self._constant.response()

    def _init_spec(self, **options: Any) -> None:
        super()._init_spec(**options)
        self.pending: list[Callable[[], None]] = []
        self._building = Lock()
        self.ma_plugin.converter.add_attribute_function(_or_only_cards)

    def _register_pagination_header(self) -> None:
        """Do nothing: no call uses pagination headers."""

    def _register_error_handlers(self) -> None:
        """Do nothing: ``problems`` handles errors for pages and API alike."""

    def _register_responses(self) -> None:
        """Register one error body for every status."""
        content = {"application/problem+json": {"schema": ProblemSchema}}
        for name, meaning in ERRORS.values():
            self.spec.components.response(name, {"description": meaning, "content": content})


View = Callable[..., Response]


class StrictParser(FlaskParser):
    """Reads JSON strictly, and raises FormError for what a schema refuses."""

    def _raw_load_json(self, req: Request) -> Any:
        return read_json(json_text(req), MAX_DEPTH)

    def handle_error(self, error: ValidationError, *_: object, **__: object) -> NoReturn:
        """Raise FormError; webargs keeps the messages under the place they come from."""
        (messages,) = cast(dict[str, Any], error.messages).values()
        raise form_error(messages) from None


class ApiBlueprint(Blueprint):
    """The blueprint of the API; its views make their answers themselves."""

    ARGUMENTS_PARSER = StrictParser()

    @staticmethod
    def doc(*, parameters: Sequence[Mapping[str, object]] = (), **options: Any) -> Any:
        """Document a view further; headers are added to the parameters of its query."""
        document = Blueprint.doc(**options)

        def decorator(view: View) -> View:
            documented: View = document(view)
            arguments = documented.__dict__["_apidoc"].setdefault("arguments", {})
            arguments.setdefault("parameters", []).extend(map(dict, parameters))
            return documented

        return decorator

    def register_views_in_doc(self, api: ApiDocument, *args: Any, **kwargs: Any) -> None:
        """Postpone the documentation until it is requested."""
        api.pending.append(partial(super().register_views_in_doc, api, *args, **kwargs))

    def _store_endpoint_docs(self, endpoint: str, *args: Any, **options: Any) -> None:
        """Use the name of the view as operation id."""
        super()._store_endpoint_docs(endpoint, *args, **options)
        for method in options["methods"]:
            operation = self._docs[endpoint][method.lower()]
            operation["manual_doc"] = {**operation.get("manual_doc", {}), "operationId": endpoint}


blp = ApiBlueprint("api", __name__, url_prefix=ROOT)


def _header(name: str, *, required: bool = False, **form: object) -> dict[str, object]:
    schema = {"type": "string", **form, "maxLength": MAX_KEY}
    return {"name": name, "in": "header", "required": required, "schema": schema}


VARY = "Accept-Language, Authorization"
IF_MATCH = _header("If-Match", required=True)
IF_NONE_MATCH = _header("If-None-Match")
KEY = _header("Idempotency-Key", pattern="^[ -~]+$", minLength=1)
REQUIRED_KEY = {**KEY, "required": True}
SECRET: Mapping[str, Any] = {"security": [{"secret": []}]}
"""Documents that a call needs a secret of the game or group."""


def json_text(req: Request) -> bytes:
    """Return the text of a JSON body; 415 if it has another content type."""
    if req.mimetype != "application/json":
        raise Refusal(415, "E_CONTENT_TYPE", accepted="application/json")
    return req.get_data()


def idempotency_key() -> str | None:
    """Return the idempotency key, if there is one; 400 unless it is short plain text."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not is_key(key):
        raise Malformed("E_FORM", ("Idempotency-Key",), why="key", least=1, most=MAX_KEY)
    return key


def required_key() -> str:
    """Return the idempotency key, which is required: without it, a retry could record twice."""
    key = idempotency_key()
    if key is None:
        raise Malformed("E_FORM", ("Idempotency-Key",), why="missing")
    return key


def expected_version(book_id: str) -> int:
    """Return the version that the client wants to change; 428 without If-Match.

    The language in the ETag does not matter and may be left out.
    """
    if "If-Match" not in request.headers:
        abort(428)
    now = ledger().version(book_id)
    if now is None:
        return NO_VERSION
    tags = [str(now), *(etag_of(now, code) for code in LANGUAGES)]
    return now if any(map(request.if_match.contains, tags)) else NO_VERSION


def preconditions(book_id: str) -> Write:
    """Return what a change of a game or group needs; 428 without If-Match."""
    return request_write(expected=expected_version(book_id), key=idempotency_key())


def conditional(view: Callable[P, Response]) -> Callable[P, Response]:
    """Answer 304, without running the view, if the client's copy is up to date.

    This is for views that always have an answer; others use ``conditional_after``.
    """
    return conditional_after(lambda *_, **__: None)(view)


def conditional_after(
    check: Callable[P, object],
) -> Callable[[Callable[P, Response]], Callable[P, Response]]:
    """Like ``conditional``, for a view that may have no answer; ``check`` raises as the view does.

    All answers about a game or group have the same ETag, so an ETag alone does not prove that
    there is anything at this URL.
    """

    def decorate(view: Callable[P, Response]) -> Callable[P, Response]:
        @wraps(view)
        def decorated(*args: P.args, **kwargs: P.kwargs) -> Response:
            version, *_ = ledger().versions(str(kwargs.get("group_id") or kwargs["game_id"]))
            if not request.if_none_match.contains_weak(etag_of(version)):
                return view(*args, **kwargs)
            check(*args, **kwargs)
            return Response(status=304, headers=_headers_at(version))

        return decorated

    return decorate


# ---- answering -----------------------------------------------------------------------

_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False)
"""Keys keep the order of the schemas."""


def answer(body: Any, book: Book | None = None, status: int = 200) -> Response:
    """Return a JSON response; if it is about a game or group, with its version."""
    text = f"{_JSON.encode(body)}\n"
    return Response(text, status, version_headers(book), mimetype="application/json")


@contextmanager
def name_at(*place: str) -> Iterator[None]:
    """Place findings about names at the only name of the body, by whichever book they are."""
    try:
        yield
    except RuleError as error:
        raise RuleError.of(
            replace(problem, path=place) if problem.path[-1:] == ("name",) else problem
            for problem in error.problems
        ) from None


def unstored(body: Any, book: Book | None = None, status: int = 200) -> Response:
    """Return a response that holds a secret, which no cache may store."""
    response = answer(body, book, status)
    response.headers["Cache-Control"] = "no-store"
    return response


def version_headers(book: Book | None) -> dict[str, str]:
    """Return Vary, and the ETag if the response is about a game or group."""
    return {"Vary": VARY} if book is None else _headers_at(book.version)


def _headers_at(version: int) -> dict[str, str]:
    return {"Vary": VARY, "ETag": quote_etag(etag_of(version))}


def etag_of(version: int, code: str | None = None) -> str:
    """Return the ETag of a version in a language, such as ``17-en``."""
    return f"{version}-{code or language().code}"
