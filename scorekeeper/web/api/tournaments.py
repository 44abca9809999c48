"""Tournaments: plan one, enter people, draw rounds, enter results, close rounds."""

from collections.abc import Sequence
from typing import Any

from flask import Response, abort

from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.tables import Stated
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.plan import MAX_ROUNDS, Plan
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import tournaments
from scorekeeper.services.tournaments import tournament_of
from scorekeeper.web import paper
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    SECRET,
    answer,
    blp,
    conditional_after,
    idempotency_key,
    preconditions,
)
from scorekeeper.web.api.paper import BINARY_SCHEMA, CardQuerySchema, requested_language
from scorekeeper.web.api.tournament_answers import (
    DrawCheckSchema,
    StandingsSchema,
    TournamentSchema,
    standings_answer,
    tournament_answer,
)
from scorekeeper.web.api.transfer import download
from scorekeeper.web.context import language, ledger
from scorekeeper.web.files import PDF
from scorekeeper.web.paper import TournamentPaper
from scorekeeper.web.permissions import request_write
from scorekeeper.wire.queries import Digits
from scorekeeper.wire.strict import Choice, StrictSchema
from scorekeeper.wire.tournaments import (
    ClosingSchema,
    EntrantsSchema,
    PlanSchema,
    TableResultSchema,
)

TAGS = ["Tournaments"]
ROOT = "/groups/<group_id>/tournament"
ROUND_PATH = f"{ROOT}/rounds/<int:number>"
RESULT_PATH = f"{ROUND_PATH}/tables/<int:at_table>/result"
ENTRANT_PATH = f"{ROOT}/entrants/<int:entrant>"


class StandingsQuerySchema(StrictSchema):
    """The round after which; by default, all results so far count."""

    after = Digits(0, MAX_ROUNDS)


def _response(group: Group, status: int = 200) -> Response:
    return answer(tournament_answer(group, language()), group, status)


def _there(group_id: str) -> Group:
    """Return the group; 404 if it plays no tournament."""
    group: Group = ledger().group(group_id)
    if group.tournament is None:
        abort(404)
    return group


class StandingsPaperQuerySchema(StandingsQuerySchema):
    """The round after which, and the language."""

    lang = Choice(*LANGUAGES)


@blp.post(ROOT, tags=TAGS)
@blp.doc(**SECRET, parameters=[KEY])
@blp.arguments(PlanSchema())
@blp.response(201, TournamentSchema)
def create_tournament(plan: Plan, group_id: str) -> Response:
    """Plan a tournament of the group; there can be one.

    The group's pen is the director's right. Members may enter, and others join the group.
    """
    write = request_write(key=idempotency_key())
    return _response(tournaments.create_tournament(ledger(), group_id, plan, write), 201)


