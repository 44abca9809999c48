"""JSON answers about settlements: balances, exact amounts, payments."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, get_args

from marshmallow import fields

from scorekeeper.domain.errors import problem
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.codec import plain
from scorekeeper.domain.money.settlement import Settlement, Transfer
from scorekeeper.domain.rules import Settling, SettlingMode
from scorekeeper.i18n import Language
from scorekeeper.i18n.findings import finding
from scorekeeper.web.api.blueprint import AnswerSchema, FindingSchema
from scorekeeper.web.api.parts import integer, list_of, text


class TransferSchema(AnswerSchema):
    """One payment."""

    payer = integer(data_key="from")
    payee = integer(data_key="to")
    amount = text(metadata={"examples": ["65", "9/5"]})
    paid_at = fields.String(
        allow_none=True,
        metadata={"description": "when it was marked as paid; null: it is still to be paid"},
    )


class SettlementSchema(AnswerSchema):
    """The settlement: balances and payments, in exact amounts of the unit."""

    mode = text(metadata={"enum": list(get_args(SettlingMode))})
    measure = text(metadata={"enum": ["minus", "plus", "net"]})
    point_value = text(allow_none=True)
    unit = text()
    payable = text()
    stake = text(metadata={"description": "what every loser pays the winner at the end"})
    totals = list_of(fields.Integer())
    pairs = list_of(fields.List(fields.Integer(allow_none=True)), allow_none=True)
    balances = list_of(
        fields.Raw(metadata={"oneOf": [{"type": "integer"}, {"type": "string"}]}),
        allow_none=True,
        metadata={"description": "points; a fraction as text if several winners share a payment"},
    )
    stakes = list_of(
        fields.String(),
        allow_none=True,
        metadata={"description": "the part of the amounts that comes from the stake"},
    )
    pot = fields.List(
        fields.String(),
        metadata={"description": "the part of the stakes from a pot, if any"},
    )
    round_stakes = fields.List(
        fields.String(), metadata={"description": "the part of the stakes from rounds won, if any"}
    )
    amounts = list_of(fields.String(), allow_none=True)
    payable_amounts = list_of(fields.String(), allow_none=True)
    transfers = list_of(
        TransferSchema,
        allow_none=True,
        metadata={
            "description": "in a game the payments that were made and the fewest that settle what"
            " they left; once the plan has changed, those made come first"
        },
    )
    warnings = fields.List(fields.Nested(FindingSchema))


def settlement_answer(settlement: Settlement) -> dict[str, Any]:
    """Return pairs, balances, exact amounts and the fewest payments."""
    transfers = settlement.transfers
    return {
        "totals": list(settlement.totals),
        "pairs": settlement.pairs and [list(row) for row in settlement.pairs],
        "balances": settlement.balances and [plain(points) for points in settlement.balances],
        "stakes": _exact_texts_if_any(settlement.stakes),
        "amounts": _exact_texts_if_any(settlement.amounts),
        "payable_amounts": _exact_texts_if_any(settlement.payable_amounts),
        "transfers": transfers and [_transfer_answer(transfer) for transfer in transfers],
    }


def _transfer_answer(one: Transfer) -> dict[str, Any]:
    return {"from": one.payer, "to": one.payee, "amount": str(one.amount)}


def exact_texts(amounts: Iterable[Fraction]) -> list[str]:
    """Return amounts as exact text."""
    return [str(amount) for amount in amounts]


def _exact_texts_if_any(amounts: Iterable[Fraction] | None) -> list[str] | None:
    return None if amounts is None else exact_texts(amounts)


def terms_answer(terms: Settling) -> dict[str, Any]:
    """Return the terms of a settlement."""
    return {
        "mode": terms.mode,
        "measure": terms.measure,
        "point_value": None if terms.point_value is None else str(terms.point_value),
        "unit": terms.unit,
        "payable": str(terms.payable),
        "stake": str(terms.stake),
    }


def game_settlement_answer(game: Game, lang: Language) -> dict[str, Any]:
    """Return the settlement of a game, with payments that were made and those still due."""
    terms = game.rules.settle
    agreed = terms_answer(terms)
    settlement = game.settlement()
    if settlement is None:
        totals = [tally.of(terms.measure) for tally in game.sheet.tallies]
        nothing = ("pairs", "balances", "stakes", "amounts", "payable_amounts", "transfers")
        return agreed | {"totals": totals} | dict.fromkeys(nothing)
    body = agreed | settlement_answer(settlement)
    if game.rules.end.eliminate and settlement.stakes:
        body["pot"] = exact_texts(game.pot)
    if any(game.round_stakes):
        body["round_stakes"] = exact_texts(game.round_stakes)
    if settlement.transfers is not None:
        body["transfers"] = [
            {**_transfer_answer(payment), "paid_at": payment.paid_at}
            for payment in game.numbered_payments
        ]
    if game.winner_pays is not None:
        sides = game.with_stand_ins(lang.seat).sides
        pays = problem("W_WINNER_PAYS", player=sides[game.winner_pays])
        body["warnings"] = [finding(pays, lang, (), game.rules)]
    return body
