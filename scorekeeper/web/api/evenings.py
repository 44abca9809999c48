"""The evenings of a group: begin one, add or remove a game, list results."""

from typing import Any

from flask import Response, abort, url_for
from marshmallow import post_load

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import MOST_SEATS, NewGame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.services import groups
from scorekeeper.services.printing import YES_NO
from scorekeeper.store.evenings import StoredEvening, stored_evening
from scorekeeper.store.writes import Holder
from scorekeeper.web.api.answers import game_answer
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    KEY,
    SECRET,
    answer,
    blp,
    idempotency_key,
    preconditions,
)
from scorekeeper.web.api.group_answers import (
    EveningsSchema,
    EveningWithStorySchema,
    GroupSchema,
    NewEveningAnswerSchema,
    evening_answer,
    evening_with_story_answer,
)
from scorekeeper.web.api.groups import group_response
from scorekeeper.web.context import language, ledger
from scorekeeper.web.permissions import hold, request_write
from scorekeeper.wire.groups import MAX_MEMBER, NewEveningSchema
from scorekeeper.wire.queries import Digits, SpanSchema, span_of
from scorekeeper.wire.schemas import with_extras
from scorekeeper.wire.strict import Choice, Flag, ListOf, ShortText, StrictSchema, Whole, refuse
from scorekeeper.wording.seasons import with_member_names

TAGS = ["Evenings"]
EVENING_PATH = "/groups/<group_id>/games/<game_id>"
MAX_LISTED = 100
USUAL_LISTED = 20
MAX_SKIPPED = 10**6


class AdmissionSchema(StrictSchema):
    """The seating of a game in the group (null: by name), and whether it is training.

    Fields left out stay as they are. A game that is not in the group yet needs its own pen.
    """

    members = ListOf(Whole(0, MAX_MEMBER, allow_none=True), 1, MOST_SEATS)
    training = Flag()
    pen = ShortText(1, 80)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Refuse an empty change."""
        return data or refuse("no_change", allowed=tuple(self.fields))


class EveningsQuerySchema(SpanSchema):
    """The evenings to list, and the part of the list."""

    training = Choice(*YES_NO, load_default="yes")
    member = Digits(0, MAX_MEMBER)
    limit = Digits(1, MAX_LISTED, load_default=str(USUAL_LISTED))
    offset = Digits(0, MAX_SKIPPED, load_default="0")


@blp.post("/groups/<group_id>/games", tags=TAGS)
@blp.doc(**SECRET, parameters=[KEY])
@blp.arguments(NewEveningSchema())
@blp.response(201, NewEveningAnswerSchema)
def open_evening(body: dict[str, Any], group_id: str) -> Response:
    """Begin a game of the group: players are members by name, new names join the group.

    Without rules, the house rules apply, or else the rules of the last evening; so do the terms of
    the stake that the body leaves out. The group's secrets open the game.
    """
    stated = body.get("rules")
    played = stated or groups.usual_rules(ledger(), ledger().group(group_id))
    if played is None:
        raise RuleError("E_GROUP", ("rules",), why="no_rules")
    rules = with_extras(played, body)
    players = tuple(player["name"] for player in body["players"])
    group = groups.begin_evening(
        ledger(),
        group_id,
        NewGame(body["title"], body["place"], rules, players),
        request_write(key=idempotency_key()),
        as_usual=stated is None and rules is played,
        training=body["training"],
    )
    game = groups.begun_game(ledger(), group)
    seating = group.evenings[game.id]
    fields = {"id": game.id, "members": list(seating.members), "training": seating.training}
    response = answer(fields | {"game": game_answer(game, language())}, status=201)
    response.headers["Location"] = url_for("api.read_evening", group_id=group_id, game_id=game.id)
    return response


@blp.get("/groups/<group_id>/games", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(EveningsQuerySchema(), location="query")
@blp.response(200, EveningsSchema)
def list_evenings(query: dict[str, Any], group_id: str) -> Response:
    """List the evenings with their results, latest first.

    Those that are not over, and those that were thrown away, are included.
    """
    span, member = span_of(query, training=query["training"] == "yes"), query.get("member")
    evenings = ledger().seasons.evenings(
        group_id, span, member=member, limit=query["limit"], offset=query["offset"]
    )
    titles = ledger().names.words_of([evening.game for evening in evenings], "title")
    return answer(
        {
            "total": ledger().seasons.count_evenings(group_id, span, member=member),
            "games": [_listed(evening, titles.get(evening.game, "")) for evening in evenings],
        }
    )


def _listed(evening: StoredEvening, title: str) -> dict[str, Any]:
    """Return a line of the list; an unfinished evening is computed, unless it is damaged."""
    game = None if evening.over else next(ledger().readable(Game, [evening.game]), None)
    if game is None:
        return evening_answer(evening, title, None)
    return evening_answer(stored_evening(game, evening.seating), title, game.thrown_away_at)


@blp.get(EVENING_PATH, tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, EveningWithStorySchema)
def read_evening(group_id: str, game_id: str) -> Response:
    """Return the results of an evening, and its story."""
    return _evening_response(ledger().group(group_id), game_id)


@blp.put(EVENING_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(AdmissionSchema())
@blp.response(200, EveningWithStorySchema)
def admit_game(body: dict[str, Any], group_id: str, game_id: str) -> Response:
    """Add a game to the group, or change its seating or whether it counts.

    Its result is booked at once, or booked again.
    """
    if game_id not in ledger().group(group_id).evenings:
        _require_pen_of(game_id, body.get("pen"))
    group = groups.admit_game(
        ledger(),
        group_id,
        game_id,
        preconditions(group_id),
        members=body.get("members"),
        training=body.get("training"),
    )
    return _evening_response(group, game_id, changed=True)


def _require_pen_of(game_id: str, pen: str | None) -> None:
    """Require the pen of a game; it makes no difference whether the game exists."""
    if pen is None:
        raise RuleError("E_FORM", ("pen",), why="missing")
    match ledger().rights.of_secret(game_id, pen):
        case None:
            abort(404)
        case "watch":
            abort(403)
    hold(Holder(game_id, secret=pen))


@blp.delete(EVENING_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, GroupSchema)
def release_game(group_id: str, game_id: str) -> Response:
    """Remove a game from the group and undo its booking; the game itself stays.

    From then on, writing in it needs its own pen.
    """
    write = preconditions(group_id)
    try:
        return group_response(groups.release_game(ledger(), group_id, game_id, write))
    except RuleError:
        if game_id in ledger().group(group_id).evenings:
            raise
        abort(404)


def _evening_response(group: Group, game_id: str, *, changed: bool = False) -> Response:
    if game_id not in group.evenings:
        abort(404)
    game = with_member_names(ledger().game(game_id), group, language())
    fields = evening_with_story_answer(
        stored_evening(game, group.evenings[game_id]), game, language()
    )
    return answer(fields, group if changed else None)
