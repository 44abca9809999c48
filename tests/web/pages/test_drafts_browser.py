"""Drafts of a round in the browser, and rounds that several people enter."""

import pytest
from playwright.sync_api import expect

from patience import wait_until
from scorekeeper.domain.cards.notation import write_cards
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from web.pages.phone import ABOVE_THE_FOOT, SIX, Thumb
from web.pages.test_offline_browser import wait_until_kept
from web.pages.walk import NARROW, open_phone


@pytest.mark.service_worker
def test_a_draft_survives_a_reload_and_a_closed_tab(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.ends(1)
    thumb.digits(20)
    thumb.next()
    thumb.way(3, "ranks")
    thumb.ranks("K", "9")
    thumb.page.get_by_text("Missing: Anna.").wait_for()
    thumb.page.reload()
    thumb.page.locator("form.fast").wait_for()

    assert (thumb.held(2), thumb.held(3)) == ("20", "K 9")
    assert thumb.page.locator("#saved").is_visible()

    thumb.turn_off()
    thumb.turn_on()
    thumb.page.goto(board)
    thumb.page.locator("tr.note.draft").get_by_text("Missing: Anna.").wait_for()

    assert table.rounds(board) == 0

    thumb.page.get_by_role("link", name="Continue round 1").tap()
    thumb.page.locator("form.fast").wait_for()
    thumb.way(0, "points")
    thumb.digits(5)
    thumb.save()
    thumb.saved()

    assert thumb.page.locator(".pad .total").all_inner_texts() == ["5", "0", "20", "19"]
    assert thumb.page.locator("tr.draft").count() == 0


@pytest.mark.service_worker
@pytest.mark.parametrize("line", ["up", "cut"])
def test_calls_at_the_glass_survive_a_reload(thumb, network, table, line):
    """Their fields are drawn by the server, one attempt after the other."""
    calls = [("1", "group:7", "no", "7H 8H 9H"), ("0", "sequence:S", "yes", "2S 3S 4S")]
    board = thumb.plays("gin-palast", SIX[:2], **{"gin.glass": True})
    wait_until_kept(thumb, board)
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(24)
    thumb.press("#cell-0")
    thumb.digits(8)
    thumb.press("#more")
    for place, (by, call, hit, pile) in enumerate(calls):
        for name, value in (("by", by), ("call", call), ("hit", hit)):
            thumb.page.locator(f"select[name=glass_{name}-{place}]").select_option(value)
        thumb.page.locator(f"#glass_pile-{place}").fill(pile)
        thumb.page.locator(f"#glass_pile-{place}").blur()  # nothing is exchanged under a finger
    thumb.page.locator("select[name=glass_by-2]").wait_for()
    thumb.page.wait_for_load_state("networkidle")
    if line == "cut":
        network.cut(thumb)
    thumb.page.reload()
    thumb.page.locator("form.fast").wait_for()
    if line == "up":
        thumb.page.locator("select[name=glass_by-2]").wait_for(state="attached")
    thumb.save()
    if line == "cut":
        thumb.page.locator(".pad tr.waits").first.wait_for()
        network.mend()
    thumb.saved()
    thumb.everything_sent()

    game = table.app.extensions["ledger"].game(board.rsplit("/", 1)[1])
    glass = game.sheet.rows[0].round.glass
    assert [(one.by, one.hit, *write_cards(one.pile)) for one in glass] == [
        (1, False, "7H", "8H", "9H"),
        (0, True, "2S", "3S", "4S"),
    ]


def test_a_draft_whose_round_was_recorded_before_the_browser_was_killed_is_gone(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(25)
    name = f"draft /g/{board.rsplit('/', 1)[1]}/round"
    draft = thumb.page.evaluate("(name) => localStorage[name]", name)
    thumb.save()
    thumb.saved()
    for page in (board, f"{board}/round"):
        thumb.page.evaluate("([name, draft]) => { localStorage[name] = draft; }", [name, draft])
        thumb.page.goto(page)
        wait_until(lambda: not thumb.stores(name), lambda: thumb.page.wait_for_timeout(20))
        thumb.page.wait_for_load_state()

        assert not thumb.page.locator("#go-on").is_visible()
    thumb.page.get_by_role("heading", name="Round 2", exact=True).wait_for()

    assert thumb.held(1) == ""
    assert not thumb.page.get_by_text("your draft of round 1").is_visible()
    assert table.rounds(board) == 1


def test_the_second_of_two_writers_sees_both_entries(two_entries, table):
    other, board = two_entries
    rows = other.page.locator(".beside tbody tr").all_inner_texts()

    assert [row.split() for row in rows] == [
        ["Anna", "out", "0", "out", "0"],
        ["Bernd", "different", "10", "25"],
        ["Claire", "different", "10", "25"],
        ["Dieter", "different", "10", "25"],
    ]
    assert other.page.get_by_text("One of 4 numbers is the same.").is_visible()
    assert other.page.locator("h1").inner_text() == "Round 1"
    assert other.page.evaluate("document.activeElement.className") == "ask"
    assert not other.page.locator("#save").is_visible()
    assert table.rounds(board) == 1

    other.page.set_viewport_size({"width": 320, "height": 568})

    assert other.page.evaluate(ABOVE_THE_FOOT, ".beside tr")


@pytest.mark.parametrize("arrives", [True, False])
def test_both_entries_are_shown_once_their_stylesheet_has_arrived_or_cannot(second_writer, arrives):
    other, _ = second_writer
    asked, page = [], other.page
    page.route("**/two.css*", lambda route: asked.append(route))
    other.save()
    wait_until(lambda: asked, lambda: page.wait_for_timeout(50))

    assert page.locator("#both .ask").count() == 0
    assert page.locator("form.fast[inert]").count() == 1

    asked[0].continue_() if arrives else asked[0].abort()
    page.get_by_text("The same round?").wait_for()

    assert page.locator("#line").is_visible() is not arrives
    assert page.locator("form.fast[inert]").count() == 0
    assert page.evaluate("document.activeElement.className") == "ask"


def test_the_same_round_is_recorded_once_and_the_draft_is_gone(two_entries, table):
    other, board = two_entries
    other.page.get_by_role("link", name="Yes, the same").tap()
    other.saved()

    assert table.rounds(board) == 1
    assert other.page.locator(".pad .total").all_inner_texts() == ["0", "10", "10", "10"]
    assert other.page.locator("tr.draft").count() == 0


def test_another_round_is_recorded_as_the_next_one(two_entries, table):
    other, board = two_entries
    other.page.get_by_role("button", name="No, another one").tap()
    other.saved()

    assert table.rounds(board) == 2
    assert other.page.locator(".pad .total").all_inner_texts() == ["0", "35", "35", "35"]


def test_the_same_round_is_corrected_if_the_second_entry_is_right(two_entries, table):
    other, board = two_entries
    other.page.get_by_role("button", name="Yes, mine is right").tap()
    other.saved()

    assert table.rounds(board) == 1
    assert other.page.locator(".pad .total").all_inner_texts() == ["0", "25", "25", "25"]
    assert not other.sends()
    assert other.page.locator("tr.draft").count() == 0


@pytest.mark.parametrize("then", ["save", "reload", "board"])
def test_an_answer_that_comes_too_late_still_corrects_the_other_entry(two_entries, table, then):
    """Somebody has saved a further round while the question was open."""
    other, board = two_entries
    table.record(board, (0, 10, 10, 10), (0, 7, 7, 7))
    other.page.get_by_role("button", name="Yes, mine is right").tap()
    other.page.get_by_role("heading", name="Correct round 1", exact=True).wait_for()
    other.page.get_by_text("Somebody else was faster:").wait_for()
    if then == "reload":
        other.page.reload()
    elif then == "board":
        other.page.goto(board)
        other.page.get_by_text("Round 1 stays here").wait_for()
        other.page.get_by_role("link", name="Look").first.tap()
    for seat in (1, 2, 3):
        expect(other.page.locator(f"[name=hand-{seat}]")).to_have_value("25")
    other.save()
    other.saved()

    assert table.rounds(board) == 2
    assert other.page.locator(".pad .total").all_inner_texts() == ["0", "32", "32", "32"]
    assert not other.sends()
    assert not other.stores("^draft")


def test_without_storage_an_answer_that_comes_too_late_leaves_the_question(second_writer, table):
    """Another page would lose what was entered."""
    other, board = second_writer
    other.page.evaluate("Storage.prototype.setItem = null")
    other.save()
    other.page.get_by_text("The same round?").wait_for()
    table.record(board, (0, 10, 10, 10), (0, 7, 7, 7))
    other.page.get_by_role("button", name="Yes, mine is right").tap()
    other.page.get_by_text("The server does not accept the round.").wait_for()

    assert other.held(1) == "25"
    assert other.page.get_by_text("The same round?").is_visible()

    other.page.get_by_role("button", name="No, another one").tap()
    other.page.get_by_text("has just saved round 2").wait_for()

    assert table.rounds(board) == 2


def test_an_unanswered_question_is_asked_again(two_entries, table):
    other, board = two_entries
    for _ in range(2):
        other.page.reload()
        other.page.get_by_text("your draft of round 1").wait_for()

        assert [other.held(seat) for seat in (1, 2, 3)] == ["25", "25", "25"]

    other.save()
    other.page.get_by_text("The same round?").wait_for()

    assert table.rounds(board) == 1


def test_the_previous_phone_says_that_the_pen_was_replaced_and_shows_its_round(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(25)
    thumb.page.locator("#cell-1").get_by_text("25").wait_for()
    game = board.rsplit("/", 1)[1]
    games.replace_secret(table.app.extensions["ledger"], game, "pen", write=Write())
    thumb.page.get_by_text("Somebody else has the pen now.").wait_for()

    assert thumb.held(1) == "25"
    assert thumb.page.locator("#cell-1").get_by_text("25").is_visible()
    assert thumb.page.evaluate("document.querySelector('form.fast').inert")
    assert "25" in thumb.page.evaluate(f"localStorage['draft /g/{game}/round']")


def test_a_draft_of_a_round_recorded_elsewhere_stays_with_a_notice(thumb, chromium, table):
    board = thumb.begin()
    other = Thumb(chromium, table, state=thumb.phone.storage_state())
    other.open(board)
    other.quick_round(25)
    table.record(board, (0, 10, 10, 10))
    other.page.reload()
    other.page.get_by_text("your draft of round 1").wait_for()

    assert other.held(1) == "25"

    other.page.get_by_role("button", name="Discard the draft").first.tap()
    other.page.wait_for_load_state()
    other.page.locator("form.fast").wait_for()

    assert other.held(1) == ""
    other.phone.close()


def test_a_saved_draft_leaves_the_heading_on_one_line(chromium, address, anna, game):
    anna.enter(game, 0, hand__1="12", hand__2="5", hand__3="8")
    phone = open_phone(chromium, address, anna, viewport=NARROW, has_touch=True)
    page = phone.new_page()
    page.goto(f"{game}/round/1/correct")
    page.locator("#cell-1").tap()
    page.locator(".digits [data-digit='4']").tap()
    page.get_by_text("Entwurf gespeichert").wait_for()
    heights = [page.locator(part).bounding_box()["height"] for part in (".bar", "h1")]
    phone.close()

    assert heights[0] <= 48 and heights[1] < 30


def test_who_ended_a_round_after_somebody_went_out_is_no_draft(thumb, table):
    """The form says by itself who is out."""
    board = thumb.plays("chinchon", SIX[:4])
    table.record(board, (0, 101, 10, 20))
    thumb.open(board)
    thumb.ends(2)
    assert thumb.stores("^draft")
    thumb.page.goto(board)
    thumb.page.wait_for_load_state("networkidle")

    assert thumb.page.locator("#asks").is_visible()
    assert not thumb.page.locator("#go-on").is_visible()
