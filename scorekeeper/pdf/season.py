"""The season table of a group: the ranking over many evenings."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table

from scorekeeper.domain.season import Season, Standing
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.i18n.seasons import member_name, order_words, span_words, value_words
from scorekeeper.pdf.layout import (
    HAIRLINE,
    NBSP,
    PAGE_FORMATS,
    TEXT,
    THICK,
    HeaderFooter,
    PageFormat,
    build,
    max_text_width,
    register_fonts,
    truncate,
    wrap_text,
)
from scorekeeper.pdf.tables import ALL, GREY, PAD, cell_style, font, small_print, text_height

AMOUNT_WIDTH = 26 * mm
"""Wider amounts take two lines."""
NO_RANK = "–"


@dataclass(frozen=True)
class SeasonPage:
    """A season table, laid out on pages of one format."""

    season: Season
    lang: Language
    page_format: PageFormat

    def print(self) -> bytes:
        """Return the table as a PDF file."""
        register_fonts()
        lang, kind = self.lang, self.lang("paper.season")
        span = span_words(self.season.question.span, lang)
        title = ", ".join(filter(None, map(printable, (self.season.group.name, span))))
        header_footer = HeaderFooter(self.page_format, kind, title, self._page_label, ("", ""))
        return build(self.story(), header_footer, subject=kind, language=lang.code)

    def _page_label(self, number: int, pages: int) -> str:
        return self.lang("paper.page", number=number, pages=pages)

    def story(self) -> Iterator[Flowable]:
        """Yield the table and a note on its order."""
        yield self._table()
        yield Spacer(0, 1.4 * mm)
        yield small_print(list(order_words(self.season, self.lang)), self.page_format.width)

    def _heads(self) -> list[str]:
        fit_columns = ("rank", "name", "evenings", "rounds", "won")
        by = self.lang(f"season.by.{self.season.question.by}")
        return [*(self.lang(f"season.column.{column}") for column in fit_columns), by]

    def _cells(self, one: Standing) -> list[str]:
        lang, figures = self.lang, one.figures
        numbers = [figures.evenings, figures.played, figures.won]
        rank = NO_RANK if one.rank is None else lang.number(one.rank)
        name = printable(member_name(self.season.group, figures.member, lang))
        value = printable(value_words(one.value, self.season, lang))
        amount = wrap_text(value.replace(NBSP, " "), "Sans", TEXT, AMOUNT_WIDTH)
        return [rank, name, *map(lang.number, numbers), amount]

    def _table(self) -> Table:
        """Return the table; names take the width that the numbers leave."""
        heads = self._heads()
        rows = [self._cells(one) for one in self.season.standings]
        widths = [
            max_text_width([head, *(row[at] for row in rows)], "Sans-Bold", TEXT) + 2 * PAD
            for at, head in enumerate(heads)
        ]
        widths[1] = self.page_format.width - sum(widths) + widths[1]
        for row in rows:
            row[1] = truncate(row[1], "Sans", TEXT, widths[1] - 2 * PAD)
        style = [
            *cell_style(PAD),
            font(*ALL, "Sans", TEXT),
            font((0, 0), (-1, 0), "Sans-Bold", TEXT),
            ("ALIGN", (0, 0), (0, -1), "RIGHT"),
            ("ALIGN", (2, 0), (-1, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, -1), HAIRLINE, GREY),
            ("LINEABOVE", (0, 0), (-1, 0), THICK, black),
            ("LINEBELOW", (0, 0), (-1, 0), THICK, black),
            ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
        ]
        return Table(
            [heads, *rows],
            colWidths=widths,
            rowHeights=[
                7 * mm,
                *(max(7 * mm, text_height(row[-1], TEXT) + 2 * mm) for row in rows),
            ],
            repeatRows=1,
            style=style,
        )


def pages(season: Season, lang: Language, *, size: str) -> bytes:
    """Return the season table as a PDF file."""
    return SeasonPage(season, lang, PAGE_FORMATS[size]).print()
