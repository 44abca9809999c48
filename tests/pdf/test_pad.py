"""Blank score pads."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reportlab.lib.units import mm

from bars import tries
from pdf.layout_checks import LETTERS, assert_inert, assert_no_overlap, hostile_names
from pdf.paper import Print, rules_of
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf import PAD_SIZES, PADS_PER_PAPER, blank_pad

TEAMS = rules_of("gin-palast", teams=True)


def pad(rules: RuleSet, names: list[str], code: str = "de", size: str = "A5", **more: int) -> Print:
    return Print(blank_pad(rules, language(code), names, size=size, **more))


def assert_tidy(paper: Print) -> None:
    """Nothing overlaps, and nothing lies near an edge or a cut."""
    for page in range(len(paper.reader.pages)):
        wide, high = map(float, paper.reader.pages[page].mediabox[2:])
        for box in assert_no_overlap(paper, page):
            assert 5 * mm < box.left and box.right < wide - 5 * mm, box
            assert 4 * mm < box.bottom and box.top < high - 5 * mm, box


@pytest.mark.long
@settings(max_examples=60)
@given(
    st.sampled_from([*PRESETS.values(), TEAMS]),
    st.integers(2, 6),
    st.text(LETTERS + " ", max_size=40),
    st.sampled_from(PAD_SIZES),
    st.sampled_from(PADS_PER_PAPER),
    st.sampled_from(LANGUAGES),
)
def test_nothing_on_a_pad_overlaps_or_is_cut_off(
    rules: RuleSet, players: int, name: str, size: str, up: int, code: str
) -> None:
    sides = 2 if rules.family == "gin" else players
    number = language(code)("paper.number")
    assume(number not in name)
    paper = pad(rules, [name] * sides, code, size=size, up=up)

    assert_tidy(paper)
    assert paper.text.count(number) == up


@pytest.mark.parametrize("size", PAD_SIZES)
@pytest.mark.parametrize("preset", ["german-family", "luxembourg", "knock-rummy", "rummy-500"])
def test_long_names_fit_on_a_pad(preset: str, size: str) -> None:
    names = [f"Maximiliane-Alexandra von und zu Hohenstein {n}" for n in range(6)]

    assert_tidy(pad(rules_of(preset), names, size=size))
    assert_tidy(pad(TEAMS, names[:2], size=size))


@pytest.mark.parametrize(
    ("size", "up", "millimetres"),
    [
        ("A6", 1, (105, 148)),
        ("A6", 2, (210, 148)),
        ("A6", 4, (210, 297)),
        ("A5", 1, (148, 210)),
        ("A5", 2, (297, 210)),
        ("A4", 1, (210, 297)),
        ("A4", 2, (420, 297)),
    ],
)
def test_pages_share_the_paper_that_is_cut_into_them(
    size: str, up: int, millimetres: tuple[int, int]
) -> None:
    paper = pad(rules_of("german-family"), [""] * 4, size=size, up=up)

    assert tuple(round(float(n) / mm) for n in paper.reader.pages[0].mediabox[2:]) == millimetres


def test_the_bottom_of_a_pad_lists_the_card_values_of_its_rules() -> None:
    family = pad(rules_of("german-family", joker__hand_value=50), [""] * 4).text
    wild = pad(rules_of("american-continental"), [""] * 3).text

    assert "2–10 B D K Ass Joker Auslegen Handrommé" in family
    assert "die Zahl 10 11 50 ab 40 × 2" in family
    assert "3–10 B D K Ass 2 Rest" in wild


def test_the_rows_below_the_rounds_follow_the_rule_system() -> None:
    assert (
        "Saldo = Punkte aller − 4 × die eigenen." in pad(rules_of("german-family"), [""] * 4).text
    )
    assert "Saldo = 3 × die eigenen Punkte − alle." in pad(rules_of("luxembourg"), [""] * 3).text
    assert "Bilanz" in pad(rules_of("knock-rummy"), [""] * 4).text
    assert "Betrag" not in pad(rules_of("robber", settle__mode="none"), [""] * 4).text


def test_gin_has_boxes_to_tick_and_a_tally_of_boxes() -> None:
    paper = pad(rules_of("gin-palast"), ["Anna", "Bernd"], size="A4").text

    assert "Nr. Deadwood K G U Stand Deadwood K G U Stand" in paper
    assert "Boxen" in paper
    assert "Undercut Box" in paper and "+20 +10" in paper
    assert "Boxen" not in pad(rules_of("gin-palast", end__points=50), ["", ""]).text.split("DW")[0]


@pytest.mark.parametrize("size", PAD_SIZES)
def test_a_pad_for_hollywood_has_three_games_with_their_reckoning(size: str) -> None:
    paper = pad(rules_of("gin-american", gin__hollywood=True), ["Al", "Bo"], size=size)

    assert_tidy(paper)
    assert "Spiel 1 Spiel 2 Spiel 3 Nr. Al Bo Al Bo Al Bo" in paper.text
    for row in ("Boxen", "Punkte", "Spiel gewonnen", "Boxen zu 25", "Schneider", "Zusammen"):
        assert row in paper.text


def test_the_values_are_those_of_the_cards_in_play() -> None:
    assert "2–9 10 B D K Ass Joker" in pad(rules_of("shanghai"), [""] * 4).text
    assert "2–7 B D K Ass" in pad(rules_of("chinchon"), [""] * 3).text
    assert "Ass ♣♠ Ass ♥♦ Joker" in pad(rules_of("kalooki-jamaica"), [""] * 3).text


def test_each_partner_of_a_team_has_a_deadwood_column() -> None:
    paper = pad(TEAMS, ["Anna + Claire", "Bernd + Dieter"], size="A4").text

    assert "Deadwood Deadwood K G U Stand Deadwood Deadwood K G U Stand" in paper
    assert "+10 +30" in paper


def test_names_are_printed_or_left_blank() -> None:
    paper = pad(rules_of("german-family"), ["Anna", "", "Claire"]).text

    assert "Anna Claire Nr. Runde Stand" in paper


def test_a_pad_has_the_requested_number_of_sheets() -> None:
    assert len(pad(rules_of("robber"), [""] * 5, pages=20).reader.pages) == 20


def test_equal_pads_give_equal_bytes_in_small_files() -> None:
    one, other = (pad(rules_of("robber"), ["Anna", ""], size="A6", up=4).data for _ in range(2))

    assert one == other
    assert len(one) < 60_000


@pytest.mark.bar("P1")
@pytest.mark.parametrize("name", hostile_names(tries("P1") // 5))
def test_a_hostile_name_is_printed_as_plain_text_on_a_pad(name: str) -> None:
    assert_inert(pad(rules_of("german-family"), [name, name], size="A4"))


def test_the_metadata_of_a_pad_names_its_title_and_language() -> None:
    paper = pad(rules_of("wiener"), [""] * 3, "en")
    about = paper.reader.metadata

    assert about is not None
    assert (about.title, about.author) == ("Rommé: Viennese Rommé", "scorekeeper")
    assert paper.reader.root_object["/Lang"] == "en"
