"""The words for photographs of cards, which a page loads only when somebody takes one."""

from flask import Response, jsonify

from scorekeeper.web.context import language
from scorekeeper.web.pages.blueprint import asset, pages

WORDS = (
    *("smaller", "reading", "failed", "picture", "one", "more", "check", "tap", "card", "row"),
    *("change", "unsure", "other", "remove", "instead", "dropped", "again", "twice", "take"),
    "close",
)
FACTS = {name: f"{{{name}}}" for name in ("n", "card", "other", "points")}
"""Placeholders that ``static/photo.js`` fills in."""


@pages.get("/photo/words")
def photo_words() -> Response:
    """Return the words by name, and the address of the stylesheet."""
    lang = language()
    words = {name: lang(f"photo.{name}", **FACTS) for name in WORDS}
    return jsonify({**words, "kind": lang("E_PICTURE.kind"), "style": asset("photo.css")})
