"""Connect the application to the server: body limits, client keys, and early errors.

Early errors answer requests that never arrive completely, have too long a URL, or find no room. The
application itself refuses everything else.
"""

import json
import re
from collections.abc import Hashable, Mapping
from functools import lru_cache
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import quote

from scorekeeper.config import FLASK_SETTINGS
from scorekeeper.i18n import language, pick_language
from scorekeeper.i18n.findings import finding
from scorekeeper.serving.adapter import Adapter, Answer, Environ
from scorekeeper.store.exports import BOOK_ID
from scorekeeper.web.accept_language import accepted_languages
from scorekeeper.web.api.group_transfer import MAX_GROUP
from scorekeeper.web.api.photographs import MAX_UPLOAD
from scorekeeper.web.api.transfer import MAX_IMPORT
from scorekeeper.web.conditional_requests import WsgiApp
from scorekeeper.web.errors import KIB, problem_of
from scorekeeper.web.rate_limits import client_key
from scorekeeper.web.security_headers import response_headers
from scorekeeper.web.trusted_hosts import ProxyResolver

LARGE = (
    (re.compile(r"/api/v1/games/import/?"), MAX_IMPORT),
    (re.compile(r"/api/v1/groups/import/?"), MAX_GROUP),
    (re.compile(rf"/api/v1/(games/{BOOK_ID.pattern}/)?cards/recognise/?", re.ASCII), MAX_UPLOAD),
)
"""Paths of requests whose bodies may be longer than others, and how many bytes they may have."""
CLOSING = ("Connection", "close")
RETRY_AFTER_S = 5
MAX_INSTANCE = 1000
"""Length of the path that an early error names; it may have been refused for its length."""
MAX_ADDRESSES = 1024
"""Number of client addresses whose key is cached."""


def adapt(app: WsgiApp, proxies: int, path: str = "") -> Adapter:
    """Return the ASGI application, behind this many trusted proxies and below this path."""
    resolver = ProxyResolver(proxies, path)

    @lru_cache(MAX_ADDRESSES)
    def household(address: str) -> Hashable:
        return client_key(address) or address

    def client_of(environ: Environ) -> Hashable:
        return household(resolver.resolve(environ))

    return Adapter(app, body_limit=body_limit, client_of=client_of, error_answer=error_answer)


def body_limit(path: str) -> int:
    """Return how many bytes the body of a request to this path may have."""
    usual = int(FLASK_SETTINGS["MAX_CONTENT_LENGTH"])
    return next((limit for place, limit in LARGE if place.fullmatch(path)), usual)


def error_answer(status: int, environ: Environ) -> Answer:
    """Return an early error in the client's language."""
    lang = pick_language(accepted_languages(environ.get("HTTP_ACCEPT_LANGUAGE")))
    root, path = environ["SCRIPT_NAME"], environ["PATH_INFO"]
    kind, text = "text/plain; charset=utf-8", _title(status, lang)
    if path.startswith("/api/"):
        instance = quote(f"{root}{path}"[:MAX_INSTANCE].encode("latin-1"))
        problem = {**_problem(status, lang, root, body_limit(path) // KIB), "instance": instance}
        kind, text = "application/problem+json", json.dumps(problem)
    headers = [
        ("Content-Type", kind),
        ("Vary", "Accept-Language"),
        CLOSING,
        *response_headers(environ["wsgi.url_scheme"]),
    ]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("Retry-After", str(RETRY_AFTER_S)))
    return Answer(status, headers, (text.encode(),))


def _title(status: int, lang: str) -> str:
    return language(lang)(f"http.{status}")


@lru_cache(64)
def _problem(status: int, lang: str, root: str, most: int) -> Mapping[str, object]:
    """Return the body of an early error of the API, but for its instance."""
    facts = {"most": most} if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else {}
    found = finding(problem_of(status, root, **facts), language(lang))
    about = {"type": "about:blank", "title": _title(status, lang), "status": status}
    return MappingProxyType({**about, "detail": found["message"], "problems": [found]})
