"""Exports: a game, a group with all its games, tables for a spreadsheet.

A group is exported line by line, so that many years need no more memory than one evening.
"""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from heapq import merge
from operator import itemgetter
from typing import Any

from scorekeeper.domain.group.state import Group, Move, moves_in
from scorekeeper.domain.history.book import ERASING
from scorekeeper.export.spreadsheet import (
    MONEY_COLUMNS,
    CsvRow,
    Wording,
    csv_lines,
    money_cells,
)
from scorekeeper.export.tables import (
    Table,
    game_table,
    point_lines,
    with_placeholder_names,
)
from scorekeeper.i18n.formulas import escape_formulas
from scorekeeper.services import groups
from scorekeeper.services.bookkeeping import current_result, kept
from scorekeeper.services.groups import AccountEntry
from scorekeeper.store.ledger import Ledger

MONEY_MOVED = ("paid", "settled", "reversed")
MemberAmount = tuple[str, str, int, Fraction, str]
"""The day, the game or what it is for, the member, the amount and its unit."""


class NothingNamed(LookupError):
    """No group or game was named, and there is not exactly one group."""


def export_parts(
    ledger: Ledger, group_id: str | None, game_id: str | None, table: Table | None
) -> tuple[int, Iterator[str]]:
    """Return the approximate number of parts of an export, and the parts.

    Without a name, the only group is exported. Raises NothingNamed, or NotFound for an unknown id.
    """
    if game_id is not None:
        game = ledger.game(game_id)
        return 1, iter([game_table(game, table) if table else _json(ledger.export(game_id)) + "\n"])
    known = ledger.groups()
    if group_id is None and len(known) != 1:
        raise NothingNamed
    group = ledger.group(group_id or known[0])
    if table:
        return 0, group_table(ledger, group, table)
    return 1 + len(group.evenings), (line + "\n" for line in group_lines(ledger, group.id))


# ---- everything ----------------------------------------------------------------------


def group_lines(ledger: Ledger, group_id: str) -> Iterator[str]:
    """Yield a group as lines of JSON: the group, then its games, each as its own export.

    All are as they were at one moment, whatever is played while they are exported.
    """
    versions = ledger.versions_in(group_id)
    group = ledger.group_at(group_id, versions.get(group_id, 0))
    yield _json(ledger.export(group_id, group.version))
    for game_id in group.evenings:
        yield _json(_as_of(ledger, game_id, versions.get(game_id)))


def _as_of(ledger: Ledger, game_id: str, version: int | None) -> dict[str, Any]:
    """Return the export of a game at a version, or of now if its words were erased since then.

    Without the event that says so, an import would miss them.
    """
    latest = ledger.version(game_id) or 0
    version = latest if version is None else version
    erased = any(one.number > version for one in ledger.events_of(game_id, ERASING, latest))
    return ledger.export(game_id, latest if erased else version)


def group_json(ledger: Ledger, group_id: str) -> Iterator[str]:
    """Yield a group with its games as one JSON text, game by game."""
    lines = group_lines(ledger, group_id)
    yield f'{next(lines).removesuffix("}")}, "games": ['
    between = ""
    for game in lines:
        yield between + game
        between = ",\n"
    yield "]}\n"


def _json(export: object) -> str:
    return json.dumps(export, ensure_ascii=False)


# ---- tables of a group -------------------------------------------------------------------------


def _names(group: Group, word: Wording) -> tuple[str, ...]:
    """Return names by member; an erased one becomes a number."""
    erased = word("member")
    return tuple(
        escape_formulas(name) or f"{erased} {n}" for n, name in enumerate(group.players, 1)
    )


def _group_rounds(ledger: Ledger, group: Group, word: Wording) -> Iterator[CsvRow]:
    """Yield a row per round and two columns per member; partners share the points of their side.

    Points that belong to no round have a row of their own: all rows add up to the totals.
    """
    points = [f"{name} {tally}" for name in _names(group, word) for tally in ("minus", "plus")]
    yield "date", "game", "round", "status", "outcome", "winner", *points, "note"
    for stored in reversed(kept(ledger, ledger.seasons.evenings(group.id))):
        version = ledger.version(stored.game)
        game = with_placeholder_names(ledger.game_at(stored.game, version or 0), word)
        seats = {member: seat for seat, member in enumerate(stored.seating.members)}
        sides = [
            seats[member] % game.sheet.sides if member in seats else None
            for member in range(group.members)
        ]
        for _, _, cells in point_lines(game, sides, word):
            yield stored.day, game.id, *cells


