"""The moment after a mistake: the next obvious press is the right one."""

import re

import pytest
from playwright.sync_api import expect

import short
from scorekeeper.domain.game.changes import at_place, score_for
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from web.pages.phone import SMALL, TALL, Thumb, boxes

PLAYED = (0, 12, 35, 60)
WINNER = "input[name=winner]:checked"


def name(thumb, seat: int) -> None:
    """Press a name on the board."""
    thumb.page.locator(".names a").nth(seat).tap()
    thumb.page.locator("form.fast").wait_for()


def winner(thumb) -> str:
    return thumb.page.locator(WINNER).get_attribute("value")


def enter(thumb, seat: int, *points: int) -> None:
    """Enter a round from the board, and return to it."""
    name(thumb, seat)
    for turn, number in enumerate(points):
        if turn:
            thumb.press("#next")
        thumb.digits(number)
    thumb.save()
    thumb.saved()


def open_elsewhere(thumb, board: str, seat: int) -> None:
    """Open the entry as from a board that was opened before the draft began."""
    thumb.page.goto(f"{board}/round?ender={seat}")
    thumb.page.locator("form.fast.seated").wait_for()


def test_the_name_that_was_pressed_last_is_the_winner(thumb, table):
    board = thumb.begin()
    name(thumb, 1)
    thumb.page.go_back()
    name(thumb, 2)

    assert winner(thumb) == "2"
    assert thumb.page.locator("#won").inner_text().startswith("Claire went out")

    for points in (10, 20, 30):
        if points > 10:
            thumb.press("#next")
        thumb.digits(points)
    thumb.save()
    thumb.saved()

    assert thumb.totals() == ["20", "30", "0", "10"]  # left of Claire sits Dieter
    assert table.rounds(board) == 1


def test_the_winner_of_the_board_replaces_that_of_a_draft_and_nothing_is_lost(anywhere):
    thumb = anywhere
    board = thumb.begin()
    name(thumb, 1)
    thumb.press("label:has([name=hand_romme])")
    thumb.digits(25)  # Claire
    thumb.press("#next")
    thumb.digits(40)  # Dieter
    thumb.page.locator("#cell-3").get_by_text("80").wait_for()
    open_elsewhere(thumb, board, 2)

    assert winner(thumb) == "2"
    assert not thumb.page.locator("[name=hand_romme]").is_checked()
    assert (thumb.held(2), thumb.held(3)) == ("", "40")
    assert thumb.page.locator("#won").inner_text().split("\n") == ["Claire, not Bernd", "Take back"]

    thumb.page.locator("#other").tap()

    assert winner(thumb) == "1"
    assert thumb.page.locator("[name=hand_romme]").is_checked()
    assert (thumb.held(2), thumb.held(3)) == ("25", "40")
    assert "Somebody else" in thumb.page.locator("#won").inner_text()


def test_a_reload_keeps_the_winner_that_was_chosen_since(thumb):
    board = thumb.begin()
    open_elsewhere(thumb, board, 2)
    thumb.page.locator("#other").tap()
    thumb.page.locator("label[for=ender-0]").tap()
    thumb.digits(7)
    thumb.page.reload()
    thumb.page.locator("form.fast.seated").wait_for()

    assert winner(thumb) == "0"
    assert thumb.held(1) == "7"


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_a_draft_is_seen_on_the_board_and_goes_on(thumb):
    thumb.begin_after(PLAYED)
    name(thumb, 1)
    thumb.digits(33)
    thumb.page.locator("#cell-2").get_by_text("33").wait_for()
    thumb.page.locator(".bar .back").tap()
    draft = thumb.page.locator("tr.draft")
    draft.first.wait_for()

    assert draft.first.inner_text().split() == ["2", "missing", "out", "0", "33", "missing"]
    assert draft.last.inner_text() == "Draft. Missing: Anna and Dieter."
    assert not thumb.page.locator("#asks").is_visible()

    thumb.page.get_by_role("link", name="Continue round 2").tap()
    thumb.page.locator("form.fast.seated").wait_for()

    assert thumb.held(2) == "33"
    assert winner(thumb) == "1"


def test_a_name_alone_is_no_draft(thumb):
    thumb.begin()
    name(thumb, 1)
    thumb.page.locator("#won").wait_for()
    thumb.page.locator(".bar .back").tap()
    thumb.page.locator("#asks").wait_for()

    assert thumb.page.locator("tr.draft").count() == 0


def test_a_draft_speaks_the_language_of_the_page(thumb):
    board = thumb.begin()
    name(thumb, 1)
    thumb.digits(33)
    thumb.page.locator("#cell-2").get_by_text("33").wait_for()
    thumb.page.goto(f"{board}/more")
    thumb.page.get_by_role("button", name="Deutsch").tap()
    thumb.page.locator("html[lang=de]").wait_for(state="attached")
    thumb.page.goto(board)
    note = thumb.page.locator("tr.note.draft")
    note.wait_for()

    assert note.inner_text() == "Entwurf. Es fehlt: Anna und Dieter."
    assert thumb.page.get_by_role("link", name="Runde 1 weiter eintragen").is_visible()
    assert "Missing" not in thumb.page.content()


