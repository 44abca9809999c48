"""Rules that a form shows are the same when it is sent unchanged."""

from collections.abc import Iterator

import pytest
from flask import Flask

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.kinds import (
    Choice,
    Deal,
    Exact,
    Flag,
    Kind,
    Numbers,
    PerTable,
    Whole,
)
from scorekeeper.domain.rules.plan import PlanKind
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.services import groups
from scorekeeper.store.writes import PROGRAM
from scorekeeper.web.pages.new_game import fields
from scorekeeper.web.pages.new_game.views import form_of
from scorekeeper.wire.schemas import NewGameSchema
from scorekeeper.wire.strict import load
from web.pages.conftest import Browser

NAMES = ["Anna", "Bernd", "Claire"]
STAKE = {"settle.point_value": "1/2", "settle.unit": "CHF"}
"""What the rules of an evening for money have; the other terms of a stake need it."""


def values(kind: Kind, usual: object) -> Iterator[object]:
    """Yield values of an option as programs send them, at its limits and near the usual."""
    match kind:
        case Flag():
            yield from (True, False)
        case Choice():
            yield from kind.values
        case Whole():
            yield from (kind.low, kind.low + 1, kind.high)
        case Exact():
            yield from ("0", "1/3", "0.05", "7")
        case Numbers():
            yield from ([kind.low] * kind.length, [*range(kind.low, kind.low + kind.length)])
        case PerTable():
            yield from (kind.low, {"2": kind.low, "3": kind.high}, {"2": kind.low, "3": usual})
        case Deal():
            yield from (7, {"2": 10, "3": 9, "4": 7})
        case PlanKind():
            yield from (kind.write(PRESETS[name].round.plan) for name in ("shanghai", "phases"))


def sent_unchanged(rules: RuleSet) -> RuleSet:
    """Return the rules of the form that shows these."""
    return load(NewGameSchema(), fields.new_game_body(form_of(rules, ""), NAMES)).rules


@pytest.mark.parametrize("name", PRESETS)
def test_an_unchanged_form_gives_the_same_rules(app: Flask, name: str) -> None:
    tried = set()
    with app.test_request_context("/"):
        for option in OPTIONS:
            for value in values(OPTIONS[option].kind, preset(name)[option]):
                try:
                    rules = preset(name).override({**STAKE, option: value})
                except RuleError:
                    continue  # a rule of another system, or one that needs others
                assert sent_unchanged(rules) == rules, (option, value)
                tried.add(option)

    assert 2 * len(tried) > len([*preset(name).names()]), tried


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("romme-palast", {"rank.measure": "plus", "settle.measure": "minus"}),
        ("german-family", {"end.points": 300, "end.mode": "manual"}),
        ("gin-palast", {"gin.joker_rule": True, "deck.jokers": 2}),
    ],
)
def test_a_page_keeps_a_usual_value_where_another_option_implies_something_else(
    app: Flask, anna: Browser, name: str, options: dict[str, object]
) -> None:
    group, ledger = anna.found("Kegelclub", ()), app.extensions["ledger"]
    rules = preset(name).override(options)
    groups.keep_house_rules(ledger, group[3:], rules, PROGRAM)

    assert anna.send(f"{group}/house", do="save").status_code == 303
    assert ledger.group(group[3:]).house == rules
