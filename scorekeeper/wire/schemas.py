"""Schemas of rounds, rules and games as they come from outside.

Bodies of the API, forms of the pages, files and imports share them. Only form is checked
here: types, ranges, lengths, spelling of cards; what the rules say about the facts is the
domain's business. ``domain.record`` writes a round as JSON. The schemas also describe the
API (OpenAPI).
"""

from collections.abc import Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any, NamedTuple, cast

from marshmallow import ValidationError, fields

from scorekeeper.domain.cards import JOKER, Card, Rank, Suit
from scorekeeper.domain.changes import NewGame
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.group_changes import NewGroup
from scorekeeper.domain.kinds import Exact
from scorekeeper.domain.laid import melds_in_order
from scorekeeper.domain.notation import Notation, read_cards
from scorekeeper.domain.options import OPTIONS, RuleSet
from scorekeeper.domain.presets import preset, stake_options
from scorekeeper.domain.rounds import (
    Cards,
    Drawn,
    Glass,
    Hirschn,
    LayOff,
    MeldRef,
    Round,
    Seat,
    Swap,
)
from scorekeeper.i18n.printable import unprintable
from scorekeeper.wire.strict import (
    MOST_PROBLEMS,
    WHYS,
    Choice,
    Flag,
    Line,
    Part,
    Several,
    Strict,
    Whole,
    load,
    refuse,
    shown,
)

MOST_PLAYERS = 6
MOST_CARDS = 16
"""No meld is longer, and no hand that has to be arranged."""
MOST_HELD = 60
"""Cards of one player in family lay, where claims and drawing two make hands long (RULES 5.6)."""
MOST_MELDS = MOST_HELD // 3
WHOLE_DECK = 112
MOST_LETTERS = 800
"""Enough for a whole deck, or for the longest hand in words."""
MOST_POINTS = 9_999
MOST_OPTIONS = 100


class Printed(Line):
    """A line that the paper shows too: characters that its faces cannot draw are refused."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        if unprintable(text):
            refuse("text")
        return text


class Written(fields.Field[Any]):
    """Cards as they were written, one text or a list of texts; read when all is there."""

    default_error_messages = WHYS

    def __init__(self, example: str = "KH 9C AS JK", **more: Any) -> None:
        text: dict[str, object] = {"type": "string", "maxLength": MOST_LETTERS}
        forms: list[object] = [
            {**text, "examples": [example]},
            {"type": "array", "items": text, "maxItems": WHOLE_DECK},
        ]
        if more.get("allow_none"):
            forms.append({"type": "null"})
        super().__init__(metadata={"oneOf": forms, "description": f"cards: {example}"}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str | list[str]:
        return written(value)


def written(value: object) -> str | list[str]:
    """Return cards as they were written; ValidationError for anything else."""
    if isinstance(value, str):
        texts = [value]
    elif isinstance(value, list) and all(isinstance(text, str) for text in value):
        texts = value
    else:
        refuse("type")
    if len(texts) > WHOLE_DECK or sum(map(len, texts)) > MOST_LETTERS:
        refuse("length", least=0, most=WHOLE_DECK)
    return cast("str | list[str]", value)


def _hand(example: str = "KH 9C AS JK") -> Written:
    return Written(example, allow_none=True)


def _melds() -> Several:
    return Several(Written("7C 8C 9C"), 0, MOST_MELDS, allow_none=True)


def _points() -> Whole:
    return Whole(0, MOST_POINTS, code="E_POINTS")


def _seat(**more: Any) -> Whole:
    return Whole(0, MOST_PLAYERS - 1, **more)


def _notation() -> Choice:
    return Choice("en", "de", "auto")


# ---- a round -------------------------------------------------------------------------


class MeldRefSchema(Strict):
    """A meld on the table: the owner's first melds count first, then his others."""

    seat = _seat(required=True)
    index = Whole(0, 2 * MOST_MELDS - 1, required=True)


class MoveSchema(Strict):
    """A card laid off on a meld, or exchanged for the joker in it."""

    card = Written("9S", required=True)
    meld = Part(MeldRefSchema(), required=True)


class SeatSchema(Strict):
    """What is declared of one player (RULES 6); a key that is absent was not stated."""

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
    layoffs = Several(Part(MoveSchema()), 0, MOST_HELD, allow_none=True)
    swaps = Several(Part(MoveSchema()), 0, MOST_HELD, allow_none=True)
    discard = _hand("KD")
    klopfen = Whole(0, 20)
    laid = Flag()
    turns = Whole(0, 100)
    notation = _notation()


class DrawnSchema(Strict):
    """Where the knocker's last card came from."""

    source = Choice("stock", "discard", required=True, data_key="from")
    card = _hand("KC")


