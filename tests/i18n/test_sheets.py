"""What differs between a typed sheet and the game, and what was left out, in words."""

import pytest

from scorekeeper.i18n import language
from scorekeeper.i18n.sheets import difference_words, left_out_words

CELLS = [("Anna", 20, 25), ("Ben", 1007, None), ("Cara", None, -3)]
ALONE = ("winner", "record")


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("de", "changed", "Runde 2: Anna 20 → 25, Ben 1007 → –, Cara – → −3"),
        ("en", "changed", "Round 2: Anna 20 → 25, Ben 1007 → –, Cara – → −3"),
        ("fr", "changed", "Manche 2 : Anna 20 → 25, Ben 1 007 → –, Cara – → −3"),
        ("lb", "changed", "Ronn 2: Anna 20 → 25, Ben 1007 → –, Cara – → −3"),
        ("en", "new", "Round 2 is new: Anna 25, Ben –, Cara −3"),
        (
            "en",
            "missing",
            "Round 2 is not on the sheet and would be struck out: Anna 20, Ben 1007, Cara –",
        ),
    ],
)
def test_a_round_that_differs_shows_before_and_after_of_everybody(code, kind, words):
    shown = difference_words(2, kind, CELLS, (), language(code))

    assert " ".join(shown.split()) == words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", "Runde 3: Gewinner, Angaben zur Runde"),
        ("en", "Round 3: Winner, facts of the round"),
        ("fr", "Manche 3 : Gagnant, données de la manche"),
        ("lb", "Ronn 3: Gewënner, Informatiounen zur Ronn"),
    ],
)
def test_a_round_may_differ_only_beside_its_points(code, words):
    shown = difference_words(3, "changed", [], ALONE, language(code))

    assert " ".join(shown.split()) == words


def test_a_column_without_a_heading_is_named_by_its_number():
    lang = language("en")

    assert left_out_words("Round", 1, 5, lang) == "Round"
    assert left_out_words("", 1, 5, lang) == "column 5"
    assert left_out_words("Total", 9, None, lang) == "Total (line 9)"
