"""Cards are photographed, recognised, corrected by tapping and saved, in a browser.

The photographs are scenes made by ``tools/cardvision``. Whatever the networks misread is put right
by tapping, so that these tests hold for better and for worse ones.
"""

import io
from collections import Counter
from collections.abc import Sequence

import pytest
from PIL import Image

from pictures import scene, stored
from scorekeeper.camera import is_installed
from scorekeeper.domain.cards.card import card_named
from scorekeeper.web.api import photographs
from scorekeeper.web.background import in_pool_unless
from web.pages.phone import ABOVE_THE_FOOT, SIX, SMALL, TALL, Thumb
from web.pages.walk import AXE, RULES, RUN, open_phone

HAND = "5S QC 7H KS 6S JH 10C 5H KC 6H 6S JK 10D"
MELDS = ["5H 6H 7H", "KS KH KD", "9C 10C JC QC"]
GIN = ("4C 5C 6C 9H 9S 9D JD", "QD KD 2H")
TWINS = "8D 9S 9S 3C QH"
FLAWS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def begun(thumb: Thumb, system: str, names: Sequence[str] = SIX[:3]) -> str:
    """Begin a game of some system."""
    thumb.page.goto(thumb.plays(system, names))
    board = thumb.page.url
    thumb.open(board)  # sets the cookie of forms
    return board


def take(thumb: Thumb, picture: bytes) -> None:
    """Give a photograph to the button of the player being entered."""
    button = thumb.page.locator(".current .photo input")
    button.set_input_files({"name": "cards.jpg", "mimeType": "image/jpeg", "buffer": picture})
    thumb.page.locator(".photo-foot .btn:not(.main):enabled").wait_for()


def choose(thumb: Thumb, picture: bytes) -> None:
    """Answer every file chooser with a photograph.

    Call it before the page is opened: a chooser that opens while the browser has not yet been told
    is lost.
    """
    chosen = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": picture}
    thumb.page.on("filechooser", lambda chooser: chooser.set_files(chosen))


def read(thumb: Thumb) -> list[str]:
    """Return the cards shown, row by row, in English notation."""
    rows = thumb.page.locator(".photo-view .read .cards").all()
    return [" ".join(map(card_of, row.locator(".card").all())) for row in rows]


def card_of(card) -> str:
    face = card.locator(".face")
    suit = face.locator("use")
    rank = face.inner_text().strip()
    return f"{rank}{suit.get_attribute('href')[1:]}" if suit.count() else "JK"


def tap(thumb: Thumb, place: int) -> None:
    thumb.page.locator(".photo-view .read button").nth(place).tap()


def replace(thumb: Thumb, place: int, card: str) -> None:
    """Change a card with a tap on it and one on a key."""
    tap(thumb, place)
    thumb.page.locator(f".deck [data-key='{card}']").tap()
    thumb.page.locator(".photographed:not(.choosing)").wait_for()


def put_right(thumb: Thumb, wanted: list[str]) -> None:
    """Correct what was misread; all cards have been found."""
    place = 0
    for number, row in enumerate(wanted):
        for column, card in enumerate(row.split()):
            if read(thumb)[number].split()[column] != card:
                replace(thumb, place, card)
            place += 1

    assert read(thumb) == wanted


def use(thumb: Thumb) -> None:
    thumb.page.locator(".photo-foot .main").tap()
    thumb.page.locator("form:not(.photographed)").wait_for()


def recorded(table, board: str):
    """Return the facts of the last round."""
    ledger = table.app.extensions["ledger"]
    return ledger.game(board.rsplit("/", 1)[1]).sheet.rows[-1].round


def cards(text: str) -> Counter:
    return Counter(map(card_named, text.split()))


def test_the_empty_tray_says_how_to_photograph(thumb):
    hint = "() => getComputedStyle(document.querySelector('.current .chips'), '::after').content"
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, "cards")

    assert "a photo that shows a corner of each" in thumb.page.evaluate(hint)

    thumb.cards("9H")

    assert thumb.page.evaluate(hint) == "none"


