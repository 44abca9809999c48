"""The rule systems, each as its difference from the defaults or from another (RULES 4)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.rules import (
    ELIMINATION_TERMS,
    HAND_ROMME_TERMS,
    KLOPFEN_TERMS,
    OPTIONS,
    WILD_TERMS,
    RuleSet,
    oddities,
)
from scorekeeper.domain.rules.further import FURTHER

NO_POT = frozenset(ELIMINATION_TERMS)
NO_KLOPFEN = NO_POT | {"settle.hand_stake", *KLOPFEN_TERMS}
NO_JOKERS = frozenset((*WILD_TERMS, "joker.swapped_to", "wild.twos_value"))
SMALL_DEAL = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}

GERMAN_FAMILY = RuleSet(preset="german-family", silent=NO_KLOPFEN).override(
    {
        "meld.first_min": 40,
        "joker.swap": "all",
        "settle.point_value": "1/10",
        "settle.unit": "Pf",
    }
)
"""Deutsches Familien-Rommé ([001] §8a)."""

ROMME_PALAST = replace(
    GERMAN_FAMILY, preset="romme-palast", silent=NO_KLOPFEN | {"wild.twos_value"}
).override(
    {
        "deal.upcard": True,
        "ace.corner": False,
        "meld.first_min": 30,
        "meld.first_scope": "single",
        "joker.max_adjacent": 2,
        "joker.placement": "unique_if_two",
        "joker.pinned_in_sets": False,
        "joker.swap": "others",
        "joker.swapped_to": "meld_now",
        "layoff.first_turn": True,
        "hand_romme.allow_layoff": False,
        "score.mode": "minus_plus",
        "end.mode": "points",
        "end.points": 500,
        "settle.point_value": None,
        "settle.unit": "ct",
    }
)
"""Rommé Palast ([000])."""

ROBBER = replace(GERMAN_FAMILY, preset="robber").override(
    {
        "deck.jokers": 2,
        "draw.discard_only_to_meld": True,
        "joker.swapped_to": "meld_now",
        "robber.enabled": True,
    }
)
"""Räuber-Rommé ([001] §8b)."""

LUXEMBOURG = RuleSet(
    preset="luxembourg", silent=NO_JOKERS | NO_KLOPFEN | set(HAND_ROMME_TERMS)
).override(
    {
        "deck.packs": 1,
        "deck.jokers": 0,
        "deal.cards": SMALL_DEAL,
        "deal.upcard": True,
        "deal.next_dealer": "alternate",
        "stock.exhausted": "flip",
        "draw.no_immediate_return": True,
        "value.ace_hand": 1,
        "ace.high": False,
        "ace.corner": False,
        "meld.first_min": 0,
        "meld.max_per_turn": 1,
        "layoff.first_turn": True,
        "out.discard_required": False,
        "hand_romme.enabled": False,
        "score.mode": "winner_collects",
        "end.mode": "points",
        "end.points": 100,
        "end.compare": "reach",
        "end.measure": "plus",
        "rank.measure": "plus",
        "settle.point_value": None,
    }
)
"""Luxembourgish Rommé ([002])."""

WIENER = RuleSet(preset="wiener", family="hand", silent=NO_POT | {"joker.swapped_to"}).override(
    {
        "deck.jokers": 4,
        "layoff.scope": "none",
        "out.opponent_melds": "own",
        "out.max_rest": 9,
        "settle.point_value": "1/10",
        "settle.unit": "Pf",
    }
)
"""Wiener Rommé ([001] §8c)."""

AMERICAN_CONTINENTAL = replace(WIENER, preset="american-continental").override(
    {
        "deck.jokers": 0,
        "deal.cards": 15,
        "wild.twos": True,
        "out.extra_turn": True,
        "out.max_rest": 0,
    }
)
"""Amerikanisches / Continental-Rommé ([001] §8d)."""

GIN_PALAST = RuleSet(
    preset="gin-palast",
    family="gin",
    silent=frozenset({"joker.swapped_to", "wild.twos_value"}),
).override(
    {
        "players.min": 2,
        "players.max": 2,
        "deck.packs": 1,
        "deck.jokers": 0,
        "deal.cards": 10,
        "deal.upcard": True,
        "deal.next_dealer": "alternate",
        "stock.exhausted": "void_at_two",
        "value.ace_hand": 1,
        "ace.high": False,
        "ace.corner": False,
        "joker.hand_value": 15,
        "joker.min_naturals": 1,
        "out.opponent_melds": "own_and_layoff",
        "score.mode": "gin",
        "end.mode": "points",
        "end.points": 100,
        "end.compare": "reach",
        "end.measure": "plus",
        "rank.measure": "plus",
    }
)
"""Gin Rommé Palast ([003])."""

KNOCK_RUMMY = RuleSet(preset="knock-rummy", family="knock", silent=NO_JOKERS | NO_POT).override(
    {
        "deck.packs": 1,
        "deck.jokers": 0,
        "deal.cards": SMALL_DEAL,
        "deal.upcard": True,
        "deal.next_dealer": "winner_if_two",
        "stock.exhausted": "flip",
        "value.ace_hand": 1,
        "ace.high": False,
        "ace.corner": False,
        "layoff.scope": "none",
        "out.discard_required": False,
        "out.opponent_melds": "own",
        "score.mode": "knock",
        "end.compare": "reach",
        "end.measure": "net",
        "rank.measure": "net",
        "settle.mode": "balance",
    }
)
"""Knock Rummy, Klopf-Rommé ([004])."""

FIRST = {
    rules.preset: rules
    for rules in (
        ROMME_PALAST,
        GERMAN_FAMILY,
        ROBBER,
        WIENER,
        AMERICAN_CONTINENTAL,
        LUXEMBOURG,
        GIN_PALAST,
        KNOCK_RUMMY,
    )
}
"""The rule systems of the first sources (RULES 4)."""


def _with_further(known: dict[str, RuleSet]) -> dict[str, RuleSet]:
    """Return all rule systems: these, and those that differ from one of them."""
    for name, (base, changes) in FURTHER.items():
        known[name] = replace(known[base], preset=name).override(changes)
    return known


PRESETS: Mapping[str, RuleSet] = _with_further({**FIRST})
ALIASES = {"klop": "knock-rummy"}


def preset(name: str) -> RuleSet:
    """Return a rule system by its name; raise RuleError E_CONFIG if there is none."""
    found = PRESETS.get(ALIASES.get(name, name))
    if found is None:
        raise RuleError(
            "E_CONFIG", ("preset",), why="preset", value=name[:40], allowed=tuple(PRESETS)
        )
    return found


def decode_rules(values: Mapping[str, Any]) -> RuleSet:
    """Return the rule set that ``encode_rules`` was given; raise ValueError without a preset."""
    return _decoded(json.dumps({name: values[name] for name in ("preset", "options")}))


@lru_cache(64)  # the evenings of a group have the same rules, and decoding them takes a millisecond
def _decoded(text: str) -> RuleSet:
    rules = options.decode_rules(json.loads(text))
    if rules.preset not in PRESETS:
        raise ValueError(f"no preset: {rules.preset!r:.40}")
    return rules


OPTIONS_BY_GROUP: Mapping[str, tuple[str, ...]] = {
    group: tuple(names)
    for group, names in groupby(OPTIONS, key=lambda name: name.partition(".")[0])
}
"""The names of the options by the part before their dot, in the order of RULES 3."""


@dataclass(frozen=True)
class Deviation:
    """An option with another value than in the preset."""

    name: str
    value: object
    usual: object


def deviations(rules: RuleSet) -> tuple[Deviation, ...]:
    """Return the differences of these rules from their preset, in the order of RULES 3."""
    began = PRESETS[rules.preset]
    return tuple(
        Deviation(name, rules[name], began[name])
        for group, names in OPTIONS_BY_GROUP.items()
        if rules[group] != began[group]
        for name in names
        if rules[name] != began[name] and (rules.applies(name) or began.applies(name))
    )


def remarks(rules: RuleSet) -> Iterator[Problem]:
    """Return the warnings about house rules, without those about the preset itself."""
    known = set(map(str, oddities(PRESETS[rules.preset])))
    return (remark for remark in oddities(rules) if str(remark) not in known)


def stake_options(stake: Mapping[str, object]) -> dict[str, object]:
    """Return the terms of a stake as options: ``point_value`` is ``settle.point_value``."""
    return {f"settle.{term}": value for term, value in stake.items()}
