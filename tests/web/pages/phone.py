"""A phone in the browser that enters rounds, and its server."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from secrets import token_hex

from flask import Flask
from playwright.sync_api import Error, Page

import short
from patience import wait_until
from rest import EVENING, Serving
from scorekeeper.app import open_database
from scorekeeper.services import games
from scorekeeper.wire.schemas import NewGameSchema
from scorekeeper.wire.strict import load

EXPECTED = EVENING["expected"]
HOME_NETWORK = "192.168.178.2"
"""The address of a server in a home network; on plain http browsers allow it no service worker."""
TALL, SHORT, SMALL = (390, 844), (390, 664), (320, 640)
SIX = ("Anna", "Bernd", "Claire", "Dieter", "Emil", "Frieda")
RANKS = {"A": "1", "J": "11", "Q": "12", "K": "13"}
SUITS = "CSHD"
FOUR_MELDS = "7H 7S 7D 7C 8H 9H 10H 10S 10D 10C AS 2S 3S"
ENTERED = "[...document.querySelectorAll('[data-keys]')].map((one) => one.value).join('|')"
THIRTEEN = "2S 2C 3C 3D 4D 4C 5C 5D 5H 2H 3H 4H 3S"

OVER = "document.documentElement.scrollHeight - innerHeight"
ABOVE_THE_FOOT = """(parts) => {
    const shown = [...document.querySelectorAll(".foot")].find((one) => one.offsetHeight);
    const foot = shown.getBoundingClientRect();
    const boxes = [...document.querySelectorAll(parts)].map((one) => one.getBoundingClientRect());
    const isSeen = (box) => box.top >= 0 && box.bottom <= foot.top;
    return boxes.length && foot.bottom <= innerHeight && boxes.every(isSeen);
}"""
"""Whether all of these elements are seen above the buttons."""
BOXES = """(parts) =>
    parts.map((part) => document.querySelector(part).getBoundingClientRect().toJSON())"""
WORKER_RUNS = """async () => {
    const worker = await navigator.serviceWorker.getRegistration();
    return worker?.active?.state === "activated";
}"""


def until(page: Page, condition: str, paths: Sequence[str] = ()) -> None:
    """Wait for the service worker; the pages' policy forbids the browser's own way to wait."""
    wait_until(lambda: page.evaluate(condition, paths), lambda: page.wait_for_timeout(50))


def boxes(page: Page, *parts: str) -> list[dict[str, float]]:
    """Return where these elements are, all at one moment, since scripts may replace any of them."""
    return page.evaluate(BOXES, parts)


class Table:
    """A server that can be killed and started again on the same port and database."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.serving = Serving(app)
        self.port = self.serving.server_port

    def start(self) -> None:
        """Start it again, with nothing in memory."""
        open_database(self.app)
        self.serving = Serving(self.app, self.port)

    def stop(self) -> None:
        self.serving.stop()
        self.app.extensions["ledger"].close()

    def rounds(self, board: str) -> int:
        """Return the number of rounds in the database."""
        ledger = self.app.extensions["ledger"]
        return len(ledger.game(board.rsplit("/", 1)[1]).sheet.rows)

    def record(self, board: str, *rounds: Sequence[int]) -> None:
        """Record rounds by their points, without a browser; whoever has 0 went out."""
        ledger = self.app.extensions["ledger"]
        for number, points in enumerate(rounds):
            short.record(ledger, board.rsplit("/", 1)[1], *points, key=f"recorded {number}")


