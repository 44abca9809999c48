"""Use cases of typed score sheets: preview and import.

All evenings of a sheet are imported in one transaction, or none. An evening that is already here
is not imported twice: of one that only grew, the new rounds are added, and for one that differs
somebody has to decide (``sheet_corrections``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal

from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import Draft
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.days import local_day
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import encode_round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import GERMAN_FAMILY, preset
from scorekeeper.services.backfill import played_game
from scorekeeper.services.bookkeeping import members_named
from scorekeeper.services.clock import now
from scorekeeper.services.games import new_id
from scorekeeper.services.groups import add_played_game
from scorekeeper.services.imports import Run, batches, run_here
from scorekeeper.services.sheet_corrections import (
    Correction,
    Existing,
    correct_evening,
    corrections_of,
    find_existing,
)
from scorekeeper.services.writes import Stale, change_book
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.csv_choices import NO_CHOICES, Choices
from scorekeeper.wire.csv_evening import SHEET_FAMILIES, Sheet, SheetEvening
from scorekeeper.wire.csv_sheet import read_sheet
from scorekeeper.wire.strict import MAX_PROBLEMS
from scorekeeper.wording.terms import STAKE

Action = Literal["import", "replace", "skip"]
Played = tuple[Game, Sequence[Event]]
KEEPS_RULES = ("replace", "skip")
"""What is done to an evening that keeps the rules it was played by."""
FARTHEST_ZONE = timedelta(hours=14)
"""The time zone in which a day begins first."""


@dataclass(frozen=True)
class SheetPreview:
    """The preview of an evening of a sheet."""

    typed: SheetEvening
    game: Game
    events: Sequence[Event]
    members: tuple[int | None, ...]
    """By seat: the member with that name; None for a player who would join."""
    existing: Existing | None
    """The game that is this evening already."""
    action: Action | None
    """The action of an import; None if somebody has to decide. ``replace`` corrects the game."""
    names: Mapping[int, str]
    """The names of the group's members and of those who would join."""

    @property
    def known(self) -> bool:
        """Whether the same evening exists already: day, players and points."""
        return self.existing is not None and self.existing.is_same

    @property
    def state(self) -> Literal["new", "known", "grown", "differs"]:
        """How the evening compares with what is here already."""
        if self.existing is None:
            return "new"
        return "known" if self.known else "grown" if self.existing.has_grown else "differs"

    @property
    def deed(self) -> Literal["keep", "replace", "grown", "skip", "decide"]:
        """The action of an import for an evening that is here already, in more detail."""
        if self.action == "replace" and self.state == "grown":
            return "grown"
        return "keep" if self.action == "import" else self.action or "decide"

    @property
    def totals(self) -> tuple[int, ...]:
        """The total points of every player."""
        if self.typed.records:
            measure, tallies = self.game.rules.rank.measure, self.game.sheet.tallies
            return tuple(
                tallies[seat % len(tallies)].of(measure) for seat in range(len(self.typed.players))
            )
        return tuple(
            sum(points or 0 for points in column) for column in zip(*self.typed.rounds, strict=True)
        )

    @property
    def rounds_won(self) -> tuple[int, ...]:
        """The rounds that every player won; partners win together."""
        won = [tally.won for tally in self.game.sheet.tallies]
        return tuple(won[seat % len(won)] for seat in range(len(self.typed.players)))

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners of the evening."""
        ranks = zip(self.game.sides, self.game.sheet.ranks, strict=True)
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


def read_for(group: Group, text: str, choices: Choices = NO_CHOICES) -> Sheet:
    """Return what a sheet says about the evenings of a group, as ``read_sheet`` does."""
    return read_sheet(text, group.players, choices, latest=latest_day())


def latest_day() -> date:
    """Return the last day that is not in the future everywhere."""
    return (datetime.fromisoformat(now()) + FARTHEST_ZONE).date()


def preview_sheet(
    ledger: Ledger, group: Group, sheet: Sheet, rules: RuleSet, run: Run = run_here
) -> list[SheetPreview]:
    """Return the preview of a sheet; RuleError with the lines that the rules refuse.

    ``run`` plays the evenings, in jobs of a few at a time.
    """
    _check_family(rules, sheet)
    here = _found(ledger, group, sheet)
    tasks = [
        _Task(
            new_id(),
            typed,
            existing.game.rules if existing and action in KEEPS_RULES else rules,
            now(),
            _time_on(typed.day, sheet.choices.zone),
        )
        for typed, (existing, action) in zip(sheet.evenings, here, strict=True)
    ]
    played: list[Played] = []
    problems: list[Problem] = []
    for batch in batches(tasks):
        games, refused = run(play_evenings, batch)
        played += games
        problems += refused
        if len(problems) >= MAX_PROBLEMS:
            break
    if problems:
        raise RuleError.of(problems[:MAX_PROBLEMS])
    return [
        _preview(group, typed, game, found)
        for typed, game, found in zip(sheet.evenings, played, here, strict=True)
    ]


def _check_family(rules: RuleSet, sheet: Sheet) -> None:
    is_typed = any(not evening.records for evening in sheet.evenings)
    if is_typed and rules.family not in SHEET_FAMILIES:
        raise RuleError("E_SHEET", ("rules",), why="family", preset=rules.preset)


def _found(
    ledger: Ledger, group: Group, sheet: Sheet
) -> list[tuple[Existing | None, Action | None]]:
    """Return the game that each evening is already, and what an import does."""
    found = find_existing(ledger, group, sheet.evenings, sheet.choices.zone)
    return [
        (existing, _action(existing, sheet.choices.existing.get(typed.day)))
        for existing, typed in zip(found, sheet.evenings, strict=True)
    ]


def _preview(
    group: Group,
    typed: SheetEvening,
    played: Played,
    found: tuple[Existing | None, Action | None],
) -> SheetPreview:
    seats = members_named(group, typed.players)
    members = tuple(seat if seat < group.members else None for seat in seats)
    known = {member: name or f"#{member + 1}" for member, name in enumerate(group.players)}
    names = known | dict(zip(seats, typed.players, strict=True))
    return SheetPreview(typed, *played, members, *found, names)


@dataclass(frozen=True)
class _Task:
    """An evening to play, with the id of its game."""

    id: str
    typed: SheetEvening
    rules: RuleSet
    typed_at: str
    at: str

    @property
    def events(self) -> int:
        return len(self.typed.rounds)


def play_evenings(tasks: Sequence[_Task]) -> tuple[list[Played], list[Problem]]:
    """Return the games of evenings with their events, and what the rules refuse."""
    played: list[Played] = []
    problems: list[Problem] = []
    for task in tasks:
        try:
            game, events = played_game(
                task.typed.as_played(task.rules, task.typed_at, task.at), task.id
            )
            _check_shown(task.typed, game)
        except RuleError as error:
            problems += (_on_the_sheet(problem, task.typed) for problem in error.problems)
        else:
            _ = game.settled  # remembered: nobody should wait for it while the game is written
            played.append((game, events))
    return played, problems


def _time_on(day: str, zone: tzinfo | None) -> str:
    """Return noon UTC, or midnight UTC where it is the next day at noon already [dec]."""
    noon = f"{day}T12:00:00Z"
    return noon if local_day(noon, zone) == day else f"{day}T00:00:00Z"


def _check_shown(typed: SheetEvening, game: Game) -> None:
    """Refuse an export in which the points are not those that its records give."""
    problems = []
    for line, shown, row in zip(typed.lines, typed.shown, game.sheet.rows, strict=False):
        worth = tuple(
            row.worth(side, name) for side in range(game.sheet.sides) for name in ("minus", "plus")
        )
        if worth != shown:
            problems.append(_refusal("shown", line, preset=game.rules.preset))
    if problems:
        raise RuleError.of(problems[:MAX_PROBLEMS])


def _action(existing: Existing | None, chosen: str | None) -> Action | None:
    if existing is None or chosen == "keep":
        return "import"
    if chosen == "skip" or existing.is_same:
        return "skip"
    return "replace" if chosen == "replace" or existing.has_grown else None


def import_sheet(
    ledger: Ledger,
    group_id: str,
    sheet: Sheet,
    rules: RuleSet,
    write: Write,
    run: Run = run_here,
) -> Group:
    """Import all evenings of a sheet that are new, or new in part.

    ``run`` plays the evenings before the transaction, in which nobody else can write. Raises Stale
    if the group, or an evening to be corrected, has changed meanwhile. Raises RuleError, and
    nothing is stored, if a question is open (names that would join, an evening that is here already
    but differs), or if everything is here already.
    """
    _check_family(rules, sheet)
    if sheet.questions:
        raise RuleError.of(sheet.questions[:MAX_PROBLEMS])
    group = ledger.group(group_id)
    evenings = preview_sheet(ledger, group, sheet, rules, run)
    corrections = [
        Correction(one.existing, one.typed, members_named(group, one.typed.players))
        for one in evenings
        if one.existing and one.action == "replace"
    ]
    drafts = [drafts for batch in batches(corrections) for drafts in run(correct_evenings, batch)]

    def change(transaction: BookTransaction) -> None:
        if transaction.version != group.version:
            raise Stale(transaction.version)
        _check_decided(evenings, sheet.choices)
        for evening in evenings:
            if evening.action == "import":
                add_played_game(ledger, transaction, evening.game, evening.events)
        for correction, events in zip(corrections, drafts, strict=True):
            correct_evening(ledger, transaction, correction, events)

    return change_book(Group, ledger, group_id, _request(sheet, rules), change, write)


def _check_decided(evenings: Sequence[SheetPreview], choices: Choices) -> None:
    if undecided := [evening.typed for evening in evenings if evening.action is None]:
        raise _about("exists", undecided)
    if (
        all(evening.known and evening.action == "skip" for evening in evenings)
        and not choices.existing
    ):
        raise _about("known", [evening.typed for evening in evenings])


def correct_evenings(corrections: Sequence[Correction]) -> list[list[Draft]]:
    """Return the events that correct games; RuleError with the lines that the rules refuse."""
    found = []
    for one in corrections:
        try:
            found.append(corrections_of(one))
        except RuleError as error:
            raise RuleError.of(_on_the_sheet(p, one.typed) for p in error.problems) from None
    return found


def _request(sheet: Sheet, rules: RuleSet) -> list[object]:
    """Return what makes two imports the same request."""
    evenings = [
        asdict(replace(typed, records=())) | {"records": [*map(encode_round, typed.records)]}
        for typed in sheet.evenings
    ]
    return ["sheet", evenings, options.encode_rules(rules), sorted(sheet.choices.existing.items())]


def _about(why: str, evenings: Sequence[SheetEvening]) -> RuleError:
    return RuleError.of(
        _refusal(why, typed.lines[0], day=typed.day) for typed in evenings[:MAX_PROBLEMS]
    )


def _refusal(why: str, line: int, **facts: object) -> Problem:
    return Problem("E_SHEET", {"why": why, "line": line, **facts}, ("line", line))


def _on_the_sheet(problem: Problem, typed: SheetEvening) -> Problem:
    """Return a problem with the line of the sheet as its path."""
    first, day = typed.lines[0], typed.day
    match problem.code, problem.path:
        case "E_CONFIG", _ if problem.facts["why"] == "player_count":
            bounds = {name: problem.facts[name] for name in ("count", "least", "most")}
            return _refusal("players", first, day=day, **bounds)
        case "E_GAME_OVER", ("rounds", int(index)):
            return _refusal("over", typed.lines[index], day=day)
        case "E_SHEET", _:
            return problem
        case _, ("rounds", int(index), *place):
            return Problem(problem.code, problem.facts, ("line", typed.lines[index], *place))
    return problem.under("line", first)
