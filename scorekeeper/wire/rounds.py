"""Schemas of rounds, and reading a round from JSON.

Only form is checked: types, ranges, lengths, the spelling of cards; the domain checks the rules.
``encode_round`` in ``domain/history/codec.py`` writes a round as JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, cast, get_args

from marshmallow import fields, post_load

from scorekeeper.domain.cards.card import JOKER, Card, Rank, Suit, card_named
from scorekeeper.domain.cards.names import NOTATIONS, Notation
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game.changes import MOST_SEATS
from scorekeeper.domain.history.codec import with_fields
from scorekeeper.domain.rounds.facts import (
    Cards,
    Drawn,
    Glass,
    Hirschn,
    LayOff,
    MeldRef,
    Outcome,
    Round,
    Seat,
    Swap,
)
from scorekeeper.domain.rounds.undivided import melds_in_order
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.kinds import MAX_PLAYERS as MAX_PLAYERS
from scorekeeper.domain.rules.kinds import shown
from scorekeeper.domain.rules.plan import MAX_ROWS
from scorekeeper.i18n.printable import unprintable
from scorekeeper.wire.strict import (
    MAX_PROBLEMS,
    Choice,
    FactsSchema,
    Flag,
    ListOf,
    NestedObject,
    ShortText,
    StrictSchema,
    Whole,
    load,
    reasons,
    refuse,
)

LONGEST_MELD = 16
MAX_HELD = 60
"""Cards of one player in family lay, where claims and double draws make hands long (RULES 5.6)."""
MAX_MELDS = MAX_HELD // 3
WHOLE_DECK = 2 * 52 + 8
MAX_LETTERS = 800
"""Enough for a whole deck, or for the longest hand in words."""
MAX_POINTS = 9_999


class PrintableText(ShortText):
    """A short text that is also printed: characters missing from the fonts are refused."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        if unprintable(text):
            refuse("text")
        return text


