"""The networks of the package read scenes of designs that they were not trained on."""

import io

import numpy as np
import pytest
from PIL import Image

from pictures import scene
from scorekeeper.camera import pictures, recognition

SCENES = {
    "hand-of-thirteen": ["5S QC 7H KS 6S JH", "10C 5H KC 6H 6S JK 10D"],
    "two-melds": ["4S QH 3S AS", "7S 3S KD 8D 3H"],
    "joker": ["3H 5H", "6S 5D", "JK KH", "KS 3C"],
    "fan-in-the-dark": ["AC 5C 8C 9D KD 6H 2S 10S JS"],
}
"""Scenes made by ``tools/cardvision``, and the cards in each of their rows."""


def read(data: bytes) -> list[str]:
    return [" ".join(card.name for card in row) for row in recognition.recognise(data)]


@pytest.mark.parametrize("name", SCENES)
def test_the_cards_of_a_scene_are_read_row_by_row(name):
    assert read(scene(name)) == SCENES[name]


@pytest.mark.parametrize("name", ["joker", "two-melds"])
def test_cards_with_bright_print_on_black_are_read(name):
    dark = pictures.negative(np.asarray(Image.open(io.BytesIO(scene(name)))))
    data = io.BytesIO()
    Image.fromarray(dark).save(data, "PNG")

    assert read(data.getvalue()) == SCENES[name]


def test_a_picture_with_cards_is_not_read_twice(monkeypatch):
    monkeypatch.setattr(pictures, "negative", None)

    assert read(scene("joker")) == SCENES["joker"]


def test_a_card_that_fills_the_picture_is_read():
    around_the_jack = (789, 218, 969, 398)
    near = Image.open(io.BytesIO(scene("hand-of-thirteen"))).crop(around_the_jack)
    data = io.BytesIO()
    near.resize((1260, 1260)).save(data, "PNG")

    assert read(data.getvalue()) == ["JH"]


def test_a_picture_taken_sideways_shows_the_same_cards():
    target = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    with Image.open(io.BytesIO(scene("joker"))) as picture:
        picture.transpose(Image.Transpose.ROTATE_90).save(target, "JPEG", exif=exif, quality=95)

    assert read(target.getvalue()) == SCENES["joker"]


@pytest.mark.parametrize(("limit", "sizes"), [(0.0, 1), (1.1, 3)])
def test_only_unsure_indices_are_read_in_three_sizes(monkeypatch, limit, sizes):
    read_at_once = []
    run = recognition._run

    def counted(name, values):
        if name == "classifier":
            read_at_once.append(len(values))
        return run(name, values)

    monkeypatch.setattr(recognition, "_run", counted)
    monkeypatch.setattr(recognition, "SURE", limit)
    cards = recognition.recognise(scene("joker"))

    assert len(cards) == 4
    assert len(read_at_once) == sizes
    assert len(set(read_at_once)) == 1


def test_a_network_that_lacks_memory_says_so(monkeypatch):
    def network(name):
        raise RuntimeError("[ONNXRuntimeError] : 1 : FAIL : std::bad_alloc")

    monkeypatch.setattr(recognition, "_network", network)

    with pytest.raises(MemoryError):
        recognition.recognise(scene("joker"))


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (1600, 1200)])
@pytest.mark.parametrize("shade", [0, 128, 255])
def test_an_empty_picture_shows_no_cards(size, shade):
    target = io.BytesIO()
    Image.new("L", size, shade).save(target, "PNG")

    assert recognition.recognise(target.getvalue()) == []


def test_a_card_says_where_it_is_and_how_sure_it_is():
    for row in recognition.recognise(scene("joker")):
        for card in row:
            assert all(0 <= share <= 1 for share in card.place)
            assert 0 < card.sure <= 1
            assert card.likeliest[0] == card.name != card.likeliest[1]


def test_noise_is_read_without_an_error():
    noise = np.random.default_rng(1).integers(0, 256, (700, 900, 3)).astype(np.uint8)

    assert len(recognition.seen(noise)) < 100


def test_the_threshold_belongs_to_the_weights():
    assert 0.5 < recognition.threshold() < 1
    assert recognition.THRESHOLD.parent == recognition.WEIGHTS
