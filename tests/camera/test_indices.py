"""From maps to indices, and from indices to upright patches."""

from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.camera import indices
from scorekeeper.camera.indices import MOST_PIXELS, Index, View


def maps(*places: tuple[int, int], heat: float = 4.0) -> np.ndarray:
    values = np.zeros((6, 32, 48), np.float32)
    values[0] = -6
    for row, column in places:
        values[0, row, column] = heat
        values[0, row, column + 1] = heat - 2
        values[1:, row, column] = (0, -1, np.log(0.5), 1, 2)
    return values


def test_a_hot_place_is_an_index():
    (index,) = indices.peaks(maps((10, 20)))

    assert 82 <= index.place[0] <= 84  # between the hot cell and its warm neighbour
    assert index.place[1] == pytest.approx(42)
    assert index.up == pytest.approx([0, -1])
    assert index.size == pytest.approx(16)
    assert index.middle == pytest.approx([82 + 64, 42 + 128])


def test_two_hot_places_within_one_index_are_one():
    assert len(indices.distinct(indices.peaks(maps((10, 20), (10, 22))))) == 2
    assert len(indices.distinct(indices.peaks(maps((10, 20), (11, 20))))) == 1


@pytest.mark.parametrize(
    ("way", "count"), [((12, 0), 1), ((20, 0), 2), ((0, 38), 1), ((0, 45), 2), ((10, 30), 1)]
)
def test_an_index_close_beside_another_one_is_of_another_card(way, count):
    # They are 60 pixels high. One found twice is rather found above and below its middle.
    both = found(60, (300, 300), (300 + way[0], 300 + way[1]))

    assert len(indices.distinct(both)) == count


def test_the_hottest_of_indices_in_one_place_counts():
    (cool,), (hot,) = indices.peaks(maps((10, 20), heat=2)), indices.peaks(maps((10, 20), heat=5))

    assert indices.distinct([cool, hot]) == [hot]


def test_an_index_that_is_small_in_its_view_counts_less():
    (small,) = indices.peaks(maps((10, 20), heat=5))
    (large,) = (replace(index, seen=60.0) for index in indices.peaks(maps((10, 20), heat=2)))

    assert small.scaled(2).seen == small.size < indices.SMALL
    assert indices.distinct([small, large]) == [large]


def test_a_lukewarm_place_is_none():
    assert indices.peaks(maps((10, 20), heat=-1)) == []


def found(size: float, *places: tuple[int, int]) -> list[Index]:
    up = np.array([0.0, -1.0])
    return [Index(np.array(place, float), up, size, np.array(place), 1.0) for place in places]


def test_a_picture_with_large_indices_is_seen_again_in_half_the_size():
    first = indices.first_view(np.zeros((1200, 1600, 3)))

    assert first == View(0, 0, 1600, 1200, pytest.approx(1600 / 1152))
    (second,) = indices.more_views(first, found(80, (300, 300), (500, 300)))
    assert second == View(0, 0, 1600, 1200, pytest.approx(2 * first.factor))


def test_without_indices_a_picture_is_seen_again_in_half_the_size():
    first = indices.first_view(np.zeros((768, 1024, 3)))

    assert indices.more_views(first, []) == [View(0, 0, 1024, 768, pytest.approx(1024 / 576))]


def test_a_small_picture_is_seen_once():
    assert indices.more_views(indices.first_view(np.zeros((400, 500, 3))), found(40, (9, 9))) == []


def test_small_indices_close_together_are_enlarged():
    first = indices.first_view(np.zeros((768, 1024, 3)))

    (second,) = indices.more_views(first, found(20, (300, 200), (500, 300)))

    assert second == View(200, 100, 600, 400, pytest.approx(1 / 1.7))


def test_small_indices_all_over_a_picture_are_seen_in_two_parts():
    first = indices.first_view(np.zeros((1200, 1600, 3)))

    left, right = indices.more_views(first, found(30, (50, 40), (1550, 1100)))

    assert (left.left, right.right, left.right - right.left) == (0, 1600, 60)
    for part in (left, right):
        assert part.factor < first.factor
        width, height = part.right - part.left, part.bottom - part.top
        assert width * height / part.factor**2 < 1.1 * MOST_PIXELS


def test_the_number_of_indices_is_limited():
    values = np.full((6, 160, 160), 9.0, np.float32)

    assert len(indices.peaks(values)) <= indices.MOST


@pytest.mark.parametrize("shape", [(1, 1), (16, 32), (767, 1023)])
def test_the_sides_of_the_input_are_multiples(shape):
    batch = indices.padded(np.zeros((*shape, 3), np.uint8))

    assert batch.shape[0] == 1
    assert all(side % indices.BLOCK == 0 for side in batch.shape[2:])
    assert batch.min() == -0.5


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("scale", [1, 2, 4])
def test_a_patch_is_upright_and_of_one_size(turn, scale):
    picture = np.zeros((320 * scale, 320 * scale, 3), np.uint8)
    top = slice(120 * scale, 160 * scale)
    picture[top, 140 * scale : 180 * scale] = 255  # light above, dark below
    picture = np.rot90(picture, turn).copy()
    up = [(0, -1), (-1, 0), (0, 1), (1, 0)][turn]
    middle = np.full(2, 160.0 * scale - 0.5)

    index = Index(middle, np.array(up, float), 40.0 * scale, middle, 1)
    (patch,) = indices.patches(picture, [index])

    assert patch.shape == (3, 56, 40)
    assert patch[:, 10:24].mean() > 0.4
    assert patch[:, 32:].mean() < -0.4


def test_a_patch_at_the_edge_repeats_the_edge():
    picture = np.full((50, 50, 3), 200, np.uint8)
    index = Index(np.zeros(2), np.array([0.0, -1.0]), 60.0, np.zeros(2), 1)

    assert np.ptp(indices.patches(picture, [index])) < 0.01
