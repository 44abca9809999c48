"""Questions to the referee as JSON: about a meld, a hand or a turn. They need no game.

API, pages and command line send the same JSON and get the same answers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from marshmallow import fields, post_load

from scorekeeper.domain.budget import limited
from scorekeeper.domain.cards.card import Rank, Suit, card_named
from scorekeeper.domain.cards.names import NOTATIONS
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.referee.facts import Claim, Turn
from scorekeeper.domain.referee.steps import Step
from scorekeeper.domain.referee.table_change import TableChange, TableMeld
from scorekeeper.domain.referee.turn import check_turn
from scorekeeper.domain.referee.verdicts import HandVerdict, MeldVerdict, judge_hand, judge_meld
from scorekeeper.domain.rounds.facts import Cards, Drawn, Glass
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.plan import MAX_ROWS, PlanRow
from scorekeeper.i18n import Language
from scorekeeper.wire.referee_answers import hand_answer, meld_answer, turn_finding
from scorekeeper.wire.rounds import (
    LONGEST_MELD,
    MAX_PLAYERS,
    WHOLE_DECK,
    CardReader,
    CardsText,
    card_texts,
)
from scorekeeper.wire.schemas import RulesSchema
from scorekeeper.wire.strict import Choice, Flag, ListOf, NestedObject, StrictSchema, Whole, reasons

MAX_TABLE = WHOLE_DECK // 3
MAX_HAND = 24
"""Claims and double draws make hands longer than the cards dealt (RULES 5.6)."""
MAX_STEPS = 100
MAX_DRAWN = 20
"""More cards than anybody draws in a turn, or attempts at the glass."""


# ---- queries -------------------------------------------------------------------------


@dataclass(frozen=True)
class MeldQuestion:
    """Are these cards a meld?"""

    rules: RuleSet
    cards: Cards
    first: bool = False
    remarks: tuple[Problem, ...] = ()
    row: PlanRow | None = None
    """The row of the plan, where there is one and it was stated."""

    def judge(self) -> MeldVerdict:
        """Return the verdict."""
        return judge_meld(self.cards, self.rules, first=self.first, row=self.row)

    def answer(self, lang: Language) -> dict[str, Any]:
        """Return the verdict as JSON."""
        return meld_answer(self.judge(), self.rules, self.remarks, lang)


@dataclass(frozen=True)
class HandQuestion:
    """How few points can this hand be left with?"""

    rules: RuleSet
    cards: Cards
    table: tuple[Cards, ...] = ()
    has_laid: bool = False
    remarks: tuple[Problem, ...] = ()
    row: PlanRow | None = None

    def judge(self) -> HandVerdict:
        """Return the verdict; RuleError if there are no such cards."""
        laid, row = self.has_laid, self.row
        return judge_hand(self.cards, self.rules, self.table, has_laid=laid, row=row)

    def answer(self, lang: Language) -> dict[str, Any]:
        """Return the verdict as JSON."""
        return hand_answer(self.judge(), self.rules, self.remarks, lang)


@dataclass(frozen=True)
class TurnQuestion:
    """Was this turn allowed?"""

    rules: RuleSet
    turn: Turn
    remarks: tuple[Problem, ...] = ()

    def judge(self) -> tuple[Problem, ...]:
        """Return the problems with the turn."""
        with limited():
            return check_turn(self.turn, self.rules)

    def answer(self, lang: Language) -> dict[str, Any]:
        """Return the problems and allowed alternatives as JSON."""
        problems: list[dict[str, Any]] = []
        warnings: list[dict[str, Any]] = []
        for found in (*self.judge(), *self.remarks):
            answers = problems if found.is_error else warnings
            answers.append(turn_finding(found, self.turn, self.rules, lang))
        return {"allowed": not problems, "problems": problems, "warnings": warnings}


# ---- reading it ----------------------------------------------------------------------


class RulesOfQuestion(NestedObject):
    """Rules as JSON; pages know those of their table already."""

    def __init__(self) -> None:
        super().__init__(RulesSchema(), required=True)

    def _deserialize(self, value: Any, attr: Any, data: Any, *_: Any, **more: Any) -> Any:
        if isinstance(value, RuleSet):
            return value
        return super()._deserialize(value, attr, data, **more)


class QuestionSchema(StrictSchema):
    """The rules and the notation of a question.

    ``players``, ``plan_row`` and ``wild`` are those of the round, where the rules depend on them.
    """

    rules = RulesOfQuestion()
    players = Whole(2, MAX_PLAYERS)
    plan_row = Whole(1, MAX_ROWS)
    wild = Choice(*(rank.letter for rank in Rank), "JK")
    notation = Choice(*NOTATIONS, load_default="en")


class TableMeldInput(NamedTuple):
    """A meld as it was sent."""

    cards: str | list[str]
    own: bool = False


class LaidSchema(StrictSchema):
    """A meld on the table: its cards, whether it is the player's own, an id for the client."""

    cards = CardsText("4S 5S 6S", required=True)
    own = Flag()
    id = fields.Raw(metadata={"type": ["string", "integer"], "description": "chosen by the client"})