def _group_totals(ledger: Ledger, group: Group, word: Wording) -> Iterator[CsvRow]:
    figures = ("rank", "minus", "plus", "worth", "league", "played", "won")
    yield "date", "game", "rules", "training", "over", "member", *figures
    names = _names(group, word)
    for evening in reversed(kept(ledger, ledger.seasons.evenings(group.id))):
        stored = current_result(ledger, evening)
        about = (
            stored.day,
            stored.game,
            word(stored.evening.preset),
            int(stored.seating.training),
            int(stored.over),
        )
        for result in stored.evening.results:
            member = names[stored.seating.members[result.seat]]
            yield *about, member, *(getattr(result, figure) for figure in figures)


def _group_settlements(ledger: Ledger, group: Group, word: Wording) -> Iterator[CsvRow]:
    """Yield the amounts of all evenings; fees and prizes of a tournament have a word for a game."""
    yield "date", "game", "member", *MONEY_COLUMNS
    names = _names(group, word)
    amounts = merge(
        _evening_amounts(ledger, group), _prize_amounts(ledger, group, word), key=itemgetter(0)
    )
    for day, game, member, amount, unit in amounts:
        yield day, game, names[member], *money_cells(amount, unit)


def _evening_amounts(ledger: Ledger, group: Group) -> Iterator[MemberAmount]:
    for stored in reversed(ledger.seasons.evenings(group.id, over=True)):
        for result in stored.evening.results:
            if result.amount is not None and not stored.seating.training:
                member = stored.seating.members[result.seat]
                unit = stored.evening.unit or ""
                yield stored.day, stored.game, member, result.amount, unit


def _prize_amounts(ledger: Ledger, group: Group, word: Wording) -> Iterator[MemberAmount]:
    for event in ledger.events_of(group.id, ("prizes",), group.version):
        for member, unit, amount in moves_in(event):
            yield event.at[:10], word("prizes"), member, amount, unit


def _group_payments(ledger: Ledger, group: Group, word: Wording) -> Iterator[CsvRow]:
    """Yield the payments; a reversed payment goes the other way."""
    yield "number", "at", "kind", "game", "from", "to", *MONEY_COLUMNS, "note", "taken back"
    names = _names(group, word)
    for entry in groups.statement(ledger, group):
        event = entry.event
        if event.kind in MONEY_MOVED and event.payload.get("of") != "converted":
            about = event.number, event.at, word(event.kind), event.payload.get("game", "")
            note = escape_formulas(event.texts.get(f"note.{event.number}", ""))
            for payer, payee, unit, amount in payments(entry):
                money = money_cells(amount, unit)
                yield *about, names[payer], names[payee], *money, note, int(entry.reversed)


def payments(entry: AccountEntry) -> Iterator[tuple[int, int, str, Fraction]]:
    """Yield payer, payee, unit and amount of an entry; a payer's balance rises."""
    given: list[Move] = [move for move in entry.moves if move[2] > 0]
    taken: list[Move] = [move for move in entry.moves if move[2] < 0]
    for (payer, unit, amount), (payee, *_) in zip(given, taken, strict=True):
        yield payer, payee, unit, amount


_OF_A_GROUP: dict[Table, Callable[[Ledger, Group, Wording], Iterator[CsvRow]]] = {
    "rounds": _group_rounds,
    "totals": _group_totals,
    "settlements": _group_settlements,
    "payments": _group_payments,
}


def group_table(
    ledger: Ledger, group: Group, table: Table, word: Wording = str, decimal_sign: str = "."
) -> Iterator[str]:
    """Return a table of all evenings of a group, first evening first."""
    return csv_lines(_OF_A_GROUP[table](ledger, group, word), word, decimal_sign)
