"""Which language a reader gets."""

import pytest

from scorekeeper.i18n import pick_language
from scorekeeper.web.languages import accepted_languages


@pytest.mark.parametrize(
    ("accepted", "wished", "picked"),
    [
        (None, None, "de"),
        ("de-LU,en;q=0.9", None, "de"),
        ("lb-LU,de;q=0.8", None, "lb"),
        ("en-US,de;q=0.1", None, "en"),
        ("de;q=0, lb", None, "lb"),
        ("fr", None, "en"),
        ("fr,lb;q=0.5", None, "lb"),
        ("de", "lb", "lb"),
        ("lb", "klingon", "lb"),
        (";;;,,q=", None, "en"),
    ],
)
def test_a_reader_gets_the_language_that_the_browser_likes_best(
    accepted: str | None, wished: str | None, picked: str
) -> None:
    assert pick_language(accepted_languages(accepted), wished) == picked
