"""Request ids, request logs, error logs and metrics.

They contain no names, secrets or client addresses. Of a refused request not even the path is
logged, since it could contain anything.
"""

import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from http import HTTPMethod
from secrets import token_hex
from traceback import format_tb
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from flask import Flask, current_app, has_request_context, request

from scorekeeper.domain.errors import Problem
from scorekeeper.store.errors import NotSaved, Unreadable
from scorekeeper.web.conditional_requests import WsgiApp

if TYPE_CHECKING:
    from scorekeeper.web.metrics import Metrics

request_log = logging.getLogger("scorekeeper.requests")
error_log = logging.getLogger("scorekeeper.errors")

REQUEST_ID = "scorekeeper.request_id"
ROUTE = "scorekeeper.route"
REQUEST_ID_FORM = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
"""A request id that a proxy may set; any other is replaced."""
NOT_MODIFIED_LABEL = "followed"
"""Endpoint label of answers from the not-modified cache, which never reach the app."""
SYSTEM_ERRORS = (OSError, NotSaved, Unreadable)
"""Errors whose messages come from the system and never contain what people wrote."""
SECOND, MILLISECOND = 10**9, 10**6
"""In nanoseconds."""


# ---- requests ------------------------------------------------------------------------


class Observability:
    """WSGI middleware that gives requests an id, logs them and counts them."""

    def __init__(self, app: WsgiApp, metrics: "Metrics | None", *, logs_requests: bool) -> None:
        self._app, self._metrics, self._logs_requests = app, metrics, logs_requests

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        sent = environ.get("HTTP_X_REQUEST_ID", "")
        request_id = environ[REQUEST_ID] = sent if REQUEST_ID_FORM.fullmatch(sent) else token_hex(8)
        began = time.perf_counter_ns()
        answer: list[Any] = ["500", []]

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            answer[:] = status, headers
            if not environ["PATH_INFO"].startswith("/static/"):  # a page loads several of them
                headers = [*headers, ("X-Request-Id", request_id)]
            return start_response(status, headers, *more)

        body = self._app(environ, start)
        if self._logs_requests or self._metrics:
            status, headers = answer
            self._done(environ, status[:3], headers, time.perf_counter_ns() - began)
        return body

    def _done(
        self, environ: dict[str, Any], status: str, headers: list[tuple[str, str]], took: int
    ) -> None:
        if self._metrics:
            route = environ.get(ROUTE)
            unrouted = "none" if ROUTE in environ else NOT_MODIFIED_LABEL
            endpoint = route.endpoint if route else unrouted
            self._metrics.answered(endpoint, status, took / SECOND)
        if self._logs_requests:
            method = environ["REQUEST_METHOD"]
            request_log.info(
                "%s %s %s %s %d.%d ms %s B",
                environ[REQUEST_ID],
                method if method in HTTPMethod.__members__ else "-",
                _place(environ, status),
                status,
                *divmod(took // (MILLISECOND // 10), 10),
                dict(headers).get("Content-Length", "-"),
            )


def _place(environ: dict[str, Any], status: str) -> str:
    """Return the path without its query; of a refused request, only its route."""
    if ROUTE in environ and (status >= "400" or environ[ROUTE] is None):
        return str(environ[ROUTE] or "-")
    return quote(environ["PATH_INFO"].encode("latin-1"))


def remember_route() -> None:
    """Remember the route of a request for its log line."""
    request.environ[ROUTE] = request.url_rule


def request_id() -> str:
    """Return the id of the current request, as it appears in the log."""
    return cast(str, request.environ.get(REQUEST_ID, "-")) if has_request_context() else "-"


# ---- errors --------------------------------------------------------------------------


class ErrorLoggingFlask(Flask):
    """A Flask app that logs errors with the request id, but without the request's content."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the view unchanged.

        No view is a coroutine, and Flask would check that on every call.
        """
        return func

    def log_exception(
        self,
        exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None],
    ) -> None:
        if exc_info[1]:
            report(exc_info[1])


def report(error: BaseException) -> None:
    """Log an error with its traceback."""
    error_log.error("%s %s", request_id(), "".join(traceback_lines(error)))


def traceback_lines(error: BaseException | None) -> Iterator[str]:
    """Yield the traceback of an error and its causes, without messages that may hold user data."""
    while error is not None:
        message = f": {error}" if isinstance(error, SYSTEM_ERRORS) else ""
        yield f"{type(error).__qualname__}{message}\n"
        yield from format_tb(error.__traceback__)
        error = error.__cause__ or error.__context__


# ---- metrics -------------------------------------------------------------------------


def round_recorded(*, repeated: bool) -> None:
    """Count a recorded round, unless the request is a repeat."""
    if (metrics := current_app.extensions["metrics"]) and not repeated:
        metrics.recorded()


def round_refused(problems: Sequence[Problem]) -> None:
    """Count a refused round, each code once."""
    if metrics := current_app.extensions["metrics"]:
        metrics.refused({problem.code for problem in problems})


# ---- on the app ----------------------------------------------------------------------


def with_observability(app: Flask, wsgi: WsgiApp) -> WsgiApp:
    """Return the WSGI app with request ids, and with log and metrics if they are enabled."""
    metrics = app.extensions["metrics"] = _metrics(app) if app.config["METRICS"] else None
    return Observability(wsgi, metrics, logs_requests=bool(app.config["LOG_REQUESTS"]))


def _metrics(app: Flask) -> "Metrics":
    from scorekeeper.web.metrics import Metrics  # optional, and takes 40 ms to load

    return Metrics(app.extensions["ledger"])


def log_to_stderr() -> None:
    """Log to standard error, with times in UTC."""
    handler = logging.StreamHandler(sys.stderr)
    form = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    form.converter = time.gmtime
    handler.setFormatter(form)
    logging.getLogger("scorekeeper").addHandler(handler)
    request_log.setLevel(logging.INFO)
