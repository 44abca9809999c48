"""The worked examples of RULES 11 by id, with their cards and payments."""

import copy
import json
import tomllib
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.game.changes import NewGame, score_for
from scorekeeper.domain.game.state import Game, created
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rounds.facts import RoundScore
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.wire.rounds import load_round

AT = "2026-06-12T20:00:00Z"
DATA = Path(__file__).with_name("data")


def examples(name: str) -> list[Any]:
    """Return every variant of every example in a data file, as a parameter with its id."""
    found = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
    return [
        pytest.param(example, id=code if len(variants) == 1 else f"{code}-{number}")
        for code, variants in found.items()
        for number, example in enumerate(variants, start=1)
    ]


EXAMPLES = Path(__file__).parents[1] / "examples"
EXAMPLE = EXAMPLES / "evening.json"
EVENINGS = sorted(EXAMPLES.glob("*.json"))
"""Whole evenings, one a file."""


def evening_of(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def evening_rules(evening: Any) -> RuleSet:
    """Return the rules of an evening, without its stake."""
    return preset(evening["rules"]["preset"]).override(evening["rules"].get("options", {}))


def cards(text: str) -> tuple[Card, ...]:
    return read_cards(text)[0]


def turn_body(example: dict[str, Any]) -> dict[str, Any]:
    """Return the turn of an example as a REST body."""
    apart = ("preset", "options", "own", "findings")
    body = {name: example[name] for name in example if name not in apart}
    own = example.get("own", ())
    if "before" in body:
        melds = enumerate(body["before"])
        body["before"] = [{"cards": meld, "own": nth in own} for nth, meld in melds]
    rules = {"preset": example["preset"], "options": example.get("options", {})}
    return {"rules": rules, **body}


def after(transfers: Iterable[Transfer], amounts: Iterable[Fraction]) -> list[Fraction]:
    """Return the balances after all payments; no payment may be zero."""
    still = list(amounts)
    for transfer in transfers:
        assert transfer.amount > 0
        still[transfer.payer] += transfer.amount
        still[transfer.payee] -= transfer.amount
    return still


ENDS = {
    "lay": ("out", "winner"),
    "hand": ("out", "winner"),
    "gin": ("knock", "knocker"),
    "knock": ("knock", "knocker"),
}
USUAL = {"lay": "german-family", "hand": "wiener", "gin": "gin-palast", "knock": "knock-rummy"}
EXPECTED = {"preset", "options", "minus", "plus", "net", "league", "mark", "winner", "best"}
EXPECTED |= {"warnings", "errors"}


def body_of(family: str, example: dict[str, Any]) -> dict[str, Any]:
    """Return the round of an example as a REST body; seat 0 wins by default."""
    outcome, ender = ENDS[family]
    facts = copy.deepcopy({name: example[name] for name in example if name not in EXPECTED})
    if family == "lay" and example.get("winner", "nobody") != "nobody":
        facts["winner"] = example["winner"]
    for seat in facts["seats"]:
        if seat.get("discard") == "none":
            seat["discard"] = None
    body = {"outcome": outcome} | ({} if "outcome" in facts else {ender: 0}) | facts
    return {name: value for name, value in body.items() if value is not None}


def score(family: str, example: dict[str, Any]) -> RoundScore:
    """Return the score of an example; raise RuleError if it is refused."""
    rules = PRESETS[example.get("preset", USUAL[family])].override(example.get("options", {}))
    entry = load_round(body_of(family, example))
    return score_round(entry.round, rules, len(example["seats"]), noticed=entry.warnings)


def played(example: dict[str, Any], players: str = "ABCDEFGH") -> Game:
    """Return the game of an example of games.toml; raise RuleError for a round that is refused."""
    rules = PRESETS[example["preset"]].override(example.get("options", {}))
    seats = max((len(one.get("seats", ())) for one in example["rounds"]), default=2)
    game = created("g", NewGame("", "", rules, tuple(players[:seats])).first_event(AT))
    for number, one in enumerate(example["rounds"], start=1):
        entry = load_round(body_of(rules.family, {"seats": [], **one}), rules)
        payload = score_for(game, entry.round, entry.warnings).payload(number)
        game = game.apply(Event(game.version + 1, AT, "round", "pen", payload))
    if example.get("ended"):
        game = game.apply(Event(game.version + 1, AT, "ended", "pen"))
    return game


K1 = "4C 5C 6C 9H 9S 9D JD QD KD 6H"
O1 = "2S 3S 4S QH QC QS KH 8D 5D AC"
O2 = "2S 3S 4S QH QC QS 7C 9C 10D AC"  # 27 points; 1 with three cards laid off on K1
LAY_7C = {"card": "7C", "meld": {"seat": 0, "index": 0}}
"""Gin hands of RULES 11.4: the knocker, two opponents, and a lay-off on the knocker's run."""
