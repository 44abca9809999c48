"""Keep the facts of a round that its form cannot show when the round is corrected.

API clients may state facts that the pages have no fields for. A stored fact that the unchanged
form would not state is kept, unless the correction states it differently.
"""

from dataclasses import fields, replace
from typing import TypeVar

from scorekeeper.domain.game import Game
from scorekeeper.domain.rounds import Round, Seat
from scorekeeper.domain.sheet import Row
from scorekeeper.web.pages import forms
from scorekeeper.wire.rounds import load_round

Facts = TypeVar("Facts", Round, Seat)


def corrected(game: Game, row: Row, now: Round) -> Round:
    """Return the corrected round, with the stored facts that the form could not show."""
    stored = row.round
    if now.outcome != stored.outcome:
        return now
    form = forms.round_form(stored, "en")
    shown = load_round(forms.round_body(form, len(game.players), game.rules), game.rules).round
    if not shown.seats:
        return _with_unshown(now, stored, shown)
    seats = zip(now.seats, stored.seats, shown.seats, strict=False)
    kept = tuple(seat if seat.absent else _with_unshown(seat, *of) for seat, *of in seats)
    return _with_unshown(replace(now, seats=kept + now.seats[len(kept) :]), stored, shown)


def _with_unshown(now: Facts, stored: Facts, shown: Facts) -> Facts:
    """Return facts with stored ones added that were not shown.

    What a seat has left is one fact: cards that were not shown give way to points.
    """
    stated = {one.name for one in fields(now) if getattr(now, one.name) != one.default}
    if stated & forms.LEFT_FACTS:
        stated |= forms.LEFT_FACTS
    unshown = {
        one.name: getattr(stored, one.name)
        for one in fields(stored)
        if getattr(shown, one.name) == one.default and one.name not in stated
    }
    return replace(now, **unshown)
