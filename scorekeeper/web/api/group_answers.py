"""What the interface answers about groups; functions and schemas as in ``answers``.

Members are told by their index, lists named ``amounts`` are by member, and money is exact
text in its unit, which is never mixed with another.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from marshmallow import fields

from scorekeeper.domain import group_changes
from scorekeeper.domain.book import Event, open_texts
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group, Move
from scorekeeper.domain.options import FAMILIES
from scorekeeper.domain.results import Encounter, Result
from scorekeeper.domain.season import Figures, Season, Standing, Value
from scorekeeper.domain.story import story
from scorekeeper.i18n import Language
from scorekeeper.i18n.seasons import moment_words
from scorekeeper.services.groups import Entry
from scorekeeper.services.statistics import Statistics
from scorekeeper.store.evenings import Kept
from scorekeeper.web.api.answers import GameSchema, RuleSetSchema, rules_answer
from scorekeeper.web.api.blueprint import Told
from scorekeeper.web.api.parts import flag, integer, list_of, part, text

# ---- the group -----------------------------------------------------------------------


class MemberSchema(Told):
    """One member, known by the index for good."""

    index = integer()
    name = text(metadata={"description": "empty where it was erased"})
    erased = flag()


class BalancesSchema(Told):
    """Where everybody stands in one unit; what a member is owed is positive."""

    unit = text()
    amounts = list_of(fields.String())


class RunningSchema(Told):
    """An evening that is not over."""

    id = text()
    title = text()
    day = text()


class GroupSchema(Told):
    """A group as it stands."""

    id = text()
    version = integer()
    name = text()
    created_at = text()
    changed_at = text()
    as_it_was = flag(
        metadata={"description": "imported with amounts that its evenings do not come to"}
    )
    members = list_of(MemberSchema)
    house = part(RuleSetSchema, allow_none=True)
    balances = list_of(BalancesSchema)
    evenings = integer(metadata={"description": "how many there are"})
    running = list_of(RunningSchema)


class FoundedSchema(Told):
    """A group just founded, with its two secrets; they are shown this once."""

    id = text()
    pen = text()
    watch = text()
    group = part(GroupSchema)


def group_answer(
    group: Group, running: Sequence[str], titles: Mapping[str, str], days: Mapping[str, str]
) -> dict[str, Any]:
    """A group as it stands, with the games that go on."""
    return {
        "id": group.id,
        "version": group.version,
        "name": group.name,
        "created_at": group.created_at,
        "changed_at": group.changed_at,
        "as_it_was": group.as_it_was,
        "members": [member_answer(group, member) for member in range(group.members)],
        "house": group.house and rules_answer(group.house),
        "balances": [
            {"unit": unit, "amounts": exact(group.balance(unit))} for unit in group.balances
        ],
        "evenings": len(group.evenings),
        "running": [
            {"id": game, "title": titles.get(game, ""), "day": days[game]} for game in running
        ],
    }


def member_answer(group: Group, member: int) -> dict[str, Any]:
    """One member by index and name."""
    name = group.players[member]
    return {"index": member, "name": name, "erased": not name}


def exact(amounts: Iterable[Fraction]) -> list[str]:
    """Amounts as exact text."""
    return [str(amount) for amount in amounts]


class GroupChangeAnswerSchema(Told):
    """One entry of a group's history."""

    number = integer(metadata={"description": "the version that it made"})
    at = text()
    kind = text()
    by = text(metadata={"description": "by which right"})
    words = fields.Dict(required=True, metadata={"description": "names and notes it brought"})
    details = fields.Dict(required=True)


class GroupHistorySchema(Told):
    """Everything that ever happened to a group, oldest first."""

    changes = list_of(GroupChangeAnswerSchema)


def group_change_answer(event: Event) -> dict[str, Any]:
    """Who changed what, and when."""
    return {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "by": event.by,
        "words": open_texts(event.texts),
        "details": dict(event.payload),
    }


# ---- evenings ------------------------------------------------------------------------


class ResultSchema(Told):
    """One seat's evening; partners in teams have each the figures of their side."""

    seat = integer()
    member = integer()
    rank = integer(allow_none=True, metadata={"description": "null: never played"})
    minus = integer()
    plus = integer()
    worth = integer(metadata={"description": "the measure that ranks: the more, the better"})
    league = integer(metadata={"description": "gin: plus without box bonuses"})
    played = integer()
    won = integer()
    hand_rommes = integer()
    gins = integer()
    undercuts = integer()
    left = integer(metadata={"description": "points left on hand in rounds lost"})
    lost = integer(metadata={"description": "rounds lost in which that is known"})
    best = integer(allow_none=True, metadata={"description": "least left in a round lost"})
    worst = integer(allow_none=True, metadata={"description": "most left in a round lost"})
    streak = integer(metadata={"description": "rounds won one after the other"})
    amount = text(allow_none=True, metadata={"description": "null: no money is played for"})


