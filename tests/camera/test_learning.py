"""What the classifier learns from; these tests need what ``make cards-model`` installs."""

import numpy as np
import pytest

from tools.cardvision import designs
from tools.cardvision.designs import JOKER_INDICES, MORE_JOKERS
from tools.cardvision.labels import Label

UPRIGHT = np.array([0.0, -1.0])


@pytest.fixture
def train():
    return pytest.importorskip("tools.cardvision.train", exc_type=ImportError)


@pytest.fixture
def cut(train):
    """A white square on black where an index of 100 pixels is."""
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[190:211, 290:311] = 255
    return train._cut(picture, train._index(np.array([300.0, 200.0]), UPRIGHT, 100.0), (3, 1, 1))


def test_only_decks_for_training_have_rare_jokers():
    kinds = {
        split: {designs.design(split, number).joker for number in range(300)}
        for split in designs.SPLITS
    }

    assert kinds["train"] == {*JOKER_INDICES, *MORE_JOKERS}
    assert kinds["check"] == kinds["test"] == set(JOKER_INDICES)


def test_a_cutting_has_its_index_in_the_middle_however_far_it_is(train, cut):
    shown = train.indices.patches(cut.picture, [cut.place])[0].mean(0)
    rows, columns = np.nonzero(shown > 0)
    assert (rows.mean(), columns.mean()) == pytest.approx((27.5, 19.5), abs=0.6)

    for seed in range(20):
        far = train._farther(np.random.default_rng(seed), cut)
        assert train.SMALLEST - 0.01 < far.place.size < train.LARGEST + 0.01
        shown = train.indices.patches(far.picture, [far.place])[0].mean(0) + 0.5
        rows, columns = np.mgrid[:56, :40]
        middle = (rows * shown).sum() / shown.sum(), (columns * shown).sum() / shown.sum()
        assert middle == pytest.approx((27.5, 19.5), abs=1.5)


def test_a_batch_says_what_its_cuttings_say(train, cut):
    nothing = train.Cutting(cut.picture, cut.place, train.NO_INDEX)
    pictures, ranks, suits, valid = train.patches_of(np.random.default_rng(1), [cut, nothing])

    assert pictures.shape == (2, 3, 56, 40)
    assert (ranks.tolist(), suits.tolist(), valid.tolist()) == ([3, 0], [1, 4], [1, 0])


def test_what_is_nearly_covered_is_no_index_except_beside_one(train):
    covered = Label(0, "7H", (100, 100), (0, -1), 20, 0.1, (130, 150))
    beside = Label(1, "8H", (104, 100), (0, -1), 40, 1.0, (134, 150))
    draws = [np.random.default_rng(seed) for seed in range(9)]

    assert all(train._sliver(rng, covered, [covered]) for rng in draws)
    assert not any(train._sliver(rng, covered, [covered, beside]) for rng in draws)


def test_layers_that_go_deeper_change_nothing_at_first(train):
    from torch import rand

    from tools.cardvision import nets

    values = rand(1, 8, 5, 5)
    layers = nets._Deeper(8, 2).eval()
    assert layers(values).equal(values)
