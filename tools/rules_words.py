"""Words of the pages in docs/rules."""

from collections.abc import Iterator

from scorekeeper.domain.referee.facts import Turn
from scorekeeper.i18n import LANGUAGES, Language

WORDS = {
    "played": ("So wird gespielt", "How it is played", "Esou gëtt gespillt", "Comment on joue"),
    "rule": ("Regel", "Rule", "Reegel", "Règle"),
    "option": ("Option", "Option", "Optioun", "Option"),
    "source": ("Quelle", "Source", "Quell", "Source"),
    "bold": (
        "**Fett**: anders als beim deutschen Familien-Rommé.",
        "**Bold**: different from German Family Rommé.",
        "**Fett**: anescht wéi beim däitsche Familljen-Rommé.",
        "**En gras**\u202f: autrement qu’au rami familial allemand.",
    ),
    "examples": (
        "Durchgerechnete Beispiele",
        "Worked examples",
        "Duerchgerechent Beispiller",
        "Exemples calculés",
    ),
    "melds": ("Meldungen", "Melds", "Kombinatiounen", "Combinaisons"),
    "rounds": ("Runden", "Rounds", "Ronnen", "Manches"),
    "arrange": (
        "Was mindestens bleibt",
        "The least that is left",
        "Wat op d’mannst bleift",
        "Ce qui reste au minimum",
    ),
    "referee": ("Züge am Tisch", "Turns on the table", "Zich um Dësch", "Tours sur la table"),
    "sheet": ("Ein ganzer Abend", "A whole evening", "E ganzen Owend", "Une soirée entière"),
    "settlement": ("Abrechnung", "Settlement", "Ofrechnung", "Comptes"),
    "cards": ("Karten", "Cards", "Kaarten", "Cartes"),
    "verdict": ("Ergebnis", "Result", "Resultat", "Résultat"),
    "table": ("auf dem Tisch", "on the table", "um Dësch", "sur la table"),
    "robbed": ("geräubert", "robbed", "geraibert", "volé"),
    "left": ("es bleibt", "left over", "et bleift", "il reste"),
    "all": ("alle Regelsysteme", "all rule systems", "all Reegelsystemer", "toutes les variantes"),
    "exchange": ("getauscht gegen", "swapped for", "getosch géint", "échangé contre"),
}
"""Words that are in no catalogue, in the order of ``LANGUAGES``."""


def phrase(key: str, lang: Language) -> str:
    return WORDS[key][LANGUAGES.index(lang.code)]


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
