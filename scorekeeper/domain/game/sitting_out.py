"""Who is at the table, and who of three sits out (*aussetzen*) the next round of gin."""

from collections.abc import Sequence
from itertools import islice

from scorekeeper.domain.game.dealers import left_of, takes_turns
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.rules import RuleSet

PLAYERS = 2
"""Those who play a round of gin without teams; the others sit out."""


def seated(order: Sequence[int], seats: int, in_place_of: int | None) -> tuple[int, ...]:
    """Return all seats clockwise with one more, last or in the place of somebody who leaves.

    An empty ``order`` is that of the columns.
    """
    if in_place_of is None:
        return (*order, seats) if order else ()
    clockwise = order or tuple(range(seats))
    place = clockwise.index(in_place_of)
    return (*clockwise[:place], seats, *clockwise[place:])


def present_after(rows: Sequence[Row], everyone: Sequence[int], rules: RuleSet) -> list[int]:
    """Return who is still at the table: all but those absent in the last round.

    At gin somebody sits out anyway; there, those who did so twice have gone.
    """
    if takes_turns(rules):
        gone = have_left(rows)
    else:
        last = next((row for row in reversed(rows) if row.struck_at is None), None)
        scores = last.score.scores if last else ()
        gone = {seat for seat, points in enumerate(scores) if points is None}
    return [seat for seat in everyone if seat not in gone]


def have_left(rows: Sequence[Row]) -> set[int]:
    """Return the seats that sat out the last two scored rounds: nobody does so in turn.

    So a player of three who goes home is no longer expected, without anybody having to say so.
    """
    last = list(islice((row for row in reversed(rows) if row.counts), 2))
    if len(last) < 2:
        return set()
    seated = range(min(len(row.score.scores) for row in last))
    return {seat for seat in seated if all(row.points(seat) is None for row in last)}


def who_sits_out(
    rows: Sequence[Row], first: int, table: Sequence[int], clockwise: Sequence[int]
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


def _after(row: Row, out: int, table: Sequence[int], clockwise: Sequence[int]) -> int:
    """Return who sits out after a round that ``out`` sat out."""
    if not row.score.counts:
        return out  # nobody has lost, so the same two play again [dec]
    if row.rules.gin.sits_out == "turn":
        return left_of(out, table, clockwise)
    losers = [seat for seat in table if seat not in (out, row.score.winner)]
    return losers[0] if len(losers) == 1 else out
