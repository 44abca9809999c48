"""JSON answers about tournaments; entrants, rounds and tables count from 1."""

from collections.abc import Sequence
from typing import Any

from marshmallow import fields

from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.tables import worth_of
from scorekeeper.domain.tournament.plan import FORMAT_NAMES, REMAINDERS, Plan
from scorekeeper.domain.tournament.prizes import Purse, purse
from scorekeeper.domain.tournament.scale import REASONS, TIE_BREAKS, Scale, places_of
from scorekeeper.domain.tournament.standings import Standing
from scorekeeper.domain.tournament.state import Drawn, RoundResult, Tournament
from scorekeeper.i18n import Language
from scorekeeper.services.tournaments import tournament_of
from scorekeeper.web.api.answers import RuleSetSchema, rules_answer
from scorekeeper.web.api.blueprint import AnswerSchema
from scorekeeper.web.api.parts import flag, integer, list_of, part, text
from scorekeeper.wording.tournament_paper import ends_at
from scorekeeper.wording.tournaments import entrant_names, line_words

SOURCES = ("game", "stated")


class LeftAnswerSchema(AnswerSchema):
    """A bonus for few points left in hand."""

    most = integer()
    points = integer()


class VictoryAnswerSchema(AnswerSchema):
    """A row of the scale of victory points."""

    difference = integer()
    better = integer()
    other = integer()


class ScaleAnswerSchema(AnswerSchema):
    """What the result of a table is worth."""

    places = list_of(fields.Integer())
    net = flag()
    win = integer()
    hand_win = integer()
    left = list_of(LeftAnswerSchema)
    victory = list_of(VictoryAnswerSchema)
    most = integer(allow_none=True)
    least = integer(allow_none=True)
    sit_out = integer()
    tie_breaks = list_of(fields.String(metadata={"enum": list(TIE_BREAKS)}))


class PrizeMoneyAnswerSchema(AnswerSchema):
    """Entry fee and prizes."""

    fee = text()
    unit = text()
    kept = text()
    shares = list_of(fields.Integer())
    booked = flag(metadata={"description": "whether the account book of the group gets them"})


class PlanAnswerSchema(AnswerSchema):
    """The plan of a tournament."""

    format = text(metadata={"enum": list(FORMAT_NAMES)})
    rounds = integer()
    rules = part(RuleSetSchema)
    size = integer()
    partners = integer()
    remainder = text(metadata={"enum": list(REMAINDERS)})
    keep_apart = flag()
    split_clubs = flag()
    advance = integer()
    minutes = integer()
    scale = part(ScaleAnswerSchema)
    money = part(PrizeMoneyAnswerSchema, allow_none=True)


class EntrantAnswerSchema(AnswerSchema):
    """A person or a pair."""

    number = integer()
    name = text(metadata={"description": "of a pair, both names"})
    members = list_of(fields.Integer())
    club = text(metadata={"description": "empty without a club"})
    since = integer(metadata={"description": "the first round they can be drawn for"})
    left = integer(allow_none=True, metadata={"description": "the last round before they left"})


class TableScoreSchema(AnswerSchema):
    """The result of one entrant at a table; null for what a typed list does not say."""

    entrant = integer()
    points = integer(
        allow_none=True,
        metadata={"description": "as on the pad: minus points where fewer are better"},
    )
    wins = integer(
        allow_none=True, metadata={"description": "rounds won, including those from the hand"}
    )
    hand_wins = integer(allow_none=True)
    place = integer(allow_none=True, metadata={"description": "null until the table is complete"})


class TableAnswerSchema(AnswerSchema):
    """A table of a round, with its entrants in the order of their seats."""

    number = integer()
    game = text(metadata={"description": "the id of its game"})
    entrants = list_of(fields.Integer())
    source = text(allow_none=True, metadata={"enum": [*SOURCES, None]})
    scores = list_of(TableScoreSchema, allow_none=True)


class TournamentRoundSchema(AnswerSchema):
    """A drawn round."""

    number = integer()
    seed = text()
    drawn_at = text()
    ends_at = text(allow_none=True, metadata={"description": "null if a round has no time limit"})
    closed = flag()
    tables = list_of(TableAnswerSchema)
    out = list_of(fields.Integer(), metadata={"description": "entrants who sit out"})
    missing = list_of(fields.Integer(), metadata={"description": "tables without a result"})
    repeats = integer(metadata={"description": "pairs of entrants who had met before"})


class TournamentSchema(AnswerSchema):
    """A tournament with all its rounds."""

    name = text()
    version = integer()
    plan = part(PlanAnswerSchema)
    seed = text(metadata={"description": "decides the lot between equals in the standings"})
    entrants = list_of(EntrantAnswerSchema)
    rounds = list_of(TournamentRoundSchema)
    over = flag()


class TournamentLineSchema(AnswerSchema):
    """Tournament points with their reason."""

    reason = text(metadata={"enum": list(REASONS)})
    points = integer()
    facts = fields.Dict(required=True)
    message = text()


class RoundResultSchema(AnswerSchema):
    """A round of one entrant."""

    number = integer()
    table = integer(allow_none=True, metadata={"description": "null for a round they sat out"})
    place = integer(allow_none=True)
    points = integer(allow_none=True, metadata={"description": "of the game, as on the pad"})
    earned = integer(metadata={"description": "tournament points"})
    lines = list_of(TournamentLineSchema)


class TieValueSchema(AnswerSchema):
    """The value of a tie-break; more is better."""

    name = text(metadata={"enum": [name for name in TIE_BREAKS if name not in ("direct", "lot")]})
    value = integer()


