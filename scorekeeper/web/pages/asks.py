"""What the entry of a round asks: what the rules of this table need, and nothing else.

A field stands here with the option that calls for it, whom it is asked of and in which
ways of entry; form, template and correction all follow this one list.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.domain.checks import FAMILY_OUTCOMES
from scorekeeper.domain.options import RuleSet

Ways = tuple[str, ...]
WAYS: Ways = ("points", "ranks", "cards")
"""Three speeds of entry."""
POINTS: Ways = ("points",)
COUNTED: Ways = ("points", "ranks")
LISTED: Ways = ("ranks", "cards")
CARDS: Ways = ("cards",)
NEVER: Ways = ()

HELD: Mapping[str, Mapping[str, str]] = {
    "lay": {"points": "points", "ranks": "hand", "cards": "hand"},
    "hand": {"points": "points", "ranks": "rest", "cards": "hand"},
    "gin": {"points": "deadwood", "ranks": "rest", "cards": "hand"},
    "knock": {"points": "count", "ranks": "rest", "cards": "hand"},
}
"""The fact that says what a player has left, by family and way of entry (RULES 6.2 to 6.5)."""
ENDER = {"out": "winner", "knock": "knocker"}
IN_WAYS = {
    WAYS: "",
    POINTS: "in-points",
    COUNTED: "not-in-cards",
    LISTED: "not-in-points",
    CARDS: "in-cards",
}
"""The class by which the style sheet shows a field only in these ways of entry."""


def _always(rules: RuleSet) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Field:
    """Something asked of a seat besides what it has left."""

    name: str
    kind: str
    """How it is written: lines, moves, card, number, switch, maybe (yes or no), source."""
    of: str = "everyone"
    """Everyone, the ``ender`` (who went out or knocked), or the ``others``."""
    ways: Ways = WAYS
    folded: bool = True
    """Kept out of sight until it is wanted; what a score depends on is not."""
    when: Callable[[RuleSet], bool] = _always

    def is_asked(self, way: str, *, ends: bool) -> bool:
        """Whether this seat is asked for it."""
        return way in self.ways and self.of in ("everyone", "ender" if ends else "others")

    @property
    def shown(self) -> str:
        """The classes by which the style sheet shows it where it is asked."""
        return " ".join(filter(None, ("" if self.of == "everyone" else self.of, self.in_ways)))

    @property
    def in_ways(self) -> str:
        return IN_WAYS[self.ways]


ABSENT = Field(name="absent", kind="switch", of="others")
FIELDS: Mapping[str, tuple[Field, ...]] = {
    "lay": (
        ABSENT,
        Field(
            name="first_meld",
            kind="lines",
            when=lambda rules: bool(rules.meld.first_min or rules.meld.max_per_turn),
        ),
        Field(name="melds", kind="lines"),
        Field(name="layoffs", kind="moves", when=lambda rules: rules.layoff.scope != "none"),
        Field(
            name="swaps",
            kind="moves",
            when=lambda rules: rules.has_wild_cards and rules.joker.swap != "none",
        ),
        Field(name="discard", kind="card", of="ender"),
        Field(name="laid", kind="maybe", of="others"),
        Field(name="klopfen", kind="number", when=lambda rules: rules.klopfen.mode != "off"),
        Field(name="turns", kind="number", when=lambda rules: rules.draw.two_small_table),
    ),
    "hand": (
        ABSENT,
        Field(name="melds", kind="lines", ways=CARDS),
        Field(name="discard", kind="card", of="ender", ways=CARDS),
        Field(name="turns", kind="number", when=lambda rules: rules.draw.two_small_table),
    ),
    "gin": (
        Field(
            name="aces",
            kind="number",
            of="others",
            ways=POINTS,
            folded=False,
            when=lambda rules: rules.gin.tedesco,
        ),
        Field(
            name="joker_discarded",
            kind="switch",
            of="ender",
            ways=COUNTED,
            folded=False,
            when=lambda rules: rules.gin.joker_rule,
        ),
        Field(name="melds", kind="lines", ways=CARDS),
        Field(name="discard", kind="card", of="ender", ways=CARDS),
        Field(
            name="drawn",
            kind="source",
            of="ender",
            ways=CARDS,
            when=lambda rules: rules.gin.tedesco,
        ),
        Field(
            name="drawn_card",
            kind="card",
            of="ender",
            ways=CARDS,
            when=lambda rules: rules.gin.tedesco,
        ),
        Field(name="layoffs", kind="moves", of="others", ways=CARDS),
        Field(name="announced", kind="number", ways=LISTED),
    ),
    "knock": (
        ABSENT,
        Field(name="melds", kind="lines", ways=CARDS),
        Field(name="discard", kind="card", of="ender", ways=CARDS),
    ),
}
OF_THE_ROUND = ("joker_discarded", "drawn", "drawn_card")
"""Asked of whoever knocked, told of the round."""


@dataclass(frozen=True)
class Asks:
    """What the entry asks under one rule set."""

    rules: RuleSet
    told: Collection[str] = ()
    """What a round that is already there says besides: it is shown and can be corrected."""

    @property
    def outcome(self) -> str:
        """How a round ends when nothing went wrong."""
        return FAMILY_OUTCOMES[self.rules.family]

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What can be said of the end; the stock runs out only where that ends a round."""
        void = ("void",) if self.rules.stock.exhausted == "void_at_two" else ()
        return (self.outcome, *void, "cancelled")

    @property
    def ender(self) -> str:
        """The fact that names who went out, or who knocked."""
        return ENDER[self.outcome]

    @property
    def held(self) -> Mapping[str, str]:
        """The fact that says what is left, by way of entry."""
        return HELD[self.rules.family]

    @property
    def ender_counts(self) -> bool:
        """Whoever knocks counts as everyone; whoever goes out has nothing left, or a rest."""
        return self.outcome == "knock"

    @property
    def ender_holds(self) -> Ways:
        """The ways in which he is asked for what is left: nobody types the winner's zero."""
        if self.ender_counts or self.rules.out.max_rest:
            return WAYS
        return CARDS if self.rules.family == "hand" else NEVER

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """What is asked of a seat besides."""
        known = FIELDS[self.rules.family]
        return tuple(one for one in known if one.when(self.rules) or one.name in self.told)

    @property
    def folded(self) -> tuple[Field, ...]:
        return tuple(one for one in self.fields if one.folded)

    @property
    def open(self) -> tuple[Field, ...]:
        return tuple(one for one in self.fields if not one.folded)

    @property
    def fold_shown(self) -> str:
        """The class of the fold: it is there only where something is in it."""
        for ways in (CARDS, LISTED):
            if all(set(one.ways) <= set(ways) for one in self.folded):
                return IN_WAYS[ways]
        always = [one for one in self.folded if one.ways == WAYS and one.of != "others"]
        return "" if always else "ender-in-cards"
