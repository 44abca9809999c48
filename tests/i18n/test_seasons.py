"""Spans of dates in words."""

import pytest

from scorekeeper.domain.group.season import ALWAYS, Span
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wording.seasons import FIRST_DAY, LAST_DAY, span_words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_span_names_the_days_that_limit_it(lang: str) -> None:
    words, first, last = language(lang), "2026-03-01", "2026-05-31"
    since = span_words(Span(first=first, last=LAST_DAY), words)
    until = span_words(Span(first=FIRST_DAY, last=last), words)
    between = span_words(Span(first=first, last=last), words)

    assert words.day(first) in since
    assert words.day(last) not in since
    assert words.day(last) in until
    assert words.day(first) in between
    assert words.day(last) in between
    assert len({since, until, between, span_words(ALWAYS, words)}) == 4


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_calendar_year_is_its_number(lang: str) -> None:
    year = Span(first="2026-01-01", last="2026-12-31")
    longer = Span(first="2025-01-01", last="2026-12-31")

    assert span_words(year, language(lang)) == "2026"
    assert span_words(longer, language(lang)) != "2025"
