"""What a host sees of a table: a number for every request, a line in the log, counters.

Nobody is named there: no player, no secret, no address. Of a request that was refused even
the path is left out, since anything could have been typed into it.
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

requests = logging.getLogger("scorekeeper.requests")
errors = logging.getLogger("scorekeeper.errors")

NUMBER = "scorekeeper.number"
ROUTE = "scorekeeper.route"
WELL_FORMED = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
"""A number that whoever stands in front may give a request; another one is not repeated."""
FOLLOWED = "followed"
"""What was answered without a look at the app (following.py)."""
NO_WORDS = (OSError, NotSaved, Unreadable)
"""Errors whose message is of the machine, and never of what people wrote."""
SECOND, MILLISECOND = 10**9, 10**6
"""In nanoseconds."""


# ---- requests ------------------------------------------------------------------------


class Observed:
    """WSGI middleware around everything: numbers requests, logs them, counts them."""

    def __init__(self, app: WsgiApp, metrics: "Metrics | None", *, tells: bool) -> None:
        self._app, self._metrics, self._tells = app, metrics, tells

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID", "")
        number = environ[NUMBER] = given if WELL_FORMED.fullmatch(given) else token_hex(8)
        began = time.perf_counter_ns()
        told: list[Any] = ["500", []]

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            told[:] = status, headers
            return start_response(status, [*headers, ("X-Request-Id", number)], *more)

        body = self._app(environ, start)
        if self._tells or self._metrics:
            status, headers = told
            self._done(environ, status[:3], headers, time.perf_counter_ns() - began)
        return body

    def _done(
        self, environ: dict[str, Any], status: str, headers: list[tuple[str, str]], took: int
    ) -> None:
        if self._metrics:
            route = environ.get(ROUTE)
            endpoint = route.endpoint if route else "none" if ROUTE in environ else FOLLOWED
            self._metrics.answered(endpoint, status, took / SECOND)
        if self._tells:
            method = environ["REQUEST_METHOD"]
            requests.info(
                "%s %s %s %s %d.%d ms %s B",
                environ[NUMBER],
                method if method in HTTPMethod.__members__ else "-",
                _place(environ, status),
                status,
                *divmod(took // (MILLISECOND // 10), 10),
                dict(headers).get("Content-Length", "-"),
            )


def _place(environ: dict[str, Any], status: str) -> str:
    """The path, without what was asked; of what was refused only which route it took."""
    if ROUTE in environ and (status >= "400" or environ[ROUTE] is None):
        return str(environ[ROUTE] or "-")
    return quote(environ["PATH_INFO"].encode("latin-1"))


def note_route() -> None:
    """Before every request: which route it took, for who tells of it when it is over."""
    request.environ[ROUTE] = request.url_rule


def number() -> str:
    """The number of this request, by which its line is found in the log."""
    return cast(str, request.environ.get(NUMBER, "-")) if has_request_context() else "-"


# ---- errors --------------------------------------------------------------------------


class Reporting(Flask):
    """An app that logs what went wrong with the request's number, and not what was asked."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Nothing of ours is a coroutine, so no request asks nine times whether it is."""
        return func

    def log_exception(
        self,
        exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None],
    ) -> None:
        if exc_info[1]:
            report(exc_info[1])


def report(error: BaseException) -> None:
    """Log where something went wrong."""
    errors.error("%s %s", number(), "".join(traced(error)))


def traced(error: BaseException | None) -> Iterator[str]:
    """What led to an error, without words that may have been somebody's."""
    while error is not None:
        message = f": {error}" if isinstance(error, NO_WORDS) else ""
        yield f"{type(error).__qualname__}{message}\n"
        yield from format_tb(error.__traceback__)
        error = error.__cause__ or error.__context__


# ---- metrics -------------------------------------------------------------------------


def round_recorded(*, repeated: bool) -> None:
    """Count a round that was recorded; a repeat is none."""
    if (metrics := current_app.extensions["metrics"]) and not repeated:
        metrics.recorded()


def round_refused(problems: Sequence[Problem]) -> None:
    """Count why a round was refused; each reason once."""
    if metrics := current_app.extensions["metrics"]:
        metrics.refused({problem.code for problem in problems})


# ---- on the app ----------------------------------------------------------------------


def observed(app: Flask, wsgi: WsgiApp) -> WsgiApp:
    """Return the app with request numbers, and with log and metrics where settings ask for them."""
    metrics = app.extensions["metrics"] = _metrics(app) if app.config["METRICS"] else None
    return Observed(wsgi, metrics, tells=bool(app.config["LOG_REQUESTS"]))


def _metrics(app: Flask) -> "Metrics":
    from scorekeeper.web.metrics import Metrics  # few hosts want them, and they take 40 ms to load

    return Metrics(app.extensions["ledger"])


def log_to_stderr() -> None:
    """Everything of ours goes to the standard error, in UTC; requests where they are logged."""
    handler = logging.StreamHandler(sys.stderr)
    form = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    form.converter = time.gmtime
    handler.setFormatter(form)
    logging.getLogger("scorekeeper").addHandler(handler)
    requests.setLevel(logging.INFO)
