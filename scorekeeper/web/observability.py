"""What a host sees of a table: a number for every request, a line in the log, counters.

Nobody is named there: no player, no secret, no address. Of a request that was refused even
the path is left out, since anything could have been typed into it.
"""

import logging
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from http import HTTPMethod
from secrets import token_hex
from traceback import format_tb
from types import TracebackType
from typing import Any, cast
from urllib.parse import quote

from flask import Flask, current_app, has_request_context, request

from scorekeeper.domain.errors import Problem
from scorekeeper.store.engine import NotSaved, Unreadable
from scorekeeper.web.conditional_requests import WsgiApp

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
MILLISECOND = 10**6
BOUNDS = (5, 10, 25, 50, 100, 300, 1000, 3000)
"""Milliseconds up to which requests are counted together."""


# ---- requests ------------------------------------------------------------------------


class Observed:
    """Around everything: numbers requests, tells of them in the log, counts them."""

    def __init__(self, app: WsgiApp, counters: "Counters | None", *, tells: bool) -> None:
        self._app, self._counters, self._tells = app, counters, tells

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID", "")
        number = environ[NUMBER] = given if WELL_FORMED.fullmatch(given) else token_hex(8)
        began = time.perf_counter_ns()
        told: list[Any] = ["500", []]

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            told[:] = status, headers
            return start_response(status, [*headers, ("X-Request-Id", number)], *more)

        body = self._app(environ, start)
        if self._tells or self._counters:
            status, headers = told
            self._done(environ, status[:3], headers, time.perf_counter_ns() - began)
        return body

    def _done(
        self, environ: dict[str, Any], status: str, headers: list[tuple[str, str]], took: int
    ) -> None:
        if self._counters:
            route = environ.get(ROUTE)
            endpoint = route.endpoint if route else "none" if ROUTE in environ else FOLLOWED
            self._counters.answered(endpoint, status, took)
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


# ---- counters ------------------------------------------------------------------------


class Counters:
    """What is counted while the process runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, str]] = Counter()
        self._slower = [0] * (len(BOUNDS) + 1)
        self._took = 0
        self._recorded = 0
        self._refused: Counter[str] = Counter()

    def answered(self, endpoint: str, status: str, took: int) -> None:
        """An answer, after so many nanoseconds."""
        place = sum(took > bound * MILLISECOND for bound in BOUNDS)
        with self._lock:
            self._answers[endpoint, status[0] + "xx"] += 1
            self._slower[place] += 1
            self._took += took

    def recorded(self) -> None:
        """A round that was not there before."""
        with self._lock:
            self._recorded += 1

    def refused(self, codes: Iterable[str]) -> None:
        """A round that the rules refused."""
        with self._lock:
            self._refused.update(codes)

    def lines(self) -> Iterator[str]:
        """All of it as Prometheus reads it."""
        with self._lock:
            answers, slower, took = self._answers.copy(), [*self._slower], self._took
            recorded, refused = self._recorded, self._refused.copy()
        yield from metric("requests_total", "counter", "Requests by endpoint and kind of status.")
        for (endpoint, status), count in sorted(answers.items()):
            yield line("requests_total", count, endpoint=endpoint, status=status)
        yield from metric("request_seconds", "histogram", "Time until an answer began.")
        for place, bound in enumerate([*map(milli, BOUNDS), "+Inf"], 1):
            yield line("request_seconds_bucket", sum(slower[:place]), le=bound)
        yield line("request_seconds_sum", milli(took // MILLISECOND))
        yield line("request_seconds_count", sum(slower))
        yield from metric("rounds_recorded_total", "counter", "Rounds recorded.")
        yield line("rounds_recorded_total", recorded)
        yield from metric("rounds_refused_total", "counter", "Rounds refused, by code.")
        for code, count in sorted(refused.items()):
            yield line("rounds_refused_total", count, code=code)


def metric(name: str, kind: str, meaning: str) -> Iterator[str]:
    """The head of a metric."""
    yield f"# HELP scorekeeper_{name} {meaning}"
    yield f"# TYPE scorekeeper_{name} {kind}"


def line(name: str, value: object, **labels: str) -> str:
    """One value; labels are our own words and need no escape."""
    said = ",".join(f'{label}="{text}"' for label, text in labels.items())
    return f"scorekeeper_{name}{{{said}}} {value}" if said else f"scorekeeper_{name} {value}"


def milli(milliseconds: int) -> str:
    """Milliseconds as seconds: ``0.025``."""
    return f"{milliseconds // 1000}.{milliseconds % 1000:03}"


def counters() -> Counters | None:
    """The counters of this app, where they are wanted."""
    return cast("Counters | None", current_app.extensions["counters"])


def round_recorded(*, repeated: bool) -> None:
    """Count a round that was recorded; a repeat is none."""
    if (counted := counters()) and not repeated:
        counted.recorded()


def round_refused(problems: Sequence[Problem]) -> None:
    """Count why a round was refused; each reason once."""
    if counted := counters():
        counted.refused({problem.code for problem in problems})


# ---- on the app ----------------------------------------------------------------------


def observed(app: Flask, wsgi: WsgiApp) -> WsgiApp:
    """Around the app, as its settings wish it."""
    counting = app.extensions["counters"] = Counters() if app.config["METRICS"] else None
    return Observed(wsgi, counting, tells=bool(app.config["LOG_REQUESTS"]))


def log_to_stderr() -> None:
    """Everything of ours goes to the standard error, in UTC; requests where they are logged."""
    handler = logging.StreamHandler(sys.stderr)
    form = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    form.converter = time.gmtime
    handler.setFormatter(form)
    logging.getLogger("scorekeeper").addHandler(handler)
    requests.setLevel(logging.INFO)
