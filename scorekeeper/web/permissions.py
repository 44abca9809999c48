"""Permissions: which right each route needs, and the check before every request.

API clients send a secret with every request; browsers send the cookie they got for one. A game
or group that does not exist and one that the client may not see get the same answer. The ledger
checks the right to write once more inside the transaction.
"""

from typing import NamedTuple

from flask import Flask, abort, current_app, g, request

from scorekeeper.store.writes import Holder, Write
from scorekeeper.web import context, rate_limits
from scorekeeper.web.context import READ_METHODS

PUBLIC = ("public", "public")
READ = ("watch", "pen")
"""Reading needs watch or pen, changing needs the pen."""
PEN = ("pen", "pen")
WATCH = ("watch", "watch")
"""Queries sent by POST, which change nothing."""

RIGHTS: dict[str, tuple[str, str]] = {
    "static": PUBLIC,
    "handbook": PUBLIC,
    "healthz": PUBLIC,
    "metrics": PUBLIC,
    "api-docs.openapi_json": PUBLIC,
    "api.list_presets": PUBLIC,
    "api.read_preset": PUBLIC,
    "api.list_options": PUBLIC,
    "api.check_rules": PUBLIC,
    "api.check_meld": PUBLIC,
    "api.arrange_hand": PUBLIC,
    "api.check_table": PUBLIC,
    "api.recognise_cards": PUBLIC,
    "api.recognise_cards_of_game": WATCH,
    "api.score_without_game": PUBLIC,
    "api.settle_totals": PUBLIC,
    "api.create_game": PUBLIC,
    "api.import_game": PUBLIC,
    "api.read_game": READ,
    "api.change_game": PEN,
    "api.erase_player": PEN,
    "api.read_history": READ,
    "api.replace_secret": PEN,
    "api.withdraw_paper": PEN,
    "api.read_links": PEN,
    "api.open_code": PEN,
    "api.end_code": PEN,
    "api.enter_code": PUBLIC,
    "api.read_settlement": READ,
    "api.mark_paid": PEN,
    "api.record_round": PEN,
    "api.preview_round": WATCH,
    "api.read_round": READ,
    "api.correct_round": PEN,
    "api.insert_round": PEN,
    "api.give_points": PEN,
    "api.take_back_points": PEN,
    "api.strike_round": PEN,
    "api.restore_round": PEN,
    "api.sheet_pdf": READ,
    "api.picture": READ,
    "api.read_story": READ,
    "api.rematch": PEN,
    "api.settlement_pdf": READ,
    "api.game_card_pdf": READ,
    "api.preset_card_pdf": PUBLIC,
    "api.card_pdf": PUBLIC,
    "api.pad_pdf": PUBLIC,
    "api.export_csv": READ,
    "api.export_json": READ,
    "pages.tournament": READ,
    "pages.tournament_plan": PEN,
    "pages.tournament_entrants": READ,
    "pages.tournament_entrant": READ,
    "pages.tournament_table": PEN,
    "pages.tournament_standings": READ,
    "pages.tournament_draw": READ,
    "pages.tournament_tv": READ,
    "pages.tournament_paper": READ,
    "pages.season_table": READ,
    "pages.season_pdf": READ,
    "pages.season_sheet": READ,
    "pages.group_statistics": READ,
    "pages.member": READ,
    "pages.evening": READ,
    "pages.new_group": PUBLIC,
    "pages.group": READ,
    "api.export_group_csv": READ,
    "api.export_group_json": READ,
    "api.import_group": PUBLIC,
    "api.import_sheet": PEN,
    "pages.group_import": READ,
    "pages.group_csv": READ,
    "pages.group_json": READ,
    "pages.game_csv": READ,
    "pages.new_evening": PEN,
    "pages.members": READ,
    "pages.rename_member": PEN,
    "pages.erase_member": PEN,
    "pages.retire_member": PEN,
    "pages.rename_group": PEN,
    "pages.keep_rating": PEN,
    "pages.house": PEN,
    "pages.money": READ,
    "pages.group_statement": READ,
    "pages.game_group": PEN,
    "api.create_group": PUBLIC,
    "api.read_group": READ,
    "api.change_group": PEN,
    "api.add_member": PEN,
    "api.read_member": READ,
    "api.rename_member": PEN,
    "api.erase_member": PEN,
    "api.read_group_history": READ,
    "api.replace_group_secret": PEN,
    "api.read_group_links": PEN,
    "api.open_group_code": PEN,
    "api.end_group_code": PEN,
    "api.open_evening": PEN,
    "api.list_evenings": READ,
    "api.read_evening": READ,
    "api.admit_game": PEN,
    "api.release_game": PEN,
    "api.create_tournament": PEN,
    "api.change_plan": PEN,
    "api.read_tournament": READ,
    "api.read_standings": READ,
    "api.standings_pdf": READ,
    "api.table_cards_pdf": READ,
    "api.certificates_pdf": READ,
    "api.enter_tournament": PEN,
    "api.withdraw_entrant": PEN,
    "api.bring_back_entrant": PEN,
    "api.draw_round": PEN,
    "api.undraw_round": PEN,
    "api.check_draw": READ,
    "api.state_result": PEN,
    "api.unstate_result": PEN,
    "api.close_round": PEN,
    "api.end_tournament": PEN,
    "api.read_season": READ,
    "api.group_season_pdf": READ,
    "api.group_season_csv": READ,
    "api.read_encounters": READ,
    "api.read_money": READ,
    "api.read_statement": READ,
    "api.enter_payment": PEN,
    "api.settle_up": PEN,
    "api.agree_rate": PEN,
    "api.convert_balances": PEN,
    "api.reverse_entry": PEN,
    "pages.home": PUBLIC,
    "pages.evenings": PUBLIC,
    "pages.other_phone": PUBLIC,
    "pages.status": PUBLIC,
    "pages.referee": PUBLIC,
    "pages.table_referee": WATCH,
    "pages.new": PUBLIC,
    "pages.enter": PUBLIC,
    "pages.set_language": PUBLIC,
    "pages.worker": PUBLIC,
    "pages.away": PUBLIC,
    "pages.photo_words": PUBLIC,
    "pages.board": READ,
    "pages.tv": READ,
    "pages.one_round": READ,
    "pages.settlement": READ,
    "pages.pads": PUBLIC,
    "pages.pad_pdf": PUBLIC,
    "pages.preset_card_pdf": PUBLIC,
    "pages.sheet_pdf": READ,
    "pages.picture": READ,
    "pages.settlement_pdf": READ,
    "pages.card_pdf": READ,
    "pages.print_view": READ,
    "pages.history": READ,
    "pages.rules": READ,
    "pages.more": READ,
    "pages.entry": PEN,
    "pages.correct": PEN,
    "pages.missed": PEN,
    "pages.insert": PEN,
    "pages.edit_evening": PEN,
    "pages.edit_rules": PEN,
    "pages.throw_away": PEN,
    "pages.points": PEN,
    "pages.take_points_back": PEN,
    "pages.bring_back": PEN,
    "pages.strike": PEN,
    "pages.restore": PEN,
    "pages.revert": PEN,
    "pages.pay": PEN,
    "pages.account": PEN,
    "pages.share": PEN,
    "pages.replace": PEN,
    "pages.short_code": PEN,
    "pages.details": PEN,
    "pages.join": PEN,
    "pages.names": PEN,
    "pages.erase_player": PEN,
    "pages.end": PEN,
    "pages.evening_end": READ,
    "pages.rematch": PEN,
    "pages.reopen": PEN,
}
"""By endpoint: the right to read and the right to change."""
RIGHTS_ON_A_PHONE = {
    "phone.snapshot": READ,
    "phone.game_file": READ,
    "phone.copies_page": PUBLIC,
    "phone.take_copy": PUBLIC,
    "phone.copy_file": PUBLIC,
    "phone.copy_kept": PUBLIC,
    "phone.copy_later": PUBLIC,
}
"""Those of the pages that only an edition for one person has."""


