"""The score of a round: each family of rule systems has its own formula (RULES 7).

The ``score`` function of a family adds to the findings of the round and returns a
receipt. Only ``score_round`` combines them into a score, so that no warning is lost.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from scorekeeper.domain.budget import limited
from scorekeeper.domain.errors import Findings, Problem, RuleError, problem
from scorekeeper.domain.rounds.checks import check_table
from scorekeeper.domain.rounds.contract import check_plan_row, rules_of_round
from scorekeeper.domain.rounds.facts import Round, RoundScore, ScoreLine, SeatScore
from scorekeeper.domain.rounds.scoring import gin, hand, knock, lay
from scorekeeper.domain.rounds.scoring.duel import at_table, duel, finding_at_table, is_duel
from scorekeeper.domain.rounds.scoring.receipt import Receipt, total, weakest
from scorekeeper.domain.rules import RuleSet

FAMILIES: Mapping[str, Callable[[Round, RuleSet, Findings], Receipt]] = {
    "lay": lay.score,
    "hand": hand.score,
    "gin": gin.score,
    "knock": knock.score,
}

LATER_REFUSALS = frozenset(
    {
        ("E_HANDROMME_NOT_FIRST", "claim"),
        ("E_HANDROMME_LAYOFF", "swap"),
        ("E_DUPLICATE_CARD", "caught_sequence"),
    }
)
"""Errors, with their reasons, that version 1.1 did not find. What it recorded is no mistake."""


def score_round(
    facts: Round,
    rules: RuleSet,
    players: int,
    *,
    noticed: Iterable[Problem] = (),
    barred: Iterable[Problem] = (),
    recorded: bool = False,
) -> RoundScore:
    """Return the score of a round under a rule set, with every warning about it.

    ``players`` is the number of seats at the table, ``noticed`` are warnings from reading the
    entry, ``barred`` are findings about players who may not take part. A round
    that was ``recorded`` already may be one that only later versions refuse.
    Raises RuleError with every finding that refuses the round, and TooMuch if the best
    arrangements take more steps than the budget allows.
    """
    findings = Findings(noticed, LATER_REFUSALS if recorded else ())
    findings += check_table(facts, rules, players)
    findings += barred
    findings += check_plan_row(facts, rules)
    findings.refuse_errors()
    rules = rules_of_round(facts, rules)
    if is_duel(facts, rules):
        return _scored_duel(facts, rules, findings)
    return _scored(facts, rules, players, findings)


def _scored(facts: Round, rules: RuleSet, players: int, findings: Findings) -> RoundScore:
    score = FAMILIES[rules.family] if facts.counts else _without_score
    with limited():
        receipt = score(facts, rules, findings)
    findings.refuse_errors()
    return RoundScore(
        outcome=facts.outcome,
        winner=receipt.winner,
        verification=weakest(receipt.verifications, findings),
        scores=_totals(facts, rules, players, receipt.lines),
        lines=receipt.lines,
        warnings=findings.warnings,
    )


def _scored_duel(facts: Round, rules: RuleSet, found: Findings) -> RoundScore:
    """Score the two who play; the findings about them are those of their seats at the table."""
    try:
        score = _scored(duel(facts), rules, 2, found.alike())
    except RuleError as error:
        raise RuleError.of(finding_at_table(one, facts) for one in error.problems) from None
    score = at_table(score, facts)
    return replace(score, warnings=(*found.warnings, *score.warnings))


def _without_score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Return the empty receipt of a misdeal or of an exhausted stock (RULES 6.1, 7.6)."""
    if facts.outcome == "cancelled":
        findings.append(problem("W_CANCELLED", ("outcome",)))
    return Receipt()


def _totals(
    facts: Round, rules: RuleSet, players: int, lines: Sequence[ScoreLine]
) -> tuple[SeatScore | None, ...]:
    """Return the sums of the lines by seat, in teams by side; None for absent players."""
    absent = {i for i, seat in enumerate(facts.seats) if seat.absent}
    sides = range(2 if rules.teams else players)
    if not facts.counts:
        return tuple(None if side in absent else SeatScore() for side in sides)
    return tuple(None if side in absent else total(side, lines, rules) for side in sides)
