"""Luxembourgish: the n that a word loses before most consonants (*Eifeler Regel*)."""

import re
from collections.abc import Set

import pytest

from scorekeeper.i18n import LANGUAGES, catalogue, elision, language

NEXT = re.compile(r"(\w+) (?=(\{\w+\}|[^\W_]\w*))")
"""A word, and the word or placeholder after it; before other signs every n stays."""
STAYS = re.compile(
    r".*ioun|ecran|gin|iban|maschinn|option|persoun|synchron|telefon|veräin|wlan|zäitzon"
    r"|enn|grënn|hänn|kolonn|nenn|ronn|stonn|tëschestänn|urkonn"
)
"""Words that never lose their n: stressed foreign endings, and those that once ended in nd."""
WHOLE = {"code", "fro", "kopie", "nei", "partie", "si", "so", "ufro", "uso", "victoire"}
"""Words that have no n to lose, although a word with one more n is in the catalogues."""
PRONOUN = re.compile(r"(?<=\bs )de\b|(?<=\bkanns )de\b|(?<=\bob )e\b|(?<=\bwat )e\b")
"""*You* and *he*, which look like *den* and *en* without their n."""
PATHS = {"{file}", "{folder}"}
"""Placeholders before which every n stays: a path begins with a sign."""
EXEMPT = {
    *("home.players.exactly", "home.players.between", "home.players.teams"),  # "zu véier"
    "paper.pad.letters",  # "U Undercut"
}
"""Sentences that the rule does not see through."""
DOUBLE = re.compile(r"\b(?:hu|ka|gi|si|sti|di|da|wa|scho)\(n\)", re.I)
"""Words that end in nn: a letter that depends on the next word is one n only."""


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


def test_luxembourgish_words_follow_the_rule() -> None:
    catalog = catalogue.read_catalogue("lb")
    said = " ".join(form for forms in catalog.values() for form in forms)
    known = set(re.findall(r"\w+", said.lower()))

    wrong = [
        (key, word, following)
        for key, forms in catalog.items()
        for form in forms
        for word, following in NEXT.findall(PRONOUN.sub("", form))
        if is_wrong(word.lower(), following, known)
        if following not in PATHS and key not in EXEMPT
    ]

    assert wrong == []


def is_wrong(word: str, following: str, known: Set[str]) -> bool:
    """Return whether a word keeps or lacks its n before the next one.

    Before a placeholder it may do neither: there, ``(n)`` keeps the n of ``vu(n) {player}``.
    """
    if word.endswith("n") and not STAYS.fullmatch(word):
        return following != "s" and not elision.eifel_n(following)  # "wann s du" keeps it
    whole = {f"{word}n", f"{word}nn", f"{word.removesuffix('ë')}en"} & known
    lacks = word not in WHOLE and word.endswith(tuple("aeiouëé")) and bool(whole)
    return lacks and (following[0] == "{" or bool(elision.eifel_n(following)))


def test_no_word_with_two_n_has_one_that_depends_on_the_next_word() -> None:
    catalog = catalogue.read_catalogue("lb")

    assert [key for key, forms in catalog.items() if any(map(DOUBLE.search, forms))] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_of_the_shell_have_no_letter_that_depends_on_the_next_word(code: str) -> None:
    """Its script fills in numbers without the rules of a language (``browser/words.js``)."""
    words = catalogue.read_area(code, "browser").items()
    said = {key: " ".join(forms) for key, forms in words if key.startswith("browser.")}

    assert said
    assert not [key for key, form in said.items() if re.search(r"\([ne]\)", form)]
