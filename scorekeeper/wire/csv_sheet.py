"""Score sheets typed as CSV: a column per player, a row per round, dates in the first column.

An empty cell is a player who was away. A row without a date belongs to the evening above it.
The player with 0 points won the round. A row with no 0 or several, like everything else that
could be read in two ways, is refused rather than guessed [dec].
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from scorekeeper.domain.changes import NewGame, PastEvening
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Round, Seat
from scorekeeper.wire.rounds import MAX_POINTS
from scorekeeper.wire.schemas import PlayerSchema
from scorekeeper.wire.strict import MAX_PROBLEMS, excerpt, load

MAX_ROWS = 5_000
MAX_COLUMNS = 40
SEPARATORS = ";\t,"
TOTALS = frozenset(
    ("total", "totals", "sum", "summe", "gesamt", "insgesamt", "zwischenstand", "stand", "saldo")
) | {"zesummen", "am ganzen", "tëschestand", "totaux", "somme", "cumul", "sous-total", "solde"}
COMMENTS = frozenset(
    ("note", "notes", "comment", "notiz", "bemerkung", "kommentar", "bemierkung")
) | {"remarque", "remarques", "commentaire"}
FAMILIES = ("lay", "hand")
"""Families in which the winner writes nothing and the others the points they hold."""

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DOTTED = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})", re.ASCII)
_POINTS = re.compile(r"\d{1,4}", re.ASCII)

Row = tuple[int | None, ...]
"""The points of every player of an evening; None for a player who was away."""


@dataclass(frozen=True)
class TypedEvening:
    """One evening of the sheet."""

    day: str
    players: tuple[str, ...]
    rounds: tuple[Row, ...]
    lines: tuple[int, ...]
    """The line of each round."""

    def as_played(self, rules: RuleSet, typed_at: str) -> PastEvening:
        """Return the evening under these rules, at noon because the sheet has no times [dec].

        The sheet does not say who dealt either, so the first player deals first [dec].
        """
        new_game = NewGame("", "", rules.override({"deal.first_dealer": 0}), self.players)
        times = (f"{self.day}T12:00:00Z",) * (len(self.rounds) + 2)
        return PastEvening(new_game, tuple(map(_facts, self.rounds)), times, {"typed": typed_at})


def _facts(row: Row) -> Round:
    seats = tuple(
        Seat(absent=True) if points is None else Seat(points=points) if points else Seat()
        for points in row
    )
    return Round(outcome="out", winner=row.index(0), seats=seats)


def decode_file(content: bytes) -> str:
    """Return the text of a file in UTF-8 or, as older spreadsheets save it, Windows-1252."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise RuleError("E_SHEET", why="text")


def read_sheet(text: str) -> tuple[TypedEvening, ...]:
    """Return the evenings of a sheet, by day; RuleError with all cells that are not clear."""
    reader = _Reader()
    evenings = reader.evenings(text)
    if reader.problems:
        raise RuleError.of(reader.problems)
    return evenings


