"""Options that contradict each other (RULES 3.7)."""

from collections.abc import Iterator, Mapping

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rules.agreed import Agreed
from scorekeeper.domain.rules.kinds import at_table

GAME_LEVEL: Mapping[str, object] = {
    "gin.box_at": "hand",
    "gin.game_bonus": 0,
    "gin.shutout": "none",
    "gin.hollywood": False,
}
"""The options that score a whole game of gin, with the values that switch them off."""
FORMULAS = {
    "lay": ("minus", "minus_plus", "winner_collects", "melded"),
    "hand": ("minus", "minus_plus"),
    "gin": ("gin",),
    "knock": ("knock",),
}

NEVER_SCORED = {"minus": "plus", "winner_collects": "minus", "gin": "minus"}
"""The tally that stays zero by a formula, without a bonus."""


def clash(why: str, *names: str, **facts: object) -> Problem:
    """Return the finding that options contradict each other."""
    return Problem("E_CONFIG", {"why": why, "options": names, **facts}, (names[0],))


def inconsistencies(rules: Agreed) -> Iterator[Problem]:
    """Yield a finding for options that contradict each other, with their names (RULES 3.7)."""
    if rules.players.min > rules.players.max:
        yield clash("players", "players.min", "players.max")
    for players in range(rules.players.min, rules.players.max + 1):
        needed = cards_needed(rules, players)
        has = cards_in_deck(rules, players)
        if needed > has:
            yield clash(
                "deck_too_small",
                "deal.cards",
                "players.max",
                "deck.packs",
                players=players,
                needed=needed,
                has=has,
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
    if not rules.ace.low and (rules.ace.corner or not rules.ace.high):
        yield clash("ace_low", "ace.low", "ace.corner" if rules.ace.corner else "ace.high")
    if rules.deck.ranks < 52:
        if rules.deck.jokers > 0:
            yield clash("ranks", "deck.ranks", "deck.jokers")
        if rules.wild.twos:
            yield clash("ranks_twos", "deck.ranks", "wild.twos")
        if rules.wild.rank != "none":
            yield clash("ranks_wild", "deck.ranks", "wild.rank")
    pure, runs = rules.meld.lives
    if pure > runs:
        yield clash("lives", "meld.lives", pure=pure, runs=runs)
    if rules.gin.cyclic and not rules.ace.corner:
        yield clash("cyclic", "gin.cyclic", "ace.high", "ace.corner")
    if rules.gin.pro_min_wins and rules.end.mode != "points":
        yield clash("gin_pro", "gin.pro_min_wins", "end.mode")
    yield from _gin_game(rules)
    if rules.end.mode in ("points", "points_or_rounds") and rules.end.points is None:
        yield clash("end_points", "end.points", "end.mode")
    if rules.end.mode in ("rounds", "points_or_rounds") and rules.end.rounds is None:
        yield clash("end_rounds", "end.rounds", "end.mode")
    yield from _plan(rules)
    if rules.score.out_bonus:
        yield from _bonus(rules, "score.out_bonus")
    elif rules.out.one_run in (25, 50):
        yield from _bonus(rules, "out.one_run")
    if rules.settle.mode == "winner" and rules.settle.measure != rules.rank.measure:
        yield clash("settle_winner", "settle.mode", "settle.measure", "rank.measure")
    if rules.stock.exhausted == "count" and rules.family not in ("lay", "hand"):
        yield clash("stock_count", "stock.exhausted", "family")
    yield from _elimination(rules)
    if rules.score.mode not in FORMULAS[rules.family]:
        yield clash("formula", "score.mode", "family", allowed=FORMULAS[rules.family])


def refused_since(rules: Agreed) -> Iterator[Problem]:
    """Yield contradictions that were accepted once: games that began with them are played on."""
    yield from _unscored(rules)
    if rules.family == "lay":
        yield from _never_laid(rules)


def _never_laid(rules: Agreed) -> Iterator[Problem]:
    """Yield contradictions that let nobody lay their first melds, except in a hand rommé."""
    most, runs = rules.meld.max_per_turn, rules.meld.lives[1]
    asked = {"round.plan": max(map(len, rules.contracts), default=0), "meld.lives": runs}
    for name, count in asked.items():
        if 0 < most < count:
            yield clash("turn", "meld.max_per_turn", name, count=count, most=most)
    if any(runs > [one.kind for one in need].count("R") for need in rules.contracts):
        yield clash("contract_lives", "meld.lives", "round.plan", runs=runs)


def _unscored(rules: Agreed) -> Iterator[Problem]:
    """Yield a finding if places, settlement or limit go by a tally that nobody ever scores."""
    never = NEVER_SCORED.get(rules.score.mode)
    if not never or rules.score.mode not in FORMULAS[rules.family] or _has_bonus(rules):
        return
    names = [name for name in ("rank.measure", "settle.measure") if rules[name] == never]
    if "points" in rules.end.mode and not rules.end.eliminate:
        no_losses = never == "minus" and rules.limit_sign < 0
        names += ["end.measure"] if no_losses or rules.end.measure == never else []
    if names:
        yield clash(f"no_{never}", *names, "score.mode")


def _has_bonus(rules: Agreed) -> bool:
    return rules.score.out_bonus > 0 or rules.out.one_run in (25, 50)


def _bonus(rules: Agreed, name: str) -> Iterator[Problem]:
    """Yield what keeps a bonus from lowering a total: it is plus points (RULES-MORE 3.4.2)."""
    measures = ("rank.measure", "settle.measure", "end.measure")
    used = measures if "points" in rules.end.mode else measures[:2]
    if others := [measure for measure in used if rules[measure] != "net"]:
        yield clash("out_bonus", name, *others)
    if rules.score.mode != "minus":
        yield clash("out_bonus_formula", name, "score.mode")


def _gin_game(rules: Agreed) -> Iterator[Problem]:
    """Yield contradictions of the options that score a whole game of gin (RULES-MORE 3.4.5)."""
    gin = rules.gin
    for name, off in GAME_LEVEL.items():
        if rules[name] != off and rules.end.mode != "points":
            yield clash("game_level", name, "end.mode")
        if rules[name] != off and rules.players.max > 2 and not rules.teams:
            yield clash("game_of_two", name, "players.max")
    if gin.oklahoma_spades > 1 and not gin.oklahoma:
        yield clash("spades", "gin.oklahoma_spades", "gin.oklahoma")
    if gin.hollywood and gin.box_at != "game":
        yield clash("hollywood_boxes", "gin.hollywood", "gin.box_at")
    for name in ("gin.hirschn", "gin.glass", "gin.pro_min_wins"):
        if gin.hollywood and rules[name]:
            yield clash("hollywood", "gin.hollywood", name)
    for name in ("gin.joker_rule", "teams"):
        if gin.big_gin and rules[name]:
            yield clash("big_gin", "gin.big_gin", name)


def _plan(rules: Agreed) -> Iterator[Problem]:
    """Yield contradictions of a plan of rounds, and of a wild rank (RULES-MORE 3.4.3, 3.4.4)."""
    plan, end = rules.round.plan, rules.end
    by_table = rules.round.plan_by == "table"
    whole = end.mode == "rounds" and end.rounds == len(plan) and by_table
    if plan and not whole and end.mode != "manual":
        yield clash("plan_end", "round.plan", "end.mode", "end.rounds", rows=len(plan))
    if rules.has_contracts and rules.family != "lay":
        yield clash("contract_family", "round.plan", "family")
    if rules.has_contracts and rules.meld.first_min:
        yield clash("contract_min", "meld.first_min", "round.plan")
    if (rules.wild.rank == "plan") != any(row.wild for row in plan):
        yield clash("wild_plan", "wild.rank", "round.plan")
    if rules.wild.rank != "none" and rules.wild.twos:
        yield clash("wild_twos", "wild.rank", "wild.twos")
    if rules.wild.rank != "none" and rules.joker.placement != "declared":
        # [dec]: which of several cards of the rank is where would have to be told apart
        yield clash("wild_placement", "wild.rank", "joker.placement")


def _elimination(rules: Agreed) -> Iterator[Problem]:
    """Yield what elimination needs: a limit, and points that only ever bring players nearer."""
    end = rules.end
    if not end.eliminate:
        if end.rejoin != "none" or end.rejoin_max or end.rejoin_up_to is not None:
            yield clash("rejoin", "end.rejoin", "end.eliminate")
        return
    if "points" not in end.mode:
        yield clash("eliminate", "end.eliminate", "end.mode")
    if end.measure == "plus" or (rules.family == "knock" and end.measure != "minus"):
        yield clash("eliminate_measure", "end.eliminate", "end.measure")
    if rules.family != "knock" and rules.score.mode not in ("minus", "minus_plus"):
        yield clash("eliminate_formula", "end.eliminate", "score.mode")


def cards_in_deck(rules: Agreed, players: int) -> int:
    """Return the number of cards in the deck of so many players, jokers included."""
    return rules.deck.ranks * at_table(rules.deck.packs, players) + at_table(
        rules.deck.jokers, players
    )


def cards_needed(rules: Agreed, players: int) -> int:
    """Return the cards needed to begin: the deal, the upcard, and two more in gin and knock."""
    more = 2 if rules.family in ("gin", "knock") else 0
    players = min(players, rules.at_once)
    dealt = max([rules.deal.to(players), *(row.deal or 0 for row in rules.round.plan)])
    return players * dealt + rules.deal.upcard + more
