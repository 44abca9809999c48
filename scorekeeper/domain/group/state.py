"""The state of a group (*Stammtisch*) after its events: members, evenings, and money.

Money moves between members: the moves of every entry add up to zero in each unit, so the
balances do too. Nothing is edited; a correction is one more entry.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from scorekeeper.domain.game.state import Due, Game
from scorekeeper.domain.group.results import evening, side_of
from scorekeeper.domain.history.book import Book, Changes, Event, exact, unchanged
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.rules.presets import decode_rules
from scorekeeper.domain.tournament import state as tournaments
from scorekeeper.domain.tournament.state import Tournament

Move = tuple[int, str, Fraction]
"""Member, unit, and the change of the member's balance."""

MONEY = ("booked", "paid", "settled", "converted", "reversed", "prizes")
"""The kinds of entry that move money."""
REVERSIBLE = ("paid", "settled", "converted")
"""Entries made by hand; entries of an evening are corrected in the evening."""
MAX_FOUNDERS = 1_000
"""The most members of a new group."""


@dataclass(frozen=True)
class Seating:
    """A game among the evenings of its group."""

    members: tuple[int, ...]
    """The member on each seat."""
    training: bool = False
    """The game counts neither for the season nor for money."""


@dataclass(frozen=True)
class Booked:
    """The changes to the balances that an evening has caused so far."""

    unit: str
    amounts: Mapping[int, Fraction] = field(default_factory=dict)
    """By member."""
    paid: Mapping[Due, tuple[int, ...]] = field(default_factory=dict)
    """Payments made in the game, with the numbers of their entries: the same may be made twice."""
    payable: Fraction | None = None
    """The smallest payable amount of the evening when its result was last booked."""

    @property
    def in_balances(self) -> bool:
        """Whether the balances hold any of it, so that not everything was taken back."""
        return any(self.amounts.values()) or bool(self.paid)

    def accepts(self, unit: str) -> bool:
        """Return whether more can be booked in a unit: in another one once nothing is left."""
        return unit == self.unit or not self.in_balances


@dataclass(frozen=True, kw_only=True)
class Group(Book):
    """A group at one of its versions."""

    members: int = 0
    """The number of members there ever were; the index of a member never changes."""
    retired: frozenset[int] = frozenset()
    """The members who no longer come; their names, figures and balances stay."""
    house: RuleSet | None = None
    """The house rules and stake of new evenings."""
    evenings: Mapping[str, Seating] = field(default_factory=dict)
    """The games of the group by id, in the order in which they were added."""
    booked: Mapping[str, Booked] = field(default_factory=dict)
    balances: Mapping[str, tuple[Fraction, ...]] = field(default_factory=dict)
    """By unit and member; positive if the member is owed money."""
    payables: Mapping[str, Fraction] = field(default_factory=dict)
    """The smallest payable amount by unit, as the last entry of any evening had it.

    Up to version 1.1 it was that of the group.
    """
    rates: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)
    """The agreed value of one of the first unit in the second."""
    reversed: frozenset[int] = frozenset()
    """The numbers of the entries that were reversed."""
    as_it_was: bool = False
    """Some evenings were imported with amounts that their games do not have."""
    purse: Mapping[int, Fraction] = field(default_factory=dict)
    """By member: what fees and prizes of the tournament have changed in the balances so far."""
    rating: bool = False
    """Whether the season can be ordered by a rating of the members."""
    tournament: Tournament | None = None
    """The tournament that the group plays; its tables are among the evenings."""

    @property
    def name(self) -> str:
        return self.texts.get("name", "")

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The names by member; an erased name is empty."""
        return tuple(self.texts.get(f"member.{member}", "") for member in range(self.members))

    @property
    def active(self) -> tuple[str, ...]:
        """The names that are offered for a new evening: without retired and erased members."""
        members = enumerate(self.players)
        return tuple(name for member, name in members if name and member not in self.retired)

    def is_table(self, game_id: str) -> bool:
        """Return whether a game is a table of the group's tournament."""
        return self.tournament is not None and self.tournament.place_of_game(game_id) is not None

    def payable(self, unit: str) -> Fraction:
        """Return the smallest payable amount of a unit.

        It is that of the evening whose result was booked last, however old evenings are corrected
        later, and by default the smallest coin.
        """
        for booked in reversed(tuple(self.booked.values())):
            if booked.unit == unit and booked.payable and any(booked.amounts.values()):
                return booked.payable
        return smallest_coin(unit)

    def balance(self, unit: str) -> tuple[Fraction, ...]:
        """Return the balances of all members in a unit."""
        known = self.balances.get(unit, ())
        return known + (Fraction(),) * (self.members - len(known))


