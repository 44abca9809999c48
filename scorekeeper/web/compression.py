"""Compress pages and static files with gzip.

The size of a compressed answer can reveal a secret that it holds next to text chosen by an
attacker (BREACH). The CSRF token in a form is signed anew every second, so it cannot be guessed
step by step. Pages that show a link with a secret set ``no-transform`` and are compressed
neither here nor by a proxy.
"""

import gzip
import re
from functools import cache
from pathlib import Path

from flask import Response, current_app, request

DESCRIPTION_ENDPOINTS = ("handbook", "api-docs.openapi_json")
"""The OpenAPI description, which holds no secrets."""
TEXT_TYPES = ("text/", "image/svg", "application/manifest", "application/javascript")
UNREAD = {
    ".js": re.compile(
        rb"^[ \t]*//[^\n]*\n|^[ \t]+|(?<=[;,{})]) // [^\n\"'`]*$",  # no string is cut
        re.MULTILINE,
    ),
    ".css": re.compile(rb"/\*.*?\*/|^\s+|(?<=[{;:,]) +| +(?=[{}])", re.MULTILINE | re.DOTALL),
}
"""Parts that a browser does not need: comments and spaces, a fifth of the compressed bytes."""
LEVEL = 5
"""Within a twentieth of the smallest size, in half the time."""


class PreparedResponse(Response):
    """A page whose compressed form is known."""

    def __init__(self, body: bytes, compressed_body: bytes) -> None:
        super().__init__(body)
        self.compressed_body = compressed_body


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
    content = path.read_bytes()
    if path.suffix in UNREAD:
        content = UNREAD[path.suffix].sub(b"", content)
    return gzip.compress(content, mtime=0)
