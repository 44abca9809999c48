"""Compress pages and static files with gzip.

The size of a compressed answer can reveal a secret that it holds next to text chosen by an
attacker (BREACH). The CSRF token in a form is signed anew every second, so it cannot be guessed
step by step. Pages that show a link with a secret set ``no-transform`` and are compressed
neither here nor by a proxy.
"""

import gzip
import re
import threading
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import cast

from flask import Response, current_app, request

DESCRIPTION_ENDPOINTS = ("handbook", "api-docs.openapi_json")
"""The OpenAPI description, which holds no secrets."""
TEXT_TYPES = ("text/", "image/svg", "application/manifest", "application/javascript")
OF_FILES = ("Accept-Ranges", "Content-Disposition", "ETag", "Expires", "Last-Modified")
"""Headers that Flask adds to static files and a page can do without, a twentieth of its bytes.
The address of a file changes with its content, so browsers may keep it without asking again."""
COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
"""A comment in a stylesheet."""
MAX_ROOTS = 8
GAP = re.compile(rb";?\s*(})\s*|\s*([{;,]|>(?!=))\s*|(?<=:) ")
"""Space in a stylesheet that means nothing, and last semicolons; in ours, no string holds such."""
LEVEL = 6
"""Within a fiftieth of the smallest size, in two thirds of the time."""


class PreparedResponse(Response):
    """A page whose compressed form is known."""

    def __init__(self, body: bytes, compressed_body: bytes, mimetype: str = "text/html") -> None:
        super().__init__(body, mimetype=mimetype)
        self.compressed_body = compressed_body


class Constant:
    """A long text that never changes while the app runs: made and compressed for its first reader.

    It may depend on the path under which the app is mounted, and on nothing else of a request.
    """

    def __init__(self, make: Callable[[], str], mimetype: str) -> None:
        self._make, self._mimetype = make, mimetype
        self._made: dict[str, tuple[bytes, bytes, str]] = {}
        self._making = threading.Lock()

    def response(self) -> Response:
        """Return the text, or 304 to a client that has it."""
        root = request.script_root
        with self._making:
            if root not in self._made:
                if len(self._made) >= MAX_ROOTS:
                    self._made.clear()
                text = self._make().encode()
                self._made[root] = text, gzip.compress(text, mtime=0), sha256(text).hexdigest()[:16]
        body, compressed_body, digest = self._made[root]
        response = PreparedResponse(body, compressed_body, self._mimetype)
        response.set_etag(digest, weak=True)  # the same for both forms
        return unless_known(response)


def unless_known(response: Response) -> Response:
    """Answer 304 instead to a client that has this version; If-Match is for changes only."""
    asked = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}
    return cast(Response, response.make_conditional(asked))


def compressed(page: bytes) -> bytes:
    """Return a page compressed."""
    return gzip.compress(page, LEVEL, mtime=0)


def compress(response: Response) -> Response:
    """Compress a text response for a client that accepts gzip."""
    endpoint = request.endpoint or ""
    is_static = endpoint == "static"
    is_ours = is_static or endpoint.startswith("pages.")
    is_text = is_ours and (response.mimetype or "").startswith(TEXT_TYPES)
    if not is_text and endpoint not in DESCRIPTION_ENDPOINTS:
        return response
    response.vary.add("Accept-Encoding")
    if response.cache_control.no_transform or not request.accept_encodings["gzip"]:
        return response
    if is_static and response.status_code == 200:
        path = Path(str(current_app.static_folder), (request.view_args or {})["filename"])
        response.close()  # otherwise the file would stay open
        response.direct_passthrough = False
        response.set_data(_compressed_file(path, path.stat().st_mtime_ns))
        for name in OF_FILES:
            response.headers.pop(name, None)
        response.cache_control.immutable = True
    elif isinstance(response, PreparedResponse):
        response.set_data(response.compressed_body)
    elif not response.direct_passthrough and response.data:
        response.set_data(compressed(response.data))
    else:
        return response
    response.content_encoding = "gzip"
    return response


@cache
def _compressed_file(path: Path, _changed: int) -> bytes:
    return gzip.compress(without_comments(path), mtime=0)


def without_comments(path: Path) -> bytes:
    """Return a static file, without comments and empty space if it is a script or stylesheet.

    They are a fifth of its compressed bytes. Scripts are read line by line: in ours, no string goes
    beyond its line or contains " // ", and no regular expression holds a space.
    """
    content = path.read_bytes()
    if path.suffix not in (".js", ".css"):
        return content
    if path.suffix == ".css":
        return GAP.sub(rb"\1\2", COMMENT.sub(b"", content)).strip()
    lines = (f" {line.strip().decode()} ".partition(" // ")[0] for line in content.splitlines())
    return b"\n".join(line.strip().encode() for line in lines if line.strip())