def founded(group_id: str, event: Event) -> Group:
    """Return the group that begins with this event; raise ValueError for too many members."""
    rules = event.payload.get("house")
    if not 0 <= event.payload["members"] <= MAX_FOUNDERS:
        raise ValueError("too many members")
    return Group(
        id=group_id,
        created_at=event.at,
        changed_at=event.at,
        latest=event,
        texts=dict(event.texts),
        members=event.payload["members"],
        house=decode_rules(rules) if rules else None,
    )


# ---- evenings ------------------------------------------------------------------------


def amounts_of(game: Game, seating: Seating) -> dict[int, Fraction]:
    """Return the exact amount of each member in a game; none until it is over or in training."""
    if seating.training or not game.has_result:
        return {}
    results = evening(game).results
    return {
        seating.members[result.seat]: result.amount
        for result in results
        if result.amount is not None
    }


def moves_of(game: Game, seating: Seating, due: Due) -> list[Move]:
    """Return the moves of a payment between two sides; the payer's balance increases."""
    payer, payee, amount = due
    return [*_shared(game, seating, payer, amount), *_shared(game, seating, payee, -amount)]


def _shared(game: Game, seating: Seating, side: int, amount: Fraction) -> list[Move]:
    """Return the moves of a side, divided equally between partners [dec]."""
    seats = [seat for seat in range(game.sheet.seats) if side_of(seat, game.rules) == side]
    unit = game.rules.settle.unit
    return [(seating.members[seat], unit, amount / len(seats)) for seat in seats]


def payments_to_book(game: Game, seating: Seating | None) -> list[Due]:
    """Return the payments of a game that its group books: none of a game that does not count."""
    if seating is None or seating.training or game.thrown_away_at:
        return []
    return [one.due for one in game.paid]


def still_to_book(group: Group, game: Game) -> list[Move]:
    """Return the moves needed to make the balances agree with an evening."""
    unit = game.rules.settle.unit
    now = amounts_of(game, group.evenings[game.id]) if game.id in group.evenings else {}
    booked = group.booked.get(game.id, Booked(unit))
    before = booked.amounts if booked.unit == unit else {}
    changes = {
        member: now.get(member, Fraction()) - before.get(member, Fraction())
        for member in sorted({*now, *before})
    }
    return [(member, unit, change) for member, change in changes.items() if change]


# ---- events --------------------------------------------------------------------------


def encode_moves(moves: Iterable[Move]) -> list[list[Any]]:
    """Return moves as JSON values."""
    return [[member, unit, str(amount)] for member, unit, amount in moves]


def moves_in(event: Event) -> list[Move]:
    """Return the moves of an entry; raise ValueError if they do not add up to zero."""
    moves = [(member, unit, exact(amount)) for member, unit, amount in event.payload["moves"]]
    if any(sums_by_unit(moves).values()):
        raise ValueError(f"entry {event.number} makes money")
    return moves


def sums_by_unit(moves: Iterable[Move]) -> dict[str, Fraction]:
    """Return the sums of moves by unit."""
    sums: dict[str, Fraction] = {}
    for _, unit, amount in moves:
        sums[unit] = sums.get(unit, Fraction()) + amount
    return sums


def _balances(group: Group, moves: Sequence[Move]) -> dict[str, tuple[Fraction, ...]]:
    """Return all balances after these moves; raise ValueError for an unknown member."""
    rows = {unit: list(group.balance(unit)) for _, unit, _ in moves}
    for member, unit, amount in moves:
        if not 0 <= member < group.members:
            raise ValueError(f"nobody is member {member}")
        rows[unit][member] += amount
    return {**group.balances, **{unit: tuple(row) for unit, row in rows.items()}}


def _moved(group: Group, event: Event) -> Changes:
    return {"balances": _balances(group, moves_in(event))}


def _booked(group: Group, event: Event) -> Changes:
    game, unit, moves = event.payload["game"], event.payload["unit"], moves_in(event)
    payable = exact(event.payload["payable"])
    before = group.booked.get(game, Booked(unit))
    amounts = dict(before.amounts)
    for member, _, amount in moves:
        amounts[member] = amounts.get(member, Fraction()) + amount
    return {
        "balances": _balances(group, moves),
        "booked": {
            **group.booked,
            game: replace(before, unit=unit, amounts=amounts, payable=payable),
        },
        "payables": {**group.payables, unit: payable},
    }


