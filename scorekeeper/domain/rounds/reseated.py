"""The facts of a round for players who sit in another order."""

from collections.abc import Sequence
from dataclasses import replace

from scorekeeper.domain.rounds.facts import LayOff, MeldRef, Round, Seat, Swap


def reseated(facts: Round, seats: Sequence[int], count: int) -> Round:
    """Return the round with seat ``i`` at ``seats[i]`` of ``count``; the others were away."""
    if list(seats) == list(range(count)) and len(facts.seats) == count:
        return facts

    def at(seat: int) -> int:
        """A seat that does not exist gets none, so that the score still refuses the round."""
        return seats[seat] if seat < len(seats) else count + seat

    def at_if(seat: int | None) -> int | None:
        return None if seat is None else at(seat)

    def of(meld: MeldRef) -> MeldRef:
        return MeldRef(at(meld.seat), meld.index)

    placed = [Seat(absent=True)] * count
    for place, seat in zip(seats, facts.seats, strict=False):
        laid_off, swapped = seat.layoffs, seat.swaps
        if laid_off:
            laid_off = tuple(LayOff(one.card, of(one.meld)) for one in laid_off)
        if swapped:
            swapped = tuple(Swap(one.card, of(one.meld)) for one in swapped)
        placed[place] = replace(seat, layoffs=laid_off, swaps=swapped)
    rows = facts.plan_row
    if isinstance(rows, tuple):
        by_seat = dict(zip(seats, rows, strict=False))
        rows = tuple(by_seat.get(seat, 1) for seat in range(count))
    hirschn = facts.hirschn and replace(facts.hirschn, caller=at(facts.hirschn.caller))
    glass = facts.glass and tuple(replace(catch, by=at(catch.by)) for catch in facts.glass)
    return replace(
        facts,
        winner=at_if(facts.winner),
        knocker=at_if(facts.knocker),
        seats=tuple(placed),
        rejoin=tuple(at(seat) for seat in facts.rejoin),
        order=tuple(at(seat) for seat in facts.order),
        plan_row=rows,
        hirschn=hirschn,
        glass=glass,
    )
