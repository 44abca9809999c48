"""Facts on a typed score sheet beside the points: who dropped out, laid or came back.

Each fact has a column, headed as in an export, in any language. Its cells name players, after
``laid`` perhaps with the points that they laid; the column of the wild rank holds a rank.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, get_args

from scorekeeper.domain.cards.card import Rank, card_named
from scorekeeper.domain.lookalikes import spelling
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wire.csv_columns import plain

Fact = Literal[
    "winner",
    "at once",
    "one run",
    "laid",
    "first drop",
    "middle drop",
    "wrong show",
    "back",
    "wild",
]
FACTS: tuple[Fact, ...] = get_args(Fact)
ONLY_TOLD = ("contract", "no lives", "eliminated", "boxes")
"""Columns of an export that follow from the others."""
Named = Mapping[str, int | None]
"""Names of players, with the points that they laid; or a rank."""
Said = Mapping[Fact, Named]
"""The facts of a round, from the columns beside the points."""
SEPARATOR = re.compile(r"\s*[,;/+&]\s*")
WITH_POINTS = re.compile(r"(.+?)(?:\s+(\d{1,4}))?", re.ASCII)


@cache
def _headings() -> Mapping[str, Fact | None]:
    return {
        plain(language(code)(f"csv.{name}")): fact
        for code in LANGUAGES
        for name, fact in [*zip(FACTS, FACTS, strict=True), *((name, None) for name in ONLY_TOLD)]
    }


@cache
def _ranks() -> Mapping[str, str]:
    letters = {language(code).rank(rank): rank.letter for code in LANGUAGES for rank in Rank}
    return {plain(letter): rank for letter, rank in (letters | {"JK": "JK", "Joker": "JK"}).items()}


def is_fact(heading: str) -> bool:
    """Return whether a column says something beside the points."""
    return plain(heading[:40]) in _headings()


def fact_of(heading: str) -> Fact | None:
    """Return the fact that a column tells; None where it follows from others."""
    return _headings()[plain(heading[:40])]


def named_in(cell: str, fact: Fact, players: Sequence[str]) -> Named | str:
    """Return who is named in a cell; the part that is no player, or no rank, as a text."""
    found: dict[str, int | None] = {}
    known = {spelling(name): name for name in players} if fact != "wild" else _ranks()
    parts = [cell] if spelling(cell) in known else SEPARATOR.split(cell)  # such as Anna-Lena + Jo
    for part in filter(None, parts):
        match = WITH_POINTS.fullmatch(part) if fact == "laid" else None
        text, points = (match[1], match[2]) if match else (part, None)
        name = known.get(plain(text) if fact == "wild" else spelling(text))
        if name is None or (found and fact == "wild"):
            return str(part)
        found[name] = int(points) if points else None
    return found


def facts_of(
    row: Sequence[int | None], players: Sequence[str] = (), said: Said | None = None
) -> Round:
    """Return the points of a row, with the facts beside them, as a round.

    Points are those held, before any doubling.
    """
    said, names = said or {}, [*players, *[""] * len(row)]
    winner = winner_of(row, names, said)
    wild = next(iter(said.get("wild", ())), None)
    return Round(
        outcome="out",
        winner=winner,
        seats=tuple(
            _seat(points, name, said, wins=seat == winner)
            for seat, (points, name) in enumerate(zip(row, names, strict=False))
        ),
        hand_romme=bool(said.get("at once")),
        one_run=True if said.get("one run") else None,
        wild=card_named(wild) if wild else None,
        rejoin=tuple(seat for seat, name in enumerate(players) if name in said.get("back", ())),
    )


def winner_of(row: Sequence[int | None], names: Sequence[str], said: Said) -> int:
    """Return who won: the player who is named, else the one with 0; ValueError for nobody."""
    named = said.get("winner", {})
    return names.index(next(iter(named))) if named else row.index(0)


def _seat(points: int | None, name: str, said: Said, *, wins: bool) -> Seat:
    if points is None:
        return Seat(absent=True)
    if name in said.get("first drop", ()):
        return Seat(drop="first")
    if name in said.get("middle drop", ()):
        return Seat(drop="middle")
    if name in said.get("wrong show", ()):
        return Seat(wrong=True)
    laid = said.get("laid")
    if laid is None or (wins and laid.get(name) is None):
        return Seat(points=points or None)
    return Seat(points=points or None, laid=name in laid, laid_points=laid.get(name))
