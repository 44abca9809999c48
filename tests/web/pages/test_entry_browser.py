"""Entering rounds with the on-screen keys, in a browser."""

from collections import Counter
from itertools import cycle

import pytest

from rest import EVENING
from scorekeeper.domain.cards.card import card_named
from scorekeeper.domain.rounds.facts import LayOff, MeldRef, Swap
from web.pages.phone import (
    ABOVE_THE_FOOT,
    EXPECTED,
    FOUR_MELDS,
    SHORT,
    SIX,
    SMALL,
    SUITS,
    TALL,
    THIRTEEN,
    Thumb,
    boxes,
)
from web.pages.walk import violations

# ---- three speeds ------------------------------------------------------------------


def bare(card: str) -> str:
    return card if card == "JK" else card.rstrip("CDHS")


def worth(points: int) -> list[str]:
    """Return the ranks of cards with a value."""
    tens = cycle(("K", "Q", "J", "10"))
    ranks = [next(tens) for _ in range((points - 2) // 10)]
    rest = points - 10 * len(ranks)
    return ranks + ([next(tens)] if rest == 10 else ["A"] if rest == 11 else [str(rest)])


def suited(ranks: list[str], used: Counter) -> list[str]:
    """Return cards of these ranks that are left of two packs."""
    cards = []
    for rank in ranks:
        free = (f"{rank}{suit}" for suit in SUITS if used[f"{rank}{suit}"] < 2)
        card = rank if rank == "JK" or bare(rank) != rank else next(free)
        used[card] += 1
        cards.append(card)
    return cards


def tap_round(thumb: Thumb, speed: str, played, minus: list[int]) -> None:
    """Enter one round of the evening, hands as points, ranks or cards."""
    doubled = 2 if played.get("hand_romme") else 1
    used = Counter(
        card for said in played["seats"] for meld in said.get("melds", ()) for card in meld.split()
    )
    thumb.ends(played["winner"])
    if doubled == 2:
        thumb.press(f"#cell-{played['winner']}")
        thumb.press("label.switch:has([name=hand_romme])")
        thumb.next()
    left = [(played["winner"] + step) % 4 for step in (1, 2, 3)]
    for seat in left:
        points = minus[seat] // doubled
        hand = played["seats"][seat].get("hand", "").split() or worth(points)
        thumb.way(seat, speed)
        if speed == "points":
            thumb.digits(points)
        elif speed == "ranks":
            thumb.ranks(*map(bare, hand))
        else:
            thumb.cards(*suited(hand, used))
        if seat != left[-1]:
            thumb.next()
    melds = played["seats"][played["winner"]].get("melds", ())
    if speed == "cards" and melds:
        thumb.press(f"#cell-{played['winner']}")
        thumb.turn_to("Melds")
        for place, meld in enumerate(melds):
            if place:
                thumb.press("[data-tool=meld]")
            thumb.cards(*meld.split())
        thumb.turn_to("Discarded")
        thumb.cards(played["seats"][played["winner"]]["discard"])
    thumb.save()
    thumb.saved()


SPEEDS = (("ranks", TALL), ("cards", TALL), ("points", SMALL))


@pytest.mark.long
@pytest.mark.service_worker
def test_the_reference_evening_can_be_tapped_at_any_speed(anywhere):
    """The ways to enter hands take turns; the hand rommé with its melds comes in cards."""
    thumb = anywhere
    board = thumb.begin("A", "B", "C", "D")
    rounds = zip(EVENING["rounds"], EXPECTED["minus"], strict=True)
    for (played, minus), (speed, size) in zip(rounds, cycle(SPEEDS), strict=False):
        thumb.resize(size)
        thumb.open(board)
        tap_round(thumb, speed, played, minus)
    totals = thumb.page.locator(".pad .total").all_inner_texts()

    assert totals == [str(total) for total in EXPECTED["totals"]]


def test_thirteen_cards_take_thirteen_presses_and_a_run_takes_three(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, "cards")
    thumb.presses = 0
    thumb.cards(*THIRTEEN.split())

    assert thumb.presses <= 13
    assert thumb.held(1) == THIRTEEN

    thumb.next()
    thumb.way(2, "cards")
    thumb.press("[data-tool=run]")
    thumb.cards("10H", "AH")

    assert thumb.held(2) == "10H JH QH KH AH"


# ---- the keys ----------------------------------------------------------------------


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("thumb", [SHORT, SMALL], indirect=True, ids=["390x664", "320x640"])
def test_counting_needs_no_scrolling_and_no_small_keys(thumb, chromium, table, players):
    board = thumb.begin(*SIX[:players])
    counts_without_scrolling(thumb, board)
    for language in ("de-DE", "fr-FR", "lb-LU"):
        phone = Thumb(chromium, table, thumb.size, language=language)
        phone.phone.add_cookies(thumb.phone.cookies())
        counts_without_scrolling(phone, board)
        phone.phone.close()


BROKEN = """(parts) => [...document.querySelectorAll(parts)].flatMap((one) => {
    const text = [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
    return [...(text?.data ?? "").matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1;
    });
}).flat()"""
"""The words of these elements that are broken between two lines."""


LEAST = """(parts) => Math.min(...[...document.querySelectorAll(parts)].flatMap((one) => {
    const { width, height } = one.getBoundingClientRect();
    return [width, height];
}))"""
"""The shortest side of these elements."""


def counts_without_scrolling(thumb, board) -> None:
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(12)
    for pad in ("points", "ranks"):
        thumb.way(1, pad)
        height = thumb.page.evaluate("document.documentElement.scrollHeight - innerHeight")
        width = thumb.page.evaluate("document.documentElement.scrollWidth - innerWidth")

        assert (height, width) <= (0, 0), pad
        assert thumb.page.evaluate(BROKEN, ".line .who + *, .current .seg span") == [], pad
        assert 48 <= thumb.page.evaluate(LEAST, f"[data-pad={pad}] .key") < thumb.size[0], pad


def test_the_whole_pack_fits_a_tall_phone(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, "cards")
    thumb.cards(*THIRTEEN.split())
    thumb.page.locator("#working-1 output").wait_for()
    thumb.page.wait_for_function(
        """() => {
          const box = (part) => document.querySelector(part).getBoundingClientRect();
          const last = [...document.querySelectorAll("[data-pad=cards] .key")].at(-1);
          return last.getBoundingClientRect().bottom <= box("#foot").top && box("#line").top >= 0;
        }"""
    )
    keys = thumb.page.locator("[data-pad=cards] .key")

    assert min(key.bounding_box()["height"] for key in keys.all()) >= 48


@pytest.mark.parametrize("thumb", [SMALL], indirect=True)
def test_the_whole_pack_and_the_button_are_seen_on_a_small_phone(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, "cards")
    thumb.cards("7H", "KS")
    thumb.page.locator("#working-1 output").wait_for()
    thumb.page.wait_for_function(ABOVE_THE_FOOT, arg=".line, .current .chips, .deck .key")
    line, tabs = boxes(thumb.page, ".line", ".current .targets")
    assert tabs["height"]
    assert tabs["bottom"] <= line["bottom"]  # all of the tabs, or nothing
    thumb.press("#next")
    thumb.page.wait_for_function(ABOVE_THE_FOOT, arg=".line, .current .chips, .deck .key")


def test_keys_show_the_cards_entered_and_are_disabled_after_the_last(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, "cards")
    king = thumb.page.locator("[data-pad=cards] [data-key=KH]")
    thumb.cards("KH", "KH")

    assert king.locator(".count").inner_text() == "2"
    assert king.is_disabled()

    thumb.press("[data-pad=cards] [data-tool=back]")

    assert thumb.held(1) == "KH"
    assert king.is_enabled()

    thumb.page.get_by_role("button", name="Remove king of hearts").tap()

    assert thumb.held(1) == ""


def test_a_german_reader_presses_bube_dame_koenig(chromium, table):
    thumb = Thumb(chromium, table, language="de-DE")
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, "ranks")
    thumb.ranks("J", "Q", "K", "A", "JK")

    assert thumb.held(1) == "B D K A JK"

    thumb.way(1, "cards")
    thumb.cards("KrD", "HK")
    thumb.page.locator("#working-1 output").get_by_text("20").wait_for()

    assert thumb.held(1) == "KrD HK"

    thumb.way(1, "ranks")

    assert thumb.held(1) == "B D K A JK"
    thumb.phone.close()


def test_melds_are_checked_while_they_are_entered(anywhere):
    thumb = anywhere
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.press("#cell-0")
    thumb.turn_to("Melds")
    thumb.cards("8H", "9H", "JK")
    thumb.press("[data-tool=meld]")
    thumb.cards("7H", "7S", "7D")
    thumb.page.locator("#working-0 figure").nth(1).get_by_text("Set").wait_for()

    assert thumb.page.locator("#working-0 figcaption").first.inner_text().startswith("Run 27")
    assert thumb.page.locator("[name=melds-0]").input_value() == "8H 9H JK\n7H 7S 7D"

    thumb.press("[data-pad=cards] [data-tool=back]")
    thumb.cards("7H")
    refused = thumb.page.locator("#working-0 .bad figcaption")
    refused.filter(has_text="Not a set: hearts twice.").wait_for()


def test_full_melds_end_by_themselves(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.press("#cell-0")
    thumb.turn_to("Melds")
    thumb.presses = 0
    thumb.cards(*FOUR_MELDS.split())
    said = thumb.page.locator("#working-0 figcaption")
    said.nth(3).get_by_text("Run").wait_for()

    assert [text.split()[0] for text in said.all_inner_texts()] == ["Set", "Run", "Set", "Run"]
    assert thumb.page.locator("#working-0 .bad").count() == 0
    assert thumb.presses == 13


def test_a_lay_off_takes_two_presses_and_is_checked_at_once(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(12)
    for seat in (1, 2):
        thumb.press(f"#cell-{seat}")
        thumb.way(seat, "cards")
        thumb.cards("KS")
    thumb.press("#cell-1")
    thumb.turn_to("Melds")
    thumb.cards("7H", "8H", "JK")
    thumb.page.locator("#working-1 figure").get_by_text("Run").wait_for()
    thumb.press("#cell-2")
    thumb.turn_to("Laid off")
    thumb.presses = 0
    thumb.cards("6H")
    thumb.page.get_by_text("6 of hearts: where to?").wait_for()
    thumb.press("#onto [data-onto='2.1']")

    assert thumb.presses == 2
    assert thumb.page.locator("[name=layoffs-2]").input_value() == "6H 2.1"

    thumb.page.locator("#onto [data-onto] .card").nth(3).wait_for(state="attached")
    thumb.cards("2C")
    thumb.press("#onto [data-onto='2.1']")
    thumb.page.locator("#why .said").get_by_text("2 of clubs").wait_for()
    thumb.press("[data-pad=cards] [data-tool=back]")
    thumb.turn_to("Swapped for jokers")
    thumb.cards("9H")
    thumb.press("#onto [data-onto='2.1']")
    thumb.save()
    thumb.saved()
    row = table.app.extensions["ledger"].game(board.rsplit("/", 1)[1]).sheet.row(1)
    bernds = MeldRef(1, 0)

    assert row.round.seats[2].layoffs == (LayOff(card_named("6H"), bernds),)
    assert row.round.seats[2].swaps == (Swap(card_named("9H"), bernds),)


@pytest.mark.parametrize("thumb", [SMALL], indirect=True)
def test_a_caught_glass_is_entered_behind_more(thumb, anna_plays, table):  # RULES 7.4.11
    board = anna_plays("gin-palast", SIX[:2], **{"gin.glass": True})
    thumb.open(board)
    thumb.ends(0)
    thumb.digits(24)
    thumb.press("#cell-0")
    thumb.digits(8)
    thumb.press("#more")
    thumb.page.locator("select[name=glass_by-0]").select_option("0")
    thumb.page.locator("select[name=glass_call-0]").select_option("group:7")
    thumb.press("#more")
    thumb.save()
    thumb.saved()

    game = table.app.extensions["ledger"].game(board.rsplit("/", 1)[1])
    (attempt,) = game.sheet.rows[0].round.glass
    assert (attempt.by, attempt.hit) == (0, True)


def test_keys_do_not_move_while_entering(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    ace = thumb.page.locator("[data-pad=cards] [data-key=AC]")
    thumb.press("#cell-0")
    thumb.turn_to("Melds")
    place = ace.bounding_box()
    thumb.cards("8H", "9H")
    why = thumb.page.locator("#why", has_text="9 of hearts")  # the first card alone is judged too
    why.wait_for()

    assert ace.bounding_box() == place
    assert why.inner_text().startswith("Not possible: 8 of hearts, 9 of hearts")


def test_the_last_digit_of_a_correction_can_be_taken_back(thumb):
    board = thumb.begin()
    thumb.open(board)
    thumb.quick_round(12)
    thumb.press("#cell-2")
    thumb.press(".digits [data-tool=back]")
    thumb.digits(9)

    assert thumb.held(2) == "19"

    thumb.press("#cell-2")
    thumb.press(".digits [data-digit='+']")
    thumb.digits(5)

    assert thumb.held(2) == "19+5"


@pytest.mark.parametrize(
    ("thumb", "players", "way"),
    [(TALL, 4, "cards"), (SMALL, 6, "points"), (SMALL, 6, "ranks"), (SMALL, 4, "cards")],
    indirect=["thumb"],
)
def test_a_hand_romme_can_be_marked_after_the_winner(thumb, table, players, way):
    board = thumb.begin(*SIX[:players])
    thumb.open(board)
    thumb.ends(0)
    thumb.way(1, way)
    thumb.press("label.switch:has([name=hand_romme])")

    assert thumb.page.locator("[name=hand_romme]").is_checked()


@pytest.mark.parametrize("thumb", [SMALL], indirect=True)
def test_a_warning_that_is_cut_off_can_be_opened(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    for seat in (1, 2, 3):
        thumb.digits(200)
        if seat < 3:
            thumb.next()
    warned = thumb.page.locator("#why .warned", has_text="Dieter")
    warned.wait_for()
    is_cut = "node => node.scrollHeight > node.clientHeight + 1"

    assert warned.evaluate(is_cut)

    thumb.page.get_by_role("button", name="Show all").tap()

    assert not warned.evaluate(is_cut)


def test_gin_is_one_press(thumb, anna_plays, table):
    board = anna_plays("gin-palast", SIX[:2])
    thumb.open(board)
    thumb.ends(0)
    thumb.press("label[for=how-gin]")
    thumb.digits(24)
    thumb.page.locator("#result").get_by_text("+24").wait_for()
    thumb.save()
    thumb.saved()

    assert thumb.presses == 6  # one says how to enter: it is the first round of this phone
    assert thumb.page.locator(".pad .total").all_inner_texts() == ["59", "0"]


def test_the_keys_have_no_accessibility_violations(thumb):
    thumb.open(thumb.begin())
    found = []

    def look() -> None:
        found.extend(violations(thumb.page))

    thumb.ends(0)
    thumb.digits(12)
    look()
    thumb.way(1, "ranks")
    thumb.ranks("K", "K", "9", "JK")
    look()
    thumb.press("#cell-0")
    thumb.turn_to("Melds")
    thumb.cards("7S", "8S", "9S", "7H", "7H")
    look()
    thumb.press("#cell-2")
    thumb.way(2, "cards")
    thumb.turn_to("Laid off")
    thumb.cards("10S")
    look()
    thumb.press("#more")
    look()

    assert found == []
