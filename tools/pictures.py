"""Takes the pictures of the README: the example evening on a phone and on paper."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pypdfium2
from PIL import Image
from playwright.sync_api import sync_playwright
from waitress import create_server

from scorekeeper import create_app, server
from scorekeeper.evening import read_evening
from scorekeeper.i18n import language
from scorekeeper.pdf import score_sheet
from scorekeeper.schemas import dump_round, load_round
from scorekeeper.service import open_game, record_round
from scorekeeper.store.ledger import Ledger, open_ledger

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
NAMES = ("Anna", "Bernd", "Claire", "Dieter")
BROWSER = "pictures"
PHONE = {"width": 390, "height": 844}
COLOURS = 64
"""Enough for a page of few colours, and a fraction of the bytes."""


def keep_example(ledger: Ledger) -> str:
    """Keep the example evening with people's names; its id."""
    about = json.loads((ROOT / "examples" / "evening.json").read_text(encoding="utf-8"))
    about["players"] = [{"name": name} for name in NAMES]
    evening = read_evening(json.dumps(about).encode())
    opened = open_game(ledger, evening.order)
    for number, body in enumerate(evening.rounds):
        facts, _ = load_round(body)
        record_round(ledger, opened.game.id, facts, wire=dump_round(facts), key=str(number))
    ledger.remember(BROWSER, opened.game.id, opened.pen)
    return opened.game.id


@contextmanager
def served(data: Path) -> Iterator[str]:
    """The app on a free port, as long as it is needed."""
    listener = server.listen("127.0.0.1", 0)
    app = create_app({"DATA": data})
    Thread(target=create_server(app, sockets=[listener]).run, daemon=True).start()
    yield server.address(*listener.getsockname())


def board(address: str, game_id: str) -> bytes:
    """The board as a phone shows it."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        context = chromium.new_context(viewport=PHONE, device_scale_factor=2, locale="de-DE")
        context.add_cookies([{"name": "browser", "value": BROWSER, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/g/{game_id}")
        picture = page.screenshot()
        chromium.close()
    return picture


def sheet(ledger: Ledger, game_id: str) -> Image.Image:
    """The first page of the printed sheet."""
    game = ledger.game(game_id)
    paper = score_sheet(game, game.settlement(), language("de"), head=ledger.head(game_id))
    with pypdfium2.PdfDocument(paper) as document:
        picture: Image.Image = document[0].render(scale=1.5).to_pil()
    return picture


def keep(picture: Image.Image, name: str) -> None:
    """Write a picture with as few bytes as it takes."""
    PICTURES.mkdir(exist_ok=True)
    few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(PICTURES / name, optimize=True)
    print(f"{PICTURES.relative_to(ROOT) / name}: {(PICTURES / name).stat().st_size // 1024} kB")


def main() -> None:
    """Take them all."""
    with TemporaryDirectory() as folder:
        data = Path(folder, "pictures.sqlite")
        ledger = open_ledger(data)
        game_id = keep_example(ledger)
        keep(sheet(ledger, game_id), "sheet.png")
        with served(data) as address:
            keep(Image.open(BytesIO(board(address, game_id))), "board.png")
        ledger.close()


if __name__ == "__main__":
    main()
