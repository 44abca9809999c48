"""Which indices are of one card is decided by where they are, never by what they say."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laid_cards import HEIGHT, INSET, WIDTH, index, whole
from scorekeeper.camera import cards
from scorekeeper.camera.cards import NAMES, Group, Reading


def named(group: Group) -> cards.Seen:
    (card,) = cards.named([group], (1000, 1000))
    return card


def names(readings: list[Reading]) -> list[str]:
    return sorted(named(group).name for group in cards.grouped(readings))


@pytest.mark.parametrize("corners", [2, 4])
@pytest.mark.parametrize("turn", [0, 0.4, 1.6, 3.1])
def test_the_indices_of_a_card_are_one_card(corners, turn):
    assert names(whole("7H", (300, 300), turn, corners)) == ["7H"]


@pytest.mark.parametrize("corners", [2, 4])
def test_identical_cards_side_by_side_are_two(corners):
    readings = whole("7H", (300, 300), 0, corners) + whole("7H", (405, 300), 0, corners)

    assert names(readings) == ["7H", "7H"]


def test_identical_cards_that_overlap_are_two():
    # Of the lower card only the upper left index shows.
    readings = [index("7H", (300, 300), (-1, -1)), *whole("7H", (325, 303))]

    assert names(readings) == ["7H", "7H"]


def test_identical_cards_in_a_fan_are_two():
    readings = [index("7H", (300, 300), (-1, -1), -0.15), index("7H", (320, 300), (-1, -1), 0.0)]

    assert names(readings) == ["7H", "7H"]


def test_identical_cards_upside_down_to_each_other_are_two():
    # The right one is turned by half: its indices look like those of the left one.
    readings = whole("7H", (300, 300)) + whole("7H", (420, 300), np.pi)

    assert names(readings) == ["7H", "7H"]


def test_indices_that_contradict_each_other_are_not_put_together():
    readings = [index("7H", (300, 300), (-1, -1)), index("KS", (300, 300), (1, 1))]

    assert names(readings) == ["7H", "KS"]


def test_the_last_card_of_a_fan_keeps_its_lower_index_to_itself():
    turns = (-0.3, -0.15, 0.0)
    readings = [
        index(name, (300 + 200 * np.sin(turn), 500 - 200 * np.cos(turn)), (-1, -1), turn)
        for name, turn in zip(("7H", "8H", "9H"), turns, strict=True)
    ]
    readings.append(index("9H", (300, 300), (1, 1)))

    assert names(readings) == ["7H", "8H", "9H"]
    assert sorted(len(group.readings) for group in cards.grouped(readings)) == [1, 1, 2]


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 3), st.booleans()), unique_by=lambda p: p[:2]
    ),
    st.floats(0, 6.28),
    st.sampled_from([2, 4]),
)
def test_as_many_cards_are_found_as_lie_apart(places, turn, corners):
    cosine, sine = np.cos(turn), np.sin(turn)
    readings = []
    for column, row, flipped in places:
        x, y = column * WIDTH * 1.05, row * HEIGHT * 1.05
        middle = (x * cosine - y * sine, x * sine + y * cosine)
        readings += whole("QS", middle, turn + np.pi * flipped, corners)

    assert len(cards.grouped(readings)) == len(places)


def test_both_indices_decide_together_what_a_card_is():
    unclear = index("8H", (300, 300), (1, 1))
    unclear.chances[:] = 0
    unclear.chances[NAMES.index("8H")], unclear.chances[NAMES.index("6H")] = 0.55, 0.45
    clear = index("6H", (300, 300), (-1, -1))

    card = named(Group([unclear, clear]))

    assert card.name == "6H"
    assert card.likeliest == ("6H", "8H")
    assert card.sure < 1


@pytest.mark.parametrize(("chance", "count"), [(0.36, 1), (0.34, 0)])
def test_what_is_hardly_like_any_card_is_none(chance, count):
    reading = replace(index("8H", (300, 300)), valid=1.0)
    reading.chances[:] = (1 - chance) / 52
    reading.chances[NAMES.index("8H")] = chance

    assert len(cards.named([Group([reading])], (1000, 1000))) == count


def test_values_of_the_classifier_become_chances():
    values = np.full((3, 19), -9.0)
    values[0, [6, 14 + 1, 18]] = 9.0  # 7 of hearts
    values[1, [13, 14, 18]] = 9.0  # a joker
    values[2, [6, 14]] = 9.0  # no index
    found = cards.readings([whole("7H", (0, 0))[0].index] * 3, values)

    assert [named(Group([reading])).name for reading in found] == ["7H", "JK"]


@pytest.mark.parametrize(("heat", "count"), [(0.95, 1), (0.35, 0)])
def test_both_networks_decide_together_whether_it_is_an_index(heat, count):
    values = np.zeros((1, 19))
    values[0, [6, 14, 18]] = 9.0, 9.0, 1.0

    found = cards.readings([replace(whole("7H", (0, 0))[0].index, heat=heat)], values)

    assert len(found) == count


# ---- the deck ----------------------------------------------------------------------


def in_deck(readings: list[Reading], packs: int, jokers: int) -> list[cards.Seen]:
    copies = [packs] * 52 + [jokers]
    return cards.named(cards.grouped(readings, copies), (1000, 1000), copies)


def test_a_third_of_a_card_is_not_read_from_two_packs():
    readings = [one for n in range(3) for one in whole("7H", (150 + 250 * n, 300))]
    unclear = readings[2]
    unclear.chances[NAMES.index("7H")], unclear.chances[NAMES.index("7D")] = 0.6, 0.3

    seen = {round(card.middle[0]): card for card in in_deck(readings, packs=2, jokers=6)}

    assert [seen[x].name for x in (150, 400, 650)] == ["7H", "7D", "7H"]
    assert seen[400].sure < 0.5 < seen[150].sure
    assert seen[400].likeliest[0] == "7D"
    assert "7H" not in seen[400].likeliest


@pytest.mark.parametrize(("other", "names"), [(0.0, ["7H"]), (0.3, ["7D", "7H"])])
def test_a_single_index_of_a_card_that_is_used_up_is_left_out_unless_it_may_be_another(
    other, names
):
    readings = [*whole("7H", (150, 300)), index("7H", (700, 300))]
    readings[2].chances[NAMES.index("7D")] = other

    assert sorted(card.name for card in in_deck(readings, packs=1, jokers=0)) == names


def test_without_jokers_none_is_read():
    (card,) = in_deck(whole("JK", (300, 300)), packs=1, jokers=0)

    assert card.name != "JK"
    assert card.sure < 0.5, "what looks like a joker is not surely another card"


def test_a_card_is_where_its_indices_show():
    (card,) = in_deck(whole("7H", (300, 400)), packs=1, jokers=0)
    left, top, width, height = card.box

    assert left < (300 - WIDTH / 2 + INSET[0]) / 1000 < left + 0.05
    assert top < (400 - HEIGHT / 2 + INSET[1]) / 1000 < top + 0.05
    assert left + width > (300 + WIDTH / 2 - INSET[0]) / 1000 > left + width - 0.05
    assert top + height > (400 + HEIGHT / 2 - INSET[1]) / 1000 > top + height - 0.05


# ---- rows --------------------------------------------------------------------------


def order(readings: list[Reading]) -> list[list[str]]:
    found = [named(group) for group in cards.grouped(readings)]
    return [[card.name for card in row] for row in cards.rows(found)]


def laid(rows: list[list[str]], turn: float = 0) -> list[Reading]:
    cosine, sine = np.cos(turn), np.sin(turn)
    readings = []
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            place = (x * 35.0, y * 170.0)
            middle = (place[0] * cosine - place[1] * sine, place[0] * sine + place[1] * cosine)
            readings.append(index(name, middle, (-1, -1), turn))
    return readings[::-1]


@pytest.mark.parametrize("turn", [0, 0.3, -0.3, 0.6])
def test_melds_in_rows_are_read_like_text(turn):
    melds = [["5H", "6H", "7H"], ["KS", "KH", "KC", "KD"], ["2C", "JK", "4C"]]

    assert order(laid(melds, turn)) == melds


@pytest.mark.parametrize("widest", [0.3, 0.8, 1.1])
def test_a_fan_is_read_from_left_to_right(widest):
    names = ["AC", "5C", "8C", "9D", "KD", "6H", "2S", "10S", "JS"]
    turns = np.linspace(-widest, widest, len(names))
    fan = [
        index(name, (500 + 150 * np.sin(turn), 500 - 150 * np.cos(turn)), turn=turn)
        for name, turn in zip(names, turns, strict=True)
    ]

    assert order(fan[::-1]) == [names]


def test_no_cards_are_no_rows():
    assert cards.rows([]) == []
