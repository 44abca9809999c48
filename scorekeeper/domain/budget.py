"""A limit on the work of exact searches.

Work is counted in steps and not in time, so that the same question gets the same answer on
every machine. A search that exceeds its budget raises E_TOO_MUCH (RULES 12); it never
returns the best result found so far.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar, cast

from scorekeeper.domain.errors import RuleError

T = TypeVar("T")

MAX_STEPS = 50_000
"""The budget of one question or one round: about 250 ms on the machine where it was measured."""


class TooMuch(RuleError):
    """E_TOO_MUCH: an exact answer takes more steps than the budget allows (``most``)."""

    def __init__(self, most: int) -> None:
        super().__init__("E_TOO_MUCH", most=most)

    def __reduce__(self) -> tuple[type["TooMuch"], tuple[object]]:
        return TooMuch, (self.problems[0].facts["most"],)


class Budget:
    """The steps that a search may still take."""

    def __init__(self, most: int | None = None) -> None:
        self.most = MAX_STEPS if most is None else most
        self.left = self.most

    def spend(self, steps: int = 1) -> None:
        """Spend steps; raise TooMuch if the budget is exceeded."""
        self.left -= steps
        if self.left < 0:
            raise TooMuch(self.most)

    @property
    def spent(self) -> int:
        """The steps spent so far."""
        return self.most - self.left


_shared: ContextVar[Budget | None] = ContextVar("budget", default=None)
_results: ContextVar[dict[Hashable, object] | None] = ContextVar("results", default=None)


def current() -> Budget:
    """Return the budget shared within ``limited``, else a new one."""
    return _shared.get() or Budget()


def once(key: Hashable, work_out: Callable[[], T]) -> T:
    """Return the result of a search; searches within ``limited`` share it by its key.

    Results are not part of the budget, because searches refer to the budget: the reference cycle
    would keep all of them in memory until the garbage collector runs.
    """
    results = _results.get()
    if results is None:
        return work_out()
    if key not in results:
        results[key] = work_out()
    return cast(T, results[key])


@contextmanager
def limited(most: int | None = None) -> Iterator[Budget]:
    """Let all searches inside share one budget and their results.

    Inside another ``limited``, the outer budget stays in force, so that the outermost caller
    decides how much work a question may take.
    """
    outer = _shared.get()
    if outer:
        yield outer
        return
    budget = Budget(most)
    tokens = _shared.set(budget), _results.set({})
    try:
        yield budget
    finally:
        _shared.reset(tokens[0])
        _results.reset(tokens[1])
