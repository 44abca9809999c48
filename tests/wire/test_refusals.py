"""What is refused for its form, with the facts of the sentence; what is just allowed."""

from typing import Any

import pytest
from marshmallow import Schema

from scorekeeper.domain.errors import RuleError
from scorekeeper.wire.frames import FrameSchema
from scorekeeper.wire.groups import PaymentSchema, RateSchema
from scorekeeper.wire.queries import SeasonQuerySchema, SpanSchema
from scorekeeper.wire.referee import HandQuestionSchema
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.schemas import MAX_OPTIONS, RulesSchema, StakeSchema
from scorekeeper.wire.strict import load
from scorekeeper.wire.tournaments import EntrantSchema, PlanSchema, ScaleSchema

CHIPS = {"unit": "chips", "in": "ct"}
FAMILY = {"rules": {"preset": "german-family"}, "cards": "KH"}
PAYMENT = {"from": 0, "to": 1, "unit": "ct"}
PHASES = {"rules": {"preset": "phases"}, "cards": "KH"}
PLAN = {"format": "swiss", "rounds": 3, "rules": {"preset": "robber"}}
TEXT = {"why": "text"}
MISSING = {"why": "missing"}


def length(least: int, most: int) -> dict[str, object]:
    return {"why": "length", "least": least, "most": most}


def beyond(value: object, least: int, most: int) -> dict[str, object]:
    return {"why": "range", "least": least, "most": most, "value": value}


def no_type(expected: str) -> dict[str, object]:
    return {"why": "type", "expected": expected}


def too_fine(parts: int) -> dict[str, object]:
    return {"why": "amount_size", "most": 10**12, "parts": parts}


def no_whole(least: int, most: int) -> dict[str, object]:
    return {**no_type("integer"), "least": least, "most": most}


def a_round(**facts: Any) -> Any:
    body = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 3}], **facts}
    return load_round(body).round


def problem_of(read: Any, *body: Any, **more: Any) -> tuple[str, tuple[object, ...], object]:
    """Return code, place and facts of the only problem."""
    with pytest.raises(RuleError) as error:
        read(*body, **more)
    (problem,) = error.value.problems
    return problem.code, tuple(problem.path), dict(problem.facts)


@pytest.mark.parametrize(
    ("fact", "value", "facts"),
    [
        ("turns", True, no_whole(0, 100)),
        ("turns", 101, beyond(101, 0, 100)),
        ("aces", 9, beyond(9, 0, 8)),
        ("klopfen", 21, beyond(21, 0, 20)),
        ("laid", 1, no_type("boolean")),
        ("drop", "late", {"why": "choice", "allowed": ("first", "middle")}),
        ("hand", 7, no_type("cards")),
        ("hand", ["KH", 7], no_type("cards")),
        ("hand", 113 * ["KH"], length(0, 112)),
        ("hand", 801 * "K", length(0, 112)),
        ("hand", [400 * "K", 401 * "K"], length(0, 112)),
        ("melds", "7C", no_type("array")),
        ("melds", 21 * ["7C 8C 9C"], length(0, 20)),
        ("layoffs", 61 * [{}], length(0, 60)),
    ],
)
def test_facts_of_a_player(fact: str, value: object, facts: dict[str, object]) -> None:
    problem = problem_of(a_round, seats=[{}, {fact: value}])

    assert problem == ("E_FORM", ("seats", 1, fact), facts)


@pytest.mark.parametrize("name", ["points", "count", "deadwood", "announced", "laid_points"])
def test_points_of_a_player(name: str) -> None:
    path = ("seats", 1, name)

    for value, facts in ((-1, beyond(-1, 0, 9999)), ("7", no_whole(0, 9999))):
        assert problem_of(a_round, seats=[{}, {name: value}]) == ("E_POINTS", path, facts)


@pytest.mark.parametrize(
    ("fact", "value", "facts"),
    [
        ("note", 7, no_type("string")),
        ("note", 281 * "x", length(0, 280)),
        ("note", "a\u200bb", TEXT),
        ("note", "李", TEXT),
        ("plan_row", "1", no_type("rows")),
        ("seats", 7, no_type("array")),
        ("wins", 1, {"why": "unknown"}),
    ],
)
def test_facts_of_a_round(fact: str, value: object, facts: dict[str, object]) -> None:
    assert problem_of(a_round, **{fact: value}) == ("E_FORM", (fact,), facts)


