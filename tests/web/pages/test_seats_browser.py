"""Three at gin and eight at rommé in a browser: what is asked, and that all of it has room."""

import pytest

import short
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from web.pages.phone import ABOVE_THE_FOOT, OVER, SIX, SMALL, TALL
from web.pages.test_letters_browser import flaws

EIGHT = (*SIX, "Gustav", "Hanna")


@pytest.fixture
def three(anna_plays):
    """Anna deals, and Bernd sits out first."""
    return anna_plays("gin-palast", EIGHT[:3], **{"players.max": 3})


def knock(thumb, board: str, knocker: int, points: int, other: int, others: int) -> None:
    """Press who has knocked on the board, and enter what both have left."""
    thumb.page.goto(board)
    thumb.page.locator(f".names a[href$='ender={knocker}']").tap()
    thumb.page.locator("form.fast").wait_for()
    for seat, left in ((knocker, points), (other, others)):
        thumb.press(f"#cell-{seat}")
        thumb.digits(left)
    thumb.page.locator("#result .totals").wait_for()


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_an_evening_of_three_asks_nothing_of_who_sits_out(thumb, three):
    page = thumb.page
    for knocker, points, other, others in ((0, 5, 2, 30), (1, 8, 0, 20), (2, 9, 1, 4)):
        (idle,) = {0, 1, 2} - {knocker, other}
        knock(thumb, three, knocker, points, other, others)

        assert page.locator("#next").is_hidden()
        assert page.locator("#why").inner_text().strip() == "All entered."
        assert page.locator(f"#cell-{idle}").inner_text().split() == [EIGHT[idle], "–"]
        assert page.evaluate(OVER) <= 0
        assert page.evaluate(ABOVE_THE_FOOT, ".line, .digits .key, #result .totals")
        thumb.save()
        thumb.saved()

    assert thumb.totals() == ["35", "57", "0"]
    assert page.locator(".names .out").inner_text().split() == ["Claire", "sits", "out"]
    page.goto(f"{three}/round")
    assert page.locator("label[for=ender-2]").is_hidden()
    assert page.locator("label[for=ender-0]").is_visible()


def test_another_one_sits_out_with_two_presses(thumb, three):
    page = thumb.page
    thumb.open(three)
    thumb.ends(0)
    page.locator(".asks-way label[for$=-points]:visible").first.tap()
    for seat in (2, 1):
        thumb.press(f"#cell-{seat}")
        thumb.press("#more")
        page.locator(f"label:has([name=absent-{seat}])").tap()
        thumb.press("#more")
    thumb.press("#cell-0")
    thumb.digits(5)
    thumb.next()
    thumb.digits(30)
    thumb.save()
    thumb.saved()

    assert page.locator(".pad td.away").get_attribute("data-of") == "Claire"


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True)
def test_nobody_is_out_and_all_enter_their_hands(thumb, anna_plays):
    board = anna_plays("german-family", EIGHT[:3], **{"stock.exhausted": "count"})
    page = thumb.page
    page.goto(board)
    page.locator(".names a[href$='ender=none']").tap()
    page.locator("form.fast").wait_for()

    assert page.locator("#won b").inner_text() == "Nobody out: all count their hands"
    assert page.locator(".who-ended .switch").is_hidden()

    for points in (12, 35, 7):
        thumb.digits(points)
        if points != 7:
            thumb.next()
    thumb.save()
    thumb.saved()

    assert thumb.totals() == ["12", "35", "7"]


AWAY, ALL_COUNT = {"absent": True}, {"stock.exhausted": "count"}
KNOCKED = {"outcome": "knock", "knocker": 0, "seats": [{"deadwood": 2}, AWAY, {"deadwood": 9}]}
NOBODY_OUT = {"outcome": "count", "seats": [AWAY, AWAY, {"points": 5}, {"points": 6}]}


