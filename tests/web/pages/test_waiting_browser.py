"""What the board says while rounds wait: three games of gin, a game that is over, a draft."""

import os

import pytest
from playwright.sync_api import expect

from web.pages.phone import SIX, SMALL, TALL
from web.pages.test_offline_browser import enter_offline, wait_until_kept, waiting

pytestmark = pytest.mark.service_worker

SHOTS = os.environ.get("SHOTS", "")


def picture(thumb, name: str) -> None:
    if SHOTS:
        thumb.page.wait_for_timeout(400)
        thumb.page.screenshot(path=f"{SHOTS}/{name}-{thumb.size[0]}.png")


@pytest.fixture
def offline(thumb, anna_plays, network):
    """Begin a game, and lose the connection."""

    def begin(preset: str, players: tuple[str, ...], **options: object) -> str:
        board = anna_plays(preset, players, **options)
        wait_until_kept(thumb, board)
        network.cut(thumb)
        thumb.page.goto(board)
        return board

    return begin


def knock(thumb, number: int, winner: int, points: int, *, gin: bool = False) -> None:
    """Enter from the board a round of gin for two; who knocks has 1, or nothing with gin."""
    thumb.page.get_by_role("link", name=f"Enter round {number}", exact=True).tap()
    thumb.page.locator("form.fast").wait_for()
    thumb.page.get_by_role("heading", name=f"Round {number}", exact=True).wait_for()
    thumb.knock(winner, points, gin=gin)
    thumb.page.locator(f".pad tr.waits .nr:text-is('{number}')").wait_for()


HOLLYWOOD = ((0, 40), (0, 30), (1, 20), (0, 35), (0, 45))
"""N14: the fourth is gin."""


@pytest.mark.parametrize("thumb", [SMALL], indirect=True)
def test_three_games_of_gin_go_on_offline_and_end(thumb, table, offline, network):
    board = offline("gin-american", ("Anna", "Bernd"), **{"gin.hollywood": True})
    for number, (winner, points) in enumerate(HOLLYWOOD[:4], 1):
        knock(thumb, number, winner, points, gin=number == 4)
    lines = [
        [cell.strip() for cell in row.locator("td b").all_inner_texts()]
        for row in thumb.page.locator(".pad tr.waits:not(.note)").all()
    ]

    assert lines == [
        ["40", "", "", "", "", ""],
        ["70", "", "30", "", "", ""],
        ["", "20", "", "", "", ""],
        ["130", "", "90", "", "60", ""],
    ]
    assert thumb.totals() == ["130", "20", "90", "0", "60", "0"]
    assert thumb.page.locator(".pad thead .boxes").evaluate_all(
        "(all) => all.map((one) => one.children.length)"
    ) == [3, 1, 2, 1]
    assert "Anna +260" in thumb.page.locator(".pad tbody .games").inner_text()
    assert "305 to 45" in thumb.page.locator(".pad tbody .games").inner_text()
    heads = thumb.page.locator(".pad thead .games").inner_text()
    assert [words in heads for words in ("over", "10 to go", "40 to go")] == [True] * 3
    assert thumb.page.locator("#next strong").inner_text() == "Bernd deals 10 cards"
    picture(thumb, "hollywood-waits")

    knock(thumb, 5, 0, 45)
    expect(thumb.page.locator("#ended")).to_contain_text("Anna wins.")
    assert not thumb.page.locator("#asks").is_visible()
    assert not thumb.page.locator("#next").is_visible()
    for size in (TALL, SMALL):
        thumb.resize(size)
        assert thumb.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        picture(thumb, "hollywood-over")
    told = thumb.page.locator(".pad tbody .games").inner_text()

    thumb.waiting_round(5, "Withdraw")
    thumb.page.locator("#asks").wait_for()
    assert thumb.totals() == ["130", "20", "90", "0", "60", "0"]
    assert waiting(thumb) == ["1", "2", "3", "4"]
    knock(thumb, 5, 0, 45)

    network.mend()
    thumb.saved()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('5')").wait_for()
    assert table.rounds(board) == 5
    assert thumb.totals() == ["130", "20", "135", "0", "105", "0"]
    expect(thumb.page.locator("#over")).to_contain_text("Anna wins.")
    assert thumb.page.locator("#ended").is_hidden()
    assert "305" in thumb.page.locator(".finale").inner_text()
    assert "Anna +" in told


