"""The story of an evening, derived from its sheet: codes and numbers for the catalogues.

Rounds and players (in teams: sides) are given by their numbers. A shared lead belongs to
nobody, so the lead changes only when somebody else leads alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scorekeeper.domain.game.elimination import is_over_limit
from scorekeeper.domain.game.gin_game import hollywood
from scorekeeper.domain.game.rows import contenders
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.rounds.marks import ending

CODES = ("lead", "turning_point", "biggest", "closest", "gap", "streak", "comeback")
SPECIAL = ("big_gin", "gin", "small_gin", "rummy", "undercut")
"""The ends of a round that a table talks about."""
HIGHLIGHTS = (
    *("turning_point", "last", "hand_romme", *SPECIAL, "biggest", "comeback"),
    *("streak", "closest", "widest", "lead", "won"),
)
"""The moments of a short story, the most telling first."""
MIN_HIGHLIGHTS, MAX_HIGHLIGHTS = 3, 4

Standing = dict[int, tuple[int, int]]
"""Worth and rounds won, by side."""


@dataclass(frozen=True)
class Moment:
    """A moment of the evening: one of CODES, and the numbers of its sentence."""

    code: str
    facts: Mapping[str, int]


def story(sheet: Sheet) -> Iterator[Moment]:
    """Yield the moments, in the order of CODES; none before the first round."""
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
    """Yield every round after which somebody else led alone."""
    holder = None
    for row, leaders in zip(sheet.counted, _leaders(sheet), strict=True):
        if len(leaders) == 1 and leaders[0] != holder:
            if holder is not None:
                facts = {"round": row.number, "before": holder, "side": leaders[0]}
                yield Moment("lead", facts)
            holder = leaders[0]


def _leaders(sheet: Sheet) -> list[Sequence[int]]:
    """Return the leaders after each round; at the end by the rules of the end (RULES 8.4, 8.5)."""

    def first(standing: Standing) -> Sequence[int]:
        return [side for side, key in standing.items() if key == max(standing.values())]

    return [*map(first, _standings(sheet)[:-1]), sheet.leaders]


def _standings(sheet: Sheet) -> list[Standing]:
    """Return the standing after each round, without those who had played too few to lead."""
    measure = sheet.rules.rank.measure
    return [
        {
            side: (row.tallies[side].worth(measure), row.tallies[side].won)
            for side in contenders(row.tallies, rounds, sheet.rules)
        }
        for rounds, row in enumerate(sheet.counted, 1)
    ]


def _turning_point(sheet: Sheet, changes: Sequence[Moment]) -> Iterator[Moment]:
    """Yield the round in which the winner took the lead for good, if somebody else ever led."""
    if changes and len(sheet.leaders) == 1:
        last = changes[-1].facts
        yield Moment("turning_point", {"round": last["round"], "side": last["side"]})


def _biggest(sheet: Sheet) -> Iterator[Moment]:
    """Yield the most points in one round, by the measure of the table; the first of equal ones."""
    points = [
        (row.worth(side, sheet.rules.rank.measure) or 0, row.number, side)
        for row in sheet.counted
        for side in range(sheet.sides)
    ]
    most, number, side = max(points, key=lambda found: (abs(found[0]), found[0]))
    if most:
        yield Moment("biggest", {"round": number, "side": side, "points": most})


def _gaps(sheet: Sheet) -> Iterator[Moment]:
    """Yield the smallest gap between the first two, the last of equal ones, and the final gap.

    There is no gap after a round if only one player had played enough to lead.
    """
    gaps = [
        (_gap(standing), row.number)
        for row, standing in zip(sheet.counted, _standings(sheet), strict=True)
        if len(standing) > 1
    ]
    if gaps:
        least, number = min(gaps, key=lambda gap: (gap[0], -gap[1]))
        yield Moment("closest", {"round": number, "points": least})
    if gaps and gaps[-1][1] == sheet.counted[-1].number:
        yield Moment("gap", {"points": gaps[-1][0]})


def _gap(standing: Standing) -> int:
    """Return the points between the first two."""
    second, first = sorted(standing.values())[-2:]
    return first[0] - second[0]


def _streak(sheet: Sheet) -> Iterator[Moment]:
    """Yield the longest streak of wins, ignoring rounds sat out; the first of equal ones."""
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
    """Yield the winner's largest deficit, the last of equal ones; none if never behind."""
    if len(sheet.leaders) != 1:
        return
    winner = sheet.leaders[0]
    behind = []
    for row, standing in zip(sheet.counted, _standings(sheet), strict=True):
        if winner in standing:
            behind.append((max(standing.values())[0] - standing[winner][0], row.number))
    most, number = max(behind)
    if most:
        yield Moment("comeback", {"round": number, "side": winner, "points": most})


