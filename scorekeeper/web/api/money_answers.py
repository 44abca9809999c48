"""JSON answers about a group's money; schemas and functions as in ``group_answers``."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from marshmallow import fields

from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.state import Group, Move
from scorekeeper.domain.history.book import Event
from scorekeeper.services.groups import AccountEntry
from scorekeeper.web.api.blueprint import AnswerSchema
from scorekeeper.web.api.group_answers import BalancesSchema
from scorekeeper.web.api.parts import flag, integer, list_of, part, text
from scorekeeper.web.api.settlement_answers import exact_texts


class OpenPaymentSchema(AnswerSchema):
    """One of the payments that settle everything, from member to member."""

    payer = integer(data_key="from")
    payee = integer(data_key="to")
    amount = text(metadata={"examples": ["65", "9/5"]})


class AccountsSchema(BalancesSchema):
    """The balances in one unit, and the payments that settle them."""

    payable = text(metadata={"description": "the smallest amount that is paid"})
    payments = list_of(OpenPaymentSchema)
    fewest = flag(metadata={"description": "whether these are proven to be the fewest payments"})


class AgreedRateSchema(AnswerSchema):
    """The agreed value of one unit in another."""

    unit = text()
    into = text(data_key="in")
    rate = text()


class MoneySchema(AnswerSchema):
    """The money of a group, unit by unit."""

    units = list_of(AccountsSchema)
    rates = list_of(AgreedRateSchema)


class BalanceMoveSchema(AnswerSchema):
    """The change of one balance by an entry."""

    member = integer()
    unit = text()
    amount = text()


class UnitAmountSchema(AnswerSchema):
    """An amount in its unit."""

    unit = text()
    amount = text()


class EntrySchema(AnswerSchema):
    """One entry in the account book; entries never change, a correction is a new entry."""

    number = integer()
    at = text()
    kind = text(metadata={"enum": ["booked", "paid", "settled", "converted", "reversed", "prizes"]})
    by = text()
    game = text(allow_none=True, metadata={"description": "the game that it comes from"})
    note = text()
    details = fields.Dict(required=True)
    moves = list_of(BalanceMoveSchema)
    reversed = flag(metadata={"description": "whether it was reversed later"})


class StatementEntrySchema(EntrySchema):
    """An entry with the member's balances after it; they are empty if no member is named."""

    balances = list_of(UnitAmountSchema)


class StatementSchema(AnswerSchema):
    """The account book, oldest entry first; of one member if one is named."""

    entries = list_of(StatementEntrySchema)


class EntryAnswerSchema(MoneySchema):
    """The new entry, and the money after it."""

    entry = part(EntrySchema)


def money_answer(group: Group) -> dict[str, Any]:
    """Return balances, the payments that settle them, and agreed rates."""
    return {
        "units": [_accounts_answer(group, unit) for unit in group.balances],
        "rates": [
            {"unit": unit, "in": into, "rate": str(rate)}
            for (unit, into), rate in group.rates.items()
        ],
    }


def _accounts_answer(group: Group, unit: str) -> dict[str, Any]:
    return {
        "unit": unit,
        "amounts": exact_texts(group.balance(unit)),
        "payable": str(group.payable(unit)),
        "payments": [
            {"from": payment.payer, "to": payment.payee, "amount": str(payment.amount)}
            for payment in group_changes.open_payments(group, unit)
        ],
        "fewest": group_changes.are_fewest(group, unit),
    }


SEPARATE_FIELDS = ("moves", "game")


def entry_answer(event: Event, moves: Iterable[Move], *, reversed: bool) -> dict[str, Any]:
    """Return one entry of the account book."""
    return {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "by": event.by,
        "game": event.payload.get("game"),
        "note": event.texts.get(f"note.{event.number}", ""),
        "details": {k: v for k, v in event.payload.items() if k not in SEPARATE_FIELDS},
        "moves": [
            {"member": member, "unit": unit, "amount": str(amount)}
            for member, unit, amount in moves
        ],
        "reversed": reversed,
    }


def statement_answer(entries: Iterable[AccountEntry]) -> list[dict[str, Any]]:
    """Return entries with the balances after each."""
    return [
        entry_answer(entry.event, entry.moves, reversed=entry.reversed)
        | {"balances": unit_amounts(entry.balances)}
        for entry in entries
    ]


def unit_amounts(amounts: Mapping[str, Fraction]) -> list[dict[str, str]]:
    """Return amounts by unit as a list."""
    return [{"unit": unit, "amount": str(amount)} for unit, amount in amounts.items()]