def check_permissions(app: Flask) -> None:
    """Raise RuntimeError unless RIGHTS has exactly one row per route."""
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    parts = app.extensions["parts"]
    named = set(RIGHTS) | (set(RIGHTS_ON_A_PHONE) if parts.on_one_phone else set())
    odd = (endpoints ^ named) | (parts.left_out - endpoints)
    if odd:
        raise RuntimeError(f"routes and rights differ: {sorted(odd)}")


def offers(endpoint: str) -> bool:
    """Return whether this edition has a route."""
    left_out = current_app.extensions["parts"].left_out
    return endpoint in current_app.view_functions and endpoint not in left_out


def guard() -> None:
    """Refuse the request unless the client holds the right that its route needs."""
    endpoint = request.endpoint
    if endpoint is None:
        return  # not found; the router answers
    if not offers(endpoint):
        abort(404)
    to_read, to_change = RIGHTS.get(endpoint) or RIGHTS_ON_A_PHONE[endpoint]
    needed = to_read if request.method in READ_METHODS else to_change
    if needed == "public":
        return
    args = request.view_args or {}
    kind = "group" if "group_id" in args else "game"
    book_id = args[f"{kind}_id"]
    client = _client(book_id)
    held = context.ledger().rights.held_by(client)
    if held is None or context.ledger().kind(book_id) != kind:  # a game's URL must not open a group
        rate_limits.count_wrong_guess()
        abort(404)
    if needed == "pen" and held != "pen":
        abort(403)
    g.right = held
    if needed == "pen" and request.method not in READ_METHODS:
        rate_limits.limit_growth(book_id=book_id)
        hold(client)


def writable_group(game_id: str) -> str | None:
    """Return the group of a game if the client holds its pen; writing then requires that pen."""
    group_id = context.ledger().group_of(game_id)
    if group_id is None or right_held(group_id) != "pen":
        return None
    require_pen(group_id)
    return group_id


class GroupOfGame(NamedTuple):
    """What is shown of the group of a game."""

    id: str
    name: str


def group_of(game_id: str) -> GroupOfGame | None:
    """Return the group of a game, if the client may read the group."""
    group_id = context.ledger().group_of(game_id)
    if group_id is None or right_held(group_id) is None:
        return None
    names = context.ledger().names.words_of([group_id], "name")
    return GroupOfGame(group_id, names.get(group_id, ""))


def group_name(game_id: str) -> str:
    """Return the name of a game's group; empty if the client may not read the group."""
    group = group_of(game_id)
    return group.name if group else ""


def require_pen(book_id: str) -> None:
    """Make the writes of this request check once more that its client holds the pen of a book."""
    hold(_client(book_id))


def hold(holder: Holder) -> None:
    """Add a pen that must still be held when this request writes."""
    g.holders = (*g.get("holders", ()), holder)


def request_write(*, expected: int | None = None, key: str | None = None) -> Write:
    """Return what a change by this request needs: its pens, the version it saw, and its key."""
    return Write(holders=g.get("holders", ()), expected=expected, key=key)


def right_held(book_id: str) -> str | None:
    """Return the right of the client in a game or group."""
    return context.ledger().rights.held_by(_client(book_id))


def _client(book_id: str) -> Holder:
    """Return the client of this request with what it has sent to open a book."""
    if not context.is_api():
        return Holder(book_id, browser=context.browser() or "")
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return Holder(book_id, secret=secret.strip() if scheme.lower() == "bearer" else "")