class EveningSchema(Told):
    """What a game of the group came to."""

    id = text(metadata={"description": "the game's"})
    title = text()
    day = text()
    training = flag(metadata={"description": "counts neither in the season nor for money"})
    over = flag()
    rounds = integer()
    family = text(metadata={"enum": list(FAMILIES)})
    preset = text()
    unit = text(allow_none=True)
    results = list_of(ResultSchema)


class MomentSchema(Told):
    """Something worth telling of an evening; ``side`` is the player's seat, in teams the side."""

    code = text(
        metadata={
            "enum": ["lead", "turning_point", "biggest", "closest", "gap", "streak", "comeback"]
        }
    )
    facts = fields.Dict(required=True)
    message = text()


class ToldEveningSchema(EveningSchema):
    """An evening and its story."""

    story = list_of(MomentSchema)


class EveningsSchema(Told):
    """Evenings of a group, the latest first, and how many there are in all."""

    total = integer()
    games = list_of(EveningSchema)


class BegunSchema(Told):
    """An evening just begun; the group's secrets open its game."""

    id = text(metadata={"description": "the game's"})
    members = list_of(fields.Integer())
    training = flag()
    game = part(GameSchema)


def evening_answer(kept: Kept, title: str) -> dict[str, Any]:
    """What a game of the group came to."""
    evening = kept.evening
    return {
        "id": kept.game,
        "title": title,
        "day": kept.day,
        "training": kept.seating.training,
        "over": kept.over,
        "rounds": evening.rounds,
        "family": evening.family,
        "preset": evening.preset,
        "unit": evening.unit,
        "results": [
            _result_answer(result, member)
            for result, member in zip(evening.results, kept.seating.members, strict=True)
        ],
    }


def _result_answer(result: Result, member: int) -> dict[str, Any]:
    amount = None if result.amount is None else str(result.amount)
    return {**asdict(result), "amount": amount, "member": member}


def told_evening_answer(kept: Kept, game: Game, lang: Language) -> dict[str, Any]:
    """An evening and its story."""
    moments = [
        {
            "code": moment.code,
            "facts": dict(moment.facts),
            "message": moment_words(game, moment, lang),
        }
        for moment in story(game.sheet)
    ]
    return evening_answer(kept, game.title) | {"story": moments}


# ---- money ---------------------------------------------------------------------------


class OpenPaymentSchema(Told):
    """One of the payments that settle everything, from member to member."""

    payer = integer(data_key="from")
    payee = integer(data_key="to")
    amount = text(metadata={"examples": ["65", "9/5"]})


class AccountsSchema(BalancesSchema):
    """Everybody's balance in one unit, and what settles it."""

    payable = text(metadata={"description": "the least amount that changes hands"})
    payments = list_of(OpenPaymentSchema)
    fewest = flag(metadata={"description": "whether fewer payments provably cannot do"})


class AgreedRateSchema(Told):
    """What one of a unit is in another, as the group agreed."""

    unit = text()
    into = text(data_key="in")
    rate = text()


class MoneySchema(Told):
    """A group's money, unit by unit."""

    units = list_of(AccountsSchema)
    rates = list_of(AgreedRateSchema)


class BalanceMoveSchema(Told):
    """What an entry changed one balance by."""

    member = integer()
    unit = text()
    amount = text()


class UnitAmountSchema(Told):
    """An amount in its unit."""

    unit = text()
    amount = text()


class EntrySchema(Told):
    """One entry of the book of money; nothing is edited, a correction is a further entry."""

    number = integer()
    at = text()
    kind = text(metadata={"enum": ["booked", "paid", "settled", "converted", "reversed"]})
    by = text()
    game = text(allow_none=True, metadata={"description": "the evening that it comes from"})
    note = text()
    details = fields.Dict(required=True)
    moves = list_of(BalanceMoveSchema)
    reversed = flag(metadata={"description": "it was taken back later"})


class StatementEntrySchema(EntrySchema):
    """An entry, and where the member stands after it; empty where no member was named."""

    balances = list_of(UnitAmountSchema)


class StatementSchema(Told):
    """The book of money, oldest first; of one member where one is named."""

    entries = list_of(StatementEntrySchema)


class EnteredSchema(MoneySchema):
    """What was entered, and how the money stands after it."""

    entry = part(EntrySchema)


def money_answer(group: Group) -> dict[str, Any]:
    """Balances, what would settle them, and the rates that were agreed."""
    return {
        "units": [_accounts_answer(group, unit) for unit in group.balances],
        "rates": [
            {"unit": unit, "in": into, "rate": str(rate)}
            for (unit, into), rate in group.rates.items()
        ],
    }


