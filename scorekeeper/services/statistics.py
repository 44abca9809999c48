"""Statistics over many evenings, computed from stored results."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import get_args

from scorekeeper.domain.group.results import Encounter, longest
from scorekeeper.domain.group.season import ALWAYS, Figures, Span
from scorekeeper.store.evenings import Attendance, Best, Record
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.season_history import SeasonHistory

RECORDS: tuple[Record, ...] = get_args(Record)
Run = list[tuple[int, int]]
"""Points by evening: the evening's index, and the sum after it."""


@dataclass(frozen=True)
class Statistics:
    """The statistics of a group, or of one member, over a span of evenings."""

    figures: tuple[Figures, ...]
    """By member, best attendance first."""
    evenings: tuple[Attendance, ...]
    """Every evening of every member, first evening first."""
    encounters: tuple[Encounter, ...]
    """The results between members, in both directions."""

    @property
    def times(self) -> tuple[str, ...]:
        """When the evenings began, in order."""
        return tuple(next(iter(there)).began for _, there in _by_game(self.evenings))

    def runs(self, members: Sequence[int]) -> dict[int, Run]:
        """Return points over time: what members got from the others, summed by evening."""
        runs: dict[int, Run] = {member: [] for member in members}
        for place, (_, there) in enumerate(_by_game(self.evenings), start=1):
            for attendance in there:
                if attendance.member in runs:
                    run = runs[attendance.member]
                    if not run:
                        run.append((place - 1, 0))
                    run.append((place, run[-1][1] + attendance.points))
        return {member: run for member, run in runs.items() if run}

    @property
    def best_evening(self) -> Best | None:
        """The evening on which a member got most from the others; the first of equal ones."""
        most = max(self.evenings, key=lambda evening: evening.points, default=None)
        return Best(most.game, most.began, most.member, most.points) if most else None

    def won_in_a_row(self, member: int) -> int:
        """Return the longest streak of evenings won; missed evenings do not break it."""
        return longest(self._won.get(member, ()))

    @cached_property
    def _won(self) -> dict[int, list[bool]]:
        """By member: whether they won, evening by evening."""
        won: dict[int, list[bool]] = {}
        for evening in self.evenings:
            won.setdefault(evening.member, []).append(evening.rank == 1)
        return won

    def against(self, member: int) -> tuple[Encounter, ...]:
        """Return the member's results against each other member."""
        return tuple(met for met in self.encounters if met.one == member)


def statistics(
    ledger: Ledger, group_id: str, span: Span = ALWAYS, *, member: int | None = None
) -> Statistics:
    """Return the statistics of everybody, or of one member."""
    figures = ledger.seasons.figures(group_id, span, member=member)
    return Statistics(
        figures=tuple(sorted(figures, key=lambda figure: (-figure.evenings, figure.member))),
        evenings=tuple(ledger.seasons.attendances(group_id, span, member=member)),
        encounters=tuple(_both_ways(ledger.seasons.encounters(group_id, span, member=member))),
    )


def records(ledger: Ledger, group_id: str, span: Span = ALWAYS) -> Iterator[tuple[Record, Best]]:
    """Yield the records that exist; none after a single evening, which would hold them all."""
    if len(ledger.seasons.evenings(group_id, span, over=True, limit=2)) < 2:
        return
    for what in RECORDS:
        best = ledger.seasons.record(group_id, what, span)
        if best:
            yield what, best


def season_history(ledger: Ledger, group_id: str, span: Span) -> SeasonHistory:
    """Return how the season of a span came about.

    Of evenings with several rule systems, records and points are those of the most frequent one.
    """
    evenings = ledger.seasons.evenings(group_id, span, over=True)[::-1]
    presets = Counter(one.evening.preset for one in evenings)
    preset = presets.most_common(1)[0][0] if len(presets) > 1 else None
    alike = replace(span, preset=preset) if preset else span
    numbers = statistics(ledger, group_id, alike)
    return SeasonHistory(
        evenings=evenings,
        records=list(records(ledger, group_id, alike)),
        times=numbers.times,
        runs=numbers.runs([figure.member for figure in numbers.figures]),
        preset=preset,
    )


def _both_ways(met: Iterable[Encounter]) -> Iterable[Encounter]:
    for encounter in met:
        yield encounter
        yield Encounter(
            one=encounter.other,
            other=encounter.one,
            points=-encounter.points,
            rounds=encounter.rounds,
            won=encounter.lost,
            lost=encounter.won,
        )


def _by_game(evenings: Iterable[Attendance]) -> Iterable[tuple[str, Iterable[Attendance]]]:
    return groupby(evenings, key=lambda attendance: attendance.game)
