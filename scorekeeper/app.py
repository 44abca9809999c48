"""The application factory: settings, permissions, API, pages and database, in reading order."""

import hmac
import io
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, Request
from flask import request as flask_request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import HTTPException, ServiceUnavailable

from scorekeeper import config
from scorekeeper.parts import SERVER, Parts
from scorekeeper.store import open_ledger
from scorekeeper.store.errors import Damaged, Unreadable
from scorekeeper.web import api, context, health, pages, permissions, rate_limits, trusted_hosts
from scorekeeper.web.compression import compress
from scorekeeper.web.conditional_requests import NotModifiedCache
from scorekeeper.web.observability import ErrorLoggingFlask, remember_route, with_observability
from scorekeeper.web.pages.prepared import Prepared
from scorekeeper.web.security_headers import with_security_headers
from scorekeeper.web.short_codes import ShortCodes
from scorekeeper.web.template_cache import TEMPLATE_CACHE


def create_app(settings: Mapping[str, Any] | None = None, parts: Parts = SERVER) -> Flask:
    """Return an application on one database, put together from the parts of an edition.

    ``settings`` win over the environment, which wins over the defaults.
    """
    app = build_app(settings, parts)
    open_database(app)
    return app


def build_app(settings: Mapping[str, Any] | None = None, parts: Parts = SERVER) -> Flask:
    """Return an application whose database is not open yet."""
    app = ErrorLoggingFlask(
        "scorekeeper", template_folder=templates_folder(), root_path=str(Path(__file__).parent)
    )
    app.config.from_mapping(config.settings(settings))
    app.extensions["parts"] = parts
    app.jinja_options = {"bytecode_cache": TEMPLATE_CACHE}
    app.session_interface = FormSessions()
    app.request_class = RequestInMemory
    app.before_request(remember_route)
    app.before_request(context.note_commits)
    trusted_hosts.register(app)
    csrf = CSRFProtect(app)
    app.before_request(permissions.guard)
    rate_limits.register(app)
    api.register(app, csrf)
    pages.register(app)
    health.register(app)
    app.register_error_handler(HTTPException, handle_http_error)
    app.register_error_handler(Damaged, handle_damaged)
    app.register_error_handler(Unreadable, lambda _: handle_http_error(ServiceUnavailable()))
    app.after_request(context.send_browser_cookie)
    app.after_request(compress)
    permissions.check_permissions(app)
    return app


def open_database(app: Flask) -> None:
    """Open the database, and wrap the application in its WSGI middleware."""
    key, parts = app.config["SECRET_KEY"], app.extensions["parts"]
    ledger = open_ledger(app.config["DATA"], journal=app.config["JOURNAL"], link_key=key)
    ledger.rights = parts.rights(ledger.store, ledger.read_heads, ledger.cached_heads)
    app.extensions |= {
        "ledger": ledger,
        "limits": rate_limits.limits_from(app.config, ledger.store.limits),
        "short_codes": ShortCodes(ledger.store.codes),
        "prepared": Prepared(),
        "workers": parts.jobs(app.config["JOB_PROCESSES"]),
    }
    app.secret_key = key or ledger.secret_key()
    # A proxy that chooses the path for each session shows the pages in a frame of its own.
    framed = parts.framed or trusted_hosts.is_told(app.config["PATH"])
    answering = with_security_headers(partial(Flask.wsgi_app, app), framed=framed)
    cached = NotModifiedCache(answering, ledger)
    app.extensions["not_modified_cache"] = cached
    checked = trusted_hosts.with_trusted_hosts(cached, app.config)
    app.wsgi_app = with_observability(app, checked)  # type: ignore[assignment, method-assign]


def handle_http_error(error: HTTPException) -> Any:
    """Answer an HTTP error: JSON for the API, a page for a browser."""
    return api.http_problem(error) if context.is_api() else pages.errors.http_error(error)


def handle_damaged(error: Damaged) -> Any:
    """Answer that the game or group of this request is damaged; all others still work."""
    return api.damaged(error) if context.is_api() else pages.errors.damaged(error)


def templates_folder() -> str:
    """Return the template directory: inside an installed package, beside it in a checkout."""
    packaged = Path(__file__).with_name("templates")
    return str(packaged if packaged.is_dir() else Path(__file__).parents[1] / "templates")


class RequestInMemory(Request):
    """A request whose files stay in memory; by default, large ones are written to the disk."""

    def _get_file_stream(self, *_: Any, **__: Any) -> io.BytesIO:
        return io.BytesIO()


class FormSessions(SecureCookieSessionInterface):
    """Sessions that hold nothing but the CSRF token of the forms.

    A browser that has a secret gets a token derived from it, and no session cookie. Tokens made at
    random would differ between pages that load at the same moment, as they do when a phone is
    opened: the cookie of the last one would make the forms of all others invalid. Other browsers
    have a session cookie, which stays valid when they are given a secret. The API has no session.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if context.is_api():
            return None
        # Without cookies there is no signature to check.
        session = super().open_session(app, request) if "Cookie" in request.headers else None
        if not session and (secret := context.browser()):
            key, message = str(app.secret_key).encode(), f"form {secret}".encode()
            return self.session_class({"csrf_token": hmac.digest(key, message, "sha256").hex()})
        return session or self.session_class()

    def get_cookie_name(self, app: Flask) -> str:
        """Return the cookie name; over https its prefix keeps other hosts from setting it."""
        return context.cookie_name(super().get_cookie_name(app))

    def get_cookie_path(self, app: Flask) -> str:
        """Return the path of the program on its host."""
        return context.cookie_path()

    def get_cookie_secure(self, app: Flask) -> bool:
        """Restrict the cookie to https if it was set over https."""
        return flask_request.is_secure
