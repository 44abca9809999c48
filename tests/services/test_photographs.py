"""The answer about a photograph, computed in the process that asks."""

import pytest
from PIL import Image

from pictures import scene, stored
from scorekeeper.domain.errors import RuleError
from scorekeeper.services.photographs import cards_in, refused_picture


def refused(picture: bytes) -> tuple[str, dict[str, object]]:
    with pytest.raises(RuleError) as error:
        cards_in(picture, 2, 6)
    (problem,) = error.value.problems
    return problem.code, dict(problem.facts)


def test_the_cards_are_listed_row_by_row_with_their_places() -> None:
    rows = cards_in(scene("joker"), 2, 6)
    seen = [card for row in rows for card in row["cards"]]

    assert [[card["card"] for card in row["cards"]] for row in rows] == [
        ["3H", "5H"], ["6S", "5D"], ["JK", "KH"], ["KS", "3C"]
    ]  # fmt: skip
    assert all(card.keys() == {"card", "sure", "box", "alternatives"} for card in seen)
    assert all(0.9 < card["sure"] <= 1 and card["alternatives"] == [] for card in seen)
    for card in seen:
        left, top, width, height = card["box"]
        assert 0.3 < left < 0.5 and 0.1 < width < 0.15
        assert 0 < top < 0.65 and 0.15 < height < 0.2
        assert [round(share, 4) for share in card["box"]] == card["box"]


def test_a_picture_without_cards_or_of_another_kind_is_refused() -> None:
    assert refused(stored(Image.new("RGB", (80, 60), "green"))) == ("E_NO_CARDS", {})
    assert refused(b"GIF89a") == ("E_PICTURE", {"why": "kind"})


def test_a_picture_that_is_too_large_is_told_the_limit() -> None:
    assert refused_picture("bytes").facts == {"why": "bytes", "most": 4}
    assert refused_picture("pixels").facts == {"why": "pixels", "most": 25}
    assert refused_picture("damaged").facts == {"why": "damaged"}
