"""Paper: score sheets, statements, pads and rules cards as PDF files.

reportlab is loaded with the first of them, so that the server starts without it.
"""

from scorekeeper.domain.game import Game
from scorekeeper.domain.settlement import Settlement
from scorekeeper.i18n import Language
from scorekeeper.pdf.fonts import undrawable

__all__ = ["SHEETS", "score_sheet", "undrawable"]

SHEETS = ("A4", "A5")
"""The sizes that sheets and cards are printed in."""


def score_sheet(
    game: Game,
    settlement: Settlement | None,
    lang: Language,
    *,
    head: str | None = None,
    size: str = "A4",
    address: str | None = None,
    details: bool = False,
) -> bytes:
    """The score sheet; equal games make equal bytes.

    ``head`` is the hash of the newest event: its first 16 digits and the number of events
    are printed, so that ``check`` can tell whether this sheet ever was the truth.
    ``address`` is that of the live page, without a secret: it becomes a code to scan.
    ``details`` adds every round with its cards.
    """
    from scorekeeper.pdf.sheet import pages
    from scorekeeper.pdf.words import Words

    return pages(
        Words(game, lang), settlement, size=size, head=head, address=address, detailed=details
    )
