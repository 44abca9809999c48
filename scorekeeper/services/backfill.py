"""Games played in the past: all events of a game, written at once.

The events and their rules are the same as for a game that is entered round by round; only the
ledger is called once instead of once per round.
"""

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import PlayedEvening, check_new_players, score_for
from scorekeeper.domain.game.state import Game, created
from scorekeeper.domain.history.book import Event
from scorekeeper.services.games import new_id
from scorekeeper.store.chain import as_stored


def played_game(played: PlayedEvening, game_id: str | None = None) -> tuple[Game, list[Event]]:
    """Return the finished game and all its events; RuleError with every refused round."""
    began, *times, ended = played.at
    new_game = played.new_game
    check_new_players(new_game.rules, new_game.players)
    first = Event(
        1, began, "created", "pen", as_stored(new_game.payload | played.about), new_game.texts
    )
    game, events = created(game_id or new_id(), first), [first]
    problems: list[Problem] = []
    for number, (at, facts) in enumerate(zip(times, played.rounds, strict=True), 1):
        if game.is_over:
            problems.append(Problem("E_GAME_OVER", {}, ("rounds", number - 1)))
            break
        try:
            payload = as_stored(score_for(game, facts).payload(number))
        except RuleError as error:
            problems += error.under("rounds", number - 1).problems
            continue
        texts = {f"note.{number}": facts.note} if facts.note else {}
        events.append(Event(len(events) + 1, at, "round", "pen", payload, texts))
        game = game.apply(events[-1])
    if problems:
        raise RuleError.of(problems)
    if not game.is_over:
        events.append(Event(len(events) + 1, ended, "ended", "pen"))
        game = game.apply(events[-1])
    return game, events
