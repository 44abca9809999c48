"""The rules card: the rules of a table on one page, with worked examples."""

import random
import re

import pytest

from bars import tries
from pdf.layout_checks import assert_inert, assert_tidy, hostile_names
from pdf.paper import Print, rules_of
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf import rules_card


def card(rules: RuleSet, code: str = "de", title: str = "") -> Print:
    return Print(rules_card(rules, language(code), title=title))


def strange(rules: RuleSet, seed: int) -> RuleSet:
    """Return the rules with as many options changed as are compatible with each other."""
    chance = random.Random(seed)
    names = list(rules.names())
    for name in chance.sample(names, len(names)):
        described = OPTIONS[name].kind.describe()
        values = described.get("enum") or [True, False, 1, 2, 9, 40, "3/7"]
        for value in chance.sample(values, len(values)):  # type: ignore[arg-type]
            try:
                rules = rules.override({name: value})
            except RuleError:
                continue
            break
    return rules


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_rules_card_fits_on_one_page_and_has_sentences(name: str, code: str) -> None:
    paper = card(PRESETS[name], code, "Ein Abend zu viert")

    assert len(paper.reader.pages) == 1
    assert_tidy(paper)
    assert not re.search(r"\w\s?: \d+\.(\s|$)", paper.written)  # a label with a number


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["german-family", "gin-palast", "american-continental"])
def test_any_house_rules_fit_on_one_page(name: str, seed: int) -> None:
    paper = card(strange(PRESETS[name], seed), LANGUAGES[seed % 3])

    assert len(paper.reader.pages) == 1
    assert_tidy(paper)


@pytest.mark.parametrize(
    ("name", "seed", "code"),
    [
        ("scala-40", 104, "de"),
        ("scala-40", 104, "lb"),
        ("remi-51", 105, "fr"),
        ("rummy", 105, "lb"),
    ],
)
def test_house_rules_that_no_usual_letters_fit_are_printed_smaller(
    name: str, seed: int, code: str
) -> None:
    paper = card(strange(PRESETS[name], seed), code)
    (boxes,) = map(paper.boxes, range(len(paper.reader.pages)))

    assert min(box.size for box in boxes) > 8
    assert min(box.bottom for box in boxes) > paper.page_format(0).bottom - 1


def test_house_rules_are_bold_and_the_footer_says_so() -> None:
    usual, own = card(rules_of("robber")), card(rules_of("robber", out__extra_turn=True))

    assert "Fett: an diesem Tisch" not in usual.written
    assert "Nach „Rommé“ hat jeder noch einen Zug." in own.written
    assert "Fett: an diesem Tisch anders als im Regelsystem." in own.written


def test_a_card_says_what_is_played_and_leaves_out_what_is_not() -> None:
    names = "german-family romme-palast wiener luxembourg gin-palast knock-rummy"
    family, palast, wiener, luxembourg, gin, knock = (
        card(PRESETS[name]).written for name in names.split()
    )

    assert "Jeder bekommt 13 Karten. Danach gibt, wer links vom Geber sitzt." in family
    assert "erste" not in luxembourg and "Zuerst gibt" not in gin
    assert "Die Partie endet, wann ihr wollt." in family
    assert "In einer Reihe dürfen höchstens 2 Joker nebeneinander liegen." in palast
    assert "Schluss ist bei mehr als 500 Minuspunkten." in palast
    assert "richtet sich nach der Zahl der Spieler: 10 zu zweit" in luxembourg
    assert "In einem Zug darf man nur eine Meldung auslegen." in luxembourg
    assert "Schluss ist bei 100 Pluspunkten." in luxembourg
    assert "um die Ecke" in family and "um die Ecke" not in palast
    assert "Angelegt wird nicht" not in wiener + knock
    assert "Gewertet wird wie" not in gin + knock


