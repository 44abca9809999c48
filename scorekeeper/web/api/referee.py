"""The referee: questions about a meld, a hand or a turn, without a game."""

from collections.abc import Mapping

from flask import Response
from marshmallow import fields

from scorekeeper.web.api.blueprint import AnswerSchema, FindingSchema, answer, blp
from scorekeeper.web.api.examples import Example
from scorekeeper.web.api.parts import flag, integer, list_of, part, text
from scorekeeper.web.background import search_exactly
from scorekeeper.web.context import judge_by, language
from scorekeeper.wire.referee import (
    HandQuestion,
    HandQuestionSchema,
    MeldQuestion,
    MeldQuestionSchema,
    TurnQuestion,
    TurnQuestionSchema,
)

TAGS = ["Referee"]
PALAST: Example = {"preset": "romme-palast"}
ROBBER: Example = {"preset": "robber"}
FAMILY = {"preset": "german-family"}

MELDS: Mapping[str, Example] = {
    "joker": {
        "summary": "the order decides what the joker stands for",
        "value": {"rules": PALAST, "cards": "8H 9H JK", "first": True},
    },
    "refused": {
        "summary": "two jokers that could be 6-7 or 10-J",
        "value": {"rules": PALAST, "cards": ["8H", "9H", "JK", "JK"]},
    },
}
HANDS: Mapping[str, Example] = {
    "wiener": {
        "summary": "two packs and a joker: 22 are left",
        "value": {
            "rules": {"preset": "wiener"},
            "cards": "QD 5H 5C 2S AH AD JK KH KD KS 7C 8C 9C",
        },
    },
    "gin": {
        "summary": "lay-offs on the knocker's melds: 34 are left",
        "value": {
            "rules": {"preset": "gin-palast"},
            "cards": "10S AD 5H AH 10H 7D 10D QH QD JH",
            "table": [{"cards": "4S..9S"}, {"cards": "9H 9D 9C"}],
        },
    },
    "contract": {
        "summary": "two sets must be laid first: the third stays in the hand",
        "value": {
            "rules": {"preset": "contract-rummy"},
            "plan_row": 1,
            "cards": "KH KD KS 9C 9D 9S 4H 4D 4C 2S",
        },
    },
}
TURNS: Mapping[str, Example] = {
    "table": {
        "summary": "the table before and after a robbery",
        "value": {
            "rules": ROBBER,
            "before": [{"cards": "4S 5S 6S 7S"}],
            "hand_used": "8S 9S",
            "after": ["4S 5S 6S", "7S 8S 9S"],
            "to_hand": "",
            "has_laid": True,
        },
    },
    "steps": {
        "summary": "the same, move by move",
        "value": {
            "rules": ROBBER,
            "before": [{"cards": "4S 5S 6S 7S", "own": False}],
            "hand_used": "8S 9S",
            "steps": [
                {"move": "steal", "meld": 0, "cards": "7S"},
                {"move": "lay", "cards": "7S 8S 9S"},
            ],
        },
    },
    "whole": {
        "summary": "a whole turn: the card from the discard pile lies in no meld",
        "value": {
            "rules": ROBBER,
            "drawn": [{"from": "discard", "card": "9D"}],
            "before": ["6D 7D 8D"],
            "hand_used": "5S 6S 7S",
            "after": ["6D 7D 8D", "5S 6S 7S"],
            "discard": "KC",
            "hand_left": 9,
            "in_turn": True,
            "players": 4,
        },
    },
    "hand_romme": {
        "summary": "a hand rommé: 36 points are enough, and a card is laid off",
        "value": {
            "rules": FAMILY,
            "has_laid": False,
            "drawn": [{"from": "stock"}],
            "before": ["4H 4D 4C"],
            "hand_used": "AS 2S 3S 2H 2D 2C 3H 3D 3C 4S 5D 5H 5C",
            "after": ["4H 4D 4C 4S", "AS 2S 3S", "2H 2D 2C", "3H 3D 3C", "5D 5H 5C"],
            "discard": "KC",
            "hand_left": 0,
        },
    },
}


class MeldCardSchema(AnswerSchema):
    """A card in a meld."""

    card = text()
    stands_for = text(allow_none=True, metadata={"description": "null for a natural card"})


class ReadingSchema(AnswerSchema):
    """One way to read cards as a meld."""

    kind = text(metadata={"enum": ["set", "run", "rainbow"]})
    points = integer()
    cards = list_of(MeldCardSchema)


class ReasonSchema(AnswerSchema):
    """A rule by which cards are a meld."""

    clause = text(metadata={"examples": ["5.2"]})
    message = text(metadata={"description": "the rule and its source"})