class HirschnSchema(Strict):
    """A Hirschn! call."""

    caller = _seat(required=True)
    turns_after = Whole(0, 100, required=True)


class GlassSchema(Strict):
    """One attempt at catching the glass."""

    by = _seat(required=True)
    kind = Choice("group", "sequence", required=True)
    rank = Choice(*(rank.letter for rank in Rank))
    suit = Choice(*(suit.value for suit in Suit))
    hit = Flag(required=True)
    pile = _hand("7H 2C 7S KD 7C")


class Entry(NamedTuple):
    """A round as it was entered, and what is doubtful about the way it was written."""

    round: Round
    warnings: tuple[Problem, ...] = ()


class RoundSchema(Strict):
    """A round of any family (RULES 6)."""

    outcome = Choice("out", "knock", "void", "cancelled", required=True)
    winner = _seat(allow_none=True)
    knocker = _seat(allow_none=True)
    hand_romme = Flag()
    seats = Several(Part(SeatSchema()), 0, MOST_PLAYERS)
    oklahoma_card = _hand("7D")
    drawn = Part(DrawnSchema(), allow_none=True)
    joker_discarded = Flag()
    hirschn = Part(HirschnSchema(), allow_none=True)
    glass = Several(Part(GlassSchema()), 0, 50, allow_none=True)
    accept_irregular = Flag()
    note = Printed(0, 280)
    notation = _notation()

    rules: RuleSet | None = None
    """The rules under which a list of cards may hold several melds, one after the other."""

    def made(self, data: dict[str, Any]) -> Entry:
        """The round, if all of its cards can be read."""
        reader = _Reader(data.pop("notation", "en"), self.rules)
        return Entry(reader.round(data), reader.done())


ROUND = RoundSchema()


def load_round(body: object, rules: RuleSet | None = None) -> Entry:
    """A round from its wire form, with the warnings that its notation gives.

    With ``rules`` several melds may be written as one: each ends where it can take no more
    cards. Raises FormError with what is wrong in its form, else RuleError with the cards that
    cannot be read.
    """
    schema = copy(ROUND)
    schema.rules = rules
    return cast(Entry, load(schema, body))


# ---- reading it ----------------------------------------------------------------------


