"""Keeping a copy of everything, and taking one in: for an edition whose record lies on a phone."""

import json

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.services import copies
from scorekeeper.services.clock import now
from scorekeeper.store.exports import BadExport
from scorekeeper.web import files
from scorekeeper.web.context import language, ledger
from scorekeeper.web.files import File
from scorekeeper.web.pages.blueprint import Answer, game_or_404, page, phone_pages
from scorekeeper.wire.strict import FormError

MAX_COPY = 64 * 1024 * 1024
"""Thousands of evenings."""
LINES = "application/x-ndjson"
LATER = "copy_later"
"""The setting that holds the evening after which somebody did not want a copy."""


@phone_pages.get("/copies")
def copies_page() -> str:
    """Show how to keep a copy, and how to take one in."""
    return _page()


@phone_pages.post("/copies")
def take_copy() -> Answer:
    """Take in a copy, or an exported game or group; all of it or nothing."""
    request.max_content_length = MAX_COPY
    file = request.files.get("file")
    try:
        books = list(copies.read_copy(file.read() if file else b""))
        taken = copies.take_copy(ledger(), books)
    except (BadExport, FormError):
        return _page(refused=language()("copies.refused")), 422
    except RuleError as error:
        return _page(refused=language().problem(error.problems[0])), 422
    return _page(taken=taken)


def _page(**facts: object) -> str:
    given: dict[str, object] = {"taken": None, "refused": "", **facts}
    return page("copies.html", count=len(ledger().games()), **given)


@phone_pages.get("/copies/file")
def copy_file() -> Response:
    """Return everything as one file."""
    lines = "".join(copies.copy_lines(ledger()))
    name = f"scorekeeper {language().numeric_date(now())}.jsonl"
    return File(lines.encode(), name, LINES).response("attachment")


@phone_pages.post("/copies/file")
def copy_kept() -> Answer:
    """Note that the file has been saved or sent; until then there is no copy."""
    copies.note_copy(ledger())
    return "", 204


@phone_pages.get("/g/<game_id>/file")
def game_file(game_id: str) -> Response:
    """Return one game as a file, with which another phone goes on where this one stops."""
    game = game_or_404(game_id)
    text = json.dumps(ledger().export(game_id), ensure_ascii=False)
    name = f"{files.game_file(game, language())}.json"
    return File(text.encode(), name, files.JSON).response("attachment")


@phone_pages.post("/copies/later")
def copy_later() -> Response:
    """Ask again after the next evening."""
    game_id = request.form.get("game", "")[:64]
    ledger().settings.set(LATER, game_id)
    return redirect(url_for("pages.evening_end", game_id=game_id), 303)


@phone_pages.app_template_global()
def wants_copy(game: Game) -> bool:
    """Return whether to offer a copy after this evening: there is none that holds it."""
    return ledger().settings.get(LATER) != game.id and not copies.is_copied(ledger())


@phone_pages.app_template_global()
def count_evenings() -> int:
    """Return how many evenings a copy would hold."""
    return len(ledger().games())


@phone_pages.app_template_global()
def without_copy() -> str:
    """Say how many evenings have changed since the last copy; empty if none has."""
    lang, count = language(), copies.count_without_copy(ledger())
    if not count:
        return ""
    if last := copies.last_copy(ledger()):
        return lang("copies.without_since", n=count, date=lang.date(last))
    return lang("copies.without", n=count)
