"""How a call is declared and answered: strict bodies, versions, keys, one kind of answer."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial, wraps
from threading import Lock
from typing import Any, ParamSpec, cast

from flask import Request, Response, abort, request
from flask_smorest import Api, Blueprint
from marshmallow import EXCLUDE, Schema, fields
from werkzeug.http import quote_etag

from scorekeeper.domain.book import Book
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services.referee import Laid
from scorekeeper.web.api.description import REFUSALS, described, played, written
from scorekeeper.web.api.parts import integer, list_of, text
from scorekeeper.web.context import language, ledger
from scorekeeper.wire.strict import MOST_DEPTH, Malformed, load, read_json

ROOT = "/api/v1"
NEVER = -1
"""The version of no game."""
MOST_KEY = 100
P = ParamSpec("P")


# ---- the description -----------------------------------------------------------------


class Told(Schema):
    """Describes an answer; answers may grow."""

    class Meta:
        """Unknown keys are no surprise."""

        unknown = EXCLUDE


class FindingSchema(Told):
    """One thing that is wrong (E_...) or worth a look (W_...)."""

    code = text(metadata={"examples": ["E_FIRST_MIN"]})
    message = text(metadata={"description": "in the reader's language"})
    path = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        metadata={"description": "where in the body", "examples": [["seats", 1, "hand"]]},
    )
    facts = fields.Dict(required=True)
    rule = fields.String(metadata={"description": "the rule behind it, with its source"})


class ProblemSchema(Told):
    """Why a call was refused (RFC 9457)."""

    type = text()
    title = text()
    status = integer()
    detail = text()
    instance = text()
    problems = list_of(FindingSchema)


def _or_only_cards(_: object, field: object, ret: dict[str, Any], **__: object) -> dict[str, Any]:
    """A meld on the table may also be told by its cards alone."""
    if not isinstance(field, Laid):
        return {}
    return {"oneOf": [{"$ref": ret.pop("$ref")}, *field.written.metadata["oneOf"]]}


class Interface(Api):
    """The OpenAPI document; errors themselves are answered in ``problems``."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = "Refused"

    @cached_property
    def document(self) -> dict[str, Any]:
        """The whole document, made when it is first asked for."""
        return described(self.drawn_up(), played())

    @cached_property
    def _text(self) -> str:
        return written(self.document)

    def drawn_up(self) -> dict[str, Any]:
        """What the calls say of themselves; no table waits for it."""
        with self._drawing:
            while self.to_draw:
                self.to_draw.pop()()
        return cast(dict[str, Any], self.spec.to_dict())

    def _openapi_json(self) -> Response:
        return Response(self._text, mimetype="application/json")

    def _init_spec(self, **options: Any) -> None:
        super()._init_spec(**options)
        self.to_draw: list[Callable[[], None]] = []
        self._drawing = Lock()
        self.ma_plugin.converter.add_attribute_function(_or_only_cards)

    def _register_pagination_header(self) -> None:
        """Nothing has pages."""

    def _register_error_handlers(self) -> None:
        """None of its own: pages and calls share one way of refusing."""

    def _register_responses(self) -> None:
        """Every error has the same body, whatever its status."""
        content = {"application/problem+json": {"schema": ProblemSchema}}
        for name, words in REFUSALS.values():
            self.spec.components.response(name, {"description": words, "content": content})


View = Callable[..., Response]


class Calls(Blueprint):
    """The calls of the interface: described as its parent does, read and answered by us."""

    def arguments(
        self, schema: Schema, *, location: str = "json", **about: Any
    ) -> Callable[[View], View]:
        """Give a view what its schema makes of the body, or of the query."""
        described = _described(super().arguments(schema, location=location, **about))
        stated = _query if location == "query" else _body

        def decorator(view: View) -> View:
            @wraps(view)
            def decorated(**place: Any) -> Response:
                return view(load(schema, stated(schema)), **place)

            return described(decorated)

        return decorator

    def response(self, *about: Any, **more: Any) -> Callable[[View], View]:
        """What a view answers."""
        return _described(super().response(*about, **more))

    @staticmethod
    def doc(*, parameters: Sequence[Mapping[str, object]] = (), **about: Any) -> Any:
        """What else is to be said of a view; its headers stand beside what its query may say."""
        described = _described(Blueprint.doc(**about))

        def decorator(view: View) -> View:
            taken = described(view).__dict__["_apidoc"].setdefault("arguments", {})
            taken.setdefault("parameters", []).extend(map(dict, parameters))
            return view

        return decorator

    def register_views_in_doc(self, api: Interface, *about: Any, **more: Any) -> None:
        """Later: the description is drawn up when it is asked for."""
        api.to_draw.append(partial(super().register_views_in_doc, api, *about, **more))

    def _store_endpoint_docs(self, endpoint: str, *about: Any, **options: Any) -> None:
        """Every operation is called as its view."""
        super()._store_endpoint_docs(endpoint, *about, **options)
        for method in options["methods"]:
            told = self._docs[endpoint][method.lower()]
            told["manual_doc"] = {**told.get("manual_doc", {}), "operationId": endpoint}


