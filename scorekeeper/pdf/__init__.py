"""Paper: the score sheet of a game as a PDF file.

reportlab is loaded with the first sheet, so that the server starts without it.
"""

from scorekeeper.domain.game import Game
from scorekeeper.domain.settlement import Settlement
from scorekeeper.i18n import Language
from scorekeeper.pdf.fonts import undrawable

__all__ = ["score_sheet", "undrawable"]


def score_sheet(
    game: Game, settlement: Settlement | None, lang: Language, *, head: str | None = None
) -> bytes:
    """The score sheet on A4; equal games make equal bytes.

    ``head`` is the hash of the newest event: its first 16 digits and the number of events
    are printed, so that ``check`` can tell whether this sheet ever was the truth.
    """
    from scorekeeper.pdf.sheet import pages
    from scorekeeper.pdf.words import Words

    return pages(Words(game, lang), settlement, head)
