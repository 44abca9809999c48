"""Games and rounds in short form: the points of everyone, 0 for the winner, None for the absent."""

from typing import Any

from scorekeeper.domain.game.changes import NewGame, score_for
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.services import games
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round

FAMILY = games.new_rules("german-family", {}, {"point_value": "1", "unit": "ct"})


def begun(ledger: Ledger, *players: str, title: str = "", rules: RuleSet = FAMILY) -> str:
    """Begin a game and return its id."""
    return games.create_game(ledger, NewGame(title, "", rules, players)).game.id


def body(*left: int | None, **more: Any) -> dict[str, Any]:
    """Return the round as a REST body."""
    winner = left.index(0)
    seats = [{} if at == winner else _seat(points) for at, points in enumerate(left)]
    return {"outcome": "out", "winner": winner, "seats": seats, **more}


def _seat(points: int | None) -> dict[str, Any]:
    return {"absent": True} if points is None else {"points": points}


def facts(*left: int | None, **more: Any) -> Round:
    return load_round(body(*left, **more)).round


def record(
    ledger: Ledger, game_id: str, *left: int | None, key: str = "", **more: Any
) -> games.Recorded:
    """Record a round; without a key each different round is recorded once."""
    return written(ledger, game_id, facts(*left, **more), key or f"{left}")


def written(ledger: Ledger, game_id: str, played: Round, key: str) -> games.Recorded:
    """Record a round of any kind."""
    scored = score_for(ledger.game(game_id), played)
    return games.record_round(ledger, game_id, scored, write=Write(key=key))


def correct(ledger: Ledger, game_id: str, number: int, *left: int | None, **more: Any) -> None:
    """Replace a round, whatever the version."""
    played = facts(*left, **more)
    games.correct_round(
        ledger, game_id, number, score_for(ledger.game(game_id), played), write=Write()
    )