def _accounts_answer(group: Group, unit: str) -> dict[str, Any]:
    return {
        "unit": unit,
        "amounts": exact(group.balance(unit)),
        "payable": str(group.payables.get(unit, Fraction(1))),
        "payments": [
            {"from": one.payer, "to": one.payee, "amount": str(one.amount)}
            for one in group_changes.open_payments(group, unit)
        ],
        "fewest": group_changes.are_fewest(group, unit),
    }


TOLD_APART = ("moves", "game")


def entry_answer(event: Event, moves: Iterable[Move], *, reversed: bool) -> dict[str, Any]:
    """One entry of the book of money."""
    return {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "by": event.by,
        "game": event.payload.get("game"),
        "note": event.texts.get(f"note.{event.number}", ""),
        "details": {k: v for k, v in event.payload.items() if k not in TOLD_APART},
        "moves": [
            {"member": member, "unit": unit, "amount": str(amount)}
            for member, unit, amount in moves
        ],
        "reversed": reversed,
    }


def statement_answer(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Entries with the balances after each."""
    return [
        entry_answer(entry.event, entry.moves, reversed=entry.reversed)
        | {"balances": unit_amounts(entry.balances)}
        for entry in entries
    ]


def unit_amounts(amounts: Mapping[str, Fraction]) -> list[dict[str, str]]:
    """Amounts by unit as a list."""
    return [{"unit": unit, "amount": str(amount)} for unit, amount in amounts.items()]


# ---- season --------------------------------------------------------------------------


class FiguresSchema(Told):
    """One member's evenings summed up."""

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
    streak = integer(metadata={"description": "rounds won one after the other in an evening"})
    amounts = list_of(UnitAmountSchema)


class StandingSchema(Told):
    """One member's place in the season."""

    member = integer()
    name = text()
    rank = integer(
        allow_none=True, metadata={"description": "null: too few rounds, or nothing to compare"}
    )
    value = text(
        allow_none=True, metadata={"description": "exact; the more, the better: -12, 13/2"}
    )
    figures = part(FiguresSchema)


class SeasonSchema(Told):
    """A season table, and which evenings and units it is about."""

    by = text(metadata={"enum": ["points", "average", "wins", "money", "league"]})
    first = text(data_key="from")
    last = text(data_key="to")
    family = text(allow_none=True)
    unit = text(allow_none=True, metadata={"description": "of the values, if they are money"})
    min_rounds = integer()
    standings = list_of(StandingSchema)


class EncounterSchema(Told):
    """What stood between two members over all their evenings."""

    one = integer()
    other = integer()
    points = integer(metadata={"description": "what one gets from the other, pair by pair"})
    rounds = integer()
    won = integer(metadata={"description": "rounds that were worth more to the one"})
    lost = integer()


class EncountersSchema(Told):
    """Everybody against everybody; each pair once."""

    encounters = list_of(EncounterSchema)


class StreaksSchema(Told):
    """Longest rows of wins."""

    rounds = integer(metadata={"description": "in one evening"})
    evenings = integer(metadata={"description": "evenings missed left aside"})


class OneMemberSchema(MemberSchema):
    """Everything about one member."""

    balances = list_of(UnitAmountSchema)
    figures = part(FiguresSchema, allow_none=True)
    streaks = part(StreaksSchema)
    encounters = list_of(EncounterSchema)
    statement = list_of(StatementEntrySchema)


def season_answer(season: Season) -> dict[str, Any]:
    """A season table."""
    asked = season.question
    return {
        "by": asked.by,
        "from": asked.span.first,
        "to": asked.span.last,
        "family": asked.span.family,
        "unit": asked.unit if asked.by == "money" else None,
        "min_rounds": asked.min_rounds,
        "standings": [_standing_answer(one, season.group) for one in season.standings],
    }


def _standing_answer(one: Standing, group: Group) -> dict[str, Any]:
    return {
        "member": one.figures.member,
        "name": group.players[one.figures.member],
        "rank": one.rank,
        "value": _value(one.value),
        "figures": figures_answer(one.figures),
    }


def _value(value: Value) -> str | None:
    return None if value is None else str(value)


def figures_answer(one: Figures) -> dict[str, Any]:
    """One member's evenings summed up."""
    told = {name: value for name, value in asdict(one).items() if name != "member"}
    return told | {"amounts": unit_amounts(one.amounts)}


def encounter_answer(met: Encounter) -> dict[str, int]:
    """What stood between two members."""
    return asdict(met)


def one_member_answer(
    group: Group, member: int, found: Statistics, entries: Iterable[Entry]
) -> dict[str, Any]:
    """Everything about one member."""
    own = next((one for one in found.figures if one.member == member), None)
    return {
        **member_answer(group, member),
        "balances": unit_amounts({unit: group.balance(unit)[member] for unit in group.balances}),
        "figures": own and figures_answer(own),
        "streaks": {"rounds": own.streak if own else 0, "evenings": found.won_in_a_row(member)},
        "encounters": [encounter_answer(met) for met in found.against(member)],
        "statement": statement_answer(entries),
    }
