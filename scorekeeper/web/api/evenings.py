"""The evenings of a group: begin one, put a game in, see what they came to."""

from functools import partial
from typing import Any

from flask import Response, abort, url_for

from scorekeeper.domain.changes import NewGame
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group import Group
from scorekeeper.i18n.seasons import with_member_names
from scorekeeper.services import groups
from scorekeeper.services.bookkeeping import as_it_stands
from scorekeeper.services.printing import YES_NO
from scorekeeper.store.evenings import kept
from scorekeeper.web.api.answers import game_answer
from scorekeeper.web.api.blueprint import IF_MATCH, KEY, SECRET, answer, blp, idempotency_key, seen
from scorekeeper.web.api.group_answers import (
    BegunSchema,
    EveningsSchema,
    GroupSchema,
    ToldEveningSchema,
    evening_answer,
    told_evening_answer,
)
from scorekeeper.web.api.groups import group_as_it_is
from scorekeeper.web.api.queries import Digits, SpanSchema, span_of
from scorekeeper.web.context import language, ledger
from scorekeeper.wire.schemas import MOST_MEMBER, MOST_PLAYERS, NewEveningSchema, agreed
from scorekeeper.wire.strict import Choice, Flag, Line, Several, Strict, Whole, refuse

TAGS = ["Evenings"]
ONE = "/groups/<group_id>/games/<game_id>"
MOST_LISTED = 100
USUAL_LISTED = 20
MOST_SKIPPED = 10**6


class AdmissionSchema(Strict):
    """A game of the group: who sits where (null: by the name), whether it is training.

    What is left out stays as it is. A game that is not in the group yet needs its own pen.
    """

    members = Several(Whole(0, MOST_MEMBER, allow_none=True), 1, MOST_PLAYERS)
    training = Flag()
    pen = Line(1, 80)

    def made(self, found: dict[str, Any]) -> dict[str, Any]:
        """Something, for nothing is no change."""
        return found or refuse("missing")


class EveningsQuerySchema(SpanSchema):
    """Which evenings are listed, and which part of the list."""

    training = Choice(*YES_NO, load_default="yes")
    member = Digits(0, MOST_MEMBER)
    limit = Digits(1, MOST_LISTED, load_default=str(USUAL_LISTED))
    offset = Digits(0, MOST_SKIPPED, load_default="0")


@blp.post("/groups/<group_id>/games", tags=TAGS)
@blp.doc(**SECRET, parameters=[KEY])
@blp.arguments(NewEveningSchema())
@blp.response(201, BegunSchema)
def open_evening(body: dict[str, Any], group_id: str) -> Response:
    """Begin a game of the group: players are members by their name, a new name joins.

    Without rules it is played by the house rules, else by those of the last evening. The
    group's secrets open the game.
    """
    stated = body["rules"]
    rules = stated or groups.usual_rules(ledger(), ledger().group(group_id))
    if rules is None:
        raise RuleError("E_GROUP", ("rules",), why="no_rules")
    if "first_dealer" in body:
        stated = rules = rules.override(agreed({"first_dealer": body["first_dealer"]}))
    players = tuple(player["name"] for player in body["players"])
    game = groups.open_evening(
        ledger(),
        group_id,
        NewGame(body["title"], body["place"], rules, players),
        as_usual=stated is None,
        training=body["training"],
        key=idempotency_key(),
    )
    seating = ledger().group(group_id).evenings[game.id]
    told = {"id": game.id, "members": list(seating.members), "training": seating.training}
    response = answer(told | {"game": game_answer(game, language())}, status=201)
    response.headers["Location"] = url_for("api.read_evening", group_id=group_id, game_id=game.id)
    return response


@blp.get("/groups/<group_id>/games", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(EveningsQuerySchema(), location="query")
@blp.response(200, EveningsSchema)
def list_evenings(query: dict[str, Any], group_id: str) -> Response:
    """What the evenings came to, the latest first, those that go on too."""
    span, member = span_of(query, training=query["training"] == "yes"), query.get("member")
    found = ledger().seasons.evenings(
        group_id, span, member=member, most=query["limit"], skip=query["offset"]
    )
    titles = ledger().names.words_of([one.game for one in found], "title")
    return answer(
        {
            "total": ledger().seasons.count_evenings(group_id, span, member=member),
            "games": [
                evening_answer(as_it_stands(ledger(), one), titles.get(one.game, ""))
                for one in found
            ],
        }
    )


@blp.get(ONE, tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, ToldEveningSchema)
def read_evening(group_id: str, game_id: str) -> Response:
    """What an evening came to, and its story."""
    return _told(ledger().group(group_id), game_id)


@blp.put(ONE, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(AdmissionSchema())
@blp.response(200, ToldEveningSchema)
def admit_game(body: dict[str, Any], group_id: str, game_id: str) -> Response:
    """Put a game into the group, or say who sat where in it and whether it counts.

    What it came to is booked at once, or booked otherwise.
    """
    about = seen(group_id)
    if game_id not in ledger().group(group_id).evenings:
        _demand_pen(game_id, body.get("pen"))
    group = groups.admit_game(
        ledger(),
        group_id,
        game_id,
        members=body.get("members"),
        training=body.get("training"),
        **about,
    )
    return _told(group, game_id, changed=True)


def _demand_pen(game_id: str, pen: str | None) -> None:
    """A game that is not there and one that is not yours are refused alike."""
    if pen is None:
        raise RuleError("E_FORM", ("pen",), why="missing")
    match ledger().rights.of_secret(game_id, pen):
        case None:
            abort(404)
        case "watch":
            abort(403)
    ledger().rights.demand(partial(ledger().rights.demand_pen, game_id, secret=pen))


@blp.delete(ONE, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, GroupSchema)
def release_game(group_id: str, game_id: str) -> Response:
    """Take a game out of the group, and back what it brought to the balances; it stays a game.

    Who should go on writing in it needs its own pen from then on.
    """
    about = seen(group_id)
    try:
        return group_as_it_is(groups.release_game(ledger(), group_id, game_id, **about))
    except RuleError:  # it is none of the group's games
        abort(404)


def _told(group: Group, game_id: str, *, changed: bool = False) -> Response:
    if game_id not in group.evenings:
        abort(404)
    game = with_member_names(ledger().game(game_id), group, language())
    told = told_evening_answer(kept(game, group.evenings[game_id]), game, language())
    return answer(told, group if changed else None)
