"""What a browser needs to write rounds on the pad that the server does not have yet."""

from typing import Any

from scorekeeper.domain.game.gin_game import boxes_of
from scorekeeper.domain.game.rows import share_to_win, wins_game
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round, RoundScore
from scorekeeper.domain.rounds.marks import ending
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.wording.finale import games
from scorekeeper.wording.pad import shows_both


def tallied(game: Game, lang: Language) -> dict[str, Any]:
    """Return the state of a game, and the words and columns that the pad has for it."""
    sides = range(len(game.sides))
    return {
        "rows": len(game.sheet.rows),
        "both": shows_both(game),
        "sides": game.sides,
        "teams": game.rules.teams,
        "games": games(game, lang),
        "now": state(game),
        "deal": _deal(game, lang),
        "thousands": lang.thousands,
        "places": [lang("pages.board.rank", rank=lang.ordinal(side + 1)) for side in sides],
        "words": {
            "leads": lang("pages.board.leads"),
            "won": lang("pages.board.won"),
            "went": lang("pages.board.out", number="{n}"),
            "left": lang("pages.board.left", n="{n}"),
            "laid": lang("pages.board.rows_laid", n="{n}"),
            "to_go": lang("pages.finale.left", n="{n}"),
            "over": lang("pages.finale.over"),
            "count": lang("pages.finale.count", own="{own}", other="{other}"),
            "boxes": lang("reason.boxes", n="{n}"),
            "all": lang.all_before(game.sides),
            "wins": [lang("end.wins", players="{players}", n=n) for n in (1, 2)],
        },
    }


def next_form_depends(rules: RuleSet) -> bool:
    """Return whether what a round asks depends on the rounds before, also on those that wait."""
    return rules.end.eliminate or bool(rules.round.plan)


def state(game: Game) -> dict[str, Any]:
    """Return the state of a game as ``static/tally.js`` goes on with it."""
    rules, sheet = game.rules, game.sheet
    end, totals = rules.end, sheet.tallies
    by_points = end.mode in ("points", "points_or_rounds")
    return {
        "counted": len(sheet.counted),
        "tallies": [(tally.minus, tally.plus, tally.won, tally.played) for tally in totals],
        "measure": rules.rank.measure,
        "share": float(share_to_win(rules)),  # quarters are exact
        "limit": end.points if by_points else None,
        "over": end.compare == "over",
        "limited": end.measure,
        "sign": rules.limit_sign,
        **(_who_is_out(game) if end.eliminate else dict.fromkeys(("out", "gone", "entries"))),
        "laid": sheet.rows_laid or None,
        "columns": [
            {
                "points": column.points,
                "boxes": column.boxes,
                "entries": column.entries,
                "winner": column.winner,
            }
            for column in sheet.columns
        ]
        or None,
        "gin": _gin(game) if rules.family == "gin" else None,
        "first": next((row.score.winner for row in sheet.counted if row.wins_game), None),
        "ends": None if game.reopened else _ends(game),
    }


def _who_is_out(game: Game) -> dict[str, Any]:
    end, sheet = game.rules.end, game.sheet
    returns = end.rejoin != "none"
    return {
        "out": [tally.out for tally in sheet.tallies],
        "gone": [seat in sheet.replaced for seat in range(sheet.sides)],
        "entries": [tally.entries for tally in sheet.tallies],
        "more": int(end.rejoin == "highest_plus_one") if returns else None,
        "most": end.rejoin_max,
        "up_to": end.rejoin_up_to,
        "last": max((row.number for row in sheet.counted), default=0),
    }


def _gin(game: Game) -> dict[str, Any]:
    gin = game.rules.gin
    return {
        "three": gin.hollywood,
        "box": gin.box_bonus if gin.box_at == "game" else 0,
        "game": gin.game_bonus,
        "shutout": gin.shutout,
    }


def _ends(game: Game) -> dict[str, Any]:
    """Return what ends the game beside its limit: rounds, rows of the plan; the least wins."""
    end, plan = game.rules.end, game.rules.round
    limits = [end.rounds] if end.mode in ("rounds", "points_or_rounds") else []
    limits += [len(plan.plan)] if plan.plan and plan.plan_by == "table" else []
    return {
        "rounds": min((limit for limit in limits if limit is not None), default=None),
        "rows": len(plan.plan),
        "least": game.rules.gin.pro_min_wins,
    }


def _deal(game: Game, lang: Language) -> dict[str, Any]:
    """Return who deals, and in which words; ``turns`` is how the deal goes on, if that is plain."""
    rules, deal, present = game.rules, game.sheet.next_deal, game.sheet.expected
    mode, two = rules.deal.next_dealer, len(present) == 2
    same = len({row.deal for row in rules.round.plan}) < 2  # the words say how many cards
    goes_round = mode in ("left", "alternate") or (mode == "winner_if_two" and not two)
    turns = "left" if goes_round else "loser" if mode == "loser" and two else None
    return {
        "dealer": deal.dealer,
        "present": [seat for seat in game.sheet.clockwise if seat in present],
        "turns": None if rules.teams or deal.sits_out is not None or not same else turns,
        "deals": [lang("pages.board.deals", player=p, n=deal.cards) for p in game.players],
        "begins": [lang("pages.board.begins", player=p) for p in game.players],
    }


def scored(game: Game, facts: Round, score: RoundScore, lang: Language) -> dict[str, Any]:
    """Return what the totals need of an entry: its points by side, and what else goes on."""
    mark = ending(score, facts)
    scores = score.scores if score.counts else (None,) * game.sheet.sides
    return {
        "points": [one and (one.minus, one.plus, one.reduction) for one in scores],
        "winner": score.winner,
        "mark": mark and (mark.side, lang(f"mark.word.{mark.name}")),
        "silent": game.rules.score.mode == "winner_collects",
        "boxes": sum(boxes_of(score)),
        "laid": [score.winner == i or bool(one.has_laid) for i, one in enumerate(facts.seats)],
        "back": facts.rejoin,
        "wins": wins_game(score, game.rules),
    }
