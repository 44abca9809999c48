"""An evening is entered in a browser while the machine of the primary dies."""

import io
import json
from collections.abc import Iterator

import pytest
from pypdf import PdfReader

from rest import EVENING
from scorekeeper.i18n import language
from scorekeeper.pdf import score_sheet
from scorekeeper.services.evening import read_evening, score_evening
from scorekeeper.wording.sheet import Words
from web.pages.test_browser import begin, enter
from web.pages.walk import PHONE

MIDDLE = 3
"""The round, counted from 0, that is sent when the machine dies; later ones wait on the phone."""
SENT = "() => !Object.keys(localStorage).some((name) => name.startsWith('outbox'))"
PATIENCE_MS = 120_000


@pytest.fixture
def page(chromium, cluster) -> Iterator:
    phone = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=cluster.url)
    opened = phone.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    phone.close()


def lines(pdf: bytes) -> list[str]:
    """Return the lines of a sheet."""
    pages = PdfReader(io.BytesIO(pdf)).pages
    return [line.strip() for page in pages for line in page.extract_text().splitlines()]


def test_the_sheet_of_an_evening_is_the_same_although_a_machine_died(page, cluster):
    lost = []

    def lose_primary(route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(cluster.primary())
            cluster.kill(lost[0])
        route.continue_()

    board = begin(page, ("A", "B", "C", "D"), title=EVENING["title"], point_value="1/10", unit="Pf")
    for number, played in enumerate(EVENING["rounds"]):
        if number == MIDDLE:
            page.context.route("**/round", lose_primary)
        enter(page, played, "#next$" if number < MIDDLE else "#(next|waits)$")
    page.wait_for_function(SENT)
    expected = score_evening(read_evening(json.dumps(EVENING).encode()))
    with cluster.ledger() as ledger:
        game = ledger.game(board.rpartition("/")[2])

    assert cluster.primary() not in (None, *lost)
    assert [row.score for row in game.sheet.rows] == [row.score for row in expected.sheet.rows]
    assert game.settlement() == expected.settlement()

    sheet = lines(page.request.get(f"{board}/sheet.pdf", headers={"Accept-Language": "en"}).body())
    example = lines(score_sheet(Words(expected, language("en"))))
    assert [line for line in example if line not in sheet] == []