def test_the_draft_of_a_round_stands_below_three_games(thumb, anna_plays):
    board = anna_plays("gin-american", ("Anna", "Bernd"), **{"gin.hollywood": True})
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(24)
    thumb.page.goto(board)
    draft = thumb.page.locator(".pad tr.draft").first
    draft.wait_for()
    picture(thumb, "hollywood-draft")

    assert thumb.page.locator(".pad tbody .games").count() == 0
    assert " ".join(draft.inner_text().split()) == "1 Anna knock missing Bernd 24"


def test_a_game_that_ends_with_rounds_that_wait_asks_for_no_more(thumb, offline, table, network):
    options = {"end.mode": "points", "end.points": 50, "rank.measure": "minus"}
    board = offline("german-family", ("Anna", "Bernd", "Claire"), **options)
    thumb.page.get_by_role("link", name="Enter round 1", exact=True).tap()
    thumb.page.locator("form.fast").wait_for()
    thumb.ends(2)
    thumb.digits(30)
    thumb.next()
    thumb.digits(51)
    thumb.save()
    expect(thumb.page.locator("#ended")).to_contain_text("Claire wins.")
    picture(thumb, "over-waits")

    assert thumb.page.locator(".pad thead .place").all_inner_texts() == ["2nd", "3rd", "wins"]
    assert not thumb.page.locator("#asks").is_visible()

    network.mend()
    thumb.saved()
    expect(thumb.page.locator("#over")).to_contain_text("Claire wins.")
    assert table.rounds(board) == 1


def test_a_keyboard_goes_on_in_the_list_after_withdrawing_a_round(thumb, offline):
    offline("german-family", ("Anna", "Bernd", "Claire", "Dieter"))
    for number in (1, 2):
        enter_offline(thumb, 10, number)
    thumb.page.get_by_role("button", name="Change or withdraw").focus()
    for key in ("Enter", "Tab", "Tab", "Enter"):
        thumb.page.keyboard.press(key)
    button = thumb.page.get_by_role("button", name="Withdraw", exact=True)
    expect(button).to_have_count(1)

    expect(button).to_be_focused()


def test_two_winners_of_a_game_that_ended_without_the_server_are_both_named(thumb, offline):
    options = {"end.mode": "points", "end.points": 50, "rank.measure": "minus"}
    offline("german-family", ("Anna", "Bernd", "Claire"), **options)
    for number, points in enumerate(({1: 20, 2: 10}, {0: 20, 2: 45}), 1):
        thumb.page.get_by_role("link", name=f"Enter round {number}", exact=True).tap()
        thumb.page.locator("form.fast").wait_for()
        thumb.page.get_by_role("heading", name=f"Round {number}", exact=True).wait_for()
        thumb.ends(number - 1)
        for seat, left in points.items():
            thumb.press(f"#cell-{seat}")
            thumb.digits(left)
        thumb.save()

    expect(thumb.page.locator("#ended")).to_contain_text("Anna and Bernd win.")


def test_who_has_laid_nothing_pays_offline_what_that_costs(thumb, offline, table, network):
    board = offline("remi-51", ("Anna", "Bernd", "Claire"), **{"score.not_laid": 100})
    thumb.page.get_by_role("link", name="Enter round 1", exact=True).tap()
    thumb.page.locator("form.fast").wait_for()
    thumb.ends(0)
    thumb.page.locator("[name=laid-1]").select_option("no")
    thumb.next()
    thumb.page.locator("[name=laid-2]").select_option("yes")
    thumb.digits(12)
    picture(thumb, "not-laid-form")
    thumb.save()
    thumb.page.locator(".pad tr.waits .nr:text-is('1')").wait_for()

    assert thumb.totals() == ["0", "100", "12"]  # N62

    network.mend()
    thumb.saved()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('1')").wait_for()
    assert table.rounds(board) == 1
    assert thumb.totals() == ["0", "100", "12"]


def test_contracts_laid_are_counted_while_rounds_wait(thumb, offline, table, network):
    board = offline("phases", ("Anna", "Bernd", "Claire"))
    thumb.page.get_by_role("link", name="Enter round 1", exact=True).tap()
    thumb.page.locator("form.fast").wait_for()
    thumb.ends(0)
    thumb.digits(55)
    thumb.press(".current label.switch:has([name=laid-1])")
    thumb.next()
    thumb.digits(20)
    thumb.save()
    thumb.page.locator(".pad tr.waits .nr:text-is('1')").wait_for()

    heads = thumb.page.locator(".pad thead th")
    assert heads.locator(".also").all_inner_texts() == ["1 laid", "1 laid", "0 laid"]
    assert heads.locator(".place").all_inner_texts() == ["leads", "2nd", "3rd"]

    network.mend()
    thumb.saved()
    thumb.page.locator(".pad tr:not(.next) .nr a:text-is('1')").wait_for()
    assert table.rounds(board) == 1
    assert heads.locator(".also").all_inner_texts() == ["1 laid", "1 laid", "0 laid"]
    assert heads.locator(".place").all_inner_texts() == ["leads", "2nd", "3rd"]


