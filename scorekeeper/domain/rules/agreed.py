"""All options of a table: which of them apply, and which have an effect."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, get_args

from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.rules.definitions import (
    Ace,
    Dealing,
    Deck,
    Draw,
    Drop,
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
    Rounds,
    Score,
    Stock,
    Value,
    Wild,
)
from scorekeeper.domain.rules.ends import End, Ranking, Settling
from scorekeeper.domain.rules.fields import GIN, LISTED, Family, option
from scorekeeper.domain.rules.kinds import Choice, Flag, Kind
from scorekeeper.domain.rules.plan import Needed


@dataclass(frozen=True, kw_only=True)
class Agreed:
    """All options, as a table has agreed on them."""

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
    drop: Drop = Drop()
    round: Rounds = Rounds()
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

    @property
    def counts_for_league(self) -> bool:
        """Whether there is a league score besides the points (RULES 7.4.13)."""
        return self.family == "gin" and not self.gin.training

    @property
    def settles(self) -> bool:
        """Whether anything is settled when the game is over: points or a stake."""
        terms = self.settle
        stakes = (terms.stake, terms.rejoin_stake, terms.round_stake, terms.hand_stake)
        return terms.mode != "none" or any(stakes)

    @property
    def limit_sign(self) -> int:
        """-1 if a limit on net limits losses, in families where rounds cost points; else 1."""
        costs = self.family in ("lay", "hand") and self.score.mode != "melded"
        return -1 if self.end.measure == "net" and costs else 1

    @property
    def lays_off(self) -> bool:
        """Whether cards can be laid off on melds: during the round, or when it is over."""
        at_the_end = self.family == "hand" and self.out.opponent_melds == "own_and_layoff"
        return self.layoff.scope != "none" or at_the_end

    @property
    def at_once(self) -> int:
        """The most players of one round; at gin for three, one of them sits out."""
        return 2 if self.family == "gin" and not self.teams else self.players.max

    @property
    def has_wild_cards(self) -> bool:
        return self.deck.jokers > 0 or self.wild.twos or self.wild.rank != "none"

    @cached_property
    def wild_rank(self) -> Rank | None:
        """The rank whose cards are wild, in this round if it changes."""
        now = Rank.TWO if self.wild.twos else self.wild.now
        return Rank(now) if now else None

    @property
    def contracts(self) -> list[tuple[Needed, ...]]:
        """The melds that players must lay first, by the rows of the plan that ask for any."""
        return [row.need for row in self.round.plan if row.need]

    @property
    def has_contracts(self) -> bool:
        """Whether players must lay certain melds first."""
        return bool(self.contracts)


@dataclass(frozen=True)
class Option:
    """The definition of an option."""

    name: str
    kind: Kind
    source: str
    families: tuple[str, ...]
    usual: tuple[object, ...]


def _options() -> Iterator[Option]:
    for top in fields(Agreed):
        if top.metadata:
            yield _option(top.name, top)
        elif is_dataclass(top.type):
            for leaf in filter(lambda leaf: leaf.metadata, fields(top.type)):
                yield _option(f"{top.name}.{leaf.name}", leaf)


def _option(name: str, field: Field[Any]) -> Option:
    kind = field.metadata["kind"] or Choice(get_args(field.type))
    return Option(name=name, **{**field.metadata, "kind": kind})


OPTIONS: Mapping[str, Option] = {found.name: found for found in _options()}
"""All options by their dotted names, in the order of RULES 3."""

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
ELIMINATION_TERMS = (
    "end.rejoin",
    "end.rejoin_max",
    "end.rejoin_up_to",
    "settle.rejoin_stake",
)
APPLIES_IF: Mapping[str, Callable[[Agreed], bool]] = {
    **dict.fromkeys(KLOPFEN_TERMS, lambda rules: rules.klopfen.mode != "off"),
    **dict.fromkeys(HAND_ROMME_TERMS, lambda rules: rules.hand_romme.enabled),
    **dict.fromkeys(WILD_TERMS, lambda rules: rules.has_wild_cards),
    **dict.fromkeys(ELIMINATION_TERMS, lambda rules: rules.end.eliminate),
    "settle.hand_stake": lambda rules: (
        rules.settle.round_stake > 0 or rules.settle.hand_stake is not None
    ),
    "joker.swapped_to": lambda rules: rules.joker.swap != "none",
    "wild.twos_value": lambda rules: rules.wild.twos or rules.wild.rank != "none",
    "klopfen.max": lambda rules: rules.klopfen.mode != "off",
    "round.plan_by": lambda rules: bool(rules.round.plan),
}
"""Conditions under which an option that the source does not mention applies after all."""


def _is_on(name: str) -> Callable[[Agreed], bool]:
    return lambda rules: bool(rules[name])


EFFECTIVE_IF: Mapping[str, Callable[[Agreed], bool]] = {
    **APPLIES_IF,
    "joker.swapped_to": lambda rules: rules.has_wild_cards and rules.joker.swap != "none",
    **dict.fromkeys(
        ("end.points", "end.compare", "end.measure"), lambda rules: "points" in rules.end.mode
    ),
    "end.rounds": lambda rules: "rounds" in rules.end.mode,
    "end.eliminate": lambda rules: "points" in rules.end.mode,
    "end.min_rounds_to_win": lambda rules: not rules.end.eliminate,
    **dict.fromkeys(
        ("end.rejoin_max", "end.rejoin_up_to", "settle.rejoin_stake"),
        lambda rules: rules.end.rejoin != "none",
    ),
    **dict.fromkeys(
        ("score.cap", "score.not_laid", "score.winner_reduction"),
        lambda rules: rules.score.losers_write,
    ),
    "layoff.first_turn": lambda rules: (
        rules.meld.first_min > 0 and (rules.layoff.scope, rules.joker.swap) != ("none", "none")
    ),
    "gin.sits_out": lambda rules: rules.players.max > 2 and not rules.teams,
    "gin.oklahoma_ace": _is_on("gin.oklahoma"),
    "gin.oklahoma_spades": _is_on("gin.oklahoma"),
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
