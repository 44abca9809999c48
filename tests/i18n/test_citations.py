"""Every refusal cites the rule that it is about, in the source of the game at hand."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from examples import DATA, examples, score, turn_body
from findings import FORMS
from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.rules.citations import (
    BY_CLAUSE,
    BY_FINDING,
    SOURCE_OF,
    SOURCES,
    TABLE,
    place_of,
)
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES, Language, language
from scorekeeper.i18n.findings import finding
from scorekeeper.wire.referee import TurnQuestionSchema
from scorekeeper.wire.strict import load

NO_RULE = {
    *("E_CONFIG", "E_FORM", "E_NOTATION", "E_NOTATION_AMBIGUOUS", "E_TOO_MUCH"),
    *("W_SUIT_K_KREUZ", "W_SUIT_C_COEUR", "W_OPTION_IDLE", "W_OPTION_UNUSUAL"),
    *("E_FRAME", "E_GAME_OVER", "E_GIVEN", "E_GROUP", "E_IMPORT_DIFFERS", "E_UNIT"),
    "E_TOURNAMENT",
}
"""Codes about how something is stated or stored, not about a rule of the game."""

HEAD, *ROWS = [
    [cell.strip() for cell in line.split("|")]
    for line in (DATA / "citations.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: cells[0])
def test_a_finding_cites_its_place_in_the_source_of_the_game(cells: list[str]) -> None:
    name, clause, *cited = cells

    assert BY_FINDING[name].clause == clause
    for preset, expected in zip(HEAD[2:], cited, strict=True):
        place = place_of(clause, preset)

        assert place, preset
        assert " ".join(filter(None, place)) == expected, preset


def test_the_list_of_citations_is_complete() -> None:
    assert HEAD[2:] == list(SOURCE_OF)
    assert sorted(name for name, *_ in ROWS) == sorted(BY_FINDING)


def test_every_finding_of_the_rules_is_in_the_table() -> None:
    codes = {form.key.partition(".")[0] for form in FORMS} - NO_RULE
    cited = {name.partition(".")[0] for name in BY_FINDING}

    assert codes - cited == set()


def test_the_table_names_each_clause_and_each_finding_once() -> None:
    names = [name for row in TABLE for name in row.findings]

    assert len(BY_CLAUSE) == len(TABLE)
    assert len(BY_FINDING) == len(names)


def test_every_preset_has_its_source_and_every_place_is_in_a_source() -> None:
    assert set(SOURCE_OF) < set(PRESETS)
    assert {place[0] for row in TABLE for place in row.places.values()} <= set(SOURCES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_clause_is_worded_without_its_source(code: str) -> None:
    lang = language(code)
    worded = [f"clause.{row.clause}" for row in TABLE if any(name in lang for name in row.findings)]

    for key in worded:
        assert key in lang, key
        assert not re.search(r"[.()]$|Rasche|Palast|Klop-|Rummy", lang(key)), key


def refusals() -> Iterator[Any]:
    """Yield the refused worked examples of all families."""
    for family in ("lay", "hand", "gin", "knock"):
        for example in examples(family):
            if example.values[0].get("errors"):
                yield pytest.param(family, example.values[0], id=example.id)


USUAL = {"lay": "german-family", "hand": "wiener", "gin": "gin-palast", "knock": "knock-rummy"}


def others(preset: str, lang: Language) -> list[str]:
    """Return the names of the sources that are not that of a rule system."""
    own = SOURCE_OF.get(preset, "dec")[:3]
    return [lang(f"source.{tag}") for tag in SOURCES[:-1] if tag != own]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("family", "example"), list(refusals()))
def test_a_refused_round_cites_the_source_of_its_rules(
    family: str, example: dict[str, Any], code: str
) -> None:
    preset, lang = example.get("preset", USUAL[family]), language(code)
    with pytest.raises(RuleError) as refused:
        score(family, example)

    for problem in refused.value.problems:
        rule = finding(problem, lang, rules=PRESETS[preset]).get("rule")

        assert rule or problem.code in NO_RULE, problem
        assert not any(f"({name}" in (rule or "") for name in others(preset, lang)), rule


TURNS = [example for example in examples("referee") if "steal" not in example.values[0]]


@pytest.mark.parametrize("example", TURNS)
def test_a_refused_turn_cites_its_rule(example: dict[str, Any]) -> None:
    question = load(TurnQuestionSchema(), turn_body(example))
    for problem in question.judge():
        assert finding(problem, language("en"), rules=question.rules).get("rule"), problem


def test_without_the_rules_only_a_decision_is_cited() -> None:
    lang = language("en")

    assert "rule" not in finding(Problem("E_RETURNED", {"card": "7C"}), lang)
    assert finding(Problem("E_SUIT_NEEDED", {"rank": Rank.SEVEN}), lang)["rule"] == (
        "In melds the suit counts too (a decision of scorekeeper)."
    )
