"""The money of a group: balances, payments, rates. Entries are never edited."""

from typing import Any

from flask import Response

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.state import Group, moves_in
from scorekeeper.services import groups
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    REQUIRED_KEY,
    SECRET,
    answer,
    blp,
    conditional,
    conditional_after,
    preconditions,
    required_key,
)
from scorekeeper.web.api.money_answers import (
    EntryAnswerSchema,
    MoneySchema,
    StatementSchema,
    entry_answer,
    money_answer,
    statement_answer,
)
from scorekeeper.web.context import ledger
from scorekeeper.web.permissions import request_write
from scorekeeper.wire.groups import (
    MAX_ENTRY,
    MAX_MEMBER,
    PaymentSchema,
    RateSchema,
    UnitSchema,
    UnitsSchema,
)
from scorekeeper.wire.queries import Digits
from scorekeeper.wire.strict import StrictSchema, Whole

TAGS = ["Money"]


class StatementQuerySchema(StrictSchema):
    """The member of the statement; the default is the whole account book."""

    member = Digits(0, MAX_MEMBER)


class ReversalSchema(StrictSchema):
    """The entry to reverse."""

    number = Whole(1, MAX_ENTRY, required=True)


@blp.get("/groups/<group_id>/money", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, MoneySchema)
@conditional
def read_money(group_id: str) -> Response:
    """Return balances by unit, the fewest payments that settle them, and agreed rates."""
    group = ledger().group(group_id)
    return answer(money_answer(group), group)


@blp.get("/groups/<group_id>/statement", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(StatementQuerySchema(), location="query")
@blp.response(200, StatementSchema)
@conditional_after(lambda query, group_id: _member(query, ledger().group(group_id)))
def read_statement(query: dict[str, Any], group_id: str) -> Response:
    """Return the account book, or the entries of one member with their balance after each."""
    group = ledger().group(group_id)
    entries = groups.statement(ledger(), group, _member(query, group))
    return answer({"entries": statement_answer(entries)}, group)


def _member(query: dict[str, Any], group: Group) -> int | None:
    """Return the member in the query, if any; RuleError E_GROUP if there is no such member."""
    member: int | None = query.get("member")
    if member is not None:
        group_changes.check_member(group, member, "member")
    return member


@blp.post("/groups/<group_id>/payments", tags=TAGS)
@blp.doc(**SECRET, parameters=[REQUIRED_KEY])
@blp.arguments(PaymentSchema())
@blp.response(201, EntryAnswerSchema)
def enter_payment(body: dict[str, Any], group_id: str) -> Response:
    """Enter a payment between two members; one larger than the debt leaves a credit."""
    return _entered(groups.pay(ledger(), group_id, **body, write=request_write(key=required_key())))


@blp.post("/groups/<group_id>/settlements", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(UnitSchema())
@blp.response(201, EntryAnswerSchema)
def settle_up(body: dict[str, Any], group_id: str) -> Response:
    """Enter all open payments of a unit as made, as they were in the version seen."""
    return _entered(groups.settle_up(ledger(), group_id, **body, write=preconditions(group_id)))


@blp.put("/groups/<group_id>/rates", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(RateSchema())
@blp.response(200, MoneySchema)
def agree_rate(body: dict[str, Any], group_id: str) -> Response:
    """Set the agreed value of one unit in another."""
    group = groups.agree_rate(ledger(), group_id, **body, write=preconditions(group_id))
    return answer(money_answer(group), group)


@blp.post("/groups/<group_id>/conversions", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(UnitsSchema())
@blp.response(201, EntryAnswerSchema)
def convert_balances(body: dict[str, Any], group_id: str) -> Response:
    """Convert all balances of a unit into another, at the agreed rate."""
    return _entered(groups.convert(ledger(), group_id, **body, write=preconditions(group_id)))


@blp.post("/groups/<group_id>/reversals", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(ReversalSchema())
@blp.response(201, EntryAnswerSchema)
def reverse_entry(body: dict[str, Any], group_id: str) -> Response:
    """Reverse a payment, settlement or conversion by a further entry; both stay readable."""
    number = body["number"]
    try:
        return _entered(groups.reverse(ledger(), group_id, number, write=preconditions(group_id)))
    except KeyError:
        raise RuleError("E_GROUP", ("number",), why="no_entry", number=number) from None


def _entered(group: Group) -> Response:
    """Return the response for the newest entry of a group, with its money after it."""
    entry = entry_answer(group.latest, moves_in(group.latest), reversed=False)
    return answer({"entry": entry, **money_answer(group)}, group, status=201)
