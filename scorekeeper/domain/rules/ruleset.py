"""Rule sets: all options of a table, and ``override()``, which changes them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, get_args

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.rules.definitions import (
    Ace,
    Dealing,
    Deck,
    Draw,
    Gin,
    HandRomme,
    Joker,
    Klopfen,
    Knock,
    LayingOff,
    Melding,
    Out,
    Players,
    Robber,
    Score,
    Stock,
    Value,
    Wild,
)
from scorekeeper.domain.rules.ends import End, Ranking, Settling
from scorekeeper.domain.rules.fields import GIN, LISTED, Family, option
from scorekeeper.domain.rules.kinds import Choice, Flag, Kind


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """The complete rules of one table; they do not change once a game has begun."""

    preset: str = "german-family"
    """The rule system that these rules are based on; shown, but without effect."""
    family: Family = option("lay", LISTED, "all")
    """The family, which decides the facts of a round and its scoring."""
    teams: bool = option(False, Flag(), "[003] Vierspielermodus", GIN)
    """Two teams of two: seats 1 and 3 against seats 2 and 4."""
    players: Players = Players()
    deck: Deck = Deck()
    deal: Dealing = Dealing()
    stock: Stock = Stock()
    draw: Draw = Draw()
    value: Value = Value()
    wild: Wild = Wild()
    ace: Ace = Ace()
    meld: Melding = Melding()
    joker: Joker = Joker()
    layoff: LayingOff = LayingOff()
    robber: Robber = Robber()
    out: Out = Out()
    hand_romme: HandRomme = HandRomme()
    klopfen: Klopfen = Klopfen()
    score: Score = Score()
    gin: Gin = Gin()
    knock: Knock = Knock()
    end: End = End()
    rank: Ranking = Ranking()
    settle: Settling = Settling()
    silent: frozenset[str] = frozenset()
    """Options that the source document does not mention and that no other option needs so far."""

    def __getitem__(self, name: str) -> Any:
        """Return the value of an option by its dotted name."""
        group, dot, leaf = name.partition(".")
        value = getattr(self, group)
        return getattr(value, leaf) if dot else value

    def names(self) -> Iterator[str]:
        """Return the names of the options that apply to these rules, in the order of RULES 3."""
        return filter(self.applies, OPTIONS)

    def applies(self, name: str) -> bool:
        """Return whether an option applies to these rules."""
        return self.family in OPTIONS[name].families and name not in self.silent

    def effective_names(self) -> Iterator[str]:
        """Yield the ``names`` of options that no other option switches off."""
        for name in self.names():
            if name not in EFFECTIVE_IF or EFFECTIVE_IF[name](self):
                yield name

    def resolved(self) -> dict[str, object]:
        """Return every applicable option in its JSON form."""
        return {name: OPTIONS[name].kind.write(self[name]) for name in self.names()}

    def unlike(self, others: "RuleSet") -> dict[str, object]:
        """Return the options that other rules have otherwise, with their values here, as JSON."""
        if self is others:
            return {}
        theirs = others.resolved()
        return {name: value for name, value in self.resolved().items() if theirs.get(name) != value}

    @property
    def counts_for_league(self) -> bool:
        """Whether there is a league score besides the points (RULES 7.4.13)."""
        return self.family == "gin" and not self.gin.training

    @property
    def settles(self) -> bool:
        """Whether anything is settled when the game is over: points or a stake."""
        return self.settle.mode != "none" or self.settle.stake > 0

    @property
    def limit_sign(self) -> int:
        """-1 if a limit on net limits losses, in families where rounds cost points; else 1."""
        return -1 if self.end.measure == "net" and self.family in ("lay", "hand") else 1

    @property
    def has_wild_cards(self) -> bool:
        return self.deck.jokers > 0 or self.wild.twos

    @cached_property
    def for_defenders(self) -> "RuleSet":
        """The rules for the knocker's opponents: with Tedesco their aces count more (RULES 7.4.4).

        Cached, because the solver prepares each rule set once, by identity.
        """
        if not self.gin.tedesco:
            return self
        return replace(self, value=replace(self.value, ace_hand=self.gin.tedesco_ace))

    def override(self, changes: Mapping[str, object]) -> "RuleSet":
        """Return these rules with options changed; each and all together are checked (RULES 3.7).

        Raises RuleError E_CONFIG for an unknown or inapplicable name, for a value outside its
        range, and for options that contradict each other.
        """
        rules = self.unchecked(changes)
        contradictions = tuple(inconsistencies(rules))
        if contradictions:
            raise RuleError.of(contradictions)
        return rules

    def unchecked(self, changes: Mapping[str, object]) -> "RuleSet":
        """Return the same as ``override``, without checking the options against each other."""
        values = {name: _read(name, value) for name, value in changes.items()}
        implied: dict[str, object] = {}
        for name, value in values.items():
            if name in IMPLIED:
                implied |= IMPLIED[name].get(value, {})
        unit = values.get("settle.unit", self.settle.unit)
        if unit != self.settle.unit:  # a step in the unit before says nothing about this one
            implied["settle.payable"] = smallest_coin(unit)
        rules = _with(self, implied | values)
        rules = replace(
            rules, silent=frozenset(name for name in rules.silent if not APPLIES_IF[name](rules))
        )
        known = set(rules.names()) - {"family"}
        strangers = [name for name in changes if name not in known]
        if strangers:
            raise RuleError.of(
                Problem("E_CONFIG", {"why": "not_applicable", "option": name}, (name,))
                for name in strangers
            )
        return rules


def encode_rules(rules: RuleSet) -> dict[str, object]:
    """Return a complete rule set as JSON values, so that changes of its preset do not affect it."""
    return {"preset": rules.preset, "options": rules.resolved()}


def decode_rules(values: Mapping[str, Any]) -> RuleSet:
    """Return the rule set that ``encode_rules`` was given; ``presets`` also checks the preset."""
    options = values["options"]
    family = options["family"]
    unsaid = (name for name in APPLIES_IF if family in OPTIONS[name].families)
    silent = frozenset(unsaid) - set(options)
    rules = RuleSet(preset=values["preset"], family=family, silent=silent)
    return _with(rules, {name: _read(name, value) for name, value in options.items()})


UNSAID: Mapping[str, object] = {"end.min_rounds_to_win": "0"}
"""The rules of a game that began before the option existed, where today's default differs.

