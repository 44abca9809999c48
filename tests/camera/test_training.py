"""The scenes for training and for measuring: what is drawn, and how results are counted.

The tests that draw need OpenCV, which ``make cards-model`` installs.
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from scorekeeper.camera.cards import NAMES, Seen
from tools.cardvision import assets, counting, designs
from tools.cardvision.arrangements import LAYOUTS

FONTS = Path(__file__).parents[2] / "scorekeeper" / "pdf" / "fonts"
PRINTS = [assets.font(FONTS, "DejaVuSansCondensed", 20)]


@pytest.fixture
def deck(monkeypatch):
    """A deck drawn with the fonts of the package."""
    faces = pytest.importorskip("tools.cardvision.faces", exc_type=ImportError)
    for name in ("FONTS", "SUIT_FONTS"):
        names = assets.FONTS if name == "FONTS" else assets.SUIT_FONTS
        ours = "DejaVuSansCondensed-Bold" if name == "FONTS" else ["DejaVuSansCondensed"]
        monkeypatch.setattr(designs, name, dict.fromkeys(names, ours))
    return faces.deck(designs.design("test", 3), FONTS, Path("never read"))


def test_no_font_is_used_in_two_splits():
    for fonts in (assets.FONTS, assets.SUIT_FONTS, assets.WRITING):
        assert set(fonts) == set(designs.SPLITS)
        used = [set(names.split() if isinstance(names, str) else names) for names in fonts.values()]
        assert all(not (a & b) for a, b in combinations(used, 2))


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


def test_the_threshold_leaves_few_errors_unasked():
    labels = [label(n, "7H", 100 * n) for n in range(9)]
    cards = [seen("7H", 100 * n, 0.99 - n / 100) for n in range(8)] + [seen("8H", 800, 0.5)]
    result = outcome(labels, cards)

    assert 0.5 < counting.threshold([result], 0.1) <= 0.92
