"""Findings that are sentences whatever their facts: one of something, several, a list of words."""

import pytest

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.history.score_check import LINE_FACTS
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.i18n import LANGUAGES, Language, language

every_language = pytest.mark.parametrize(
    "lang", [language(code) for code in LANGUAGES], ids=LANGUAGES
)


@every_language
def test_the_range_of_a_plan_names_what_a_row_has(lang: Language) -> None:
    rows = lang.words(OPTIONS["round.plan"].kind.describe())

    assert all(name in rows for name in ("deal", "need", "wild"))


@every_language
def test_words_that_are_allowed_are_joined_by_or(lang: Language) -> None:
    refused = Problem("E_FORM", {"why": "choice", "allowed": ("no", "yes")})

    assert lang.one_of(["no", "yes"]) in lang.problem(refused)


@every_language
def test_one_run_is_not_worded_as_several(lang: Language) -> None:
    one, two = (
        lang.problem(Problem("E_LIVES", {"why": "first", "runs": runs, "pure": 1, "seat": 0}))
        for runs in (1, 2)
    )

    assert one != two.replace("2", "1")


@every_language
def test_a_number_of_players_that_is_exact_is_no_range(lang: Language) -> None:
    facts = {"why": "seats", "seats": 3, "least": 2, "most": 2}

    assert lang.problem(Problem("E_TOURNAMENT", facts)).count("2") == 1


@every_language
@pytest.mark.parametrize("why", ["over", "too_often", "too_high", "limit"])
def test_a_player_who_may_not_come_back_is_told_to_be_absent(lang: Language, why: str) -> None:
    late, refused = (
        lang.problem(Problem("E_REJOIN", {"seat": 0, "number": 3, "reached": 9, "most": 2, **one}))
        for one in ({"why": "too_late"}, {"why": why})
    )

    assert refused.split(". ")[1:] == late.split(". ")[1:]


@every_language
def test_every_line_of_a_score_has_the_rule_behind_it(lang: Language) -> None:
    families = ("lay", "hand", "gin", "knock")
    without = [
        reason
        for reason in LINE_FACTS
        if not any(
            f"pages.why.{reason}{suffix}" in lang for suffix in ("", *(f".{f}" for f in families))
        )
    ]

    assert without == []
