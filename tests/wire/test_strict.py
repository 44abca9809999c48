"""Errors are found early: limits come before work, and twenty errors are enough."""

import unicodedata
from typing import Any

import pytest

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.strict import (
    MAX_PARTS,
    MAX_PROBLEMS,
    FormError,
    ListOf,
    ShortText,
    StrictSchema,
    load,
)

UNREADABLE = {"melds": ["??"] * 16, "first_meld": ["??"] * 16}


class Counted(ShortText):
    """A short text that counts how often it is loaded."""

    loads = 0

    def _deserialize(self, *about: Any, **more: Any) -> str:
        Counted.loads += 1
        return super()._deserialize(*about, **more)


class LinesSchema(StrictSchema):
    """Lists of short texts."""

    lines = ListOf(Counted(1, 5), 0, 50)
    last = Counted(1, 5)


def problems_of(body: object) -> tuple[Problem, ...]:
    with pytest.raises(FormError) as caught:
        load(LinesSchema(), body)
    return caught.value.problems


def test_a_list_that_is_too_long_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counted, "loads", 0)

    (too_long,) = problems_of({"lines": ["far too long"] * 51})

    assert (too_long.facts["why"], too_long.path) == ("length", ("lines",))
    assert Counted.loads == 0


def test_at_most_twenty_flaws_are_reported_in_the_order_of_the_fields() -> None:
    problems = problems_of({"last": "far too long", "lines": ["far too long"] * 50})

    assert [problem.path for problem in problems] == [("lines", i) for i in range(MAX_PROBLEMS)]


def test_unknown_keys_come_last_and_in_the_order_in_which_they_were_sent() -> None:
    unknown = ["zeta", "alpha", "mu", "x" * 100]

    problems = problems_of({**dict.fromkeys(unknown, 1), "last": "far too long"})

    assert [problem.path for problem in problems] == [
        ("last",), ("zeta",), ("alpha",), ("mu",), ("x" * 40,)
    ]  # fmt: skip
    assert {problem.facts["why"] for problem in problems[1:]} == {"unknown"}


def test_a_key_that_marshmallow_uses_itself_is_unknown_too() -> None:
    (unknown,) = problems_of({"_schema": 1})

    assert unknown.facts["why"] == "unknown"


def test_at_most_twenty_unreadable_cards_are_reported() -> None:
    with pytest.raises(RuleError) as caught:
        load_round({"outcome": "out", "winner": 0, "seats": [UNREADABLE] * 6})

    assert len(caught.value.problems) == MAX_PROBLEMS
    assert caught.value.problems[-1].path == ("seats", 0, "melds", 3)


def test_only_texts_of_possible_length_are_normalised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # thirty thousand marks in disorder take a second
    lengths: list[int] = []
    in_order = unicodedata.normalize

    def normalize(form: Any, text: str) -> str:
        lengths.append(len(text))
        return in_order(form, text)

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    with pytest.raises(FormError):
        load_round({"outcome": "void", "note": "\u0315\u0300" * 15_000})

    assert max(lengths, default=0) <= MAX_PARTS * 280


def test_a_letter_may_have_four_code_points() -> None:
    in_parts = "\u03b1\u0313\u0300\u0345" * 280

    assert ShortText(0, 280).deserialize(in_parts) == "\u1f82" * 280