def highlights(sheet: Sheet) -> list[Moment]:
    """Return the three or four moments that decided the evening, in the order of their rounds.

    Each is about another round. Rounds that were merely won only fill up a short list.
    """
    chosen: dict[int, Moment] = {}
    for moment in sorted(
        _candidates(sheet), key=lambda candidate: HIGHLIGHTS.index(candidate.code)
    ):
        enough = MIN_HIGHLIGHTS if moment.code == "won" else MAX_HIGHLIGHTS
        if len(chosen) < enough:
            chosen.setdefault(moment.facts["round"], moment)
    return [chosen[number] for number in sorted(chosen)]


def _candidates(sheet: Sheet) -> Iterator[Moment]:
    """Yield every moment of HIGHLIGHTS; later changes of the lead come first."""
    if not sheet.counted:
        return
    changes = tuple(_lead_changes(sheet))
    yield from _turning_point(sheet, changes)
    yield from _last(sheet)
    yield from _special_rounds(sheet)
    yield from _biggest(sheet)
    yield from _comeback(sheet)
    yield from (_at(moment, moment.facts["last"]) for moment in _streak(sheet))
    yield from (moment for moment in _gaps(sheet) if moment.code == "closest")
    yield from _widest(sheet)
    yield from changes[::-1]
    yield from _won(sheet)


def _at(moment: Moment, number: int) -> Moment:
    return Moment(moment.code, {**moment.facts, "round": number})


def _last(sheet: Sheet) -> Iterator[Moment]:
    """Yield who won the last round, and what lay between the first two after it."""
    row = sheet.counted[-1]
    gap = next((moment for moment in _gaps(sheet) if moment.code == "gap"), None)
    if row.score.winner is not None and gap:
        yield Moment("last", {"round": row.number, "side": row.score.winner, **gap.facts})


def _widest(sheet: Sheet) -> Iterator[Moment]:
    """Yield the largest lead of somebody alone in front, the first of equal ones."""
    alone = [
        (_gap(standing), -row.number, leaders[0])
        for row, standing, leaders in zip(
            sheet.counted, _standings(sheet), _leaders(sheet), strict=True
        )
        if len(leaders) == 1 and len(standing) > 1
    ]
    most, number, side = max(alone, default=(0, 0, 0))
    if most:
        yield Moment("widest", {"round": -number, "side": side, "points": most})


def _special_rounds(sheet: Sheet) -> Iterator[Moment]:
    """Yield the hand rommés and special ends, the latest first."""
    for row in reversed(sheet.counted):
        end = ending(row.score, row.round)
        if end and row.round.hand_romme:
            yield Moment("hand_romme", {"round": row.number, "side": end.side})
        elif end and end.name in SPECIAL:
            yield Moment(end.name, {"round": row.number, "side": end.side})


def _won(sheet: Sheet) -> Iterator[Moment]:
    for row in sheet.counted:
        if row.score.winner is not None:
            yield Moment("won", {"round": row.number, "side": row.score.winner})


def limit_passed(sheet: Sheet, side: int) -> int:
    """Return the round since which a side is beyond the limit, or in which it went out.

    Of three games at once it is the round in which the side won the first of its games.
    """
    if out := sheet.tallies[side].out:
        return out
    since = sheet.counted[-1].number
    if sheet.rules.gin.hollywood:
        _, *states = hollywood(sheet.counted, sheet.rules)
        won = (any(column.winner == side for column in columns) for columns in states)
        return next((row.number for row, has in zip(sheet.counted, won, strict=True) if has), since)
    for row in reversed(sheet.counted):
        if side >= len(row.tallies) or not is_over_limit(row.tallies[side], sheet.rules):
            break
        since = row.number
    return since


def ahead_since(sheet: Sheet) -> int | None:
    """Return the round since which the only winner has been alone in front; None if never."""
    if len(sheet.leaders) != 1:
        return None
    since = None
    for row, leaders in zip(sheet.counted, _leaders(sheet), strict=True):
        alone = list(leaders) == list(sheet.leaders)
        since = (since or row.number) if alone else None
    return since
