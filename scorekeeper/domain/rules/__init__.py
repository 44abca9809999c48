"""House rules as data: the options of RULES 3, rule sets, and ``override()``."""

from scorekeeper.domain.rules.agreed import (
    APPLIES_IF,
    ELIMINATION_TERMS,
    HAND_ROMME_TERMS,
    KLOPFEN_TERMS,
    OPTIONS,
    WILD_TERMS,
    Option,
)
from scorekeeper.domain.rules.consistency import GAME_LEVEL, inconsistencies
from scorekeeper.domain.rules.definitions import DRAW, Ace, Deck, Joker, Melding, Value, Wild
from scorekeeper.domain.rules.ends import Settling, SettlingMode
from scorekeeper.domain.rules.fields import FAMILIES, Measure, option
from scorekeeper.domain.rules.oddities import oddities
from scorekeeper.domain.rules.ruleset import (
    GROUPS,
    IMPLIED,
    RuleSet,
    as_agreed,
    decode_rules,
    encode_rules,
)

__all__ = [
    "APPLIES_IF",
    "DRAW",
    "ELIMINATION_TERMS",
    "FAMILIES",
    "GAME_LEVEL",
    "GROUPS",
    "HAND_ROMME_TERMS",
    "IMPLIED",
    "KLOPFEN_TERMS",
    "OPTIONS",
    "WILD_TERMS",
    "Ace",
    "Deck",
    "Joker",
    "Measure",
    "Melding",
    "Option",
    "RuleSet",
    "Settling",
    "SettlingMode",
    "Value",
    "Wild",
    "as_agreed",
    "decode_rules",
    "encode_rules",
    "inconsistencies",
    "oddities",
    "option",
]