Whoever won a finished evening keeps the win, the stake and the season's point [dec]: the players
agreed on nothing else, and perhaps paid long ago. A rematch goes on under the rules of its game,
this one included, and shows it as a house rule. House rules of a group are for evenings to come,
so they get today's default.
"""


def as_agreed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored rules of a game, completed by those that applied when it began."""
    options = values["options"]
    unsaid = {
        name: value for name, value in UNSAID.items() if options["family"] in OPTIONS[name].families
    }
    return {**values, "options": unsaid | options}


@dataclass(frozen=True)
class Option:
    """The definition of an option."""

    name: str
    kind: Kind
    source: str
    families: tuple[str, ...]
    usual: tuple[object, ...]


def _options() -> Iterator[Option]:
    for top in fields(RuleSet):
        if top.metadata:
            yield _option(top.name, top)
        elif is_dataclass(top.type):
            for leaf in fields(top.type):
                yield _option(f"{top.name}.{leaf.name}", leaf)


def _option(name: str, field: Field[Any]) -> Option:
    kind = field.metadata["kind"] or Choice(get_args(field.type))
    return Option(name=name, **{**field.metadata, "kind": kind})


OPTIONS: Mapping[str, Option] = {found.name: found for found in _options()}
"""All options by their dotted names, in the order of RULES 3."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "deal": ("teams", "players", "deck", "deal", "stock", "draw"),
    "melds": ("ace", "meld", "layoff", "robber"),
    "jokers": ("joker", "wild"),
    "out": ("out", "hand_romme", "klopfen"),
    "score": ("value", "score"),
    "gin": ("gin",),
    "knock": ("knock",),
    "end": ("end", "rank", "settle"),
}
"""Groups of options as players think of them, by the first part of their names."""

IMPLIED: Mapping[str, Mapping[Any, Mapping[str, object]]] = {
    "gin.cyclic": {True: {"ace.high": True, "ace.corner": True}},
    "gin.joker_rule": {True: {"deck.jokers": 3}, False: {"deck.jokers": 0}},
    "teams": {True: {"players.min": 4, "players.max": 4, "deal.cards": {0: 7}}},
    "klopfen.mode": {
        "palast": {
            "klopfen.extra_cards": 1,
            "klopfen.after_first_meld": True,
            "klopfen.consent": False,
        },
        "rasche": {
            "klopfen.extra_cards": 2,
            "klopfen.after_first_meld": False,
            "klopfen.consent": True,
        },
    },
    "rank.measure": {measure: {"settle.measure": measure} for measure in ("minus", "plus", "net")},
}
"""Other options that a value sets, unless the same override sets them.

