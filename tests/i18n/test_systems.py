"""Finding a rule system by its names, and the order in which systems are offered."""

import pytest

from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wording.systems import (
    MOST_FIRST,
    OTHER_NAMES,
    TERMS,
    is_called,
    offered,
    terms_in_words,
)


@pytest.mark.parametrize(
    "words, system",
    [
        ("Scala", "scala-40"),
        ("scala quaranta", "scala-40"),
        ("SCALA40", "scala-40"),
        ("Remik", "remi-51"),
        ("zoliky", "remi-51"),
        ("Kaluki", "kalooki"),
        ("Kalooki 40", "kalooki"),
        ("rummy 13 cards", "indian-points"),
        ("13 cards rummy", "indian-pool"),
        ("Carioca", "contract-rummy"),
        ("chin chon", "chinchon"),
        ("rauberromme", "robber"),
        ("Robber rummy", "robber"),
        ("Conquian", None),
    ],
)
def test_a_system_is_found_by_the_name_that_people_use(words, system):
    found = [name for name in PRESETS if is_called(name, words)]

    assert system in found if system else not found


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_system_is_found_by_its_name_in_every_language(code):
    lang = language(code)

    assert all(is_called(name, lang.preset(name)) for name in PRESETS)
    assert OTHER_NAMES.keys() == PRESETS.keys()


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_was_played_comes_first_then_what_is_usual_in_the_language(code):
    lang = language(code)
    offer = offered(lang, ("scala-40", "chinchon", "scala-40"))

    assert offer.first[:3] == ["scala-40", "chinchon", lang.usual_presets[0]]
    assert len(offer.first) == MOST_FIRST
    assert sorted([*offer.first, *offer.others]) == sorted(PRESETS)
    assert not offer.finds_other


def test_a_search_unfolds_the_others_only_if_it_finds_one_there():
    de = language("de")

    assert offered(de, (), "Remik").finds_other
    assert not offered(de, ("remi-51",), "Remik").finds_other
    assert not offered(de, (), "Conquian").found


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_of_the_home_of_a_game_stand_beside_those_of_the_reader(code):
    lang = language(code)

    assert f"{lang('term.first_lay')} (apertura)" in terms_in_words("scala-40", lang)
    assert f"{lang('term.draw')} (dobranie)" in terms_in_words("remi-51", lang)
    assert not terms_in_words("german-family", lang)
    assert TERMS.keys() < PRESETS.keys()
