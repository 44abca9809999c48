"""Erasing the name of a player."""

from flask import abort, request, url_for

from scorekeeper.services import erasure
from scorekeeper.web.context import ledger
from scorekeeper.web.pages.blueprint import (
    Answer,
    game_or_404,
    group_of,
    group_or_404,
    handle_form,
    page,
    pages,
)
from scorekeeper.web.permissions import right_held


@pages.get("/g/<game_id>/names")
def names(game_id: str) -> str:
    """Choose whose name to erase."""
    return names_page(game_id, None)


@pages.route("/g/<game_id>/names/<int:seat>", methods=["GET", "POST"])
def erase_player(game_id: str, seat: int) -> Answer:
    """Erase a name, after a confirmation because it cannot be restored."""
    if seat >= ledger().game(game_id).sheet.seats:
        abort(404)
    if request.method != "POST":
        return names_page(game_id, seat)
    return handle_form(
        lambda write: erasure.erase_player(ledger(), game_id, seat, write=write),
        url_for("pages.board", game_id=game_id),
        lambda **wrong: names_page(game_id, seat, **wrong),
    )


def named(game_id: str) -> list[int]:
    """Return the seats whose players still have a name."""
    return [seat for seat, name in enumerate(ledger().game(game_id).players) if name]


def names_page(game_id: str, seat: int | None, *, stale: bool = False) -> str:
    """Render the choice of a name, or what erasing it means; 404 if it is erased already."""
    if seat is not None and seat not in named(game_id):
        abort(404)
    game = game_or_404(game_id)
    group = group_of(game)
    return page(
        "names.html",
        game=game,
        named=named(game_id),
        seat=seat,
        group=group,
        member=_member(game_id, group.id, seat) if group and seat is not None else None,
        stale=stale,
    )


def _member(game_id: str, group_id: str, seat: int) -> int | None:
    """Return the member at a seat, if this browser may erase the member's name."""
    if right_held(group_id) != "pen":
        return None
    return group_or_404(group_id).evenings[game_id].members[seat]
