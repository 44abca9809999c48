"""The worked examples of RULES 11 by their ids; their cards, and what their payments leave."""

import copy
import tomllib
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.domain.cards import Card
from scorekeeper.domain.notation import read_cards
from scorekeeper.domain.settlement import Transfer

DATA = Path(__file__).with_name("data")


def examples(name: str) -> list[Any]:
    """Every variant of every example in a data file, as a parameter with its id."""
    found = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
    return [
        pytest.param(example, id=code if len(variants) == 1 else f"{code}-{number}")
        for code, variants in found.items()
        for number, example in enumerate(variants, start=1)
    ]


def cards(text: str) -> tuple[Card, ...]:
    return read_cards(text)[0]


def turn_body(example: dict[str, Any]) -> dict[str, Any]:
    """The turn of an example as a program would send it."""
    body = {name: example[name] for name in example if name not in ("preset", "own", "findings")}
    own = example.get("own", ())
    if "before" in body:
        melds = enumerate(body["before"])
        body["before"] = [{"cards": meld, "own": nth in own} for nth, meld in melds]
    return {"rules": {"preset": example["preset"]}, **body}


def after(transfers: Iterable[Transfer], amounts: Iterable[Fraction]) -> list[Fraction]:
    """What is still open once everyone has paid; nobody pays nothing."""
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
    """The round of an example as a program would send it; unless said otherwise, seat 0 ends it."""
    outcome, ender = ENDS[family]
    facts = copy.deepcopy({name: example[name] for name in example if name not in EXPECTED})
    if family == "lay" and "winner" in example:
        facts["winner"] = example["winner"]
    for seat in facts["seats"]:
        if seat.get("discard") == "none":
            seat["discard"] = None
    body = {"outcome": outcome} | ({} if "outcome" in facts else {ender: 0}) | facts
    return {name: value for name, value in body.items() if value is not None}
