"""Security headers for every response."""

from collections.abc import Iterable
from typing import Any

from scorekeeper.web.conditional_requests import WsgiApp

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
FRAMED = {
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
}
"""For pages that another page of this origin may show in a frame."""
FOR_ALL = tuple(HEADERS.items())
BY_HTTPS = (("Strict-Transport-Security", "max-age=31536000"),)
UNCACHED = (("Cache-Control", "private, no-cache"),)


def response_headers(scheme: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of every response that does not set them itself."""
    return (*FOR_ALL, *(BY_HTTPS if scheme == "https" else ()), *UNCACHED)


def with_security_headers(app: WsgiApp, *, framed: bool = False) -> WsgiApp:
    """Return WSGI middleware that adds security headers.

    ``framed`` lets pages of the same origin show every page in a frame.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        added = response_headers(environ["wsgi.url_scheme"])
        if framed:
            added = tuple((dict(added) | FRAMED).items())

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            own = {name for name, _ in headers}
            usual = [header for header in added if header[0] not in own]
            return start_response(status, [*headers, *usual], *more)

        return app(environ, start)

    return answer