@pytest.mark.parametrize(
    ("schema", "body", "path", "facts"),
    [
        (RulesSchema(), {"preset": "robber", "options": []}, ("options",), no_type("object")),
        (
            RulesSchema(),
            {"preset": "robber", "options": dict.fromkeys(map(str, range(101)), 1)},
            ("options",),
            length(0, 100),
        ),
        (
            RulesSchema(),
            {"preset": "robber", "options": {"settle.unit": "李"}},
            ("options", "settle.unit"),
            TEXT,
        ),
        (StakeSchema(), {"unit": "李"}, ("unit",), TEXT),
        (FrameSchema(), {"began": 7}, ("began",), no_type("string")),
        (FrameSchema(), {"began": "yesterday"}, ("began",), {"why": "time", "value": "yesterday"}),
        (FrameSchema(), {"began": 41 * "9"}, ("began",), {"why": "time", "value": 40 * "9"}),
        (
            FrameSchema(),
            {"began": "1899-12-31T23:59:59Z"},
            ("began",),
            {"why": "time", "value": "1899-12-31T23:59:59Z"},
        ),
        (FrameSchema(), {"order": [0]}, ("order",), length(2, 12)),
        (FrameSchema(), {"players": []}, ("players",), length(1, 12)),
        (
            FrameSchema(),
            {"dealers": [{"round": 10_001, "seat": 0}]},
            ("dealers", 0, "round"),
            beyond(10_001, 1, 10_000),
        ),
        (
            FrameSchema(),
            {"dealers": [{"round": 1, "seat": 12}]},
            ("dealers", 0, "seat"),
            beyond(12, 0, 11),
        ),
        (SpanSchema(), {"from": "5.3.2026"}, ("from",), {"why": "date", "value": "5.3.2026"}),
        (SpanSchema(), {"from": "2026-03-06", "to": "2026-03-05"}, ("to",), {"why": "dates"}),
        (SeasonQuerySchema(), {"year": "26"}, ("year",), {"why": "date", "value": "26"}),
        (SeasonQuerySchema(), {"year": "20260"}, ("year",), length(1, 4)),
        (SeasonQuerySchema(), {"min_rounds": "²"}, ("min_rounds",), no_whole(0, 10_000)),
        (SeasonQuerySchema(), {"min_rounds": "1.5"}, ("min_rounds",), no_whole(0, 10_000)),
        (
            SeasonQuerySchema(),
            {"min_rounds": 5000 * "9"},
            ("min_rounds",),
            beyond(40 * "9", 0, 10_000),
        ),
        (SeasonQuerySchema(), {"min_rounds": "-1"}, ("min_rounds",), beyond(-1, 0, 10_000)),
        (SeasonQuerySchema(), {"min_rounds": "10001"}, ("min_rounds",), beyond(10_001, 0, 10_000)),
        (RateSchema(), {**CHIPS, "rate": 0.5}, ("rate",), {"why": "amount"}),
        (RateSchema(), {**CHIPS, "rate": "-1"}, ("rate",), {"why": "amount"}),
        (RateSchema(), {**CHIPS, "rate": "1/00"}, ("rate",), {"why": "amount"}),
        (RateSchema(), {**CHIPS, "rate": "1/1000001"}, ("rate",), too_fine(1_000_000)),
        (RateSchema(), {**CHIPS, "rate": "1" + 12 * "0" + "1"}, ("rate",), too_fine(1_000_000)),
        (RateSchema(), {**CHIPS, "rate": 30 * "9"}, ("rate",), too_fine(1_000_000)),
        (RateSchema(), {**CHIPS, "rate": "0.0000001"}, ("rate",), too_fine(1_000_000)),
        (PaymentSchema(), {**PAYMENT, "amount": "1/1001"}, ("amount",), too_fine(1_000)),
        (PaymentSchema(), {**PAYMENT, "amount": 22 * "9"}, ("amount",), too_fine(1_000)),
        (PaymentSchema(), {"from": 0, "to": 1, "amount": "5"}, ("unit",), MISSING),
        (EntrantSchema(), {"names": []}, ("names",), length(1, 2)),
        (EntrantSchema(), {"names": ["a", "b", "c"]}, ("names",), length(1, 2)),
        (ScaleSchema(), {"win": 1001}, ("win",), beyond(1001, -1000, 1000)),
        (ScaleSchema(), {"sit_out": -1001}, ("sit_out",), beyond(-1001, -1000, 1000)),
        (PlanSchema(), {**PLAN, "partners": 3}, ("partners",), beyond(3, 1, 2)),
        (HandQuestionSchema(), {**PHASES, "plan_row": 21}, ("plan_row",), beyond(21, 1, 20)),
    ],
)
def test_other_bodies(
    schema: Schema, body: dict[str, Any], path: tuple[object, ...], facts: dict[str, object]
) -> None:
    assert problem_of(load, schema, body) == ("E_FORM", path, facts)


