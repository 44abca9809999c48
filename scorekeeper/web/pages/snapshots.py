"""Showing an evening to others without a server: the board inside a link and its QR code.

The link holds what the board shows, compressed, behind the ``#``, which browsers send to nobody.
The page that opens it draws it as it is (browser/evening.js). Money, notes and other evenings are
not in it.
"""

import json
import zlib
from base64 import urlsafe_b64encode
from typing import Any

from flask import current_app

from scorekeeper.domain.game.state import Game
from scorekeeper.services.clock import now
from scorekeeper.web.context import language
from scorekeeper.web.pages.blueprint import evening_title, game_or_404, group_of, page, phone_pages
from scorekeeper.web.pages.qr_code import qr_code
from scorekeeper.wording import pad
from scorekeeper.wording.finale import finale, heads, lines

FORMAT = 1
MAX_CODE = 1800
"""The longest link that phones still scan from another phone's screen."""


@phone_pages.get("/g/<game_id>/snapshot")
def snapshot(game_id: str) -> str:
    """Show the link and its code, and say beforehand what is in it and what is not."""
    game = game_or_404(game_id)
    at = now()
    link = f"{current_app.config['READER']}#e={packed(contents(game, at))}"
    fits = len(link) <= MAX_CODE
    code = qr_code(link, error="l", boost_error=False) if fits else None
    return page("snapshot.html", game=game, link=link, code=code, at=at)


def contents(game: Game, at: str) -> list[Any]:
    """Return what the link holds, as the board shows it to this reader."""
    lang = language()
    columns = [
        [head.name, head.total, head.place, int(head.leads), head.laid]
        for head in heads(game, lang)
    ]
    rows = [
        [
            line.number,
            int(line.struck),
            [["", "", ""] if one.gone else [one.points, one.after, one.mark] for one in line.cells],
            list(line.doubts),
        ]
        for line in lines(game, lang)
    ]
    games = finale(game, lang)
    if game.is_over:
        below = ["", pad.winners(game, lang), *([games.verdict] if games else [])]
    else:
        below = [str(len(rows) + 1), *pad.next_deal(game, lang)]
    return [
        *(FORMAT, game.id, game.version, lang.code, at),
        *(evening_title(game, group_of(game)), lang.preset(game.rules.preset)),
        *(columns, rows, below),
        games.heads if games else [],
    ]


def packed(values: list[Any]) -> str:
    """Return values as compressed JSON in the letters of an address."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    size = deflate.compress(text) + deflate.flush()
    return urlsafe_b64encode(size).decode().rstrip("=")