def test_a_hand_of_thirteen_is_photographed_corrected_and_saved(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.ends(0)
    take(thumb, scene("hand-of-thirteen"))
    found = read(thumb)

    assert thumb.held(1) == " ".join(found), "the cards stand in the field at once"
    assert len(thumb.held(1).split()) == 13

    put_right(thumb, ["5S QC 7H KS 6S JH", "10C 5H KC 6H 6S JK 10D"])
    replace(thumb, 0, "4S")
    replace(thumb, 0, "5S")
    thumb.page.locator(".current .working output").wait_for()

    assert table.rounds(board) == 0, "nothing is saved by itself"

    use(thumb)

    assert thumb.held(1) == HAND

    for _ in (2, 3):
        thumb.next()
        thumb.way(int(thumb.page.locator(".current").get_attribute("data-seat")), "points")
        thumb.digits(5)
    thumb.save()
    thumb.saved()

    assert Counter(recorded(table, board).seats[1].hand) == cards(HAND)


def test_a_hand_in_a_system_with_a_wild_rank_is_photographed_and_saved(thumb, table):
    board = begun(thumb, "indian-pool")
    thumb.open(board)
    thumb.ends(0)
    take(thumb, scene("hand-of-thirteen"))
    put_right(thumb, ["5S QC 7H KS 6S JH", "10C 5H KC 6H 6S JK 10D"])
    use(thumb)

    thumb.page.locator("select[name=wild]").select_option("6")
    thumb.next()
    thumb.way(int(thumb.page.locator(".current").get_attribute("data-seat")), "points")
    thumb.digits(5)
    thumb.save()
    thumb.saved()

    facts = recorded(table, board)
    assert Counter(facts.seats[1].hand) == cards(HAND)
    assert str(facts.wild and facts.wild.rank) == "6"


def test_the_photograph_is_read_with_the_packs_of_those_who_play(thumb, table):
    six = begun(thumb, "contract-rummy", SIX)
    thumb.open(six)
    url = thumb.page.locator("#photo").get_attribute("data-url")

    assert url.endswith("?packs=3&jokers=2")

    thumb.ends(0)
    take(thumb, scene("hand-of-thirteen"))

    assert Counter(" ".join(read(thumb)).split()).total() == 13

    thumb.open(begun(thumb, "contract-rummy", SIX[:3]))
    url = thumb.page.locator("#photo").get_attribute("data-url")
    assert url.endswith("?packs=2&jokers=1")


def test_of_more_cards_than_a_hand_has_the_doubtful_ones_of_a_pair_are_asked_first(thumb):
    hand = f"{HAND} 2S 10D".split()
    read_twice = [{"card": card, "sure": 0.99 - place / 100} for place, card in enumerate(hand)]
    row = [{**one, "alternatives": [], "box": [0.1, 0.1, 0.1, 0.1]} for one in read_twice]
    thumb.page.route("**/recognise*", lambda route: route.fulfill(json={"rows": [{"cards": row}]}))
    thumb.open(thumb.begin())
    thumb.ends(0)
    take(thumb, scene("joker"))
    asked = thumb.page.locator(".photo-view .either")

    assert asked.count() == 1, "the less sure ten of diamonds; 14 cards would fit"
    assert "13 cards were dealt" in thumb.page.locator(".photo-view").inner_text()

    asked.get_by_role("button", name="no card").tap()
    asked.wait_for(state="detached")

    assert Counter(read(thumb)[0].split()) == Counter(hand[:-1])


def test_melds_in_rows_become_melds(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.ends(0)
    thumb.press("#cell-0")
    thumb.turn_to("Melds")
    take(thumb, scene("three-melds"))
    put_right(thumb, MELDS)
    use(thumb)
    written = thumb.page.locator("[name=melds-0]").input_value()

    assert written.splitlines() == MELDS

    thumb.page.locator(".current .meld:not(.bad)").nth(2).wait_for()
    for seat in (1, 2, 3):
        thumb.press(f"#cell-{seat}")
        thumb.way(seat, "points")
        thumb.digits(10)
    thumb.save()
    thumb.saved()

    assert [cards(meld) for meld in MELDS] == list(
        map(Counter, recorded(table, board).seats[0].melds)
    )


def test_a_gin_hand_is_photographed_and_saved(thumb, table, anna_plays):
    board = anna_plays("gin-palast", ("Anna", "Bernd"))
    thumb.open(board)
    thumb.ends(0)
    thumb.press("#cell-0")
    thumb.way(0, "cards")
    take(thumb, scene("gin-hand"))
    put_right(thumb, list(GIN))
    use(thumb)

    assert thumb.held(0) == " ".join(GIN)

    thumb.press("#cell-1")
    thumb.way(1, "cards")
    thumb.cards(*["2S", "3S", "4S", "QH", "QC", "QS", "7C", "8C", "10D", "AC"])
    thumb.save()
    thumb.saved()

    assert Counter(recorded(table, board).seats[0].hand) == cards(" ".join(GIN))


def test_two_identical_cards_are_two(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.ends(0)
    take(thumb, scene("twins"))
    put_right(thumb, [TWINS])
    use(thumb)

    assert thumb.held(1) == TWINS
    assert thumb.page.locator(".deck [data-key='9S']").is_disabled(), "both nines are used up"


def test_a_joker_is_photographed_and_unsure_cards_are_chosen(thumb, table):
    thumb.open(thumb.begin())
    thumb.ends(0)
    take(thumb, scene("joker"))
    wanted = ["3H 5H", "6S 5D", "JK KH", "KS 3C"]
    put_right(thumb, wanted)
    asked = thumb.page.locator(".photo-view .card.asked")
    while asked.count():  # what is right is confirmed with one tap, too
        before = asked.count()
        thumb.page.locator(".either:has(.pick) .pick[aria-pressed=true]").first.tap()
        if asked.count() == before:
            break
    thumb.page.locator(".photo-view .read button").nth(3).tap()
    thumb.page.get_by_role("button", name="no card").tap()

    assert read(thumb) == ["3H 5H", "6S", "JK KH", "KS 3C"]

    use(thumb)

    assert thumb.held(1) == "3H 5H 6S JK KH KS 3C"


# ---- when it does not work ---------------------------------------------------------------


def test_a_picture_without_cards_says_what_to_do_and_loses_nothing(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.way(1, "cards")
    thumb.cards("7H")
    take(thumb, stored(Image.new("RGB", (800, 600), "green")))
    thumb.page.get_by_text("I see no card").wait_for()
    thumb.page.get_by_role("button", name="Tap instead").tap()

    assert thumb.held(1) == "7H"


def test_a_file_that_is_no_picture_is_refused_on_the_phone(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    asked = []
    thumb.page.on("request", lambda request: asked.append(request.url))
    take(thumb, b"no picture")
    thumb.page.get_by_text("not in a format").wait_for()

    assert not [url for url in asked if "recognise" in url]


def test_again_replaces_what_the_last_photograph_showed(thumb):
    choose(thumb, scene("twins"))
    thumb.open(thumb.begin())
    thumb.ends(0)
    take(thumb, scene("joker"))
    thumb.page.get_by_role("button", name="Again").tap()
    thumb.page.wait_for_function(
        "() => document.querySelectorAll('.photo-view .read button').length === 5"
    )

    assert len(thumb.held(1).split()) == 5


def test_a_large_picture_is_made_smaller_before_it_is_sent(thumb, monkeypatch):
    sent: list[bytes] = []

    def read(problem, job, picture, *deck):
        sent.append(picture)
        return in_pool_unless(problem, job, picture, *deck)

    monkeypatch.setattr(photographs, "in_pool_unless", read)
    thumb.open(thumb.begin())
    thumb.ends(0)
    with Image.open(io.BytesIO(scene("joker"))) as picture:
        large = stored(picture.resize((4000, 3000)), quality=95)
    take(thumb, large)
    with Image.open(io.BytesIO(*sent)) as arrived:
        assert arrived.format == "JPEG"
        assert max(arrived.size) == 1600
        assert not arrived.getexif()


def test_without_a_connection_the_button_says_why_it_does_not_work(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.phone.set_offline(True)
    thumb.page.wait_for_function("() => !navigator.onLine")
    thumb.page.locator(".current .photo").tap()
    thumb.page.get_by_text("No photo without a connection").wait_for()
    thumb.phone.set_offline(False)


def test_a_connection_that_breaks_meanwhile_is_explained(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    thumb.page.route("**/recognise*", lambda route: route.abort())
    take(thumb, scene("joker"))

    thumb.page.locator(".photo-view").get_by_text("No photo without a connection").wait_for()


def test_without_scripts_or_the_extra_there_is_no_button(
    chromium, address, anna, game, monkeypatch
):
    phone = open_phone(chromium, address, anna, java_script_enabled=False)
    page = phone.new_page()
    page.goto(f"{game}/round")

    assert is_installed()
    assert page.locator(".photo").count() == 4
    assert page.locator(".photo:visible").count() == 0

    phone.close()
    monkeypatch.setattr("scorekeeper.web.pages.blueprint.is_installed", lambda: False)

    assert "photo" not in anna.get(f"{game}/round").text


# ---- other places, keys, looks -----------------------------------------------------------


def test_the_referee_reads_a_photograph(chromium, address, anna, game):
    page = open_phone(chromium, address, anna, locale="en-GB").new_page()
    page.goto(f"{game}/referee?ask=meld")
    page.locator(".photo input").set_input_files(
        {"name": "cards.jpg", "mimeType": "image/jpeg", "buffer": scene("twins")}
    )
    page.locator(".photo-view .read button").nth(4).wait_for()
    page.locator(".photo-foot .main").click()

    assert len(page.locator("[name=cards]").input_value().split()) == 5

    page.context.close()


def test_a_question_about_a_turn_takes_melds_from_a_photograph(chromium, address, anna, game):
    page = open_phone(chromium, address, anna, locale="en-GB").new_page()
    page.goto(f"{game}/referee?ask=turn")
    page.locator("#step-melded summary").click()
    page.locator("#keyboard .photo input").set_input_files(
        {"name": "cards.jpg", "mimeType": "image/jpeg", "buffer": scene("three-melds")}
    )
    page.locator(".photo-view .read button").nth(9).wait_for()
    page.locator(".photo-foot .main").click()

    assert len(page.locator("[name=melded]").input_value().splitlines()) == 3

    page.context.close()


def test_everything_works_with_a_keyboard(thumb):
    page = thumb.page
    choose(thumb, scene("twins"))
    thumb.open(thumb.begin())
    thumb.ends(0)
    page.locator(".current .photo input").focus()
    page.keyboard.press("Space")
    page.locator(".photo-view .read button").first.wait_for()
    page.locator(".photo-view .read button").first.focus()
    page.keyboard.press("Enter")
    page.locator(".choosing").wait_for()
    page.locator(".deck [data-key='2C']").focus()
    page.keyboard.press("Enter")
    page.locator(".photographed:not(.choosing)").wait_for()

    assert thumb.held(1).startswith("2C ")
    assert page.evaluate("document.activeElement.dataset.at") == "chip-0"

    page.keyboard.press("k")

    assert thumb.held(1).startswith("2C "), "letters go nowhere meanwhile"

    page.locator(".photo-foot .main").focus()
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.type") == "file"


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True, ids=["390x844", "320x640"])
def test_the_result_fits_the_screen_and_can_be_read_aloud(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    take(thumb, scene("hand-of-thirteen"))
    thumb.page.evaluate(AXE)
    for _ in ("all cards", "one is changed"):
        thumb.page.emulate_media(reduced_motion="reduce")  # no key is between light and dark
        assert thumb.page.evaluate(FLAWS) <= 0
        assert thumb.page.evaluate(RUN, RULES["light"]) == []
        thumb.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        assert thumb.page.evaluate(RUN, RULES["dark"]) == []
        tap(thumb, 0)


@pytest.mark.parametrize("thumb", [TALL, SMALL], indirect=True, ids=["390x844", "320x640"])
def test_a_card_to_change_brings_the_keys_into_sight_and_they_go_again(thumb):
    thumb.open(thumb.begin())
    thumb.ends(0)
    take(thumb, scene("hand-of-thirteen"))
    tap(thumb, 0)

    assert thumb.page.evaluate(ABOVE_THE_FOOT, ".deck .key")

    thumb.page.locator(".deck [data-key='4S']").tap()
    thumb.page.locator(".photographed:not(.choosing)").wait_for()

    assert thumb.page.evaluate(ABOVE_THE_FOOT, ".photo-view .read .card")