class TournamentStandingSchema(AnswerSchema):
    """An entrant in the standings."""

    entrant = integer()
    name = text()
    rank = integer()
    points = integer()
    tie_breaks = list_of(TieValueSchema)
    decided_by = text(
        allow_none=True,
        metadata={
            "enum": [*TIE_BREAKS, None],
            "description": "what puts them behind the one before, if points do not",
        },
    )
    survived = integer(metadata={"description": "knockout: after how many rounds they were in"})
    rounds = list_of(RoundResultSchema)


class PrizeSchema(AnswerSchema):
    """A prize."""

    entrant = integer()
    amount = text()


class PurseSchema(AnswerSchema):
    """Where the entry fees go; what is kept and all prizes together are all fees."""

    unit = text()
    fees = text()
    kept = text()
    prizes = list_of(PrizeSchema)


class StandingsSchema(AnswerSchema):
    """The standings after a round, or with all results so far."""

    after = integer(metadata={"description": "the last round that counts"})
    standings = list_of(TournamentStandingSchema)
    money = part(PurseSchema, allow_none=True)


class DrawCheckSchema(AnswerSchema):
    """Whether a draw is what its seed gives: drawn again from the tournament as it was before."""

    number = integer()
    seed = text()
    confirmed = flag()


# ---- answers -------------------------------------------------------------------------


def tournament_answer(group: Group, lang: Language) -> dict[str, Any]:
    """Return a tournament with all its rounds."""
    tournament = tournament_of(group)
    names = entrant_names(group, tournament, lang)
    return {
        "name": group.name,
        "version": group.version,
        "plan": _plan(tournament.plan),
        "seed": tournament.seed,
        "entrants": [
            {
                "number": number + 1,
                "name": names[number],
                "members": list(one.members),
                "club": "" if one.club is None else group.texts.get(f"club.{one.club}", ""),
                "since": one.since,
                "left": one.left,
            }
            for number, one in enumerate(tournament.entrants)
        ],
        "rounds": [round_answer(tournament, one) for one in tournament.rounds],
        "over": tournament.is_over,
    }


def _plan(plan: Plan) -> dict[str, Any]:
    money = plan.money
    return vars(plan) | {
        "rules": rules_answer(plan.rules),
        "scale": _scale(plan.scale),
        "money": money and vars(money) | {"fee": str(money.fee), "kept": str(money.kept)},
    }


def _scale(scale: Scale) -> dict[str, Any]:
    return vars(scale) | {
        "left": [{"most": most, "points": points} for most, points in scale.left],
        "victory": [
            {"difference": difference, "better": better, "other": other}
            for difference, better, other in scale.victory
        ],
    }


def round_answer(tournament: Tournament, one: Drawn) -> dict[str, Any]:
    """Return a round with its tables."""
    return {
        "number": one.number,
        "seed": one.seed,
        "drawn_at": one.at,
        "ends_at": ends_at(one, tournament.plan.minutes),
        "closed": one.closed,
        "tables": [_table(tournament, one, table) for table in range(len(one.tables))],
        "out": [entrant + 1 for entrant in one.out],
        "missing": [table + 1 for table in one.missing],
        "repeats": len(tournament.repeats(one.number)),
    }


def _table(tournament: Tournament, one: Drawn, table: int) -> dict[str, Any]:
    result, entrants = one.results.get(table), one.tables[table]
    typed = one.typed.get(table, ())
    known = result.performances if result else typed
    places = places_of(result.performances) if result else (None,) * len(typed)
    scores = [
        {
            "entrant": entrant + 1,
            "points": score and worth_of(score.worth, tournament.plan.rules),
            "wins": score and score.wins + score.hand_wins,
            "hand_wins": score and score.hand_wins,
            "place": place,
        }
        for entrant, score, place in zip(entrants, known, places, strict=False)
    ]
    return {
        "number": table + 1,
        "game": one.games[table],
        "entrants": [entrant + 1 for entrant in entrants],
        "source": "stated" if typed else result and result.source,
        "scores": scores or None,
    }


def standings_answer(
    group: Group, found: Sequence[Standing], after: int, lang: Language
) -> dict[str, Any]:
    """Return standings, and the prizes as they would be paid now."""
    tournament = tournament_of(group)
    names, money = entrant_names(group, tournament, lang), tournament.plan.money
    return {
        "after": after,
        "standings": [_standing(one, names, tournament, lang) for one in found],
        "money": money and _purse_answer(money.unit, purse(money, found)),
    }


def _purse_answer(unit: str, won: Purse) -> dict[str, Any]:
    prizes = [{"entrant": entrant + 1, "amount": str(amount)} for entrant, amount in won.prizes]
    return {"unit": unit, "fees": str(won.fees), "kept": str(won.kept), "prizes": prizes}


def _standing(
    one: Standing, names: Sequence[str], tournament: Tournament, lang: Language
) -> dict[str, Any]:
    return {
        "entrant": one.entrant + 1,
        "name": names[one.entrant],
        "rank": one.rank,
        "points": one.points,
        "tie_breaks": [{"name": name, "value": value} for name, value in one.values.items()],
        "decided_by": one.decided_by,
        "survived": one.survived,
        "rounds": [_result(result, tournament, lang) for result in one.rounds],
    }


def _result(one: RoundResult, tournament: Tournament, lang: Language) -> dict[str, Any]:
    return {
        "number": one.number,
        "table": None if one.table is None else one.table + 1,
        "place": one.place,
        "points": None if one.worth is None else worth_of(one.worth, tournament.plan.rules),
        "earned": one.points,
        "lines": [
            {
                "reason": line.reason,
                "points": line.points,
                "facts": dict(line.facts),
                "message": line_words(line, lang),
            }
            for line in one.lines
        ],
    }
