"""Run work in worker processes on behalf of a request.

Nothing that may take longer than 100 ms runs on a thread that answers requests. PDFs are always
drawn in the pool, and photographs read there. Searches first run on the thread with a small budget,
which is enough for nearly all of them; the others go to the pool with the whole budget.
"""

import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from flask import current_app, request

from scorekeeper.domain.budget import TooMuch, limited
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import ScoredRound, barred, completed
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.web.errors import Refusal
from scorekeeper.web.rate_limits import client_key
from scorekeeper.wire.rounds import RoundEntry
from scorekeeper.workers.runner import Abandoned, Busy, JobRunner, Stopped

T = TypeVar("T")
P = ParamSpec("P")

QUICK_STEPS = 8000
"""Budget of a search on a request thread: about 30 ms."""
RETRY_AFTER_S = 3
"""Seconds until a client may retry a job for which there was no room."""
DISCONNECTED = "scorekeeper.disconnected"
"""Environ key of a ``threading.Event`` that the server sets when the client has disconnected."""


def in_pool(job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run an urgent job in the pool; 503 if that is not possible now."""
    return _run(job, args, kwargs, urgent=True)


def in_pool_later(job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a job in the pool after all urgent ones; 503 if that is not possible now."""
    return _run(job, args, kwargs, urgent=False)


def in_several_jobs(seconds: float) -> Callable[..., Any]:
    """Return ``in_pool_later`` for work that is split into several consecutive jobs.

    Jobs of other clients run in between. 503 once all of it has taken longer than ``seconds``,
    waiting included.
    """
    ends = time.monotonic() + seconds

    def run(job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if time.monotonic() > ends:
            raise Refusal(503, "refused.stopped")
        return in_pool_later(job, *args, **kwargs)

    return run


def in_pool_unless(problem: Problem, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return ``in_pool_later``; RuleError with a problem if the job exceeds its time or memory.

    This is for work that takes too much only because of what was sent.
    """
    try:
        return _in_pool(job, args, kwargs, urgent=False)
    except Stopped:
        raise RuleError.of([problem]) from None


def _run(job: Callable[..., T], args: Any, kwargs: Any, *, urgent: bool) -> T:
    try:
        return _in_pool(job, args, kwargs, urgent=urgent)
    except Stopped:
        raise Refusal(503, "refused.stopped") from None


def _in_pool(job: Callable[..., T], args: Any, kwargs: Any, *, urgent: bool) -> T:
    jobs = cast(JobRunner, current_app.extensions["workers"])
    gone, client = request.environ.get(DISCONNECTED), client_key(request.remote_addr or "")
    if gone and gone.is_set():  # a short job would end before the pool notices
        raise Refusal(503, "refused.busy", seconds=RETRY_AFTER_S)
    try:
        return jobs.run(job, *args, client=client, urgent=urgent, gone=gone, **kwargs)
    except (Busy, Abandoned):
        raise Refusal(503, "refused.busy", seconds=RETRY_AFTER_S) from None


def search_exactly(search: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a search finds; TooMuch if the whole budget is too small."""
    return _searched(search, args, kwargs, urgent=False)


def score_entry(game: Game, entry: RoundEntry, *, to_save: bool) -> ScoredRound:
    """Score a round for a game, outside any transaction; RuleError if the rules refuse it.

    A round that is about to be saved goes before previews where it has to wait.
    """
    rules, seats = game.rules, game.sheet.seats
    facts = completed(game, entry.round)
    arguments = {"noticed": entry.warnings, "barred": barred(game, facts)}
    score = _searched(score_round, (facts, rules, seats), arguments, urgent=to_save)
    return ScoredRound(facts, score, seats, rules)


def _searched(search: Callable[..., T], args: Any, kwargs: Any, *, urgent: bool) -> T:
    try:
        with limited(QUICK_STEPS):
            return search(*args, **kwargs)
    except TooMuch:
        return _run(search, args, kwargs, urgent=urgent)
