"""The state of a tournament after its events: entrants, drawn rounds, results.

A tournament is part of a group (``group.state``): its entrants are members of the group, its
tables are games of the group, and its events are in the group's book.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

from scorekeeper.domain.history.book import Event
from scorekeeper.domain.tournament.lots import lot
from scorekeeper.domain.tournament.plan import Plan, decode_plan
from scorekeeper.domain.tournament.scale import Line, Performance, Scale, places_of, points_at

Source = Literal["game", "stated"]
"""A result is that of the game at the table, or the totals that the director typed."""


@dataclass(frozen=True)
class Entrant:
    """A person or a pair."""

    members: tuple[int, ...]
    """The members of the group."""
    club: int | None = None
    since: int = 1
    """The first round they can be drawn for; later for those who came late."""
    left: int | None = None
    """The last round before they left; None while they play."""

    @property
    def stayed_away(self) -> bool:
        """Whether they left before their first round; they pay nothing and have no place [dec]."""
        return self.left is not None and self.left < self.since

    def is_present(self, number: int) -> bool:
        """Return whether they can be drawn for a round."""
        return self.since <= number and (self.left is None or number <= self.left)


@dataclass(frozen=True)
class RoundResult:
    """One round of an entrant."""

    number: int
    table: int | None
    """From 0; None for a round that they sat out."""
    place: int | None
    worth: int | None
    """The points of the game; more is better."""
    lines: tuple[Line, ...]
    points: int
    """The tournament points of all lines."""


@dataclass(frozen=True)
class Result:
    """The result of a table, by entrant in the order of the table."""

    performances: tuple[Performance, ...]
    source: Source
    at: str
    number: int
    """The round."""
    table: int
    """From 0."""
    scale: Scale = field(repr=False)
    """The scale of the plan."""

    @cached_property
    def rounds(self) -> tuple[RoundResult, ...]:
        """The round of each entrant; kept, because a correction changes one table only."""
        return tuple(
            RoundResult(
                number=self.number,
                table=self.table,
                place=place,
                worth=performance.worth,
                lines=lines,
                points=sum(line.points for line in lines),
            )
            for place, performance, lines in zip(
                places_of(self.performances),
                self.performances,
                points_at(self.performances, self.scale),
                strict=True,
            )
        )


@dataclass(frozen=True)
class Drawn:
    """A drawn round."""

    number: int
    seed: str
    tables: tuple[tuple[int, ...], ...]
    """The entrants of each table, in the order of their seats."""
    out: tuple[int, ...]
    """The entrants who sit out."""
    games: tuple[str, ...]
    """The game of each table."""
    at: str
    """When it was drawn, which is when its time begins."""
    scale: Scale = field(repr=False)
    """The scale of the plan."""
    results: Mapping[int, Result] = field(default_factory=dict)
    """By table, from 0."""
    typed: Mapping[int, tuple[Performance | None, ...]] = field(default_factory=dict)
    """Typed lists on which somebody is missing, by table; they count once they are complete."""
    closed: bool = False

    @property
    def missing(self) -> tuple[int, ...]:
        """The tables without a result."""
        return tuple(table for table in range(len(self.tables)) if table not in self.results)

    @property
    def is_final(self) -> bool:
        """Whether everybody sits at one table, after which a knockout has its winner."""
        return len(self.tables) == 1 and not self.out

    def playing_on(self, advance: int) -> list[int]:
        """Return who is still in a knockout: who sat out, and the best ``advance`` of each table.

        Of the final, only the winner is left. Equal places are decided by rounds won, then by the
        lot of the round [dec].
        """
        on = list(self.out)
        for table in sorted(self.results):
            most = 1 if self.is_final else min(advance, len(self.tables[table]) - 1)
            on += self._by_result(table)[:most]
        return on

    def _by_result(self, table: int) -> list[int]:
        """Return the entrants of a table, the best first."""
        performances, entrants = self.results[table].performances, self.tables[table]
        places = places_of(performances)

        def key(seat: int) -> tuple[int, int, str]:
            won = performances[seat].wins + performances[seat].hand_wins
            return places[seat], -won, lot(self.seed, self.number, entrants[seat])

        return [entrants[seat] for seat in sorted(range(len(entrants)), key=key)]

    def table_of(self, entrant: int) -> int | None:
        """Return the table of an entrant; None for somebody who is at none."""
        return self._table_of.get(entrant)

    @property
    def entrants(self) -> tuple[int, ...]:
        """All who were drawn."""
        return (*(one for table in self.tables for one in table), *self.out)

    @cached_property
    def played(self) -> Mapping[int, RoundResult]:
        """The results so far, by entrant; computed once, as a closed round rarely changes."""
        found: dict[int, RoundResult] = {}
        for table, result in sorted(self.results.items()):
            found |= zip(self.tables[table], result.rounds, strict=True)
        sit_out = (Line("sit_out", self.scale.sit_out, {}),)
        for entrant in self.out:
            points = self.scale.sit_out
            found[entrant] = RoundResult(self.number, None, None, None, sit_out, points)
        return found

    @cached_property
    def _table_of(self) -> Mapping[int, int]:
        return {one: table for table, entrants in enumerate(self.tables) for one in entrants}


@dataclass(frozen=True)
class Tournament:
    """A tournament at one version of its group."""

    plan: Plan
    seed: str
    """Decides the lot between entrants who are equal in everything else."""
    entrants: tuple[Entrant, ...] = ()
    clubs: int = 0
    """The number of clubs named so far."""
    rounds: tuple[Drawn, ...] = ()
    """The rounds drawn so far; all but the last are closed."""
    ended: bool = False

    @property
    def current(self) -> Drawn | None:
        """The round that is being played."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None

    @property
    def is_over(self) -> bool:
        """Whether no further round can be drawn."""
        return self.is_finished or self.is_decided

    @property
    def is_finished(self) -> bool:
        """Whether it was ended, or all planned rounds are played."""
        return self.ended or (self.current is None and len(self.rounds) >= self.plan.rounds)

    @property
    def is_decided(self) -> bool:
        """Whether nobody in a knockout has an opponent any more: it is won, or others have left."""
        played = self.plan.pairing.winners_only and self.rounds and self.current is None
        return bool(played) and len(self.present) < 2

    @property
    def is_settled(self) -> bool:
        """Whether the first draw has decided who takes part in every later round."""
        return bool(self.rounds) and (self.plan.pairing.is_fixed or self.plan.pairing.winners_only)

    def admits(self, entrant: int) -> bool:
        """Return whether somebody can be drawn for later rounds."""
        return not self.is_settled or entrant in self.rounds[0].entrants

    @property
    def walkover(self) -> int | None:
        """Who wins a knockout because all others who were still in have left; None if nobody."""
        if not self.is_decided or len(self.rounds) >= self.plan.rounds:
            return None
        still_in = self.rounds[-1].playing_on(self.plan.advance)
        return self.present[0] if self.present and len(still_in) > 1 else None

    @cached_property
    def present(self) -> tuple[int, ...]:
        """Who can be drawn for the next round; in a knockout, of those who are still in."""
        number = len(self.rounds) + 1
        there = (one for one, entrant in enumerate(self.entrants) if entrant.is_present(number))
        if not self.plan.pairing.winners_only or not self.rounds:
            return tuple(there)
        still_in = set(self.rounds[-1].playing_on(self.plan.advance))
        return tuple(one for one in there if one in still_in)

    def place_of_game(self, game_id: str) -> tuple[int, int] | None:
        """Return the round, from 1, and the table, from 0, that a game is played at."""
        return self._places.get(game_id)

    @property
    def games(self) -> Collection[str]:
        """The games of all tables."""
        return self._places.keys()

    def has_result(self, game_id: str) -> bool:
        """Return whether a game is that of a table whose result is there, typed or played."""
        place = self.place_of_game(game_id)
        return place is not None and place[1] in self.rounds[place[0] - 1].results

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, int]]:
        return {
            game: (one.number, table) for one in self.rounds for table, game in enumerate(one.games)
        }

    @cached_property
    def meetings(self) -> Mapping[frozenset[int], int]:
        """How often two entrants have sat at one table."""
        met: dict[frozenset[int], int] = {}
        for one in self.rounds:
            for table in one.tables:
                for pair in map(frozenset, combinations(table, 2)):
                    met[pair] = met.get(pair, 0) + 1
        return met

    @cached_property
    def sat_out(self) -> Mapping[int, int]:
        """How many rounds each entrant did not play: sat out, or missed by coming late.

        Counting missed rounds keeps the draw fair to those who were there from the start [dec].
        """
        missed = {number: entrant.since - 1 for number, entrant in enumerate(self.entrants)}
        for one in self.rounds:
            for entrant in one.out:
                missed[entrant] += 1
        return missed

    def repeats(self, number: int) -> tuple[tuple[int, int], ...]:
        """Return the pairs of a round who had met before."""
        before = replace(self, rounds=self.rounds[: number - 1]).meetings
        return tuple(
            (one, other)
            for table in self.rounds[number - 1].tables
            for one, other in combinations(table, 2)
            if frozenset((one, other)) in before
        )


