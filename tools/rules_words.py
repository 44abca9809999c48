"""Words of the pages in docs/rules."""

from collections.abc import Iterator

from scorekeeper.domain.referee.facts import Turn
from scorekeeper.i18n import Language

WORDS = {
    "de": {
        "played": "So wird gespielt",
        "rule": "Regel",
        "option": "Option",
        "source": "Quelle",
        "bold": "**Fett**: anders als beim deutschen Familien-Rommé.",
        "examples": "Durchgerechnete Beispiele",
        "melds": "Meldungen",
        "rounds": "Runden",
        "arrange": "Was mindestens bleibt",
        "referee": "Züge am Tisch",
        "sheet": "Ein ganzer Abend",
        "settlement": "Abrechnung",
        "cards": "Karten",
        "verdict": "Ergebnis",
        "table": "auf dem Tisch",
        "robbed": "geräubert",
        "left": "es bleibt",
        "all": "alle Regelsysteme",
        "exchange": "getauscht gegen",
    },
    "en": {
        "played": "How it is played",
        "rule": "Rule",
        "option": "Option",
        "source": "Source",
        "bold": "**Bold**: different from German Family Rommé.",
        "examples": "Worked examples",
        "melds": "Melds",
        "rounds": "Rounds",
        "arrange": "The least that is left",
        "referee": "Turns on the table",
        "sheet": "A whole evening",
        "settlement": "Settlement",
        "cards": "Cards",
        "verdict": "Result",
        "table": "on the table",
        "robbed": "robbed",
        "left": "left over",
        "all": "all rule systems",
        "exchange": "swapped for",
    },
    "lb": {
        "played": "Esou gëtt gespillt",
        "rule": "Reegel",
        "option": "Optioun",
        "source": "Quell",
        "bold": "**Fett**: anescht wéi beim däitsche Familljen-Rommé.",
        "examples": "Duerchgerechent Beispiller",
        "melds": "Kombinatiounen",
        "rounds": "Ronnen",
        "arrange": "Wat op d’mannst bleift",
        "referee": "Zich um Dësch",
        "sheet": "E ganzen Owend",
        "settlement": "Ofrechnung",
        "cards": "Kaarten",
        "verdict": "Resultat",
        "table": "um Dësch",
        "robbed": "geraibert",
        "left": "et bleift",
        "all": "all Reegelsystemer",
        "exchange": "getosch géint",
    },
    "fr": {
        "played": "Comment on joue",
        "rule": "Règle",
        "option": "Option",
        "source": "Source",
        "bold": "**En gras**\u202f: autrement qu’au rami familial allemand.",
        "examples": "Exemples calculés",
        "melds": "Combinaisons",
        "rounds": "Manches",
        "arrange": "Ce qui reste au minimum",
        "referee": "Tours sur la table",
        "sheet": "Une soirée entière",
        "settlement": "Comptes",
        "cards": "Cartes",
        "verdict": "Résultat",
        "table": "sur la table",
        "robbed": "volé",
        "left": "il reste",
        "all": "toutes les variantes",
        "exchange": "échangé contre",
    },
}
"""Words used only by these pages, by language."""
"""Words that are in no catalogue."""


def phrase(key: str, lang: Language) -> str:
    return WORDS[lang.code][key]


def headed(lang: Language, *keys: str) -> Iterator[str]:
    """Yield the head of a table."""
    yield f"| {' | '.join(phrase(key, lang) if key else '' for key in keys)} |"
    yield "|" + "---|" * len(keys)


def called(turn: Turn, lang: Language) -> Iterator[str]:
    """Yield what was claimed, called and knocked, and whether that was out of turn."""
    if turn.claim:
        yield f"{lang('turn.from.claim')} {lang.card(turn.claim.card)}"
    if turn.is_out_of_turn:
        yield lang("turn.out_of_turn")
    if turn.hirschn:
        yield lang("turn.hirschn")
    if turn.glass:
        yield f"{lang('turn.q.glass')}{lang.sign(':')} {lang(f'turn.glass.{len(turn.glass)}')}"
    if turn.knock:
        yield lang("turn.ended.knock")


def drawn_words(turn: Turn, lang: Language) -> Iterator[str]:
    """Yield what was drawn, card by card: ``from the discard pile 7♣``."""
    for drawn in turn.drawn or ():
        card = f" {lang.card(drawn.card)}" if drawn.card else ""
        yield lang(f"turn.from.{drawn.source}") + card
