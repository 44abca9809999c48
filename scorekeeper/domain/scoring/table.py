"""Declared melds and moves, and the table that they make."""

from scorekeeper.domain.errors import Problem, RuleError, Where, warning
from scorekeeper.domain.layoffs import lay_on
from scorekeeper.domain.melds import Meld, read_meld, swap_joker, unpinned
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import LayOff, MeldRef, Seat, Swap

Move = LayOff | Swap
Moves = list[tuple[Where, Move]]
"""Moves, and where in the round each was declared."""


def read_melds(seat: Seat, rules: RuleSet, i: int) -> tuple[dict[int, Meld], list[Problem]]:
    """The melds of a seat by their index, and what is wrong with the others."""
    melds: dict[int, Meld] = {}
    findings: list[Problem] = []
    first = len(seat.first_meld or ())
    for k, cards in enumerate(seat.table):
        at = ("seats", i, *(("first_meld", k) if k < first else ("melds", k - first)))
        try:
            melds[k] = read_meld(cards, rules)
        except RuleError as error:
            findings += error.under(*at).problems
        else:
            if unpinned(melds[k], rules):
                findings.append(warning("W_JOKER_UNPINNED", at, cards=cards))
    return melds, findings


def play(waiting: Moves, table: dict[MeldRef, Meld], rules: RuleSet) -> list[Problem]:
    """Make moves on a table as long as one fits; what is against those that never do."""
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


def _grown(meld: Meld | None, move: Move, rules: RuleSet) -> Meld:
    if meld is None:
        raise RuleError("E_LAYOFF", why="no_meld", card=move.card)
    if isinstance(move, Swap):
        return swap_joker(meld, move.card, rules)[0]
    return lay_on(meld, move.card, rules)
