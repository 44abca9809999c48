"""PDF files: score sheets, statements, season tables, pads and rules cards; pictures for chats.

The functions import reportlab when they are called, so that the server starts without it.
reportlab is not thread-safe; the server calls them in worker processes (workers/pool.py).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language

if TYPE_CHECKING:
    from scorekeeper.domain.group.season import Season
    from scorekeeper.store.season_history import SeasonHistory
    from scorekeeper.wording.sheet import Words
    from scorekeeper.wording.tournament_paper import CardWords, CertificateWords, StandingsWords

__all__ = [
    "MAX_PAGES",
    "PADS_PER_PAPER",
    "PAD_SIZES",
    "SHEET_SIZES",
    "blank_pad",
    "evening_picture",
    "rules_card",
    "score_sheet",
    "score_sheets",
    "season_table",
    "settlement_statement",
    "tournament_cards",
    "tournament_certificates",
    "tournament_standings",
]

SHEET_SIZES = ("A4", "A5")
"""The page formats of score sheets and season tables."""
PAD_SIZES = ("A4", "A5", "A6")
"""The page formats of pads."""
PADS_PER_PAPER = (1, 2, 4)
"""How many pages of a pad are printed on one sheet of paper (n-up)."""
MAX_PAGES = 20
"""Sheets of paper in one file of pads."""


def score_sheet(
    words: "Words",
    *,
    size: str = "A4",
    found_at: str = "",
    details: bool = False,
    head: str | None = None,
    address: str | None = None,
) -> bytes:
    """Return the score sheet of a game; equal games give equal bytes.

    ``head`` is the hash of the newest event. Its first 16 digits are printed with the number
    of events, so that ``scorekeeper check`` can tell whether the sheet matches the database.
    ``address`` is a link that opens the game for reading; it is printed as a QR code.
    ``found_at`` is the address under which strangers find the program.
    ``details`` adds every round with its cards.
    """
    from scorekeeper.pdf.layout import PAGE_FORMATS
    from scorekeeper.pdf.sheet import ScoreSheet

    return ScoreSheet(words, PAGE_FORMATS[size], head, address, details, found_at).print()


def score_sheets(
    games: Sequence[Game],
    lang: Language,
    *,
    size: str,
    details: bool,
    on_start: Callable[[int], None],
) -> bytes:
    """Return the score sheets of several games in one file; ``on_start`` gets each index."""
    from scorekeeper.pdf.layout import PAGE_FORMATS
    from scorekeeper.pdf.sheet import ScoreSheet, render_all
    from scorekeeper.wording.sheet import Words

    page_format = PAGE_FORMATS[size]
    sheets = [ScoreSheet(Words(game, lang), page_format, detailed=details) for game in games]
    return render_all(sheets, on_start)


def settlement_statement(
    game: Game,
    settlement: Settlement,
    lang: Language,
    *,
    side: int | None = None,
    head: str | None = None,
) -> bytes:
    """Return the result of an evening on one page of A4, for everyone or for one ``side``."""
    from scorekeeper.pdf.statement import Statement
    from scorekeeper.wording.sheet import Words

    return Statement(Words(game, lang), settlement, head, side).print()


def evening_picture(game: Game, lang: Language, *, title: str, found_at: str = "") -> bytes:
    """Return the result of an evening as a picture for a chat, a PNG file.

    ``found_at`` is the address under which a friend finds the program.
    """
    from scorekeeper.pdf.picture import Picture

    return Picture(game, lang, title, found_at).png()


def season_table(
    table: "Season",
    lang: Language,
    *,
    size: str = "A4",
    history: "SeasonHistory | None" = None,
) -> bytes:
    """Return the season table of a group, with points over time, records and evenings below."""
    from scorekeeper.pdf.layout import PAGE_FORMATS
    from scorekeeper.pdf.season import SeasonPage

    return SeasonPage(table, lang, PAGE_FORMATS[size], history).print()


def blank_pad(
    rules: RuleSet,
    lang: Language,
    names: Sequence[str],
    *,
    size: str,
    up: int = 1,
    pages: int = 1,
) -> bytes:
    """Return a score pad to fill in, with a column for every name; empty names stay blank.

    ``size`` is the format of one page of the pad. ``up`` pages share one sheet of paper with
    cut marks between them: two of A5 or four of A6 fit on A4.
    """
    from scorekeeper.pdf import pad

    return pad.pages(rules, lang, names, size=size, up=up, number=pages)


def rules_card(rules: RuleSet, lang: Language, *, title: str = "") -> bytes:
    """Return the rules of a table on one page of A4, its house rules in bold."""
    from scorekeeper.pdf.card import RulesCard

    return RulesCard(rules, lang, title).print()


def tournament_cards(cards: "Sequence[CardWords]", lang: Language) -> bytes:
    """Return a card of A6 for each table of a round."""
    from scorekeeper.pdf import tournament

    return tournament.table_cards(cards, lang.code)


def tournament_standings(words: "StandingsWords", lang: Language) -> bytes:
    """Return the standings of a tournament with all rounds."""
    from scorekeeper.pdf import tournament

    return tournament.standings(words, lang.code)


def tournament_certificates(words: "Sequence[CertificateWords]", lang: Language) -> bytes:
    """Return a page of A4 for each certificate."""
    from scorekeeper.pdf import tournament

    return tournament.certificates(words, lang.code)
