"""Security headers, the same on every response whatever its status."""

from collections.abc import Iterable
from typing import Any

from scorekeeper.web.conditional_requests import WsgiApp

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
ALWAYS = tuple(HEADERS.items())
BY_HTTPS = (("Strict-Transport-Security", "max-age=31536000"),)
UNCACHED = (("Cache-Control", "private, no-cache"),)


def always(scheme: str) -> tuple[tuple[str, str], ...]:
    """Headers for every answer over http or https; the last one unless it says otherwise."""
    return (*ALWAYS, *(BY_HTTPS if scheme == "https" else ()), *UNCACHED)


def secured(app: WsgiApp) -> WsgiApp:
    """Around the app: headers that every answer carries, whatever its status."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        added = always(environ["wsgi.url_scheme"])

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            kept = any(name == "Cache-Control" for name, _ in headers)
            return start_response(status, [*headers, *(added[:-1] if kept else added)], *more)

        return app(environ, start)

    return answer