Another unit of money sets the step of payment in the same way, to its smallest coin.
"""

KLOPFEN_TERMS = ("klopfen.extra_cards", "klopfen.after_first_meld", "klopfen.consent")
HAND_ROMME_TERMS = (
    "hand_romme.factor",
    "hand_romme.allow_layoff",
    "hand_romme.waives_first_min",
)
WILD_TERMS = (
    "joker.hand_value",
    "joker.min_naturals",
    "joker.max_adjacent",
    "joker.placement",
    "joker.pinned_in_sets",
    "joker.swap",
)
APPLIES_IF: Mapping[str, Callable[[RuleSet], bool]] = {
    **dict.fromkeys(KLOPFEN_TERMS, lambda rules: rules.klopfen.mode != "off"),
    **dict.fromkeys(HAND_ROMME_TERMS, lambda rules: rules.hand_romme.enabled),
    **dict.fromkeys(WILD_TERMS, lambda rules: rules.has_wild_cards),
    "joker.swapped_to": lambda rules: rules.joker.swap != "none",
    "wild.twos_value": lambda rules: rules.wild.twos,
}
"""Conditions under which an option that the source does not mention applies after all."""


def _is_on(name: str) -> Callable[[RuleSet], bool]:
    return lambda rules: bool(rules[name])


EFFECTIVE_IF: Mapping[str, Callable[[RuleSet], bool]] = {
    **APPLIES_IF,
    "joker.swapped_to": lambda rules: rules.has_wild_cards and rules.joker.swap != "none",
    **dict.fromkeys(
        ("end.points", "end.compare", "end.measure"), lambda rules: "points" in rules.end.mode
    ),
    "end.rounds": lambda rules: "rounds" in rules.end.mode,
    "layoff.first_turn": lambda rules: (
        rules.meld.first_min > 0 and (rules.layoff.scope, rules.joker.swap) != ("none", "none")
    ),
    "gin.oklahoma_ace": _is_on("gin.oklahoma"),
    "gin.tedesco_ace": _is_on("gin.tedesco"),
    "gin.joker_discard_factor": _is_on("gin.joker_rule"),
    "gin.joker_layon": _is_on("gin.joker_rule"),
    "gin.hirschn_bonus": _is_on("gin.hirschn"),
    "gin.hirschn_fail": _is_on("gin.hirschn"),
    "gin.glass_bonus": _is_on("gin.glass"),
    "gin.team_small_gin": _is_on("teams"),
    "gin.team_big_gin": _is_on("teams"),
    "gin.box_above_limit": _is_on("gin.box_bonus"),
}
"""Conditions under which an option has an effect that another option may switch off."""


def _read(name: str, value: object) -> Any:
    if name not in OPTIONS:
        raise RuleError("E_CONFIG", (name,), why="unknown", option=name)
    kind = OPTIONS[name].kind
    try:
        return kind.read(value)
    except (ValueError, TypeError, OverflowError):
        raise RuleError(
            "E_CONFIG",
            (name,),
            why="range",
            option=name,
            value=str(value)[:40],
            allowed=kind.describe(),
        ) from None


def _with(rules: RuleSet, values: Mapping[str, object]) -> RuleSet:
    tops: dict[str, Any] = {}
    for name, value in values.items():
        group, dot, leaf = name.partition(".")
        if dot:
            tops[group] = replace(tops.get(group, getattr(rules, group)), **{leaf: value})
        else:
            tops[group] = value
    return replace(rules, **tops)


FORMULAS = {
    "lay": ("minus", "minus_plus", "winner_collects"),
    "hand": ("minus",),
    "gin": ("gin",),
    "knock": ("knock",),
}


def inconsistencies(rules: RuleSet) -> Iterator[Problem]:
    """Yield a finding for options that contradict each other, with their names (RULES 3.7)."""

    def clash(why: str, *names: str, **facts: object) -> Problem:
        return Problem("E_CONFIG", {"why": why, "options": names, **facts}, (names[0],))

    if rules.players.min > rules.players.max:
        yield clash("players", "players.min", "players.max")
    for players in range(rules.players.min, rules.players.max + 1):
        needed = cards_needed(rules, players)
        if needed > cards_in_deck(rules):
            yield clash(
                "deck_too_small",
                "deal.cards",
                "players.max",
                "deck.packs",
                players=players,
                needed=needed,
                has=cards_in_deck(rules),
            )
            break
    first = rules.deal.first_dealer
    if isinstance(first, int) and first >= rules.players.max:
        yield clash("first_dealer", "deal.first_dealer", "players.max", number=first + 1)
    if rules.teams and (rules.players.min, rules.players.max) != (4, 4):
        yield clash("teams", "teams", "players.min", "players.max")
    if rules.family == "gin" and not rules.teams and rules.players.max > 2:
        yield clash("gin_for_two", "players.max", "teams")
    if rules.family == "gin" and rules.gin.joker_rule != (rules.deck.jokers > 0):
        yield clash("joker_rule", "gin.joker_rule", "deck.jokers")
    if rules.ace.corner and not rules.ace.high:
        yield clash("corner", "ace.corner", "ace.high")
    if rules.gin.cyclic and not rules.ace.corner:
        yield clash("cyclic", "gin.cyclic", "ace.high", "ace.corner")
    if rules.gin.pro_min_wins and rules.end.mode != "points":
        yield clash("gin_pro", "gin.pro_min_wins", "end.mode")
    if rules.end.mode in ("points", "points_or_rounds") and rules.end.points is None:
        yield clash("end_points", "end.points", "end.mode")
    if rules.end.mode in ("rounds", "points_or_rounds") and rules.end.rounds is None:
        yield clash("end_rounds", "end.rounds", "end.mode")
    if rules.score.mode not in FORMULAS[rules.family]:
        yield clash("formula", "score.mode", "family", allowed=FORMULAS[rules.family])


def cards_in_deck(rules: RuleSet) -> int:
    """Return the number of cards in the deck, jokers included."""
    return 52 * rules.deck.packs + rules.deck.jokers


def cards_needed(rules: RuleSet, players: int) -> int:
    """Return the cards needed to begin: the deal, the upcard, and two more in gin and knock."""
    more = 2 if rules.family in ("gin", "knock") else 0
    return players * rules.deal.to(players) + rules.deal.upcard + more
