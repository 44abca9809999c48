"""The scenes for training and for measuring: what is drawn, and how results are counted.

The tests that draw need OpenCV, which ``make cards-model`` installs.
"""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scorekeeper.camera.cards import NAMES, RANKS, Seen
from tools.cardvision import assets, counting, designs, glyphs
from tools.cardvision.arrangements import LAYOUTS

FONTS = Path(__file__).parents[2] / "scorekeeper" / "pdf" / "fonts"
PRINTS = [assets.font(FONTS, "DejaVuSansCondensed", 20)]


@pytest.fixture
def deck_with(monkeypatch):
    """Draws some cards with the fonts of the package, of a design with some changes."""
    faces = pytest.importorskip("tools.cardvision.faces", exc_type=ImportError)
    for name in ("FONTS", "SUIT_FONTS"):
        names = assets.FONTS if name == "FONTS" else assets.SUIT_FONTS
        ours = "DejaVuSansCondensed-Bold" if name == "FONTS" else ["DejaVuSansCondensed"]
        monkeypatch.setattr(designs, name, dict.fromkeys(names, ours))

    def some(names=("AS", "JK1"), **changes):
        design = replace(designs.design("test", 3), **changes)
        return {name: faces.draw(design, name, FONTS, Path("never read")) for name in names}

    return some


@pytest.fixture
def deck(deck_with):
    """A whole deck."""
    return deck_with([*NAMES, "JK1", "JK2"])


def test_no_font_is_used_in_two_splits():
    for fonts in (assets.FONTS, assets.SUIT_FONTS, assets.WRITING):
        assert set(fonts) == set(designs.SPLITS)
        used = [set(names.split() if isinstance(names, str) else names) for names in fonts.values()]
        assert all(not (a & b) for a, b in combinations(used, 2))


@pytest.mark.parametrize("families", [designs.JOKERS, glyphs.PENS])
def test_no_family_of_jokers_or_glyphs_is_in_two_splits(families):
    assert set(families) == set(designs.SPLITS)
    assert all(not (set(a) & set(b)) for a, b in combinations(families.values(), 2))


def test_no_kind_of_joker_is_in_two_families():
    kinds = [kind for of in designs.JOKERS.values() for kinds in of.values() for kind in kinds]

    assert len(kinds) == len(set(kinds)) >= 40
    for split in designs.SPLITS:
        made = [designs.design(split, number) for number in range(400)]
        assert {one.joker_family for one in made} == set(designs.JOKERS[split])
        assert all(one.joker in designs.JOKERS[split][one.joker_family] for one in made)
        assert {one.pen for one in made} == {None, *glyphs.PENS[split]}


def test_every_joker_says_something_and_fits_its_card():
    jokers = pytest.importorskip("tools.cardvision.jokers", exc_type=ImportError)
    suit = Image.new("L", (60, 60), 255)
    for split, families in designs.JOKERS.items():
        for number, kind in enumerate(kind for kinds in families.values() for kind in kinds):
            made = replace(
                designs.design(split, number), joker=kind, font="DejaVuSansCondensed-Bold"
            )
            shape = np.asarray(jokers.index(made, 900, suit, FONTS))
            height, width = shape.shape
            widest = jokers.WIDEST_ACROSS if kind.startswith("^") else jokers.WIDEST
            assert height <= 0.4 * 900 + 1, kind
            assert width <= widest * 900 / made.aspect + 1, kind
            assert 0.05 < (shape > 127).mean() < 0.98, kind


@pytest.mark.parametrize("split", designs.SPLITS)
def test_ranks_are_drawn_by_strokes_that_differ_between_decks(split):
    for family in glyphs.PENS[split]:
        for text in ("10", "9", "A", "V"):
            one, same, other = (
                np.asarray(glyphs.word(split, family, seed, text, 60)) for seed in (1, 1, 2)
            )
            assert one.shape[0] == 60
            assert np.array_equal(one, same)
            assert not np.array_equal(one, other), text
            assert 0.1 < (one > 127).mean() < 0.95, text


