"""Keep the facts of a round that its form cannot show when the round is corrected.

API clients may state facts that the pages have no fields for. Such a stored fact stays, unless
the correction states it differently.
"""

from collections.abc import Iterator, Set
from dataclasses import fields, replace
from typing import TypeVar

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rules import RuleSet
from scorekeeper.web.pages.entry.fields import DROPPED, LEFT_FACTS, TICKS, shown_way
from scorekeeper.web.pages.entry.layout import EntryLayout

Facts = TypeVar("Facts", Round, Seat)
NEVER_KEPT = {"outcome", "note", "plan_row"}
"""What the form always shows, and the row of the plan, which follows from the rounds before."""


def corrected(game: Game, row: Row, now: Round) -> Round:
    """Return the corrected round, with the stored facts that the form could not show."""
    stored = row.round
    if now.outcome != stored.outcome:
        return now
    layout = _layout_of(stored, game.rules)
    if stored.outcome not in (layout.outcome, "count"):
        kept = _with_unshown(now, stored, NEVER_KEPT)
        joined = game.sheet.seats - len(kept.seats) if kept.seats else 0
        return replace(kept, seats=(*kept.seats, *(Seat(absent=True),) * joined))
    ender = getattr(stored, layout.ender)
    shown = [_shown_of(seat, layout, ends=k == ender) for k, seat in enumerate(stored.seats)]
    seats = tuple(
        seat if seat.absent else _with_unshown(seat, before, names)
        for seat, before, names in zip(now.seats, stored.seats, shown, strict=False)
    )
    by_ender = shown[ender] if ender is not None and ender < len(shown) else set()
    return _with_unshown(
        replace(now, seats=seats + now.seats[len(seats) :]),
        stored,
        NEVER_KEPT | {"seats", *_shown_of_round(stored, layout, by_ender)},
    )


def _layout_of(facts: Round, rules: RuleSet) -> EntryLayout:
    """Return the layout of the form that shows a round."""
    stated = {name for seat in facts.seats for name in _stated(seat)}
    return EntryLayout(rules, stated | {"joker_discarded", "drawn"} & set(_stated(facts)))


def _shown_of(seat: Seat, layout: EntryLayout, *, ends: bool) -> set[str]:
    """Return the facts of a seat that the form shows."""
    if seat.absent and not ends:
        return {"absent"}
    way = shown_way(seat)
    held = {layout.held[way]} if layout.asks_held(way, ends=ends) else set()
    names = {field.name for field in layout.shown(way, ends=ends)}
    return held | names | (DROPPED if "drop" in names else set())


def _shown_of_round(facts: Round, layout: EntryLayout, by_ender: Set[str]) -> Iterator[str]:
    """Yield the facts of the round as a whole that the form shows."""
    yield from (layout.ender, *TICKS)
    if layout.rules.end.eliminate:
        yield "rejoin"
    if layout.asks_wild:
        yield "wild"
    if "drawn" in by_ender:
        yield "drawn"
    if "joker_discarded" in by_ender and facts.joker_discarded:
        yield "joker_discarded"
    gin = layout.rules.gin
    if gin.oklahoma:
        yield "oklahoma_card"
    if gin.hirschn:
        yield "hirschn"
    if gin.glass and facts.glass:
        yield "glass"


def _with_unshown(now: Facts, stored: Facts, shown: Set[str]) -> Facts:
    """Return facts with stored ones added that were not shown.

    What a seat has left is one fact: cards that were not shown give way to points.
    """
    stated = set(_stated(now))
    if stated & LEFT_FACTS:
        stated |= LEFT_FACTS
    return replace(
        now,
        **{
            name: getattr(stored, name)
            for name in _stated(stored)
            if name not in shown and name not in stated
        },
    )


def _stated(facts: Round | Seat) -> Iterator[str]:
    """Yield the names of the facts that differ from their defaults."""
    return (field.name for field in fields(facts) if getattr(facts, field.name) != field.default)
