"""Luxembourgish: the n that a word loses before most consonants (*Eifeler Regel*)."""

import re

from scorekeeper.i18n import catalogue, language

SHORT = "an den deen een en hunn kann keen jiddereen schonn vun wann dann ginn sinn"
"""Words that lose their n before most consonants."""
MISSING = re.compile(r"\b(?:dee|ee|hu|ka|kee|jidderee|scho|vu|wa|gi) (?=[aeiouäëéöüdhntz])", re.I)
KEPT = re.compile(rf"\b(?:{SHORT.replace(' ', '|')}) (?!s (?:d|e))(?=[bcfgjklmpqrsvwxy])", re.I)
"""A word without its n before a letter that keeps it, and the reverse; not *wann s du*."""


def test_luxembourgish_drops_the_n_before_most_consonants() -> None:
    lb = language("lb")

    assert lb.all_of(["Anna", "Bernd"]) == "Anna a Bernd"
    assert lb.all_of(["Bernd", "Anna"]) == "Bernd an Anna"
    assert lb.one_of(["10", "20"]) == "10 oder 20"
    assert lb.one_of(["10", "20", "30"]) == "10, 20 oder 30"
    assert "vu Claire" in lb("E_FIRST_MIN", player="Claire", reached=27, needed=30)
    assert "vun Dieter" in lb("E_FIRST_MIN", player="Dieter", reached=27, needed=30)


NAMES = {
    "Vun": "Anna Élise Ève Åsa Øyvind Óscar Yves Yvette Dieter Hanna Nina Tom Zoé",
    "Vu": "Bernd Čedo Şule Łukasz Yann Yannick Żaneta",
}
"""Names that an n is kept before, and names that it is not; Y is a vowel before a consonant."""


def test_luxembourgish_keeps_the_n_before_names_as_they_are_spoken() -> None:
    lb = language("lb")
    names = {name: word for word, named in NAMES.items() for name in named.split()}

    assert {name: lb("reason.collected", player=name).split()[0] for name in names} == names


def test_luxembourgish_drops_the_n_before_numbers_as_they_are_spoken() -> None:
    """*Vun eelef*, but *vu véierzéng* and *vu véieranzwanzeg*."""
    lb = language("lb")
    kept = {
        number
        for number in (*range(31), 40, 42, 100, 400, 1000, 4000, 14000, 32000)
        if lb("season.of", part=1, whole=number).endswith(f" vun {number}")
    }

    assert kept == {
        *(0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 18, 19, 20, 21, 22, 23, 28, 29, 30),
        *(42, 100, 1000, 32000),
    }


def test_short_luxembourgish_words_follow_the_rule() -> None:
    wrong = [
        (key, found[0])
        for key, forms in catalogue.read_catalogue("lb").items()
        for form in forms
        for found in (MISSING.search(form), KEPT.search(form))
        if found
    ]

    assert wrong == []
