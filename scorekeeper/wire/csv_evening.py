"""A CSV score sheet that was read: its evenings and their rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.game.changes import NewGame, PlayedEvening
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.domain.rounds.reseated import reseated
from scorekeeper.domain.rules import RuleSet
from scorekeeper.wire.csv_choices import NO_CHOICES, Choices
from scorekeeper.wire.csv_columns import LeftOutWhy
from scorekeeper.wire.csv_facts import Said, facts_of

SHEET_FAMILIES = ("lay", "hand")
"""Families in which the winner writes nothing and the others the points they hold."""
Row = tuple[int | None, ...]
"""The points of every player of an evening; None for a player who was away."""
Rounds = list[tuple[int, Row]]
"""The rounds of an evening with their lines."""


@dataclass(frozen=True)
class SheetEvening:
    """One evening of the sheet."""

    day: str
    players: tuple[str, ...]
    rounds: tuple[Row, ...]
    """The points that were typed; in an export, what each round is worth."""
    lines: tuple[int, ...]
    """The line of each round."""
    said: Mapping[int, Said] = field(default_factory=dict)
    """By line: what columns beside the points say about the round."""
    records: tuple[Round, ...] = ()
    """The rounds of an export, as they were entered; a typed sheet has none."""
    shown: tuple[Row, ...] = ()
    """The rounds of an export: the minus and plus points of each side."""

    def as_played(self, rules: RuleSet, typed_at: str, at: str) -> PlayedEvening:
        """Return the evening under these rules, at one time because the sheet has none.

        The sheet does not say who dealt either, so the first player deals first [dec].
        """
        new_game = NewGame("", "", rules.override({"deal.first_dealer": 0}), self.players)
        times = (at,) * (len(self.rounds) + 2)
        rounds = tuple(self.facts(index, self.players) for index in range(len(self.rounds)))
        return PlayedEvening(new_game, rounds, times, {"typed": typed_at})

    def facts(self, index: int, players: Sequence[str]) -> Round:
        """Return the facts of a round for these players, who may be more than on the sheet."""
        seats = [players.index(name) for name in self.players]
        if self.records:
            return reseated(self.records[index], seats, len(players))
        points = dict(zip(seats, self.rounds[index], strict=True))
        row = [points.get(seat) for seat in range(len(players))]
        return facts_of(row, players, self.said.get(self.lines[index]))


@dataclass(frozen=True)
class LeftOut:
    """A column that is no player, or a row that is no round (without ``column``)."""

    value: str
    """The heading, or the word that begins the row."""
    line: int
    column: int | None
    why: LeftOutWhy


@dataclass(frozen=True)
class Sheet:
    """A sheet as it was read."""

    evenings: tuple[SheetEvening, ...]
    """By day."""
    left_out: tuple[LeftOut, ...]
    questions: tuple[Problem, ...]
    """To be answered before an import: names that would join the group."""
    choices: Choices = NO_CHOICES
    """The answers by which it was read."""


def sheet_problem(why: str, line: int, column: int | None = None, **facts: object) -> Problem:
    """Return a problem in a line of a sheet, or in a cell."""
    where = {"line": line} if column is None else {"line": line, "column": column}
    path = ("line", line) if column is None else ("line", line, "column", column)
    return Problem("E_SHEET", {"why": why, **where, **facts}, path)
