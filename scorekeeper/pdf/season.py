"""The season of a group: who stands where after many evenings."""

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
    HAIR,
    LEAVES,
    NO_BREAK,
    TEXT,
    THICK,
    Edges,
    Leaf,
    build,
    fit,
    register_faces,
    widest,
    wrap,
)
from scorekeeper.pdf.tables import ALL, GREY, PAD, bare, font, high, small_print

MONEY = 26 * mm
"""An amount that needs more takes two lines."""
NO_RANK = "–"


@dataclass(frozen=True)
class Paper:
    """A season table about to be printed."""

    season: Season
    lang: Language
    leaf: Leaf

    def print(self) -> bytes:
        """The table as a PDF file."""
        register_faces()
        lang, kind = self.lang, self.lang("paper.season")
        span = span_words(self.season.question.span, lang)
        title = ", ".join(filter(None, map(printable, (self.season.group.name, span))))
        edges = Edges(self.leaf, kind, title, self._page, ("", ""))
        return build(self.story(), edges, subject=kind, language=lang.code)

    def _page(self, number: int, pages: int) -> str:
        return self.lang("paper.page", number=number, pages=pages)

    def story(self) -> Iterator[Flowable]:
        """The table, and what it is ordered by."""
        yield self._table()
        yield Spacer(0, 1.4 * mm)
        yield small_print(list(order_words(self.season, self.lang)), self.leaf.width)

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
        kept = wrap(value.replace(NO_BREAK, " "), "Sans", TEXT, MONEY)
        return [rank, name, *map(lang.number, numbers), kept]

    def _table(self) -> Table:
        """Names get what the numbers leave."""
        heads = self._heads()
        rows = [self._cells(one) for one in self.season.standings]
        widths = [
            widest([head, *(row[at] for row in rows)], "Sans-Bold", TEXT) + 2 * PAD
            for at, head in enumerate(heads)
        ]
        widths[1] = self.leaf.width - sum(widths) + widths[1]
        for row in rows:
            row[1] = fit(row[1], "Sans", TEXT, widths[1] - 2 * PAD)
        style = [
            *bare(PAD),
            font(*ALL, "Sans", TEXT),
            font((0, 0), (-1, 0), "Sans-Bold", TEXT),
            ("ALIGN", (0, 0), (0, -1), "RIGHT"),
            ("ALIGN", (2, 0), (-1, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, -1), HAIR, GREY),
            ("LINEABOVE", (0, 0), (-1, 0), THICK, black),
            ("LINEBELOW", (0, 0), (-1, 0), THICK, black),
            ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
        ]
        return Table(
            [heads, *rows],
            colWidths=widths,
            rowHeights=[7 * mm, *(max(7 * mm, high(row[-1], TEXT) + 2 * mm) for row in rows)],
            repeatRows=1,
            style=style,
        )


def pages(season: Season, lang: Language, *, size: str) -> bytes:
    """The season table as a PDF file."""
    return Paper(season, lang, LEAVES[size]).print()