# ---- events --------------------------------------------------------------------------


def planned(event: Event) -> Tournament:
    """Return the tournament that begins with this event."""
    return Tournament(decode_plan(event.payload["plan"]), event.payload["seed"])


def _replanned(now: Tournament, event: Event) -> Tournament:
    return replace(now, plan=decode_plan(event.payload["plan"]))


def _entered(now: Tournament, event: Event) -> Tournament:
    new = tuple(
        Entrant(tuple(one["members"]), one["club"], one["since"])
        for one in event.payload["entrants"]
    )
    clubs = max([now.clubs, *(one.club + 1 for one in new if one.club is not None)])
    return replace(now, entrants=now.entrants + new, clubs=clubs)


def _withdrawn(now: Tournament, event: Event) -> Tournament:
    return _with_entrant(now, event.payload["entrant"], left=event.payload["after"])


def _returned(now: Tournament, event: Event) -> Tournament:
    return _with_entrant(now, event.payload["entrant"], left=None)


def _with_entrant(now: Tournament, number: int, left: int | None) -> Tournament:
    entrants = list(now.entrants)
    entrants[number] = replace(entrants[number], left=left)
    return replace(now, entrants=tuple(entrants))


def _drawn(now: Tournament, event: Event) -> Tournament:
    drawn = event.payload
    one = Drawn(
        number=len(now.rounds) + 1,
        seed=drawn["seed"],
        tables=tuple(tuple(table) for table in drawn["tables"]),
        out=tuple(drawn["out"]),
        games=tuple(drawn["games"]),
        at=event.at,
        scale=now.plan.scale,
    )
    return replace(now, rounds=(*now.rounds, one))


