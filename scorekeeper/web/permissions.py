"""Who may pass which door: one table, one guard.

Programs show a secret with every request, browsers the cookie they got for one. A game
or group that is not there and one that is not yours look the same. The ledger asks for the
pen once more in the transaction that writes.
"""

from functools import partial

from flask import Flask, abort, g, request

from scorekeeper.web import context, rate_limits

FREE = ("free", "free")
FOLLOW = ("watch", "pen")
"""Whoever may read sees it; only the pen changes it."""
PEN = ("pen", "pen")
WATCH = ("watch", "watch")
"""A question that is asked by POST and changes nothing."""
READING = ("GET", "HEAD", "OPTIONS")

RIGHTS: dict[str, tuple[str, str]] = {
    "static": FREE,
    "handbook": FREE,
    "healthz": FREE,
    "metrics": FREE,
    "api-docs.openapi_json": FREE,
    "api.presets": FREE,
    "api.one_preset": FREE,
    "api.options": FREE,
    "api.check_rules": FREE,
    "api.check_meld": FREE,
    "api.arrange_hand": FREE,
    "api.check_table": FREE,
    "api.price_round": FREE,
    "api.settle_totals": FREE,
    "api.open_game": FREE,
    "api.import_game": FREE,
    "api.read_game": FOLLOW,
    "api.change_game": PEN,
    "api.erase_player": PEN,
    "api.read_history": FOLLOW,
    "api.replace_secret": PEN,
    "api.read_settlement": FOLLOW,
    "api.mark_paid": PEN,
    "api.record_round": PEN,
    "api.preview_round": WATCH,
    "api.read_round": FOLLOW,
    "api.correct_round": PEN,
    "api.strike_round": PEN,
    "api.restore_round": PEN,
    "api.sheet_pdf": FOLLOW,
    "api.settlement_pdf": FOLLOW,
    "api.game_card_pdf": FOLLOW,
    "api.preset_card_pdf": FREE,
    "api.card_pdf": FREE,
    "api.pad_pdf": FREE,
    "api.export_csv": FOLLOW,
    "api.export_json": FOLLOW,
    "pages.season_table": FOLLOW,
    "pages.season_pdf": FOLLOW,
    "pages.season_sheet": FOLLOW,
    "pages.group_statistics": FOLLOW,
    "pages.member": FOLLOW,
    "pages.evening": FOLLOW,
    "pages.new_group": FREE,
    "pages.group": FOLLOW,
    "api.export_group_csv": FOLLOW,
    "api.export_group_json": FOLLOW,
    "api.import_group": FREE,
    "api.import_sheet": PEN,
    "pages.group_in": FOLLOW,
    "pages.group_csv": FOLLOW,
    "pages.group_json": FOLLOW,
    "pages.game_csv": FOLLOW,
    "pages.new_evening": PEN,
    "pages.members": FOLLOW,
    "pages.rename_member": PEN,
    "pages.erase_member": PEN,
    "pages.rename_group": PEN,
    "pages.house": PEN,
    "pages.money": FOLLOW,
    "pages.group_statement": FOLLOW,
    "pages.game_group": PEN,
    "api.found_group": FREE,
    "api.read_group": FOLLOW,
    "api.change_group": PEN,
    "api.add_member": PEN,
    "api.read_member": FOLLOW,
    "api.rename_member": PEN,
    "api.erase_member": PEN,
    "api.read_group_history": FOLLOW,
    "api.replace_group_secret": PEN,
    "api.open_evening": PEN,
    "api.list_evenings": FOLLOW,
    "api.read_evening": FOLLOW,
    "api.admit_game": PEN,
    "api.release_game": PEN,
    "api.read_season": FOLLOW,
    "api.group_season_pdf": FOLLOW,
    "api.group_season_csv": FOLLOW,
    "api.read_encounters": FOLLOW,
    "api.read_money": FOLLOW,
    "api.read_statement": FOLLOW,
    "api.enter_payment": PEN,
    "api.settle_up": PEN,
    "api.agree_rate": PEN,
    "api.convert_balances": PEN,
    "api.reverse_entry": PEN,
    "pages.home": FREE,
    "pages.status": FREE,
    "pages.referee": FREE,
    "pages.table_referee": WATCH,
    "pages.new": FREE,
    "pages.enter": FREE,
    "pages.speak": FREE,
    "pages.worker": FREE,
    "pages.board": FOLLOW,
    "pages.tv": FOLLOW,
    "pages.one_round": FOLLOW,
    "pages.settlement": FOLLOW,
    "pages.pads": FREE,
    "pages.pad_pdf": FREE,
    "pages.preset_card_pdf": FREE,
    "pages.sheet_pdf": FOLLOW,
    "pages.settlement_pdf": FOLLOW,
    "pages.card_pdf": FOLLOW,
    "pages.print_view": FOLLOW,
    "pages.history": FOLLOW,
    "pages.rules": FOLLOW,
    "pages.more": FOLLOW,
    "pages.entry": PEN,
    "pages.correct": PEN,
    "pages.strike": PEN,
    "pages.restore": PEN,
    "pages.pay": PEN,
    "pages.account": PEN,
    "pages.share": PEN,
    "pages.replace": PEN,
    "pages.details": PEN,
    "pages.join": PEN,
    "pages.names": PEN,
    "pages.erase_player": PEN,
    "pages.end": PEN,
    "pages.reopen": PEN,
}
"""By endpoint: the right to read and the right to change."""


def check_doors(app: Flask) -> None:
    """Every route has its row and every row its route; RuntimeError otherwise."""
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    odd = endpoints ^ set(RIGHTS)
    if odd:
        raise RuntimeError(f"routes and rights differ: {sorted(odd)}")


def guard() -> None:
    """Let nobody in without the right; deny what is not in the table."""
    endpoint = request.endpoint
    if endpoint is None:
        return  # no such page: the router answers
    to_read, to_change = RIGHTS[endpoint]
    needed = to_read if request.method in READING else to_change
    if needed == "free":
        return
    asked = request.view_args or {}
    kind = "group" if "group_id" in asked else "game"
    book_id = asked[f"{kind}_id"]
    held = _held(book_id)
    if held is None or context.ledger().kind(book_id) != kind:  # a group is no game
        rate_limits.found_nothing()
        abort(404)
    if needed == "pen" and held != "pen":
        abort(403)
    g.right = held
    if needed == "pen" and request.method not in READING:
        rate_limits.adds(book_id=book_id)
        demand_pen(book_id)


def demand_pen(book_id: str) -> None:
    """Let whatever this request writes be written only while its sender has the pen of a book."""
    ledger = context.ledger()
    secret, browser = _secret(), context.browser() or ""
    shown = {"secret": secret} if context.is_api() else {"browser": browser}
    ledger.rights.demand(partial(ledger.rights.demand_pen, book_id, **shown))


def forget_demands(_: object = None) -> None:
    """Before and after a request: what another one had to show is no demand of this one."""
    context.ledger().rights.demand_nothing()


def _held(book_id: str) -> str | None:
    if not context.is_api():
        cookie = context.browser()
        return context.ledger().rights.of_browser(cookie, book_id) if cookie else None
    secret = _secret()
    return context.ledger().rights.of_secret(book_id, secret) if secret else None


def _secret() -> str:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""
