"""A group (*Stammtisch*): found it, its members, its house rules, its history."""

from typing import Any

from flask import Response, abort, url_for

from scorekeeper.domain.group import Group
from scorekeeper.domain.group_changes import NewGroup
from scorekeeper.services import groups
from scorekeeper.services.groups import Founded
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    SECRET,
    answer,
    blp,
    fresh,
    idempotency_key,
    seen,
)
from scorekeeper.web.api.games import SecretBodySchema, SecretSchema, new_secret_answer
from scorekeeper.web.api.group_answers import (
    FoundedSchema,
    GroupHistorySchema,
    GroupSchema,
    group_answer,
    group_change_answer,
)
from scorekeeper.web.context import ledger
from scorekeeper.web.rate_limits import begins
from scorekeeper.wire.schemas import (
    NewGroupSchema,
    PlayerSchema,
    Printed,
    RulesSchema,
    StakeSchema,
    staked,
)
from scorekeeper.wire.strict import Part, Strict, refuse

TAGS = ["Groups"]
MOST_RUNNING = 20
ONE_MEMBER = "/groups/<group_id>/members/<int:member>"


class GroupChangeSchema(Strict):
    """What may change: the name, or the house rules with their stake; one at a time."""

    name = Printed(1, 80)
    rules = Part(RulesSchema())
    stake = Part(StakeSchema())

    def made(self, data: dict[str, Any]) -> dict[str, Any]:
        """The one change that was asked for: each is one entry of the history."""
        house = staked(data)
        changes = {"name": data.get("name"), "house": house}
        stated = {what: value for what, value in changes.items() if value is not None}
        if len(stated) != 1:
            refuse("one_at_a_time" if stated else "missing")
        return stated


@blp.post("/groups", tags=TAGS)
@blp.arguments(NewGroupSchema())
@blp.response(201, FoundedSchema)
@begins
def found_group(order: NewGroup) -> Response:
    """Found a group; the answer holds its secrets, this once."""
    return founded(groups.found_group(ledger(), order))


def founded(new: Founded) -> Response:
    """A group that is new here, with its secrets."""
    group = new.group
    told = {"id": group.id, "pen": new.pen, "watch": new.watch}
    response = answer(told | {"group": group_told(group)}, group, status=201)
    response.headers["Location"] = url_for("api.read_group", group_id=group.id)
    response.headers["Cache-Control"] = "no-store"
    return response


@blp.get("/groups/<group_id>", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, GroupSchema)
def read_group(group_id: str) -> Response:
    """How a group stands: members, house rules, balances, the evenings that go on.

    The ETag is the version that a change needs; evenings begin and end without changing it.
    """
    return group_as_it_is(ledger().group(group_id))


@blp.patch("/groups/<group_id>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(GroupChangeSchema())
@blp.response(200, GroupSchema)
def change_group(body: dict[str, Any], group_id: str) -> Response:
    """Give the group another name, or remember house rules and the stake."""
    about = seen(group_id)
    if "name" in body:
        return group_as_it_is(groups.rename_group(ledger(), group_id, body["name"], **about))
    return group_as_it_is(groups.keep_house_rules(ledger(), group_id, body["house"], **about))


def group_told(group: Group) -> dict[str, Any]:
    """A group with the evenings that go on."""
    ids = ledger().seasons.running(group.id, MOST_RUNNING)
    return group_answer(
        group, ids, ledger().names.words_of(ids, "title"), ledger().seasons.days_of(ids)
    )


def group_as_it_is(group: Group, status: int = 200) -> Response:
    """The answer to every change of a group."""
    return answer(group_told(group), group, status=status)


@blp.post("/groups/<group_id>/members", tags=TAGS)
@blp.doc(**SECRET, parameters=[KEY])
@blp.arguments(PlayerSchema())
@blp.response(201, GroupSchema)
def add_member(body: dict[str, Any], group_id: str) -> Response:
    """Take one more into the group; the name must be new in it."""
    group = groups.add_member(ledger(), group_id, body["name"], expect=None, key=idempotency_key())
    return group_as_it_is(group, status=201)


@blp.patch(ONE_MEMBER, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(PlayerSchema())
@blp.response(200, GroupSchema)
def rename_member(body: dict[str, Any], group_id: str, member: int) -> Response:
    """Call a member by another name from now on; old sheets keep what stood on them."""
    about = seen(group_id)
    check_member(group_id, member)
    group = groups.rename_member(ledger(), group_id, member, body["name"], **about)
    return group_as_it_is(group)


@blp.delete(ONE_MEMBER, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, GroupSchema)
def erase_member(group_id: str, member: int) -> Response:
    """Erase a member's name here and in every evening, for good; the numbers stay."""
    about = seen(group_id)
    check_member(group_id, member)
    return group_as_it_is(groups.erase_member(ledger(), group_id, member, **about))


def check_member(group_id: str, member: int) -> None:
    """404 for a member that an address names and the group does not have; none ever leaves."""
    if member >= ledger().group(group_id).members:
        abort(404)


@blp.get("/groups/<group_id>/history", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, GroupHistorySchema)
@fresh
def read_group_history(group_id: str) -> Response:
    """Every change of the group's book: when, by which right, what."""
    group = ledger().group(group_id)
    changes = ledger().events(group_id, group.version)
    return answer({"changes": [group_change_answer(event) for event in changes]}, group)


@blp.post("/groups/<group_id>/secrets", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SecretBodySchema())
@blp.response(201, SecretSchema)
def replace_group_secret(body: dict[str, Any], group_id: str) -> Response:
    """Replace a secret of the group; the old one opens neither it nor its games from now on."""
    return new_secret_answer(group_id, body["right"])