class CardReader:
    """Reads cards; collects what cannot be read before it refuses."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def cards(
        self, written: Any, place: Where, *, bare: bool = False, most: int = WHOLE_DECK
    ) -> Cards:
        """The cards of one place; none where they cannot be read."""
        if not written:
            return ()
        try:
            cards, remarks = read_cards(written, self.notation, bare=bare)
        except RuleError as error:
            self.refuse(*error.under(*place).problems)
            return ()
        if not self.warnings:  # once per entry is enough (RULES 2)
            self.warnings += [remark.under(*place) for remark in remarks]
        self.limit(cards, most, place)
        return cards

    def limit(self, several: Sequence[object], most: int, place: Where) -> None:
        """Refuse more than so many."""
        if len(several) > most:
            facts = {"why": "length", "least": 0, "most": most}
            self.refuse(Problem("E_FORM", facts, place))

    def refuse(self, *problems: Problem) -> None:
        """Remember what is wrong; at so much of it nobody reads on."""
        self.problems += problems
        if len(self.problems) >= MOST_PROBLEMS:
            self.done()

    def done(self) -> tuple[Problem, ...]:
        """The warnings; RuleError if anything could not be read."""
        if self.problems:
            raise RuleError.of(self.problems)
        return tuple(self.warnings)


class _Reader(CardReader):
    """Turns checked data into a Round."""

    def __init__(self, notation: Notation, rules: RuleSet | None = None) -> None:
        super().__init__(notation)
        self.rules = rules

    def round(self, data: dict[str, Any]) -> Round:
        seats = enumerate(data.pop("seats", ()))
        data["seats"] = tuple(self.seat(seat, ("seats", i)) for i, seat in seats)
        if "oklahoma_card" in data:
            data["oklahoma_card"] = self.card(data["oklahoma_card"], ("oklahoma_card",))
        if data.get("drawn"):
            data["drawn"] = self.drawn(data["drawn"], ("drawn",))
        if data.get("hirschn"):
            data["hirschn"] = Hirschn(**data["hirschn"])
        if "glass" in data:
            attempts = enumerate(data["glass"] or ())
            data["glass"] = tuple(self.glass(one, ("glass", i)) for i, one in attempts)
        return Round(**data)

    def seat(self, data: dict[str, Any], place: Where) -> Seat:
        others, self.notation = self.notation, data.pop("notation", self.notation)
        for name, read in _READ.items():
            if name in data:
                data[name] = read(self, data[name], (*place, name))
        self.notation = others
        return Seat(**data)

    def drawn(self, data: dict[str, Any], place: Where) -> Drawn:
        return Drawn(data["source"], self.card(data.get("card"), (*place, "card")))

    def glass(self, data: dict[str, Any], place: Where) -> Glass:
        if "rank" in data:
            data["rank"] = next(rank for rank in Rank if rank.letter == data["rank"])
        if "suit" in data:
            data["suit"] = Suit(data["suit"])
        if "pile" in data:
            data["pile"] = self.cards(data["pile"], (*place, "pile"))
        return Glass(**data)

    def melds(self, written: Sequence[Any] | None, place: Where) -> tuple[Cards, ...]:
        lines = enumerate(written or ())
        melds = [one for i, line in lines for one in self.meld(line, (*place, i))]
        self.limit(melds, MOST_MELDS, place)
        return tuple(melds)

    def meld(self, written: Any, place: Where) -> tuple[Cards, ...]:
        """Return the meld that was written, or under rules all those that follow each other."""
        cards = self.cards(written, place)
        melds = melds_in_order(cards, self.rules) if self.rules else ()
        for one in melds or (cards,):
            self.limit(one, MOST_CARDS, place)
        return melds or (cards,)

    def layoffs(self, written: Sequence[Any] | None, place: Where) -> tuple[LayOff, ...]:
        return tuple(LayOff(*self.move(one, (*place, i))) for i, one in enumerate(written or ()))

    def swaps(self, written: Sequence[Any] | None, place: Where) -> tuple[Swap, ...]:
        return tuple(Swap(*self.move(one, (*place, i))) for i, one in enumerate(written or ()))

    def move(self, data: dict[str, Any], place: Where) -> tuple[Card, MeldRef]:
        told = len(self.problems)
        card = self.card(data["card"], (*place, "card"))
        if card is None and len(self.problems) == told:
            self.refuse(Problem("E_FORM", {"why": "missing"}, (*place, "card")))
        # A card that cannot be read refuses the round; until then any will do.
        return card or JOKER, MeldRef(**data["meld"])

    def hand(self, written: Any, place: Where) -> Cards:
        return self.cards(written, place, bare=True, most=MOST_HELD)

    def discard(self, written: Any, place: Where) -> Cards:
        return self.cards(written, place, most=1)

    def card(self, written: Any, place: Where) -> Card | None:
        return next(iter(self.cards(written, place, most=1)), None)


_READ: Mapping[str, Any] = {
    "hand": _Reader.hand,
    "rest": _Reader.hand,
    "first_meld": _Reader.melds,
    "melds": _Reader.melds,
    "layoffs": _Reader.layoffs,
    "swaps": _Reader.swaps,
    "discard": _Reader.discard,
}
"""The facts of a seat that are written in cards, in the order of a seat's fields."""


# ---- rules and games -----------------------------------------------------------------


class Options(fields.Dict):
    """House rules by dotted name; each option knows its own range."""

    default_error_messages = WHYS

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> dict[str, object]:
        if not isinstance(value, dict):
            refuse("type")
        if len(value) > MOST_OPTIONS:
            refuse("length", least=0, most=MOST_OPTIONS)
        return value