@pytest.mark.parametrize(
    ("preset", "options", "rounds"),
    [
        ("chinchon", {}, [short.body(0, 160, 5, 5), short.body(0, None, 5, 6)]),
        ("german-family", {}, [short.body(0, None, 5, 6)]),
        ("german-family", ALL_COUNT, [NOBODY_OUT]),
        ("gin-palast", {"players.max": 3}, [KNOCKED]),
    ],
    ids=["out", "away", "away, and nobody won", "sits out"],
)
def test_a_full_round_is_opened_at_the_next_player_who_played(
    thumb, table, preset, options, rounds
):
    board = thumb.plays(preset, SIX[: len(rounds[0]["seats"])], **options)
    for number, played in enumerate(rounds):
        short.written(
            table.app.extensions["ledger"], board[3:], load_round(played).round, str(number)
        )
    thumb.page.goto(f"{board}/round/{len(rounds)}/correct")
    thumb.page.locator("form.fast").wait_for()

    assert thumb.page.locator(".line [aria-current] .who").inner_text() == "Claire"
    assert thumb.page.locator("[data-pad=points]").is_visible()


def test_nothing_is_asked_of_the_ninth_player_who_is_out(thumb, table):
    """Four of five have given up their places; Ida is out, and may come back."""
    board = thumb.plays("kalooki", EIGHT[:5])
    ledger = table.app.extensions["ledger"]
    for seat, name in enumerate(("Frieda", "Gustav", "Hanna", "Ida")):
        games.add_player(ledger, board[3:], name, Write(key=name), in_place_of=seat)
    short.record(ledger, board[3:], None, None, None, None, 0, 5, 6, 7, 160)
    thumb.page.goto(f"{board}/round?ender=4")
    thumb.page.locator("#back-8").wait_for()

    for name in ("Frieda", "Gustav", "Hanna"):
        assert thumb.page.locator(".line [aria-current] .who").inner_text() == name
        thumb.digits(5)
        if name != "Hanna":
            thumb.next()
    assert thumb.page.locator("#next").is_hidden()
    assert thumb.page.locator("label[for=ender-8]").is_hidden()


def test_the_sixth_of_six_does_not_knock_when_away(thumb):
    thumb.page.goto(thumb.plays("knock-rummy", SIX) + "/round")
    sixth = thumb.page.locator("label[for=ender-5]")
    assert sixth.is_visible()

    thumb.page.locator("[name=absent-5]").evaluate("box => box.click()")
    sixth.wait_for(state="hidden")
    assert thumb.page.locator("label[for=ender-4]").is_visible()


def test_an_eleventh_column_of_somebody_who_left_is_no_draft(thumb, table):
    board = thumb.plays("german-family", EIGHT[:5])
    ledger = table.app.extensions["ledger"]
    for seat in range(4, 11):
        name = f"Guest {seat}"
        games.add_player(
            ledger, board[3:], name, Write(key=name), in_place_of=seat if seat > 4 else 0
        )
    thumb.page.goto(f"{board}/round?ender=1")
    thumb.page.locator("form.fast").wait_for()
    assert thumb.page.locator("[name=absent-10]").is_checked()
    thumb.page.locator("#ender-2").evaluate("one => one.click()")  # is kept for later
    thumb.page.goto(board)
    thumb.page.locator(".names a").first.wait_for()
    assert thumb.page.locator(".pad .draft").count() == 0


def test_an_open_board_of_six_has_the_layout_for_a_seventh_who_joins(thumb, table, anna_plays):
    """The seventh takes the place of a player who leaves; both have a column."""
    board = anna_plays("german-family", SIX)
    page = thumb.page
    page.goto(board)
    assert page.locator("link[href*='many.css']").count() == 0

    ledger = table.app.extensions["ledger"]
    games.add_player(ledger, board[3:], "Gustav", Write(key="joins"), in_place_of=2)
    page.evaluate("document.dispatchEvent(new Event('sent'))")
    page.locator(".pad.crowd").wait_for()

    assert page.locator("link[href*='many.css']").count() == 1


@pytest.mark.long
def test_every_page_has_room_for_eight_and_for_large_letters(thumb, anna_plays):
    board = anna_plays("german-family", EIGHT, **{"players.max": 8})
    page = thumb.page
    for winner in (7, 0):
        thumb.open(board)
        thumb.ends(winner)
        for _ in range(7):
            thumb.digits(87)
            if page.locator("#next").is_visible():
                thumb.next()
        thumb.save()
        thumb.saved()
    found = []
    for path in ("", "/round", "/round?ender=3", "/settlement", "/round/1", "/more", "/points"):
        page.goto(board + path)
        found += [f"{path}: {one}" for one in flaws(page)]

    print(*found, sep="\n")
    assert found == []
