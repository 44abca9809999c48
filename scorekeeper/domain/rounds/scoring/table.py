"""Reading declared melds, and making declared moves on the table."""

from collections.abc import Iterable, Sequence

from scorekeeper.domain.errors import Problem, RuleError, Where, problem
from scorekeeper.domain.melds import Meld, lay_on, read_meld, swap_joker, unpinned
from scorekeeper.domain.rounds.facts import LayOff, MeldRef, Round, Seat, Swap
from scorekeeper.domain.rules import RuleSet

Move = LayOff | Swap
Moves = list[tuple[Where, Move]]
"""Moves, each with its place in the facts of the round."""


def read_melds(seat: Seat, rules: RuleSet, i: int) -> tuple[dict[int, Meld], list[Problem]]:
    """Return the valid melds of a seat by their index, and the findings about the others."""
    melds: dict[int, Meld] = {}
    findings: list[Problem] = []
    first = len(seat.first_meld or ())
    for k, cards in enumerate(seat.all_melds):
        at = ("seats", i, *(("first_meld", k) if k < first else ("melds", k - first)))
        try:
            melds[k] = read_meld(cards, rules)
        except RuleError as error:
            findings += error.under(*at).problems
        else:
            if unpinned(melds[k], rules):
                findings.append(problem("W_JOKER_UNPINNED", at, cards=cards))
    return melds, findings


def play(waiting: Moves, table: dict[MeldRef, Meld], rules: RuleSet) -> list[Problem]:
    """Make the moves that fit, in any order, and return the findings about the others."""
    while waiting:
        still: Moves = []
        refused: list[Problem] = []
        for at, move in waiting:
            try:
                table[move.meld] = _grown(table.get(move.meld), move, rules)
            except RuleError as error:
                refused += error.under(*at).problems
                still.append((at, move))
        if len(still) == len(waiting):
            return refused
        waiting = still
    return []


def lay_all(
    facts: Round, seats: Iterable[int], ender: int, melds: Sequence[Meld], rules: RuleSet
) -> tuple[tuple[Meld, ...], list[Problem]]:
    """Return the ender's melds with all that these seats declare to have laid off, and misfits."""
    table = {MeldRef(ender, index): meld for index, meld in enumerate(melds)}
    moves: Moves = [
        (("seats", i, "layoffs", k), move)
        for i in seats
        for k, move in enumerate(facts.seats[i].layoffs or ())
    ]
    misfits = play(moves, table, rules)
    return tuple(table.values()), misfits


def _grown(meld: Meld | None, move: Move, rules: RuleSet) -> Meld:
    if meld is None:
        raise RuleError("E_LAYOFF", why="no_meld", card=move.card)
    if isinstance(move, Swap):
        return swap_joker(meld, move.card, rules)[0]
    return lay_on(meld, move.card, rules)
