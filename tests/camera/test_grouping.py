"""Identical cards stay two, however they lie; the indices of one card stay one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laid_cards import HEIGHT, LOWER_RIGHT, WIDTH, Laid, index, showing, whole
from scorekeeper.camera import grouping
from scorekeeper.camera.cards import Reading, grouped
from scorekeeper.camera.indices import Index

CORNERS = pytest.mark.parametrize("corners", [2, 4])


def count(laid: list[Laid], corners: int = 2, *, wrong: float = 0, seed: int = 0) -> int:
    """Return how many cards are seen where these lie, if the detector is wrong by so much."""
    return len(grouped([_wrong(v, wrong, n, seed) for n, v in enumerate(showing(laid, corners))]))


def _wrong(reading: Reading, wrong: float, number: int, seed: int) -> Reading:
    """Return a reading with the guess of the middle of the card off by a share of the way."""
    rng = np.random.default_rng([seed, number])
    old = reading.index
    off = rng.normal(0, wrong, 2) * np.hypot(*(old.middle - old.place))
    new = Index(old.place + off / 10, old.up, old.size, old.middle + off, old.heat)
    return Reading(new, reading.chances, reading.valid)


def row(step: float, cards: int = 2, *, y: float = 0, suit: str = "H") -> list[Laid]:
    """Return cards, each ``step`` widths right of the one before and on it; the last are twins."""
    names = [f"{min(n, cards - 2) + 2}{suit}" for n in range(cards)]
    return [(name, (300 + n * step * WIDTH, 300 + y), 0.0) for n, name in enumerate(names)]


@CORNERS
@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("step", [1.02, 1.08, 1.15, 1.25, 1.4])
def test_identical_cards_side_by_side_are_two(step, flipped, corners):
    left, right = row(step)
    laid = [left, (*right[:2], np.pi * flipped)]

    assert count(laid, corners, wrong=0.1) == 2


@CORNERS
@pytest.mark.parametrize("step", [1.02, 1.08, 1.2, 1.4])
def test_identical_cards_one_below_the_other_are_two(step, corners):
    laid = [("7H", (300, 300 + n * step * HEIGHT), 0.0) for n in range(2)]

    assert count(laid, corners, wrong=0.1) == 2


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("step", [0.2, 0.3, 0.45, 0.6, 0.75])
def test_identical_cards_that_overlap_are_two(step, backwards):
    laid = row(step)

    assert count(laid[::-1] if backwards else laid, wrong=0.1) == 2


@pytest.mark.parametrize("step", [0.25, 0.35, 0.5])
def test_identical_cards_of_which_the_upper_edges_show_are_two(step):
    laid = [("7H", (300, 300 + n * step * HEIGHT), 0.0) for n in range(2)]

    assert count(laid, wrong=0.1) == 2


@pytest.mark.parametrize("angle", [0.1, 0.15, 0.2])
def test_a_fan_has_as_many_cards_as_lie_there(angle):
    turns = [angle * n for n in range(-3, 5)]
    laid = [
        (f"{n // 2 + 2}H", (500 + 180 * np.sin(turn), 500 - 180 * np.cos(turn)), turn)
        for n, turn in enumerate(turns)
    ]

    assert count(laid, wrong=0.1) == len(laid)


@CORNERS
@pytest.mark.parametrize("step", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("gap", [0.06, 0.2, 0.4])
def test_identical_cards_in_rows_stay_apart(gap, step, corners):
    laid = row(step, 6) + row(step, 6, y=HEIGHT * (1 + gap))

    assert count(laid, corners, wrong=0.1) == 12


@CORNERS
@pytest.mark.parametrize("turn", [0, 0.5, 1.6, 3.0])
def test_one_card_is_one_although_the_detector_guesses_badly(turn, corners):
    laid = [(name, (300 + 130 * n, 300), turn) for n, name in enumerate(("7H", "8S", "QD", "AC"))]

    assert count(laid, corners, wrong=0.3) == 4


def rough(reading: Reading, rng: np.random.Generator, nearer: float = 0) -> Reading:
    """Return a reading of a detector that is often wrong, as it is after a short training.

    Cards that lie farther to the right are nearer to the camera, and so look larger.
    """
    old, lean = reading.index, rng.normal(0, 0.1)
    scale = 1 + nearer * old.place[0] / 300
    cosine, sine = np.cos(lean), np.sin(lean)
    turn = np.array([[cosine, -sine], [sine, cosine]])
    way = turn @ (old.middle - old.place) + rng.normal(0, 15, 2)
    size = old.size * scale * float(np.exp(rng.normal(0, 0.08)))
    place = old.place * scale
    new = Index(place, turn @ old.up, size, place + way * scale, old.heat)
    return Reading(new, reading.chances, reading.valid)


def counts(laid: list[Laid], corners: int, nearer: float = 0) -> set[int]:
    """Return how many cards a detector that is often wrong sees, in twenty pictures."""
    seen = set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        readings = [rough(reading, rng, nearer) for reading in showing(laid, corners)]
        seen.add(len(grouped(readings)))
    return seen


@CORNERS
@pytest.mark.parametrize("step", [0.25, 0.4, 0.55, 0.65, 1.1])
def test_identical_cards_are_two_although_the_detector_is_often_wrong(step, corners):
    assert counts(row(step, 6), corners) == {6}


@CORNERS
def test_cards_may_be_at_different_distances_from_the_camera(corners):
    assert counts(row(1.1, 6), corners, nearer=0.2) == {6}


def test_a_joker_has_long_indices_nearer_to_its_middle_than_those_of_other_cards():
    others = showing(row(1.1, 6))
    joker = [
        replace(reading, index=replace(reading.index, place=np.array([1100.0, 300]) + way))
        for reading, way in zip(whole("JK", (1100, 300)), [(-36, -34), (36, 34)], strict=True)
    ]

    assert len(grouped(others + joker)) == 7


def test_an_index_found_twice_is_one():
    first, second = index("JK", (300, 300)), index("JK", (303, 312))

    assert len(grouped([first, second])) == 1


def test_the_best_fitting_pair_is_not_taken_where_it_leaves_others_alone():
    fits = np.full((4, 4), np.inf)
    for one, other, fit in ((0, 1, 0.5), (1, 2, 0.4), (2, 3, 0.5)):
        fits[one, other] = fits[other, one] = fit

    assert grouping._groups(fits)[1] == [(0, 1), (2, 3)]


@given(st.integers(0, 1000), st.integers(1, 60))
def test_every_index_of_any_picture_is_in_one_group(seed, number):
    rng = np.random.default_rng(seed)
    readings = []
    for place in rng.uniform(0, 300, (number, 2)):
        turn = rng.uniform(0, 6.28)
        up = np.array([np.sin(turn), -np.cos(turn)])
        near = Index(place, up, float(rng.uniform(5, 60)), place + rng.normal(0, 60, 2), 0.9)
        readings.append(Reading(near, index("7H", (0, 0)).chances, 0.99))

    groups = grouped(readings)

    assert sorted(id(one) for group in groups for one in group.readings) == sorted(
        map(id, readings)
    )


# ---- doubt -----------------------------------------------------------------------------


def nearly(off: float) -> list[Reading]:
    """Return two opposite indices that are too far apart for one card, and a card that says so."""
    low = index("7H", (300 + off * WIDTH, 300), LOWER_RIGHT)
    return [index("7H", (300, 300)), low, *whole("KS", (600, 300)), *whole("QD", (800, 300))]


def test_what_may_be_one_card_or_two_is_asked_for():
    sevens = [group for group in grouped(nearly(0.9)) if len(group.readings) == 1]

    assert sorted(group.alone for group in sevens) == [0.5, 1.0]


def test_two_cards_that_lie_far_apart_are_not_doubted():
    sevens = [group for group in grouped(nearly(3)) if len(group.readings) == 1]

    assert [group.alone for group in sevens] == [1.0, 1.0]


@pytest.mark.parametrize(("packs", "cards"), [(1, 3), (2, 4)])
def test_what_may_be_one_card_or_two_is_one_if_the_deck_has_one(packs, cards):
    assert len(grouped(nearly(0.9), [packs] * 52 + [2])) == cards
