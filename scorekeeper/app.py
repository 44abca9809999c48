"""The application: settings, ledger, doors, API and pages, in reading order."""

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
from scorekeeper.store import open_ledger
from scorekeeper.store.errors import Damaged, Unreadable
from scorekeeper.web import api, context, health, pages, permissions, rate_limits, trusted_hosts
from scorekeeper.web.compression import pack
from scorekeeper.web.conditional_requests import Following
from scorekeeper.web.observability import Reporting, note_route, observed
from scorekeeper.web.security_headers import secured
from scorekeeper.web.template_cache import COMPILED
from scorekeeper.workers import pool


def create_app(given: Mapping[str, Any] | None = None) -> Flask:
    """One application on one ledger; ``given`` settings win over environment and defaults."""
    app = Reporting(
        "scorekeeper", template_folder=templates_folder(), root_path=str(Path(__file__).parent)
    )
    app.config.from_mapping(config.settings(given))
    app.jinja_options = {"bytecode_cache": COMPILED}
    app.session_interface = Sessions()
    app.before_request(note_route)
    trusted_hosts.register(app)
    csrf = CSRFProtect(app)
    app.before_request(permissions.guard)
    app.teardown_request(permissions.forget_demands)
    rate_limits.register(app)
    api.register(app, csrf)
    pages.register(app)
    health.register(app)
    app.register_error_handler(HTTPException, refused)
    app.register_error_handler(Damaged, told_damaged)
    app.register_error_handler(Unreadable, lambda _: refused(ServiceUnavailable()))
    app.after_request(context.keep_browser)
    app.after_request(pack)
    permissions.check_doors(app)
    open_record(app)
    return app


def open_record(app: Flask) -> None:
    """Put the record on the app, with all that is remembered beside it."""
    ledger = open_ledger(app.config["DATA"], journal=app.config["JOURNAL"])
    app.extensions |= {
        "ledger": ledger,
        "limits": rate_limits.as_set(app.config),
        "workers": pool.shared(app.config["WORKERS"]),
    }
    app.secret_key = app.config["SECRET_KEY"] or ledger.secret_key()
    followed = Following(secured(partial(Flask.wsgi_app, app)), ledger)
    app.extensions["following"] = followed
    known = trusted_hosts.around(followed, app.config)
    app.wsgi_app = observed(app, known)  # type: ignore[assignment, method-assign]


def refused(error: HTTPException) -> Any:
    """What the web refuses, said to a program as JSON and to a reader as a page."""
    return api.http_problem(error) if context.is_api() else pages.errors.http_error(error)


def told_damaged(error: Damaged) -> Any:
    """One book cannot be read; all others can."""
    return api.damaged(error) if context.is_api() else pages.errors.damaged(error)


def templates_folder() -> str:
    """The templates: inside an installed package, beside it in a checkout."""
    packaged = Path(__file__).with_name("templates")
    return str(packaged if packaged.is_dir() else Path(__file__).parents[1] / "templates")


class Sessions(SecureCookieSessionInterface):
    """The cookie of the forms; without one there is no signature to look at.

    Programs fill in no forms and have none.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if context.is_api():
            return None
        known = "Cookie" in request.headers
        return super().open_session(app, request) if known else self.session_class()

    def get_cookie_name(self, app: Flask) -> str:
        """Under https no other host can set it."""
        return context.cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:
        """Never sent without https where it came by https."""
        return flask_request.is_secure
