"""Pages and static files travel packed.

What is secret in a page and what a stranger can put there must not share one packing, whose
size would tell of both (BREACH). The one secret in every form, its token, is signed anew
each second, so there is nothing to guess at bit by bit; a page that shows a link with its
secret says ``no-transform``, and is packed neither here nor by a proxy.
"""

import gzip
from functools import cache
from pathlib import Path

from flask import Response, current_app, request

DESCRIBED = ("handbook", "api-docs.openapi_json")
"""The description of the interface, which holds nobody's secret."""
PACKED = ("text/", "image/svg", "application/manifest", "application/javascript")
LEVEL = 4
"""Within a tenth of the smallest there is, in half of the time."""


def pack(response: Response) -> Response:
    """Send a text packed to whoever takes it so."""
    endpoint = request.endpoint or ""
    is_static = endpoint == "static"
    is_ours = is_static or endpoint.startswith("pages.")
    is_text = is_ours and (response.mimetype or "").startswith(PACKED)
    if not is_text and endpoint not in DESCRIBED:
        return response
    response.vary.add("Accept-Encoding")
    if response.cache_control.no_transform or not request.accept_encodings["gzip"]:
        return response
    if is_static and response.status_code == 200:
        path = Path(str(current_app.static_folder), (request.view_args or {})["filename"])
        response.close()  # the file, which was about to be sent as it is
        response.direct_passthrough = False
        response.set_data(_packed(path, path.stat().st_mtime_ns))
    elif not response.direct_passthrough and response.data:
        response.set_data(gzip.compress(response.data, LEVEL, mtime=0))
    else:
        return response
    response.content_encoding = "gzip"
    return response


@cache
def _packed(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
