"""Paper: score sheets, statements, pads and rules cards as PDF files.

reportlab is loaded with the first of them, so that the server starts without it. It has
one parser and one reader of fonts for all, so no two threads may draw at once: the server
draws in processes of their own (workers/pool.py).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scorekeeper.domain.game import Game
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.settlement import Settlement
from scorekeeper.i18n import Language

if TYPE_CHECKING:
    from scorekeeper.domain.season import Season

__all__ = [
    "MOST_PAGES",
    "PADS",
    "SHEETS",
    "UP",
    "blank_pad",
    "rules_card",
    "score_sheet",
    "score_sheets",
    "season_table",
    "settlement_statement",
]

SHEETS = ("A4", "A5")
"""The sizes that sheets and cards are printed in."""
PADS = ("A4", "A5", "A6")
"""The sizes that pads are printed in."""
UP = (1, 2, 4)
"""How many leaves of a pad lie on one paper."""
MOST_PAGES = 20


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
    from scorekeeper.pdf.layout import LEAVES
    from scorekeeper.pdf.sheet import Sheet
    from scorekeeper.pdf.words import Words

    words = Words(game, lang)
    return Sheet(words, settlement, LEAVES[size], head, address, details).print()


def score_sheets(
    games: Sequence[Game],
    lang: Language,
    *,
    size: str = "A4",
    details: bool = False,
    begun: Callable[[int], None] = lambda number: None,
) -> bytes:
    """The score sheets of several games in one file; ``begun`` is told of each in turn."""
    from scorekeeper.pdf.layout import LEAVES
    from scorekeeper.pdf.sheet import Sheet, bound
    from scorekeeper.pdf.words import Words

    leaf = LEAVES[size]
    sheets = [Sheet(Words(game, lang), game.settled, leaf, detailed=details) for game in games]
    return bound(sheets, begun)


def settlement_statement(
    game: Game,
    settlement: Settlement,
    lang: Language,
    *,
    side: int | None = None,
    head: str | None = None,
) -> bytes:
    """What an evening came to on one page of A4: for everyone, or for one ``side``."""
    from scorekeeper.pdf import statement
    from scorekeeper.pdf.words import Words

    return statement.pages(Words(game, lang), settlement, head=head, side=side)


def season_table(table: "Season", lang: Language, *, size: str = "A4") -> bytes:
    """Who stands where in a group after many evenings; who is first comes first."""
    from scorekeeper.pdf import season

    return season.pages(table, lang, size=size)


def blank_pad(
    rules: RuleSet,
    lang: Language,
    names: Sequence[str],
    *,
    size: str = "A5",
    up: int = 1,
    pages: int = 1,
) -> bytes:
    """A score pad to fill in, for as many as there are names; empty ones stay blank.

    ``size`` is that of one leaf; two or four of them (``up``) lie on one paper, with marks
    that show where to cut: two of A5 or four of A6 on A4.
    """
    from scorekeeper.pdf import pad

    return pad.pages(rules, lang, names, size=size, up=up, number=pages)


def rules_card(rules: RuleSet, lang: Language, *, title: str = "") -> bytes:
    """The rules of a table on one page of A4, what it plays differently in bold."""
    from scorekeeper.pdf.card import Card

    return Card(rules, lang, title).print()
