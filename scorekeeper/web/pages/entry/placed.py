"""Rounds in their place: correcting one, entering one that was missed, striking one out."""

from collections.abc import Callable
from dataclasses import replace

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import at_place
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.services import games
from scorekeeper.services.writes import Stale, is_recorded
from scorekeeper.store.errors import KeyReused, NotFound
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.web.context import language, ledger, row_or_404
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.blueprint import form_key, form_write, game_or_404, pages
from scorekeeper.web.pages.entry import fields as forms
from scorekeeper.web.pages.entry.faults import faults_by_field
from scorekeeper.web.pages.entry.views import (
    Answer,
    empty_form,
    entry_page,
    judge,
    recorded_before,
)


@pages.route("/g/<game_id>/round/<int:number>/correct", methods=["GET", "POST"])
def correct(game_id: str, number: int) -> Answer:
    """Correct a round; the previous entry stays readable."""
    game = game_or_404(game_id)
    row = row_or_404(game, _number_now(game, number))
    declared = games.round_as_declared(game, row)
    before = forms.round_form(declared, language().notation) | _joined_later(game, row)
    return _placed(at_place(game, "corrected", row.number), number, before, row)


@pages.get("/g/<game_id>/missed")
def missed(game_id: str) -> Response:
    """Go to the form of a missed round that comes after the round in the query."""
    number = request.args.get("after", 0, type=int) + 1
    row_or_404(game_or_404(game_id), number)
    return redirect(url_for("pages.insert", game_id=game_id, number=number), 303)


@pages.route("/g/<game_id>/round/<int:number>/insert", methods=["GET", "POST"])
def insert(game_id: str, number: int) -> Answer:
    """Enter a missed round before the one that has its number now."""
    game = game_or_404(game_id)
    now = _number_now(game, number)
    before = empty_form(game) | _joined_later(game, row_or_404(game, now))
    return _placed(at_place(game, "inserted", now), number, before, now)


def _number_now(game: Game, number: int) -> int:
    """Return the number that the round of a form has now.

    Somebody may have entered a missed round before it since the form was opened.
    """
    version = whole_or_none(request.form.get("version", ""))
    if version is None or version == game.version:
        return number
    try:
        ordinal = ledger().game_at(game.id, version).sheet.as_written(number).ordinal
    except (NotFound, KeyError):
        return number
    return next(row.number for row in game.sheet.written if row.ordinal == ordinal)


def _joined_later(game: Game, row: Row) -> dict[str, str]:
    """Return the fields that mark players as absent if they joined after this round."""
    seats = range(len(row.score.scores), 0 if game.rules.teams else len(game.players))
    return {f"absent-{seat}": "yes" for seat in seats}


def _placed(game: Game, number: int, before: forms.Fields, place: Row | int) -> Answer:
    """Correct a round or insert one before another, under the rules of its place.

    ``number`` is that of the form, and ``place`` the round as it is now, or the number for the
    missed one.
    """
    row = place if isinstance(place, Row) else None
    kind, now = ("corrected", row.number) if row else ("inserted", place)
    if request.method != "POST":
        return entry_page(game, before, at=place)
    form = forms.with_chosen_moves(request.form)
    saves = form.get("do") == "save"
    verdict = judge(game, form, row, to_save=saves)
    notice = "moved" if now != number else ""
    if not saves:
        return entry_page(game, form, verdict, at=place, notice=notice)
    write = form_write()
    if not verdict.ready or verdict.scored is None:
        if recorded_before(game.id, form, write, kind, number):
            return redirect(board_after(game, number), 303)
        notice = "saved_before" if is_recorded(ledger(), game.id, form_key()) else notice
        return entry_page(game, form, verdict, at=place, notice=notice), 422
    change = games.correct_round if row else games.insert_round
    try:
        changed = change(ledger(), game.id, number, verdict.scored, write)
    except Stale:
        notice, status = notice or "stale", 409
    except KeyReused:
        notice, status = "saved_before", 422
    except RuleError as error:
        faults = faults_by_field(error.problems, game)
        refused = replace(verdict, scored=None, faults=faults)
        return entry_page(game, form, refused, at=place, notice=notice), 422
    else:
        return redirect(board_after(changed.game, number), 303)
    return entry_page(game, form, verdict, at=place, notice=notice), status


@pages.post("/g/<game_id>/round/<int:number>/strike")
def strike(game_id: str, number: int) -> Response:
    """Take a round back: it is struck out, and the board offers to restore it."""
    return _change(game_id, number, games.strike_round)


@pages.post("/g/<game_id>/round/<int:number>/restore")
def restore(game_id: str, number: int) -> Response:
    """Restore a struck round."""
    return _change(game_id, number, games.restore_round)


@pages.post("/g/<game_id>/round/<int:number>/revert")
def revert(game_id: str, number: int) -> Response:
    """Take back the last correction of a round."""
    return _change(game_id, number, games.revert_round)


def _change(
    game_id: str, number: int, change: Callable[[Ledger, str, int, Write], Game]
) -> Response:
    row_or_404(game_or_404(game_id), number)
    write = form_write()
    try:
        game = change(ledger(), game_id, number, write)
    except Stale:
        return redirect(url_for("pages.board", game_id=game_id, notice="stale"), 303)
    return redirect(board_after(game, number), 303)


def board_after(game: Game, number: int) -> str:
    """Return the URL of the board after a change by this browser, to which it is no news."""
    return url_for("pages.board", game_id=game.id, own=game.version, but=number, _anchor="next")
