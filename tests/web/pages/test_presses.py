"""How many presses an evening takes, tapped where a key is in sight, without scrolling to it."""

import re

import pytest
from playwright.sync_api import expect

from web.pages.phone import SHORT, SIX, SMALL, TALL, Table

PATIENCE_MS = 30_000
IN_SIGHT = """(selector) => {
    const one = document.querySelector(selector);
    if (!one) return null;
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return one.contains(document.elementFromPoint(x, y)) && { x, y };
}"""
"""The middle of an element that nothing covers; null while a person would not find it."""


class Person:
    """A thumb that taps what is in sight, and counts."""

    def __init__(self, thumb) -> None:
        self.thumb, self.page, self.presses = thumb, thumb.page, 0

    def tap(self, selector: str) -> None:
        found = self.page.wait_for_function(IN_SIGHT, arg=selector, timeout=PATIENCE_MS)
        place = found.json_value()
        self.page.touchscreen.tap(place["x"], place["y"])
        self.presses += 1

    def opens(self, selector: str, page: str) -> None:
        """Tap what leads to another page, and wait for that."""
        self.tap(selector)
        self.page.wait_for_url(re.compile(page), timeout=PATIENCE_MS)

    def went_out(self, seat: int) -> None:
        """Tap on the board who went out, which opens the entry of the round."""
        self.opens(f".names a:nth-child({seat + 1})", r"/round(\?ender=\d)?$")
        self.page.locator("form.fast.seated").wait_for()

    def digits(self, number: int) -> None:
        if self.page.locator("form.asks-way").count():  # the table has no way of entry yet
            self.tap(".current [for$=-points]")
        for digit in str(number):
            self.tap(f".digits [data-digit='{digit}']")

    def points(self, *points: int) -> None:
        """Type the points of those after Anna, who went out; a number never goes on by itself."""
        for seat, number in enumerate(points, 1):
            if seat > 1:
                assert self.writes_for(seat - 1)
                self.tap("#next")
            self.digits(number)
            typed = self.page.locator(f"[name=hand-{seat}]")
            expect(typed).to_have_value(str(number), timeout=PATIENCE_MS)

    def writes_for(self, seat: int) -> bool:
        return self.page.locator(f"#cell-{seat}").get_attribute("aria-current") == "true"

    def save(self) -> None:
        self.page.locator("#save:enabled").wait_for()
        self.opens("#save", "#next$")


@pytest.fixture
def person(thumb) -> Person:
    return Person(thumb)


def begin(person: Person, *names: str) -> str:
    board: str = person.thumb.begin(*names)
    person.presses = 0
    return board


@pytest.mark.parametrize("thumb", [TALL, SHORT, SMALL], indirect=True)
def test_a_round_of_points_takes_ten_presses_from_board_to_board(person):  # A out, 12, 35, 60
    """The first one takes another press: how to enter, which the table then keeps."""
    begin(person)
    presses = []
    for _ in range(2):
        person.presses = 0
        person.went_out(0)
        person.points(12, 35, 60)
        person.save()
        presses.append(person.presses)

    assert presses == [11, 10]
    assert person.thumb.totals() == ["0", "24", "70", "120"]


@pytest.mark.parametrize("thumb", [TALL, SHORT, SMALL], indirect=True)
def test_the_first_choice_after_the_winner_is_a_photograph(person):
    begin(person)
    person.went_out(0)
    page = person.page
    photograph = page.locator(".current .photo")
    ways = page.locator(".current .held > .seg > label")
    assert photograph.inner_text().startswith("Photograph the cards")
    assert photograph.bounding_box()["y"] < min(way.bounding_box()["y"] for way in ways.all())
    assert photograph.bounding_box()["width"] > 0.9 * (person.thumb.size[0] - 32)
    for part in (".current .photo", "label[for=way-1-cards]"):
        assert page.evaluate(IN_SIGHT, part)
    assert page.locator("[data-pad]:visible").count() == 0

    person.tap("label[for=way-1-ranks]")
    person.tap("[data-pad=ranks] [data-rank='9']")
    assert page.locator("#way-3-ranks").is_checked()


def test_a_new_table_of_a_phone_has_the_way_of_its_last_evening(person):
    begin(person)
    person.went_out(0)
    person.points(12, 35, 60)
    person.save()
    begin(person, "Emil", "Frieda")
    person.went_out(0)
    person.points(12)

    assert person.presses == 3


def test_home_leads_to_a_photograph_whatever_the_way_of_the_table(person):
    begin(person)
    person.went_out(0)
    person.points(12, 35, 60)
    person.save()
    person.page.goto("/")
    person.opens(".snap", "/round")
    person.tap("label[for=ender-2]")

    person.page.locator("form.asks-way").wait_for()