class TableMeldField(fields.Nested):
    """A meld on the table as an object, or only its cards."""

    default_error_messages = reasons("cards")

    def __init__(self) -> None:
        super().__init__(LaidSchema())
        self.alternative = CardsText("4S 5S 6S")
        """The other form, for the OpenAPI document."""

    def _deserialize(
        self, value: Any, attr: Any, data: Any, *_: Any, **more: Any
    ) -> TableMeldInput:
        if not isinstance(value, dict):
            return TableMeldInput(card_texts(value))
        data = super()._deserialize(value, attr, data, **more)
        return TableMeldInput(data["cards"], data.get("own", False))


class MeldQuestionSchema(QuestionSchema):
    """Cards that might be a meld; ``first`` if laid out as the first meld of a round."""

    cards = CardsText("8H 9H JK", required=True)
    first = Flag(load_default=False)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> MeldQuestion:
        """Return the question; RuleError for cards that cannot be read."""
        read = _Reader(data["notation"])
        cards = read.cards(data["cards"], ("cards",), most=LONGEST_MELD)
        rules, row = _rules_of_round(data)
        return MeldQuestion(rules, cards, data["first"], read.done(), row)


class HandQuestionSchema(QuestionSchema):
    """A hand, and the melds on the table that cards may be laid off on.

    ``has_laid``: the player has already laid out a first meld.
    """

    cards = CardsText("KH KD KS 7C 8C 9C 2H", required=True)
    table = ListOf(TableMeldField(), 0, MAX_TABLE, load_default=list)
    has_laid = Flag(load_default=False)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> HandQuestion:
        """Return the question; RuleError for cards that cannot be read."""
        read = _Reader(data["notation"])
        cards = read.cards(data["cards"], ("cards",))
        if len(cards) > MAX_HAND:
            facts = {"why": "most", "declared": len(cards), "most": MAX_HAND}
            read.refuse(Problem("E_HAND_COUNT", facts, ("cards",)))
        table = tuple(meld.cards for meld in read.table(data["table"], "table"))
        rules, row = _rules_of_round(data)
        return HandQuestion(rules, cards, table, data["has_laid"], read.done(), row)


class StepSchema(StrictSchema):
    """A move; melds are numbered as they come to the table, beginning with ``before``."""

    move = Choice("steal", "lay", "lay_off", "swap", required=True)
    cards = CardsText("7S", required=True)
    meld = Whole(0, 2 * WHOLE_DECK, allow_none=True, load_default=None)


class TurnDrawnSchema(StrictSchema):
    """A card drawn in a turn; cards from the stock need not be named."""

    source = Choice("stock", "discard", required=True, data_key="from")
    card = CardsText("7C", allow_none=True)


class ClaimSchema(StrictSchema):
    """A claimed discard, and whether the player in turn agreed."""

    card = CardsText("7C", required=True)
    consent = Flag(allow_none=True)


class AttemptSchema(StrictSchema):
    """An attempt at the glass; with ``hit``, the pile is checked."""

    kind = Choice("group", "sequence", required=True)
    rank = Choice(*(rank.letter for rank in Rank))
    suit = Choice(*(suit.value for suit in Suit))
    by = Whole(0, MAX_PLAYERS - 1)
    hit = Flag()
    pile = CardsText("7H 2C 7S KD 7C", allow_none=True)


