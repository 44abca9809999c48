"""Typed evenings that are here already: found, compared, corrected.

A game of the same day with at least two of the same players may be the evening of a sheet. The day
is that at the table, or that in UTC, in which programs write it.
Rounds are compared in their order. A correction changes the rounds that differ, strikes those that
the sheet no longer has and adds new ones, so all earlier entries stay readable.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo
from itertools import zip_longest
from typing import Literal

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import changes
from scorekeeper.domain.game.changes import Draft, check_sequel
from scorekeeper.domain.game.frame import check_open
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.days import local_day
from scorekeeper.domain.group.season import Span
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import encode_round
from scorekeeper.domain.rounds.reseated import reseated
from scorekeeper.export.tables import TOLD
from scorekeeper.services.bookkeeping import (
    append_draft,
    book_evening,
    members_named,
)
from scorekeeper.services.clock import now
from scorekeeper.services.games import round_as_declared, round_draft
from scorekeeper.services.writes import check_version
from scorekeeper.store.chain import as_stored
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.wire.csv_evening import SHEET_FAMILIES, SheetEvening

Points = Mapping[int, int]
"""The points of a round by member, without those who were away."""


@dataclass(frozen=True)
class Difference:
    """A round that is not the same on the sheet and in the game."""

    number: int
    """Its number on the sheet; of a missing one, the number that it would have."""
    stored: Points | None
    """The points in the game; None for a new round."""
    typed: Points | None
    """The points on the sheet; None for a round that is missing there."""
    row: int | None
    """The number of the round in the game."""
    facts: tuple[str, ...] = ()
    """Further differences beside the points, by the columns of an export."""

    @property
    def kind(self) -> Literal["changed", "new", "missing"]:
        """``new`` is only on the sheet, ``missing`` only in the game."""
        return "new" if self.stored is None else "missing" if self.typed is None else "changed"

    def cells(self, names: Mapping[int, str]) -> Iterator[tuple[str, int | None, int | None]]:
        """Yield name, stored and typed points of everybody for whom they differ."""
        stored, typed = self.stored or {}, self.typed or {}
        for member in sorted(stored.keys() | typed.keys()):
            if stored.get(member) != typed.get(member):
                yield names[member], stored.get(member), typed.get(member)


@dataclass(frozen=True)
class Existing:
    """A game that is the evening of a sheet, and how the two differ."""

    game: Game
    members: tuple[int, ...]
    """The member of each seat."""
    differences: tuple[Difference, ...]

    @property
    def is_same(self) -> bool:
        return not self.differences

    @property
    def has_grown(self) -> bool:
        """Whether the sheet only has more rounds than the game."""
        return bool(self.differences) and all(
            difference.stored is None for difference in self.differences
        )


def find_existing(
    ledger: Ledger, group: Group, evenings: Sequence[SheetEvening], zone: tzinfo | None
) -> list[Existing | None]:
    """Return for each evening of a sheet the game most like it; None if there is none.

    No two evenings have the same game. Of several evenings it is the one that is the same, then
    the one of its day in the time zone of the table.
    """
    alike = [
        (place, *one)
        for place, typed in enumerate(evenings)
        for one in _alike(ledger, group, typed, zone)
    ]
    found: dict[int, Existing] = {}
    taken: set[str] = set()
    for place, _, one in sorted(alike, key=_unlikeness):
        if place not in found and one.game.id not in taken:
            found[place] = one
            taken.add(one.game.id)
    return [found.get(place) for place in range(len(evenings))]


def _alike(
    ledger: Ledger, group: Group, typed: SheetEvening, zone: tzinfo | None
) -> Iterator[tuple[bool, Existing]]:
    """Yield the games that may be an evening, and whether they began on its day at the table."""
    seats = members_named(group, typed.players)
    for game_id in _games_on(ledger, group, typed, zone):
        seating = group.evenings.get(game_id)  # None: it has joined since the group was read
        if seating is None or len({*seating.members} & {*seats}) < 2:
            continue
        game = ledger.game(game_id)
        is_here = local_day(game.created_at, zone) == typed.day
        # Rounds tell an evening; without any, one of the day before would get those of the sheet.
        if _may_be(game, typed) and (is_here or game.sheet.written):
            yield is_here, compared(game, seating.members, seats, typed)


def _games_on(
    ledger: Ledger, group: Group, typed: SheetEvening, zone: tzinfo | None
) -> Iterator[str]:
    """Yield the games that began on the day of a sheet: the one at the table, or the one in UTC.

    The rounds of an export have the time when they were recorded. It stays the same when the date
    of the evening is corrected.
    """
    day, a_day = date.fromisoformat(typed.day), timedelta(days=1)
    span = Span(first=f"{day - a_day}", last=f"{day + a_day}", training=True)
    near = ledger.seasons.evenings(group.id, span)
    on_day = {one.game for one in near if typed.day in (one.day, local_day(one.began, zone))}
    if typed.records:
        on_day |= {*ledger.seasons.recorded_from(group.id, typed.day)}
    yield from sorted(on_day)


def _may_be(game: Game, typed: SheetEvening) -> bool:
    is_kind = bool(typed.records) or game.rules.family in SHEET_FAMILIES
    return is_kind and not game.thrown_away_at


def _unlikeness(found: tuple[int, bool, Existing]) -> tuple[bool, bool, bool, int]:
    _, is_here, one = found
    return not one.is_same, not is_here, not one.has_grown, len(one.differences)


def compared(
    game: Game, members: tuple[int, ...], seats: Sequence[int], typed: SheetEvening
) -> Existing:
    """Return how an evening of a sheet, with these members, differs from a game."""
    if typed.records:
        here = [row for row in game.sheet.rows if not row.struck_at]
    else:
        here = [row for row in game.sheet.counted if row.score.winner is not None]
    sheet = _Typed(typed, game, members, seats)
    pairs = enumerate(zip_longest(here, range(len(typed.rounds))), 1)
    found = (sheet.difference(number, row, index) for number, (row, index) in pairs)
    return Existing(game, members, tuple(filter(None, found)))


@dataclass(frozen=True)
class _Typed:
    """An evening of a sheet beside the game that it may be."""

    typed: SheetEvening
    game: Game
    members: tuple[int, ...]
    seats: Sequence[int]
    """The members of the players of the sheet."""

    def difference(self, number: int, row: Row | None, index: int | None) -> Difference | None:
        typed = stored = None
        if index is not None:
            typed = _present(zip(self.seats, self.typed.rounds[index], strict=True))
        if row is not None:
            points = (self.points(row, seat) for seat in range(len(self.members)))
            stored = _present(zip(self.members, points, strict=True))
        facts: tuple[str, ...] = ()
        if row is not None and index is not None:
            facts = tuple(self.differing_facts(row, index))
        if typed == stored and not facts:
            return None
        return Difference(number, stored, typed, row.number if row else None, facts)

    def points(self, row: Row, seat: int) -> int | None:
        """Return the points of a player as the sheet would have them."""
        if not self.typed.records:
            return as_typed(row, seat)
        is_here = seat < len(row.round.seats) and not row.round.seats[seat].absent
        return row.worth(seat % self.game.sheet.sides, "net") if is_here else None

    def differing_facts(self, row: Row, index: int) -> Iterator[str]:
        """Yield what the sheet says of a round, beside the points, that the game does not."""
        players = seated(self.members, self.seats, self.typed.players)
        facts = self.typed.facts(index, players)
        if self.typed.records:
            declared = round_as_declared(self.game, row)
            stored = reseated(declared, range(len(declared.seats)), len(players))
            if encode_round(stored) != encode_round(facts):
                yield "record"
            return
        if row.score.winner != facts.winner:
            yield "winner"
        said = self.typed.said.get(self.typed.lines[index], {})
        called = dict(zip(players, self.game.players, strict=False))
        for fact in said.keys() & TOLD.keys():
            cells = {called.get(name, name): points for name, points in said[fact].items()}
            typed = {name if n is None else f"{name} {n}" for name, n in cells.items()}
            # Whoever goes out has laid, so nobody needs to say so.
            winner = {self.game.players[row.score.winner or 0]} if fact == "laid" else set()
            if typed - winner != set(TOLD[fact](self.game, row)) - winner:
                yield fact


def seated(members: Sequence[int], seats: Sequence[int], players: Sequence[str]) -> list[str]:
    """Return the names on a sheet by seat of a game, then those who have no seat yet."""
    names = dict(zip(seats, players, strict=True))
    here = [names.get(member, "") for member in members]
    return here + [name for seat, name in names.items() if seat not in members]


def _present(points: Iterator[tuple[int, int | None]]) -> Points:
    return {member: number for member, number in points if number is not None}


def as_typed(row: Row, seat: int) -> int | None:
    """Return what a player would have written for a round: the points before doubling, if known."""
    score = row.points(seat)
    if score is None:
        return None
    points = row.round.seats[seat].points if seat < len(row.round.seats) else None
    return score.minus if points is None else points


# ---- correcting ----------------------------------------------------------------------


@dataclass(frozen=True)
class Correction:
    """A game to be corrected to what a sheet says."""

    existing: Existing
    typed: SheetEvening
    seats: Sequence[int]
    """The members of the players of the sheet."""

    @property
    def events(self) -> int:
        return len(self.existing.differences)


def correct_evening(
    ledger: Ledger, transaction: BookTransaction, correction: Correction, drafts: Sequence[Draft]
) -> None:
    """Write the corrections of a game, and book the difference; Stale if it has changed since."""
    existing = correction.existing
    with ledger.book_transaction(existing.game.id) as evening:
        check_version(evening, existing.game.version)
        for draft in drafts:
            append_draft(evening, draft)
        book_evening(ledger, transaction, evening)


def corrections_of(correction: Correction) -> list[Draft]:
    """Return the events that correct a game to what the sheet says.

    Raises RuleError E_GAME_OVER at ``("rounds", index)`` if the rules end the game before the last
    round, and what the rules say against a round.
    """
    existing, typed, seats = correction.existing, correction.typed, correction.seats
    corrected = _Corrected(existing.game)
    players = seated(existing.members, seats, typed.players)
    for member, name in zip(seats, typed.players, strict=True):
        if member not in existing.members:
            corrected.add(changes.seat_player(corrected.game, name))
    for difference in existing.differences:
        _correct_round(corrected, difference, typed, players)
    if existing.game.is_over:
        corrected.add(changes.end(corrected.game))
    return corrected.drafts


class _Corrected:
    """A game with the corrections so far, which are not written yet."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.drafts: list[Draft] = []

    def add(self, draft: Draft | None) -> None:
        """Add a correction, if there is one; RuleError if it may not follow."""
        if draft is None:
            return
        check_open(self.game, draft.kind)
        payload = as_stored(draft.payload)
        self.game = self.game.apply(
            Event(self.game.version + 1, now(), draft.kind, "pen", payload, draft.texts)
        )
        check_sequel(self.game, draft.kind, draft.payload.get("number", 0))
        self.drafts.append(draft)


def _correct_round(
    corrected: _Corrected, one: Difference, typed: SheetEvening, players: Sequence[str]
) -> None:
    """Write a round as it is on the sheet; ``players`` are the names there by seat."""
    if one.typed is None:
        corrected.add(changes.strike(corrected.game, one.row or 0))
        return
    facts = typed.facts(one.number - 1, players)
    if one.row is None and corrected.game.ended_by_hand:
        corrected.add(changes.reopen(corrected.game))
    game = corrected.game
    try:
        number = one.row or changes.next_round(game)
        noted = facts if typed.records else replace(facts, note=game.note(number))
        kind = "corrected" if one.row else "round"
        scored = changes.score_for(changes.at_place(game, kind, number), noted)
        corrected.add(round_draft(game, kind, number, scored))
    except RuleError as error:
        raise error.under("rounds", one.number - 1) from None
