"""The standings of a tournament: points, tie-breaks in their order, and what decided each place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby

from scorekeeper.domain.tournament.lots import lots
from scorekeeper.domain.tournament.scale import TieBreak
from scorekeeper.domain.tournament.state import Drawn, RoundResult, Tournament


@dataclass(frozen=True)
class Standing:
    """An entrant in the standings."""

    entrant: int
    rank: int
    """From 1; entrants that no tie-break separates share a rank."""
    points: int
    values: Mapping[TieBreak, int]
    """The tie-breaks of the scale with their values; more is better."""
    rounds: tuple[RoundResult, ...]
    """The rounds with a result."""
    decided_by: TieBreak | None = None
    """What puts the entrant behind the one before; None: points, or nothing."""
    survived: int = 0
    """Knockout: the rounds after which the entrant was still in, which come before the points.

    A walkover in the final counts as one more.
    """


def standings(tournament: Tournament, upto: int | None = None) -> tuple[Standing, ...]:
    """Return the standings after a round, or with all results so far; the best first.

    Results of a round that is being played count as they come in.
    Entrants who stayed away have no place.
    """
    rounds = tournament.rounds[:upto]
    played = [one.played for one in rounds]
    results = [
        [one[entrant] for one in played if entrant in one]
        for entrant in range(len(tournament.entrants))
    ]
    points = [sum([one.points for one in own]) for own in results]
    by_entrant = _Values(tournament, rounds, results, points)
    survived = _survived(tournament, rounds)
    played_on = [one for one, who in enumerate(tournament.entrants) if not who.stayed_away]
    order = sorted(played_on, key=lambda entrant: (-survived[entrant], -points[entrant]))
    found: list[Standing] = []
    for _, equal in groupby(order, key=lambda entrant: (survived[entrant], points[entrant])):
        rank = len(found) + 1
        for entrant, shift, decided in by_entrant.separated(list(equal)):
            found.append(
                Standing(
                    entrant=entrant,
                    rank=rank + shift,
                    points=points[entrant],
                    values=by_entrant.own[entrant],
                    rounds=tuple(results[entrant]),
                    decided_by=decided,
                    survived=survived[entrant],
                )
            )
    return tuple(found)


def _survived(tournament: Tournament, rounds: Sequence[Drawn]) -> list[int]:
    survived = [0] * len(tournament.entrants)
    if tournament.plan.pairing.winners_only:
        for one in rounds:
            for entrant in one.playing_on(tournament.plan.advance):
                survived[entrant] += 1
        if tournament.walkover is not None and len(rounds) == len(tournament.rounds):
            survived[tournament.walkover] += 1
    return survived


@dataclass
class _Values:
    """The values of the tie-breaks."""

    tournament: Tournament
    rounds: Sequence[Drawn]
    results: Sequence[Sequence[RoundResult]]
    points: Sequence[int]

    @cached_property
    def own(self) -> Sequence[Mapping[TieBreak, int]]:
        """The values by entrant that do not depend on who is equal; the lot has none."""
        named = self.tournament.plan.scale.tie_breaks
        names = [name for name in named if name not in ("direct", "lot")]
        return [
            {name: self._value(name, entrant) for name in names}
            for entrant in range(len(self.points))
        ]

    def _value(self, name: TieBreak, entrant: int) -> int:
        own = self.results[entrant]
        if name == "net":
            return sum([one.worth or 0 for one in own])
        if name == "wins":
            return sum([one.place == 1 for one in own])
        if name == "best":
            return max((one.points for one in own), default=0)
        return sum(self.points[other] for other in self._opponents(entrant))

    def _opponents(self, entrant: int) -> Iterator[int]:
        for one in self.rounds:
            table = one.table_of(entrant)
            if table is not None and table in one.results:
                yield from (other for other in one.tables[table] if other != entrant)

    def _direct(self, equal: Sequence[int]) -> dict[int, int]:
        """Return the points at the tables where equal entrants met, if all of them have met."""
        met: set[frozenset[int]] = set()
        points = dict.fromkeys(equal, 0)
        for one in self.rounds:
            for table in one.results:
                there = [entrant for entrant in one.tables[table] if entrant in points]
                met |= set(map(frozenset, combinations(there, 2)))
                for entrant in there if len(there) > 1 else ():
                    points[entrant] += one.played[entrant].points
        everybody = set(map(frozenset, combinations(equal, 2))) <= met
        return points if everybody else dict.fromkeys(equal, 0)

    def separated(self, equal: list[int]) -> list[tuple[int, int, TieBreak | None]]:
        """Return entrants on equal points in order: how much lower each ranks, and by what."""
        return self._separate(equal, list(self.tournament.plan.scale.tie_breaks))

    def _separate(
        self, equal: list[int], breaks: list[TieBreak]
    ) -> list[tuple[int, int, TieBreak | None]]:
        if len(equal) == 1 or not breaks:
            return [(entrant, 0, None) for entrant in sorted(equal)]
        name, *later = breaks
        if name == "lot":
            order = lots(equal, self.tournament.seed, 0)
            return [(one, place, "lot" if place else None) for place, one in enumerate(order)]
        own = self.own
        worth = self._direct(equal) if name == "direct" else {one: own[one][name] for one in equal}
        found: list[tuple[int, int, TieBreak | None]] = []
        for _, part in groupby(sorted(equal, key=lambda one: -worth[one]), key=worth.__getitem__):
            shift = len(found)
            inside = self._separate(list(part), later)
            for place, (entrant, lower, decided) in enumerate(inside):
                found.append((entrant, shift + lower, decided if place or not shift else name))
        return found
