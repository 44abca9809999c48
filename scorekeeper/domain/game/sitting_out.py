"""Who is at the table, and who of three sits out (*aussetzen*) the next round of gin."""

from collections.abc import Collection, Sequence

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.rules import RuleSet

PLAYERS = 2
"""Those who play a round of gin without teams; the others sit out."""


def takes_turns(rules: RuleSet) -> bool:
    """Return whether of more than two players all but two sit out each round."""
    return rules.family == "gin" and not rules.teams


def have_left(rows: Sequence[Row]) -> set[int]:
    """Return the seats that sat out the last two scored rounds: nobody does so in turn.

    So a player of three who goes home is no longer expected, without anybody having to say so.
    """
    last = [row for row in rows if row.counts][-2:]
    if len(last) < 2:
        return set()
    seated = range(min(len(row.score.scores) for row in last))
    return {seat for seat in seated if all(row.points(seat) is None for row in last)}


def who_sits_out(
    rows: Sequence[Row], first: int, table: Collection[int], clockwise: Sequence[int]
) -> int:
    """Return who of the three at the table sits out after these rounds.

    ``first`` sits out the first round. The rows are those that are not dealt again. A void round
    need not say who sat out; then it was the one whose turn it was.
    """
    out = first
    for row in rows:
        idle = [seat for seat in table if row.points(seat) is None]
        out = _after(row, idle[0] if len(idle) == 1 else out, table, clockwise)
    return out


def _after(row: Row, out: int, table: Collection[int], clockwise: Sequence[int]) -> int:
    """Return who sits out after a round that ``out`` sat out."""
    if not row.score.counts:
        return out  # nobody has lost, so the same two play again [dec]
    if row.rules.gin.sits_out == "turn":
        return left_of(out, table, clockwise)
    losers = [seat for seat in table if seat not in (out, row.score.winner)]
    return losers[0] if len(losers) == 1 else out


def left_of(seat: int, seats: Collection[int], clockwise: Sequence[int]) -> int:
    """Return the next of some seats clockwise."""
    place = clockwise.index(seat) + 1
    return next(other for other in (*clockwise[place:], *clockwise) if other in seats)
