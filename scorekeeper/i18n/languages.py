"""The languages of scorekeeper: their names, formats and card notations.

A new language is a row of ``TRAITS`` and a folder of catalogues beside this module.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.domain.cards.names import Notation

THIN_SPACE = "\u202f"
"""The narrow no-break space of French: between thousands, and before ``: ; ! ?``."""


@dataclass(frozen=True)
class Traits:
    """The facts about a language besides its sentences."""

    name: str
    """Its name in itself."""
    locale: str
    """Babel's locale for plurals, dates and lists."""
    presets: tuple[str, ...]
    """The rule systems usual among its readers, the one proposed to newcomers first."""
    decimal_sign: str = ","
    notation: Notation = "en"
    """The notation in which its readers type cards."""
    sign_space: str = ""
    """The space before a colon or semicolon."""
    thousands: str = ""
    """The separator of thousands; none if scores are written without."""
    ordinals: tuple[str, ...] = (".",)
    """What follows the number in 1st, 2nd, 3rd; the last one is that of all others."""
    first_of_month: str = "1"
    """The first day of a month in a date."""
    either: str = ""
    """"or" before the last of a list, where Babel does not know it."""
    joint: str = ""
    """The marker of a letter that depends on the next word (``PLACEHOLDER`` in ``catalogue``)."""


TRAITS: Mapping[str, Traits] = {
    "de": Traits(
        "Deutsch",
        "de",
        ("german-family", "romme-palast", "robber", "gin-palast", "wiener", "knock-rummy"),
        notation="de",
    ),
    "en": Traits(  # as in Europe: the day first, and 24 hours
        "English",
        "en_GB",
        ("gin-palast", "gin-american", "rummy", "rummy-500", "kalooki", "contract-rummy"),
        decimal_sign=".",
        ordinals=("st", "nd", "rd", "th"),
    ),
    "lb": Traits(
        "Lëtzebuergesch",
        "lb",
        ("luxembourg", "german-family", "romme-palast", "gin-palast", "wiener", "rummy"),
        either="oder",
        joint="(n)",
    ),
    "fr": Traits(
        "Français",
        "fr",
        ("romme-palast", "remi-51", "gin-palast", "rummy", "contract-rummy", "kalooki"),
        notation="fr",
        sign_space=THIN_SPACE,
        thousands=THIN_SPACE,
        ordinals=("ᵉʳ", "ᵉ"),
        first_of_month="1er",
        joint="(e)",
    ),
}
"""Every language by its code, in the order of the language switch; the first is the default."""
LANGUAGES = tuple(TRAITS)
