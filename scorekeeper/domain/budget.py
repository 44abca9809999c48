"""A budget of work for the exact searches.

Work is counted in steps and not in time, so that the same question gets the same answer on
every machine and in every test. A search that spends more than its budget stops with
E_TOO_MUCH (RULES 12); it never answers with the best that it has found so far.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scorekeeper.domain.errors import RuleError

MOST_STEPS = 50_000
"""The budget of one question or one round: about 250 ms on the machine it was measured on."""


class TooMuch(RuleError):
    """E_TOO_MUCH: an exact answer takes more steps than the budget allows (``most``)."""

    def __init__(self, most: int) -> None:
        super().__init__("E_TOO_MUCH", most=most)

    def __reduce__(self) -> tuple[type["TooMuch"], tuple[object]]:
        return TooMuch, (self.problems[0].facts["most"],)


class Budget:
    """The steps that a search may still take."""

    def __init__(self, most: int | None = None) -> None:
        self.most = MOST_STEPS if most is None else most
        self.left = self.most

    def spend(self, steps: int = 1) -> None:
        """Take steps off the budget; raises TooMuch when none are left."""
        self.left -= steps
        if self.left < 0:
            raise TooMuch(self.most)

    @property
    def spent(self) -> int:
        """The steps taken so far."""
        return self.most - self.left


_shared: ContextVar[Budget | None] = ContextVar("budget", default=None)
_kept: ContextVar[dict[Hashable, object] | None] = ContextVar("kept", default=None)


def current() -> Budget:
    """The budget that several searches share (``limited``), else a new one for this search."""
    return _shared.get() or Budget()


def kept() -> dict[Hashable, object]:
    """Return what searches inside one ``limited`` keep for each other; empty outside of one.

    It is not kept in the budget, because searches refer to the budget: in such a cycle all
    that they have found out would stay in memory until the garbage collector runs.
    """
    found = _kept.get()
    return {} if found is None else found


@contextmanager
def limited(most: int | None = None) -> Iterator[Budget]:
    """Let all searches inside share one budget.

    Inside another ``limited`` the outer budget stays in force, so that whoever asks a
    question decides how much work it may take.
    """
    outer = _shared.get()
    if outer:
        yield outer
        return
    budget = Budget(most)
    tokens = _shared.set(budget), _kept.set({})
    try:
        yield budget
    finally:
        _shared.reset(tokens[0])
        _kept.reset(tokens[1])
