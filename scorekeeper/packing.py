"""Static files travel packed: each is compressed once, when it is first asked for.

Pages are not: what is secret in them and what a stranger can put there would share one
packing, and its size tells of both (BREACH).
"""

import gzip
from functools import cache
from pathlib import Path

from flask import Response, current_app, request

PACKED = ("text/", "image/svg", "application/manifest", "application/javascript")


def pack(response: Response) -> Response:
    """Send a static text packed to whoever takes it so."""
    if request.endpoint != "static" or not (response.mimetype or "").startswith(PACKED):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and request.accept_encodings["gzip"]:
        path = Path(str(current_app.static_folder), (request.view_args or {})["filename"])
        response.close()  # the file, which was about to be sent as it is
        response.direct_passthrough = False
        response.set_data(_packed(path, path.stat().st_mtime_ns))
        response.content_encoding = "gzip"
    return response


@cache
def _packed(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
