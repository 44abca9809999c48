"""Evenings in the short notation of the further systems: ``A: B 40, C 5`` is a round that A won.

A word after the winner or a number says how: ``A hand:``, ``B first`` (a drop), ``B wrong``. Who is
not named was absent. ``C back; A: B 10, C 20`` is a round before which C came back.
"""

from collections.abc import Sequence
from typing import Any

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import changes
from scorekeeper.domain.game.changes import Draft, NewGame
from scorekeeper.domain.game.state import Game, created
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.wire.rounds import load_round

AT = "2026-11-27T20:00:00Z"
SEATS = "ABCDEFGH"
WORDS: dict[str, dict[str, Any]] = {
    "first": {"drop": "first"},
    "middle": {"drop": "middle"},
    "wrong": {"wrong": True},
    "no": {"laid": False},
    "laid": {"laid": True},
}


def body(text: str, players: int) -> dict[str, Any]:
    """Return a round in the short notation as a REST body."""
    *before, played = (part.strip() for part in text.split(";"))
    head, _, others = played.partition(":")
    winner, *how = head.split()
    seats: list[dict[str, Any]] = [{"absent": True} for _ in range(players)]
    seats[SEATS.index(winner)] = {}
    facts: dict[str, Any] = {"outcome": "out", "winner": SEATS.index(winner), "seats": seats}
    if back := [SEATS.index(one.split()[0]) for one in before]:
        facts["rejoin"] = back
    for word in how:
        if word == "hand":
            facts["hand_romme"] = True
        elif word == "run":
            facts["one_run"] = True
        else:
            seats[SEATS.index(winner)]["points"] = int(word)
    for entry in filter(None, (one.strip() for one in others.split(","))):
        name, *said = entry.split()
        held: dict[str, Any] = {}
        for word in said:
            held |= WORDS[word] if word in WORDS else {"points": int(word)}
        seats[SEATS.index(name)] = held
    return facts


def rules_of(example: dict[str, Any]) -> RuleSet:
    return PRESETS[example["preset"]].override(example.get("options", {}))


def begun(rules: RuleSet, players: int) -> Game:
    return created("g", NewGame("", "", rules, tuple(SEATS[:players])).first_event(AT))


def after(game: Game, draft: Draft | None) -> Game:
    """Return the game after an event; raise RuleError where the use cases do."""
    assert draft is not None
    event = Event(game.version + 1, AT, draft.kind, "pen", draft.payload, draft.texts)
    game = game.apply(event)
    changes.check_sequel(game, draft.kind, draft.payload.get("number", 0))
    return game


def played(game: Game, text: str) -> Game:
    """Return the game after one more round."""
    number = changes.next_round(game)
    entry = load_round(body(text, game.sheet.seats))
    return after(game, changes.Draft("round", changes.score_for(game, entry.round).payload(number)))


def evening(example: dict[str, Any]) -> Game:
    """Return the game of an example; raise RuleError for a round that is refused."""
    rounds: Sequence[str] = example["rounds"]
    game = begun(rules_of(example), example.get("players", 3))
    for text in rounds:
        game = played(game, text)
    return after(game, changes.end(game)) if example.get("ended") else game


def refused(example: dict[str, Any]) -> list[str]:
    """Return the codes with which an evening is refused, with their reasons."""
    try:
        evening(example)
    except RuleError as error:
        return [
            f"{one.code}.{one.facts['why']}" if "why" in one.facts else one.code
            for one in error.problems
        ]
    return []
