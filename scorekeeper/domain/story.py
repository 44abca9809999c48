"""An evening's story, read off its sheet: codes and numbers, which the catalogues word.

Rounds are told by their numbers on the sheet, players (in teams: sides) by theirs. A lead
that is shared is nobody's, so it changes hands only when somebody else is alone in front.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scorekeeper.domain.sheet import Row, Sheet

CODES = ("lead", "turning_point", "biggest", "closest", "gap", "streak", "comeback")


@dataclass(frozen=True)
class Moment:
    """Something worth telling: one of CODES, and the numbers of its sentence."""

    code: str
    facts: Mapping[str, int]


def story(sheet: Sheet) -> Iterator[Moment]:
    """What there is to tell, in the order of CODES; nothing before the first round."""
    if not sheet.counted:
        return
    changes = tuple(_lead_changes(sheet))
    yield from changes
    yield from _turning_point(sheet, changes)
    yield from _biggest(sheet)
    yield from _gaps(sheet)
    yield from _streak(sheet)
    yield from _comeback(sheet)


def _lead_changes(sheet: Sheet) -> Iterator[Moment]:
    """Every round after which somebody else was alone in front."""
    holder = None
    for row, leaders in zip(sheet.counted, _leaders(sheet), strict=True):
        if len(leaders) == 1 and leaders[0] != holder:
            if holder is not None:
                facts = {"round": row.number, "before": holder, "side": leaders[0]}
                yield Moment("lead", facts)
            holder = leaders[0]


def _leaders(sheet: Sheet) -> list[Sequence[int]]:
    """Who was first after each round; at the end whom the rules name (RULES 8.4, 8.5)."""

    def first(row: Row) -> Sequence[int]:
        standing = _standing(sheet, row)
        return [side for side, key in standing.items() if key == max(standing.values())]

    return [*map(first, sheet.counted[:-1]), sheet.leaders]


def _standing(sheet: Sheet, row: Row) -> dict[int, tuple[int, int]]:
    """Worth and rounds won, after a round, of everyone who had played by then."""
    measure = sheet.rules.rank.measure
    return {side: (t.worth(measure), t.won) for side, t in enumerate(row.tallies) if t.played}


def _turning_point(sheet: Sheet, changes: Sequence[Moment]) -> Iterator[Moment]:
    """The round since which nobody took the lead from the winner; none if nobody else had it."""
    if changes and len(sheet.leaders) == 1:
        last = changes[-1].facts
        yield Moment("turning_point", {"round": last["round"], "side": last["side"]})


def _biggest(sheet: Sheet) -> Iterator[Moment]:
    """Most points in one round, by the measure of the table; of equals the first."""
    points = [
        (row.worth(side, sheet.rules.rank.measure) or 0, row.number, side)
        for row in sheet.counted
        for side in range(sheet.sides)
    ]
    most, number, side = max(points, key=lambda found: (abs(found[0]), found[0]))
    if most:
        yield Moment("biggest", {"round": number, "side": side, "points": most})


def _gaps(sheet: Sheet) -> Iterator[Moment]:
    """What lay between the first two: the least there ever was, of equals the last; the end."""
    gaps = []
    for row in sheet.counted:
        second, first = sorted(_standing(sheet, row).values())[-2:]
        gaps.append((first[0] - second[0], row.number))
    least, number = min(gaps, key=lambda gap: (gap[0], -gap[1]))
    yield Moment("closest", {"round": number, "points": least})
    yield Moment("gap", {"points": gaps[-1][0]})


def _streak(sheet: Sheet) -> Iterator[Moment]:
    """Most rounds won one after the other, rounds sat out left aside; of equals the first."""
    runs = [
        (side, [row.number for row in run])
        for side in range(sheet.sides)
        for winner, run in groupby(
            (row for row in sheet.counted if row.points(side) is not None),
            key=lambda row: row.score.winner,
        )
        if winner == side
    ]
    side, rounds = max(runs, key=lambda run: (len(run[1]), -run[1][0]), default=(0, []))
    if len(rounds) > 1:
        facts = {"side": side, "rounds": len(rounds), "first": rounds[0], "last": rounds[-1]}
        yield Moment("streak", facts)


def _comeback(sheet: Sheet) -> Iterator[Moment]:
    """How far behind the winner was at the worst, of equals the last; none if never behind."""
    if len(sheet.leaders) != 1:
        return
    winner = sheet.leaders[0]
    behind = []
    for row in sheet.counted:
        standing = _standing(sheet, row)
        if winner in standing:
            behind.append((max(standing.values())[0] - standing[winner][0], row.number))
    most, number = max(behind)
    if most:
        yield Moment("comeback", {"round": number, "side": winner, "points": most})
