"""Tournaments played by the tests, without a store."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament.draw import draw
from scorekeeper.domain.tournament.plan import Plan
from scorekeeper.domain.tournament.scale import Performance
from scorekeeper.domain.tournament.state import Drawn, Entrant, Result, Tournament

FAMILY = preset("german-family")
Worth = Callable[[int, int], int]
"""The points of an entrant in a round."""


def plan(**changes: Any) -> Plan:
    return Plan(**{"format": "random", "rounds": 3, "rules": FAMILY, **changes})


def tournament(count: int, clubs: int = 0, **changes: Any) -> Tournament:
    entrants = (Entrant((one,), one % clubs if clubs else None) for one in range(count))
    return Tournament(plan(**changes), "seed", tuple(entrants))


def by_strength(number: int, entrant: int) -> int:
    """Entrant 0 is the strongest."""
    return -10 * entrant - number


def with_round(now: Tournament, worth: Worth = by_strength, seed: str | None = None) -> Tournament:
    """Return the tournament after one more round, drawn and played."""
    number = len(now.rounds) + 1
    seed = seed or f"s{number}"
    drawn = draw(now, seed)
    return with_tables(now, drawn.tables, drawn.out, worth, seed)


def with_tables(
    now: Tournament,
    tables: Sequence[Sequence[int]],
    out: Sequence[int] = (),
    worth: Worth = by_strength,
    seed: str = "s",
) -> Tournament:
    number = len(now.rounds) + 1
    scale = now.plan.scale
    results = {
        table: Result(
            tuple(Performance(worth(number, one)) for one in there),
            "game", "", number, table, scale,
        )
        for table, there in enumerate(tables)
    }  # fmt: skip
    games = tuple(f"{number}-{table}" for table in range(len(tables)))
    seated = tuple(map(tuple, tables))
    one = Drawn(number, seed, seated, tuple(out), games, "", scale, results, closed=True)
    return replace(now, rounds=(*now.rounds, one))


def played(now: Tournament, rounds: int, worth: Worth = by_strength) -> Tournament:
    for _ in range(rounds):
        now = with_round(now, worth)
    return now