class FirstMeldSchema(AnswerSchema):
    """Whether a meld is enough for a first meld."""

    reached = integer()
    needed = integer()
    enough = flag()


class FixSchema(AnswerSchema):
    """A small change after which the cards are a meld."""

    how = text(metadata={"enum": ["declare", "without", "with", "instead"]})
    cards = list_of(
        fields.String(),
        metadata={
            "description": "declare: the whole meld; without, with: the card; "
            "instead: the card and its replacement"
        },
    )
    message = text()


class MeldCheckSchema(AnswerSchema):
    """Whether cards are a meld: readings and rules, or problems and possible fixes."""

    valid = flag()
    kind = text(allow_none=True)
    points = integer(allow_none=True)
    cards = list_of(MeldCardSchema)
    readings = list_of(ReadingSchema)
    reasons = list_of(ReasonSchema)
    first_meld = part(
        FirstMeldSchema,
        allow_none=True,
        metadata={"description": "null if not requested, or if there is no minimum"},
    )
    fixes = list_of(FixSchema)
    problems = list_of(FindingSchema)
    warnings = list_of(FindingSchema)


class LayOffSchema(AnswerSchema):
    """A card laid off, and the meld of ``table`` that it joins."""

    card = text(metadata={"examples": ["JK=7H"]})
    meld = integer()


class ArrangementSchema(AnswerSchema):
    """A hand arranged into melds, lay-offs and rest."""

    points = integer()
    melds = list_of(ReadingSchema)
    layoffs = list_of(LayOffSchema)
    rest = list_of(fields.String())


class WayOutSchema(ArrangementSchema):
    """A way to go out at once."""

    discard = text(allow_none=True, metadata={"description": "null if nothing is discarded"})


class LaidOutSchema(AnswerSchema):
    """Melds to lay out first, and their points."""

    points = integer()
    melds = list_of(ReadingSchema)


class FirstMeldsSchema(AnswerSchema):
    """The first melds that a hand allows; null if there are none."""

    needed = integer()
    cheapest = part(LaidOutSchema, allow_none=True)
    dearest = part(LaidOutSchema, allow_none=True)


class ContractSchema(AnswerSchema):
    """The melds that a player must lay first, and whether the hand has them."""

    need = text(metadata={"examples": ["S3 R4"]})
    complete = flag()


class HandSchema(ArrangementSchema):
    """The arrangement of a hand that leaves the fewest points."""

    first_meld = part(
        FirstMeldsSchema,
        allow_none=True,
        metadata={"description": "null if no minimum applies, or no longer"},
    )
    contract = fields.Nested(
        ContractSchema,
        metadata={"description": "only where the row of the plan asks for one that does not lie"},
    )
    ways_out = list_of(WayOutSchema)
    warnings = list_of(FindingSchema)


class InsteadSchema(AnswerSchema):
    """Something that would have been allowed."""

    how = text(metadata={"examples": ["draw_stock"]})
    cards = list_of(fields.String())
    on = list_of(fields.String(), metadata={"description": "the meld to lay the cards off on"})
    message = text()


class TurnFindingSchema(FindingSchema):
    """A problem with a turn, and what would be allowed instead."""

    fixes = list_of(InsteadSchema)


class TurnSchema(AnswerSchema):
    """Whether a turn was allowed."""

    allowed = flag()
    problems = list_of(TurnFindingSchema)
    warnings = list_of(TurnFindingSchema)


@blp.post("/melds/check", tags=TAGS)
@blp.arguments(MeldQuestionSchema(), examples=MELDS)
@blp.response(200, MeldCheckSchema)
def check_meld(question: MeldQuestion) -> Response:
    """Check a meld: its kind and the rules it follows, or why it is none and how to fix it."""
    return answer(question.answer(language()))


@blp.post("/hands/arrange", tags=TAGS)
@blp.arguments(HandQuestionSchema(), examples=HANDS)
@blp.response(200, HandSchema)
def arrange_hand(question: HandQuestion) -> Response:
    """Arrange a hand into own melds and lay-offs so that the fewest points are left."""
    judge_by(question.rules)
    return answer(search_exactly(question.answer, language()))


@blp.post("/table/check", tags=TAGS)
@blp.arguments(TurnQuestionSchema(), examples=TURNS)
@blp.response(200, TurnSchema)
def check_table(question: TurnQuestion) -> Response:
    """Check a player's turn, given as the table before and after or move by move.

    The draw, the order, claims, the discard, the glass and whose turn it was are checked if stated.
    """
    return answer(search_exactly(question.answer, language()))
