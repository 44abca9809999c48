"""Keys that nothing uses are found, also where keys are joined from parts; so is English."""

from pathlib import Path
from shutil import copy, copytree

import pytest

from scorekeeper.i18n import LANGUAGES, catalogue
from scorekeeper.i18n.catalogue import area_path, read_catalogue
from tools import check_catalogues
from tools.check_catalogues import Sources, to_translate, unfinished, untranslated


@pytest.fixture(scope="module")
def sources() -> Sources:
    return Sources()


@pytest.mark.parametrize(
    "key",
    [
        "pages.share",
        "option.deck.jokers",
        "play.joker.swap.others",
        "reason.hand.cards",
        "terminal.check.chain.bad",
        "pages.entry.hint.ranks.fr",
        "E_FORM.no_winner",
    ],
)
def test_a_key_in_use_is_recognised(sources: Sources, key: str) -> None:
    assert sources.use(key)


@pytest.mark.parametrize(
    "key", ["pages.season.clubs", "option.deck.clubs", "reason.hand.clubs", "E_FORM.no_clubs"]
)
def test_a_key_that_nothing_uses_is_recognised(sources: Sources, key: str) -> None:
    assert not sources.use(key)


# ---- what is not translated yet ------------------------------------------------------


def test_a_copy_of_the_english_sentences_is_no_translation() -> None:
    english = read_catalogue("en")
    begun = {**english, "pages.board.void": ("Nessun punto: il tallone è finito",)}

    assert len(untranslated(english)) > 2000
    assert {*untranslated(english)} - {*untranslated(begun)} == {"pages.board.void"}
    assert untranslated({}) == untranslated(english)


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_language_that_is_offered_has_english_sentences(code: str) -> None:
    assert code == "en" or untranslated(read_catalogue(code)) == []


def test_a_language_that_is_not_offered_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copytree(area_path("en", "pages").parents[1], tmp_path / "i18n")
    (tmp_path / "i18n" / "it").mkdir()
    copy(area_path("en", "rules"), tmp_path / "i18n" / "it")
    for module in (catalogue, check_catalogues):
        monkeypatch.setattr(
            module, "area_path", lambda code, area: tmp_path / "i18n" / code / f"{area}.po"
        )

    count = len(to_translate())
    assert [*unfinished()] == [f"it: {count} of {count} sentences to translate; not offered yet"]
