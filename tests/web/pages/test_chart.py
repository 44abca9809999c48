"""The chart of the totals: legible without colour, and with its totals as text."""

import re

import pytest


@pytest.fixture
def drawn(anna, game) -> str:
    for lost in (40, 60, 300):
        anna.enter(game, 2, hand__0=str(lost), hand__1="12", hand__3="60")
    return anna.get(game).text.split('<svg class="chart"')[1].split("</svg>")[0]


def test_every_line_has_its_own_dash_and_its_name(drawn):
    lines = re.findall(r"<polyline[^>]*>", drawn)

    assert len({re.search('dasharray="([^"]*)"|$', line)[1] for line in lines}) == 4
    assert re.findall(r"<text[^>]*>(\w+)</text>", drawn)[-4:] == [
        "Anna",
        "Bernd",
        "Claire",
        "Dieter",
    ]


def test_the_leader_is_thicker_and_the_chart_says_that_low_leads(drawn):
    assert "Wer unten liegt, ist vorn" in drawn
    assert drawn.count('class="first"') == 2
    assert re.search('<text class="first"[^>]*>Claire', drawn)
    assert '<polyline class="first" points' in drawn  # and solid


def test_the_chart_has_its_totals_as_text(drawn):
    assert "Claire 0, Bernd 36, Dieter 180, Anna 400</desc>" in drawn
    assert 'role="img" aria-labelledby="chart-title chart-words"' in drawn


@pytest.mark.parametrize(
    ("preset", "half", "label"),
    [
        ("romme-palast", 250, "Ende bei 500"),
        ("luxembourg", 50, "Ende bei 100"),
        ("chinchon", 50, "Ende bei −100"),
    ],
)
def test_the_limit_is_drawn_from_half_its_points(anna, preset, half, label):
    game = anna.begin(preset=preset, name=["Anna", "Bernd"])
    anna.enter(game, 0, hand__1=str(half - 1))

    assert 'class="limit"' not in anna.get(game).text

    anna.send(f"{game}/round/1/correct", hand__1=str(half), do="save")
    board = anna.get(game).text
    ((height, said),) = re.findall(r'<line class="limit".*? y="([\d.]+)">([^<]+)</text>', board)

    assert said == label
    assert float(height) > 13  # below the line, where it is on top


def test_there_is_no_chart_before_the_first_round(anna, game):
    assert '<svg class="chart"' not in anna.get(game).text