class CardsText(fields.Field[Any]):
    """Cards as text or a list of texts; they are read once the notation is known."""

    default_error_messages = reasons("cards")

    def __init__(self, example: str = "KH 9C AS JK", **more: Any) -> None:
        text: dict[str, object] = {"type": "string", "maxLength": MAX_LETTERS}
        forms: list[object] = [
            {**text, "examples": [example]},
            {"type": "array", "items": text, "maxItems": WHOLE_DECK},
        ]
        if more.get("allow_none"):
            forms.append({"type": "null"})
        super().__init__(metadata={"oneOf": forms, "description": f"cards: {example}"}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str | list[str]:
        return card_texts(value)


def card_texts(value: object) -> str | list[str]:
    """Return cards as they were sent; ValidationError for anything else."""
    if isinstance(value, str):
        texts = [value]
    elif isinstance(value, list) and all(isinstance(text, str) for text in value):
        texts = value
    else:
        refuse("type", expected="cards")
    if len(texts) > WHOLE_DECK or sum(map(len, texts)) > MAX_LETTERS:
        refuse("length", least=0, most=WHOLE_DECK)
    return cast("str | list[str]", value)


def _hand(example: str = "KH 9C AS JK") -> CardsText:
    return CardsText(example, allow_none=True)


def _melds() -> ListOf:
    return ListOf(CardsText("7C 8C 9C"), 0, MAX_MELDS, allow_none=True)


def _points() -> Whole:
    return Whole(0, MAX_POINTS, code="E_POINTS")


def _seat(**more: Any) -> Whole:
    return Whole(0, MOST_SEATS - 1, **more)


def _notation() -> Choice:
    return Choice(*NOTATIONS)


# ---- a round -------------------------------------------------------------------------


class MeldRefSchema(StrictSchema):
    """A meld on the table; the owner's first melds come before their other melds."""

    seat = _seat(required=True)
    index = Whole(0, 2 * MAX_MELDS - 1, required=True)


class MoveSchema(StrictSchema):
    """A card laid off on a meld, or exchanged for the joker in it."""

    card = CardsText("9S", required=True)
    meld = NestedObject(MeldRefSchema(), required=True)


class SeatSchema(FactsSchema):
    """The facts of one player (RULES 6); an absent key was not stated, null says none."""

    absent = Flag()
    hand = _hand()
    rest = _hand("K 2")
    points = _points()
    count = _points()
    deadwood = _points()
    aces = Whole(0, 8)
    announced = _points()
    first_meld = _melds()
    melds = _melds()
    layoffs = ListOf(NestedObject(MoveSchema()), 0, MAX_HELD, allow_none=True)
    swaps = ListOf(NestedObject(MoveSchema()), 0, MAX_HELD, allow_none=True)
    discard = _hand("KD")
    klopfen = Whole(0, 20)
    laid_points = _points()
    laid = Flag()
    drop = Choice("first", "middle")
    wrong = Flag()
    turns = Whole(0, 100)
    notation = _notation()


class DrawnSchema(FactsSchema):
    """Where the knocker's last card came from."""

    source = Choice("stock", "discard", required=True, data_key="from")
    card = _hand("KC")


class HirschnSchema(StrictSchema):
    """A Hirschn! call."""

    caller = _seat(required=True)
    turns_after = Whole(0, 100, required=True)


class GlassSchema(FactsSchema):
    """An attempt at catching the glass."""

    by = _seat(required=True)
    kind = Choice("group", "sequence", required=True)
    rank = Choice(*(rank.letter for rank in Rank))
    suit = Choice(*(suit.value for suit in Suit))
    hit = Flag(required=True)
    pile = _hand("7H 2C 7S KD 7C")


class PlanRows(fields.Field[Any]):
    """The row of the plan, from 1, or a list with the row of each seat."""

    default_error_messages = reasons("rows")

    def __init__(self, **more: Any) -> None:
        row = {"type": "integer", "minimum": 1, "maximum": MAX_ROWS}
        each = {"type": "array", "items": row, "maxItems": MAX_PLAYERS}
        super().__init__(metadata={"oneOf": [row, each, {"type": "null"}]}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> int | tuple[int, ...]:
        rows = value if isinstance(value, list) else [value]
        if len(rows) > MAX_PLAYERS or any(type(row) is not int for row in rows):
            refuse("type", expected="rows")
        if any(not 1 <= row <= MAX_ROWS for row in rows):
            refuse("range", least=1, most=MAX_ROWS, value=shown(value))
        return tuple(rows) if isinstance(value, list) else cast(int, value)


class RoundEntry(NamedTuple):
    """A round as it was entered, with warnings about its notation."""

    round: Round
    warnings: tuple[Problem, ...] = ()


class RoundSchema(FactsSchema):
    """A round of any family (RULES 6).

    ``order`` lists the seats clockwise; seats that it leaves out come last. Without it, players sit
    as in their game, and elsewhere in the order of ``seats``.
    """

    outcome = Choice(*get_args(Outcome), required=True)
    winner = _seat(why="one_seat", allow_none=True)
    knocker = _seat(why="one_seat", allow_none=True)
    hand_romme = Flag()
    seats = ListOf(NestedObject(SeatSchema(partial=True)), 0, MOST_SEATS)  # skips absent facts
    oklahoma_card = _hand("7D")
    drawn = NestedObject(DrawnSchema(), allow_none=True)
    joker_discarded = Flag()
    big_gin = Flag()
    hirschn = NestedObject(HirschnSchema(), allow_none=True)
    glass = ListOf(NestedObject(GlassSchema()), 0, 50, allow_none=True)
    wild = Choice(*(rank.letter for rank in Rank), "JK")
    one_run = Flag()
    rejoin = ListOf(_seat(), 0, MAX_PLAYERS)
    order = ListOf(_seat(), 0, MOST_SEATS)
    plan_row = PlanRows(allow_none=True)
    accept_irregular = Flag()
    note = PrintableText(0, 280)
    notation = _notation()

    rules: RuleSet | None = None
    """If set, a list of cards may hold several melds, one after the other."""

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> RoundEntry:
        """Return the round; RuleError for cards that cannot be read."""
        reader = _Reader(data.pop("notation", "en"), self.rules)
        return RoundEntry(reader.round(data), reader.done())


ROUND = RoundSchema()


def load_round(body: object, rules: RuleSet | None = None) -> RoundEntry:
    """Return a round from its JSON form, with warnings about its notation.

    With ``rules``, several melds may be written as one; each ends where it can take no more
    cards. Raises FormError for errors of form, else RuleError for cards that cannot be read.
    """
    schema = copy(ROUND)
    schema.rules = rules
    return cast(RoundEntry, load(schema, body))


# ---- reading it ----------------------------------------------------------------------


class CardReader:
    """Reads cards, and collects all errors before it raises."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def cards(
        self, card_texts: Any, place: Where, *, bare: bool = False, most: int = WHOLE_DECK
    ) -> Cards:
        """Return the cards of a field; none if they cannot be read."""
        if not card_texts:
            return ()
        try:
            cards, remarks = read_cards(card_texts, self.notation, bare=bare)
        except RuleError as error:
            self.refuse(*error.under(*place).problems)
            return ()
        if not self.warnings:  # RULES 2: once per round is enough
            self.warnings += [remark.under(*place) for remark in remarks]
        self.limit(cards, most, place)
        return cards

    def limit(self, several: Sequence[object], most: int, place: Where) -> None:
        """Refuse more than ``most`` items."""
        if len(several) > most:
            facts = {"why": "length", "least": 0, "most": most}
            one = {"why": "one_card", "count": len(several)}
            self.refuse(Problem("E_FORM", one if most == 1 else facts, place))

    def refuse(self, *problems: Problem) -> None:
        """Collect problems, and raise after MAX_PROBLEMS."""
        self.problems += problems
        if len(self.problems) >= MAX_PROBLEMS:
            self.done()

    def card(self, card_texts: Any, place: Where) -> Card | None:
        """Return the only card of a field; None if there is none."""
        return next(iter(self.cards(card_texts, place, most=1)), None)

    def done(self) -> tuple[Problem, ...]:
        """Return the warnings; RuleError if anything could not be read."""
        if self.problems:
            raise RuleError.of(self.problems)
        return tuple(self.warnings)


class _Reader(CardReader):
    """Builds a Round from validated data."""

    def __init__(self, notation: Notation, rules: RuleSet | None = None) -> None:
        super().__init__(notation)
        self.rules = rules

    def round(self, data: dict[str, Any]) -> Round:
        if "wild" in data:
            data["wild"] = card_named(data["wild"])
            if self.rules:  # melds that follow each other end where the wild rank lets them
                most = self.rules.players.max
                self.rules = self.rules.for_round(most, cut=data["wild"])
        seats = enumerate(data.pop("seats", ()))
        data["seats"] = tuple(self.seat(seat, ("seats", i)) for i, seat in seats)
        data |= {name: tuple(data[name]) for name in ("rejoin", "order") if name in data}
        if "oklahoma_card" in data:
            data["oklahoma_card"] = self.card(data["oklahoma_card"], ("oklahoma_card",))
        if data.get("drawn"):
            data["drawn"] = self.drawn(data["drawn"], ("drawn",))
        if data.get("hirschn"):
            data["hirschn"] = Hirschn(**data["hirschn"])
        if "glass" in data:
            attempts = enumerate(data["glass"] or ())
            data["glass"] = tuple(self.attempt(one, ("glass", i)) for i, one in attempts)
        return with_fields(Round, data)

    def seat(self, data: dict[str, Any], place: Where) -> Seat:
        others, self.notation = self.notation, data.pop("notation", self.notation)
        for name, read in _READERS.items():
            if name in data:
                data[name] = read(self, data[name], (*place, name))
        self.notation = others
        return with_fields(Seat, data)

    def drawn(self, data: dict[str, Any], place: Where) -> Drawn:
        return Drawn(data["source"], self.card(data.get("card"), (*place, "card")))

    def attempt(self, data: dict[str, Any], place: Where) -> Glass:
        if "rank" in data:
            data["rank"] = card_named(data["rank"]).rank
        if "suit" in data:
            data["suit"] = Suit(data["suit"])
        if "pile" in data:
            data["pile"] = self.cards(data["pile"], (*place, "pile"))
        return Glass(**data)

    def melds(self, card_texts: Sequence[Any] | None, place: Where) -> tuple[Cards, ...]:
        lines = enumerate(card_texts or ())
        melds = [one for i, line in lines for one in self.meld(line, (*place, i))]
        self.limit(melds, MAX_MELDS, place)
        return tuple(melds)

    def meld(self, card_texts: Any, place: Where) -> tuple[Cards, ...]:
        """Return the meld, or with rules all melds that follow each other."""
        cards = self.cards(card_texts, place)
        melds = melds_in_order(cards, self.rules) if self.rules else ()
        for meld in melds or (cards,):
            self.limit(meld, LONGEST_MELD, place)
        return melds or (cards,)

    def layoffs(self, moves: Sequence[Any] | None, place: Where) -> tuple[LayOff, ...]:
        return tuple(LayOff(*move) for move in self.moves(moves, place))

    def swaps(self, moves: Sequence[Any] | None, place: Where) -> tuple[Swap, ...]:
        return tuple(Swap(*move) for move in self.moves(moves, place))

    def moves(self, moves: Sequence[Any] | None, place: Where) -> Iterator[tuple[Card, MeldRef]]:
        return (self.move(one, (*place, i)) for i, one in enumerate(moves or ()))

    def move(self, data: dict[str, Any], place: Where) -> tuple[Card, MeldRef]:
        problems_before = len(self.problems)
        card = self.card(data["card"], (*place, "card"))
        if card is None and len(self.problems) == problems_before:
            self.refuse(Problem("E_FORM", {"why": "missing"}, (*place, "card")))
        # A placeholder; a card that cannot be read refuses the round anyway.
        return card or JOKER, MeldRef(**data["meld"])

    def hand(self, card_texts: Any, place: Where) -> Cards:
        return self.cards(card_texts, place, bare=True, most=MAX_HELD)

    def discard(self, card_texts: Any, place: Where) -> Cards:
        return self.cards(card_texts, place, most=1)


_READERS: Mapping[str, Any] = {
    "hand": _Reader.hand,
    "rest": _Reader.hand,
    "first_meld": _Reader.melds,
    "melds": _Reader.melds,
    "layoffs": _Reader.layoffs,
    "swaps": _Reader.swaps,
    "discard": _Reader.discard,
}
"""How the card facts of a seat are read, in the order of its fields."""
