"""Take the pictures of the README and the tours by playing their steps on a simulated phone.

Every picture is taken in all four languages. A step that the app no longer offers is an
error.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from werkzeug.serving import make_server

from scorekeeper import create_app
from scorekeeper.domain.game.changes import score_for
from scorekeeper.i18n import Language, language
from scorekeeper.pdf import blank_pad, score_sheet
from scorekeeper.services import demo
from scorekeeper.services.games import correct_round, record_round
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from scorekeeper.wording.sheet import Words
from tools.browser import browser_path

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
ROUNDS = json.loads((ROOT / "examples" / "evening.json").read_text(encoding="utf-8"))["rounds"]
NAMES = ("Anna", "Bernd", "Claire", "Dieter")
LANGUAGES = {"de": "de-DE", "en": "en-GB", "fr": "fr-FR", "lb": "lb-LU"}
GROUP = {"de": "Donnerstag", "en": "Thursday", "fr": "Jeudi", "lb": "Donneschdeg"}
HOST = "cards.home.arpa"
"""The address of the server as phones in the home network would show it."""
IBAN = "LU280019400644750000"
PHONE = ViewportSize(width=390, height=844)
UNFOLD = "parts => parts.reverse().forEach((one) => (one.open = true))"
"""Only one of the parts with the same name can be open: the first."""
COLOURS = 32
"""Enough for these pages, at a fraction of the size."""


@contextmanager
def served(data: Path) -> Iterator[tuple[str, Ledger]]:
    """Serve the app on a free port; yield its address and its ledger."""
    app = create_app({"DATA": data, "HOSTS": (HOST,)})
    server = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    ledger = app.extensions["ledger"]
    yield f"http://{HOST}:{server.server_port}", ledger
    server.shutdown()
    ledger.close()


class Tour:
    """A phone in one language that plays the steps of the tours."""

    def __init__(self, chromium: Browser, address: str, ledger: Ledger, lang: Language) -> None:
        self.address, self.ledger, self.lang = address, ledger, lang
        context = chromium.new_context(
            viewport=PHONE,
            device_scale_factor=1.5,
            locale=LANGUAGES[lang.code],
            has_touch=True,
            reduced_motion="reduce",
        )
        context.add_cookies([{"name": "browser", "value": lang.code, "url": address}])
        self.page: Page = context.new_page()
        self.page.set_default_timeout(15_000)

    def play(self) -> None:
        """Play an evening from its beginning to its payment, then show a group."""
        game_id = self.begin()
        self.enter()
        self.write_the_rest(game_id)
        self.page.goto(f"{self.address}/g/{game_id}")
        self.take("board", to_the_end=False)
        self.ask_the_referee(game_id)
        self.settle(game_id)
        self.print(game_id)
        self.correct(game_id)
        self.look_at_a_group()

    def begin(self) -> str:
        """Begin an evening and show the link for the others."""
        self.page.goto(f"{self.address}/new?preset=german-family")
        for seat, name in enumerate(NAMES):
            self.page.locator("[name=name]").nth(seat).fill(name)
        self.page.locator("label:has([name=money])").tap()
        self.page.locator("[name=point_value]").fill("1/10")
        self.page.locator("[name=unit]").fill("ct")
        self.page.locator("[name=title]").fill(GROUP[self.lang.code])
        self.take("new", to_the_end=False)
        self.press("pages.new.start")
        self.page.wait_for_url(re.compile(r"/g/\w+$"))
        board = self.page.url
        self.page.goto(f"{board}/share")
        self.page.locator(".qr").first.wait_for()
        self.take("share")
        self.page.goto(board)
        return board.rpartition("/")[2]

    def enter(self) -> None:
        """Enter the first round: Claire goes out, the others show their hands."""
        self.page.locator(".names a").nth(2).tap()
        self.page.locator("form.fast.seated").wait_for()
        self.page.locator(".asks-way .current [for$=-points]").tap()
        for so_far in ("50", "50 + 50 = 100"):
            for digit in "50":
                self.page.locator(f".digits [data-digit='{digit}']").tap()
            self.page.get_by_text(so_far).first.wait_for()
            self.take("points")
            self.page.locator("#next").tap()
        self.page.locator("label[for^=way-][for$=-ranks]:visible").tap()
        for rank in ("2", "3", "12"):
            self.page.locator(f"[data-pad=ranks] [data-rank='{rank}']").tap()
        self.page.locator("#save:enabled").wait_for()
        self.take("cards")
        self.page.locator("#save:enabled").tap()
        self.page.wait_for_url(re.compile("#next$"))

    def write_the_rest(self, game_id: str) -> None:
        for number, body in enumerate(ROUNDS[1:]):
            facts, _ = load_round(body)
            record_round(
                self.ledger,
                game_id,
                score_for(self.ledger.game(game_id), facts),
                write=Write(key=str(number)),
            )

    def correct(self, game_id: str) -> None:
        """Correct round 4: Dieter had 57, not 75."""
        facts, _ = load_round({**ROUNDS[3], "seats": [*ROUNDS[3]["seats"][:3], {"points": 57}]})
        correct_round(
            self.ledger, game_id, 4, score_for(self.ledger.game(game_id), facts), write=Write()
        )
        self.page.goto(f"{self.address}/g/{game_id}/round/4")
        self.take("corrected", to_the_end=True)

    def ask_the_referee(self, game_id: str) -> None:
        cards = "8♥ 9♥ JK JK"
        self.page.goto(f"{self.address}/g/{game_id}/referee?ask=meld")
        self.page.locator("[name=cards]").fill(cards)
        self.page.locator("[name=cards]").press("Enter")
        self.page.get_by_text(self.lang("referee.rule", rule="")).first.wait_for()
        self.take("referee", to_the_end=True)

    def settle(self, game_id: str) -> None:
        """Show the settlement and a QR code for a bank transfer."""
        self.page.goto(f"{self.address}/g/{game_id}/settlement")
        self.page.locator("details:has(.pairs)").evaluate_all(UNFOLD)
        self.take("settlement", to_the_end=True)
        form = self.page.locator("form:has([name=iban])").first
        self.page.locator("details:has([name=iban])").evaluate_all(UNFOLD)
        form.locator("[name=holder]").fill("Claire Muster")
        form.locator("[name=iban]").fill(IBAN)
        form.locator("button").first.tap()
        self.page.wait_for_load_state("networkidle")
        self.page.locator(".qr").first.wait_for(state="attached")
        self.page.locator("details:has(.qr)").evaluate_all(UNFOLD)
        self.page.locator(".qr").first.scroll_into_view_if_needed()
        self.take("giro")

    def print(self, game_id: str) -> None:
        """Print the score sheet with its chart, and a blank pad."""
        game = self.ledger.game(game_id)
        head = self.ledger.head(game_id)
        paper = score_sheet(Words(game, self.lang), head=head)
        save(rendered(paper), f"sheet.{self.lang.code}.png")
        pad = blank_pad(game.rules, self.lang, NAMES, size="A5")
        save(rendered(pad), f"pad.{self.lang.code}.png")

    def look_at_a_group(self) -> None:
        """Show a group with four evenings."""
        settings = demo.DemoSettings(4, 5, 4, date(2026, 11, 19), GROUP[self.lang.code])
        founded = demo.make(self.ledger, settings)
        self.ledger.rights.remember(self.lang.code, founded.group.id, founded.pen)
        for name, path in (("group", ""), ("season", "/season"), ("money", "/money")):
            self.page.goto(f"{self.address}/s/{founded.group.id}{path}")
            self.take(name)

    def press(self, key: str) -> None:
        """Press the button with this label."""
        self.page.locator(f".foot :text-is('{self.lang(key)}')").last.tap()

    def take(self, name: str, *, to_the_end: bool | None = None) -> None:
        """Take a picture of the page as it stands, or of its beginning or end."""
        self.page.wait_for_load_state()
        self.page.wait_for_timeout(500)  # until the browser no longer marks what was tapped
        if to_the_end is not None:
            y = "document.body.scrollHeight" if to_the_end else "0"
            self.page.evaluate(f"scrollTo(0, {y})")
        save(Image.open(BytesIO(self.page.screenshot())), f"{name}.{self.lang.code}.png")


def rendered(paper: bytes) -> Image.Image:
    """Return the first page of a PDF as a picture."""
    with pypdfium2.PdfDocument(paper) as document:
        picture: Image.Image = document[0].render(scale=1.2).to_pil()
    return picture


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with a reduced palette."""
    few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(PICTURES / name, optimize=True)
    print(f"{PICTURES.relative_to(ROOT) / name}: {(PICTURES / name).stat().st_size // 1024} kB")


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser_path(),
            args=["--no-sandbox", "--disable-gpu", f"--host-resolver-rules=MAP {HOST} 127.0.0.1"],
        )
        with served(Path(folder, "pictures.sqlite")) as (address, ledger):
            for code in LANGUAGES:
                Tour(chromium, address, ledger, language(code)).play()
        chromium.close()


if __name__ == "__main__":
    main()
