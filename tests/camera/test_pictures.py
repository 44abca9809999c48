"""Photographs are read within bounds; whatever else is sent is refused, never an error of ours."""

import zlib
from contextlib import suppress

import numpy as np
import pytest
from PIL import Image

from pictures import NO_PICTURES, WHOLE, photograph, png, stored
from scorekeeper.camera import pictures
from scorekeeper.camera.pictures import Unreadable


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_the_usual_pictures_are_read(kind, mode):
    picture = pictures.read(stored(photograph(mode=mode), kind))

    assert picture.shape == (80, 120, 3)
    assert picture.dtype == np.uint8
    assert picture[:, :50].min() > 200 > 50 > picture[:, 70:].max()


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("CMYK", "JPEG"), ("1", "PNG"), ("P", "PNG"), ("LA", "PNG"), ("RGBA", "PNG"), ("RGBA", "WEBP"),
     ("I;16", "PNG")],
)  # fmt: skip
def test_unusual_pictures_are_read_too(mode, kind):
    image = photograph(mode="L" if mode == "I;16" else mode)
    if mode == "I;16":
        image = Image.fromarray(np.asarray(image).astype(np.uint16) * 257)
    picture = pictures.read(stored(image, kind))

    assert picture.shape == (80, 120, 3)
    assert picture[:, :50].min() > 200 > 50 > picture[:, 70:].max()


def test_what_is_transparent_is_white():
    picture = pictures.read(stored(Image.new("RGBA", (40, 40), (0, 0, 0, 0)), "PNG"))

    assert picture.min() > 200


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_a_moving_picture_the_first_is_read(kind):
    moving = stored(
        photograph(), kind, save_all=True, append_images=[Image.new("RGB", (120, 80))] * 3
    )

    assert pictures.read(moving)[:, :50].min() > 200


@pytest.mark.parametrize("turned", range(1, 9))
def test_a_picture_is_turned_as_its_camera_was_held(turned):
    exif = Image.Exif()
    exif[0x0112] = turned
    picture = pictures.read(stored(photograph(), exif=exif))

    assert picture.shape[:2] == ((80, 120) if turned < 5 else (120, 80))
    side = {
        1: (0, 0),
        2: (0, -1),
        3: (0, -1),
        4: (0, 0),
        5: (0, 0),
        6: (0, 0),
        7: (-1, 0),
        8: (-1, 0),
    }
    assert picture[side[turned]].min() > 200


def test_a_large_photograph_is_made_smaller():
    picture = pictures.read(stored(Image.new("RGB", (5000, 4900), "grey"), quality=10))

    assert max(picture.shape) == pictures.LONGEST


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_too_many_pixels_are_refused_before_they_are_decoded(kind):
    with pytest.raises(Unreadable) as refusal:
        pictures.read(stored(Image.new("L", (5001, 5000)), kind))

    assert refusal.value.reason == "pixels"


@pytest.mark.parametrize("side", [6000, 20_000, 60_000, 2**31 - 1])
def test_a_bomb_is_refused(side):
    with pytest.raises(Unreadable) as refusal:
        pictures.read(png(side, side, zlib.compress(bytes(1_000_000))))

    assert refusal.value.reason == "pixels"


def test_too_many_bytes_are_refused():
    with pytest.raises(Unreadable) as refusal:
        pictures.read(stored(photograph()) + bytes(pictures.MOST_BYTES))

    assert refusal.value.reason == "bytes"


@pytest.mark.parametrize("data", NO_PICTURES, ids=range(len(NO_PICTURES)))
def test_what_is_no_picture_is_refused(data):
    with pytest.raises(Unreadable) as refusal:
        pictures.read(data)

    assert refusal.value.reason in ("kind", "damaged")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_picture_is_read_or_refused(kind, seed):
    rng = np.random.default_rng(seed)
    damaged = bytearray(WHOLE[kind])
    for place in rng.integers(0, len(damaged), 4):
        damaged[place] = rng.integers(256)
    with suppress(Unreadable):
        assert max(pictures.read(bytes(damaged)).shape) <= pictures.LONGEST


def test_a_picture_may_carry_another_file_behind_it():
    assert pictures.read(WHOLE["JPEG"] + b"PK\x03\x04 a zip archive").shape == (80, 120, 3)


def test_a_dark_picture_becomes_as_bright_as_others():
    dark = np.full((40, 40, 3), 30, np.uint8)
    dark[::8, :20] = 60

    assert 235 <= pictures.levelled(dark).max() <= 245
    assert pictures.levelled(np.zeros_like(dark)).max() == 0
    bright = np.full((40, 40, 3), 250, np.uint8)
    assert pictures.levelled(bright) is bright


def test_in_the_negative_black_is_white_and_red_stays_red():
    colours = [(0, 0, 0), (255, 255, 255), (220, 40, 50), (20, 24, 30), (128, 128, 127)]
    negative = pictures.negative(np.array([colours], np.uint8))

    assert negative.dtype == np.uint8
    assert negative[0, 0].tolist() == [255] * 3
    assert negative[0, 1].tolist() == [0] * 3
    assert negative[0, 2].tolist() == [215, 35, 45]
    assert negative[0, 3].min() > 220
