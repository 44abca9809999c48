"""JSON answers about groups and their evenings; schemas and functions as in ``answers``.

Members are identified by index; lists named ``amounts`` are by member. Money is exact text in
its unit, and units are never mixed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from marshmallow import fields

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.game.story import CODES, story
from scorekeeper.domain.group.results import Result
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.rules import FAMILIES
from scorekeeper.i18n import Language
from scorekeeper.store.evenings import StoredEvening
from scorekeeper.web.api.answers import (
    EventSchema,
    GameSchema,
    RuleSetSchema,
    SecretsSchema,
    rules_answer,
)
from scorekeeper.web.api.blueprint import AnswerSchema
from scorekeeper.web.api.parts import flag, integer, list_of, part, text
from scorekeeper.web.api.settlement_answers import exact_texts
from scorekeeper.wording.endings import moment_words


class MemberSchema(AnswerSchema):
    """A member; the index never changes."""

    index = integer()
    name = text(metadata={"description": "empty if it was erased"})
    erased = flag()
    retired = flag(metadata={"description": "no longer offered for new evenings"})


class BalancesSchema(AnswerSchema):
    """The balances of all members in one unit; positive is what a member is owed."""

    unit = text()
    amounts = list_of(fields.String())


class RunningSchema(AnswerSchema):
    """An evening that is not over."""

    id = text()
    title = text()
    day = text()


class GroupSchema(AnswerSchema):
    """A group with its members, house rules and balances."""

    id = text()
    version = integer()
    name = text()
    created_at = text()
    changed_at = text()
    as_it_was = flag(
        metadata={"description": "imported with bookings that differ from its evenings"}
    )
    members = list_of(MemberSchema)
    house = part(RuleSetSchema, allow_none=True)
    rating = flag(metadata={"description": "the season can be ordered by a rating"})
    balances = list_of(BalancesSchema)
    evenings = integer(metadata={"description": "the number of evenings"})
    running = list_of(RunningSchema)


class NewGroupAnswerSchema(SecretsSchema):
    """A new group with its two secrets, which are shown only once."""

    group = part(GroupSchema)


def group_answer(
    group: Group, running: Sequence[str], titles: Mapping[str, str], days: Mapping[str, str]
) -> dict[str, Any]:
    """Return a group, with its unfinished games."""
    return {
        "id": group.id,
        "version": group.version,
        "name": group.name,
        "created_at": group.created_at,
        "changed_at": group.changed_at,
        "as_it_was": group.as_it_was,
        "members": [member_answer(group, member) for member in range(group.members)],
        "house": group.house and rules_answer(group.house),
        "rating": group.rating,
        "balances": [
            {"unit": unit, "amounts": exact_texts(group.balance(unit))} for unit in group.balances
        ],
        "evenings": len(group.evenings),
        "running": [
            {"id": game, "title": titles.get(game, ""), "day": days[game]} for game in running
        ],
    }


def member_answer(group: Group, member: int) -> dict[str, Any]:
    """Return a member's index, name and whether they are retired."""
    name = group.players[member]
    return {
        "index": member,
        "name": name,
        "erased": not name,
        "retired": member in group.retired,
    }


class GroupChangeAnswerSchema(EventSchema):
    """One entry of a group's history."""


class GroupHistorySchema(AnswerSchema):
    """All changes of a group, oldest first."""

    changes = list_of(GroupChangeAnswerSchema)


# ---- evenings ------------------------------------------------------------------------


class ResultSchema(AnswerSchema):
    """The results of one seat; in teams, both partners have the figures of their side."""

    seat = integer()
    member = integer()
    rank = integer(allow_none=True, metadata={"description": "null if they never played"})
    minus = integer()
    plus = integer()
    worth = integer(metadata={"description": "the value that decides the rank; more is better"})
    league = integer(metadata={"description": "gin: plus without box bonuses"})
    played = integer()
    won = integer()
    hand_rommes = integer()
    gins = integer()
    undercuts = integer()
    left = integer(metadata={"description": "points left in hand in lost rounds"})
    lost = integer(metadata={"description": "the number of lost rounds with known points"})
    best = integer(allow_none=True, metadata={"description": "fewest points left in a lost round"})
    worst = integer(allow_none=True, metadata={"description": "most points left in a lost round"})
    streak = integer(metadata={"description": "the longest streak of rounds won"})
    amount = text(allow_none=True, metadata={"description": "null if they do not play for money"})


class EveningSchema(AnswerSchema):
    """An evening of the group with its results."""

    id = text(metadata={"description": "the id of the game"})
    title = text()
    day = text()
    training = flag(metadata={"description": "counts neither in the season nor for money"})
    over = flag()
    thrown_away_at = text(
        allow_none=True, metadata={"description": "if set, it counts nowhere until brought back"}
    )
    rounds = integer()
    family = text(metadata={"enum": list(FAMILIES)})
    preset = text()
    unit = text(allow_none=True)
    results = list_of(ResultSchema)


class MomentSchema(AnswerSchema):
    """A notable moment of an evening; ``side`` is the player's seat, in teams the side."""

    code = text(metadata={"enum": list(CODES)})
    facts = fields.Dict(required=True)
    message = text()


class EveningWithStorySchema(EveningSchema):
    """An evening and its story."""

    story = list_of(MomentSchema)


class EveningsSchema(AnswerSchema):
    """Evenings of a group, latest first, and the number of all."""

    total = integer()
    games = list_of(EveningSchema)


class NewEveningAnswerSchema(AnswerSchema):
    """A new evening; the group's secrets open its game."""

    id = text(metadata={"description": "the id of the game"})
    members = list_of(fields.Integer())
    training = flag()
    game = part(GameSchema)


def evening_answer(stored: StoredEvening, title: str, thrown_away_at: str | None) -> dict[str, Any]:
    """Return an evening with its results."""
    evening = stored.evening
    return {
        "id": stored.game,
        "title": title,
        "day": stored.day,
        "training": stored.seating.training,
        "over": stored.over,
        "thrown_away_at": thrown_away_at,
        "rounds": evening.rounds,
        "family": evening.family,
        "preset": evening.preset,
        "unit": evening.unit,
        "results": [
            _result_answer(result, member)
            for result, member in zip(evening.results, stored.seating.members, strict=True)
        ],
    }


def _result_answer(result: Result, member: int) -> dict[str, Any]:
    amount = None if result.amount is None else str(result.amount)
    return {**asdict(result), "amount": amount, "member": member}


def evening_with_story_answer(stored: StoredEvening, game: Game, lang: Language) -> dict[str, Any]:
    """Return an evening and its story."""
    moments = [
        {
            "code": moment.code,
            "facts": dict(moment.facts),
            "message": moment_words(f"season.story.{moment.code}", game, moment, lang),
        }
        for moment in story(game.sheet)
    ]
    return evening_answer(stored, game.title, game.thrown_away_at) | {"story": moments}
