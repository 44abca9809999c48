"""Points without a round in words."""

from collections.abc import Iterator

from scorekeeper.domain.game.given import note_field
from scorekeeper.domain.game.rows import Given
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import Language


def given_in_words(game: Game, after: int, lang: Language) -> Iterator[str]:
    """Yield the points that were given after the round of this ordinal, 0 for before the first."""
    for one in game.sheet.given:
        if one.after == after:
            yield given_words(game, one, lang)


def given_words(game: Game, one: Given, lang: Language) -> str:
    """Return what was given to whom, with its note."""
    player = game.sides[one.side]
    if one.start:
        return lang("given.start", player=player, points=one.points.minus or one.points.plus)
    tallies = {"minus": one.points.minus, "plus": one.points.plus}
    keys = {f"given.{tally}.less" if n < 0 else f"given.{tally}": n for tally, n in tallies.items()}
    words = lang.clauses(lang(key, player=player, n=abs(n)) for key, n in keys.items() if n)
    note = game.texts.get(note_field(one.event), "")
    return lang("given.noted", words=words, note=note) if note else words
