"""What may happen next in a group: each change, checked, as the event that records it.

As in ``changes``: pure functions of the group as it stands, for the use cases and for the
import of a group alike. What evenings bring to the balances is ``bookkeeping``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scorekeeper.domain import options
from scorekeeper.domain.book import Event
from scorekeeper.domain.changes import Draft, check_names
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group import REVERSIBLE, Group, Move, moves_in, stored
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.settlement import Transfer, payments, to_payable

MOST_DIGITS = 100
"""Of an amount that is carried over; more, and rates that do not come out even add up to it."""


@dataclass(frozen=True)
class NewGroup:
    """What is needed to found a group; house rules where it has some from the start."""

    name: str
    members: tuple[str, ...]
    house: RuleSet | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The words people wrote, by their field."""
        names = {f"member.{member}": name for member, name in enumerate(self.members)}
        return {"name": self.name, **names}


# ---- members -------------------------------------------------------------------------


def check_member(group: Group, member: int, *path: str | int) -> None:
    """RuleError E_GROUP for a member that the group does not have."""
    if not 0 <= member < group.members:
        raise RuleError("E_GROUP", path, why="member", member=member, members=group.members)


def join(group: Group, name: str) -> Draft:
    """One more member."""
    check_names((*group.players, name), "members")
    return Draft("member", {"member": group.members}, {f"member.{group.members}": name})


def rename(group: Group, member: int, name: str) -> Draft:
    """A member called by another name from now on."""
    check_member(group, member)
    others = [*group.players]
    others[member] = ""
    check_names((*others, name), "members")
    return Draft("renamed", {"member": member}, {f"member.{member}": name})


def call(name: str) -> Draft:
    """Another name of the group."""
    return Draft("details", {"fields": ["name"]}, {"name": name})


def keep_house(rules: RuleSet) -> Draft:
    """The house rules and the stake that an evening begins with."""
    return Draft("house", {"house": options.stored(rules)})


def seat_members(
    game_id: str, members: Sequence[int], training: bool, names: Mapping[str, str]
) -> Draft:
    """Who of the group sits where in a game; RuleError E_GROUP for a member on two seats."""
    for seat, member in enumerate(members):
        if member in members[:seat]:
            raise RuleError("E_GROUP", ("members", seat), why="two_seats", member=member)
    payload = {"game": game_id, "members": list(members), "training": training}
    return Draft("game", payload, names)


def leave(group: Group, game_id: str) -> Draft:
    """A game taken out of the group; RuleError E_GROUP for one that is not in it."""
    if game_id not in group.evenings:
        raise RuleError("E_GROUP", ("game",), why="no_game")
    return Draft("left", {"game": game_id})


# ---- money ---------------------------------------------------------------------------


def pay(group: Group, payer: int, payee: int, amount: Fraction, unit: str, note: str = "") -> Draft:
    """A payment between two members."""
    for member, side in ((payer, "from"), (payee, "to")):
        check_member(group, member, side)
    if payer == payee:
        raise RuleError("E_GROUP", ("to",), why="same_member")
    if amount <= 0:
        raise RuleError("E_GROUP", ("amount",), why="amount")
    moves = stored([(payer, unit, amount), (payee, unit, -amount)])
    payload = {"from": payer, "to": payee, "amount": str(amount), "unit": unit, "moves": moves}
    return Draft("paid", payload, {f"note.{group.version + 1}": note} if note else {})


def open_payments(group: Group, unit: str) -> tuple[Transfer, ...]:
    """The fewest payments that settle all balances of a unit as they stand.

    Amounts are those that can be paid; what is left below that stays on the accounts.
    """
    due, _ = payments(_payable(group, unit))
    return due


def are_fewest(group: Group, unit: str) -> bool:
    """Whether the open payments of a unit are provably the fewest (``domain.netting``)."""
    _, proved = payments(_payable(group, unit))
    return proved


def _payable(group: Group, unit: str) -> tuple[Fraction, ...]:
    return to_payable(group.balance(unit), group.payables.get(unit, Fraction(1)))


def settle(group: Group, unit: str) -> Draft:
    """All open payments of a unit as made, in one entry."""
    due = open_payments(group, unit)
    if not due:
        raise RuleError("E_GROUP", ("unit",), why="nothing_open", unit=unit)
    return settled_by(unit, due)


def settles(group: Group, unit: str, due: Sequence[Transfer]) -> bool:
    """Whether these payments settle a unit, with at least one fewer than there are balances.

    Another version may have found other ones where several are as good, or where nobody
    knows the fewest.
    """
    left = list(_payable(group, unit))
    owing = {member for member, amount in enumerate(left) if amount < 0}
    owed = {member for member, amount in enumerate(left) if amount > 0}
    if not 0 < len(due) < len(owing) + len(owed):
        return False
    for one in due:
        if one.payer not in owing or one.payee not in owed or one.amount <= 0:
            return False
        left[one.payer] += one.amount
        left[one.payee] -= one.amount
    return not any(left)


def settled_by(unit: str, due: Sequence[Transfer]) -> Draft:
    """These payments of a unit as made, in one entry."""
    moves: list[Move] = []
    for one in due:
        moves += [(one.payer, unit, one.amount), (one.payee, unit, -one.amount)]
    transfers = [[one.payer, one.payee, str(one.amount)] for one in due]
    return Draft("settled", {"unit": unit, "transfers": transfers, "moves": stored(moves)})


def agree(unit: str, into: str, rate: Fraction) -> Draft:
    """What one of a unit is in another."""
    if unit == into:
        raise RuleError("E_GROUP", ("in",), why="same_unit")
    if rate <= 0:
        raise RuleError("E_GROUP", ("rate",), why="rate")
    return Draft("rate", {"unit": unit, "in": into, "rate": str(rate)})


def convert(group: Group, unit: str, into: str) -> Draft:
    """All balances of a unit carried over into another, at the rate that was agreed."""
    rate = group.rates.get((unit, into))
    if rate is None:
        raise RuleError("E_GROUP", ("in",), why="no_rate", unit=unit, into=into)
    open_here = [(member, balance) for member, balance in enumerate(group.balance(unit)) if balance]
    if not open_here:
        raise RuleError("E_GROUP", ("unit",), why="nothing_open", unit=unit)
    moves = [(member, unit, -balance) for member, balance in open_here]
    moves += [(member, into, balance * rate) for member, balance in open_here]
    if any(len(str(amount)) > MOST_DIGITS for _, _, amount in moves):
        raise RuleError("E_GROUP", ("in",), why="too_fine", unit=unit)
    payload = {"unit": unit, "in": into, "rate": str(rate), "moves": stored(moves)}
    return Draft("converted", payload)


def reverse(group: Group, entry: Event) -> Draft:
    """An entry that somebody made, taken back; RuleError E_GROUP where it cannot be."""
    if entry.kind not in REVERSIBLE or "game" in entry.payload:
        raise RuleError("E_GROUP", ("number",), why="not_reversible")
    if entry.number in group.reversed:
        raise RuleError("E_GROUP", ("number",), why="reversed")
    return taken_back(entry)


def taken_back(entry: Event) -> Draft:
    """What reverses an entry: its moves the other way round."""
    back = [(member, unit, -amount) for member, unit, amount in moves_in(entry)]
    of_game: dict[str, Any] = {"game": entry.payload["game"]} if "game" in entry.payload else {}
    payload = {"number": entry.number, "of": entry.kind, "moves": stored(back), **of_game}
    return Draft("reversed", payload)
