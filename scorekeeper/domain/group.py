"""A group (*Stammtisch*) as the fold of its events: members, evenings, and their money.

Money moves between members and is never made: the moves of every entry add up to zero in
each unit, so all balances do. Nothing is edited; a correction is one more entry.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from scorekeeper.domain.book import Book, Event, exact, unchanged
from scorekeeper.domain.game import Due, Game
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import kept
from scorekeeper.domain.results import evening, side_of

Move = tuple[int, str, Fraction]
"""Member, unit, and what his balance changes by."""

MONEY = ("booked", "paid", "settled", "converted", "reversed")
"""The kinds of entry that move money."""
MOST_FOUNDERS = 1_000
REVERSIBLE = ("paid", "settled", "converted")
"""What the pen entered by hand; what an evening booked is corrected in the evening."""


@dataclass(frozen=True)
class Seating:
    """A game among the evenings of its group."""

    members: tuple[int, ...]
    """Who sat where: the member by seat."""
    training: bool = False
    """Played without counting: neither in the season nor for money."""


@dataclass(frozen=True)
class Booked:
    """What an evening has brought to the balances so far."""

    unit: str
    amounts: Mapping[int, Fraction] = field(default_factory=dict)
    """By member."""
    paid: Mapping[Due, int] = field(default_factory=dict)
    """Payments ticked in the game, with the entry that booked each."""


@dataclass(frozen=True, kw_only=True)
class Group(Book):
    """A group at one of its versions."""

    members: int = 0
    """How many there ever were; a member is known by his index for good."""
    house: RuleSet | None = None
    """The house rules and the stake that an evening begins with."""
    evenings: Mapping[str, Seating] = field(default_factory=dict)
    """The games of the group by id, in the order in which they came."""
    booked: Mapping[str, Booked] = field(default_factory=dict)
    balances: Mapping[str, tuple[Fraction, ...]] = field(default_factory=dict)
    """By unit and member; what a member is owed is positive."""
    payables: Mapping[str, Fraction] = field(default_factory=dict)
    """By unit: the least amount that changes hands."""
    rates: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)
    """What one of the first unit is in the second, as the group agreed."""
    reversed: frozenset[int] = frozenset()
    """The entries that were taken back."""
    as_it_was: bool = False
    """Some evenings were imported with amounts other than those they came to then."""

    @property
    def name(self) -> str:
        return self.texts.get("name", "")

    @property
    def players(self) -> tuple[str, ...]:
        """Names by member; an erased name is empty."""
        return tuple(self.texts.get(f"member.{member}", "") for member in range(self.members))

    def balance(self, unit: str) -> tuple[Fraction, ...]:
        """Where every member stands in a unit."""
        known = self.balances.get(unit, ())
        return known + (Fraction(),) * (self.members - len(known))


def founded(group_id: str, event: Event) -> Group:
    """The group that begins with this event; ValueError for more members than ever meet."""
    rules = event.payload.get("house")
    if not 0 <= event.payload["members"] <= MOST_FOUNDERS:
        raise ValueError("too many members")
    return Group(
        id=group_id,
        created_at=event.at,
        changed_at=event.at,
        texts=dict(event.texts),
        members=event.payload["members"],
        house=kept(rules) if rules else None,
    )


# ---- what an evening brings ----------------------------------------------------------


def amounts_of(game: Game, seating: Seating) -> dict[int, Fraction]:
    """What a game brings each member, exactly; nothing while it goes on or in training."""
    if seating.training or not game.is_over:
        return {}
    results = evening(game).results
    return {seating.members[one.seat]: one.amount for one in results if one.amount is not None}


def moves_of(game: Game, seating: Seating, due: Due) -> list[Move]:
    """A payment between two sides, by member: who pays is owed so much more."""
    payer, payee, amount = due
    return [*_shared(game, seating, payer, amount), *_shared(game, seating, payee, -amount)]


def _shared(game: Game, seating: Seating, side: int, amount: Fraction) -> list[Move]:
    """What is a side's is carried by its partners in equal parts [dec]."""
    seats = [seat for seat in range(game.sheet.seats) if side_of(seat, game.rules) == side]
    unit = game.rules.settle.unit
    return [(seating.members[seat], unit, amount / len(seats)) for seat in seats]


def still_to_book(group: Group, game: Game) -> list[Move]:
    """What the balances lack of an evening, or have too much of it."""
    unit = game.rules.settle.unit
    now = amounts_of(game, group.evenings[game.id]) if game.id in group.evenings else {}
    before = group.booked.get(game.id, Booked(unit)).amounts
    changes = {
        member: now.get(member, Fraction()) - before.get(member, Fraction())
        for member in sorted({*now, *before})
    }
    return [(member, unit, change) for member, change in changes.items() if change]


