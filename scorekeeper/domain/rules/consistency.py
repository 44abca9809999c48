"""Options that contradict each other (RULES 3.7)."""

from collections.abc import Iterator

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rules.agreed import Agreed

FORMULAS = {
    "lay": ("minus", "minus_plus", "winner_collects"),
    "hand": ("minus",),
    "gin": ("gin",),
    "knock": ("knock",),
}
COUNTED = ("minus", "minus_plus")
"""The formulas by which everybody can write their hands when nobody is out."""


def clash(why: str, *names: str, **facts: object) -> Problem:
    """Return the finding that options contradict each other."""
    return Problem("E_CONFIG", {"why": why, "options": names, **facts}, (names[0],))


def inconsistencies(rules: Agreed) -> Iterator[Problem]:
    """Yield a finding for options that contradict each other, with their names (RULES 3.7)."""
    if rules.players.min > rules.players.max:
        yield clash("players", "players.min", "players.max")
    for players in range(rules.players.min, rules.players.max + 1):
        needed = cards_needed(rules, players)
        if needed > cards_in_deck(rules):
            yield clash(
                "deck_too_small",
                "deal.cards",
                "players.max",
                "deck.packs",
                players=players,
                needed=needed,
                has=cards_in_deck(rules),
            )
            break
    first = rules.deal.first_dealer
    if isinstance(first, int) and first >= rules.players.max:
        yield clash("first_dealer", "deal.first_dealer", "players.max", number=first + 1)
    if rules.teams and (rules.players.min, rules.players.max) != (4, 4):
        yield clash("teams", "teams", "players.min", "players.max")
    if rules.family == "gin" and not rules.teams and rules.players.max > 3:
        yield clash("gin_for_two", "players.max", "teams")
    if rules.family == "gin" and rules.gin.joker_rule != (rules.deck.jokers > 0):
        yield clash("joker_rule", "gin.joker_rule", "deck.jokers")
    if rules.ace.corner and not rules.ace.high:
        yield clash("corner", "ace.corner", "ace.high")
    if rules.gin.cyclic and not rules.ace.corner:
        yield clash("cyclic", "gin.cyclic", "ace.high", "ace.corner")
    if rules.gin.pro_min_wins and rules.end.mode != "points":
        yield clash("gin_pro", "gin.pro_min_wins", "end.mode")
    if rules.end.mode in ("points", "points_or_rounds") and rules.end.points is None:
        yield clash("end_points", "end.points", "end.mode")
    if rules.end.mode in ("rounds", "points_or_rounds") and rules.end.rounds is None:
        yield clash("end_rounds", "end.rounds", "end.mode")
    if rules.stock.exhausted == "count" and rules.score.mode not in COUNTED:
        yield clash("count_formula", "stock.exhausted", "score.mode", allowed=COUNTED)
    if rules.score.mode not in FORMULAS[rules.family]:
        yield clash("formula", "score.mode", "family", allowed=FORMULAS[rules.family])


def cards_in_deck(rules: Agreed) -> int:
    """Return the number of cards in the deck, jokers included."""
    return 52 * rules.deck.packs + rules.deck.jokers


def cards_needed(rules: Agreed, players: int) -> int:
    """Return the cards needed to begin: the deal, the upcard, and two more in gin and knock."""
    more = 2 if rules.family in ("gin", "knock") else 0
    players = min(players, rules.at_once)
    return players * rules.deal.to(players) + rules.deal.upcard + more
