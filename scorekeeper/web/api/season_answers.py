"""JSON answers about seasons and members; schemas and functions as in ``group_answers``."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from scorekeeper.domain.group.season import Figures, Season, Standing
from scorekeeper.domain.group.state import Group
from scorekeeper.services.groups import AccountEntry
from scorekeeper.services.statistics import Statistics
from scorekeeper.web.api.blueprint import AnswerSchema
from scorekeeper.web.api.group_answers import MemberSchema, member_answer
from scorekeeper.web.api.money_answers import (
    StatementEntrySchema,
    UnitAmountSchema,
    statement_answer,
    unit_amounts,
)
from scorekeeper.web.api.parts import integer, list_of, part, text
from scorekeeper.wire.queries import ORDERS


class FiguresSchema(AnswerSchema):
    """The totals of one member's evenings."""

    evenings = integer()
    evenings_won = integer()
    minus = integer()
    plus = integer()
    worth = integer()
    league = integer()
    played = integer()
    won = integer()
    hand_rommes = integer()
    gins = integer()
    undercuts = integer()
    left = integer()
    lost = integer()
    best = integer(allow_none=True)
    worst = integer(allow_none=True)
    streak = integer(metadata={"description": "the longest streak of rounds won in an evening"})
    amounts = list_of(UnitAmountSchema)


class StandingSchema(AnswerSchema):
    """The place of one member in the season."""

    member = integer()
    name = text()
    rank = integer(
        allow_none=True, metadata={"description": "null with too few rounds or without a value"}
    )
    value = text(
        allow_none=True, metadata={"description": "exact, such as -12 or 13/2; more is better"}
    )
    figures = part(FiguresSchema)


class SeasonSchema(AnswerSchema):
    """The season table, and which evenings and units it covers."""

    by = text(metadata={"enum": list(ORDERS)})
    first = text(data_key="from")
    last = text(data_key="to")
    family = text(allow_none=True)
    system = text(allow_none=True, metadata={"description": "null: evenings won, or money, of all"})
    unit = text(allow_none=True, metadata={"description": "the unit of values in money"})
    min_rounds = integer()
    standings = list_of(StandingSchema)


class EncounterSchema(AnswerSchema):
    """The result between two members over all their evenings."""

    one = integer()
    other = integer()
    points = integer(metadata={"description": "what `one` won from `other`"})
    rounds = integer()
    won = integer(metadata={"description": "rounds that were worth more to `one`"})
    lost = integer()


class EncountersSchema(AnswerSchema):
    """The results between every two members."""

    encounters = list_of(EncounterSchema)


class StreaksSchema(AnswerSchema):
    """The longest winning streaks."""

    rounds = integer(metadata={"description": "the longest within an evening"})
    evenings = integer(metadata={"description": "missed evenings do not count"})


class MemberDetailsSchema(MemberSchema):
    """One member: balances, figures, streaks, encounters and statement."""

    balances = list_of(UnitAmountSchema)
    figures = part(FiguresSchema, allow_none=True)
    streaks = part(StreaksSchema)
    encounters = list_of(EncounterSchema)
    statement = list_of(StatementEntrySchema)


def season_answer(season: Season) -> dict[str, Any]:
    """Return a season table."""
    query = season.question
    return {
        "by": query.by,
        "from": query.span.first,
        "to": query.span.last,
        "family": query.span.family,
        "system": query.span.preset,
        "unit": query.unit if query.by == "money" else None,
        "min_rounds": query.min_rounds,
        "standings": [_standing_answer(standing, season.group) for standing in season.standings],
    }


def _standing_answer(standing: Standing, group: Group) -> dict[str, Any]:
    return {
        "member": standing.figures.member,
        "name": group.players[standing.figures.member],
        "rank": standing.rank,
        "value": None if standing.value is None else str(standing.value),
        "figures": figures_answer(standing.figures),
    }


def figures_answer(figures: Figures) -> dict[str, Any]:
    """Return the totals of one member's evenings."""
    body = {name: value for name, value in asdict(figures).items() if name != "member"}
    return body | {"amounts": unit_amounts(figures.amounts)}


def one_member_answer(
    group: Group, member: int, statistics: Statistics, entries: Iterable[AccountEntry]
) -> dict[str, Any]:
    """Return balances, figures, streaks, encounters and statement of one member."""
    own = next((figure for figure in statistics.figures if figure.member == member), None)
    return {
        **member_answer(group, member),
        "balances": unit_amounts({unit: group.balance(unit)[member] for unit in group.balances}),
        "figures": own and figures_answer(own),
        "streaks": {
            "rounds": own.streak if own else 0,
            "evenings": statistics.won_in_a_row(member),
        },
        "encounters": [asdict(met) for met in statistics.against(member)],
        "statement": statement_answer(entries),
    }
