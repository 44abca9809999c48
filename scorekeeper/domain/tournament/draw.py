"""Drawing a round: who plays whom, and who sits out.

A draw is a function of the tournament and a seed, so anybody can repeat it: the lots are hashes
of the seed (``lots``), and the search for tables uses no chance at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from scorekeeper.domain.tournament.lots import lots
from scorekeeper.domain.tournament.plan import Order, refused
from scorekeeper.domain.tournament.seating import Seating, clashes_at
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.domain.tournament.state import Drawn, Tournament
from scorekeeper.domain.tournament.tables import sitting_out, table_sizes

MET, CLUB = 100, 1
"""How badly two entrants clash who have met, for each time, and who are of one club."""
EXACT_OUT = 13
"""Up to so many entrants, others may sit out if that spares a repeated meeting."""


@dataclass(frozen=True)
class Draw:
    """The tables of a round, entrants in the order of their seats."""

    tables: tuple[tuple[int, ...], ...]
    out: tuple[int, ...]


def draw(tournament: Tournament, seed: str) -> Draw:
    """Draw the next round; RuleError E_TOURNAMENT if there are too few entrants for a table."""
    plan, number = tournament.plan, len(tournament.rounds) + 1
    present = _present(tournament)
    order_by: Order = plan.pairing.order
    if plan.pairing.last and number == plan.rounds > 1:
        order_by = plan.pairing.last
    if plan.pairing.is_fixed:
        drawn = _scheduled(tournament, present, seed, number)
    else:
        order = _ordered(tournament, present, order_by, lots(present, seed, number))
        drawn = _at_tables(tournament, order)
    seats = _seat_order(tournament, present, lots(present, seed, number))
    tables = tuple(tuple(sorted(table, key=seats.index)) for table in drawn.tables)
    return Draw(tables, tuple(sorted(drawn.out)))


def is_as_drawn(before: Tournament, drawn: Drawn) -> bool:
    """Return whether a round is what its seed draws from the state before it."""
    return draw(before, drawn.seed) == Draw(drawn.tables, drawn.out)


def _present(tournament: Tournament) -> tuple[int, ...]:
    """Return who can be drawn for the next round; RuleError if there are too few for a table."""
    plan, present = tournament.plan, tournament.present
    if not _sizes(tournament, len(present)):
        least = next(n for n in range(1, 9) if table_sizes(n, plan.size, plan.remainder))
        raise refused("few", count=len(present), least=least)
    if len(present) * plan.partners < plan.rules.players.min:
        raise refused("few_left", count=len(present), least=plan.rules.players.min)
    return present


def _sizes(tournament: Tournament, count: int) -> tuple[int, ...]:
    """Return the sizes of the tables; too few for one who are left in a knockout play the final."""
    plan = tournament.plan
    sizes = table_sizes(count, plan.size, plan.remainder)
    if not sizes and count > 1 and plan.pairing.winners_only and tournament.rounds:
        return (count,)
    return sizes


# ---- the order -----------------------------------------------------------------------


def _ordered(
    tournament: Tournament, present: Sequence[int], order: Order, drawn: Sequence[int]
) -> list[int]:
    """Return the entrants in the order in which tables are formed."""
    if order == "lot" or not tournament.rounds:
        return list(drawn)
    found = [one for one in standings(tournament) if one.entrant in set(present)]
    if order == "standing":
        return [one.entrant for one in found]
    folded: list[int] = []
    for _, equal in groupby(found, key=lambda one: one.points):
        folded += _folded([one.entrant for one in equal], tournament.plan.size)
    return folded


def _folded(equal: Sequence[int], size: int) -> Iterator[int]:
    """Yield entrants on equal points such that each table takes some of the better and the worse.

    With tables of two, the upper half meets the lower half in order.
    """
    tables = -(-len(equal) // size)
    for table in range(tables):
        yield from equal[table::tables]


def _seat_order(tournament: Tournament, present: Sequence[int], drawn: list[int]) -> list[int]:
    if tournament.plan.pairing.seats == "lot":
        return drawn
    return _ordered(tournament, present, "standing", drawn)


# ---- tables --------------------------------------------------------------------------


def _at_tables(tournament: Tournament, order: Sequence[int]) -> Draw:
    """Return the tables for an order; of those who may sit out, the first that spares repeats."""
    sizes = _sizes(tournament, len(order))
    choices = sitting_out(order, tournament.sat_out, len(order) - sum(sizes))
    if len(order) > EXACT_OUT:
        choices = choices[:1]
    clashes = _clashes(tournament, order)
    seating = Seating(clashes)
    best: tuple[int, Draw] | None = None
    for out in choices:
        places = [place for place, one in enumerate(order) if one not in out]
        tables = seating.tables(places, sizes)
        cost = sum(clashes_at(table, clashes) for table in tables)
        if best is None or cost < best[0]:
            best = cost, Draw(tuple(tuple(order[one] for one in table) for table in tables), out)
        if cost < MET:
            break
    assert best  # there is always a choice
    return best[1]


def _clashes(tournament: Tournament, entrants: Sequence[int]) -> list[list[int]]:
    plan, met = tournament.plan, tournament.meetings
    rows = [[0] * len(entrants) for _ in entrants]
    clubs = [tournament.entrants[entrant].club for entrant in entrants]
    place = {entrant: number for number, entrant in enumerate(entrants)}
    if plan.keep_apart:
        for pair, times in met.items():
            one, other = (place.get(entrant) for entrant in pair)
            if one is not None and other is not None:
                rows[one][other] = rows[other][one] = MET * times
    if plan.split_clubs:
        for one, club in enumerate(clubs):
            for other in range(one):
                if club is not None and club == clubs[other]:
                    rows[one][other] += CLUB
                    rows[other][one] += CLUB
    return rows


# ---- fixed schedules -----------------------------------------------------------------


def _scheduled(tournament: Tournament, present: Sequence[int], seed: str, number: int) -> Draw:
    """Return a round of a fixed schedule, whose order is the lot of the first round.

    The opponent of somebody who has left sits out; a round in which nobody meets has no tables.
    """
    first = tournament.rounds[0] if tournament.rounds else None
    everybody = first.entrants if first else present
    order: list[int | None] = [*lots(everybody, first.seed if first else seed, 1)]
    if len(order) % 2:
        order.append(None)
    circle = tournament.plan.pairing.order == "circle"
    most = len(order) - 1 if circle else len(order) // 2
    if number > most:
        raise refused("schedule", most=most)
    pairs = _circle(order, number - 1) if circle else _lines(order, number - 1)
    tables: list[tuple[int, ...]] = []
    out: list[int] = []
    for pair in pairs:
        there = tuple(one for one in pair if one is not None and one in present)
        if len(there) == 2:
            tables.append(there)
        else:
            out += there
    return Draw(tuple(tables), tuple(out))


def _circle(order: list[int | None], step: int) -> Iterator[tuple[int | None, int | None]]:
    """Yield a round in which all move on by one around the first (the circle method)."""
    first, others = order[0], order[1:]
    step %= len(others)
    turned = [first, *others[len(others) - step :], *others[: len(others) - step]]
    for place in range(len(turned) // 2):
        yield turned[place], turned[-1 - place]


def _lines(order: list[int | None], step: int) -> Iterator[tuple[int | None, int | None]]:
    """Yield a round in which one half stays and the other half has moved on by as many tables."""
    half = len(order) // 2
    for table in range(half):
        yield order[table], order[half + (table - step) % half]
