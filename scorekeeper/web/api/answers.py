"""JSON answers about rules, scores, games and settlements.

Each answer is built by a plain function, because serialising with marshmallow would be too slow
for a game of 300 rounds. The schemas describe the answers in the OpenAPI document, and tests
check every answer against its schema.
"""

from collections.abc import Sequence
from typing import Any

from marshmallow import fields

from scorekeeper.domain.game.gin_game import add
from scorekeeper.domain.game.rows import Row, Tally
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Event, open_texts
from scorekeeper.domain.history.codec import encode_round, plain, plain_facts
from scorekeeper.domain.rounds.facts import RoundScore, ScoreLine, SeatScore
from scorekeeper.domain.rules import FAMILIES, RuleSet
from scorekeeper.i18n import Language
from scorekeeper.i18n.findings import finding
from scorekeeper.services.games import Change, round_as_declared
from scorekeeper.web.api.blueprint import AnswerSchema, FindingSchema
from scorekeeper.web.api.elimination_answers import (
    AdjustmentSchema,
    EliminationSchema,
    ReturningSchema,
    standing_answer,
)
from scorekeeper.web.api.given_answers import GivenAnswerSchema, given_answer
from scorekeeper.web.api.parts import flag, integer, list_of, part, text

# ---- rules ---------------------------------------------------------------------------


class RuleSetSchema(AnswerSchema):
    """The rules of a table with every option resolved."""

    preset = text()
    family = text(metadata={"enum": list(FAMILIES)})
    options = fields.Dict(required=True)


def rules_answer(rules: RuleSet) -> dict[str, Any]:
    """Return the rules with every option that applies."""
    return {"preset": rules.preset, "family": rules.family, "options": rules.resolved()}


# ---- scores --------------------------------------------------------------------------


class SeatScoreSchema(AnswerSchema):
    """The points of one player in a round; in teams, of one side."""

    minus = integer()
    plus = integer()
    net = integer()
    reduction = fields.Integer(metadata={"description": "taken off the running total, [001] §9i"})
    league = fields.Integer(metadata={"description": "gin: without box bonuses"})


class LineSchema(AnswerSchema):
    """One line of the receipt."""

    seat = integer()
    reason = text(metadata={"examples": ["hand", "hand_romme", "collected", "rest"]})
    minus = integer()
    plus = integer()
    reduction = fields.Integer()
    facts = fields.Dict(required=True)
    message = text()


class ScoreSchema(AnswerSchema):
    """The score of a round with the lines that explain it."""

    outcome = text()
    winner = integer(allow_none=True)
    mark = text(metadata={"enum": ["verified", "counted", "unverified"]})
    scores = list_of(fields.Nested(SeatScoreSchema, allow_none=True))
    lines = list_of(LineSchema)
    warnings = list_of(FindingSchema)


def score_answer(
    score: RoundScore, rules: RuleSet, lang: Language, players: Sequence[str]
) -> dict[str, Any]:
    """Return a score with its lines."""
    return {
        "outcome": score.outcome,
        "winner": score.winner,
        "mark": score.verification,
        "scores": [_seat_answer(points) for points in score.scores],
        "lines": [_line_answer(line, lang, players) for line in score.lines],
        "warnings": [finding(warning, lang, players, rules) for warning in score.warnings],
    }


def _seat_answer(points: SeatScore | None) -> dict[str, int] | None:
    if points is None:
        return None
    body = {"minus": points.minus, "plus": points.plus, "net": points.net}
    if points.reduction:
        body["reduction"] = points.reduction
    if points.league is not None:
        body["league"] = points.league
    return body


def _line_answer(line: ScoreLine, lang: Language, players: Sequence[str]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "seat": line.seat,
        "reason": line.reason,
        "minus": line.minus,
        "plus": line.plus,
    }
    if line.reduction:
        body["reduction"] = line.reduction
    body["facts"] = plain_facts(line.facts)
    body["message"] = lang.reason(line, players)
    return body


# ---- games ---------------------------------------------------------------------------


class TallySchema(AnswerSchema):
    """The totals of one player; in teams, of one side."""

    minus = integer()
    plus = integer()
    net = integer()
    reduced = integer(metadata={"description": "minus points taken off so far"})
    won = integer()
    played = integer()
    league = fields.Integer(metadata={"description": "gin: plus without box bonuses"})


class DealSchema(AnswerSchema):
    """The next deal: who deals, who begins, and how many cards each player gets."""

    dealer = integer()
    first = integer()
    cards = integer()
    present = list_of(
        fields.Integer(), metadata={"description": "the seats expected to play, clockwise"}
    )
    sits_out = integer(
        allow_none=True,
        metadata={"description": "gin for three: whose turn it is to sit out (gin.sits_out)"},
    )
    plan_row = fields.Raw(
        metadata={
            "oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}],
            "description": "the row of the plan, from 1; by seat where each has their own",
        }
    )
    need = fields.String(metadata={"description": "the contract of the row, such as S3 R4"})
    wild = fields.String(allow_none=True, metadata={"description": "the rank that is wild"})


