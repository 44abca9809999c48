"""The language of a reader."""

import pytest

from scorekeeper.i18n import pick_language
from scorekeeper.web.accept_language import accepted_languages


@pytest.mark.parametrize(
    ("accepted", "wished", "picked"),
    [
        (None, None, "de"),
        ("de-LU,en;q=0.9", None, "de"),
        ("lb-LU,de;q=0.8", None, "lb"),
        ("en-US,de;q=0.1", None, "en"),
        ("de;q=0, lb", None, "lb"),
        ("fr-LU,de;q=0.8", None, "fr"),
        ("it", None, "en"),
        ("it,lb;q=0.5", None, "lb"),
        ("de", "fr", "fr"),
        ("de", "lb", "lb"),
        ("lb", "klingon", "lb"),
        (";;;,,q=", None, "en"),
    ],
)
def test_a_reader_gets_the_preferred_language_of_the_browser(
    accepted: str | None, wished: str | None, picked: str
) -> None:
    assert pick_language(accepted_languages(accepted), wished) == picked