def test_every_character_of_a_rank_has_a_skeleton():
    characters = {c for rank in RANKS for c in rank}
    for letters in designs.LETTERS.values():
        characters |= set(letters.values())

    for character in characters:
        for seed in range(8):
            points = np.concatenate(glyphs.skeleton(character, seed))
            assert np.ptp(points[:, 1]) == pytest.approx(1, abs=0.2), character


def test_the_heading_of_a_joker_across_the_top_is_an_index(deck_with):
    faces = deck_with(joker="^JOKER:.6", corners=4)
    upper, lower = faces["JK1"].indices

    height, width = faces["JK1"].pixels.shape[:2]
    assert upper.centre[0] == lower.centre[0] == pytest.approx(width / 2)
    assert (upper.upright, lower.upright) == (True, False)
    assert upper.centre[1] < 0.25 * height
    assert len(faces["AS"].indices) == 4


def test_some_decks_have_bright_print_on_black(deck_with):
    made = [designs.design("train", number) for number in range(300)]
    black = [design for design in made if design.inverted]

    assert 15 < len(black) < 50
    assert all(max(one.paper) < 60 and min(one.colours["S"]) > 150 for one in black)


def test_a_deck_of_many_designs_has_cards_of_one_shape(monkeypatch):
    faces = pytest.importorskip("tools.cardvision.faces", exc_type=ImportError)
    drawn = {}
    monkeypatch.setattr(faces, "draw", lambda design, name, *_: drawn.setdefault(name, design))
    faces.mixed("train", 0, FONTS, FONTS)

    assert len(drawn) == 62
    assert len({design.seed for design in drawn.values()}) == 62
    assert len({design.aspect for design in drawn.values()}) == 1
    assert len({design.joker for name, design in drawn.items() if name.startswith("JK")}) > 4


def test_no_design_is_in_two_splits():
    made = [designs.design(split, number) for split in designs.SPLITS for number in range(50)]

    assert len({design.seed for design in made}) == len(made)
    assert made == [
        designs.design(split, number) for split in designs.SPLITS for number in range(50)
    ]


@pytest.mark.parametrize("kind", LAYOUTS)
def test_layouts_stay_within_what_a_hand_or_a_table_holds(kind):
    for seed in range(50):
        layout = LAYOUTS[kind](np.random.default_rng(seed), 1.5)
        assert 1 <= len(layout) <= 30


