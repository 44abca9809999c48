"""Every option of RULES 3 has an effect: two of its values lead to different results.

The differences are data, in ``tests/data/effects/options.toml``.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from evenings import SEATS, begun
from evenings import played as after_round
from examples import DATA, body_of, cards, turn_body
from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import check_count
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import encode_score
from scorekeeper.domain.melds import read_meld
from scorekeeper.domain.replay import replay
from scorekeeper.domain.rounds.facts import RoundScore, SeatScore
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.solver import arrange
from scorekeeper.wire.referee import TurnQuestionSchema
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.strict import load

EFFECTS = tomllib.loads((DATA / "effects" / "options.toml").read_text(encoding="utf-8"))
AT = "2026-06-12T20:00:00Z"
OUT = {"outcome": "out"}
Outcome = dict[str, Any]


def played(rules: RuleSet, round_: dict[str, Any], seats: int) -> RoundScore:
    entry = load_round(body_of(rules.family, {"seats": [], **round_}))
    return score_round(entry.round, rules, seats)


def of_a_round(rules: RuleSet, round_: dict[str, Any]) -> Outcome:
    """Points by side."""
    score = played(rules, round_, len(round_.get("seats", "ab")))
    sides = [side for side in score.scores if side is not None]
    return {
        "minus": [side.minus for side in sides],
        "plus": [side.plus for side in sides],
        "league": ["none" if side.league is None else side.league for side in sides],
    }


def of_a_meld(rules: RuleSet, meld: str) -> Outcome:
    """Return the points of the cards as a first meld."""
    return {"points": read_meld(cards(meld), rules).points}


def of_a_hand(rules: RuleSet, hand: str) -> Outcome:
    """Return the fewest points that the hand can be left with."""
    return {"least": arrange(cards(hand), rules).points}


def of_a_turn(rules: RuleSet, turn: dict[str, Any]) -> Outcome:
    """Return the codes of the referee's findings."""
    body = turn_body({"preset": rules.preset, **turn})
    question = load(TurnQuestionSchema(), body)
    found = replace(question, rules=rules).judge()
    return {"errors": [problem.code for problem in found if problem.code.startswith("E_")]}


def of_a_table(rules: RuleSet, players: int) -> Outcome:
    """Return the cards dealt to each player, if the table may have that many."""
    check_count(rules, players)
    return {"cards": rules.deal.to(players)}


def of_an_evening(rules: RuleSet, rounds: list[Any]) -> Outcome:
    """Return totals, next dealer and payments."""
    return of_a_game(evening(rules, rounds))


def of_rounds(rules: RuleSet, rounds: list[str]) -> Outcome:
    """Return the same of rounds in the short notation."""
    game = begun(rules, 1 + max(map(SEATS.index, re.findall(r"\b[A-H]\b", " ".join(rounds)))))
    for text in rounds:
        game = after_round(game, text)
    return of_a_game(game)


def of_a_game(game: Game) -> Outcome:
    rules, settlement = game.rules, game.settlement()
    return {
        "totals": [tally.minus for tally in game.sheet.tallies],
        "over": game.is_over,
        "final": list(game.final or ()),
        "ranks": list(game.sheet.ranks),
        "dealer": game.sheet.next_deal.dealer,
        "sits_out": game.sheet.next_deal.sits_out,
        "unit": rules.settle.unit,
        "amounts": [str(amount) for amount in (settlement and settlement.amounts) or ()],
        "payments": [str(one.amount) for one in (settlement and settlement.transfers) or ()],
    }


def evening(rules: RuleSet, rounds: list[Any]) -> Game:
    """Return a game of rounds with given points, minus and plus by seat, and facts to score."""
    scores = [
        played(rules, one, len(one["seats"])) if isinstance(one, dict) else bare(*one)
        for one in rounds
    ]
    seats = len(scores[0].scores)
    texts = {f"name.{seat}": name for seat, name in enumerate("ABCDEF"[:seats])}
    stored = options.encode_rules(rules)
    began = Event(1, AT, "created", "pen", {"rules": stored, "players": seats}, texts)
    later = (
        Event(
            n + 1,
            AT,
            "round",
            "pen",
            {"number": n, "round": {"outcome": score.outcome}, "score": encode_score(score)},
        )
        for n, score in enumerate(scores, start=1)
    )
    return replay("g", [began, *later])


def bare(minus: list[Any], plus: list[int] | None = None, winner: int = 0) -> RoundScore:
    """Return a round from its points; a minus of "-" is an absent player."""
    scores = zip(minus, plus or [0] * len(minus), strict=True)
    return RoundScore(
        outcome="out",
        winner=winner,
        verification="unverified",
        scores=tuple(None if points[0] == "-" else SeatScore(*points) for points in scores),
        lines=(),
    )


SITUATIONS: dict[str, Callable[[RuleSet, Any], Outcome]] = {
    "round": of_a_round,
    "meld": of_a_meld,
    "rest": of_a_hand,
    "turn": of_a_turn,
    "players": of_a_table,
    "evening": of_an_evening,
    "rounds": of_rounds,
}


def outcome(entry: dict[str, Any], preset: str, changes: dict[str, Any]) -> Outcome:
    """Return the result of the situation under these rules; if refused, the codes."""
    ((ask, situation),) = ((ask, entry[ask]) for ask in SITUATIONS if ask in entry)
    try:
        return SITUATIONS[ask](PRESETS[preset].override(changes), situation)
    except RuleError as error:
        return {"errors": [problem.code for problem in error.problems]}


def tables(name: str, entry: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the preset and the changes of the two tables to compare."""
    if "presets" in entry:
        return [(preset, {}) for preset in entry["presets"]]
    values = [None if value == "null" else value for value in entry["values"]]
    common = entry.get("options", {})
    return [(entry.get("preset", "german-family"), {**common, name: value}) for value in values]


def test_every_option_makes_a_difference_somewhere() -> None:
    assert sorted(EFFECTS) == sorted(OPTIONS)


@pytest.mark.parametrize("name", EFFECTS)
def test_two_values_lead_to_two_outcomes(name: str) -> None:
    entry = EFFECTS[name]
    one, other = tables(name, entry)
    expected = entry["outcomes"]

    found = [outcome(entry, *table) for table in (one, other)]

    assert one != other
    assert expected[0] != expected[1]
    assert [
        {key: came.get(key) for key in said} for came, said in zip(found, expected, strict=True)
    ] == expected