def _undrawn(now: Tournament, event: Event) -> Tournament:
    return replace(now, rounds=now.rounds[:-1])


def _result(now: Tournament, event: Event) -> Tournament:
    stated = event.payload
    one = now.rounds[stated["round"] - 1]
    results = {table: result for table, result in one.results.items() if table != stated["table"]}
    typed = {table: scores for table, scores in one.typed.items() if table != stated["table"]}
    if stated["scores"] is not None:
        performances = decode_performances(stated["scores"])
        if complete := all_of(performances):
            about = event.at, one.number, stated["table"], one.scale
            results[stated["table"]] = Result(complete, stated["source"], *about)
        else:
            typed[stated["table"]] = performances
    return _with_round(now, replace(one, results=results, typed=typed))


def _closed(now: Tournament, event: Event) -> Tournament:
    return _with_round(now, replace(now.rounds[-1], closed=True))


def _ended(now: Tournament, event: Event) -> Tournament:
    return replace(now, ended=True)


def _with_round(now: Tournament, one: Drawn) -> Tournament:
    rounds = list(now.rounds)
    rounds[one.number - 1] = one
    return replace(now, rounds=tuple(rounds))


AFTER: Mapping[str, Callable[[Tournament, Event], Tournament]] = {
    "replanned": _replanned,
    "entered": _entered,
    "withdrawn": _withdrawn,
    "returned": _returned,
    "drawn": _drawn,
    "undrawn": _undrawn,
    "result": _result,
    "closed": _closed,
    "concluded": _ended,
}
"""By kind of event: the tournament after it. The first event is ``tournament`` (``planned``)."""


def all_of(performances: Sequence[Performance | None]) -> tuple[Performance, ...] | None:
    """Return performances; None if some are missing."""
    known = tuple(one for one in performances if one)
    return known if len(known) == len(performances) else None


def encode_performances(performances: Sequence[Performance | None]) -> list[dict[str, Any] | None]:
    """Return performances as JSON values; those that are missing are None."""
    return [None if one is None else _encoded(one) for one in performances]


def _encoded(one: Performance) -> dict[str, Any]:
    place = {} if one.place is None else {"place": one.place}
    counts = {"worth": one.worth, "wins": one.wins, "hand_wins": one.hand_wins}
    return {**counts, "left": [*one.left], **place}


def decode_performances(
    values: Sequence[Mapping[str, Any] | None],
) -> tuple[Performance | None, ...]:
    """Return the performances of ``encode_performances``; early ones have no places."""
    return tuple(
        None
        if one is None
        else Performance(
            one["worth"], one["wins"], one["hand_wins"], tuple(one["left"]), one.get("place")
        )
        for one in values
    )
