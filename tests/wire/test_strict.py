"""What is wrong is refused soon: limits come before work, and twenty flaws are enough."""

import unicodedata
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.strict import (
    MOST_PARTS,
    MOST_PROBLEMS,
    FormError,
    ListOf,
    ShortText,
    StrictSchema,
    load,
)

UNREADABLE = {"melds": ["??"] * 16, "first_meld": ["??"] * 16}


class Watched(ShortText):
    """A line that counts how often anybody looks at it."""

    def __init__(self) -> None:
        super().__init__(1, 5)
        self.looks = 0

    def _deserialize(self, *about: Any, **more: Any) -> str:
        self.looks += 1
        return super()._deserialize(*about, **more)


WATCHED = Watched()


class LinesSchema(StrictSchema):
    """Lines in lists, and the same ones again."""

    first = ListOf(ListOf(WATCHED, 0, 50), 0, 50)
    second = ListOf(ListOf(WATCHED, 0, 50), 0, 50)


def test_after_twenty_flaws_nobody_looks_for_more() -> None:
    WATCHED.looks = 0
    many = [["far too long"] * 7] * 50

    with pytest.raises(FormError) as caught:
        load(LinesSchema(), {"first": many, "second": many})

    assert len(caught.value.problems) == MOST_PROBLEMS
    assert caught.value.problems[-1].path == ("first", 2, 5)
    assert WATCHED.looks <= 3 * 7


def test_at_most_twenty_unreadable_cards_are_reported() -> None:
    with pytest.raises(RuleError) as caught:
        load_round({"outcome": "out", "winner": 0, "seats": [UNREADABLE] * 6})

    assert len(caught.value.problems) == MOST_PROBLEMS
    assert caught.value.problems[-1].path == ("seats", 0, "melds", 3)


def test_a_text_is_brought_in_order_only_where_it_could_fit(
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

    assert max(lengths, default=0) <= MOST_PARTS * 280


def test_a_letter_may_be_spelled_in_four_parts() -> None:
    in_parts = "\u03b1\u0313\u0300\u0345" * 280

    assert ShortText(0, 280).deserialize(in_parts) == "\u1f82" * 280