@pytest.mark.parametrize("thumb", [TALL, SHORT, SMALL], indirect=True)
def test_nine_cards_by_rank_take_twelve_presses_after_the_winner(person):
    begin(person)
    hands = (("13", "13", "9", "JK"), ("2",), ("1", "5", "5", "7"))
    presses = []
    for winner in (0, 1):  # the way of counting is that of the table from the second round on
        person.presses = 0
        person.went_out(winner)
        if winner == 0:
            person.tap("label[for=way-1-ranks]")
        for turn, hand in enumerate(hands):
            if turn:
                person.tap("#next")
            for rank in hand:
                person.tap(f"[data-pad=ranks] [data-rank='{rank}']")
        person.save()
        presses.append(person.presses - 1)

    assert sum(map(len, hands)) == 9
    assert presses == [13, 12]
    assert person.thumb.totals() == ["28", "49", "51", "30"]


@pytest.mark.parametrize(
    ("names", "points", "presses"),
    [
        (SIX[:3], (35, 60), 10),
        (SIX[:4], (5, 7, 9), 9),
        (SIX[:4], (12, 35, 60), 12),
    ],
    ids=["three", "four", "four, two digits each"],
)
def test_from_home_to_the_first_saved_round(person, table: Table, names, points, presses):
    """The names are typed on the phone's own keyboard; everything else counts, each digit too.

    Four names fill the form, and the last Enter begins the game. One press says how to enter, on a
    phone that has never entered a round. Each number is ended by a press.
    """
    page = person.page
    page.goto("/")
    person.opens(".foot .main", "/new$")
    page.goto("/new?preset=german-family")  # English proposes gin
    page.locator("[name=name]").first.and_(page.locator(":focus")).wait_for()
    for name in names:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    if len(names) < 4:
        person.opens(".foot .main", r"/g/\w+")
    page.wait_for_url(re.compile(r"/g/\w+"), timeout=PATIENCE_MS)
    board = page.url.partition("?")[0]
    person.went_out(0)
    person.points(*points)
    person.save()

    assert table.rounds(board) == 1
    assert person.presses == presses


def test_a_correction_takes_six_presses_and_returns_to_the_board(person, table: Table):
    board = person.thumb.begin_after(*[(0, 12, 12, 12)] * 2)
    person.opens("a[href$='/round/1']", "/round/1$")
    person.opens("a[href$='/round/1/correct']", "/correct$")
    person.page.locator("form.fast").wait_for()
    person.tap("#cell-2")
    person.digits(35)  # the first digit replaces what was there
    person.page.locator("#cell-2").get_by_text("35").wait_for()
    person.save()

    assert person.presses == 6
    assert person.page.locator("#act").get_by_text("Round 1 corrected").is_visible()
    assert person.thumb.totals() == ["0", "24", "47", "24"]
    assert table.rounds(board) == 2


def test_on_a_keyboard_the_winner_and_three_numbers_with_enter_save_a_round(person, table: Table):
    board = begin(person)
    keyboard = person.page.keyboard
    person.page.locator(".names a").first.focus()
    keyboard.press("Enter")
    person.page.locator("form.fast.seated").wait_for()
    for points in ("12", "35", "60"):
        keyboard.type(points)
        keyboard.press("Enter")
    person.page.wait_for_url(re.compile("#next$"), timeout=PATIENCE_MS)

    assert table.rounds(board) == 1
    assert person.thumb.totals() == ["0", "12", "35", "60"]


def test_without_scripts_the_board_leads_to_the_choice(chromium, thumb, table: Table):
    board = thumb.begin()
    phone = chromium.new_context(
        viewport={"width": TALL[0], "height": TALL[1]},
        storage_state=thumb.phone.storage_state(),
        java_script_enabled=False,
    )
    page = phone.new_page()
    page.goto(board)
    page.locator(".names a").nth(2).click()
    page.wait_for_url(re.compile(r"/round\?ender=2$"))

    assert page.locator("#ender-2").is_checked()
    phone.close()


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("thumb", [TALL, SHORT, SMALL], indirect=True)
def test_no_key_moves_while_cards_are_counted(person, players):
    begin(person, *SIX[:players])
    person.went_out(0)
    with person.page.expect_response(lambda answer: answer.request.method == "POST"):
        person.tap("label[for=way-1-ranks]")  # the page is settled once the server has answered
    key = person.page.locator("[data-pad=ranks] [data-rank='8']")  # 9 itself sinks when pressed
    before = key.bounding_box()
    for seat in range(1, players):
        if seat > 1:
            person.tap("#next")
        person.tap("[data-pad=ranks] [data-rank='9']")
        person.page.locator(f"#working-{seat} .reckon").wait_for()

        assert key.bounding_box() == before, seat
