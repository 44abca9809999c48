"""The QR code of an evening on its score sheet."""

import pypdfium2
import segno
from pypdfium2 import raw

from pdf.paper import FOUR, LIVE, Print, played, printed, rules_of, some_rounds
from scorekeeper.pdf.qr_code import MASK, SIZE

FAMILY = rules_of("german-family")


def test_a_code_is_explained_only_if_there_is_one() -> None:
    game = played(FAMILY, FOUR, some_rounds(4, 7))

    assert "Der Code oben rechts öffnet" in printed(game, address=LIVE).text
    assert "Der Code" not in printed(game).text
    assert "Der Code" not in printed(game, address=LIVE + 200 * "x").text


def test_the_qr_code_encodes_the_address() -> None:
    paper = printed(played(FAMILY, FOUR, some_rounds(4, 7)), address=LIVE)
    pattern = [list(row) for row in segno.make_qr(LIVE, error="m", mask=MASK).matrix]

    assert modules(paper, len(pattern)) == pattern


def modules(paper: Print, number: int) -> list[list[int]]:
    """Return the modules of the QR code, read from an image of the first page."""
    with pypdfium2.PdfDocument(paper.data) as document:
        page = document[0]
        paths = [path.get_bounds() for path in page.get_objects([raw.FPDF_PAGEOBJ_PATH])]
        left, *_, top = next(
            box for box in paths if abs(box[2] - box[0] - SIZE) + abs(box[3] - box[1] - SIZE) < 1
        )
        picture = page.render(scale=4).to_pil().convert("L")
    step = 4 * SIZE / number
    x, y = 4 * left, picture.height - 4 * top
    middles = [(n + 0.5) * step for n in range(number)]
    return [
        [int(picture.getpixel((int(x + right), int(y + down))) < 128) for right in middles]
        for down in middles
    ]
