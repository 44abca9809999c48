"""The picture of an evening for a chat."""

from io import BytesIO

import pytest
from PIL import Image

from pdf.paper import played, rules_of, some_rounds
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import language
from scorekeeper.pdf import evening_picture
from scorekeeper.pdf.picture import MARGIN, Picture

NAME = "Maximiliane-Alexandra von und zu Hohenstein {}"


@pytest.fixture
def evening() -> Game:
    rules = rules_of("german-family", settle__point_value="1/7", settle__unit="WWWWWWWWWWWW")
    return played(rules, [NAME.format(n) for n in range(6)], some_rounds(6, 9))


def test_long_texts_stay_on_the_paper_of_a_picture(evening: Game) -> None:
    png = evening_picture(evening, language("de"), title=NAME * 3, found_at="karten." * 30)
    picture = Image.open(BytesIO(png)).convert("RGB")
    width, height = picture.size

    left, right = (picture.crop((x, 0, x + MARGIN - 2, height)) for x in (0, width - MARGIN + 2))

    assert left.getcolors() == right.getcolors()
    assert len(left.getcolors() or ()) == 1


def test_an_address_that_is_too_wide_is_written_smaller(
    evening: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(Picture, "_text", lambda _, at, text, *look, **more: drawn.append(text))
    address = "karten.verein-der-rommefreunde.feulen.example.org"

    evening_picture(evening, language("de"), title="", found_at=address)

    assert [text for text in drawn if text.endswith(address)]