# ---- what each event changes ---------------------------------------------------------


def stored(moves: Iterable[Move]) -> list[list[Any]]:
    """Moves as JSON values."""
    return [[member, unit, str(amount)] for member, unit, amount in moves]


def moves_in(event: Event) -> list[Move]:
    """The moves of an entry; ValueError if money was made or lost."""
    moves = [(member, unit, exact(amount)) for member, unit, amount in event.payload["moves"]]
    sums: dict[str, Fraction] = {}
    for _, unit, amount in moves:
        sums[unit] = sums.get(unit, Fraction()) + amount
    if any(sums.values()):
        raise ValueError(f"entry {event.number} makes money")
    return moves


def _balances(group: Group, moves: Sequence[Move]) -> dict[str, tuple[Fraction, ...]]:
    """All balances after these moves; ValueError for a move of nobody's."""
    rows = {unit: list(group.balance(unit)) for _, unit, _ in moves}
    for member, unit, amount in moves:
        if not 0 <= member < group.members:
            raise ValueError(f"nobody is member {member}")
        rows[unit][member] += amount
    return {**group.balances, **{unit: tuple(row) for unit, row in rows.items()}}


def _moved(group: Group, event: Event) -> Group:
    return replace(group, balances=_balances(group, moves_in(event)))


def _booked(group: Group, event: Event) -> Group:
    game, unit, moves = event.payload["game"], event.payload["unit"], moves_in(event)
    before = group.booked.get(game, Booked(unit))
    amounts = dict(before.amounts)
    for member, _, amount in moves:
        amounts[member] = amounts.get(member, Fraction()) + amount
    return replace(
        group,
        balances=_balances(group, moves),
        booked={**group.booked, game: replace(before, unit=unit, amounts=amounts)},
        payables={**group.payables, unit: exact(event.payload["payable"])},
    )


def _paid(group: Group, event: Event) -> Group:
    after = _moved(group, event)
    if "due" not in event.payload:
        return after
    payer, payee, amount = event.payload["due"]
    before = group.booked.get(event.payload["game"], Booked(event.payload["unit"]))
    paid = {**before.paid, (payer, payee, exact(amount)): event.number}
    booked = {**group.booked, event.payload["game"]: replace(before, paid=paid)}
    return replace(after, booked=booked)


def _reversed(group: Group, event: Event) -> Group:
    number, game = event.payload["number"], event.payload.get("game")
    after = replace(_moved(group, event), reversed=group.reversed | {number})
    if game is None:
        return after
    before = group.booked[game]
    paid = {due: entry for due, entry in before.paid.items() if entry != number}
    return replace(after, booked={**group.booked, game: replace(before, paid=paid)})


def _rate(group: Group, event: Event) -> Group:
    said = event.payload
    rates = {**group.rates, (said["unit"], said["in"]): exact(said["rate"])}
    return replace(group, rates=rates)


def _game(group: Group, event: Event) -> Group:
    seating = Seating(tuple(event.payload["members"]), event.payload["training"])
    evenings = {**group.evenings, event.payload["game"]: seating}
    return replace(group, evenings=evenings, members=_joined(group, seating.members))


def _left(group: Group, event: Event) -> Group:
    gone = event.payload["game"]
    evenings = {game: seating for game, seating in group.evenings.items() if game != gone}
    return replace(group, evenings=evenings)


def _member(group: Group, event: Event) -> Group:
    return replace(group, members=_joined(group, [event.payload["member"]]))


def _joined(group: Group, members: Iterable[int]) -> int:
    """How many there are with these; ValueError for a newcomer who is not the next in line."""
    count = group.members
    for member in members:
        if not 0 <= member <= count:
            raise ValueError(f"nobody is member {member}")
        count = max(count, member + 1)
    return count


def _house(group: Group, event: Event) -> Group:
    return replace(group, house=kept(event.payload["house"]))


def _as_it_was(group: Group, event: Event) -> Group:
    return replace(group, as_it_was=True)


Group.AFTER = {
    "details": unchanged,
    "secret": unchanged,
    "member": _member,
    "renamed": unchanged,
    "erased": unchanged,
    "house": _house,
    "game": _game,
    "left": _left,
    "booked": _booked,
    "paid": _paid,
    "settled": _moved,
    "rate": _rate,
    "converted": _moved,
    "reversed": _reversed,
    "as_it_was": _as_it_was,
}
