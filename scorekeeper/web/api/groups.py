"""Groups (*Stammtisch*): found one; members, house rules and history."""

from typing import Any

from flask import Response, abort, url_for
from marshmallow import post_load

from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.state import Group
from scorekeeper.services import groups
from scorekeeper.services.bookkeeping import running_games
from scorekeeper.services.groups import CreatedGroup
from scorekeeper.services.renaming import correct_member
from scorekeeper.web.api.answers import event_answer
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    SECRET,
    answer,
    blp,
    conditional,
    idempotency_key,
    name_at,
    preconditions,
    unstored,
)
from scorekeeper.web.api.group_answers import (
    GroupHistorySchema,
    GroupSchema,
    NewGroupAnswerSchema,
    group_answer,
)
from scorekeeper.web.context import ledger
from scorekeeper.web.permissions import request_write
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wire.groups import NewGroupSchema
from scorekeeper.wire.rounds import PrintableText
from scorekeeper.wire.schemas import PlayerSchema, RulesSchema, StakeSchema, rules_with_stake
from scorekeeper.wire.strict import Flag, NestedObject, StrictSchema, require_one

TAGS = ["Groups"]
MAX_RUNNING = 20
MEMBER_PATH = "/groups/<group_id>/members/<int:member>"


class MemberChangeSchema(StrictSchema):
    """Another name, or whether the member is retired; one at a time.

    With ``everywhere`` the name is corrected at all evenings, wherever the player has the name
    that the member has had so far.
    """

    name = PrintableText(1, 40)
    everywhere = Flag()
    retired = Flag()

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Refuse more than one change; ``everywhere`` is part of that of the name."""
        changes = data.keys() if "retired" in data else data.keys() - {"everywhere"}
        require_one(changes, data, ("name", "retired"))
        return data


class GroupChangeSchema(StrictSchema):
    """A change of the name, of house rules and stake, or of the rating; one at a time.

    A stake is sent only together with rules.
    """

    name = PrintableText(1, 80)
    rules = NestedObject(RulesSchema())
    stake = NestedObject(StakeSchema())
    rating = Flag()

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Refuse more than one change."""
        fields = {"name": data.get("name"), "rating": data.get("rating")}
        fields["house"] = rules_with_stake(data)
        changes = {name: value for name, value in fields.items() if value is not None}
        require_one(changes, data, self.fields)
        return changes


@blp.post("/groups", tags=TAGS)
@blp.arguments(NewGroupSchema())
@blp.response(201, NewGroupAnswerSchema)
@limit_creation
def create_group(new_group: NewGroup) -> Response:
    """Found a group; the answer holds its secrets, which are shown only once."""
    return new_group_response(groups.create_group(ledger(), new_group))


def new_group_response(new: CreatedGroup) -> Response:
    """Return the response for a new group, with its secrets."""
    group = new.group
    body = {"id": group.id, "pen": new.pen, "watch": new.watch}
    response = unstored(body | {"group": group_json(group)}, group, 201)
    response.headers["Location"] = url_for("api.read_group", group_id=group.id)
    return response


@blp.get("/groups/<group_id>", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, GroupSchema)
def read_group(group_id: str) -> Response:
    """Return a group: members, house rules, balances and unfinished evenings.

    The ETag is the version that a change needs. Beginning an evening changes it, and so does
    booking its money: at its end, when a payment is ticked, after a correction. Rounds change it
    only if they end the evening.
    """
    return group_response(ledger().group(group_id))


@blp.patch("/groups/<group_id>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(GroupChangeSchema())
@blp.response(200, GroupSchema)
def change_group(body: dict[str, Any], group_id: str) -> Response:
    """Rename the group, set its house rules and stake, or keep a rating of its members."""
    write = preconditions(group_id)
    if "name" in body:
        return group_response(groups.rename_group(ledger(), group_id, body["name"], write))
    if "rating" in body:
        return group_response(groups.keep_rating(ledger(), group_id, body["rating"], write))
    return group_response(groups.keep_house_rules(ledger(), group_id, body["house"], write))


def group_json(group: Group) -> dict[str, Any]:
    """Return a group with its unfinished evenings."""
    ids = [game.id for game in running_games(ledger(), group.id, MAX_RUNNING)]
    days = {game: began[:10] for game, began in ledger().seasons.times_of(ids).items()}
    return group_answer(group, ids, ledger().names.words_of(ids, "title"), days)


def group_response(group: Group, status: int = 200) -> Response:
    """Return the response about a group."""
    return answer(group_json(group), group, status=status)


@blp.post("/groups/<group_id>/members", tags=TAGS)
@blp.doc(**SECRET, parameters=[KEY])
@blp.arguments(PlayerSchema())
@blp.response(201, GroupSchema)
def add_member(body: dict[str, Any], group_id: str) -> Response:
    """Add a member; the name must be new in the group."""
    write = request_write(key=idempotency_key())
    with name_at("name"):
        group = groups.add_member(ledger(), group_id, body["name"], write)
    return group_response(group, status=201)


@blp.patch(MEMBER_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(MemberChangeSchema())
@blp.response(200, GroupSchema)
def rename_member(body: dict[str, Any], group_id: str, member: int) -> Response:
    """Rename a member, here or everywhere, or retire one or let one come back.

    Old score sheets keep the old name unless it is corrected ``everywhere``. A retired member is
    no longer offered for new evenings; name, figures and balances stay, and whoever plays again
    has come back.
    """
    write = preconditions(group_id)
    check_member(group_id, member)
    if "retired" in body:
        group = groups.retire_member(ledger(), group_id, member, body["retired"], write)
    else:
        rename = correct_member if body.get("everywhere") else groups.rename_member
        with name_at("name"):
            group = rename(ledger(), group_id, member, body["name"], write)
    return group_response(group)


@blp.delete(MEMBER_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, GroupSchema)
def erase_member(group_id: str, member: int) -> Response:
    """Erase a member's name here and in every evening for good; the numbers stay."""
    write = preconditions(group_id)
    check_member(group_id, member)
    return group_response(groups.erase_member(ledger(), group_id, member, write))


def check_member(group_id: str, member: int) -> None:
    """Raise 404 for an index that no member has; members are never removed."""
    if member >= ledger().group(group_id).members:
        abort(404)


@blp.get("/groups/<group_id>/history", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, GroupHistorySchema)
@conditional
def read_group_history(group_id: str) -> Response:
    """Return every change of the group: when, by which right, what."""
    group = ledger().group(group_id)
    changes = ledger().events(group_id, group.version)
    return answer({"changes": [event_answer(event) for event in changes]}, group)
