"""Work for the pool of processes, on behalf of a request.

Nothing that may take longer than 100 ms runs on a thread that answers requests. Paper is
always drawn in the pool. Exact searches are tried here within a small budget first, which
nearly all of them keep, and only what exceeds it goes to the pool with the whole budget.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar, cast

from flask import current_app, request

from scorekeeper.domain.budget import TooMuch, limited
from scorekeeper.domain.changes import priced
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.game import Game
from scorekeeper.domain.rounds import Round, RoundScore
from scorekeeper.domain.scoring import score_round
from scorekeeper.web.errors import Refusal
from scorekeeper.web.rate_limits import who
from scorekeeper.workers.pool import Abandoned, Busy, Pool, Stopped

T = TypeVar("T")
P = ParamSpec("P")

QUICK_STEPS = 8000
"""The budget of a search on a thread that answers requests: some 30 ms."""
COME_BACK = 3
"""Seconds after which a job that found no place may try again."""
DISCONNECTED = "scorekeeper.disconnected"
"""In the environ: an event that is set when the client has left."""


def in_pool(job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Run a job in the pool, before what is not urgent; 503 if it cannot be done now."""
    return _run(job, given, named, urgent=True)


def in_pool_later(job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Run a job in the pool after all urgent ones; 503 if it cannot be done now."""
    return _run(job, given, named, urgent=False)


def in_several_jobs(seconds: float) -> Callable[..., Any]:
    """Return ``in_pool_later`` for work that is done in several jobs, one after the other.

    Each is a turn, so others get theirs in between. 503 once all of them together have taken
    longer than ``seconds``, turns of others included.
    """
    ends = time.monotonic() + seconds

    def run(job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        if time.monotonic() > ends:
            raise Refusal(503, "refused.stopped")
        return in_pool_later(job, *given, **named)

    return run


def _run(job: Callable[..., T], given: Any, named: Any, *, urgent: bool) -> T:
    pool = cast(Pool, current_app.extensions["workers"])
    gone, client = request.environ.get(DISCONNECTED), who(request.remote_addr or "")
    if gone and gone.is_set():  # a short job ends before the pool looks
        raise Refusal(503, "refused.busy", seconds=COME_BACK)
    try:
        return pool.run(job, *given, client=client, urgent=urgent, gone=gone, **named)
    except (Busy, Abandoned):
        raise Refusal(503, "refused.busy", seconds=COME_BACK) from None
    except Stopped:
        raise Refusal(503, "refused.stopped") from None


def exactly(search: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Return what an exact search finds; raises TooMuch if even the whole budget is too small."""
    try:
        with limited(QUICK_STEPS):
            return search(*given, **named)
    except TooMuch:
        return in_pool_later(search, *given, **named)


def previewed(game: Game, facts: Round, noticed: Iterable[Problem] = ()) -> RoundScore:
    """Return what a round would be worth in a game; nothing is stored."""
    noticed = tuple(noticed)
    return exactly(score_round, facts, game.rules, game.sheet.seats, noticed=noticed)


def scored(
    write: Callable[[], T], game: Callable[[], Game], facts: Round, noticed: Iterable[Problem] = ()
) -> T:
    """Return what ``write`` returns, which scores a round of a game.

    A round that takes long to score is scored in the pool, before ``write`` begins again:
    inside its transaction it would keep everybody else from writing.
    """
    try:
        with limited(QUICK_STEPS):
            return write()
    except TooMuch:
        found = game()
        seats = found.sheet.seats
        score = in_pool(score_round, facts, found.rules, seats, noticed=tuple(noticed))
    with limited(QUICK_STEPS), priced(facts, seats, score):
        return write()
