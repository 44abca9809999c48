"""Who plays on in a knockout."""

from scorekeeper.domain.tournament.lots import lot
from scorekeeper.domain.tournament.scale import places_of
from scorekeeper.domain.tournament.state import Drawn


def playing_on(last: Drawn, advance: int) -> list[int]:
    """Return who is still in after a round: those who sat out, and the best of each table.

    ``advance`` is how many of a table play on; of the final, only the winner is left. Equal points
    are decided by rounds won, then by the lot of the round [dec].
    """
    is_final = len(last.tables) == 1 and not last.out
    on = list(last.out)
    for table in sorted(last.results):
        most = 1 if is_final else min(advance, len(last.tables[table]) - 1)
        on += _by_result(last, table)[:most]
    return on


def _by_result(one: Drawn, table: int) -> list[int]:
    """Return the entrants of a table, the best first."""
    performances, entrants = one.results[table].performances, one.tables[table]
    places = places_of(performances)

    def key(seat: int) -> tuple[int, int, str]:
        won = performances[seat].wins + performances[seat].hand_wins
        return places[seat], -won, lot(one.seed, one.number, entrants[seat])

    return [entrants[seat] for seat in sorted(range(len(entrants)), key=key)]
