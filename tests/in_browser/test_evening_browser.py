"""An evening in Chromium without a server: begun, played, settled, printed."""

import re

from browsers import Pocket


def play(pocket: Pocket, board: str, *points: int) -> None:
    for point in points:
        pocket.open(board)
        pocket.quick_round(point)
        pocket.save()
        pocket.saved()


def test_an_evening_needs_no_server(running_edition: Pocket) -> None:
    pocket, host = running_edition, running_edition.host
    host.stop()  # everything that follows happens without a network
    board = pocket.begin()
    play(pocket, board, 35, 20, 7)

    assert pocket.totals() == ["0", "62", "62", "62"]
    pocket.page.goto(f"{board}/settlement")
    pocket.page.get_by_role("heading", level=1).wait_for()

    assert "Anna" in pocket.page.locator("main").inner_text()
    host.start()


def test_a_score_sheet_is_offered_as_a_file(running_edition: Pocket) -> None:
    pocket = running_edition
    board = pocket.begin()
    play(pocket, board, 12)
    pocket.page.get_by_role("link", name="Score sheet", exact=True).tap()
    tab = pocket.shell.tab
    tab.locator("#paper").wait_for()

    assert re.search(r"\.pdf$", tab.locator("#paper-name").inner_text())
    with tab.expect_download() as saved:
        tab.locator("#paper-save").tap()
    assert saved.value.path().read_bytes().startswith(b"%PDF")
    tab.get_by_role("button", name="Back").tap()

    assert pocket.page.url == board + "#next" or pocket.page.url.startswith(board)


def test_the_picture_of_an_evening_is_drawn_on_a_canvas(running_edition: Pocket) -> None:
    pocket = running_edition
    board = pocket.begin()
    play(pocket, board, 12, 30)
    picture = pocket.page.evaluate(
        """async (address) => {
            const answer = await fetch(address);
            const drawn = await createImageBitmap(await answer.blob());
            return [answer.status, drawn.width, drawn.height];
        }""",
        f"{board}/picture.png",
    )

    assert picture == [200, 1080, 1350]