class EndingSchema(AnswerSchema):
    """The reason why a game is over."""

    why = text(metadata={"enum": ["points", "rounds", "plan", "one_run", "players"]})
    early = flag(metadata={"description": "before the agreed end"})
    limit = integer(allow_none=True)
    sides = list_of(fields.Integer(), metadata={"description": "the sides that passed the limit"})
    winner = integer(allow_none=True)


class ColumnSchema(AnswerSchema):
    """One of the three games of Hollywood, by side."""

    points = list_of(fields.Integer())
    boxes = list_of(fields.Integer())
    winner = integer(allow_none=True, metadata={"description": "who closed it; null: open"})
    final = list_of(fields.Integer(), metadata={"description": "with boxes and bonuses so far"})


class GameStateSchema(AnswerSchema):
    """The state of a game; lists are by seat, in teams by side."""

    totals = list_of(TallySchema)
    ranking = list_of(fields.Integer(allow_none=True))
    leader = integer(allow_none=True, metadata={"description": "null if nobody leads alone"})
    over = flag()
    ending = part(EndingSchema, allow_none=True)
    next = part(DealSchema)
    boxes = fields.List(fields.Integer(), metadata={"description": "gin: boxes so far"})
    final = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata={
            "description": "gin: points with boxes and bonuses, which are settled; null"
            " before the end"
        },
    )
    final_lines = fields.List(
        fields.Nested(LineSchema), metadata={"description": "gin: what the end adds"}
    )
    columns = fields.List(fields.Nested(ColumnSchema), metadata={"description": "Hollywood"})
    rows_laid = fields.List(
        fields.Integer(), metadata={"description": "phases: the contracts laid, by seat"}
    )
    left = fields.List(fields.Integer(), metadata={"description": "elimination: still in"})
    eliminated = fields.List(fields.Nested(EliminationSchema))
    adjustments = fields.List(fields.Nested(AdjustmentSchema))
    returning = fields.List(fields.Nested(ReturningSchema))


class RecordedRoundSchema(AnswerSchema):
    """One round of a game as it was recorded."""

    number = integer()
    at = text()
    corrected_at = text(allow_none=True)
    struck_at = text(allow_none=True)
    round = fields.Dict(
        required=True, metadata={"description": "the facts as declared, in canonical form"}
    )
    options = fields.Dict(
        required=True,
        metadata={"description": "the options it was played under, where the game has others now"},
    )
    score = part(ScoreSchema)


class RowSchema(RecordedRoundSchema):
    """One round on the score sheet."""

    dealer = integer()


class PlayerNameSchema(AnswerSchema):
    """A player at the table."""

    name = text()


class GameSchema(GameStateSchema):
    """A game with its rounds and totals."""

    id = text()
    version = integer()
    title = text()
    place = text()
    created_at = text()
    changed_at = text()
    as_it_was = flag(metadata={"description": "imported with points that differ from the rules"})
    rules = part(RuleSetSchema)
    players = list_of(PlayerNameSchema)
    first_dealer = integer(metadata={"description": "a seat, chosen or drawn by lot"})
    order = list_of(fields.Integer(), metadata={"description": "all seats clockwise"})
    given = list_of(GivenAnswerSchema)
    thrown_away_at = text(
        allow_none=True, metadata={"description": "if set, it is erased 30 days later"}
    )
    rounds = list_of(RowSchema)


class SecretsSchema(AnswerSchema):
    """The id of a new game or group and its two secrets, which are shown only once."""

    id = text()
    pen = text()
    watch = text()


class NewGameAnswerSchema(SecretsSchema):
    """A new game with its two secrets, which are shown only once."""

    game = part(GameSchema)


class RoundAnswerSchema(RowSchema, GameStateSchema):
    """A round, and the state of the game after it."""


def game_answer(game: Game, lang: Language) -> dict[str, Any]:
    """Return a game with its rounds and totals."""
    return {
        "id": game.id,
        "version": game.version,
        "title": game.title,
        "place": game.place,
        "created_at": game.created_at,
        "changed_at": game.changed_at,
        "as_it_was": bool(game.as_it_was),
        "rules": rules_answer(game.rules),
        "players": [{"name": name} for name in game.players],
        "first_dealer": game.sheet.first_dealer,
        "order": list(game.sheet.clockwise),
        "given": [given_answer(game, one) for one in game.sheet.given],
        "thrown_away_at": game.thrown_away_at,
        "rounds": [row_answer(game, row, lang) for row in game.sheet.rows],
        **state_answer(game, lang),
    }


def row_answer(game: Game, row: Row, lang: Language) -> dict[str, Any]:
    """Return a round with its score and dealer."""
    return recorded_round_answer(game, row, lang) | {"dealer": row.dealer}


