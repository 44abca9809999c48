"""Score sheets typed as CSV: a column per player, a row per round, a column with the days.

An empty cell is a player who was away. A row without a date belongs to the evening above it.
The player with 0 points won the round. Columns and rows that are no points, such as totals, are
left out and reported. What could be read in two ways is a question to the person who imports the
sheet, whose answers are ``Choices``; everything else that is unclear is refused [dec].
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from operator import attrgetter

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.i18n.formulas import unescape_formulas
from scorekeeper.wire.csv_cells import (
    DateOrder,
    UnbalancedQuotes,
    cells_of,
    date_order,
    days_of,
    is_absent,
    points_of,
)
from scorekeeper.wire.csv_choices import NO_CHOICES, POINTS_KINDS, Choices
from scorekeeper.wire.csv_columns import (
    LeftOutWhy,
    is_comment,
    is_day,
    is_no_name,
    is_text,
    is_total_row,
    no_players,
    respelled,
    rising,
)
from scorekeeper.wire.csv_evening import LeftOut, Rounds, Row, Sheet, SheetEvening, sheet_problem
from scorekeeper.wire.csv_export import columns_of_export, is_of_group, read_export
from scorekeeper.wire.csv_facts import Fact, Said, fact_of, is_fact, named_in
from scorekeeper.wire.file_kinds import refuse_others
from scorekeeper.wire.rounds import MAX_POINTS
from scorekeeper.wire.schemas import PlayerSchema
from scorekeeper.wire.strict import MAX_PARTS, MAX_PROBLEMS, excerpt, load

MAX_ROWS = 5_000
MAX_EVENINGS = 400
"""Evenings of one sheet: once a week for seven years. Others wait while they are written."""
MAX_COLUMNS = 40
MAX_NAME = 40


def read_sheet(
    text: str, members: Iterable[str] = (), choices: Choices = NO_CHOICES, *, latest: date
) -> Sheet:
    """Return what a sheet says; RuleError with everything that is not clear.

    ``members`` are the names of the group, ``latest`` is the last day that is not in the future.
    """
    refuse_others(text.encode(), "table")
    reader = _Reader(frozenset(filter(None, members)), choices, latest)
    try:
        rows = reader.rows(text)
        columns = columns_of_export(rows[0][1]) if rows else None
        if columns and not reader.problems:
            return read_export(columns, rows, reader.members, choices, latest)
        if rows and is_of_group(rows[0][1]):
            raise RuleError.of([sheet_problem("group", rows[0][0])])
        evenings = reader.evenings(rows)
    except _TooMany:
        evenings = ()
    if reader.problems:
        raise RuleError.of(sorted(reader.problems, key=attrgetter("path"))[:MAX_PROBLEMS])
    return Sheet(evenings, tuple(reader.left_out), tuple(reader.questions), choices)


class _TooMany(Exception):
    """There are enough problems to report."""


class _Reader:
    """Reads the rows and collects what is left out, asked and wrong."""

    def __init__(self, members: frozenset[str], choices: Choices, latest: date) -> None:
        self.members, self.choices, self.latest = members, choices, latest
        self.left_out: list[LeftOut] = []
        self.facts: dict[int, Fact] = {}
        self.said: dict[int, Said] = {}
        self.questions: list[Problem] = []
        self.problems: list[Problem] = []

    def refuse(self, why: str, line: int, column: int | None = None, **facts: object) -> None:
        self.problems.append(sheet_problem(why, line, column, **facts))
        if len(self.problems) >= MAX_PROBLEMS:
            raise _TooMany

    def leave_out(self, why: LeftOutWhy, value: str, line: int, column: int | None = None) -> None:
        self.left_out.append(LeftOut(excerpt(value), line, column, why))

    # ---- rows and columns ------------------------------------------------------------

    def evenings(self, rows: Sequence[tuple[int, list[str]]]) -> tuple[SheetEvening, ...]:
        if not rows:
            if not self.problems:
                self.problems.append(Problem("E_SHEET", {"why": "empty"}))
            return ()
        # Above the columns there may be a title, which fills one cell.
        at = next((n for n, (_, cells) in enumerate(rows) if len(list(filter(None, cells))) > 1), 0)
        (line, headings), below = rows[at], rows[at + 1 :]
        answered = self.choices.new_members | self.choices.left_out
        called = [
            name if name in self.members else unescape_formulas(name)
            for name in map(_name, headings)
        ]
        head = respelled(called, self.members, answered)
        dates = self.date_column(head, below)
        if len(head) < 3 or dates is None:
            self.refuse("header", line)
            return ()
        widest = max(len(cells) for _, cells in rows[at:])
        columns = self.columns(line, [*head, *[""] * (widest - len(head))], dates)
        lines = list(self.lines(below, dates, columns, head))
        players = self.players(line, columns, lines)
        if not (lines or self.problems):
            self.problems.append(Problem("E_SHEET", {"why": "empty"}))
        if len(players) < 2:
            if not self.problems:
                self.refuse("header", line)
            return ()
        days = self.rounds(lines, players)
        names = tuple(players.values())
        return tuple(_evening(day, rows, names, self.said) for day, rows in days.items())

    def rows(self, text: str) -> list[tuple[int, list[str]]]:
        """Return every row that is not empty, with its line number."""
        rows: list[tuple[int, list[str]]] = []
        try:
            for line, cells in cells_of(text):
                if len(rows) > MAX_ROWS:
                    self.refuse("rows", line, most=MAX_ROWS)
                    break
                if len(cells) > MAX_COLUMNS:
                    self.refuse("columns", line, MAX_COLUMNS + 1)
                    break
                rows.append((line, cells))
        except UnbalancedQuotes as error:
            self.refuse("quotes", error.line)
        return rows

    def date_column(
        self, head: Sequence[str], below: Sequence[tuple[int, list[str]]]
    ) -> int | None:
        """Return the column that is headed as dates, else the first; None if it has no dates."""
        for index, heading in enumerate(head):
            if not self.is_player(heading) and is_day(heading) and is_no_name(heading):
                return index
        if self.days_of(head[0]):
            return None
        is_other = self.is_player(head[0]) or (head[0] and is_no_name(head[0]))
        return None if is_other and not any(self.days_of(row[0]) for _, row in below) else 0

    def is_player(self, heading: str) -> bool:
        """Return whether a heading is the name of a member, or said to be a player."""
        return heading in self.members or heading in self.choices.new_members

    def days_of(self, cell: str) -> dict[DateOrder, date]:
        return days_of(cell, self.latest.year)

    def columns(self, line: int, head: Sequence[str], dates: int) -> dict[int, str]:
        """Return the columns that may be players, by their headings, and leave out the others."""
        columns = {}
        for index, heading in enumerate(head):
            if index == dates:
                continue
            is_word = bool(heading) and not self.is_player(heading)
            if heading in self.choices.left_out:
                self.leave_out("chosen", heading, line, index + 1)
            elif is_word and is_fact(heading) and (fact := fact_of(heading)):
                self.facts[index] = fact
            elif is_word and (is_fact(heading) or is_no_name(heading)):
                self.leave_out("word", heading, line, index + 1)
            else:
                columns[index] = heading
        return columns

    def lines(
        self,
        below: Sequence[tuple[int, list[str]]],
        dates: int,
        columns: Mapping[int, str],
        head: Sequence[str],
    ) -> Iterator["_RoundRow"]:
        """Yield the rows that contain points, with their days."""
        order = self.choices.dates or date_order(
            [_cell(cells, dates) for _, cells in below], self.latest.year
        )
        labels = [i for i, word in enumerate(head) if i not in columns and not is_comment(word)]
        day = None
        for line, cells in below:
            announced = _cell(cells, dates)
            total = next(filter(is_total_row, (_cell(cells, index) for index in labels)), None)
            if total is not None:
                self.leave_out("word", total, line)
                continue
            if is_comment(announced):
                self.refuse("comment", line, dates + 1, value=excerpt(announced))
                continue
            has_points = any(_cell(cells, index) for index in columns)
            if announced or has_points:
                day = self.day(line, dates + 1, announced, order, day)
            if has_points:
                yield _RoundRow(line, day, cells)

    def day(
        self, line: int, column: int, cell: str, order: DateOrder | None, before: str | None
    ) -> str | None:
        """Return the day of a row: its own, else the day of the row above."""
        if not cell:
            if before is None:
                self.refuse("no_date", line, column)
            return before
        days = self.days_of(cell)
        found = set(days.values())
        if len(found) > 1 and order is None:
            if not any(problem.facts["why"] == "day_month" for problem in self.problems):
                self.refuse("day_month", line, column, value=excerpt(cell))
            return min(found).isoformat()
        day = days.get(order) if order and len(found) > 1 else next(iter(found), None)
        if day is None or (self.choices.dates and self.choices.dates not in days):
            self.refuse("date", line, column, value=excerpt(cell))
            return before
        if day > self.latest:
            self.refuse("future", line, column, value=excerpt(cell), day=day.isoformat())
        return day.isoformat()

    def players(
        self, line: int, columns: Mapping[int, str], lines: Sequence["_RoundRow"]
    ) -> dict[int, str]:
        """Return the columns that are players, by their names, and ask for those not known."""
        cells = {index: [_cell(one.cells, index) for one in lines] for index in columns}
        headings = list(columns.values())
        unknown = [
            index
            for place, (index, heading) in enumerate(columns.items())
            if heading in headings[:place] or not self.is_player(heading)
        ]
        others: dict[int, LeftOutWhy] = {i: "text" for i in unknown if is_text(cells[i])}
        values = {
            index: [points_of(cell) for cell in column]
            for index, column in cells.items()
            if index not in others
        }
        days = [one.day or "" for one in lines]
        others |= no_players(values, [index for index in unknown if index in values], days)
        players: dict[int, str] = {}
        for index, heading in columns.items():
            if index in others:
                self.leave_out(others[index], heading, line, index + 1)
            elif heading:
                self.add_player(players, line, index, heading)
                if any(value is not None for value in values[index]):
                    self.ask_for(line, index, heading)
            elif written := [one.line for one in lines if _cell(one.cells, index)]:
                self.refuse("columns", written[0], index + 1)
        return players

    def add_player(self, players: dict[int, str], line: int, index: int, heading: str) -> None:
        if heading in players.values():
            self.refuse("same_name", line, index + 1, value=excerpt(heading))
        try:
            players[index] = load(PlayerSchema(), {"name": heading})["name"]
        except RuleError:
            self.refuse("player", line, index + 1, value=excerpt(heading))

    def ask_for(self, line: int, index: int, heading: str) -> None:
        """Ask whether a name joins, or whether a member is meant by a word such as ``Pot``."""
        if heading in self.choices.new_members:
            return
        if heading not in self.members:
            self.questions.append(sheet_problem("new_member", line, index + 1, value=heading))
        elif is_no_name(heading):
            self.questions.append(sheet_problem("doubtful", line, index + 1, value=heading))

    # ---- rounds ----------------------------------------------------------------------

    def rounds(self, lines: Sequence["_RoundRow"], players: Mapping[int, str]) -> dict[str, Rounds]:
        """Return the rounds by day."""
        days: dict[str, Rounds] = {}
        for one in lines:
            row = self.points(one, players)
            if one.day and row:
                days.setdefault(one.day, []).append((one.line, row))
                self.read_facts(one, [*players.values()], row)
        days = dict(sorted(days.items()))
        if len(days) > MAX_EVENINGS:
            self.refuse("evenings", [*days.values()][MAX_EVENINGS][0][0], most=MAX_EVENINGS)
            return {}
        kind = self.choices.points
        line = None if kind or self.problems else rising(days.values())
        if line or kind in ("totals", "day_totals"):
            # Totals go on, or begin anew every day, or on the days on which the first row says so.
            goes_on, anew, mixed = (
                _differences(days, goes_on)
                for goes_on in (lambda *_: True, lambda *_: False, self.is_round)
            )
            good = [one for one in (goes_on, anew, mixed) if self.are_rounds(one)]
            if line and good:
                is_open = goes_on != anew and goes_on in good and anew in good
                kinds = [one for one in POINTS_KINDS if is_open or one != "day_totals"]
                self.refuse("running", line, kinds=kinds)
                return days
            if kind:
                found = anew if kind == "day_totals" else next(iter(good), mixed)
                days = self.of_totals(days, found, list(players))
        for rounds in days.values():
            for line, row in rounds:
                self.check_winner(line, row, list(players.values()))
        return days

    def points(self, one: "_RoundRow", players: Mapping[int, str]) -> Row | None:
        """Return the points of a row; None if they are not valid."""
        row = []
        good = True
        for index in players:
            cell = _cell(one.cells, index)
            points = points_of(cell)
            if points is None and not is_absent(cell):
                good = False
                value = excerpt(cell)
                self.refuse("points", one.line, index + 1, value=value, most=MAX_POINTS)
            row.append(points)
        return tuple(row) if good else None

    def read_facts(self, one: "_RoundRow", players: Sequence[str], row: Row) -> None:
        """Read what the columns beside the points say about a round."""
        here = [name for name, points in zip(players, row, strict=True) if points is not None]
        said: dict[Fact, Mapping[str, int | None]] = {}
        for index, fact in self.facts.items():
            named = named_in(cell := _cell(one.cells, index), fact, here)
            if isinstance(named, str):
                named = named_in(unescape_formulas(cell), fact, here)
            if isinstance(named, str):
                why = "wild" if fact == "wild" else "nobody"
                if fact != "winner":  # initials, or a remark: whoever has 0 won
                    self.refuse(why, one.line, index + 1, value=excerpt(named))
            else:
                said[fact] = named
        if said:
            self.said[one.line] = said

    def of_totals(
        self, totals: Mapping[str, Rounds], days: Mapping[str, Rounds], columns: Sequence[int]
    ) -> dict[str, Rounds]:
        """Return the rounds by day that make up these totals; refuse those that fall."""
        found: dict[str, Rounds] = {}
        for day, rounds in days.items():
            found[day] = []
            for (line, row), (_, shown) in zip(rounds, totals[day], strict=True):
                for index, more, now in zip(columns, row, shown, strict=True):
                    if more is not None and now is not None and more < 0:
                        self.refuse("falls", line, index + 1, value=now, before=now - more)
                found[day].append((line, tuple(more and max(more, 0) for more in row)))
        return found

    def are_rounds(self, days: Mapping[str, Rounds]) -> bool:
        return all(self.is_round(line, row) for rounds in days.values() for line, row in rounds)

    def is_round(self, line: int, row: Row) -> bool:
        """Return whether these may be the points of a round: one has won it, none fall."""
        points = [number for number in row if number is not None]
        has_winner = points.count(0) == 1 or self.said.get(line, {}).get("winner")
        return len(points) > 1 and min(points) >= 0 and bool(has_winner)

    def check_winner(self, line: int, row: Row, players: Sequence[str]) -> None:
        named = self.said.get(line, {}).get("winner")
        if len(row) - row.count(None) < 2:
            self.refuse("few", line)
        elif not (named or row.count(0)):
            self.refuse("no_winner", line)
        elif not named and row.count(0) > 1:
            winners = [name for name, points in zip(players, row, strict=True) if points == 0]
            self.refuse("winners", line, players=winners)


def _differences(
    days: Mapping[str, Rounds], goes_on: Callable[[int, Row], bool]
) -> dict[str, Rounds]:
    """Return what each row adds to the one above, where the first row of a day goes on."""
    found: dict[str, Rounds] = {}
    before: Row = ()
    for day, rounds in days.items():
        line, first = rounds[0]
        if not goes_on(line, _minus(first, before)):
            before = ()
        found[day] = []
        for line, row in rounds:
            found[day].append((line, _minus(row, before)))
            before = tuple(was if now is None else now for now, was in zip_longest(row, before))
    return found


def _minus(row: Row, before: Row) -> Row:
    pairs = zip_longest(row, before)
    return tuple(None if now is None else now - (was or 0) for now, was in pairs)


@dataclass(frozen=True)
class _RoundRow:
    """A row with points."""

    line: int
    day: str | None
    cells: Sequence[str]


def _name(heading: str) -> str:
    """Return a heading in the spelling in which names are stored."""
    short = len(heading) <= MAX_PARTS * MAX_NAME  # normalising n combining marks takes n squared
    return unicodedata.normalize("NFC", heading) if short else heading


def _cell(cells: Sequence[str], index: int) -> str:
    return cells[index] if index < len(cells) else ""


def _evening(
    day: str, rows: Rounds, players: tuple[str, ...], said: Mapping[int, Said]
) -> SheetEvening:
    """Return the rounds of a day, with the players who were there."""
    here = [any(row[seat] is not None for _, row in rows) for seat in range(len(players))]
    return SheetEvening(
        day,
        tuple(name for name, was in zip(players, here, strict=True) if was),
        tuple(tuple(p for p, was in zip(row, here, strict=True) if was) for _, row in rows),
        tuple(line for line, _ in rows),
        {line: said[line] for line, _ in rows if line in said},
    )
