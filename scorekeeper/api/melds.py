"""Whether cards are a meld (RULES 5)."""

from typing import Any

from flask import Response

from scorekeeper.api.answers import MeldCheckSchema, reading_answer
from scorekeeper.api.blueprint import answer, blp
from scorekeeper.api.problems import finding
from scorekeeper.context import language
from scorekeeper.domain.errors import Problem, RuleError, warning
from scorekeeper.domain.melds import Meld, read_meld, readings, unpinned
from scorekeeper.domain.notation import read_cards
from scorekeeper.domain.options import RuleSet
from scorekeeper.schemas import MOST_CARDS, RulesSchema, Written
from scorekeeper.strict import Choice, Flag, FormError, Part, Strict


class MeldBodySchema(Strict):
    """Cards that might be a meld; ``first``: laid out as the first one of a round."""

    rules = Part(RulesSchema(), required=True)
    cards = Written("8H 9H JK", required=True)
    notation = Choice("en", "de", "auto", load_default="en")
    first = Flag(load_default=False)


@blp.post("/melds/check", tags=["Melds"])
@blp.arguments(MeldBodySchema())
@blp.response(200, MeldCheckSchema)
def check_meld(body: dict[str, Any]) -> Response:
    """Read cards as a meld: its kind and points, what jokers stand for, or why it is none."""
    rules: RuleSet = body["rules"]
    try:
        cards, remarks = read_cards(body["cards"], body["notation"])
    except RuleError as error:
        raise error.under("cards") from None
    if len(cards) > MOST_CARDS:
        raise FormError("E_FORM", ("cards",), why="length", least=3, most=MOST_CARDS)
    warnings = [remark.under("cards") for remark in remarks]
    meld: Meld | None = None
    problems: list[Problem] = []
    try:
        meld = read_meld(cards, rules)
    except RuleError as error:
        problems += error.under("cards").problems
    if meld and unpinned(meld, rules):
        warnings.append(warning("W_JOKER_UNPINNED", ("cards",), cards=cards))
    if meld and body["first"]:
        problems += _too_cheap(meld, rules)
    return answer(_told(meld, problems, warnings) | _all_readings(cards, rules))


def _too_cheap(meld: Meld, rules: RuleSet) -> list[Problem]:
    """A first meld needs the minimum (RULES 5.5)."""
    if meld.points >= rules.meld.first_min:
        return []
    facts = {"why": "meld", "reached": meld.points, "needed": rules.meld.first_min}
    return [Problem("E_FIRST_MIN", facts, ("cards",))]


def _told(meld: Meld | None, problems: list[Problem], warnings: list[Problem]) -> dict[str, Any]:
    lang = language()
    reading = reading_answer(meld) if meld else {"kind": None, "points": None, "cards": []}
    return {
        "valid": not problems,
        **reading,
        "problems": [finding(problem, lang) for problem in problems],
        "warnings": [finding(remark, lang) for remark in warnings],
    }


def _all_readings(cards: Any, rules: RuleSet) -> dict[str, Any]:
    return {"readings": [reading_answer(meld) for meld in readings(cards, rules)]}
