"""The plan of a round: its row, and the contract that players must lay first (RULES-MORE 5.7)."""

from collections.abc import Iterator, Sequence

from scorekeeper.domain.errors import Problem, problem
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.plan import PlanRow
from scorekeeper.domain.solver.condition import fits


def rules_of_round(facts: Round, rules: RuleSet) -> RuleSet:
    """Return the rules of a round: its deck, its row of the plan, and its wild rank."""
    return rules.for_round(len(facts.present), rules.round.row(facts.plan_row), facts.wild)


def check_plan_row(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that the row of the plan is stated, and that the plan has it."""
    plan, row = rules.round.plan, facts.plan_row
    if not plan:
        if row is not None:
            yield problem("E_RULE_OFF", ("plan_row",), why="off", option="round.plan")
        return
    if row is None and not facts.counts:
        return
    each = rules.round.plan_by == "player"
    rows = row if isinstance(row, tuple) else (row,)
    wrong_form = row is None or each != isinstance(row, tuple)
    if wrong_form or (each and len(rows) != len(facts.seats)):
        yield problem("E_PLAN_ROW", ("plan_row",), why="each" if each else "table", rows=len(plan))
    elif any(one is None or not 1 <= one <= len(plan) for one in rows):
        yield problem("E_PLAN_ROW", ("plan_row",), why="range", rows=len(plan))
    elif rules.wild.rank == "plan" and facts.wild and isinstance(row, int):
        planned = plan[row - 1].wild
        if planned is None:
            yield problem("E_RULE_OFF", ("wild",), why="off", option="wild.rank")
        elif facts.wild.rank is not planned:
            yield problem("E_RULE_OFF", ("wild",), why="wild", option="wild.rank", rank=planned)


def contract_of(facts: Round, rules: RuleSet, seat: int) -> PlanRow | None:
    """Return the row whose contract a seat must lay first; None without one."""
    row = rules.round.row(facts.row_of(seat))
    return row if row and row.need else None


def check_contract(
    facts: Round, rules: RuleSet, i: int, melds: Sequence[Meld]
) -> Iterator[Problem]:
    """Check that a player has first laid the contract, and has only laid off after that.

    A player whose melds are not told apart has laid all of them at once [dec].
    """
    row, seat = contract_of(facts, rules, i), facts.seats[i]
    if row is None or not melds:
        return
    first = len(seat.first_meld or ())
    laid = {"seat": i, "need": " ".join(map(str, row.need))}
    if not fits(melds[:first] if first else melds, row.need):
        place = ("seats", i, "first_meld" if first else "melds")
        yield problem("E_CONTRACT", place, why="melds", **laid)
    elif first and seat.melds:
        yield problem("E_CONTRACT", ("seats", i, "melds"), why="more", **laid)


def short_of_contract(
    facts: Round, rules: RuleSet, i: int, wrong: Sequence[Problem]
) -> list[Problem]:
    """Return findings about melds, in which a run that is too short fails the contract."""
    row = contract_of(facts, rules, i)
    need = " ".join(map(str, row.need)) if row else ""
    return [
        problem("E_CONTRACT", one.path, why="melds", seat=i, need=need)
        if need and one.code == "E_MELD_SHORT"
        else one
        for one in wrong
    ]
