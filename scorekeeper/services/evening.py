"""A whole evening in one JSON file, such as examples/evening.json: scored, not stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import NewGame, check_new_players, score_for
from scorekeeper.domain.game.state import Game, created
from scorekeeper.domain.rules import DRAW
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.schemas import NewGameSchema
from scorekeeper.wire.strict import FormError, load, read_json

EXTRA_KEYS = ("rounds", "expected")
"""Keys that a new game does not have; ``expected`` is for tests."""


@dataclass(frozen=True)
class EveningFile:
    """A game, and its rounds as they are in the file."""

    new_game: NewGame
    rounds: Sequence[object]


def read_evening(text: bytes) -> EveningFile:
    """Return an evening from JSON; RuleError if the game is not valid."""
    body = read_json(text)
    if not isinstance(body, Mapping):
        raise FormError("E_FORM", why="type", expected="object")
    rounds = body.get("rounds", [])
    if not isinstance(rounds, list):
        raise FormError("E_FORM", ("rounds",), why="type", expected="array")
    about: dict[str, Any] = {name: value for name, value in body.items() if name not in EXTRA_KEYS}
    new_game = load(NewGameSchema(), about)
    check_new_players(new_game.rules, new_game.players)
    # A draw would differ with each run, so the file must name the seat.
    if new_game.rules.deal.first_dealer == DRAW:
        raise RuleError("E_CONFIG", ("first_dealer",), why="draw_of_a_file")
    return EveningFile(new_game, rounds)


def score_evening(evening: EveningFile) -> Game:
    """Return the game after its last round; RuleError with the errors of all rounds."""
    new_game = evening.new_game
    game = created("", new_game.first_event(""))
    problems: list[Problem] = []
    for index, body in enumerate(evening.rounds):
        try:
            game = _after(game, body)
        except RuleError as error:
            problems += error.under("rounds", index).problems
    if problems:
        raise RuleError.of(problems)
    return game


def _after(game: Game, body: object) -> Game:
    if game.is_over:
        raise RuleError("E_GAME_OVER")
    facts, noticed = load_round(body)
    scored = score_for(game, facts, noticed)
    return replace(game, sheet=game.sheet.record("", facts, scored.score))
