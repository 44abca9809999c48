"""The price of a round: each family of rule systems has its own formula (RULES 7)."""

from collections.abc import Iterable

from scorekeeper.domain.budget import limited
from scorekeeper.domain.checks import check_table, refuse_errors
from scorekeeper.domain.errors import Problem, warning
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Round, RoundScore, SeatScore
from scorekeeper.domain.scoring import gin, hand, knock, lay

FAMILIES = {"lay": lay.score, "hand": hand.score, "gin": gin.score, "knock": knock.score}


def score_round(
    facts: Round, rules: RuleSet, players: int, *, noticed: Iterable[Problem] = ()
) -> RoundScore:
    """What a round is worth under a rule set.

    ``players`` is the number of seats at the table, ``noticed`` are warnings that reading
    the entry gave already. Raises RuleError with every finding that refuses the round, and
    TooMuch if the best arrangements take more work than the budget allows.
    """
    refuse_errors(check_table(facts, rules, players))
    if facts.outcome in ("void", "cancelled"):
        return _without_score(facts, rules, players, tuple(noticed))
    with limited():
        return FAMILIES[rules.family](facts, rules, tuple(noticed))


def _without_score(
    facts: Round, rules: RuleSet, players: int, noticed: tuple[Problem, ...]
) -> RoundScore:
    """A misdeal, or a stock that ran out: listed, but nobody's (RULES 6.1, 7.6)."""
    cancelled = (warning("W_CANCELLED", ("outcome",)),) if facts.outcome == "cancelled" else ()
    absent = {i for i, seat in enumerate(facts.seats) if seat.absent}
    sides = 2 if rules.teams else players
    return RoundScore(
        outcome=facts.outcome,
        winner=None,
        mark="verified",
        scores=tuple(None if side in absent else SeatScore() for side in range(sides)),
        lines=(),
        warnings=(*noticed, *cancelled),
    )
