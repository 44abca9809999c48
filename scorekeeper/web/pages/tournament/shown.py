"""What the pages of a tournament show: tables, standings, the clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from scorekeeper.domain.group.tables import worth_of
from scorekeeper.domain.tournament.plan import Plan
from scorekeeper.domain.tournament.scale import places_of
from scorekeeper.domain.tournament.standings import Standing
from scorekeeper.domain.tournament.state import Drawn, Tournament
from scorekeeper.i18n import Language
from scorekeeper.services.clock import TIME, now
from scorekeeper.wording.tournament_paper import end_of


@dataclass(frozen=True)
class Place:
    """An entrant at a table."""

    name: str
    points: str
    """As on the pad; empty while there is no result."""
    best: bool


@dataclass(frozen=True)
class TableCard:
    """A table of a round."""

    number: int
    game: str
    places: tuple[Place, ...]
    is_open: bool
    stated: bool
    at: str
    """When its result came."""
    missing: tuple[str, ...] = ()
    """Who is missing on a typed list that is not complete."""

    @property
    def typed(self) -> int:
        """The number of entrants on a typed list that is not complete; 0 without one."""
        return len(self.places) - len(self.missing) if self.missing else 0


class Row(NamedTuple):
    """An entrant in the standings."""

    entrant: int
    rank: int
    name: str
    points: str
    net: str
    """The points of all games, as on the pad."""
    wins: int
    rounds: tuple[tuple[str, str], ...]
    """By round: tournament points, and the points of the game."""
    left: bool


@dataclass(frozen=True)
class Clock:
    """The time of a round: when it ends, and how many seconds it lasts."""

    ends_at: str
    seconds: int
    left: int
    """Seconds left as the page is made; 0 when it is over."""

    @property
    def words(self) -> str:
        """Return the time left: ``12:40``."""
        return f"{self.left // 60}:{self.left % 60:02}"


def clock(plan: Plan, one: Drawn | None) -> Clock | None:
    """Return the clock of a round; None without one, or if an import has an impossible time."""
    end = None if one is None or one.closed else end_of(one, plan.minutes)
    if end is None:
        return None
    left = int((end - datetime.fromisoformat(now())).total_seconds())
    return Clock(end.strftime(TIME), plan.minutes * 60, max(0, left))


def table_cards(
    tournament: Tournament, one: Drawn, names: Sequence[str], lang: Language
) -> list[TableCard]:
    """Return the tables of a round."""
    return [_table_card(tournament, one, table, names, lang) for table in range(len(one.tables))]


def _table_card(
    tournament: Tournament, one: Drawn, table: int, names: Sequence[str], lang: Language
) -> TableCard:
    result, rules, entrants = one.results.get(table), tournament.plan.rules, one.tables[table]
    typed = one.typed.get(table, (None,) * len(entrants))
    known = result.performances if result else typed
    points = [lang.number(worth_of(each.worth, rules)) if each else "" for each in known]
    places = places_of(result.performances) if result else [0] * len(entrants)
    return TableCard(
        number=table + 1,
        game=one.games[table],
        places=tuple(
            Place(names[entrant], number, place == 1)
            for entrant, number, place in zip(entrants, points, places, strict=True)
        ),
        is_open=result is None,
        stated=bool(result and result.source == "stated"),
        at=result.at if result else "",
        missing=tuple(
            names[entrant]
            for entrant, number in zip(entrants, points, strict=True)
            if not number and table in one.typed
        ),
    )


def rows(
    found: Sequence[Standing],
    names: Sequence[str],
    tournament: Tournament,
    upto: int,
    lang: Language,
) -> list[Row]:
    """Return the standings after a round as they are shown."""
    sign, number = worth_of(1, tournament.plan.rules), lang.number
    shown = []
    for one in found:
        cells, net, wins = [("", "")] * upto, 0, 0
        for result in one.rounds:
            game = ""
            if result.worth is not None:
                game = number(sign * result.worth)
                net += result.worth
            cells[result.number - 1] = number(result.points), game
            wins += result.place == 1
        row = Row(
            entrant=one.entrant,
            rank=one.rank,
            name=names[one.entrant],
            points=number(one.points),
            net=number(sign * net),
            wins=wins,
            rounds=tuple(cells),
            left=tournament.entrants[one.entrant].left is not None,
        )
        shown.append(row)
    return shown
