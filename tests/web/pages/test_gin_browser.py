"""Entering rounds of gin with the on-screen keys, in a browser."""

import pytest

from patience import wait_until
from web.pages.phone import ABOVE_THE_FOOT, OVER, SHORT, SIX, SMALL, TALL

DESKTOP = (1280, 800)
HALF = """() => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const box = (part) => document.querySelector(part).getBoundingClientRect();
    const edges = [box(".line").bottom, box(".foot").top, innerHeight];
    const parts = document.querySelectorAll(
        ".bar, .line > *, .key, .seg label, .targets button, .chips, #result > *, .foot .btn, .why"
    );
    return [...parts].filter(shown).filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return edges.some((edge) => top < edge - 2 && bottom > edge + 2);
    }).map((one) => one.outerHTML.slice(0, 80));
}"""
"""What is cut by the line of the pad, by the foot or by the end of the screen."""


@pytest.mark.parametrize("thumb", [TALL, SHORT, SMALL, DESKTOP], indirect=True)
def test_a_round_of_gin_and_its_result_need_no_scrolling(thumb, anna_plays):
    thumb.open(anna_plays("gin-palast", SIX[:2]))
    thumb.ends(0)
    thumb.digits(2)
    thumb.press("#cell-0")
    thumb.digits(9)
    thumb.page.locator("#result").get_by_text("Undercut").first.wait_for()
    thumb.page.locator("#save:enabled").wait_for()

    assert thumb.page.evaluate(OVER) <= 0
    assert thumb.page.evaluate(ABOVE_THE_FOOT, ".line, .digits .key, #result p:not([hidden])")


@pytest.mark.parametrize("thumb", [TALL, SHORT, SMALL, DESKTOP], indirect=True)
def test_a_round_of_gin_in_teams_needs_no_scrolling(thumb, anna_plays):
    four = {"teams": True, "players.min": 4, "players.max": 4}
    thumb.open(anna_plays("gin-palast", SIX[:4], **four))
    thumb.ends(0)
    for seat, points in ((1, 24), (2, 3), (3, 12), (0, 8)):
        thumb.press(f"#cell-{seat}")
        thumb.digits(points)
    thumb.page.locator("#result .totals").wait_for()
    thumb.page.locator("#save:enabled").wait_for()

    assert thumb.page.evaluate(OVER) <= 0
    assert thumb.page.evaluate(ABOVE_THE_FOOT, ".line, .digits .key, #result .totals")


@pytest.mark.parametrize("thumb", [TALL, SHORT, SMALL], indirect=True)
def test_a_round_of_oklahoma_needs_no_scrolling(thumb, anna_plays):
    thumb.open(anna_plays("gin-palast", SIX[:2], **{"gin.oklahoma": True}))
    thumb.ends(0)

    assert thumb.page.evaluate(OVER) <= 0 or thumb.size == SHORT

    thumb.cards("8H")
    thumb.digits(2)
    thumb.press("#cell-0")
    thumb.digits(6)
    thumb.page.locator("#result .totals").wait_for()
    thumb.page.locator("#save:enabled").wait_for()

    assert thumb.page.evaluate(OVER) <= 0
    assert thumb.page.evaluate(ABOVE_THE_FOOT, ".line, .digits .key, #result .totals")


@pytest.mark.parametrize("names", [SIX[:2], ("Bartholomew", "Wilhelmina")])
@pytest.mark.parametrize("thumb", [SMALL], indirect=True)
def test_on_a_small_phone_nothing_of_gin_by_cards_is_cut(thumb, anna_plays, names):
    thumb.open(anna_plays("gin-palast", names))
    thumb.ends(0)
    thumb.way(1, "cards")
    key = thumb.page.locator("[data-pad=cards] [data-key='5H']")
    places = []
    for hand in ("7C 8C 9C KS KC KD QS QC QD AC", "7H 8H 9H 2S 2C 2D 4S 4C 4D 6C"):
        for card in hand.split():
            thumb.cards(card)
            places.append(key.bounding_box())
            if card == "4D":  # the round counts without the last one too, and the foot warns
                thumb.page.locator("#result h2").wait_for(state="attached")
            wait_until(
                lambda: thumb.page.evaluate(HALF) == [], lambda: thumb.page.wait_for_timeout(20)
            )
        if thumb.page.locator("#next").is_visible():
            thumb.press("#next")
    thumb.page.locator("#result h2").wait_for()
    thumb.page.locator("#save:enabled").wait_for()

    wait_until(lambda: thumb.page.evaluate(HALF) == [], lambda: thumb.page.wait_for_timeout(20))
    assert thumb.page.evaluate(ABOVE_THE_FOOT, ".line, [data-pad=cards] .key, #result h2")
    assert [round(place["y"]) for place in places] == [round(places[0]["y"])] * len(places)


def test_after_gin_the_keys_ask_for_what_the_other_player_has_left(thumb, anna_plays):
    thumb.open(anna_plays("gin-palast", SIX[:2]))
    thumb.ends(0)
    thumb.press("#cell-0")
    thumb.digits(9)
    thumb.press("label[for=how-gin]")

    assert thumb.held(0) == ""
    assert thumb.page.locator("#cell-1").get_attribute("aria-current") == "true"


@pytest.mark.parametrize("thumb", [SMALL], indirect=True)
def test_a_knock_and_its_points_are_both_seen_on_a_small_phone(thumb, anna_plays):
    thumb.open(anna_plays("knock-rummy", SIX[:3]))
    thumb.ends(0)
    for seat, points in ((1, 60), (2, 60), (0, 5)):
        thumb.press(f"#cell-{seat}")
        thumb.digits(points)
    cell = thumb.page.locator("#cell-0 b", has_text="+110")

    assert cell.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_the_oklahoma_card_is_one_card_and_leaves_the_names_in_sight(thumb, anna_plays):
    thumb.open(anna_plays("gin-palast", SIX[:2], **{"gin.oklahoma": True}))
    thumb.ends(0)

    assert thumb.page.locator("[data-tool=run]").is_disabled()

    thumb.ends(1)
    thumb.cards("7D")
    thumb.way(0, "cards")

    assert thumb.page.locator("[data-tool=run]").is_enabled()


def test_pressing_the_oklahoma_card_sets_the_limit(thumb, anna_plays):
    board = anna_plays("gin-palast", SIX[:2], **{"gin.oklahoma": True})
    thumb.open(board)
    thumb.ends(0)
    thumb.cards("7D")
    thumb.page.get_by_text("at most 7 points").wait_for()

    assert thumb.page.locator("[name=oklahoma_card]").input_value() == "7D"
    assert thumb.page.locator("#cell-1").get_attribute("aria-current") == "true"

    thumb.digits(20)
    thumb.press("#cell-0")
    thumb.digits(5)
    thumb.save()
    thumb.saved()
