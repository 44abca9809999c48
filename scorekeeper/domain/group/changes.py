"""The changes that are allowed in a group: each is checked and returned as an event.

Like ``changes``, these are pure functions of the current group, for the use cases and for
imports. ``services.bookkeeping`` books evenings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import Draft, check_names
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import REVERSIBLE, Group, Move, encode_moves, moves_in
from scorekeeper.domain.group.tables import result_of
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.money.settlement import Transfer, payments, to_payable
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.tournament.changes import result
from scorekeeper.domain.tournament.prizes import purse
from scorekeeper.domain.tournament.standings import standings

MAX_DIGITS = 100
"""The most digits of a converted amount; repeated conversion could otherwise add more and more."""


@dataclass(frozen=True)
class NewGroup:
    """The data of a new group; house rules if it has some from the start."""

    name: str
    members: tuple[str, ...]
    house: RuleSet | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The texts that people wrote, by field."""
        names = {f"member.{member}": name for member, name in enumerate(self.members)}
        return {"name": self.name, **names}

    def first_event(self, at: str, key: str | None = None) -> Event:
        """Return the event that founds the group."""
        house = options.encode_rules(self.house) if self.house else None
        payload = {"members": len(self.members), "house": house}
        return Event(1, at, "founded", "pen", payload, self.texts, key)


# ---- members -------------------------------------------------------------------------


def check_member(group: Group, member: int, *path: str | int) -> None:
    """Raise RuleError E_GROUP if the group does not have this member."""
    if not 0 <= member < group.members:
        raise RuleError("E_GROUP", path, why="member", member=member, members=group.members)


def join(group: Group, name: str) -> Draft:
    """Return the event that adds a member."""
    check_names((*group.players, name), "members")
    return Draft("member", {"member": group.members}, {f"member.{group.members}": name})


def rename_member(group: Group, member: int, name: str) -> Draft:
    """Return the event that renames a member."""
    check_member(group, member)
    others = [*group.players]
    others[member] = ""
    check_names((*others, name), "members")
    return Draft("renamed", {"member": member}, {f"member.{member}": name})


def retire(group: Group, member: int) -> Draft | None:
    """Return the event that retires a member; None if they are.

    A retired member is no longer offered for new evenings, and stays in everything so far.
    """
    check_member(group, member)
    return None if member in group.retired else Draft("retired", {"member": member})


def bring_back(group: Group, member: int) -> Draft | None:
    """Return the event with which a retired member comes back; None if they are not retired."""
    check_member(group, member)
    return Draft("reinstated", {"member": member}) if member in group.retired else None


def rename_group(name: str) -> Draft:
    """Return the event that renames the group."""
    return Draft("details", {"fields": ["name"]}, {"name": name})


def set_house_rules(rules: RuleSet) -> Draft:
    """Return the event that sets the house rules and the stake of new evenings."""
    return Draft("house", {"house": options.encode_rules(rules)})


def keep_rating(group: Group, on: bool) -> Draft | None:
    """Return the event after which the group keeps a rating, or none; None if it is so already."""
    return Draft("rating", {"on": on}) if on != group.rating else None


def seat_members(
    game_id: str, members: Sequence[int], training: bool, names: Mapping[str, str]
) -> Draft:
    """Return the event that seats members in a game; raise RuleError E_GROUP for two seats."""
    for seat, member in enumerate(members):
        if member in members[:seat]:
            raise RuleError("E_GROUP", ("members", seat), why="two_seats", member=member)
    payload = {"game": game_id, "members": list(members), "training": training}
    return Draft("game", payload, names)


def leave(group: Group, game_id: str) -> Draft:
    """Return the event that removes a game.

    Raises RuleError E_GROUP if it is not in the group, or if it is a table of the tournament.
    """
    if game_id not in group.evenings:
        raise RuleError("E_GROUP", ("game",), why="no_game")
    check_no_table(group, game_id)
    return Draft("left", {"game": game_id})


def check_no_table(group: Group, game_id: str) -> None:
    """Raise RuleError E_GROUP if a game is a table of the tournament, which cannot lose it."""
    if group.is_table(game_id):
        raise RuleError("E_GROUP", ("game",), why="table")


# ---- money ---------------------------------------------------------------------------


def pay(group: Group, payment: Transfer, unit: str, note: str = "") -> Draft:
    """Return the event of a payment between two members."""
    payer, payee, amount = payment.payer, payment.payee, payment.amount
    for member, side in ((payer, "from"), (payee, "to")):
        check_member(group, member, side)
    if payer == payee:
        raise RuleError("E_GROUP", ("to",), why="same_member")
    if amount <= 0:
        raise RuleError("E_GROUP", ("amount",), why="amount")
    moves = encode_moves([(payer, unit, amount), (payee, unit, -amount)])
    payload = {"from": payer, "to": payee, "amount": str(amount), "unit": unit, "moves": moves}
    return Draft("paid", payload, {f"note.{group.version + 1}": note} if note else {})


def open_payments(group: Group, unit: str) -> tuple[Transfer, ...]:
    """Return the fewest payments that settle all current balances of a unit.

    Amounts are payable ones; smaller remainders stay in the balances.
    """
    due, _ = _payments(_payable(group, unit))
    return due


def are_fewest(group: Group, unit: str) -> bool:
    """Return whether the open payments of a unit are provably the fewest (``domain.netting``)."""
    _, proved = _payments(_payable(group, unit))
    return proved


@lru_cache(64)  # the pages of a group ask again and again, and many members take milliseconds
def _payments(amounts: tuple[Fraction, ...]) -> tuple[tuple[Transfer, ...], bool]:
    return payments(amounts)


