"""French: its signs and spaces, elision, numbers and dates."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import scorekeeper
from scorekeeper.domain.cards import notation
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import Language, catalogue, language
from scorekeeper.wording.systems import terms_in_words

THIN = "\u202f"
SPACED = re.compile(rf"(?<![{THIN}])[;!?»]|(?<![{THIN}\d])[:%]|«(?!{THIN})|'| {THIN}|{THIN} ")
"""A sign without its narrow no-break space, or an apostrophe that is not one."""
PLAIN = re.compile(
    r"Hirschn!|https?:|:\d+|\{host\}:|Date;[^»)]*|\.\.\.\)|«\\?\"|\\\"", re.IGNORECASE
)
"""Names, addresses and examples to type, which have none."""
NAMES_OF_PEOPLE = {
    *("player", "players", "payer", "payee", "holder", "before", "dealer"),
    *("name", "names", "other", "better"),
}
ELIDED = re.compile(rf"\b(?:[dlnsDLNS]e|la|que|Que|si) \{{(?:{'|'.join(NAMES_OF_PEOPLE)})\}}")


@pytest.fixture
def fr() -> Language:
    return language("fr")


def french_sentences() -> Iterator[tuple[str, str]]:
    """Yield every French sentence with its key."""
    for key, forms in catalogue.read_catalogue("fr").items():
        yield from ((key, form) for form in forms)


def test_french_signs_have_their_narrow_space_and_apostrophes_their_form() -> None:
    wrong = [key for key, said in french_sentences() if SPACED.search(PLAIN.sub("", said))]

    assert wrong == []


def test_french_never_puts_a_whole_de_or_que_before_a_name() -> None:
    wrong = [key for key, said in french_sentences() if ELIDED.search(said)]

    assert wrong == []


def test_french_elides_before_vowels(fr: Language) -> None:
    facts = {"reached": 27, "needed": 30}

    assert "pose d\u2019Anna fait" in fr("E_FIRST_MIN", player="Anna", **facts)
    assert "pose d\u2019Élise fait" in fr("E_FIRST_MIN", player="Élise", **facts)
    assert "pose de Bernd fait" in fr("E_FIRST_MIN", player="Bernd", **facts)
    assert fr("reason.collected", player="Odile") == "D\u2019Odile"


OF_A_CARD = re.compile(r"\{cards?\}\W+(?:(?:est|sont|a été|ont été) )?\w+(?:é|i[st]|u|ert)s?\b")
"""A participle that would have to agree with *dame* as with *roi*."""


def test_no_french_participle_agrees_with_a_card_and_no_sentence_begins_with_it_later() -> None:
    agree = {key for key, said in french_sentences() if OF_A_CARD.search(said)}
    small = {key for key, said in french_sentences() if re.search(r"[.!?…] \{cards?\}", said)}

    assert (agree, small) == (set(), set())


def test_french_semicolons_that_join_parts_have_their_space(fr: Language) -> None:
    plan = fr.plan(preset("contract-rummy").round.plan)
    terms = terms_in_words("chinchon", fr)

    assert plan.count(f"{THIN}; ") == plan.count(";") > 3
    assert terms.count(f"{THIN}; ") == terms.count(";") > 3


def test_no_words_are_joined_by_a_semicolon_without_the_space_of_the_language() -> None:
    package = Path(scorekeeper.__file__).parent
    layers = ("i18n", "wording", "pdf", "cli", "web/pages")
    modules = [path for layer in layers for path in (package / layer).rglob("*.py")]
    joined = re.compile(r"[\"\'}]; *[\"\']\.join|\}; \{|sign\([\"\'],")

    assert len(modules) > 100
    assert [path.name for path in modules if joined.search(path.read_text(encoding="utf-8"))] == []


def test_a_french_singular_also_counts_nothing(fr: Language) -> None:  # 0 is singular
    unnumbered = [
        key
        for key, forms in catalogue.read_catalogue("fr").items()
        if len(forms) > 1 and key not in ALWAYS_SOME
        if catalogue.placeholders(forms[1:]) - catalogue.placeholders(forms[:1])
    ]

    assert unnumbered == []
    assert fr("pages.rounds", n=0) == "0 manche"
    assert fr("maintenance.minutes", n=1) == "il y a 1 minute"


ALWAYS_SOME = {"pages.board.all", "tournament.draw.late"}
"""Sentences that nobody sees without a round, or without a table that is late."""


def test_french_numbers_and_dates_are_written_as_in_french(fr: Language) -> None:
    assert fr.number(-12345) == f"\u221212{THIN}345"
    assert fr.exact(Fraction(2469, 2)) == f"1{THIN}234,5"
    assert fr.tenths(Fraction(1000)) == f"1{THIN}000,0"
    assert fr.cents(Decimal("1234.50")) == f"1{THIN}234,50\u00a0€"
    assert fr.words(999) == "999"
    assert fr.day("2026-06-01") == "1er juin 2026"
    assert fr.date("2026-06-11T12:00:00Z", "full") == "jeudi 11 juin 2026"
    assert fr.all_of(["Anna", "Bernd", "Claire"]) == "Anna, Bernd et Claire"
    assert fr.one_of(["10", "20"]) == "10 ou 20"


def test_the_ambiguous_c_explains_its_two_readings(fr: Language) -> None:
    with pytest.raises(RuleError) as refused:
        notation.read_cards("10C", "auto")

    assert "10 de trèfle en anglais, 10 de cœur en français" in fr.problem(
        refused.value.problems[0]
    )
