"""Scores and settlements without a game; nothing is stored."""

from dataclasses import replace
from typing import Any, get_args

from flask import Response

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import MOST_SEATS, check_count
from scorekeeper.domain.money.settlement import settle, table_stakes
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet, Settling, SettlingMode
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.web.api.answers import ScoreSchema, score_answer
from scorekeeper.web.api.blueprint import answer, blp
from scorekeeper.web.api.examples import SCORES
from scorekeeper.web.api.settlement_answers import SettlementSchema, settlement_answer, terms_answer
from scorekeeper.web.background import search_exactly
from scorekeeper.web.context import judge_by, language
from scorekeeper.wire.rounds import MAX_PLAYERS, RoundEntry, RoundSchema
from scorekeeper.wire.schemas import OptionValue, RulesSchema
from scorekeeper.wire.strict import Choice, ListOf, NestedObject, StrictSchema, Whole

MAX_TOTAL = 10_000_000
MAX_END = 100_000
TERMS = ("mode", "measure", "point_value", "unit", "payable", "stake")


class ScoreBodySchema(StrictSchema):
    """A round to score; without ``end_points`` the rules decide, null means no limit."""

    rules = NestedObject(RulesSchema(), required=True)
    players = Whole(2, MAX_PLAYERS, required=True)
    end_points = Whole(1, MAX_END, allow_none=True)
    round = NestedObject(RoundSchema(), required=True)


@blp.post("/rounds/score", tags=["Rounds"])
@blp.arguments(ScoreBodySchema(), examples=SCORES)
@blp.response(200, ScoreSchema)
def score_without_game(body: dict[str, Any]) -> Response:
    """Score a round: points by seat, the lines that explain them, warnings."""
    rules: RuleSet = body["rules"]
    entry: RoundEntry = body["round"]
    judge_by(rules)
    check_count(rules, body["players"])
    if "end_points" in body:
        limit = body["end_points"]
        end = replace(rules.end, mode="points" if limit else "manual", points=limit)
        rules = replace(rules, end=end)
    try:
        score = search_exactly(
            score_round, entry.round, rules, body["players"], noticed=entry.warnings
        )
    except RuleError as error:
        raise error.under("round") from None
    return answer(score_answer(score, rules, language(), ()))


class SettlementBodySchema(StrictSchema):
    """Totals to settle; without point value and stake there is no money.

    ``payable`` is the step of payment in units; by default the smallest coin of the unit, 1/100
    for EUR, CHF, USD and GBP, else 1.

    ``winners`` are the players, counted from 0, who share the stake of the table, and whom the
    others pay in the mode ``winner``; by default the players with the best total.
    """

    measure = Choice("minus", "plus", "net", required=True)
    mode = Choice(*get_args(SettlingMode), load_default="pairwise")
    totals = ListOf(Whole(-MAX_TOTAL, MAX_TOTAL), 2, MOST_SEATS, required=True)
    point_value = OptionValue("settle.point_value", allow_none=True, load_default=None)
    unit = OptionValue("settle.unit", may_be_empty=True, load_default=Settling.unit)
    payable = OptionValue("settle.payable")
    stake = OptionValue("settle.stake")
    winners = ListOf(Whole(0, MOST_SEATS - 1), 1, MOST_SEATS)


@blp.post("/settlements", tags=["Settlement"])
@blp.arguments(SettlementBodySchema())
@blp.response(200, SettlementSchema)
def settle_totals(body: dict[str, Any]) -> Response:
    """Settle totals: pairs, balances, exact amounts, the fewest payments."""
    body = {"payable": smallest_coin(body["unit"]), **body}
    terms = Settling(
        **{name: body[name] for name in TERMS if name in body}  # the others have defaults
    )
    ranks = _ranks(body)
    try:
        settlement = settle(
            [body["totals"]],
            terms,
            stakes=table_stakes(terms.stake, ranks) if terms.stake else None,
            winners=[seat for seat, rank in enumerate(ranks) if rank == 1],
        )
    except RuleError as error:
        raise error.under("totals") from None
    return answer(terms_answer(terms) | settlement_answer(settlement))


def _ranks(body: dict[str, Any]) -> list[int]:
    """Return rank 1 for the named winners, else for the best totals, and 2 for all others."""
    totals: list[int] = body["totals"]
    best = min(totals) if body["measure"] == "minus" else max(totals)
    winners = body.get("winners", [seat for seat, one in enumerate(totals) if one == best])
    for number, seat in enumerate(winners):
        if seat >= len(totals):
            raise RuleError("E_FORM", ("winners", number), why="no_seat")
    return [1 if seat in winners else 2 for seat in range(len(totals))]