class _Reader:
    """Reads the rows and collects what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def refuse(self, why: str, line: int, column: int | None = None, **facts: object) -> None:
        where = {"line": line} if column is None else {"line": line, "column": column}
        path = ("line", line) if column is None else ("line", line, "column", column)
        self.problems.append(Problem("E_SHEET", {"why": why, **where, **facts}, path))
        if len(self.problems) >= MAX_PROBLEMS:
            raise RuleError.of(self.problems)

    def evenings(self, text: str) -> tuple[TypedEvening, ...]:
        rows = list(self.rows(text))
        if not rows:
            if not self.problems:
                self.problems.append(Problem("E_SHEET", {"why": "empty"}))
            return ()
        (first, head), *others = rows
        players = self.players(first, head)
        if not players:
            return ()
        days: dict[str, list[tuple[int, Row]]] = {}
        day = None
        for line, cells in others:
            if self.is_extra(line, 1, cells[0]):
                continue
            day = self.day(line, cells[0], day)
            row = self.points(line, cells[1:], players)
            if day and row:
                days.setdefault(day, []).append((line, row))
        if not (others or self.problems):
            self.problems.append(Problem("E_SHEET", {"why": "empty"}))
        return tuple(_evening(day, rows, players) for day, rows in sorted(days.items()))

    def rows(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """Yield every row that is not empty, with its line number."""
        lines = text.splitlines()
        head = next((line for line in lines if line.strip()), "")
        separator = max(SEPARATORS, key=head.count)
        reader = csv.reader(lines, delimiter=separator, strict=True)
        try:
            for count, cells in enumerate(reader):
                line = reader.line_num
                if count > MAX_ROWS:
                    self.refuse("rows", line, most=MAX_ROWS)
                    return
                while cells and not cells[-1].strip():
                    cells.pop()
                if len(cells) > MAX_COLUMNS:
                    self.refuse("columns", line, MAX_COLUMNS + 1)
                    return
                if cells:
                    yield line, [cell.strip() for cell in cells]
        except csv.Error:
            self.refuse("quotes", max(reader.line_num, 1))

    def players(self, line: int, head: Sequence[str]) -> tuple[str, ...]:
        """Return the names in the first row; none if it is not a header."""
        if len(head) < 3 or _day(head[0]):
            self.refuse("header", line)
            return ()
        names: list[str] = []
        for column, name in enumerate(head[1:], 2):
            if self.is_extra(line, column, name):
                continue
            if name in names:
                self.refuse("same_name", line, column, value=excerpt(name))
            try:
                names.append(load(PlayerSchema(), {"name": name})["name"])
            except RuleError:
                self.refuse("player", line, column, value=excerpt(name))
        return tuple(names) if len(names) == len(head) - 1 else ()

    def is_extra(self, line: int, column: int, cell: str) -> bool:
        """Refuse a cell that begins a total or a comment, and return whether it does."""
        word = cell.casefold().rstrip(":")
        if word in TOTALS:
            self.refuse("total", line, column, value=excerpt(cell))
        elif word in COMMENTS or cell.startswith("#"):
            self.refuse("comment", line, column, value=excerpt(cell))
        else:
            return False
        return True

    def day(self, line: int, cell: str, before: str | None) -> str | None:
        """Return the day of a row: its own, or that of the row above."""
        if not cell:
            if before is None:
                self.refuse("no_date", line, 1)
            return before
        found = _day(cell)
        if found is None:
            self.refuse("date", line, 1, value=excerpt(cell))
        return found or before

    def points(self, line: int, cells: Sequence[str], players: tuple[str, ...]) -> Row | None:
        """Return the points of a row, padded to all players; None if they are not valid."""
        problems_before = len(self.problems)
        if len(cells) > len(players):
            self.refuse("columns", line, len(players) + 2)
        row: list[int | None] = [None] * len(players)
        for seat, cell in enumerate(cells[: len(players)]):
            if _POINTS.fullmatch(cell):
                row[seat] = int(cell)
            elif cell:
                self.refuse("points", line, seat + 2, value=excerpt(cell), most=MAX_POINTS)
        if problems_before < len(self.problems):
            return None
        if len(row) - row.count(None) < 2:
            self.refuse("few", line)
        elif not row.count(0):
            self.refuse("no_winner", line)
        elif row.count(0) > 1:
            winners = [name for name, points in zip(players, row, strict=True) if points == 0]
            self.refuse("winners", line, players=winners)
        return tuple(row)


def _evening(day: str, rows: Sequence[tuple[int, Row]], players: tuple[str, ...]) -> TypedEvening:
    """Return the rounds of a day, with the players who were there."""
    here = [any(row[seat] is not None for _, row in rows) for seat in range(len(players))]
    return TypedEvening(
        day,
        tuple(name for name, was in zip(players, here, strict=True) if was),
        tuple(tuple(p for p, was in zip(row, here, strict=True) if was) for _, row in rows),
        tuple(line for line, _ in rows),
    )


def _day(cell: str) -> str | None:
    """Return a date such as ``2026-03-05`` or ``5.3.2026``; with slashes it would be ambiguous."""
    if found := _ISO.fullmatch(cell):
        year, month, day = map(int, found.groups())
    elif found := _DOTTED.fullmatch(cell):
        day, month, year = map(int, found.groups())
    else:
        return None
    try:
        return date(year, month, day).isoformat() if year >= 1900 else None
    except ValueError:
        return None