@blp.put(ROOT, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(PlanSchema())
@blp.response(200, TournamentSchema)
def change_plan(plan: Plan, group_id: str) -> Response:
    """Change the plan, which is possible until the first draw."""
    write = preconditions(group_id)
    return _response(tournaments.change_plan(ledger(), group_id, plan, write))


@blp.get(ROOT, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, TournamentSchema)
@conditional_after(lambda group_id: _there(group_id))
def read_tournament(group_id: str) -> Response:
    """Return the tournament: plan, entrants, and all rounds with tables and results."""
    return _response(_there(group_id))


@blp.get(f"{ROOT}/standings", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(StandingsQuerySchema(), location="query")
@blp.response(200, StandingsSchema)
@conditional_after(lambda query, group_id: _there(group_id))
def read_standings(query: dict[str, int], group_id: str) -> Response:
    """Return the standings, with the reason for every point, and the prizes."""
    group = _there(group_id)
    tournament = tournament_of(group)
    after = min(query.get("after", len(tournament.rounds)), len(tournament.rounds))
    found = standings(tournament, after)
    return answer(standings_answer(group, found, after, language()), group)


@blp.get(f"{ROOT}/standings.pdf", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(StandingsPaperQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def standings_pdf(query: dict[str, Any], group_id: str) -> Response:
    """Return the standings with all rounds and the prizes as a PDF of A4."""
    group = _there(group_id)
    after = min(query.get("after", MAX_ROUNDS), len(tournament_of(group).rounds))
    return _paper(group, "standings", query, after)


@blp.get(f"{ROOT}/cards.pdf", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(CardQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def table_cards_pdf(query: dict[str, Any], group_id: str) -> Response:
    """Return a card of A6 for each table of the last round; with the pen, with its link."""
    group = _there(group_id)
    if not tournament_of(group).rounds:
        abort(404)
    return _paper(group, "cards", query)


@blp.get(f"{ROOT}/certificates.pdf", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(CardQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def certificates_pdf(query: dict[str, Any], group_id: str) -> Response:
    """Return a certificate for each of the first three."""
    group = _there(group_id)
    if not any(one.results for one in tournament_of(group).rounds):
        abort(404)
    return _paper(group, "certificates", query)


def _paper(group: Group, what: TournamentPaper, query: dict[str, str], after: int = 0) -> Response:
    return download(paper.tournament_paper(group, what, requested_language(query), after))


@blp.post(f"{ROOT}/entrants", tags=TAGS)
@blp.doc(**SECRET, parameters=[KEY])
@blp.arguments(EntrantsSchema())
@blp.response(201, TournamentSchema)
def enter_tournament(body: dict[str, Sequence[Entry]], group_id: str) -> Response:
    """Let people or pairs enter; whoever comes late is drawn from the next round on."""
    write = request_write(key=idempotency_key())
    return _response(tournaments.enter(ledger(), group_id, body["entrants"], write), 201)


@blp.delete(ENTRANT_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, TournamentSchema)
def withdraw_entrant(group_id: str, entrant: int) -> Response:
    """Let somebody leave after the round that is being played; their results stay."""
    write = preconditions(group_id)
    return _response(tournaments.withdraw(ledger(), group_id, entrant - 1, write))


@blp.post(f"{ENTRANT_PATH}/return", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, TournamentSchema)
def bring_back_entrant(group_id: str, entrant: int) -> Response:
    """Let somebody who left play on from the next round."""
    write = preconditions(group_id)
    return _response(tournaments.bring_back(ledger(), group_id, entrant - 1, write))


@blp.post(f"{ROOT}/rounds", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(201, TournamentSchema)
def draw_round(group_id: str) -> Response:
    """Draw the next round and begin a game at each table.

    The round before must be closed: unlike the page, this call does not close it. The links of a
    game let its table write, until the round is closed.
    """
    return _response(tournaments.draw_round(ledger(), group_id, preconditions(group_id)), 201)


@blp.delete(f"{ROOT}/rounds", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, TournamentSchema)
def undraw_round(group_id: str) -> Response:
    """Take back the last draw before anything was played; its games are thrown away."""
    return _response(tournaments.undraw_round(ledger(), group_id, preconditions(group_id)))


@blp.get(f"{ROUND_PATH}/draw", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, DrawCheckSchema)
def check_draw(group_id: str, number: int) -> Response:
    """Draw a round again from its seed and the tournament as it was, and compare."""
    rounds = tournament_of(_there(group_id)).rounds
    if not 1 <= number <= len(rounds):
        abort(404)
    confirmed = tournaments.is_draw_confirmed(ledger(), group_id, number)
    return answer({"number": number, "seed": rounds[number - 1].seed, "confirmed": confirmed})


@blp.put(RESULT_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(TableResultSchema())
@blp.response(200, TournamentSchema)
def state_result(
    body: dict[str, Sequence[Stated]], group_id: str, number: int, at_table: int
) -> Response:
    """Enter or correct the final totals of a table; they count instead of its game."""
    return _stated(group_id, number, at_table, body["scores"])


@blp.delete(RESULT_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, TournamentSchema)
def unstate_result(group_id: str, number: int, at_table: int) -> Response:
    """Remove typed totals: the result of the table's game counts again, once it is over."""
    return _stated(group_id, number, at_table, None)


def _stated(
    group_id: str, number: int, at_table: int, scores: Sequence[Stated | None] | None
) -> Response:
    write, place = preconditions(group_id), (number, at_table - 1)
    return _response(tournaments.state_result(ledger(), group_id, place, scores, write))


@blp.post(f"{ROOT}/close", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(ClosingSchema())
@blp.response(200, TournamentSchema)
def close_round(body: dict[str, bool], group_id: str) -> Response:
    """Close the round: its tables can no longer write, except late ones."""
    write = preconditions(group_id)
    return _response(tournaments.close_round(ledger(), group_id, write, late=body["late"]))


@blp.post(f"{ROOT}/end", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, TournamentSchema)
def end_tournament(group_id: str) -> Response:
    """End the tournament before its last planned round."""
    return _response(tournaments.conclude(ledger(), group_id, preconditions(group_id)))