class OfOption(fields.Field[Any]):
    """A value that an option of the rules could take."""

    default_error_messages = WHYS

    def __init__(self, option: str, **more: Any) -> None:
        self.option, self.kind = option, OPTIONS[option].kind
        about = self.kind.describe()
        if isinstance(types := about.get("type"), list):
            about["type"] = types[0]  # none is said by allow_none
        super().__init__(metadata=about, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Any:
        try:
            read = self.kind.read(value)
        except (ValueError, TypeError):
            facts = {"option": self.option, "allowed": self.kind.describe()}
            refuse("range", "E_CONFIG", value=shown(str(value)), **facts)
        if isinstance(read, str) and unprintable(read):
            refuse("text")  # a unit that the printed sheet cannot show
        return read


class RulesSchema(Strict):
    """A rule system and what this table plays differently."""

    preset = Line(1, 40, required=True)
    options = Options()

    def made(self, data: dict[str, Any]) -> RuleSet:
        """The whole rule set; RuleError E_CONFIG at the option that does not fit."""
        began, options = preset(data["preset"]), data.get("options", {})
        for name, value in options.items():
            if isinstance(value, str) and unprintable(value):
                raise RuleError("E_FORM", ("options", shown(name)), why="text")
        try:
            return began.override(options) if options else began
        except RuleError as error:
            raise error.under("options") from None


class StakeSchema(Strict):
    """What is played for: settle.point_value, settle.unit, settle.payable, settle.stake."""

    point_value = OfOption("settle.point_value", allow_none=True)
    unit = OfOption("settle.unit")
    payable = OfOption("settle.payable")
    stake = OfOption("settle.stake")


class PlayerSchema(Strict):
    """One at the table."""

    name = Printed(1, 40, required=True)


class DetailsSchema(Strict):
    """Words about the evening that may change."""

    title = Printed(0, 80)
    place = Printed(0, 80)


class AccountSchema(Strict):
    """Where somebody wants to be paid; blanks in the number are as the bank prints them."""

    holder = Printed(1, 70, required=True)
    iban = Line(1, 60, required=True)


class NewGameSchema(Strict):
    """A game to begin, players clockwise."""

    title = Printed(0, 80, required=True)
    place = Printed(0, 80, load_default="")
    rules = Part(RulesSchema(), required=True)
    players = Several(Part(PlayerSchema()), 1, MOST_PLAYERS, required=True)
    stake = Part(StakeSchema(), load_default=dict)
    first_dealer = OfOption("deal.first_dealer")

    def made(self, data: dict[str, Any]) -> NewGame:
        """What is to begin."""
        rules = data["rules"].override(agreed(data))
        players = tuple(player["name"] for player in data["players"])
        return NewGame(data["title"], data["place"], rules, players)


# ---- groups --------------------------------------------------------------------------

MOST_MEMBERS = 100
"""Of a group when it is founded; who joins later is not counted."""
MOST_MEMBER = 9_999
MOST_ENTRY = 10**9


class Amount(fields.Field[Fraction]):
    """An exact number as text, a fraction or a decimal; ``parts`` is its largest denominator.

    Amounts are added up for years, and so their common denominator must not grow without end.
    """

    default_error_messages = WHYS

    def __init__(self, parts: int = 1_000, **more: Any) -> None:
        super().__init__(metadata=Exact().describe(), **more)
        self.parts = parts

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Fraction:
        try:
            read = Exact().read(value)
        except ValueError:
            refuse("amount")
        assert read is not None
        if read.denominator > self.parts:
            refuse("amount")
        return read


class GroupNameSchema(Strict):
    """What a group is called."""

    name = Printed(1, 80, required=True)


def agreed(data: Mapping[str, Any]) -> dict[str, object]:
    """What a body says beside its rules, as options of them: the stake, who deals first."""
    first = {"deal.first_dealer": data["first_dealer"]} if "first_dealer" in data else {}
    return {**stake_options(data.get("stake", {})), **first}


def staked(data: Mapping[str, Any]) -> RuleSet | None:
    """The rules of a body with what it says beside them; None for rules that are not stated."""
    if "rules" not in data:
        if "stake" in data:
            raise ValidationError({"rules": [Problem("E_FORM", {"why": "missing"})]})
        return None
    rules: RuleSet = data["rules"]
    return rules.override(agreed(data))


class NewGroupSchema(GroupNameSchema):
    """A group to found, with its house rules if it has some."""

    members = Several(Part(PlayerSchema()), 0, MOST_MEMBERS, load_default=list)
    rules = Part(RulesSchema())
    stake = Part(StakeSchema())

    def made(self, data: dict[str, Any]) -> NewGroup:
        """What is to be founded."""
        members = tuple(member["name"] for member in data["members"])
        return NewGroup(data["name"], members, staked(data))


class NewEveningSchema(Strict):
    """An evening to begin; without rules it is played as the group usually plays."""

    title = Printed(0, 80, load_default="")
    place = Printed(0, 80, load_default="")
    rules = Part(RulesSchema())
    players = Several(Part(PlayerSchema()), 1, MOST_PLAYERS, required=True)
    stake = Part(StakeSchema())
    first_dealer = OfOption("deal.first_dealer")
    training = Flag(load_default=False)

    def made(self, data: dict[str, Any]) -> dict[str, Any]:
        """The same, the stake within the rules; None for rules that are not stated."""
        return {**data, "rules": staked(data)}


class PaymentSchema(Strict):
    """Who paid whom how much, and why."""

    payer = Whole(0, MOST_MEMBER, required=True, data_key="from")
    payee = Whole(0, MOST_MEMBER, required=True, data_key="to")
    amount = Amount(required=True)
    unit = OfOption("settle.unit", required=True)
    note = Printed(0, 280)


class UnitSchema(Strict):
    """Which unit is meant."""

    unit = OfOption("settle.unit", required=True)


class UnitsSchema(UnitSchema):
    """From which unit into which other."""

    into = OfOption("settle.unit", required=True, data_key="in")


class RateSchema(UnitsSchema):
    """What one of a unit is in another."""

    rate = Amount(1_000_000, required=True)