def _payable(group: Group, unit: str) -> tuple[Fraction, ...]:
    return to_payable(group.balance(unit), group.payable(unit))


def settle(group: Group, unit: str) -> Draft:
    """Return the event that records all open payments of a unit as made."""
    due = open_payments(group, unit)
    if not due:
        raise RuleError("E_GROUP", ("unit",), why="nothing_open", unit=unit)
    return settled_by(unit, due)


def settles(group: Group, unit: str, due: Sequence[Transfer]) -> bool:
    """Return whether these payments settle a unit, and are fewer than its open balances.

    Other versions may have found other payments if several are equally good or the fewest are
    not known. Up to version 1.1 the last entry of any evening set the step, and balances that no
    evening had a step for were paid in whole units.
    """
    steps = {group.payable(unit), group.payables.get(unit, Fraction(1))}
    return any(_settles(to_payable(group.balance(unit), step), due) for step in steps)


def _settles(amounts: Sequence[Fraction], due: Sequence[Transfer]) -> bool:
    left = list(amounts)
    owing = {member for member, amount in enumerate(left) if amount < 0}
    owed = {member for member, amount in enumerate(left) if amount > 0}
    if not 0 < len(due) < len(owing) + len(owed):
        return False
    for transfer in due:
        if transfer.payer not in owing or transfer.payee not in owed or transfer.amount <= 0:
            return False
        left[transfer.payer] += transfer.amount
        left[transfer.payee] -= transfer.amount
    return not any(left)


def settled_by(unit: str, due: Sequence[Transfer]) -> Draft:
    """Return the event that records these payments of a unit as made."""
    moves: list[Move] = []
    for transfer in due:
        moves += [(transfer.payer, unit, transfer.amount), (transfer.payee, unit, -transfer.amount)]
    transfers = [[transfer.payer, transfer.payee, str(transfer.amount)] for transfer in due]
    return Draft("settled", {"unit": unit, "transfers": transfers, "moves": encode_moves(moves)})


def agree(unit: str, into: str, rate: Fraction) -> Draft:
    """Return the event that sets the rate from one unit to another."""
    if unit == into:
        raise RuleError("E_GROUP", ("in",), why="same_unit")
    if rate <= 0:
        raise RuleError("E_GROUP", ("rate",), why="rate")
    return Draft("rate", {"unit": unit, "in": into, "rate": str(rate)})


def convert(group: Group, unit: str, into: str) -> Draft:
    """Return the event that converts all balances of a unit into another at the agreed rate."""
    rate = group.rates.get((unit, into))
    if rate is None:
        raise RuleError("E_GROUP", ("in",), why="no_rate", unit=unit, into=into)
    open_here = [(member, balance) for member, balance in enumerate(group.balance(unit)) if balance]
    if not open_here:
        raise RuleError("E_GROUP", ("unit",), why="nothing_open", unit=unit)
    moves = [(member, unit, -balance) for member, balance in open_here]
    moves += [(member, into, balance * rate) for member, balance in open_here]
    if any(len(str(amount)) > MAX_DIGITS for _, _, amount in moves):
        raise RuleError("E_GROUP", ("in",), why="too_fine", unit=unit)
    payload = {"unit": unit, "in": into, "rate": str(rate), "moves": encode_moves(moves)}
    return Draft("converted", payload)


def enter_table(group: Group, game: Game) -> Draft | None:
    """Return the event that makes a tournament agree with the game of a table; None if it does.

    Totals that the director typed stay. A result of a closed round is corrected, never removed.
    """
    now = group.tournament
    if now is None or (place := now.place_of_game(game.id)) is None:
        return None
    number, table = place
    one = now.rounds[number - 1]
    before, scores = one.results.get(table), result_of(game, now.plan, len(one.tables[table]))
    if (before and before.source == "stated") or (scores is None and (one.closed or not before)):
        return None
    return result(now, number, table, scores, "game")


def book_prizes(group: Group) -> Draft | None:
    """Return the event that makes the balances agree with fees and prizes of the tournament.

    A pair pays and wins in equal parts. Nothing is booked until the tournament is over, and a
    later correction books the difference. Returns None if there is nothing to book.
    """
    now = group.tournament
    money = now and now.plan.money
    if not now or not money or not money.booked:
        return None
    due: dict[int, Fraction] = {}
    if now.is_over:
        found = standings(now)
        fees = [(one.entrant, -money.fee) for one in found]
        for entrant, amount in (*fees, *purse(money, found).prizes):
            for member in now.entrants[entrant].members:
                due[member] = due.get(member, Fraction()) + amount / now.plan.partners
    changes = {
        member: due.get(member, Fraction()) - group.purse.get(member, Fraction())
        for member in sorted({*due, *group.purse})
    }
    moves = [(member, money.unit, change) for member, change in changes.items() if change]
    return Draft("prizes", {"moves": encode_moves(moves)}) if moves else None


def reverse(group: Group, entry: Event) -> Draft:
    """Return the event that reverses an entry; raise RuleError E_GROUP if that is not allowed."""
    if entry.kind not in REVERSIBLE or "game" in entry.payload:
        raise RuleError("E_GROUP", ("number",), why="not_reversible")
    if entry.number in group.reversed:
        raise RuleError("E_GROUP", ("number",), why="reversed")
    return taken_back(entry)


def taken_back(entry: Event) -> Draft:
    """Return the event that reverses an entry, with its moves negated."""
    back = [(member, unit, -amount) for member, unit, amount in moves_in(entry)]
    of_game: dict[str, Any] = {"game": entry.payload["game"]} if "game" in entry.payload else {}
    payload = {"number": entry.number, "of": entry.kind, "moves": encode_moves(back), **of_game}
    return Draft("reversed", payload)
