"""A game by a plan of rounds: the row of each round, and who has laid which contract.

RULES-MORE 7.5, 8.3.
"""

from collections.abc import Iterable, Iterator, Sequence

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.rules import RuleSet

PlanRows = int | tuple[int, ...] | None
"""The row of a round from 1, or that of each seat; None without a plan."""


def rows_laid(rows: Iterable[Row], seats: int) -> tuple[int, ...]:
    """Return how many contracts each seat has laid in these rounds; the winner has laid.

    A missed round may have more seats than rounds after it, if somebody has joined since.
    """
    laid = [0] * seats
    for row in rows:
        for seat, facts in enumerate(row.round.seats[:seats]):
            laid[seat] += row.score.winner == seat or bool(facts.has_laid)
    return tuple(laid)


def row_after(counted: Iterable[Row], seats: int, rules: RuleSet) -> PlanRows:
    """Return the row of the round after these; beyond the plan, its last row is played [dec]."""
    last = len(rules.round.plan)
    if not last:
        return None
    if rules.round.plan_by == "table":
        return min(sum(1 for _ in counted) + 1, last)
    return tuple(min(laid + 1, last) for laid in rows_laid(counted, seats))


def check_rows(rows: Sequence[Row], number: int) -> None:
    """Raise RuleError E_PLAN_ROW at the first round from ``number`` on with another row."""
    for problem in _findings(rows, number):
        raise RuleError.of([problem])


def _findings(rows: Sequence[Row], number: int) -> Iterator[Problem]:
    for place, row in enumerate(rows):
        if row.counts and row.number >= number and row.rules.round.plan:
            before = [one for one in rows[:place] if one.counts]
            expected = row_after(before, len(row.round.seats), row.rules)
            if row.round.plan_row != expected:
                yield other_row(row.round.plan_row, expected, ("rounds", row.number - 1))


def other_row(stated: object, expected: PlanRows, later: tuple[str | int, ...] = ()) -> Problem:
    """Return the finding that another row of the plan is played, or was in a ``later`` round."""
    why = "later" if later else "other"
    if isinstance(expected, int) and isinstance(stated, int):
        facts = {"why": why, "row": stated, "expected": expected}
    else:
        facts = {"why": f"{why}_each"}
    return Problem("E_PLAN_ROW", facts, (*later, "plan_row"))