class TurnQuestionSchema(QuestionSchema):
    """A turn; facts left out are not checked.

    The table before and after it, or ``steps`` instead of ``after``. An empty list for
    ``drawn`` or null for ``discard`` means that there was none. With a ``claim``, ``drawn`` are
    the cards that it costs. A player who has not laid out (``has_laid`` false) and has no card
    left (``hand_left`` 0) makes a hand rommé.
    """

    before = ListOf(TableMeldField(), 0, MAX_TABLE, load_default=list)
    hand_used = CardsText("8S 9S", load_default="")
    after = ListOf(TableMeldField(), 0, MAX_TABLE)
    to_hand = CardsText("JK", load_default="")
    has_laid = Flag(load_default=True)
    steps = ListOf(NestedObject(StepSchema()), 0, MAX_STEPS)
    drawn = ListOf(NestedObject(TurnDrawnSchema()), 0, MAX_DRAWN, allow_none=True)
    laid_before_drawing = Flag()
    discard = CardsText("7C", allow_none=True)
    discard_is_drawn = Flag()
    in_turn = Flag()
    claim = NestedObject(ClaimSchema(), allow_none=True)
    glass = ListOf(NestedObject(AttemptSchema()), 0, MAX_DRAWN, allow_none=True)
    hirschn = Flag()
    knock = Flag()
    hand_left = Whole(0, WHOLE_DECK)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> TurnQuestion:
        """Return the question; RuleError for cards that cannot be read."""
        read = _Reader(data["notation"])
        rules, row = _rules_of_round(data)
        change = TableChange(
            before=tuple(read.table(data["before"], "before")),
            hand_used=read.cards(data["hand_used"], ("hand_used",)),
            after=tuple(meld.cards for meld in read.table(data.get("after", ()), "after")),
            to_hand=read.cards(data["to_hand"], ("to_hand",)),
            has_laid=data["has_laid"],
            contract=row.need if row else (),
        )
        steps = tuple(read.steps(data["steps"])) if "steps" in data else None
        facts = {name: data[name] for name in AS_STATED if name in data}
        facts |= {name: fact(read, data[name]) for name, fact in TURN_FACTS.items() if name in data}
        tells_of_table = "after" in data or steps is not None
        if tells_of_table or not facts or change.hand_used or change.to_hand:
            read.either("after" in data, steps is not None)
        turn = Turn(
            change=change if tells_of_table else None,
            lying=() if tells_of_table else tuple(meld.cards for meld in change.before),
            steps=steps,
            has_laid=change.has_laid,
            **facts,
        )
        return TurnQuestion(rules, turn, read.done())


def _rules_of_round(data: dict[str, Any]) -> tuple[RuleSet, PlanRow | None]:
    """Return the rules of the round that is asked about, and its row of the plan.

    RuleError for a row that the plan does not have, or for a wild rank where none is cut.
    """
    rules: RuleSet = data["rules"]
    number, plan = data.get("plan_row"), rules.round.plan
    if plan and number is not None and number > len(plan):
        raise RuleError("E_PLAN_ROW", ("plan_row",), why="range", rows=len(plan))
    row = plan[number - 1] if plan and number is not None else None
    wild = card_named(data["wild"]) if "wild" in data else None
    if wild and rules.wild.rank != "cut":
        raise RuleError("E_RULE_OFF", ("wild",), why="off", option="wild.rank")
    if row is None and wild is None:
        return rules, None
    return rules.for_round(data.get("players", rules.players.max), row, wild), row


class _Reader(CardReader):
    """Reads the melds of a table and the moves."""

    def table(self, melds: Iterable[TableMeldInput], name: str) -> Iterable[TableMeld]:
        for i, meld in enumerate(melds):
            yield TableMeld(self.cards(meld.cards, (name, i)), meld.own)

    def steps(self, moves: Sequence[dict[str, Any]]) -> Iterable[Step]:
        for i, one in enumerate(moves):
            yield Step(one["move"], self.cards(one["cards"], ("steps", i, "cards")), one["meld"])

    def drawn(self, data: Sequence[dict[str, Any]] | None) -> tuple[Drawn, ...]:
        return tuple(
            Drawn(one["source"], self.card(one.get("card"), ("drawn", i, "card")))
            for i, one in enumerate(data or ())
        )

    def discard(self, data: Any) -> Cards:
        return self.cards(data, ("discard",), most=1)

    def claim(self, data: dict[str, Any] | None) -> Claim | None:
        card = self.card(data["card"], ("claim", "card")) if data else None
        return Claim(card, (data or {}).get("consent")) if card else None

    def glass(self, data: Sequence[dict[str, Any]] | None) -> tuple[Glass, ...]:
        return tuple(self.attempt(one, ("glass", i)) for i, one in enumerate(data or ()))

    def attempt(self, data: dict[str, Any], place: Where) -> Glass:
        pile = data.get("pile")
        return Glass(
            by=data.get("by", 0),
            kind=data["kind"],
            rank=card_named(data["rank"]).rank if "rank" in data else None,
            suit=Suit(data["suit"]) if "suit" in data else None,
            hit=data.get("hit", False),
            pile=self.cards(pile, (*place, "pile")) if pile and "hit" in data else None,
        )

    def either(self, after: bool, steps: bool) -> None:
        """Refuse a turn with both ``after`` and ``steps``, or with neither."""
        if after == steps:
            why = "either" if after else "missing"
            self.refuse(Problem("E_FORM", {"why": why}, ("after",)))


AS_STATED = (
    "laid_before_drawing",
    "discard_is_drawn",
    "in_turn",
    "hirschn",
    "knock",
    "hand_left",
    "players",
)
"""Facts of a turn that need no conversion."""
TURN_FACTS: Mapping[str, Callable[[_Reader, Any], object]] = {
    "drawn": _Reader.drawn,
    "discard": _Reader.discard,
    "claim": _Reader.claim,
    "glass": _Reader.glass,
}
"""How the facts of a turn that contain cards are read."""
