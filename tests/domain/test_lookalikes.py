"""Two players of a table must be distinguishable for those who read their names."""

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.lookalikes import check_lookalikes, skeleton

ALIKE = [
    ("Anna", "Аnna"),  # a Cyrillic A
    ("Anna", "Αnna"),  # a Greek one
    ("anna", "аnnа"),
    ("Oleg", "Оlеg"),
    ("CCCP", "СССР"),
    ("NIKO", "ΝΙΚΟ"),
    ("hans", "հans"),  # Armenian
    ("Ëva", "Ёva"),
    ("Anna", "Ａｎｎａ"),  # full width
    ("Al", "AI"),
    ("Team 1", "Team l"),
    ("O’Neill", "O'Neill"),
    ("Anna-Lena", "Anna–Lena"),
    ("Bond 007", "Bond OO7"),
]
DIFFERENT = [
    ("Anna", "Änna"),
    ("Anna", "anna"),
    ("Anna", "Анна"),  # Cyrillic throughout: its small n looks like an H
    ("Анна", "Анка"),
    ("Renee", "Renée"),
    ("Jan", "Yan"),
    ("Ida", "lda2"),
    ("Müller", "Mueller"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_refused(one: str, other: str) -> None:
    with pytest.raises(RuleError) as refused:
        check_lookalikes((one, "Bernd", other), "players")
    (problem,) = refused.value.problems

    assert (problem.code, problem.path) == ("E_FORM", ("players", 2, "name"))
    assert problem.facts == {"why": "lookalike", "value": other, "other": one}


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_differ_for_readers_are_allowed(one: str, other: str) -> None:
    check_lookalikes((one, other), "players")


def test_erased_names_are_all_alike_and_allowed() -> None:
    check_lookalikes(("", "Anna", ""), "members")


def test_names_of_earlier_versions_stay_and_no_more_are_added() -> None:
    old = ("Anna", "Аnna")
    check_lookalikes((*old, "Carl"), "members", known=old)

    with pytest.raises(RuleError):
        check_lookalikes((*old, "Αnna"), "members", known=old)


def test_a_skeleton_keeps_accents_and_other_scripts() -> None:
    assert skeleton("Ñandú 王") == "Ñandú 王"