class Thumb:
    """A phone whose presses are counted; an error message of the browser fails the test."""

    def __init__(
        self,
        chromium,
        table: Table,
        size=TALL,
        *,
        language="en-GB",
        state=None,
        host="127.0.0.1",
        service_workers="block",
        **wishes,
    ) -> None:
        self.table, self.address = table, f"http://{host}:{table.port}"
        self.phone = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            base_url=self.address,
            locale=language,
            has_touch=True,
            reduced_motion="reduce",  # drawing the keys change colour took a quarter of the time
            storage_state=state,
            service_workers=service_workers,
            **wishes,
        )
        self.size = size
        self.complaints: list[str] = []
        self.presses = 0
        self.turn_on()

    def turn_on(self) -> None:
        """Open a new tab; what the old one had not stored is lost."""
        self.page = self.phone.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console",
            lambda said: "Content Security" in said.text and self.complaints.append(said.text),
        )

    def turn_off(self) -> None:
        """Close the tab; a browser that is just opening another page may forget to."""
        while not self.page.is_closed():
            with suppress(Error):  # closed meanwhile
                self.page.close(run_before_unload=True)  # does not wait
                self.page.wait_for_timeout(50)

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the screen."""
        self.size = size
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    def plays(self, preset: str, names: Sequence[str], **options: object) -> str:
        """Create a game of which this phone has the pen, and return its path."""
        browser = self.browser()
        rules = {"preset": preset, "options": options}
        players = [{"name": name} for name in names]
        order = load(NewGameSchema(), {"title": "", "rules": rules, "players": players})
        ledger = self.table.app.extensions["ledger"]
        made = games.create_game(ledger, order, key=token_hex(), browser=browser)
        return f"/g/{made.game.id}"

    def browser(self) -> str:
        """Return the secret by which the server knows this phone."""
        known = {cookie["name"]: cookie["value"] for cookie in self.phone.cookies(self.address)}
        if "browser" not in known:
            known["browser"] = token_hex()
            self.phone.add_cookies(
                [{"name": "browser", "value": known["browser"], "url": self.address}]
            )
        return known["browser"]

    def begin(self, *names: str) -> str:
        """Create a game and open its board."""
        self.page.goto(self.plays("german-family", names or SIX[:4]))
        return self.page.url

    def begin_after(self, *rounds: Sequence[int]) -> str:
        """Create a game in which these rounds were recorded, and open its board."""
        board = self.plays("german-family", SIX[:4])
        self.table.record(board, *rounds)
        self.page.goto(board)
        return self.page.url

    def totals(self) -> list[str]:
        return self.page.locator(".pad .total").all_inner_texts()

    def open(self, board: str) -> None:
        try:
            self.page.goto(f"{board}/round")
        except Error as interrupted:  # a board that has sent everything loads itself again
            if "interrupted by another navigation" not in interrupted.message:
                raise
            self.page.goto(f"{board}/round")
        self.page.locator("form.fast").wait_for()
        self.presses = 0

    def press(self, selector: str) -> None:
        self.page.locator(selector).tap()
        self.presses += 1

    def ends(self, seat: int) -> None:
        """Say who ended the round, also instead of the player who is shown."""
        if self.page.locator("#other").is_visible():
            self.page.locator("#other").tap()
        self.press(f"label[for=ender-{seat}]")

    def way(self, seat: int, way: str) -> None:
        if not self.page.locator(f"#way-{seat}-{way}").is_checked():
            self.press(f"label[for=way-{seat}-{way}]")

    def way_of_table(self) -> None:
        """Choose to enter points where the table has no way of entry yet."""
        if self.page.locator("form.asks-way").count():
            self.press(".current [for$=-points]")

    def digits(self, number: int) -> None:
        self.way_of_table()
        for digit in str(number):
            before = self.page.evaluate(ENTERED)
            self.press(f".digits [data-digit='{digit}']")
            self.page.wait_for_function(f"(before) => ({ENTERED}) !== before", arg=before)

    def ranks(self, *ranks: str) -> None:
        for rank in ranks:
            self.press(f"[data-pad=ranks] [data-rank='{RANKS.get(rank, rank)}']")

    def cards(self, *cards: str) -> None:
        for card in cards:
            self.press(f"[data-pad=cards] [data-key='{card}']")

    def turn_to(self, field: str) -> None:
        """Check that the keys write into this field."""
        self.page.get_by_role("button", name=field, exact=True).tap()

    def next(self) -> None:
        """Go on to the next player."""
        self.press("#next")

    def save(self) -> None:
        self.page.locator("#save:enabled").wait_for()
        self.press("#save")

    def saved(self) -> None:
        self.page.wait_for_url(re.compile("#next$"))

    def quick_round(self, points: int) -> None:
        """Enter a round: Anna goes out, all others have the same."""
        self.ends(0)
        for seat in (1, 2, 3):
            self.digits(points)
            if seat < 3:
                self.next()

    def knock(self, winner: int, points: int, *, gin: bool = False) -> None:
        """Enter a round of gin for two; the knocker has 1 point left, or none with gin."""
        self.ends(winner)
        if gin:
            self.press("label[for=how-gin]")
            self.digits(points)
        else:
            self.digits(points + 1)
            self.press(f"#cell-{winner}")
            self.digits(1)
        self.save()

    def everything_sent(self) -> None:
        """Wait until the browser has no unsent round."""
        wait_until(lambda: not self.sends(), lambda: self.page.wait_for_timeout(50))

    def sends(self) -> bool:
        return self.stores("^outbox")

    def stores(self, name: str) -> bool:
        """Whether the browser stores something under such a name (a regular expression)."""
        stored = "(wanted) => Object.keys(localStorage).some((name) => name.match(wanted))"
        try:
            return self.page.evaluate(stored, name)
        except Error:  # the page is just being loaded again
            return True

    def waiting_round(self, number: int, button: str) -> None:
        """Press a button of a round that waits, in the list below what is said about them."""
        opener = self.page.get_by_role("button", name="Change or withdraw")
        if opener.get_attribute("aria-expanded") == "false":
            opener.tap()
        line = self.page.locator("#unsent li", has_text=f"Round {number}")
        line.get_by_role("button", name=button).tap()

    def form_is_kept(self) -> None:
        """Wait until the board has all of the entry form in a frame, as it does on plain http."""
        self.page.frame_locator(".framed").locator("form.fast").wait_for(state="attached")
        self.page.wait_for_load_state("networkidle")

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Use the entry form in the frame of the board."""
        board = self.page
        board.locator(".framed:not([inert])").wait_for()
        (self.page,) = board.main_frame.child_frames
        yield
        self.page = board

    def enter_inside(self, number: int, points: int) -> None:
        """Enter a round from the board in its frame, which returns to the board."""
        self.page.get_by_role("link", name=f"Enter round {number}", exact=True).tap()
        with self.inside():
            self.page.get_by_role("heading", name=f"Round {number}", exact=True).wait_for()
            self.quick_round(points)
            self.save()
        self.page.locator(".framed[inert]").wait_for(state="attached")
        self.page.locator(f".pad tr.waits .nr:text-is('{number}')").wait_for()

    def held(self, seat: int) -> str:
        return self.page.locator(f"[name=hand-{seat}]").input_value()


class Network:
    """The network between a phone and the server, which does not answer while it is down."""

    def __init__(self, table: Table) -> None:
        self.table, self.phone = table, None

    def cut(self, thumb: Thumb) -> None:
        self.phone = thumb.phone
        self.phone.set_offline(True)
        self.table.stop()

    def mend(self) -> None:
        if self.phone:
            self.table.start()
            self.phone.set_offline(False)
            self.phone = None
