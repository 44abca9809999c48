"""The season of a group: who stands where after many evenings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table

from scorekeeper.i18n import Language
from scorekeeper.pdf.fonts import drawable
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


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One member over a season; who is first comes first."""

    rank: int
    name: str
    evenings: int
    rounds: int
    won: int
    points: int
    balance: Fraction | None = None
    """Money won or lost; None where nothing was played for."""


@dataclass(frozen=True)
class Season:
    """A season table about to be printed."""

    group: str
    span: str
    """Which season: ``2026``, ``Januar bis Juni``."""
    standings: Sequence[Standing]
    unit: str
    lang: Language
    leaf: Leaf

    def print(self) -> bytes:
        """The table as a PDF file."""
        register_faces()
        lang, kind = self.lang, self.lang("paper.season")
        title = ", ".join(filter(None, map(drawable, (self.group, self.span))))
        edges = Edges(self.leaf, kind, title, self._page, ("", ""))
        return build(self.story(), edges, subject=kind, language=lang.code)

    def _page(self, number: int, pages: int) -> str:
        return self.lang("paper.page", number=number, pages=pages)

    def story(self) -> Iterator[Flowable]:
        """The table, and what it is ordered by."""
        yield self._table()
        yield Spacer(0, 1.4 * mm)
        yield small_print([self.lang("paper.season.order")], self.leaf.width)

    def _heads(self) -> list[str]:
        money = any(one.balance is not None for one in self.standings)
        columns = ["rank", "name", "evenings", "rounds", "won", "points", *["balance"] * money]
        return [self.lang(f"paper.season.{column}") for column in columns]

    def _cells(self, one: Standing) -> list[str]:
        lang = self.lang
        numbers = [one.evenings, one.rounds, one.won, one.points]
        cells = [lang.number(one.rank), drawable(one.name), *map(lang.number, numbers)]
        if one.balance is not None:
            amount = lang.money(one.balance, drawable(self.unit), signed=True)
            cells.append(wrap(amount.replace(NO_BREAK, " "), "Sans", TEXT, MONEY))
        return cells

    def _table(self) -> Table:
        """Names get what the numbers leave."""
        heads = self._heads()
        rows = [self._cells(one) for one in self.standings]
        rows = [[*row, *[""] * (len(heads) - len(row))] for row in rows]
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


def pages(
    group: str,
    span: str,
    standings: Sequence[Standing],
    unit: str,
    lang: Language,
    *,
    size: str,
) -> bytes:
    """The season table as a PDF file."""
    return Season(group, span, standings, unit, lang, LEAVES[size]).print()
