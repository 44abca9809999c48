"""Use cases of typed score sheets: preview and import.

All evenings of a sheet are imported in one transaction, or none. An evening that is already
there is reported and not imported twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from scorekeeper.domain import options
from scorekeeper.domain.book import Event
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import GERMAN_FAMILY, preset
from scorekeeper.domain.season import Span
from scorekeeper.domain.sheet import Row
from scorekeeper.i18n.terms import STAKE
from scorekeeper.services.backfill import played_game
from scorekeeper.services.bookkeeping import members_named, now
from scorekeeper.services.groups import add_played_game
from scorekeeper.services.writes import change_book
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.csv_sheet import FAMILIES, TypedEvening
from scorekeeper.wire.strict import MAX_PROBLEMS

Columns = dict[int, tuple[int | None, ...]]
"""The points of every member in an evening, by round."""


@dataclass(frozen=True)
class SheetPreview:
    """The preview of an evening of a sheet."""

    typed: TypedEvening
    game: Game
    events: Sequence[Event]
    members: tuple[int | None, ...]
    """By seat: the member with that name; None for a player who would join."""
    known: bool
    """Whether the same evening exists already: day, players and points."""

    @property
    def totals(self) -> tuple[int, ...]:
        """The total points of every player."""
        return tuple(
            sum(points or 0 for points in column) for column in zip(*self.typed.rounds, strict=True)
        )

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners of the evening."""
        ranks = zip(self.typed.players, self.game.sheet.ranks, strict=True)
        return tuple(name for name, rank in ranks if rank == 1)


def default_rules(group: Group) -> RuleSet:
    """Return the rules for a sheet by default."""
    return group.house or GERMAN_FAMILY


def rules_of(group: Group, preset_name: str | None) -> RuleSet:
    """Return the house rules, or another system with their stake; E_CONFIG if unknown."""
    house = default_rules(group)
    if not preset_name:
        return house
    stake = {name: house[name] for name in STAKE}
    return preset(preset_name).override(stake)


def preview_sheet(
    ledger: Ledger, group: Group, sheet: Sequence[TypedEvening], rules: RuleSet
) -> list[SheetPreview]:
    """Return the preview of a sheet; RuleError with the lines that the rules refuse."""
    if rules.family not in FAMILIES:
        raise RuleError("E_SHEET", ("rules",), why="family", preset=rules.preset)
    found: list[SheetPreview] = []
    problems: list[Problem] = []
    for typed in sheet:
        try:
            game, events = played_game(typed.as_played(rules, now()))
        except RuleError as error:
            problems += (_on_the_sheet(problem, typed) for problem in error.problems)
            if len(problems) >= MAX_PROBLEMS:
                break
        else:
            seats = members_named(group, typed.players)
            members = tuple(seat if seat < group.members else None for seat in seats)
            known = _is_there(ledger, group, typed, seats)
            found.append(SheetPreview(typed, game, events, members, known))
    if problems:
        raise RuleError.of(problems[:MAX_PROBLEMS])
    return found


def import_sheet(
    ledger: Ledger,
    group_id: str,
    sheet: Sequence[TypedEvening],
    rules: RuleSet,
    write: Write,
) -> Group:
    """Import all evenings of a sheet; RuleError, and nothing stored, if one exists already."""

    def change(transaction: BookTransaction) -> None:
        evenings = preview_sheet(ledger, transaction.group, sheet, rules)
        if twice := [one.typed for one in evenings if one.known][:MAX_PROBLEMS]:
            raise RuleError.of(_refusal("known", typed.lines[0], day=typed.day) for typed in twice)
        for one in evenings:
            add_played_game(ledger, transaction, one.game, one.events)

    request = ["sheet", [asdict(typed) for typed in sheet], options.encode_rules(rules)]
    return change_book(Group, ledger, group_id, request, change, write)


def _refusal(why: str, line: int, **facts: object) -> Problem:
    return Problem("E_SHEET", {"why": why, "line": line, **facts}, ("line", line))


def _on_the_sheet(problem: Problem, typed: TypedEvening) -> Problem:
    """Return a problem with the line of the sheet as its path."""
    first, day = typed.lines[0], typed.day
    match problem.code, problem.path:
        case "E_CONFIG", _ if problem.facts["why"] == "player_count":
            bounds = {name: problem.facts[name] for name in ("count", "least", "most")}
            return _refusal("players", first, day=day, **bounds)
        case "E_GAME_OVER", ("rounds", int(index)):
            return _refusal("over", typed.lines[index], day=day)
        case _, ("rounds", int(index), *place):
            return Problem(problem.code, problem.facts, ("line", typed.lines[index], *place))
    return problem.under("line", first)


def _is_there(ledger: Ledger, group: Group, typed: TypedEvening, seats: Sequence[int]) -> bool:
    columns: Columns = dict(zip(seats, zip(*typed.rounds, strict=True), strict=True))
    return columns in _columns_of(ledger, group, typed.day)


def _columns_of(ledger: Ledger, group: Group, day: str) -> Iterator[Columns]:
    """Yield the evenings of a day as they would be on a sheet."""
    for stored in ledger.seasons.evenings(group.id, Span(first=day, last=day, training=True)):
        counted = ledger.game(stored.game).sheet.counted
        yield {
            member: tuple(_as_typed(row, seat) for row in counted)
            for seat, member in enumerate(stored.seating.members)
        }


def _as_typed(row: Row, seat: int) -> int | None:
    """Return what a player would have written for a round: the points before doubling, if known."""
    score = row.points(seat)
    if score is None:
        return None
    points = row.round.seats[seat].points if seat < len(row.round.seats) else None
    return score.minus if points is None else points