def test_rules_are_numbered_in_the_order_of_reading_and_examples_are_not() -> None:
    words = card(PRESETS["german-family"]).written
    numbered = ["1 Karten und Geben", "2 Melden und Anlegen", "3 Joker", "4 Rommé machen"]
    places = [words.index(heading) for heading in [*numbered, "5 Wertung", "6 Ende und"]]

    assert places == sorted(places)
    assert "7 Beispiele" not in words and "Beispiele: Joker" in words


def test_a_limit_of_the_table_is_one_bold_sentence() -> None:
    own = card(rules_of("romme-palast", end__points=300)).written

    assert own.count("Schluss ist bei mehr als 300 Minuspunkten.") == 1
    assert "Punktgrenze" not in own
    assert "Fett: an diesem Tisch" in own


def test_example_first_melds_follow_the_rules_of_the_table() -> None:  # M16, M17
    family, palast = card(rules_of("german-family")).written, card(rules_of("romme-palast")).written
    lower = card(rules_of("german-family", meld__first_min=30)).written

    assert "♣7 ♥7 ♠7 + ♦5 ♦6 ♦7: 39 Punkte, zu wenig." in family
    assert "♣7 ♥7 ♠7 + ♦6 ♦7 ♦8: 42 Punkte, das reicht." in family
    assert "♣7 ♥7 ♠7 + ♦5 ♦6 ♦7: 21 Punkte, zu wenig." in palast
    assert "♣10 ♥10 ♠10: 30 Punkte, das reicht." in lower


def test_example_jokers_follow_the_rules_of_the_table() -> None:  # M04, M08, M13
    palast = card(rules_of("romme-palast")).written
    wild = card(rules_of("american-continental")).written

    assert "♥B ♥D Joker ♥A gilt als ♥B ♥D ♥K ♥A." in palast
    assert "♥8 ♥9 Joker Joker gilt nicht:" in palast
    assert "♥K ♣9 ♠A Joker auf der Hand: 10 + 9 + 11 + 20 = 50." in palast
    assert "♣9 ♥2 ♣B gilt als ♣9 ♣10 ♣B." in wild
    assert "Joker ♥A gilt" not in card(rules_of("luxembourg")).written


def test_an_example_hand_romme_is_scored_by_the_rules_of_the_table() -> None:  # L02, L04
    assert "B 100 minus, C 30 minus" in card(rules_of("german-family")).written
    assert "B 160 minus, C 30 minus" in card(rules_of("robber", joker__hand_value=50)).written
    assert "A 130 plus, B 100 minus, C 30 minus" in card(rules_of("romme-palast")).written
    off = card(rules_of("german-family", hand_romme__enabled=False)).written
    assert "A macht Rommé." in off and "B 50 minus, C 15 minus" in off


def test_gin_and_knock_show_a_win_a_loss_and_a_full_hand() -> None:  # G01, G03, G05, K01, K04
    gin, knock = card(rules_of("gin-palast")).written, card(rules_of("knock-rummy")).written

    assert "A klopft mit 6, gegen B 24. Geschrieben wird: A 28 plus." in gin
    assert "A klopft mit 8, gegen B 5. Geschrieben wird: B 33 plus." in gin
    assert "A klopft mit 0, gegen B 24. Geschrieben wird: A 59 plus." in gin
    assert "A 22 plus, B 7 minus, C 15 minus." in knock
    assert "A 17 minus, B 32 plus, C 15 minus." in knock


def test_options_that_do_not_apply_are_left_out() -> None:
    assert "Oklahoma" not in card(rules_of("german-family")).written
    assert "Punktgrenze" not in card(rules_of("german-family")).written
    assert "1/10 Pf je Punkt" in card(rules_of("german-family")).written


@pytest.mark.bar("P1")
@pytest.mark.parametrize("name", hostile_names(tries("P1") // 5))
def test_a_hostile_title_is_printed_as_plain_text_on_a_card(name: str) -> None:
    paper = card(rules_of("german-family", settle__unit=name[:12]), title=name)

    assert_inert(paper)
    assert_tidy(paper)
