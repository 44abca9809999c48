"""The rules card: the house rules of a table on one page, so that nobody has to argue."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.platypus import Table

from scorekeeper.domain.options import GROUPS, RuleSet
from scorekeeper.domain.presets import deviations
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.examples import Examples
from scorekeeper.pdf.layout import (
    FOOT,
    HEAD,
    LEAVES,
    NO_BREAK,
    SMALL,
    Edges,
    build,
    register_faces,
    wrap,
)
from scorekeeper.pdf.tables import Command, bare, beside, font, high

STAKE = ("settle.point_value", "settle.unit", "settle.payable", "settle.measure", "settle.stake")
NOT_SAID = frozenset({"family", "players.min", "players.max", *STAKE})
"""Options that the card says in a sentence of its own, or not at all."""
SIZES = (10, 9.5, SMALL)
GAP = 8 * mm
Line = tuple[str, str]
"""Face and text."""


@dataclass(frozen=True)
class Card:
    """A rules card about to be printed."""

    rules: RuleSet
    lang: Language
    title: str = ""

    def print(self) -> bytes:
        """The card as a PDF file of one page."""
        register_faces()
        edges, lang = self.edges, self.lang
        columns = self._columns(edges.leaf.width, edges.leaf.height - HEAD - FOOT)
        return build([columns], edges, subject=lang("paper.card.subject"), language=lang.code)

    @property
    def edges(self) -> Edges:
        lang = self.lang
        system = lang.preset(self.rules.preset)
        title = ", ".join(filter(None, (system, printable(self.title))))
        foot = lang("paper.card.bold") if self._different else ""
        kind = lang("paper.card.title")
        return Edges(LEAVES["A4"], kind, title, lambda number, pages: "", (foot, ""))

    @property
    def _different(self) -> frozenset[str]:
        return frozenset(one.name for one in deviations(self.rules)) - NOT_SAID

    def lines(self) -> Iterator[list[Line]]:
        """The rules by groups, each with its heading; then the examples."""
        lang, rules = self.lang, self.rules
        for group, parts in GROUPS.items():
            names = [
                name
                for name in rules.telling()
                if name.partition(".")[0] in parts and name not in NOT_SAID
            ]
            said = [
                ("Sans-Bold" if name in self._different else "Sans", lang.played(name, rules[name]))
                for name in names
            ]
            if group == "deal":
                said.insert(0, ("Sans", self._players()))
            if group == "end":
                said += [("Sans", stake) for stake in self._stakes()]
            if said:
                yield [("Serif-Bold", lang(f"pages.group.{group}")), *said]
        for heading, sentences in Examples(rules, lang).all():
            yield [("Serif-Bold", heading), *(("Sans", sentence) for sentence in sentences)]

    def _players(self) -> str:
        players = self.rules.players
        if players.min == players.max:
            return self.lang("paper.card.players.just", least=players.min)
        return self.lang("paper.card.players", least=players.min, most=players.max)

    def _stakes(self) -> Iterator[str]:
        """What is played for: a price for every point, a stake of the table, or both."""
        terms, lang, unit = self.rules.settle, self.lang, printable(self.rules.settle.unit)
        if terms.mode != "none" and terms.point_value is not None:
            steps = lang.money(terms.payable, unit)
            yield lang("paper.card.stake", amount=lang.rate(terms.point_value, unit), steps=steps)
        if terms.stake:
            yield lang("paper.card.table_stake", amount=lang.money(terms.stake, unit))

    def _columns(self, whole: float, height: float) -> Table:
        """Everything in two columns, as large as it fits; the last examples may be left out."""
        room = (whole - GAP) / 2
        groups = list(self.lines())
        while True:
            for size in SIZES:
                left, right = split([set_group(group, room, size) for group in groups])
                if max(left.height, right.height) <= height:
                    parts = [column.table(room) for column in (left, right)]
                    return beside(parts[:1], parts[1:], room, whole)
            groups.pop()


@dataclass(frozen=True)
class Column:
    """Lines that stand above each other, with the room that each takes."""

    lines: Sequence[Line]
    heights: Sequence[float]
    size: float

    @property
    def height(self) -> float:
        return sum(self.heights)

    def __add__(self, other: "Column") -> "Column":
        lines, heights = [*self.lines, *other.lines], [*self.heights, *other.heights]
        return Column(lines, heights, self.size)

    def table(self, room: float) -> Table:
        """The column as a table."""
        style: list[Command] = [*bare(), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        for row, (face, _) in enumerate(self.lines):
            heading = face == "Serif-Bold"
            style.append(font((0, row), (0, row), face, 11 if heading else self.size))
            if heading:
                style.append(("VALIGN", (0, row), (0, row), "MIDDLE"))
        data = [[text] for _, text in self.lines]
        return Table(data, colWidths=[room], rowHeights=self.heights, style=style, hAlign="LEFT")


def set_group(lines: Sequence[Line], room: float, size: float) -> Column:
    """A heading and its sentences at a size."""
    (_, heading), *said = lines
    wrapped = [(face, wrap(_bound(text), face, size, room)) for face, text in said]
    heights = [high(text, size) + 0.8 * mm for _, text in wrapped]
    return Column([("Serif-Bold", heading), *wrapped], [8 * mm, *heights], size)


def _bound(text: str) -> str:
    """A number stays on the line of the sign before it: ``× 2``, ``= 50``."""
    return text.replace("× ", f"×{NO_BREAK}").replace("= ", f"={NO_BREAK}")


def split(groups: Sequence[Column]) -> tuple[Column, Column]:
    """Groups in two columns of about the same height, none torn apart."""

    def halves(at: int) -> tuple[Column, Column]:
        empty = Column([], [], SMALL)
        return sum(groups[:at], empty), sum(groups[at:], empty)

    return min(
        (halves(at) for at in range(1, len(groups) + 1)),
        key=lambda pair: max(pair[0].height, pair[1].height),
    )
