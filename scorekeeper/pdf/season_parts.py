"""The parts of a season sheet below the table: points over time, records, evenings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table

from scorekeeper.domain.group.days import local_day
from scorekeeper.domain.group.season import Season
from scorekeeper.export.charts import ChartLine
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.chart import LineChart
from scorekeeper.pdf.layout import (
    HAIRLINE,
    SMALL,
    TEXT,
    THICK,
    THIN,
    max_text_width,
    truncate,
    truncate_names,
    wrap_text,
)
from scorekeeper.pdf.tables import ALL, GREY, Command, cell_style, font, heading, text_height
from scorekeeper.store.evenings import StoredEvening
from scorekeeper.store.season_history import SeasonHistory
from scorekeeper.wording.seasons import member_name

MAX_MEMBERS = 6
"""As many lines as can be told apart, and as many columns as fit."""
CHART_HEIGHT = 46 * mm
RECORDS_ACROSS = 3
LEFT_PAD = 1.4 * mm


@dataclass(frozen=True)
class SeasonParts:
    """The history of a season, laid out in a width."""

    season: Season
    history: SeasonHistory
    lang: Language
    width: float

    def all(self) -> Iterator[Flowable]:
        """Yield chart, records and evenings; nothing before the first evening is over."""
        if not self.history.evenings:
            return
        for key, part in (
            ("season.course", self._chart()),
            ("season.records", self._records()),
        ):
            if part:
                head = heading(self._of_system(key), width=self.width)
                yield KeepTogether([Spacer(0, 4 * mm), head, part])
        yield Spacer(0, 4 * mm)
        yield heading(self.lang("paper.season.evenings"))
        yield self._evenings()

    def _of_system(self, key: str) -> str:
        """Return a heading with the rule system, where the season has several."""
        words, preset = self.lang(key), self.history.preset
        return f"{words}, {self.lang.preset(preset)}" if preset else words

    def _regulars(self) -> list[int]:
        """Return the members that came most often, in the order of the table."""
        everybody = [standing.figures for standing in self.season.standings]
        often = sorted(everybody, key=lambda one: -one.evenings)[:MAX_MEMBERS]
        return [one.member for one in everybody if one in often]

    def _name(self, member: int) -> str:
        return printable(member_name(self.season.group, member, self.lang))

    @property
    def _has_years(self) -> bool:
        """Whether a day needs its year: the evenings are of several."""
        began = (evening.began for evening in self.history.evenings)
        return len({local_day(at, self.lang.zone)[:4] for at in began}) > 1

    # ---- points over time

    def _chart(self) -> Flowable | None:
        runs = self.history.runs
        members = [member for member in self._regulars() if member in runs]
        if not members:
            return None
        best = max(runs[member][-1][1] for member in members)
        lines = [
            ChartLine(self._name(member), runs[member], runs[member][-1][1] == best)
            for member in members
        ]
        day = self.lang.month if self._has_years else self.lang.short_date
        days = [day(at) for at in self.history.times]
        return LineChart(lines, days, self.lang, self.width, CHART_HEIGHT)

    # ---- records

    def _records(self) -> Flowable | None:
        records = self.history.records
        if not records:
            return None
        column = self.width / RECORDS_ACROSS
        numbers = [self.lang.number(best.value) for _, best in records]
        number_width = max(17 * mm, max_text_width(numbers, "Serif-Bold", 16) + 2 * mm)
        room = column - number_width - 3 * mm
        day = self.lang.numeric_date if self._has_years else self.lang.short_date
        data: list[list[str]] = []
        style = cell_style()
        for first in range(0, len(records), RECORDS_ACROSS):
            cells: list[str] = []
            for what, best in records[first : first + RECORDS_ACROSS]:
                label = truncate(self.lang(f"paper.record.{what}"), "Sans", SMALL, room)
                names = [] if what == "rounds" else [self._name(best.member)]
                where = ", ".join([*names, day(best.began)])
                cells += [
                    self.lang.number(best.value),
                    f"{label}\n{wrap_text(where, 'Sans', SMALL, room)}",
                ]
            data.append([*cells, *[""] * (2 * RECORDS_ACROSS - len(cells))])
        for at in range(RECORDS_ACROSS):
            style.append(font((2 * at, 0), (2 * at, -1), "Serif-Bold", 16))
        style.append(("LINEABOVE", *ALL, HAIRLINE, GREY))
        style.append(("LINEBELOW", (0, -1), (-1, -1), HAIRLINE, GREY))
        widths = [number_width, column - number_width] * RECORDS_ACROSS
        heights = [_height(cells, 10.5 * mm) for cells in data]
        return Table(data, colWidths=widths, rowHeights=heights, style=style)

    # ---- the evenings

    def _evenings(self) -> Table:
        """Return a row for each evening: date, rounds, points by member, who won."""
        members, lang = self._regulars(), self.lang
        first = max_text_width(
            [lang.numeric_date(evening.began) for evening in self.history.evenings], "Sans", SMALL
        )
        rounds = max(max_text_width([lang("season.column.rounds")], "Sans-Bold", SMALL), 8 * mm)
        widths = [first + 4 * mm, rounds + 2 * LEFT_PAD]
        last = 0.2 * self.width
        own = (self.width - sum(widths) - last) / len(members)
        names = truncate_names(
            [self._name(member) for member in members], "Sans-Bold", SMALL, own - 2 * LEFT_PAD
        )
        heads = [lang("paper.date"), lang("season.column.rounds"), *names, lang("paper.season.won")]
        style: list[Command] = [
            *cell_style(LEFT_PAD),
            font((0, 0), (-1, 0), "Sans-Bold", SMALL),
            font((1, 1), (-2, -1), "Serif", TEXT),
            ("ALIGN", (1, 0), (-2, -1), "RIGHT"),
            ("LEFTPADDING", (0, 0), (0, -1), 0),
            ("LEFTPADDING", (-1, 0), (-1, -1), 4 * mm),
            ("LINEBELOW", (0, 1), (-1, -1), HAIRLINE, GREY),
            ("LINEABOVE", (0, 0), (-1, 0), THIN, black),
            ("LINEBELOW", (0, 0), (-1, 0), THIN, black),
            ("LINEABOVE", (0, -1), (-1, -1), THIN, black),
            ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
            font((0, -1), (0, -1), "Sans-Bold", SMALL),
            ("NOSPLIT", (0, -2), (-1, -1)),
        ]
        data = [heads]
        for row, evening in enumerate(self.history.evenings, start=1):
            data.append(self._evening(evening, members, last - 5 * mm))
            style += [
                font((column, row), (column, row), "Serif-Bold", TEXT)
                for column, member in enumerate(members, start=2)
                if member in _winners(evening)
            ]
        data.append(self._sums(members))
        heights = [6.6 * mm, *(_height(cells, 5.8 * mm) for cells in data[1:-1]), 6.6 * mm]
        columns = [*widths, *[own] * len(members), last]
        return Table(data, colWidths=columns, rowHeights=heights, repeatRows=1, style=style)

    def _evening(self, evening: StoredEvening, members: Sequence[int], room: float) -> list[str]:
        counted = _points(evening)
        points = [self.lang.number(counted[one]) if one in counted else "" for one in members]
        winners = wrap_text(
            ", ".join(self._name(member) for member in _winners(evening)), "Sans", SMALL, room
        )
        day, rounds = (
            self.lang.numeric_date(evening.began),
            self.lang.number(evening.evening.rounds),
        )
        return [day, rounds, *points, winners]

    def _sums(self, members: Sequence[int]) -> list[str]:
        """Return the sums of all evenings; minus points and plus points have none together."""
        number, evenings = self.lang.number, self.history.evenings
        sums: Counter[int] = Counter()
        for evening in evenings:
            sums.update(_points(evening))
        alike = len({_fewest_wins(evening) for evening in evenings}) == 1
        points = [number(sums[member]) if alike else "" for member in members]
        rounds = sum(evening.evening.rounds for evening in evenings)
        return [self.lang("paper.season.sum"), number(rounds), *points, ""]


def _height(cells: Sequence[str], least: float) -> float:
    """Return the height of a row in which names may take several lines."""
    return max(least, *(text_height(cell, SMALL) + float(1.5 * mm) for cell in cells))


def _fewest_wins(evening: StoredEvening) -> bool:
    return all(result.worth <= 0 for result in evening.evening.results)


def _points(evening: StoredEvening) -> dict[int, int]:
    """Return the points of an evening by member, as its players count them."""
    sign = -1 if _fewest_wins(evening) else 1
    pairs = zip(evening.seating.members, evening.evening.results, strict=True)
    return {member: sign * result.worth for member, result in pairs}


def _winners(evening: StoredEvening) -> list[int]:
    """Return the members who won an evening."""
    pairs = zip(evening.seating.members, evening.evening.results, strict=True)
    return [member for member, result in pairs if result.victory]