@pytest.mark.parametrize(
    ("preset", "first", "second"),
    [
        ("contract-rummy", "2 sets of 3", "one set of 3 or more and one run of 4 or more"),
        ("three-thirteen", "3 wild", "4 wild"),
        ("phases", "Anna: phase 1 of 10", "Anna: phase 2 of 10, one set of 3 or more and one run"),
    ],
)
def test_the_next_form_shows_the_row_of_the_plan_after_those_that_wait(
    thumb, offline, preset: str, first: str, second: str
) -> None:
    offline(preset, ("Anna", "Bernd", "Claire"))
    contracts = thumb.page.locator(".contracts")

    thumb.page.get_by_role("link", name="Enter round 1", exact=True).tap()
    expect(contracts).to_contain_text(first)
    thumb.ends(0)
    thumb.digits(20)
    thumb.press("#cell-2")
    thumb.digits(35)
    thumb.save()
    thumb.page.get_by_role("link", name="Enter round 2", exact=True).tap()

    expect(contracts).to_contain_text(second)
    assert thumb.page.evaluate("scrollY") == 0  # the message below the form hides nothing above it


FULL = "Storage.prototype.setItem = null"


def test_a_round_for_which_the_browser_has_no_room_waits_in_the_open_form(thumb, table, network):
    board = thumb.begin()
    wait_until_kept(thumb, board)
    thumb.page.add_init_script(FULL)
    thumb.open(board)
    network.cut(thumb)
    thumb.quick_round(10)
    thumb.save()
    thumb.page.get_by_role("heading", name="Round 2", exact=True).wait_for()
    thumb.page.get_by_text("Keep this page open.").first.wait_for()
    thumb.page.locator(".bar .back").tap()
    thumb.page.locator("[data-state=stays]").get_by_text("with full storage").wait_for()

    assert thumb.page.url == f"{board}/round"

    network.mend()
    thumb.saved()

    assert table.rounds(board) == 1
    assert thumb.totals() == ["0", "10", "10", "10"]


def test_a_waiting_round_is_not_changed_where_that_could_not_be_stored(
    thumb, offline, table, network
):
    board = offline("german-family", SIX[:4])
    enter_offline(thumb, 10, 1)
    thumb.page.evaluate(FULL)
    thumb.waiting_round(1, "Change")
    thumb.page.locator("[data-state=stays]").get_by_text("with full storage").wait_for()

    assert thumb.page.url.partition("#")[0].endswith(board)

    thumb.page.reload()
    thumb.waiting_round(1, "Change")
    thumb.page.get_by_role("heading", name="Round 1", exact=True).wait_for()

    assert thumb.held(1) == "10"

    thumb.page.evaluate(FULL)
    thumb.press("#cell-1")
    thumb.digits(25)
    thumb.save()
    thumb.page.get_by_role("heading", name="Round 2", exact=True).wait_for()
    thumb.page.get_by_text("one round is waiting here").wait_for()
    network.mend()
    thumb.saved()

    assert table.rounds(board) == 1
    assert thumb.totals() == ["0", "25", "10", "10"]


def test_a_withdrawn_correction_lets_its_form_go_where_the_browser_had_no_room(
    thumb, table, network
):
    board = thumb.begin_after((0, 10, 10, 10))
    wait_until_kept(thumb, board)
    thumb.page.add_init_script(FULL)
    thumb.page.goto(f"{board}/round/1/correct")
    thumb.page.locator("form.fast").wait_for()
    thumb.press("#cell-1")
    thumb.digits(25)
    thumb.page.wait_for_load_state("networkidle")
    network.cut(thumb)
    thumb.save()
    thumb.page.get_by_text("Keep this page open.").first.wait_for()
    thumb.waiting_round(1, "Withdraw")
    thumb.page.locator("form.fast:not([inert])").wait_for()

    assert thumb.held(1) == "10"

    network.mend()
    thumb.page.get_by_text("one round is waiting here").wait_for(state="hidden")
    thumb.page.locator(".bar .back").tap()
    thumb.page.locator(".pad").wait_for()

    assert thumb.totals() == ["0", "10", "10", "10"]
