"""A game that goes on in the browser stands as it does on the server: totals, ranks, the end."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from examples import AT
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame, score_for, seat_player
from scorekeeper.domain.game.state import Game, created
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import language
from scorekeeper.wording.waiting import scored, state
from web.pages.test_count_browser import entered, knocked

BEGINS = (0, 3)
"""The rounds that the server has when a game goes on in the browser."""
GOES_ON = """async ([script, games]) => {
    const { after, ending, mayReturn, places } = await import(script);
    return games.map(([now, number, scores]) => scores.map((score) => {
        now = after(now, number++, score);
        const { tallies, out, entries, laid, counted } = now;
        const counts = ({ points, boxes }) => ({ points, boxes });
        const columns = now.gin?.three ? now.columns : (now.columns?.map(counts) ?? null);
        const back = out ? tallies.flatMap((_, side) => (mayReturn(now, side) ? [side] : [])) : [];
        const over = Boolean(ending(now));
        const where = { out: out ?? null, entries: entries ?? null, laid: laid ?? null };
        return { tallies, ...where, columns, counted, places: places(now), back, over };
    }));
}"""
GAMES = [(name, {}) for name in PRESETS] + [
    ("gin-american", {"gin.hollywood": True}),
    ("gin-american", {"gin.hollywood": True, "gin.shutout": "total", "gin.extra_boxes": [1, 2, 3]}),
    ("gin-american", {"gin.hollywood": True, "gin.shutout": "points", "end.compare": "over"}),
    ("german-family", {"end.mode": "rounds", "end.rounds": 6, "end.min_rounds_to_win": "1/2"}),
    ("scala-40", {"end.rejoin": "highest", "end.rejoin_max": 1, "score.not_laid": 30}),
    ("indian-pool", {"end.mode": "points_or_rounds", "end.rounds": 12}),
]


GIVES_UP = 1
"""The seat that somebody else takes in some games before they go on in the browser."""


def facts_of(game: Game, dice: random.Random) -> Round:
    """Return a round as it may be entered now; it may break a rule.

    A player who gave up a place comes back now and then.
    """
    rules, standing = game.rules, game.sheet.standing
    if dice.random() < 0.05:
        return Round(outcome="cancelled", seats=())
    _, facts = (knocked if rules.family in ("gin", "knock") else entered)(rules, dice)
    back = tuple(seat for seat in standing.returning if dice.random() < 0.6)
    away = {*standing.out, *(game.sheet.replaced if dice.random() < 0.9 else ())} - set(back)
    seats = facts.seats[: len(game.players)]
    seats = tuple(Seat(absent=True) if i in away else one for i, one in enumerate(seats))
    if rules.score.price_not_laid:
        seats = tuple(
            one if one.absent else replace(one, laid=dice.random() < 0.7) for one in seats
        )
    return replace(
        facts,
        seats=seats,
        plan_row=game.sheet.plan_row(len(game.sheet.rows) + 1),
        rejoin=back,
        accept_irregular=True,
    )


def played(
    preset: str, options: dict[str, Any], dice: random.Random, gives_up: int | None = None
) -> Iterator[tuple[Game, Any]]:
    """Yield a game of random rounds after each of them, with the round as a browser has it.

    After so many rounds, somebody takes the place of a player.
    """
    rules = PRESETS[preset].override(options)
    players = 2 if rules.family == "gin" else min(4, rules.players.max) - (gives_up is not None)
    game = created("g", NewGame("", "", rules, tuple("ABCD"[:players])).first_event(AT))
    if gives_up == 0:
        game = place_taken(game)
    yield game, None
    last = 8 if rules.end.mode == "manual" and not rules.round.plan else 25
    for _ in range(40 * last):
        if len(game.sheet.rows) == last or game.is_over:
            return
        facts = facts_of(game, dice)
        try:
            score = score_for(game, facts)
            payload = score.payload(len(game.sheet.rows) + 1)
            after = game.apply(Event(game.version + 1, AT, "round", "pen", payload))
        except (RuleError, ValueError):
            continue
        game = place_taken(after) if len(after.sheet.rows) == gives_up else after
        row = game.sheet.rows[-1]
        yield game, scored(game, row.round, row.score, language("en"))


def place_taken(game: Game) -> Game:
    """Return a game in which somebody has taken the place of a player, unless it is over."""
    if game.is_over:
        return game
    draft = seat_player(game, "E", GIVES_UP)
    return game.apply(Event(game.version + 1, AT, draft.kind, "pen", draft.payload, draft.texts))


def as_the_server_has_it(game: Game) -> dict[str, Any]:
    now = state(game)
    shown = {
        name: now[name] for name in ("tallies", "out", "entries", "laid", "columns", "counted")
    }
    if now["columns"] and not game.rules.gin.hollywood:
        shown["columns"] = [
            {name: one[name] for name in ("points", "boxes")} for one in now["columns"]
        ]
    back = [*game.sheet.standing.returning] if game.rules.end.eliminate else []
    ranks = [rank or 0 for rank in game.sheet.ranks]
    return {**shown, "places": ranks, "back": back, "over": game.is_over}


def plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def test_games_go_on_in_the_browser_as_on_the_server(thumb):
    dice = random.Random(3)
    games, expected, ends = [], [], set()
    eliminating = [name for name, rules in PRESETS.items() if rules.end.eliminate]
    cases = [(*one, begin, None) for one in GAMES for begin in BEGINS]
    cases += [(name, {}, begin, begin) for name in eliminating for begin in BEGINS]
    for preset, options, begin, gives_up in cases:
        states = [*played(preset, options, dice, gives_up)]
        begin = min(begin, len(states) - 1)
        went_on = states[begin + 1 :]
        games.append(plain([state(states[begin][0]), begin + 1, [one for _, one in went_on]]))
        expected.append([plain(as_the_server_has_it(game)) for game, _ in went_on])
        ends |= {preset for game, _ in went_on if game.is_over}
    thumb.page.goto("/")
    found = thumb.page.evaluate(GOES_ON, ["/static/tally.js", games])

    for case, own, other in zip(cases, found, expected, strict=True):
        assert own == other, case
    ending = {name for name, rules in PRESETS.items() if rules.end.mode != "manual"}
    assert ends >= ending | {"phases"}
