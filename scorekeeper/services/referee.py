"""Questions to the referee that need no game: of a meld, of a hand, of a turn on the table.

Strict in, plain JSON out. The interface and the command line ask in this form
and get the same answers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from marshmallow import fields

from scorekeeper.domain.budget import limited
from scorekeeper.domain.cards import Card, Rank, Suit
from scorekeeper.domain.errors import Problem, Where
from scorekeeper.domain.melds import Meld, first_meld_points
from scorekeeper.domain.notation import write_cards
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.referee import TableMeld, Turn
from scorekeeper.domain.rounds import Cards, Drawn, Glass
from scorekeeper.domain.solver import Arrangement
from scorekeeper.domain.steps import Step
from scorekeeper.domain.turn import Claim, Instead, WholeTurn, check_whole_turn, remedies
from scorekeeper.domain.verdicts import (
    HandVerdict,
    MeldVerdict,
    Remedy,
    judge_hand,
    judge_meld,
)
from scorekeeper.i18n import Language
from scorekeeper.i18n.findings import clause_words, finding
from scorekeeper.wire.schemas import (
    MOST_CARDS,
    MOST_PLAYERS,
    WHOLE_DECK,
    CardReader,
    RulesSchema,
    Written,
    written,
)
from scorekeeper.wire.strict import WHYS, Choice, Flag, Part, Several, Strict, Whole

MOST_MELDS = 37
"""Two packs and eight jokers are no more."""
MOST_HELD = 24
"""Claims and two-card draws make a hand longer than the cards dealt (RULES 5.6)."""
MOST_STEPS = 100
MOST_DRAWN = 20
"""More than anybody draws in a turn, or tries to catch the glass."""


# ---- what is asked -------------------------------------------------------------------


@dataclass(frozen=True)
class MeldQuestion:
    """Are these cards a meld?"""

    rules: RuleSet
    cards: Cards
    first: bool = False
    remarks: tuple[Problem, ...] = ()

    def judge(self) -> MeldVerdict:
        """What the rules say."""
        return judge_meld(self.cards, self.rules, first=self.first)

    def answer(self, lang: Language) -> dict[str, Any]:
        """What the rules say, as JSON."""
        return meld_answer(self.judge(), self.remarks, lang)


@dataclass(frozen=True)
class HandQuestion:
    """What is the least that this hand can be left with?"""

    rules: RuleSet
    cards: Cards
    table: tuple[Cards, ...] = ()
    has_laid: bool = False
    remarks: tuple[Problem, ...] = ()

    def judge(self) -> HandVerdict:
        """What the hand can do; RuleError where there are no such cards."""
        return judge_hand(self.cards, self.rules, self.table, has_laid=self.has_laid)

    def answer(self, lang: Language) -> dict[str, Any]:
        """What the hand can do, as JSON."""
        return hand_answer(self.judge(), self.rules, self.remarks, lang)


@dataclass(frozen=True)
class TurnQuestion:
    """Was this turn allowed?"""

    rules: RuleSet
    turn: WholeTurn
    remarks: tuple[Problem, ...] = ()

    def judge(self) -> tuple[Problem, ...]:
        """What the rules have against it."""
        with limited():
            return check_whole_turn(self.turn, self.rules)

    def answer(self, lang: Language) -> dict[str, Any]:
        """What the rules have against it, and what would be allowed instead, as JSON."""
        findings = [turn_finding(one, self, lang) for one in (*self.judge(), *self.remarks)]
        problems = [one for one in findings if one["code"].startswith("E_")]
        warnings = [one for one in findings if not one["code"].startswith("E_")]
        return {"allowed": not problems, "problems": problems, "warnings": warnings}


# ---- reading it ----------------------------------------------------------------------


class Asked(Strict):
    """What every question says: by which rules, and how cards are written."""

    rules = Part(RulesSchema(), required=True)
    notation = Choice("en", "de", "auto", load_default="en")


class LaidCards(NamedTuple):
    """A meld as it was sent."""

    cards: str | list[str]
    own: bool = False


class LaidSchema(Strict):
    """A meld on the table: its cards; whose it is; what the asker calls it."""

    cards = Written("4S 5S 6S", required=True)
    own = Flag()
    id = fields.Raw(metadata={"type": ["string", "integer"], "description": "for the asker"})


class Laid(fields.Nested):
    """A meld on the table, or only its cards."""

    default_error_messages = WHYS

    def __init__(self) -> None:
        super().__init__(LaidSchema())
        self.written = Written("4S 5S 6S")
        """The other form, for the description."""

    def _deserialize(self, value: Any, attr: Any, data: Any, *_: Any, **more: Any) -> LaidCards:
        if not isinstance(value, dict):
            return LaidCards(written(value))
        said = super()._deserialize(value, attr, data, **more)
        return LaidCards(said["cards"], said.get("own", False))


class MeldQuestionSchema(Asked):
    """Cards that might be a meld; ``first``: laid out as the first one of a round."""

    cards = Written("8H 9H JK", required=True)
    first = Flag(load_default=False)

    def made(self, data: dict[str, Any]) -> MeldQuestion:
        """The question, if its cards can be read."""
        read = _Reader(data["notation"])
        cards = read.cards(data["cards"], ("cards",), most=MOST_CARDS)
        return MeldQuestion(data["rules"], cards, data["first"], read.done())


class HandQuestionSchema(Asked):
    """A hand, the melds on the table that cards may be laid off on, and who holds it.

    ``has_laid``: the player has made his first meld before.
    """

    cards = Written("KH KD KS 7C 8C 9C 2H", required=True)
    table = Several(Laid(), 0, MOST_MELDS, load_default=list)
    has_laid = Flag(load_default=False)

    def made(self, data: dict[str, Any]) -> HandQuestion:
        """The question, if its cards can be read."""
        read = _Reader(data["notation"])
        cards = read.cards(data["cards"], ("cards",))
        if len(cards) > MOST_HELD:
            facts = {"why": "most", "declared": len(cards), "most": MOST_HELD}
            read.refuse(Problem("E_HAND_COUNT", facts, ("cards",)))
        table = tuple(meld.cards for meld in read.table(data["table"], "table"))
        return HandQuestion(data["rules"], cards, table, data["has_laid"], read.done())


class StepSchema(Strict):
    """One move: melds are numbered as they come to the table, those of ``before`` first."""

    move = Choice("steal", "lay", "lay_off", "swap", required=True)
    cards = Written("7S", required=True)
    meld = Whole(0, 2 * WHOLE_DECK, allow_none=True, load_default=None)


class TurnDrawnSchema(Strict):
    """A card drawn in a turn; a card of the stock need not be named."""

    source = Choice("stock", "discard", required=True, data_key="from")
    card = Written("7C", allow_none=True)


class ClaimSchema(Strict):
    """A claimed discard, and whether the player whose turn it was agreed."""

    card = Written("7C", required=True)
    consent = Flag(allow_none=True)


class AttemptSchema(Strict):
    """An attempt at the glass; a pile is compared with ``hit``."""

    kind = Choice("group", "sequence", required=True)
    rank = Choice(*(rank.letter for rank in Rank))
    suit = Choice(*(suit.value for suit in Suit))
    by = Whole(0, MOST_PLAYERS - 1)
    hit = Flag()
    pile = Written("7H 2C 7S KD 7C", allow_none=True)


class TurnQuestionSchema(Asked):
    """A turn; what is absent was not stated and is not judged.

    The table before and after it, or ``steps`` instead of ``after``; an empty list of what
    was ``drawn`` says nothing was, and so does null for the ``discard``.
    """

    before = Several(Laid(), 0, MOST_MELDS, load_default=list)
    hand_used = Written("8S 9S", load_default="")
    after = Several(Laid(), 0, MOST_MELDS)
    to_hand = Written("JK", load_default="")
    has_laid = Flag(load_default=True)
    steps = Several(Part(StepSchema()), 0, MOST_STEPS)
    drawn = Several(Part(TurnDrawnSchema()), 0, MOST_DRAWN, allow_none=True)
    laid_before_drawing = Flag()
    discard = Written("7C", allow_none=True)
    discard_is_drawn = Flag()
    in_turn = Flag()
    claim = Part(ClaimSchema(), allow_none=True)
    glass = Several(Part(AttemptSchema()), 0, MOST_DRAWN, allow_none=True)
    hirschn = Flag()
    knock = Flag()
    hand_left = Whole(0, WHOLE_DECK)
    players = Whole(2, MOST_PLAYERS)

    def made(self, data: dict[str, Any]) -> TurnQuestion:
        """The question, if its cards can be read."""
        read = _Reader(data["notation"])
        table = Turn(
            before=tuple(read.table(data["before"], "before")),
            hand_used=read.cards(data["hand_used"], ("hand_used",)),
            after=tuple(meld.cards for meld in read.table(data.get("after", ()), "after")),
            to_hand=read.cards(data["to_hand"], ("to_hand",)),
            has_laid=data["has_laid"],
        )
        steps = tuple(map(read.step, data["steps"], range(MOST_STEPS))) if "steps" in data else None
        facts = {name: data[name] for name in AS_STATED if name in data}
        facts |= {name: fact(read, data[name]) for name, fact in TURN_FACTS.items() if name in data}
        tells_of_table = "after" in data or steps is not None
        if tells_of_table or not facts or table.hand_used or table.to_hand:
            read.either("after" in data, steps is not None)
        turn = WholeTurn(
            table=table if tells_of_table else None,
            steps=steps,
            has_laid=table.has_laid,
            **facts,
        )
        return TurnQuestion(data["rules"], turn, read.done())


class _Reader(CardReader):
    """Reads the melds of a table and the moves on it."""

    def table(self, melds: Iterable[LaidCards], name: str) -> Iterable[TableMeld]:
        for i, meld in enumerate(melds):
            yield TableMeld(self.cards(meld.cards, (name, i)), meld.own)

    def step(self, said: dict[str, Any], number: int) -> Step:
        cards = self.cards(said["cards"], ("steps", number, "cards"))
        return Step(said["move"], cards, said["meld"])

    def drawn(self, said: Sequence[dict[str, Any]] | None) -> tuple[Drawn, ...]:
        return tuple(
            Drawn(one["source"], self.one(one.get("card"), ("drawn", i, "card")))
            for i, one in enumerate(said or ())
        )

    def discard(self, said: Any) -> Cards:
        card = self.one(said, ("discard",))
        return (card,) if card else ()

    def claim(self, said: dict[str, Any] | None) -> Claim | None:
        card = self.one(said["card"], ("claim", "card")) if said else None
        return Claim(card, (said or {}).get("consent")) if card else None

    def glass(self, said: Sequence[dict[str, Any]] | None) -> tuple[Glass, ...]:
        return tuple(self.attempt(one, ("glass", i)) for i, one in enumerate(said or ()))

    def attempt(self, said: dict[str, Any], place: Where) -> Glass:
        pile = said.get("pile")
        return Glass(
            by=said.get("by", 0),
            kind=said["kind"],
            rank=next((rank for rank in Rank if rank.letter == said.get("rank")), None),
            suit=Suit(said["suit"]) if "suit" in said else None,
            hit=said.get("hit", False),
            pile=self.cards(pile, (*place, "pile")) if pile and "hit" in said else None,
        )

    def one(self, said: Any, place: Where) -> Card | None:
        """One card, or none."""
        cards = self.cards(said, place, most=1)
        return cards[0] if len(cards) == 1 else None

    def either(self, after: bool, steps: bool) -> None:
        """A turn is told in one way."""
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
"""Facts of a turn that are taken as they come."""
TURN_FACTS: Mapping[str, Callable[[_Reader, Any], object]] = {
    "drawn": _Reader.drawn,
    "discard": _Reader.discard,
    "claim": _Reader.claim,
    "glass": _Reader.glass,
}
"""Facts of a turn that have cards, and how they are read."""


# ---- what is answered ----------------------------------------------------------------


def reading_answer(meld: Meld) -> dict[str, Any]:
    """A meld: its cards and what each of them stands for."""
    return {
        "kind": meld.kind,
        "points": meld.points,
        "cards": [
            {
                "card": str(place.card.physical),
                "stands_for": str(place.at) if place.is_wild else None,
            }
            for place in meld.places
        ],
    }


def meld_answer(verdict: MeldVerdict, remarks: Sequence[Problem], lang: Language) -> dict[str, Any]:
    """Whether cards are a meld, which one and why; what would make it right."""
    nothing: dict[str, Any] = {"kind": None, "points": None, "cards": []}
    reading = reading_answer(verdict.meld) if verdict.meld else nothing
    first = verdict.first
    return {
        "valid": verdict.is_valid,
        **reading,
        "readings": [reading_answer(meld) for meld in verdict.readings],
        "reasons": [
            {"clause": clause, "message": clause_words(clause, lang)} for clause in verdict.grounds
        ],
        "first_meld": first
        and {"reached": first.reached, "needed": first.needed, "enough": first.is_enough},
        "fixes": [
            {"how": one.how, "cards": write_cards(one.cards), "message": remedy_words(one, lang)}
            for one in verdict.remedies
        ],
        "problems": [finding(one.under("cards"), lang) for one in verdict.problems],
        "warnings": [
            *(finding(one, lang) for one in remarks),
            *(finding(one.under("cards"), lang) for one in verdict.warnings),
        ],
    }


def remedy_words(remedy: Remedy, lang: Language) -> str:
    """What would make cards a meld, in a sentence."""
    cards = remedy.cards
    return lang(f"fix.{remedy.how}", cards=cards, card=cards[0], other=cards[-1])


def hand_answer(
    verdict: HandVerdict, rules: RuleSet, remarks: Sequence[Problem], lang: Language
) -> dict[str, Any]:
    """The best arrangement of a hand, its first melds, and the ways to go out with it."""
    return {
        **arrangement_answer(verdict.best),
        "first_meld": _first_answer(verdict, rules) if verdict.needed else None,
        "ways_out": [
            {"discard": way.discard and str(way.discard), **arrangement_answer(way.arrangement)}
            for way in verdict.ways_out
        ],
        "warnings": [finding(one, lang) for one in remarks],
    }


def _first_answer(verdict: HandVerdict, rules: RuleSet) -> dict[str, Any]:
    told: dict[str, Any] = {"needed": verdict.needed, "cheapest": None, "dearest": None}
    if verdict.first:
        for name in ("cheapest", "dearest"):
            melds = getattr(verdict.first, name)
            points = first_meld_points(melds, rules)
            told[name] = {"points": points, "melds": [reading_answer(meld) for meld in melds]}
    return told


def arrangement_answer(arrangement: Arrangement) -> dict[str, Any]:
    """Cards set out: melds, lay-offs, and what is left."""
    return {
        "points": arrangement.points,
        "melds": [reading_answer(meld) for meld in arrangement.melds],
        "layoffs": [{"card": str(card), "meld": meld} for card, meld in arrangement.layoffs],
        "rest": write_cards(arrangement.rest),
    }


def turn_finding(problem: Problem, question: TurnQuestion, lang: Language) -> dict[str, Any]:
    """What is against a turn, with what would be allowed instead."""
    fixes = [
        {
            "how": one.key,
            "cards": write_cards(one.cards),
            "on": write_cards(one.on),
            "message": instead_words(one, lang),
        }
        for one in remedies(problem, question.turn, question.rules)
    ]
    return finding(problem, lang) | {"fixes": fixes}


def instead_words(remedy: Instead, lang: Language) -> str:
    """What would be allowed, in a few words."""
    return lang(f"instead.{remedy.key}", cards=remedy.cards, on=remedy.on)