def test_a_deck_has_all_cards_and_each_card_its_indices(deck):
    assert set(deck) == {*NAMES, "JK1", "JK2"}
    for face in deck.values():
        assert len(face.indices) in (2, 4)
        for index in face.indices:
            x, y = (round(v) for v in index.centre)
            half = round(index.size / 2)
            around = face.pixels[y - half : y + half, max(0, x - half // 2) : x + half // 2, :3]
            assert around.min() < 128, f"nothing is drawn in a corner of {face.name}"


def test_a_scene_follows_from_its_seed_and_names_what_it_shows(deck):
    scenes = pytest.importorskip("tools.cardvision.scenes", exc_type=ImportError)
    first, again = (
        scenes.compose(np.random.default_rng(5), deck, (640, 480), PRINTS, "apart")
        for _ in range(2)
    )

    assert np.array_equal(first.pixels, again.pixels)
    assert first.pixels.shape == (480, 640, 3)
    assert json.dumps(first.facts()) == json.dumps(again.facts())
    clear = {label.card for label in first.labels if label.visible > 0.9}
    assert clear == {label.card for label in first.labels}, "cards apart are seen whole"
    for label in first.labels:
        assert np.hypot(*label.up) == pytest.approx(1, abs=0.01)
        towards = np.array(label.middle) - label.centre
        assert towards @ label.up < 0, "the middle of a card is below its index"


def test_covered_cards_are_labelled_as_covered(deck):
    scenes = pytest.importorskip("tools.cardvision.scenes", exc_type=ImportError)
    scene = scenes.compose(np.random.default_rng(5), deck, (640, 480), PRINTS, "fan")

    cards = {label.card for label in scene.labels}
    whole = [label for label in scene.labels if label.visible > 0.9]
    assert len(cards) >= 5
    assert len(whole) < 2 * len(cards), "of most cards in a fan one index is covered"


# ---- counting --------------------------------------------------------------------------


def label(card: int, name: str, x: float, visible: float = 1.0) -> dict[str, object]:
    place = {"centre": (x, 50.0), "up": (0.0, -1.0), "middle": (x + 30, 100.0)}
    return {"card": card, "name": name, "size": 20.0, "visible": visible, **place}


def seen(name: str, x: float, sure: float = 0.99) -> Seen:
    nowhere = np.zeros(2)
    place, box = (x / 1000, 0.5), (0.0, 0.0, 0.0, 0.0)
    return Seen(name, sure, (name, "2S"), place, box, nowhere, nowhere, nowhere, 100.0)


def outcome(labels: list[dict[str, object]], cards: list[Seen]):
    facts = {"labels": labels, "kind": "apart", "light": "normal", "letters": "german"}
    return counting.judge(facts, cards, (1000, 100))


def test_cards_are_right_misread_missed_or_invented():
    labels = [label(0, "7H", 100), label(1, "8H", 200), label(2, "JK1", 300), label(3, "9H", 400)]
    cards = [
        seen("7H", 105),
        seen("6H", 200, 0.4),
        seen("JK", 300),
        seen("QS", 600),
        seen("7H", 95),
    ]
    result = outcome(labels, cards)
    line = counting.line("all", [result], 0.5)

    assert (line.cards, line.right, line.wrong) == (4, 2, 1)
    assert line.invented == 2, "one where there is nothing, and one card twice"
    assert (line.asked, line.wrong_unasked, line.invented_unasked) == (1, 0, 2)


def test_cards_that_hardly_show_are_neither_missed_nor_invented():
    labels = [label(0, "7H", 100, 0.2), label(1, "8H", 200, 0.5)]
    result = outcome(labels, [seen("7H", 100)])

    assert (result.clear, result.partly, result.invented) == (set(), {1}, [])


def test_identical_cards_count_if_both_are_found():
    one = outcome([label(0, "7H", 100), label(1, "7H", 200)], [seen("7H", 100)])
    both = outcome([label(0, "7H", 100), label(1, "7H", 200)], [seen("7H", 100), seen("7H", 200)])

    assert counting.twin_share([one, both]) == (1, 2)


def test_confusions_name_what_a_rank_was_read_as():
    labels = [label(0, "3H", 100), label(1, "3S", 200), label(2, "3C", 300), label(3, "JK1", 400)]
    result = outcome(labels, [seen("3H", 100), seen("5S", 200), seen("JK", 400)])
    result.facts["glyphs"] = "slab"

    assert counting.confusions([result]) == {"slab": {"3": {"3": 1, "5": 1, "missed": 1}}}
    assert "| 3 |  |  | 1 |  | 1 |" in counting.matrix(counting.confusions([result])["slab"])


def test_cards_near_the_camera_are_those_with_a_large_index():
    large = {**label(1, "8H", 300), "size": 120.0}
    result = outcome([label(0, "7H", 100), large], [seen("8H", 300)])

    assert counting.close(result) == {1}


def test_the_threshold_leaves_few_errors_unasked():
    labels = [label(n, "7H", 100 * n) for n in range(9)]
    cards = [seen("7H", 100 * n, 0.99 - n / 100) for n in range(8)] + [seen("8H", 800, 0.5)]
    result = outcome(labels, cards)

    assert 0.5 < counting.threshold([result], 0.1) <= 0.92
