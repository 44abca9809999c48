"""What the rule systems are called, in any language, and which of them a reader sees first.

A system has one name in each catalogue. Tables know many of them by other names, or by that of a
game which is played alike. Those are listed here, whatever their language, so that everybody
finds a game by the name used at home.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES, Language, language

OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "romme-palast": ("Rommee",),
    "german-family": ("Rommee", "Familienrommé", "Handrommé"),
    "robber": ("Räuberrommé", "Manipulation rummy", "Machiavelli"),
    "wiener": ("Viennese rummy",),
    "american-continental": ("Deuces wild",),
    "luxembourg": ("Lëtzebuerger Rommee",),
    "gin-palast": ("Gin Rummy", "Gin rami", "Gin remik"),
    "gin-american": ("American Gin Rummy", "Oklahoma Gin", "Hollywood Gin", "Straight Gin"),
    "knock-rummy": ("Klop", "Poker Rum", "Knock Rum"),
    "scala-40": ("Scala Quaranta", "Skala 40", "Ramino"),
    "kalooki": ("Kaluki", "Kalookie", "Caloochi", "Kalooki 40", "Kalooki 51"),
    "remi-51": ("Remik", "Rummy 51", "Rami 51", "Remy", "Römi", "Žolíky"),
    "chinchon": ("Chin-chón", "Conga", "Golpeado"),
    "indian-points": ("Indian Rummy", "Points rummy", "Paplu", "Rummy 13 cards"),
    "indian-pool": ("Pool rummy", "101 pool", "201 pool", "Rummy 13 cards"),
    "indian-deals": ("Deals rummy", "Best of two", "Rummy 13 cards"),
    "rummy-500": ("500 Rum", "Rummy 500", "Pinochle Rummy", "Michigan Rum"),
    "rummy": ("Basic Rummy", "Straight Rummy", "Rum"),
    "contract-rummy": ("Liverpool Rummy", "Joker Rummy", "Carioca", "Telefunken"),
    "shanghai": ("Shanghai Rum", "California Rummy"),
    "continental": ("Juego continental", "Continental Rummy"),
    "kalooki-jamaica": ("Jamaican Kalooki", "Jamaican Kaluki", "Kaluki 2"),
    "three-thirteen": ("Three Thirteen", "3-13", "Rummy 3 13"),
    "phases": ("Ten phases", "Zehn Phasen", "Dix phases"),
}
"""Further names by system, besides those of the catalogues."""
TERMS: Mapping[str, Mapping[str, str]] = {
    "scala-40": {
        "set": "tris, poker",
        "run": "scala",
        "first_lay": "apertura",
        "lay_off": "attaccare",
        "out": "chiudere",
        "at_once": "chiudere in mano, al buio",
        "rejoin": "rientro",
        "joker": "jolly, matta",
        "pile": "pozzo",
    },
    "chinchon": {
        "set": "trío, cuarteto",
        "run": "escalera",
        "out": "cortar, cerrar",
        "at_once": "menos diez",
        "one_run": "chinchón",
        "rejoin": "reenganche",
        "stock": "mazo",
    },
    "continental": {
        "set": "trío",
        "run": "escalera",
        "first_lay": "bajarse",
        "out": "cerrar",
        "joker": "comodín",
        "stock": "mazo",
    },
    "remi-51": {
        "set": "grupa",
        "run": "sekwens",
        "first_lay": "wyłożenie",
        "lay_off": "dokładanie",
        "draw": "dobranie",
        "out": "remik",
        "at_once": "remik z ręki",
        "joker": "dżoker",
    },
}
"""What players say where a game comes from: in Italian, Spanish and Polish, by ``term.*``."""
MOST_FIRST = 6
"""Systems that are shown before the others are unfolded."""


def searched(text: str) -> str:
    """Return a text as searches compare it: without accents, capitals and signs.

    ``static/rules.js`` does the same with what is typed.
    """
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return " ".join(re.findall(r"[^\W_]+", "".join(c for c in plain if not _is_mark(c))))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


@cache
def search_text(system: str) -> str:
    """Return every name of a system as a search compares it, also written as one word."""
    names = (*(language(code).preset(system) for code in LANGUAGES), *OTHER_NAMES[system])
    plain = dict.fromkeys(map(searched, names))
    return " ".join(dict.fromkeys((*plain, *(name.replace(" ", "") for name in plain))))


def is_called(system: str, words: str) -> bool:
    """Return whether a system is called like this: every word is part of one of its names."""
    return all(word in search_text(system) for word in searched(words).split())


def terms_in_words(system: str, lang: Language) -> str:
    """Return the words of a game's home beside those of the reader; empty where there are none."""
    pairs = [f"{lang(f'term.{what}')} ({word})" for what, word in TERMS.get(system, {}).items()]
    return lang("rules.terms", terms=lang.clauses(pairs)) if pairs else ""


@dataclass(frozen=True)
class Offer:
    """The rule systems in the order in which somebody chooses among them."""

    first: Sequence[str]
    """Those that were played here, then those usual in the reader's language."""
    others: Sequence[str]
    """All others, by name."""
    found: frozenset[str]
    """Those that are called as somebody searches; all of them without a search."""

    @property
    def finds_other(self) -> bool:
        """Whether the search finds a system that is folded away."""
        return any(name in self.found for name in self.others) and len(self.found) < len(PRESETS)


def offered(lang: Language, played: Iterable[str] = (), words: str = "") -> Offer:
    """Return all rule systems, those ``played`` first, and which of them a search finds."""
    first = [*dict.fromkeys((*played, *lang.usual_presets))][:MOST_FIRST]
    others = sorted(PRESETS.keys() - set(first), key=lambda name: searched(lang.preset(name)))
    found = frozenset(name for name in PRESETS if is_called(name, words))
    return Offer(first, others, found)
