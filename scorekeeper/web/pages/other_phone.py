"""Everything that this browser holds on another phone: the page that shows the code for it."""

from flask import make_response, redirect, request, url_for

from scorekeeper.store.cache import Kind
from scorekeeper.web import context
from scorekeeper.web.browser_codes import new_code
from scorekeeper.web.context import language, ledger
from scorekeeper.web.links import is_only_here
from scorekeeper.web.pages.blueprint import Answer, page, pages
from scorekeeper.web.pages.qr_code import qr_code
from scorekeeper.web.pages.sharing import SECRET

KINDS: tuple[Kind, ...] = ("game", "group")


@pages.post("/evenings/code")
def other_phone() -> Answer:
    """Show a code that copies everything to another browser, or moves it."""
    browser = context.browser()
    held = {kind: ledger().rights.books_of(browser, kind) for kind in KINDS} if browser else {}
    if not browser or not any(held.values()):
        return redirect(url_for("pages.evenings"), 303)
    moves = request.form.get("do") == "move"
    code = new_code(browser, moves=moves)
    shown = page(
        "other_phone.html",
        code=code,
        drawn=qr_code(f"{url_for('pages.enter', _external=True)}#{code}", error="m"),
        moves=moves,
        held=[language()(f"other.{kind}s", n=len(books)) for kind, books in held.items() if books],
        host=request.host,
        only_here=is_only_here(),
    )
    answer = make_response(shown)
    answer.headers.update(SECRET)
    return answer
