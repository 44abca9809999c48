"""Correcting an evening: names, seats, dealers, date, stake and rules, and throwing it away."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from flask import request, url_for
from werkzeug.datastructures import MultiDict

from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game.frame import Frame, changed
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.services import games
from scorekeeper.services.clock import TIME
from scorekeeper.services.discard import KEPT_DAYS
from scorekeeper.services.renaming import correct_everywhere
from scorekeeper.store.writes import Write
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.amounts import whole, whole_or_none
from scorekeeper.web.pages.blueprint import (
    Answer,
    faults_of,
    game_or_404,
    group_of,
    handle_form,
    handle_press,
    page,
    pages,
)
from scorekeeper.web.pages.new_game import fields as game_forms
from scorekeeper.web.pages.new_game import views as new_game
from scorekeeper.web.permissions import request_write, writable_group
from scorekeeper.wire.frames import MAX_DEALERS, FrameSchema, frame_of
from scorekeeper.wire.schemas import NewGameSchema
from scorekeeper.wire.strict import load
from scorekeeper.wording.frames import frame_in_words

Form = MultiDict[str, str]
CARRIED = ("csrf_token", "key", "version", "do")
"""Fields of the form that are not about the evening."""


class SeatRow(NamedTuple):
    """A row of the table in the form."""

    seat: int
    name: str
    was: str
    """The name so far, if another one was typed."""


# ---- the form ------------------------------------------------------------------------


@pages.route("/g/<game_id>/edit", methods=["GET", "POST"])
def edit_evening(game_id: str) -> Answer:
    """Correct everything around the rounds with one form and one change."""
    game = ledger().game(game_id)
    if request.method != "POST":
        return edit_page(game_id, form_of(game))
    form: Form = request.form
    do, _, which = form.get("do", "").partition(":")
    if do == "up":
        form = _moved_up(form, whole_or_none(which) or 0)
    if do != "save":
        return edit_page(game_id, form)
    try:
        body = load(FrameSchema(), body_of(form, game))
    except RuleError as error:
        return edit_page(game_id, form, problems=error.problems), 422
    return handle_form(
        lambda write: _correct(game_id, body, write),
        url_for("pages.board", game_id=game_id),
        lambda **wrong: edit_page(game_id, form, **wrong),
    )


def _correct(game_id: str, body: Mapping[str, Any], write: Write) -> Game:
    game = ledger().game(game_id)
    frame, asked = frame_of(body, game), _asked(request.form)
    if request.form.get("everywhere") != "yes" or not writable_group(game_id):
        return games.correct_frame(ledger(), game_id, asked, lambda _: frame, write)
    write = request_write(expected=write.expected, key=write.key)  # with the pen of the group
    names = changed(game, frame).names
    return correct_everywhere(ledger(), game_id, asked, lambda _: frame, names, write)


def _asked(form: Form) -> dict[str, list[str]]:
    """Return what the form asks for, which is the same when it is sent again afterwards."""
    return {name: form.getlist(name) for name in form if name not in CARRIED}


def form_of(game: Game) -> Form:
    """Return the fields of the form as the evening is."""
    day, time = _local(game.created_at)
    fields = [("title", game.title), ("place", game.place), ("day", day), ("time", time)]
    fields += [("seat", str(seat)) for seat in game.sheet.clockwise]
    fields += [(f"name-{seat}", name) for seat, name in enumerate(game.players)]
    fields += [(f"dealer-{number}", str(seat)) for number, seat in _dealers(game)]
    return MultiDict(fields)


def _dealers(game: Game) -> Iterator[tuple[int, int]]:
    """Yield the rounds whose dealer the form shows, the next one first."""
    rows = game.sheet.rows
    if not game.is_over:
        yield len(rows) + 1, game.sheet.next_deal.dealer
    yield from ((row.number, row.dealer) for row in rows[:-MAX_DEALERS:-1])


def body_of(form: Form, game: Game) -> dict[str, Any]:
    """Return the body of the API from the form; parts that are as before are left out.

    A field that is missing stays as it was: players may have joined since the page was opened.
    """
    names = [form.get(f"name-{seat}", name) for seat, name in enumerate(game.players)]
    seats = [whole(seat) for seat in form.getlist("seat")]
    dealers = {
        number: whole(form[f"dealer-{number}"])
        for number, seat in _dealers(game)
        if form.get(f"dealer-{number}", str(seat)) != str(seat)
    }
    day_before, time_before = _local(game.created_at)
    day, time = form.get("day", day_before), form.get("time", time_before)[:5]
    is_as_before = (day, time) == (day_before, time_before)
    body = {
        "title": form.get("title", game.title),
        "place": form.get("place", game.place),
        "players": [
            {} if name == before or (not before and not name) else {"name": name}
            for name, before in zip(names, game.players, strict=True)
        ],
        **({} if is_as_before else {"began": _utc(day, time)}),
        **({"order": seats} if seats and seats != list(game.sheet.clockwise) else {}),
    }
    if dealers:
        body["dealers"] = [{"round": number, "seat": seat} for number, seat in dealers.items()]
    return body


def _moved_up(form: Form, place: int) -> Form:
    """Return the form with one seat moved up in the order."""
    seats = form.getlist("seat")
    if 0 < place < len(seats):
        seats[place - 1], seats[place] = seats[place], seats[place - 1]
    fields = [(name, value) for name, value in form.items(multi=True) if name != "seat"]
    return MultiDict([*fields, *(("seat", seat) for seat in seats)])


def _local(at: str) -> tuple[str, str]:
    """Return day and time of day as the fields of a browser have them; empty for no time."""
    try:
        moment = datetime.fromisoformat(at).astimezone(language().zone)
    except (ValueError, OverflowError, OSError):  # an imported game may hold any time
        return "", ""
    return moment.strftime("%Y-%m-%d"), moment.strftime("%H:%M")


def _utc(day: str, time: str) -> str:
    """Return the moment of these fields in UTC; what cannot be read stays text."""
    try:
        moment = datetime.strptime(f"{day} {time[:5]}", "%Y-%m-%d %H:%M")
        zone = language().zone
        here = moment.replace(tzinfo=zone) if zone else moment.astimezone()
        return here.astimezone(UTC).strftime(TIME)
    except (ValueError, OverflowError, OSError):
        return f"{day} {time}".strip()


def edit_page(
    game_id: str, form: Form, problems: Sequence[Problem] = (), *, stale: bool = False
) -> str:
    """Render the form, what it changes, and what is wrong with it."""
    stored, game = ledger().game(game_id), game_or_404(game_id)
    order = [int(seat) for seat in form.getlist("seat") if whole_or_none(seat) is not None]
    if sorted(order) != list(range(game.sheet.seats)):
        order = list(game.sheet.clockwise)
        form = MultiDict(one for one in form.items(multi=True) if one[0] != "seat")
    return page(
        "edit_evening.html",
        game=game,
        group=group_of(game),
        form=form,
        rows=[_seat_row(form, stored, seat) for seat in order],
        dealers=list(_dealers(stored)),
        changes=list(_changes(form, stored)),
        faults=faults_of(problems, _field, game.players),
        days=KEPT_DAYS,
        is_table=_is_table(game_id),
        stale=stale,
    )


def _is_table(game_id: str) -> bool:
    """Return whether a game is a table of a tournament, which cannot be thrown away."""
    group_id = ledger().group_of(game_id)
    return group_id is not None and ledger().group(group_id).is_table(game_id)


def _seat_row(form: Form, game: Game, seat: int) -> SeatRow:
    before = game.players[seat]
    name = form.get(f"name-{seat}", before)
    return SeatRow(seat, name, before if name.strip() != before else "")


def _changes(form: Form, game: Game) -> Iterator[str]:
    """Yield in words what the form would change; nothing while it cannot be read."""
    try:
        frame = frame_of(load(FrameSchema(), body_of(form, game)), game)
    except RuleError:
        return
    yield from frame_in_words(game, changed(game, frame), language())


def _field(place: Where) -> str:
    """Return the field that a problem is about."""
    match place:
        case ("players", int(seat), *_):
            return f"name-{seat}"
        case (str(name), *_) if name != "game":
            return name
    return ""


# ---- rules and stake -----------------------------------------------------------------


@pages.route("/g/<game_id>/edit/rules", methods=["GET", "POST"])
def edit_rules(game_id: str) -> Answer:
    """Correct the stake, and change house rules for the rounds to come."""
    game = ledger().game(game_id)
    if request.method != "POST":
        return rules_page(game, new_game.form_of(game.rules, game.place))
    form: Form = request.form
    form = MultiDict({**form, "preset": game.rules.preset})
    do, _, which = form.get("do", "").partition(":")
    if do == "usual":
        form = game_forms.with_usual(form, which)
    if do != "save":
        return rules_page(game, form)
    try:
        typed = load(NewGameSchema(), game_forms.new_game_body(form, ["–"])).rules
    except RuleError as error:
        return rules_page(game, form, error.problems), 422
    first = game.rules.deal.first_dealer
    rules = typed.override({"deal.first_dealer": OPTIONS["deal.first_dealer"].kind.write(first)})
    asked = {name: str(value) for name, value in rules.resolved().items()}
    return handle_form(
        lambda write: games.correct_frame(
            ledger(), game_id, asked, lambda _: Frame(rules=rules), write
        ),
        url_for("pages.board", game_id=game_id),
        lambda **wrong: rules_page(ledger().game(game_id), form, **wrong),
    )


def rules_page(
    game: Game, form: Form, problems: Sequence[Problem] = (), *, stale: bool = False
) -> str:
    """Render the form of stake and house rules."""
    shown = new_game.shown_rules(form, problems, game.players)
    known = {*shown["form"], *OPTIONS, "point_value", "unit", "payable", "stake"}
    others = [words for name, words in shown["faults"].items() if name not in known]
    return page(
        "edit_rules.html",
        game=game_or_404(game.id),
        stale=stale,
        other_faults=[word for words in others for word in words],
        **shown,
    )


# ---- throwing away -------------------------------------------------------------------


@pages.post("/g/<game_id>/throw-away")
def throw_away(game_id: str) -> Answer:
    """Throw the evening away; it stays in the bin for a while."""
    return _put(game_id, games.throw_away)


@pages.post("/g/<game_id>/bring-back")
def bring_back(game_id: str) -> Answer:
    """Bring the evening back."""
    return _put(game_id, games.bring_back)


def _put(game_id: str, change: Any) -> Answer:
    try:
        return handle_press(game_id, lambda write: change(ledger(), game_id, write))
    except RuleError as error:
        return edit_page(game_id, form_of(ledger().game(game_id)), problems=error.problems), 422