def _described(describe: Callable[[View], View]) -> Callable[[View], View]:
    """Only the description that a decorator gives, without a wrapper at every call."""

    def decorator(view: View) -> View:
        view.__dict__["_apidoc"] = describe(view).__dict__["_apidoc"]
        return view

    return decorator


def _body(_: Schema) -> Any:
    return json_body(request)


def _query(schema: Schema) -> Any:
    """What a query says of all that a stranger's link may have in it."""
    known = {field.data_key or name for name, field in schema.fields.items()}
    return {name: text for name, text in request.args.items() if name in known}


blp = Calls("api", __name__, url_prefix=ROOT)


def _header(name: str, *, required: bool = False) -> dict[str, object]:
    schema = {"type": "string", "maxLength": MOST_KEY}
    return {"name": name, "in": "header", "required": required, "schema": schema}


IF_MATCH = _header("If-Match", required=True)
IF_NONE_MATCH = _header("If-None-Match")
KEY = _header("Idempotency-Key")
NEEDED_KEY = {**KEY, "required": True}
SECRET: Mapping[str, Any] = {"security": [{"secret": []}]}
"""Calls that need a secret of the game or group."""


def json_body(req: Request) -> Any:
    """The body as JSON; 415 for one that does not call itself that."""
    return read_json(json_text(req), MOST_DEPTH)


def json_text(req: Request) -> bytes:
    """The body, yet to be read as JSON; 415 for one that does not call itself that."""
    if req.mimetype != "application/json":
        abort(415)
    return req.get_data()


# ---- what a call must know first -----------------------------------------------------


def idempotency_key() -> str | None:
    """The key that makes a repeat harmless; 400 for one that is no short plain text."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not (0 < len(key) <= MOST_KEY and key.isascii() and key.isprintable()):
        raise Malformed("E_FORM", ("Idempotency-Key",), why="text")
    return key


def needed_key() -> str:
    """The key without which nothing is recorded: a lost answer would record twice."""
    key = idempotency_key()
    if key is None:
        raise Malformed("E_FORM", ("Idempotency-Key",), why="missing")
    return key


def seen_version(book_id: str) -> int:
    """The version that the writer changes; 428 if they do not say which one they saw.

    The language of a tag does not matter here, and it may be left out.
    """
    if "If-Match" not in request.headers:
        abort(428)
    now = ledger().version(book_id)
    if now is None:
        return NEVER
    tags = [str(now), *(tag_of(now, code) for code in LANGUAGES)]
    return now if any(map(request.if_match.contains, tags)) else NEVER


def seen(book_id: str) -> dict[str, Any]:
    """What every change of something that exists must know: the version seen, and its key."""
    return {"expect": seen_version(book_id), "key": idempotency_key()}


def fresh(view: Callable[P, Response]) -> Callable[P, Response]:
    """Answer 304, without building anything, while what the reader has is up to date.

    For views that always have an answer; the others use ``fresh_if``.
    """
    return fresh_if(lambda *_, **__: None)(view)


def fresh_if(
    found: Callable[P, object],
) -> Callable[[Callable[P, Response]], Callable[P, Response]]:
    """As ``fresh``, for a view that may have no answer: ``found`` then raises as the view does.

    Every answer about a book bears the same tag, so that a tag alone does not prove that
    there is anything at this address.
    """

    def decorate(view: Callable[P, Response]) -> Callable[P, Response]:
        @wraps(view)
        def decorated(*args: P.args, **kwargs: P.kwargs) -> Response:
            version, *_ = ledger().versions(str(kwargs.get("group_id") or kwargs["game_id"]))
            if not request.if_none_match.contains_weak(tag_of(version)):
                return view(*args, **kwargs)
            found(*args, **kwargs)
            return Response(status=304, headers=_headers_at(version))

        return decorated

    return decorate


# ---- answering -----------------------------------------------------------------------

_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False)
"""Answers come in the order of their schemas."""


def answer(body: Any, book: Book | None = None, status: int = 200) -> Response:
    """A body as JSON; about a game or group with its version."""
    text = f"{_JSON.encode(body)}\n"
    return Response(text, status, headers_about(book), mimetype="application/json")


def headers_about(book: Book | None) -> dict[str, str]:
    """By what an answer varies; about a game or group the version that it shows."""
    return {"Vary": "Accept-Language"} if book is None else _headers_at(book.version)


def _headers_at(version: int) -> dict[str, str]:
    return {"Vary": "Accept-Language, Authorization", "ETag": quote_etag(tag_of(version))}


def tag_of(version: int, code: str | None = None) -> str:
    """The entity tag of a version in a language, the reader's by default: ``17-en``."""
    return f"{version}-{code or language().code}"
