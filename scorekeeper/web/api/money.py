"""A group's money: balances, payments, rates; a book in which nothing is ever edited."""

from typing import Any

from flask import Response

from scorekeeper.domain import group_changes
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group import Group, moves_in
from scorekeeper.services import groups
from scorekeeper.services.games import newest
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    NEEDED_KEY,
    SECRET,
    answer,
    blp,
    fresh,
    fresh_if,
    needed_key,
    seen,
)
from scorekeeper.web.api.group_answers import (
    EnteredSchema,
    MoneySchema,
    StatementSchema,
    entry_answer,
    money_answer,
    statement_answer,
)
from scorekeeper.web.api.queries import Digits
from scorekeeper.web.context import ledger
from scorekeeper.wire.schemas import (
    MOST_ENTRY,
    MOST_MEMBER,
    PaymentSchema,
    RateSchema,
    UnitSchema,
    UnitsSchema,
)
from scorekeeper.wire.strict import Strict, Whole

TAGS = ["Money"]


class StatementQuerySchema(Strict):
    """Whose statement; else the whole book."""

    member = Digits(0, MOST_MEMBER)


class ReversalSchema(Strict):
    """Which entry is taken back."""

    number = Whole(1, MOST_ENTRY, required=True)


@blp.get("/groups/<group_id>/money", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, MoneySchema)
@fresh
def read_money(group_id: str) -> Response:
    """Balances unit by unit, the fewest payments that settle them, the rates that were agreed."""
    group = ledger().group(group_id)
    return answer(money_answer(group), group)


@blp.get("/groups/<group_id>/statement", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(StatementQuerySchema(), location="query")
@blp.response(200, StatementSchema)
@fresh_if(lambda query, group_id: _member(query, ledger().group(group_id)))
def read_statement(query: dict[str, Any], group_id: str) -> Response:
    """The book of money, or one member's part of it with his balance after every entry."""
    group = ledger().group(group_id)
    entries = groups.statement(ledger(), group, _member(query, group))
    return answer({"entries": statement_answer(entries)}, group)


def _member(query: dict[str, Any], group: Group) -> int | None:
    """Whose part of the book is asked for; RuleError E_GROUP for nobody's."""
    member: int | None = query.get("member")
    if member is not None:
        group_changes.check_member(group, member, "member")
    return member


@blp.post("/groups/<group_id>/payments", tags=TAGS)
@blp.doc(**SECRET, parameters=[NEEDED_KEY])
@blp.arguments(PaymentSchema())
@blp.response(201, EnteredSchema)
def enter_payment(body: dict[str, Any], group_id: str) -> Response:
    """Enter a payment between two members; one larger than the debt leaves a credit."""
    return _entered(groups.pay(ledger(), group_id, **body, key=needed_key()))


@blp.post("/groups/<group_id>/settlements", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(UnitSchema())
@blp.response(201, EnteredSchema)
def settle_up(body: dict[str, Any], group_id: str) -> Response:
    """Enter all open payments of a unit as made; they are those of the version that was seen."""
    return _entered(groups.settle_up(ledger(), group_id, **body, **seen(group_id)))


@blp.put("/groups/<group_id>/rates", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(RateSchema())
@blp.response(200, MoneySchema)
def agree_rate(body: dict[str, Any], group_id: str) -> Response:
    """Keep what one of a unit is in another, as the group agreed."""
    group = groups.agree_rate(ledger(), group_id, **body, **seen(group_id))
    return answer(money_answer(group), group)


@blp.post("/groups/<group_id>/conversions", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(UnitsSchema())
@blp.response(201, EnteredSchema)
def convert_balances(body: dict[str, Any], group_id: str) -> Response:
    """Carry all balances of a unit over into another, at the agreed rate."""
    return _entered(groups.convert(ledger(), group_id, **body, **seen(group_id)))


@blp.post("/groups/<group_id>/reversals", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(ReversalSchema())
@blp.response(201, EnteredSchema)
def reverse_entry(body: dict[str, Any], group_id: str) -> Response:
    """Take a payment, settlement or conversion back by a further entry; both stay readable."""
    number = body["number"]
    try:
        return _entered(groups.reverse(ledger(), group_id, number, **seen(group_id)))
    except KeyError:
        raise RuleError("E_GROUP", ("number",), why="no_entry", number=number) from None


def _entered(group: Group) -> Response:
    """The entry that brought a group to this version, and its money after it."""
    event = newest(ledger(), group)
    entry = entry_answer(event, moves_in(event), reversed=False)
    return answer({"entry": entry, **money_answer(group)}, group, status=201)
