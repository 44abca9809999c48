"""Every page, as a reader comes to it."""

from pathlib import Path

PICTURES = Path(__file__).parents[2] / "build" / "screens"
"""Where every page is to be looked at after the tests."""

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
SCREEN = {"width": 1280, "height": 720}

OF_GAME = {
    "board": "",
    "changed": "?since=5",
    "tv": "/tv",
    "entry": "/round",
    "round": "/round/1",
    "struck": "/round/3",
    "correct": "/round/1/correct",
    "settlement": "/settlement",
    "share": "/share",
    "history": "/history",
    "more": "/more",
    "rules": "/rules",
    "print": "/print",
    "referee": "/referee",
}
WITHOUT_GAME = {
    "home": "/",
    "new": "/new",
    "enter": "/enter",
    "pads": "/pads",
    "verdict": "/referee?cards=8♥ 9♥ JK JK&before=4♥ 5♥ 6♥&after=4♥ 5♥ 6♥",
    "nowhere": "/nowhere",
}


def addresses(game: str) -> dict[str, str]:
    """The addresses of all pages by the names of their pictures."""
    return {name: game + path for name, path in OF_GAME.items()} | WITHOUT_GAME


def open_phone(chromium, address: str, reader, **wishes):
    """A phone that is known as this reader's browser."""
    phone = chromium.new_context(
        **{"viewport": PHONE, "locale": "de-DE", "base_url": address, **wishes}
    )
    known = reader.client.get_cookie("browser").value
    phone.add_cookies([{"name": "browser", "value": known, "url": address}])
    return phone


def unfold(page) -> None:
    """Open every folded part."""
    page.locator("summary").evaluate_all("all => all.forEach(one => one.parentNode.open = true)")
