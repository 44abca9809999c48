"""What is refused before the application sees it: how large bodies may be, and the words.

Everything that the application can refuse itself is left to it; these are the answers to
requests that never arrive whole, are too long to be looked at, or find no room.
"""

import json
import re
from collections.abc import Hashable
from functools import lru_cache
from http import HTTPStatus

from scorekeeper.config import FIXED
from scorekeeper.i18n import language, pick_language
from scorekeeper.serving.adapter import Adapter, Answer, Environ
from scorekeeper.web.api.group_travel import MOST_GROUP
from scorekeeper.web.api.travel import MOST_IMPORT
from scorekeeper.web.conditional_requests import WsgiApp
from scorekeeper.web.languages import accepted_languages
from scorekeeper.web.rate_limits import who
from scorekeeper.web.security_headers import always
from scorekeeper.web.trusted_hosts import client_address

LARGE = {"games/import": MOST_IMPORT, "groups/import": MOST_GROUP}
IMPORTS = re.compile(r"/api/v1/(games/import|groups/import)/?")
CLOSING = ("Connection", "close")
COME_BACK_S = 5
MOST_ADDRESSES = 1024
"""Of so many it is remembered whose turn they use up."""


def adapted(app: WsgiApp, proxies: int) -> Adapter:
    """Our app for the server, with so many trusted proxies in front."""

    @lru_cache(MOST_ADDRESSES)
    def household(address: str) -> Hashable:
        return who(address) or address

    def client_of(environ: Environ) -> Hashable:
        return household(client_address(environ, proxies))

    return Adapter(app, body_limit=body_limit, client_of=client_of, refuse=refuse)


def body_limit(path: str) -> int:
    """How many bytes the body of a request to this path may have."""
    imported = IMPORTS.fullmatch(path)
    return LARGE[imported[1]] if imported else int(FIXED["MAX_CONTENT_LENGTH"])


def refuse(status: int, environ: Environ) -> Answer:
    """The answer to a request that the application never sees, in the reader's language."""
    lang = pick_language(accepted_languages(environ.get("HTTP_ACCEPT_LANGUAGE")))
    is_api = environ["PATH_INFO"].startswith("/api/")
    return _refusal(status, lang, is_api, environ["wsgi.url_scheme"])


@lru_cache(64)
def _refusal(status: int, lang: str, is_api: bool, scheme: str) -> Answer:
    title = language(lang)(f"http.{status}")
    if is_api:
        problem = {"type": "about:blank", "title": title, "status": status, "detail": title}
        kind, text = "application/problem+json", json.dumps({**problem, "problems": []})
    else:
        kind, text = "text/plain; charset=utf-8", title
    headers = [("Content-Type", kind), ("Vary", "Accept-Language"), CLOSING, *always(scheme)]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("Retry-After", str(COME_BACK_S)))
    return Answer(status, headers, (text.encode(),))
