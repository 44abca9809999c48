"""The season sheet of a group: the ranking over many evenings, and how it came about."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table

from scorekeeper.domain.group.season import Season, Standing
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.layout import (
    HAIRLINE,
    LARGE,
    TEXT,
    THICK,
    HeaderFooter,
    PageFormat,
    build,
    largest_size,
    max_text_width,
    truncate,
    wrap_text,
)
from scorekeeper.pdf.season_parts import SeasonParts
from scorekeeper.pdf.tables import ALL, GREY, PAD, cell_style, font, small_print, text_height
from scorekeeper.store.season_history import SeasonHistory
from scorekeeper.wording.seasons import member_name, order_words, span_words, value_words

AMOUNT_WIDTH = 26 * mm
"""Wider amounts take two lines."""
NO_RANK = "–"
LEADER = 19
"""The font size of the leaders' rank, name and value."""
NAME_SIZES = (LEADER, 15, LARGE)
"""The sizes in which a leader's name may fit one line."""
NAME_SHARE = 0.5
"""The share of the width that the name of the group may take in the header."""


@dataclass(frozen=True)
class SeasonPage:
    """A season table, laid out on pages of one format."""

    season: Season
    lang: Language
    page_format: PageFormat
    history: SeasonHistory | None = None

    def print(self) -> bytes:
        """Return the table as a PDF file."""
        lang, kind = self.lang, self.lang("paper.season")
        span = span_words(self.season.question.span, lang)
        name = printable(self.season.group.name) or kind
        group = truncate(name, "Serif-Bold", 20, NAME_SHARE * self.page_format.width)
        title = f"{kind}, {span}" if group != kind else span
        footer = (lang("paper.season.bold") if self.history else "", "scorekeeper")
        header_footer = HeaderFooter(
            self.page_format, group, printable(title), self._page_label, footer
        )
        return build(self.story(), header_footer, subject=kind, language=lang.code)

    def _page_label(self, number: int, pages: int) -> str:
        return self.lang("paper.page", number=number, pages=pages)

    def story(self) -> Iterator[Flowable]:
        """Yield the table, a note on its order, and the history."""
        width = self.page_format.width
        yield self._table()
        yield Spacer(0, 1.4 * mm)
        yield small_print(list(order_words(self.season, self.lang)), width)
        if self.history:
            yield from SeasonParts(self.season, self.history, self.lang, width).all()

    def _heads(self) -> list[str]:
        columns = ("rank", "name", "evenings", "rounds", "won")
        by = self.lang(f"season.by.{self.season.question.by}")
        return [*(self.lang(f"season.column.{column}") for column in columns), by]

    def _cells(self, one: Standing) -> list[str]:
        lang, figures = self.lang, one.figures
        numbers = [figures.evenings, figures.played, figures.won]
        rank = NO_RANK if one.rank is None else lang.number(one.rank)
        name = printable(member_name(self.season.group, figures.member, lang))
        value = printable(value_words(one.value, self.season, lang))
        amount = wrap_text(value.replace(NBSP, " "), "Sans", TEXT, AMOUNT_WIDTH)
        return [rank, name, *map(lang.number, numbers), amount]

    def _table(self) -> Table:
        """Return the table; names take the width that the numbers leave, in lines if they must."""
        heads = self._heads()
        rows = [self._cells(standing) for standing in self.season.standings]
        widths = [
            max_text_width([head, *(row[at] for row in rows)], "Sans-Bold", TEXT) + 2 * PAD
            for at, head in enumerate(heads)
        ]
        first = [at for at, one in enumerate(self.season.standings, start=1) if one.rank == 1]
        for at in first:
            grown = max_text_width([rows[at - 1][-1].replace(NBSP, " ")], "Serif-Bold", LEADER)
            widths[-1] = max(widths[-1], min(grown, AMOUNT_WIDTH * 1.5) + 2 * PAD)
            widths[0] = max(widths[0], 14 * mm)
        widths[1] = self.page_format.width - sum(widths) + widths[1]
        sizes = []
        for at, row in enumerate(rows, start=1):
            face, usual = ("Serif-Bold", NAME_SIZES) if at in first else ("Serif", (LARGE,))
            sizes.append(largest_size([row[1]], face, usual, widths[1] - 2 * PAD))
            row[1] = wrap_text(row[1], face, sizes[-1], widths[1] - 2 * PAD)
        style = [
            *cell_style(PAD),
            font(*ALL, "Sans", TEXT),
            font((0, 0), (-1, 0), "Sans-Bold", TEXT),
            font((1, 1), (-1, -1), "Serif", LARGE),
            *(font((0, row), (0, row), "Serif-Bold", LEADER) for row in first),
            *(font((1, row), (1, row), "Serif-Bold", sizes[row - 1]) for row in first),
            *(
                font((-1, row), (-1, row), "Serif-Bold", _value_size(rows[row - 1][-1], widths[-1]))
                for row in first
            ),
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
                *(
                    max(
                        12 * mm if at in first else 7.4 * mm,
                        text_height(row[-1], LARGE) + 2 * mm,
                        text_height(row[1], sizes[at - 1]) + 2 * mm,
                    )
                    for at, row in enumerate(rows, start=1)
                ),
            ],
            repeatRows=1,
            style=style,
        )


def _value_size(value: str, width: float) -> float:
    """Return the size in which the leader's value fits."""
    return largest_size([value], "Serif-Bold", (LEADER, 15, LARGE, TEXT), width - 2 * PAD)
