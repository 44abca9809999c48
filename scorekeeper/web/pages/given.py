"""The page of points without a round."""

from typing import Any

from flask import abort, request, url_for

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.given import starting_scores
from scorekeeper.services import given
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.amounts import whole
from scorekeeper.web.pages.blueprint import (
    Answer,
    faults_of,
    first_field_name,
    game_or_404,
    handle_form,
    handle_press,
    page,
    pages,
)
from scorekeeper.wire.given import GivenSchema
from scorekeeper.wire.strict import load
from scorekeeper.wording.given import given_words

KINDS = ("start", "penalty", "present")


@pages.route("/g/<game_id>/points", methods=["GET", "POST"])
def points(game_id: str) -> Answer:
    """Give a starting score, a penalty or a present, and list what was given."""
    if request.method != "POST":
        return points_page(game_id)
    try:
        body = load(GivenSchema(), _body(game_id))
    except RuleError as error:
        return points_page(game_id, problems=error.problems), 422

    return handle_form(
        lambda write: given.give_points(ledger(), game_id, body, write),
        url_for("pages.board", game_id=game_id),
        lambda **wrong: points_page(game_id, **wrong),
    )


@pages.post("/g/<game_id>/points/<int:number>/back")
def take_points_back(game_id: str, number: int) -> Answer:
    """Take back points that were given."""
    try:
        return handle_press(
            game_id, lambda write: given.take_back_points(ledger(), game_id, number, write)
        )
    except KeyError:
        abort(404)


def _body(game_id: str) -> dict[str, Any]:
    """Return the body of the API from the form."""
    form = request.form
    measure = ledger().game(game_id).rules.rank.measure
    kind, typed = form.get("kind", ""), whole(form.get("points", ""))
    if kind == "start":
        tally = "minus" if measure == "minus" else "plus"
    else:
        is_good = kind == "present"
        tally = "plus" if is_good and measure != "minus" else "minus"
        if measure == "plus":
            tally = "plus"
        takes_off = is_good if tally == "minus" else not is_good
        if isinstance(typed, int) and takes_off:
            typed = -typed
    start = {"start": True} if kind == "start" else {}
    note = {"note": form["note"]} if form.get("note") else {}
    return {"side": whole(form.get("side", "")), tally: typed, **start, **note}


def points_page(game_id: str, problems: Any = (), *, stale: bool = False) -> str:
    """Render the form and the list."""
    game = game_or_404(game_id)
    newcomers = [side for side, tally in enumerate(game.sheet.tallies) if not tally.played]
    form = request.form
    late = newcomers if game.sheet.counted else []
    return page(
        "points.html",
        game=game,
        form=form,
        side=form.get("side", str(late[-1]) if late else ""),
        kind=form.get("kind", "start" if late else "penalty"),
        kinds=KINDS if late else KINDS[1:],
        suggested=starting_scores(game.sheet, game.rules.rank.measure) if late else (),
        given=[(one, given_words(game, one, language())) for one in game.sheet.given],
        faults=faults_of(problems, _field, game.players),
        stale=stale,
    )


def _field(place: tuple[str | int, ...]) -> str:
    name = first_field_name(place)
    return "points" if name in ("minus", "plus", "start") else name
