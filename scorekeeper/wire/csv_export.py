"""A table of rounds that scorekeeper exported, in any language.

Its last column holds each round as it was entered, in the form of REST. The points beside it are
read as well: a table whose points were changed by hand does not mean what its records say.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.i18n import LANGUAGES, Language, language
from scorekeeper.i18n.formulas import unescape_formulas
from scorekeeper.wire.csv_cells import days_of
from scorekeeper.wire.csv_choices import Choices
from scorekeeper.wire.csv_evening import Row, Sheet, SheetEvening, sheet_problem
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.schemas import PlayerSchema
from scorekeeper.wire.strict import MAX_PROBLEMS, excerpt, load, read_json

Line = tuple[int, Sequence[str]]
"""A row with its number."""


@dataclass(frozen=True)
class _Columns:
    """Where the columns of an export are."""

    word: Callable[[str], str]
    """Words a heading or value as the export does."""
    head: Sequence[str]
    places: dict[str, int]
    """The columns by their name: ``at``, ``status``, ``note``, ``record``."""
    points: tuple[int, ...]
    """The columns of minus and plus points, side by side."""

    def cell(self, cells: Sequence[str], name: str) -> str:
        place = self.places[name]
        return cells[place] if place < len(cells) else ""

    def row(self, cells: Sequence[str]) -> list[str]:
        return [cells[place] if place < len(cells) else "" for place in self.points]

    @property
    def sides(self) -> list[str]:
        """The names at the head, without the word for minus points."""
        word = f" {self.word('minus')}"
        return [unescape_formulas(self.head[n].removesuffix(word)) for n in self.points[::2]]


def _in_words(lang: Language, name: str) -> str:
    return lang(f"csv.{name}")


def _wordings() -> Iterator[Callable[[str], str]]:
    """Yield how headings are worded: for programs, and in every language."""
    yield str
    for code in LANGUAGES:
        yield partial(_in_words, language(code))


def is_of_group(head: Sequence[str]) -> bool:
    """Return whether this is the first row of an exported table of all rounds of a group."""
    return any(
        {word(name) for name in ("game", "round", "status", "note")} <= set(head)
        and any(heading.endswith(f" {word('minus')}") for heading in head)
        and word("record") not in head
        for word in _wordings()
    )


def columns_of_export(head: Sequence[str]) -> _Columns | None:
    """Return the columns if this is the first row of an exported table of rounds."""
    for word in _wordings():
        words = {name: word(name) for name in ("at", "status", "note", "record")}
        if set(words.values()) <= set(head):
            # Somebody may be called like a column: the first ones come before, the last ones after.
            places = {name: head.index(words[name]) for name in ("at", "status")}
            last = len(head) - 1 - list(reversed(head)).index(words["record"])
            note = max((n for n in range(last) if head[n] == words["note"]), default=0)
            places |= {"note": note, "record": last}
            minus, plus = f" {word('minus')}", f" {word('plus')}"
            pairs = [n for n in range(note - 1) if head[n].endswith(minus)]
            pairs = [n for n in pairs if head[n + 1].endswith(plus)]
            if pairs:
                points = tuple(place for n in pairs for place in (n, n + 1))
                return _Columns(word, head, places, points)
    return None


def read_export(
    columns: _Columns,
    rows: Sequence[Line],
    members: Collection[str],
    choices: Choices,
    latest: date,
) -> Sheet:
    """Return the evening of an exported table; RuleError with everything that is not clear.

    ``rows`` begin with the head.
    """
    (top, _), *below = rows
    problems: list[Problem] = []
    lines: list[int] = []
    records: list[Round] = []
    shown: list[Row] = []
    days: list[str] = []
    for line, cells in below:
        try:
            facts = _record(columns, line, cells)
            if facts is None:
                continue
            shown.append(_points(columns, line, cells))
            days.append(_day(columns, line, cells, latest))
        except RuleError as error:
            problems += error.problems
            continue
        lines.append(line)
        records.append(facts)
    seats = max((len(facts.seats) for facts in records), default=0)
    players = _players(columns, top, seats, problems)
    if problems:
        raise RuleError.of(problems[:MAX_PROBLEMS])
    if not records:
        raise RuleError("E_SHEET", why="empty")
    sides = len(columns.sides)
    worth = tuple(
        tuple(_net(row, seat % sides, facts, seat) for seat in range(len(players)))
        for row, facts in zip(shown, records, strict=True)
    )
    evening = SheetEvening(
        min(days), players, worth, tuple(lines), {}, tuple(records), tuple(shown)
    )
    questions = tuple(_questions(columns, top, players, members, choices))
    return Sheet((evening,), (), questions, choices)


def _record(columns: _Columns, line: int, cells: Sequence[str]) -> Round | None:
    """Return the facts of a round; None for a row that is no round that counts."""
    text, status = columns.cell(cells, "record"), columns.cell(cells, "status")
    where = columns.places["record"] + 1
    if not text:
        if status == columns.word("given"):
            raise _refusal("given", line, columns.places["status"] + 1)
        is_computed = columns.word("total") == cells[0] or columns.word("back") == status
        if is_computed or columns.word("struck") in status or not any(columns.row(cells)):
            return None
        raise _refusal("record", line, where)
    try:
        body = read_json(text.encode())
        note = unescape_formulas(columns.cell(cells, "note"))
        return load_round(body | {"note": note} if isinstance(body, dict) else body).round
    except RuleError as error:
        raise error.under("line", line, "column", where) from None


def _points(columns: _Columns, line: int, cells: Sequence[str]) -> Row:
    row: list[int | None] = []
    for place, cell in zip(columns.points, columns.row(cells), strict=True):
        number = cell.removeprefix("-")
        if cell and not (number.isascii() and number.isdecimal() and len(number) <= 6):
            raise _refusal("shown", line, place + 1)
        row.append(int(cell) if cell else None)
    return tuple(row)


def _day(columns: _Columns, line: int, cells: Sequence[str], latest: date) -> str:
    cell, column = columns.cell(cells, "at"), columns.places["at"] + 1
    day = days_of(cell, latest.year).get("day_first")
    if day is None:
        raise _refusal("date", line, column, value=excerpt(cell))
    if day > latest:
        raise _refusal("future", line, column, value=excerpt(cell), day=day.isoformat())
    return day.isoformat()


def _players(columns: _Columns, line: int, seats: int, problems: list[Problem]) -> tuple[str, ...]:
    """Return the players by seat; a column of partners names them all."""
    sides = columns.sides
    names = sides
    if seats > len(sides):
        partners = [side.split(" + ") for side in sides]
        names = [name for together in zip(*partners, strict=False) for name in together]
        if len(names) != seats or len(set(map(len, partners))) > 1:
            problems.append(sheet_problem("partners", line, columns.points[0] + 1))
    for seat, name in enumerate(names):
        column = columns.points[2 * (seat % len(sides))] + 1
        if name in names[:seat]:
            problems.append(sheet_problem("same_name", line, column, value=excerpt(name)))
        try:
            load(PlayerSchema(), {"name": name})
        except RuleError:
            problems.append(sheet_problem("player", line, column, value=excerpt(name)))
    return tuple(names)


def _net(row: Row, side: int, facts: Round, seat: int) -> int | None:
    """Return what a round is worth to a player by the table; None for one who was away."""
    if seat >= len(facts.seats) or facts.seats[seat].absent:
        return None
    return (row[2 * side + 1] or 0) - (row[2 * side] or 0)


def _questions(
    columns: _Columns, line: int, players: Sequence[str], members: Collection[str], choices: Choices
) -> list[Problem]:
    """Return a question for each name that would join the group."""
    return [
        sheet_problem(
            "new_member", line, columns.points[2 * (seat % len(columns.sides))] + 1, value=name
        )
        for seat, name in enumerate(players)
        if name not in members and name not in choices.new_members
    ]


def _refusal(why: str, line: int, column: int, **facts: object) -> RuleError:
    return RuleError.of([sheet_problem(why, line, column, **facts)])