def test_cards_of_a_draft_are_read_as_they_were_written(thumb):
    board = thumb.begin()
    name(thumb, 1)
    thumb.way(2, "cards")
    thumb.cards("KH", "QS")
    thumb.page.locator("#cell-2").get_by_text("20").wait_for()
    thumb.page.goto(f"{board}/more")
    thumb.page.get_by_role("button", name="Français").tap()
    thumb.page.locator("html[lang=fr]").wait_for(state="attached")
    thumb.page.goto(f"{board}/round")
    thumb.page.locator("#cell-2").get_by_text("20").wait_for()
    thumb.page.locator("#cell-2").tap()

    assert thumb.page.locator(".current .chips").inner_text().split() == ["R", "D"]


def test_nobody_is_told_of_their_own_change(thumb, chromium, table):
    board = thumb.begin_after(*[PLAYED] * 3)
    other = Thumb(chromium, table, state=thumb.phone.storage_state())
    other.page.goto(board)
    other.page.goto("/")  # it has seen the board
    thumb.page.locator("[aria-label='Round 2']").tap()
    thumb.page.get_by_role("button", name="Take the round back").tap()
    thumb.page.locator("#act").get_by_text("Round 2 taken back").wait_for()
    thumb.page.wait_for_timeout(4000)  # the board has asked in between

    assert thumb.page.locator("tr.fresh").count() == 0

    thumb.page.get_by_role("button", name="Restore").tap()
    thumb.page.locator("#act").get_by_text("Round 2 restored").wait_for()
    thumb.page.get_by_role("button", name="Take back").tap()
    thumb.page.locator("#act").get_by_text("Round 2 taken back").wait_for()
    thumb.page.reload()
    thumb.page.wait_for_timeout(4000)

    assert thumb.page.locator("tr.fresh").count() == 0

    other.page.goto(board)
    other.page.locator("tr.fresh").wait_for()
    other.phone.close()


def test_the_deal_stays_when_an_old_round_is_taken_back(anywhere):
    thumb = anywhere
    thumb.begin()
    for _ in range(3):
        enter(thumb, 0, *PLAYED[1:])
    deal = thumb.page.locator("#next strong")

    expect(deal).to_have_text(re.compile("^Dieter deals"))

    thumb.page.locator("[aria-label='Round 1']").tap()
    thumb.page.get_by_role("button", name="Take the round back").tap()
    thumb.page.locator("#act").get_by_text("Round 1 taken back").wait_for()

    expect(deal).to_have_text(re.compile("^Dieter deals"))


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_the_banner_of_the_last_act_is_in_sight(thumb):
    thumb.begin_after(*[PLAYED] * 3)
    enter(thumb, 0, *PLAYED[1:])
    act, foot = boxes(thumb.page, "#act", "#foot")

    assert act["height"] and act["y"] >= 0 and act["bottom"] <= foot["y"]


def test_after_saving_the_focus_is_on_the_next_action(thumb):
    thumb.begin()
    enter(thumb, 0, *PLAYED[1:])
    expect(thumb.page.locator("#asks")).to_be_focused()
    thumb.page.keyboard.press("Tab")

    assert thumb.page.evaluate("document.activeElement.textContent") == "Anna"


def test_a_number_never_goes_on_by_itself(thumb):
    thumb.begin()
    name(thumb, 0)
    for digits in ("7", "75", "750"):
        thumb.digits(int(digits[-1]))
        expect(thumb.page.locator("#cell-1")).to_have_attribute("aria-current", "true")
        assert thumb.held(1) == digits
    assert thumb.page.locator("#next").inner_text() == "On to Claire"


def test_the_names_fill_the_page_before_there_is_a_winner(thumb):
    thumb.begin_after(PLAYED)
    thumb.page.locator("#next a").tap()
    thumb.page.locator("form.asking").wait_for()
    boxes = [label.bounding_box() for label in thumb.page.locator(".whos label").all()]

    assert all(box["width"] > 150 and box["height"] > 250 for box in boxes)
    assert thumb.page.locator(".whos").inner_text().split("\n")[:2] == ["Anna", "leads with 0"]
    assert not thumb.page.locator("#save").is_visible()

    thumb.page.locator(".entry-form > .fold summary").tap()
    thumb.page.locator("label[for=outcome-cancelled]").tap()
    thumb.save()
    thumb.saved()

    assert thumb.totals() == ["0", "12", "35", "60"]


@pytest.mark.parametrize("reads_first", [False, True])
def test_a_correction_goes_on_at_its_round_when_a_missed_one_comes_before(
    thumb, table, reads_first
):
    board = thumb.begin_after(PLAYED, (0, 1, 2, 3))
    page, ledger, game_id = thumb.page, table.app.extensions["ledger"], board.rpartition("/")[2]
    page.goto(f"{board}/round/2/correct")
    page.locator("#cell-1").tap()
    thumb.digits(7)
    before = at_place(ledger.game(game_id), "inserted", 1)
    missed = score_for(before, short.facts(0, 9, 9, 9))
    games.insert_round(ledger, game_id, 1, missed, Write(key="missed"))
    if reads_first:
        page.reload()
        page.locator("#outbox [data-state=moved]").wait_for()
    thumb.save()
    page.wait_for_url(f"{board}/round/3/correct")

    expect(page.locator("h1")).to_have_text("Correct round 3")
    expect(page.locator("#outbox [data-state=moved]")).to_contain_text("round 3")

    page.locator("#save").tap()
    thumb.saved()

    rows = ledger.game(game_id).sheet.rows
    assert [row.score.scores[1].minus for row in rows] == [9, 12, 7]
    assert (
        page.evaluate("Object.keys(localStorage).filter((one) => /^(draft|outbox)/.test(one))")
        == []
    )
