"""A plan of rounds: what each round deals, asks for and makes wild (RULES-MORE 3.3)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.rules.kinds import Whole

MAX_ROWS = 20
MAX_MELDS = 5
LEAST = 3
"""The shortest set and run that a contract may ask for."""
MOST = {"S": 8, "R": 13}
"""The longest set and the longest run that a contract may ask for."""
RANKS: Mapping[str, Rank] = {rank.letter: rank for rank in Rank}
TOKEN = re.compile(r"([SR])([1-9]\d?)")
KEYS = {"deal", "need", "wild"}


class Needed(NamedTuple):
    """A meld that a contract asks for: a set or a run, and its least number of cards."""

    kind: str
    """``S`` or ``R``."""
    least: int

    def __str__(self) -> str:
        return f"{self.kind}{self.least}"


class PlanRow(NamedTuple):
    """A round of a plan."""

    deal: int | None = None
    """The cards dealt; None: as ``deal.cards`` says."""
    need: tuple[Needed, ...] = ()
    """The contract: the melds that a player must lay first; none: there is no contract."""
    wild: Rank | None = None
    """The rank that is wild."""


@dataclass(frozen=True)
class PlanKind:
    """A list of rows, also written as text: ``10 S3 R4; 12 R4 R4 R4; 3 =3``."""

    EACH = Whole(3, 16, optional=True)

    def read(self, value: object) -> tuple[PlanRow, ...]:
        if isinstance(value, str):
            value = [_row_of_text(text) for text in value.split(";") if text.strip()]
        if not isinstance(value, (list, tuple)) or len(value) > MAX_ROWS:
            raise ValueError(value)
        return tuple(row if isinstance(row, PlanRow) else self._row(row) for row in value)

    def _row(self, row: object) -> PlanRow:
        if not isinstance(row, Mapping) or not set(row) <= KEYS:
            raise ValueError(row)
        need, wild = row.get("need") or "", row.get("wild")
        if wild is not None and wild not in RANKS:
            raise ValueError(wild)
        tokens = need.split() if isinstance(need, str) else need
        if not isinstance(tokens, list) or len(tokens) > MAX_MELDS:
            raise ValueError(need)
        return PlanRow(
            self.EACH.read(row.get("deal")),
            tuple(map(_needed, tokens)),
            None if wild is None else RANKS[wild],
        )

    def write(self, value: tuple[PlanRow, ...]) -> object:
        return [
            {
                "deal": row.deal,
                "need": " ".join(map(str, row.need)),
                "wild": row.wild and row.wild.letter,
            }
            for row in value
        ]

    def text(self, value: tuple[PlanRow, ...]) -> str:
        """Return the plan as text, which ``read`` understands."""
        return "; ".join(
            " ".join(
                (
                    *([str(row.deal)] if row.deal else []),
                    *map(str, row.need),
                    *([f"={row.wild.letter}"] if row.wild else []),
                )
            )
            or "-"
            for row in value
        )

    def describe(self) -> dict[str, object]:
        row: dict[str, object] = {
            "type": "object",
            "properties": {
                "deal": self.EACH.describe(),
                "need": {"type": "string", "examples": ["S3 R4"]},
                "wild": {"type": ["string", "null"], "enum": [*RANKS, None]},
            },
            "additionalProperties": False,
        }
        return {"type": "array", "items": row, "maxItems": MAX_ROWS}


def _needed(token: object) -> Needed:
    found = TOKEN.fullmatch(token) if isinstance(token, str) else None
    if not found or not LEAST <= int(found[2]) <= MOST[found[1]]:
        raise ValueError(token)
    return Needed(found[1], int(found[2]))


def _row_of_text(text: str) -> dict[str, Any]:
    row: dict[str, Any] = {"need": []}
    for word in text.split():
        if word.isdecimal():
            row["deal"] = int(word)
        elif word.startswith("="):
            row["wild"] = word[1:].upper()
        elif word != "-":
            row["need"].append(word.upper())
    return row
