"""Typed score sheets in words: what differs from the game, what was left out."""

from collections.abc import Iterable

from scorekeeper.i18n import Language

ABSENT = "–"
Cell = tuple[str, int | None, int | None]
"""A name, the points in the game and those on the sheet; None for a player who was away."""


def difference_words(
    number: int, kind: str, cells: Iterable[Cell], facts: Iterable[str], lang: Language
) -> str:
    """Return a round that differs: ``Round 2: Anna 20 → 25, Ben 7 → –, winner``.

    ``facts`` are the columns beside the points that differ.
    """
    changes = [_change(cell, lang, kind) for cell in cells]
    changes += [lang(f"csv.{fact}") for fact in facts]
    return lang(f"groups.import.{kind}_round", round=number, points=", ".join(changes))


def _change(cell: Cell, lang: Language, kind: str) -> str:
    name, stored, typed = cell
    before, now = (ABSENT if one is None else lang.number(one) for one in (stored, typed))
    return f"{name} {({'new': now, 'missing': before}).get(kind, f'{before} → {now}')}"


def left_out_words(value: str, line: int, column: int | None, lang: Language) -> str:
    """Return a column or row that was left out: ``Round``, ``column 5``, ``Total (line 9)``."""
    if column is None:
        return lang("groups.import.left_out_line", value=value, line=line)
    return value or lang("groups.import.left_out_column", column=column)