def _paid(group: Group, event: Event) -> Changes:
    moved = _moved(group, event)
    if "due" not in event.payload:
        return moved
    payer, payee, amount = event.payload["due"]
    game, unit = event.payload["game"], event.payload["unit"]
    before = group.booked.get(game, Booked(unit))
    due = (payer, payee, exact(amount))
    paid = {**before.paid, due: (*before.paid.get(due, ()), event.number)}
    booked = {**group.booked, game: replace(before, unit=unit, paid=paid)}
    return {**moved, "booked": booked}


def _reversed(group: Group, event: Event) -> Changes:
    number, game = event.payload["number"], event.payload.get("game")
    changes = {**_moved(group, event), "reversed": group.reversed | {number}}
    if game is None:
        return changes
    before = group.booked[game]
    left = {due: tuple(one for one in made if one != number) for due, made in before.paid.items()}
    paid = {due: made for due, made in left.items() if made}
    return {**changes, "booked": {**group.booked, game: replace(before, paid=paid)}}


def _prizes(group: Group, event: Event) -> Changes:
    purse = dict(group.purse)
    for member, _, amount in moves_in(event):
        purse[member] = purse.get(member, Fraction()) + amount
    return {**_moved(group, event), "purse": purse}


def _rate(group: Group, event: Event) -> Changes:
    agreed = event.payload
    rates = {**group.rates, (agreed["unit"], agreed["in"]): exact(agreed["rate"])}
    return {"rates": rates}


def _game(group: Group, event: Event) -> Changes:
    seating = Seating(tuple(event.payload["members"]), event.payload["training"])
    evenings = {**group.evenings, event.payload["game"]: seating}
    return {"evenings": evenings, "members": _joined(group, seating.members)}


def _left(group: Group, event: Event) -> Changes:
    gone = event.payload["game"]
    evenings = {game: seating for game, seating in group.evenings.items() if game != gone}
    return {"evenings": evenings}


def _member(group: Group, event: Event) -> Changes:
    return {"members": _joined(group, [event.payload["member"]])}


def _retired(group: Group, event: Event) -> Changes:
    return {"retired": group.retired | {event.payload["member"]}}


def _reinstated(group: Group, event: Event) -> Changes:
    return {"retired": group.retired - {event.payload["member"]}}


def _joined(group: Group, members: Iterable[int]) -> int:
    """Return the number of members with these; raise ValueError if an index is skipped."""
    count = group.members
    for member in members:
        if not 0 <= member <= count:
            raise ValueError(f"nobody is member {member}")
        count = max(count, member + 1)
    return count


def _house(group: Group, event: Event) -> Changes:
    return {"house": decode_rules(event.payload["house"])}


def _rating(group: Group, event: Event) -> Changes:
    return {"rating": event.payload["on"]}


def _as_it_was(group: Group, event: Event) -> Changes:
    return {"as_it_was": True}


def _planned(group: Group, event: Event) -> Changes:
    if group.tournament:
        raise ValueError("a second tournament")
    return {"tournament": tournaments.planned(event)}


def _in_tournament(group: Group, event: Event) -> Changes:
    if group.tournament is None:
        raise ValueError("no tournament")
    return {"tournament": tournaments.AFTER[event.kind](group.tournament, event)}


def _entered(group: Group, event: Event) -> Changes:
    entered = (member for one in event.payload["entrants"] for member in one["members"])
    return {**_in_tournament(group, event), "members": _joined(group, entered)}


Group.AFTER = {
    "details": unchanged,
    "secret": unchanged,
    "member": _member,
    "renamed": unchanged,
    "retired": _retired,
    "reinstated": _reinstated,
    "erased": unchanged,
    "house": _house,
    "rating": _rating,
    "game": _game,
    "left": _left,
    "booked": _booked,
    "paid": _paid,
    "settled": _moved,
    "prizes": _prizes,
    "rate": _rate,
    "converted": _moved,
    "reversed": _reversed,
    "as_it_was": _as_it_was,
    "tournament": _planned,
    **dict.fromkeys(tournaments.AFTER, _in_tournament),
    "entered": _entered,
}
