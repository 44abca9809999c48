"""The walk over all pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rest import described

AXE = (Path(__file__).parents[2] / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RULES: dict[str, dict[str, object]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
"""The rules of axe-core by colour scheme: all of them, then those that depend on the scheme."""
RUN = """async (rules) => {
    const found = await axe.run(document, { ...rules, resultTypes: ["violations"] });
    return found.violations.map((rule) =>
        `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
}"""

PICTURES = Path(__file__).parents[3] / "build" / "screens"
"""The folder of the screenshots."""

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
SCREEN = {"width": 1280, "height": 720}

OF_GAME = {
    "board": "",
    "changed": "?since=5",
    "tv": "/tv",
    "entry": "/round",
    "choice": "/round?ender=0&photo=yes",
    "round": "/round/1",
    "struck": "/round/3",
    "correct": "/round/1/correct",
    "settlement": "/settlement",
    "share": "/share",
    "history": "/history",
    "more": "/more",
    "rules": "/rules",
    "print": "/print",
    "referee": "/referee?ask=meld",
    "turn": "/referee?ask=turn&who=1&drawn=discard&drawn_card=9♦&melded=5♠ 6♠ 7♠"
    "&laid_off_card_0=8♥&laid_off_on_0=5♥ 6♥ 7♥&swapped_none=yes&discarded=9♦",
    "game-group": "/group",
    "names": "/names",
    "edit": "/edit",
    "points": "/points",
    "edit-rules": "/edit/rules",
    "insert": "/round/2/insert",
    "erase-player": "/names/1",
}
OF_GROUP = {
    "group": "",
    "next": "/new",
    "members": "/members",
    "rename": "/members/0",
    "erase": "/members/0/erase",
    "group-name": "/name",
    "house": "/house",
    "money": "/money",
    "statement": "/money/0",
    "group-share": "/share",
    "season": "/season",
    "statistics": "/statistics",
    "member": "/m/0",
    "in": "/in",
    "club": "/tournament",
    "club-plan": "/tournament/plan",
    "club-entrants": "/tournament/entrants",
    "club-entrant": "/tournament/entrants/1",
    "club-table": "/tournament/1/1",
    "club-draw": "/tournament/draws/1",
    "club-standings": "/tournament/standings",
    "club-tv": "/tournament/tv",
}
WITHOUT_GAME = {
    "home": "/",
    "evenings": "/evenings",
    "new": "/new",
    "new-group": "/groups/new",
    "enter": "/enter",
    "pads": "/pads",
    "status": "/status",
    "offline": "/offline",
    "verdict": "/referee?cards=8♥ 9♥ JK JK&before=4♥ 5♥ 6♥&after=4♥ 5♥ 6♥",
    "whole-turn": "/referee?ask=turn&preset=robber&drawn=discard&drawn_card=9♦&melded_none=yes"
    "&laid_off_none=yes",
    "nowhere": "/nowhere",
}


def addresses(game: str, group: str) -> dict[str, str]:
    """Return the paths of all pages of a game in its group, by the names of their screenshots."""
    evening = {"evening": f"{group}/e/{game.rpartition('/')[2]}"}
    of_game = {name: game + path for name, path in OF_GAME.items()}
    of_group = {name: group + path for name, path in OF_GROUP.items()}
    return of_game | of_group | evening | WITHOUT_GAME


def ending(app, group: str) -> dict[str, str]:
    """The address of the end of the group's last evening that is over."""
    (evening,) = app.extensions["ledger"].seasons.evenings(group[3:], over=True, limit=1)
    return {"end": f"/g/{evening.game}/end"}


FILES_OF_GAME = (
    "/picture.png",
    *("/sheet.pdf", "/sheet.pdf?details=yes", "/settlement.pdf", "/rules-card.pdf"),
    "/export.csv",
)
FILES_OF_GROUP = (
    "/export.json",
    "/season.pdf",
    "/season?year=2026",
    "/statistics?year=2026",
    "/season?from=2020-01-01",
)


def everywhere(app, game: str, group: str) -> Iterator[str]:
    """Return all paths of a game and its group: pages, files, calls."""
    yield from addresses(game, group).values()
    yield from (game + path for path in FILES_OF_GAME)
    yield from (group + path for path in FILES_OF_GROUP)
    ids = {"game_id": game[3:], "group_id": group[3:], "version": 1, "number": 1, "member": 0}
    for path, operations in described(app).document["paths"].items():
        if "get" in operations and ("{game_id}" in path or "{group_id}" in path):
            yield path.format(**ids)


def gathered(reader, game: str, names, name: str = "Kegelclub", note: str = "Anzahlung") -> str:
    """A group with everything its pages can show: this game is running, another one is paid."""
    group = reader.found(name, names)
    reader.send(f"{game}/group", group=group.rpartition("/")[2], do="admit")
    over = reader.next_evening(group, point_value="1/10", unit="Pf")
    held = {f"hand-{seat}": str(10 + seat) for seat in range(1, len(names))}
    held |= {f"way-{seat}": "points" for seat in range(len(names))}  # not that of the last evening

    assert reader.enter(over, 0, **held).status_code == 303
    reader.send(f"{over}/end", page=f"{over}/more")
    money = f"{group}/money"
    for amount in ("3,20", "1/10"):
        paid = {"from": "1", "to": "0", "amount": amount, "unit": "Pf", "note": note, "do": "pay"}

        assert reader.send(money, **paid).status_code == 303
    reader.send(money, do="reverse", number=str(reader.newest_entry(money)))
    reader.send(money, do="agree", unit="DM", rate="100", **{"in": "Pf"})
    night = f"{group}/tournament"
    reader.send(f"{night}/plan", hands="1", minutes="45", fee="5")
    entered = "Xaver\nYvonne, SC Trier\nZoé"
    assert reader.send(f"{night}/entrants", names=entered, do="enter").status_code == 303
    assert reader.send(night, do="draw").status_code == 303
    reader.send(f"{night}/1/1", points__0="92", points__1="89", points__2="0", do="state")
    return group


@contextmanager
def silent_page(phone, allowed: str = "") -> Iterator:
    """Open a page on a phone; an error message of the browser fails the test."""
    page = phone.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    phone.close()

    unexpected = [said for said in complaints if not (allowed and allowed in said)]
    assert not unexpected, unexpected


def open_phone(chromium, address: str, reader, **wishes):
    """A phone that is known as this reader's browser, or as nobody's."""
    phone = chromium.new_context(
        **{
            "viewport": PHONE,
            "locale": "de-DE",
            "base_url": address,
            "service_workers": "block",
            **wishes,
        }
    )
    if reader:
        known_as(phone, address, reader)
    return phone


def known_as(phone, address: str, reader) -> None:
    """Give a phone this reader's cookies."""
    known = reader.client.get_cookie("browser").value
    phone.add_cookies([{"name": "browser", "value": known, "url": address}])


def visit(page, path: str) -> None:
    """Open a page and check that it exists, since an error page has no visible faults."""
    answer = page.goto(path)

    assert answer.status == (404 if path == "/nowhere" else 200), path


def unfold(page) -> None:
    """Open every folded part."""
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")


def violations(page) -> list[str]:
    """Return what breaks a rule of axe-core on a page with everything unfolded, light and dark."""
    found: list[str] = []
    unfold(page)
    if not page.evaluate("'axe' in self"):
        page.add_init_script(AXE)  # the next pages have it sooner: the browser keeps it compiled
        page.evaluate(AXE)
    for scheme, rules in RULES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{scheme}: {rule}" for rule in page.evaluate(RUN, rules)]
    page.emulate_media(color_scheme="light")
    return found