def recorded_round_answer(game: Game, row: Row, lang: Language) -> dict[str, Any]:
    """Return a round with its score."""
    return {
        "number": row.number,
        "at": row.at,
        "corrected_at": row.corrected_at,
        "struck_at": row.struck_at,
        "round": encode_round(round_as_declared(game, row)),
        "options": row.rules.unlike(game.rules),
        "score": score_answer(row.score, row.rules, lang, game.players),
    }


def round_answer(game: Game, row: Row, lang: Language) -> dict[str, Any]:
    """Return a round, and the state of the game after it."""
    return row_answer(game, row, lang) | state_answer(game, lang)


def state_answer(game: Game, lang: Language) -> dict[str, Any]:
    """Return totals and ranking, whether the game is over, and the next deal."""
    sheet = game.sheet
    leaders = sheet.leaders
    return {
        "totals": [_tally_answer(tally, game.rules) for tally in sheet.tallies],
        "ranking": list(sheet.ranks),
        "leader": leaders[0] if len(leaders) == 1 else None,
        "over": game.is_over,
        "ending": _ending_answer(game) if game.is_over else None,
        "next": _deal_answer(sheet),
        **_gin_game_answer(game, lang),
        **standing_answer(game),
        **({"rows_laid": list(sheet.rows_laid)} if sheet.rows_laid else {}),
    }


def _gin_game_answer(game: Game, lang: Language) -> dict[str, Any]:
    """Return boxes and final count of a game of gin that scores more than its rounds."""
    columns, rules = game.sheet.columns, game.rules
    if not columns:
        return {}
    body: dict[str, Any] = {
        "boxes": list(add(*(column.boxes for column in columns))),
        "final": game.final and list(game.final),
    }
    if game.is_over:
        lines = (line for column in columns for line in column.lines(rules))
        body["final_lines"] = [_line_answer(line, lang, game.sides) for line in lines]
    if rules.gin.hollywood:
        body["columns"] = [
            {
                "points": list(column.points),
                "boxes": list(column.boxes),
                "winner": column.winner,
                "final": list(column.final(rules)),
            }
            for column in columns
        ]
    return body


def _tally_answer(tally: Tally, rules: RuleSet) -> dict[str, int]:
    body = {"minus": tally.minus, "plus": tally.plus, "net": tally.net}
    body |= {"reduced": tally.reduced, "won": tally.won, "played": tally.played}
    return body | ({"league": tally.league} if rules.counts_for_league else {})


def _deal_answer(sheet: Sheet) -> dict[str, Any]:
    deal, plan, expected = sheet.next_deal, sheet.rules.round.plan, sheet.expected
    body: dict[str, Any] = {
        "dealer": deal.dealer,
        "first": deal.first,
        "cards": deal.cards,
        "present": [seat for seat in sheet.clockwise if seat in expected],
        "sits_out": deal.sits_out,
    }
    if isinstance(deal.plan_row, int):
        row = plan[deal.plan_row - 1]
        body |= {"need": " ".join(map(str, row.need)), "wild": row.wild and row.wild.letter}
    if deal.plan_row is not None:
        body["plan_row"] = plain(deal.plan_row)
    return body


def _ending_answer(game: Game) -> dict[str, Any]:
    body = {"why": "players", "early": game.ended_early, "limit": None, "sides": (), "winner": None}
    return body | (vars(game.sheet.ending) if game.sheet.ending else {})


class EventSchema(AnswerSchema):
    """One entry of a history."""

    number = integer(metadata={"description": "the version after this change"})
    at = text()
    kind = text()
    by = text(metadata={"description": "the right that was used"})
    words = fields.Dict(required=True, metadata={"description": "names and notes in this change"})
    details = fields.Dict(required=True)


def event_answer(event: Event, *hidden: str) -> dict[str, Any]:
    """Return an event, without the details named in ``hidden``."""
    return {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "by": event.by,
        "words": open_texts(event.texts),
        "details": {name: value for name, value in event.payload.items() if name not in hidden},
    }


class ChangeSchema(EventSchema):
    """One entry of a game's history."""

    before = part(RecordedRoundSchema, allow_none=True)
    after = part(RecordedRoundSchema, allow_none=True)


class HistorySchema(AnswerSchema):
    """All changes of a game, oldest first."""

    changes = list_of(ChangeSchema)


SEPARATE_FIELDS = ("round", "score", "rules")
"""Event fields that the answer shows as ``before``, ``after`` and the game's rules instead."""


def change_answer(change: Change, game: Game, lang: Language) -> dict[str, Any]:
    """Return one entry of a game's history."""
    rows = {"before": change.before, "after": change.after}
    return event_answer(change.event, *SEPARATE_FIELDS) | {
        name: row and recorded_round_answer(game, row, lang) for name, row in rows.items()
    }