@pytest.mark.parametrize(
    ("body", "code", "path", "facts"),
    [
        (
            {**FAMILY, "cards": " ".join(25 * ["KH"])},
            "E_HAND_COUNT",
            ("cards",),
            {"why": "most", "declared": 25, "most": 24},
        ),
        ({**FAMILY, "cards": "??"}, "E_NOTATION", ("cards",), {"why": "unknown", "token": "??"}),
        ({**FAMILY, "wild": "7"}, "E_RULE_OFF", ("wild",), {"why": "off", "option": "wild.rank"}),
        ({**PHASES, "plan_row": 11}, "E_PLAN_ROW", ("plan_row",), {"why": "range", "rows": 10}),
    ],
)
def test_a_question_about_a_hand(
    body: dict[str, Any], code: str, path: tuple[object, ...], facts: dict[str, object]
) -> None:
    assert problem_of(load, HandQuestionSchema(), body) == (code, path, facts)


def test_the_largest_values_are_allowed() -> None:
    seat = {"turns": 100, "aces": 8, "klopfen": 20, "points": 9999, "melds": 20 * ["7C 8C 9C"]}
    played = a_round(seats=[{}, seat], note=280 * "x", plan_row=20)
    frame = load(FrameSchema(), {"dealers": [{"round": 10_000, "seat": 11}], "order": [0, 11]})
    query = load(SeasonQuerySchema(), {"year": "1900", "min_rounds": "10000"})
    scale = load(ScaleSchema(), {"win": 1000, "sit_out": -1000})

    assert (played.seats[1].turns, played.seats[1].aces, played.seats[1].klopfen) == (100, 8, 20)
    assert (played.seats[1].points, len(played.seats[1].melds)) == (9999, 20)
    assert (len(played.note), played.plan_row) == (280, 20)
    assert frame == {"dealers": [{"round": 10_000, "seat": 11}], "order": [0, 11]}
    assert (query["year"], query["min_rounds"]) == ("1900", 10_000)
    assert (scale.win, scale.sit_out) == (1000, -1000)
    assert load(RateSchema(), {**CHIPS, "rate": "1/1000000"})["rate"].denominator == 1_000_000
    assert load(SpanSchema(), {"from": "2026-03-05", "to": "2026-03-05"})["first"] == "2026-03-05"
    assert len(load(HandQuestionSchema(), {**FAMILY, "cards": " ".join(24 * ["KH"])}).cards) == 24
    assert load(HandQuestionSchema(), {**PHASES, "plan_row": 10}).row is not None


def test_an_unknown_key_that_is_no_text_is_shown_in_short_with_question_marks() -> None:
    unknown = {"preset": "robber", "\ud800" + 50 * "x": 1}

    assert problem_of(load, RulesSchema(), unknown) == (
        "E_FORM",
        ("?" + 39 * "x",),
        {"why": "unknown"},
    )


def test_there_are_as_many_options_as_rules_have() -> None:
    many = {f"option.{number}": 1 for number in range(300)}
    _, place, found = problem_of(load, RulesSchema(), {"preset": "robber", "options": many})

    assert (place, found) == (("options",), length(0, MAX_OPTIONS))
