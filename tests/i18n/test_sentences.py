"""Findings that are sentences whatever their facts: one of something, several, a list of words."""

import re

import pytest

from scorekeeper.domain.cards.names import NAMES, Notation
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.history.score_check import LINE_FACTS
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.kinds import Choice
from scorekeeper.i18n import LANGUAGES, Language, catalogue, language

every_language = pytest.mark.parametrize(
    "lang", [language(code) for code in LANGUAGES], ids=LANGUAGES
)

NAME = r"(?:10|[2-9AKQJDBVR])(?:Co|[♣♦♥♠CDHSKPT])|[HPK][ar]?(?:10|[2-9AKDB])"
EXAMPLE = re.compile(rf"(?<!\w)(?:JK=)?(?:{NAME})(?:\.\.(?:{NAME}))?(?!\w)")
"""A card as somebody would type it: ``10♥``, ``JK=9S``, ``4H..8H``, ``H10``."""
NAMES_A_NOTATION = {
    *("E_NOTATION", "E_NOTATION.unknown", "E_NOTATION_AMBIGUOUS", "E_NOTATION_AMBIGUOUS.en_fr"),
    *("W_SUIT_K_KREUZ", "W_SUIT_C_COEUR"),
}
"""Findings that are about a notation, or say in which one their examples are."""


@every_language
def test_a_card_that_a_finding_suggests_can_be_typed(lang: Language) -> None:
    """Those who read a language type its notation on pages and the notation ``en`` over REST."""
    suggested = [
        token
        for key, forms in catalogue.read_area(lang.code, "codes").items()
        for form in forms
        for token in EXAMPLE.findall(form)
        if key not in NAMES_A_NOTATION
    ]

    assert len(suggested) > 6
    for token in suggested:
        assert read_cards(token, lang.notation) == read_cards(token, "en"), token


@every_language
@pytest.mark.parametrize("notation", sorted(NAMES))
def test_the_cards_of_a_hint_are_in_the_notation_that_it_explains(
    lang: Language, notation: Notation
) -> None:
    for hint in ("referee.hint", "pages.entry.hint.cards"):
        shown = EXAMPLE.findall(lang(f"{hint}.{notation}"))

        assert len(shown) > 1
        assert all(read_cards(token, notation) for token in shown)


@every_language
def test_the_range_of_a_plan_names_what_a_row_has(lang: Language) -> None:
    rows = lang.words(OPTIONS["round.plan"].kind.describe())

    assert all(name in rows for name in ("deal", "need", "wild"))


@every_language
def test_words_that_are_allowed_are_joined_by_or(lang: Language) -> None:
    refused = Problem("E_FORM", {"why": "choice", "allowed": ("no", "yes")})

    assert lang.one_of(["no", "yes"]) in lang.problem(refused)


COUNTED: dict[str, tuple[str, dict[str, object]]] = {
    "E_LIVES": ("runs", {"pure": 9, "player": "Anna"}),
    "E_LIVES.turn": ("runs", {"pure": 9}),
    "E_LIVES.first": ("runs", {"pure": 9, "player": "Anna"}),
    "E_POINTS.aces": ("value", {"player": "Anna"}),
    "given.minus": ("n", {"player": "Anna"}),
    "given.minus.less": ("n", {"player": "Anna"}),
    "given.plus": ("n", {"player": "Anna"}),
    "given.plus.less": ("n", {"player": "Anna"}),
    "play.klopfen.max": ("value", {}),
    "play.out.max_rest": ("value", {}),
    "season.apart": ("least", {}),
}
"""Sentences by key, the fact that they count, and their other facts."""


@every_language
def test_one_of_something_is_not_worded_as_several(lang: Language) -> None:
    for key, (counted, facts) in COUNTED.items():
        one, two = (lang(key, **facts, **{counted: n}) for n in (1, 2))

        assert one != two.replace("2", "1"), key


@every_language
def test_the_values_of_a_tie_break_stand_beside_its_name(lang: Language) -> None:
    """Not in front of it: a 1 would need a singular, and 1 to 0 is usual."""
    keys = [key for key in catalogue.read_catalogue(lang.code) if key.startswith("tournament.deci")]
    facts = {"better": "Anna", "other": "Bernd", "first": "1", "second": "0"}
    said = [lang(key, **facts) for key in keys]

    assert len(said) == 7
    assert [one for one in said if re.search(r"[01] (?!(?:zu|to|contre) 0)\w", one)] == []


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


@every_language
def test_a_choice_of_numbers_is_worded_for_all_of_them_or_for_none(lang: Language) -> None:
    for name, option in OPTIONS.items():
        if isinstance(option.kind, Choice):
            numbers = [n for n in option.kind.values if isinstance(n, int) and n > 0]
            assert len({lang.value(name, n) == lang.number(n) for n in numbers}) < 2, name
