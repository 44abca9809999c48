"""Who deals next (``deal.next_dealer``); seats are given clockwise where their order matters."""

from collections.abc import Sequence

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.rules import RuleSet


def last_dealt(rows: Sequence[Row]) -> Row | None:
    """Return the last round that is not dealt again."""
    return next((row for row in reversed(rows) if not row.dealt_again), None)


def left_of(seat: int, present: Sequence[int], clockwise: Sequence[int]) -> int:
    """Return the next seat clockwise among those present."""
    place = clockwise.index(seat) + 1
    return next(other for other in (*clockwise[place:], *clockwise) if other in present)


def takes_turns(rules: RuleSet) -> bool:
    """Return whether of more than two players all but two sit out each round."""
    return rules.family == "gin" and not rules.teams


def dealer_after(
    last: Row, present: Sequence[int], clockwise: Sequence[int], rules: RuleSet
) -> int:
    """Return the dealer of the round after ``last``, among the seats present."""
    score, mode = last.score, rules.deal.next_dealer
    if score.outcome == "cancelled" and last.dealer in present:
        return last.dealer  # a misdeal is dealt again by the same player [dec]
    comes_in = [seat for seat in present if last.points(seat) is None]
    if takes_turns(rules) and len(comes_in) == 1:
        return comes_in[0]  # who has sat out deals to the other
    if mode == "loser":
        return left_of(last.dealer, losers(last, present, rules), clockwise)
    if mode == "winner_if_two" and len(present) == 2 and score.winner in present:
        return score.winner or 0
    return left_of(last.dealer, present, clockwise)


def losers(last: Row, present: Sequence[int], rules: RuleSet) -> list[int]:
    """Return the seats that lost most in a round; after one that was not scored, its dealer."""
    if not last.counts:
        return [last.dealer] if last.dealer in present else list(present)
    sides = {seat: seat % 2 if rules.teams else seat for seat in present}
    nets = {seat: points.net for seat in present if (points := last.points(sides[seat]))}
    return [seat for seat, net in nets.items() if net == min(nets.values())] or list(present)
