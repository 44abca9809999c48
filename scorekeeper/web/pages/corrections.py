"""What a correction keeps of a round that its form does not show.

A program may state facts that the pages do not ask for. Whoever corrects a number by the
form must not lose them: what the stored round says and the unchanged form would not say
again stays, unless the correction says it otherwise.
"""

from dataclasses import fields, replace
from typing import TypeVar

from scorekeeper.domain.game import Game
from scorekeeper.domain.rounds import Round, Seat
from scorekeeper.domain.sheet import Row
from scorekeeper.web.pages import forms
from scorekeeper.wire.schemas import load_round

Facts = TypeVar("Facts", Round, Seat)


def corrected(game: Game, row: Row, now: Round) -> Round:
    """The round as the form says it now, with what the form could not show."""
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
    """What is left is said in one way: cards that were not shown give way to points."""
    said = {one.name for one in fields(now) if getattr(now, one.name) != one.default}
    if said & forms.LEFT:
        said |= forms.LEFT
    unshown = {
        one.name: getattr(stored, one.name)
        for one in fields(stored)
        if getattr(shown, one.name) == one.default and one.name not in said
    }
    return replace(now, **unshown)
