"""The fields of the entry form, derived from the rules of the table.

A field is listed with the option that requires it, the players it is for and the entry modes in
which it is shown. Form, template and correction all use this list.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.domain.rounds.checks import DROPS, FAMILY_OUTCOMES
from scorekeeper.domain.rules import RuleSet

Ways = tuple[str, ...]
WAYS: Ways = ("points", "ranks", "cards")
"""From the fastest way of entry to the most exact."""
POINTS: Ways = ("points",)
COUNTED: Ways = ("points", "ranks")
LISTED: Ways = ("ranks", "cards")
CARDS: Ways = ("cards",)
NO_WAYS: Ways = ()

HELD_FACT: Mapping[str, Mapping[str, str]] = {
    "lay": {"points": "points", "ranks": "hand", "cards": "hand"},
    "hand": {"points": "points", "ranks": "rest", "cards": "hand"},
    "gin": {"points": "deadwood", "ranks": "rest", "cards": "hand"},
    "knock": {"points": "count", "ranks": "rest", "cards": "hand"},
}
"""The fact that holds what a player has left, by family and way of entry (RULES 6.2 to 6.5)."""
ENDER = {"out": "winner", "knock": "knocker"}
NOBODY = "none"
"""The value of the field for who went out, if nobody did and all write their hands."""
WAY_CLASSES = {
    WAYS: "",
    POINTS: "in-points",
    COUNTED: "not-in-cards",
    LISTED: "not-in-points",
    CARDS: "in-cards",
}
"""The CSS class that shows a field only in these ways of entry."""


def _always(rules: RuleSet) -> bool:
    return True


def _is_melded(rules: RuleSet) -> bool:
    return rules.score.mode == "melded"


def _asks_laid(rules: RuleSet) -> bool:
    """Return whether every loser is asked for having laid: who has goes on in the plan."""
    return bool(rules.round.plan) and rules.round.plan_by == "player"


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of one seat besides what the player has left."""

    name: str
    kind: str
    """The kind of input: lines, moves, card, number, switch, maybe (yes or no), source, drop.

    ``points`` is a number that is always asked for, ``tick`` a switch that says yes or no.
    """
    of: str = "everyone"
    """Everyone, the ``ender`` (who went out or knocked), or the ``others``."""
    ways: Ways = WAYS
    folded: bool = True
    """Whether it is hidden until requested; fields that decide the score are not."""
    when: Callable[[RuleSet], bool] = _always

    def is_shown(self, way: str, *, ends: bool) -> bool:
        """Return whether the form asks this seat for the field."""
        return way in self.ways and self.of in ("everyone", "ender" if ends else "others")

    @cached_property
    def css_classes(self) -> str:
        """The CSS classes that show the field where it is needed."""
        return " ".join(filter(None, ("" if self.of == "everyone" else self.of, self.way_class)))

    @property
    def way_class(self) -> str:
        return WAY_CLASSES[self.ways]


ABSENT = Field(name="absent", kind="switch", of="others")
TURNS = Field(name="turns", kind="number", when=lambda rules: rules.draw.two_small_table)
MELDS = Field(name="melds", kind="lines", ways=CARDS)
DISCARD = Field(name="discard", kind="card", of="ender", ways=CARDS)
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
        Field(
            name="laid",
            kind="maybe",
            of="others",
            when=lambda rules: not _asks_laid(rules) and not rules.score.price_not_laid,
        ),
        Field(
            name="laid",
            kind="maybe",
            of="others",
            folded=False,
            when=lambda rules: not _asks_laid(rules) and bool(rules.score.price_not_laid),
        ),
        Field(name="laid", kind="tick", of="others", folded=False, when=_asks_laid),
        Field(name="laid_points", kind="points", ways=COUNTED, folded=False, when=_is_melded),
        Field(name="klopfen", kind="number", when=lambda rules: rules.klopfen.mode != "off"),
        TURNS,
    ),
    "hand": (
        ABSENT,
        Field(
            name="drop",
            kind="drop",
            of="others",
            folded=False,
            when=lambda rules: any(rules.drop.points),
        ),
        MELDS,
        DISCARD,
        TURNS,
    ),
    "gin": (
        Field(name="absent", kind="switch", of="others", when=lambda rules: rules.players.max > 2),
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
        MELDS,
        DISCARD,
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
    "knock": (ABSENT, MELDS, DISCARD),
}
ROUND_FIELDS = ("joker_discarded", "drawn", "drawn_card")
"""Fields of the player who knocked that are facts of the round."""


@dataclass(frozen=True)
class EntryLayout:
    """The fields of the entry form under one rule set."""

    rules: RuleSet
    present: Collection[str] = ()
    """Facts of an existing round: their fields are shown even if the rules do not require them."""

    @property
    def outcome(self) -> str:
        """The usual end of a round."""
        return FAMILY_OUTCOMES[self.rules.family]

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes to choose from; the stock can run out only where that ends a round."""
        void = ("void",) if self.rules.stock.exhausted == "void_at_two" else ()
        return (self.outcome, *void, "cancelled")

    @property
    def asks_nobody(self) -> bool:
        """Whether a round may end with nobody out and all writing their hands."""
        return self.rules.stock.exhausted == "count"

    @property
    def ender(self) -> str:
        """The fact that names the player who went out or knocked."""
        return ENDER[self.outcome]

    @property
    def held(self) -> Mapping[str, str]:
        """The fact that holds what is left, by way of entry."""
        return HELD_FACT[self.rules.family]

    @property
    def drops(self) -> tuple[str, ...]:
        """The ways to leave a round that cost something."""
        priced = zip(DROPS, self.rules.drop.points, strict=True)
        return tuple(name for name, points in priced if points)

    @property
    def asks_one_run(self) -> bool:
        """Whether the form asks if all cards of the winner are one run."""
        return self.rules.family == "hand" and self.rules.out.one_run != "none"

    @property
    def asks_wild(self) -> bool:
        """Whether the form asks for the rank that is wild, once cards are listed."""
        return self.rules.wild.rank == "cut"

    def asks_held(self, way: str, *, ends: bool) -> bool:
        """Return whether the form asks a seat for what it has left."""
        return not ends or way in self.ender_holds

    def shown(self, way: str, *, ends: bool) -> tuple[Field, ...]:
        """Return the further fields that the form shows for a seat."""
        return tuple(field for field in self.fields if field.is_shown(way, ends=ends))

    @property
    def ender_counts(self) -> bool:
        """Whether the ender has points left like everyone else, as after a knock."""
        return self.outcome == "knock"

    @property
    def asks_gin(self) -> bool:
        """Whether the form asks if the round ended with gin, with nothing left to enter."""
        return self.rules.family == "gin"

    @property
    def ender_holds(self) -> Ways:
        """The ways of entry that ask the ender for what is left; usually that is nothing."""
        if self.ender_counts or self.rules.out.max_rest:
            return WAYS
        return CARDS if self.rules.family == "hand" else NO_WAYS

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The further fields of a seat."""
        fields = FIELDS[self.rules.family]
        return tuple(
            field
            for field in fields
            if field.when(self.rules) or (field.name in self.present and field.name != "laid")
        )

    @cached_property
    def folded(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.folded)

    @cached_property
    def open(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if not field.folded)

    @cached_property
    def fold_class(self) -> str:
        """The CSS class of the folded part, which is hidden where it would be empty."""
        for ways in (CARDS, LISTED):
            if all(set(one.ways) <= set(ways) for one in self.folded):
                return WAY_CLASSES[ways]
        always = [one for one in self.folded if one.ways == WAYS and one.of != "others"]
        return "" if always else "ender-in-cards"
