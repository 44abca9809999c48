"""A game as a table of a tournament: who sits where, and what its result is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.results import Result, evening, hands_lost_with, side_of
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.tournament.plan import Plan
from scorekeeper.domain.tournament.scale import Performance
from scorekeeper.domain.tournament.state import Tournament


@dataclass(frozen=True)
class Stated:
    """The final total of an entrant as it stands on the pad, typed by the director."""

    points: int
    """Minus points where fewer are better, otherwise plus or net points."""
    wins: int = 0
    """All rounds won, including those from the hand."""
    hand_wins: int = 0


def seats_of(tournament: Tournament, table: Sequence[int]) -> Iterator[int]:
    """Yield the member on each seat of a table: partners sit opposite each other."""
    partners = [tournament.entrants[entrant].members for entrant in table]
    for one in range(tournament.plan.partners):
        yield from (members[one] for members in partners)


def is_comparable(game: Game, plan: Plan, entrants: int) -> bool:
    """Return whether a game is played by the rules of the tournament, by those who were drawn."""
    return game.rules == plan.rules and game.sheet.seats == entrants * plan.partners


def result_of(game: Game, plan: Plan, entrants: int) -> tuple[Performance, ...] | None:
    """Return the result of a table by entrant; None until it is over or if it cannot count.

    Where gin has a final count, its points are those of that count, as they stand on the pad.
    """
    if not game.is_over or game.thrown_away_at or not is_comparable(game, plan, entrants):
        return None
    results, left, final = evening(game).results, hands_lost_with(game), game.final

    def worth(seat: int) -> int:
        return final[side_of(seat, game.rules)] if final else results[seat].worth

    return tuple(
        Performance(
            worth=sum(map(worth, _own(seats, game))),
            wins=sum(results[seat].won - results[seat].hand_rommes for seat in _own(seats, game)),
            hand_wins=sum(results[seat].hand_rommes for seat in _own(seats, game)),
            left=tuple(points for seat in seats for points in left[seat]),
            place=_place(results, _own(seats, game)),
        )
        for seats in (range(entrant, game.sheet.seats, entrants) for entrant in range(entrants))
    )


def _place(results: Sequence[Result], own: Sequence[int]) -> int | None:
    """Return the rank of the only seat that counts for an entrant; None if two add up.

    Whoever never played comes last.
    """
    if len(own) > 1:
        return None
    ranked = sum(one.rank is not None for one in results)
    return results[own[0]].rank or 1 + ranked


def _own(seats: Sequence[int], game: Game) -> Sequence[int]:
    """Return the seats whose figures add up; in teams each partner has those of the side."""
    return seats[:1] if game.rules.teams else seats


def stated_result(
    stated: Sequence[Stated | None], rules: RuleSet
) -> tuple[Performance | None, ...]:
    """Return typed totals as a result; points left in hand are not known."""
    return tuple(
        None
        if one is None
        else Performance(
            worth=worth_of(one.points, rules),
            wins=one.wins - one.hand_wins,
            hand_wins=one.hand_wins,
        )
        for one in stated
    )


def worth_of(points: int, rules: RuleSet) -> int:
    """Return points as they stand on the pad with a sign such that more is better, or back."""
    return -points if rules.rank.measure == "minus" else points
