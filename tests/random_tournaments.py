"""Random tournaments, step by step, for ``answers``: draws, results, standings and prizes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, get_args

from random_games import AT, Json, as_plain, refusal
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import Draft
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import plain_facts
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.tournament import changes
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.draw import draw, is_as_drawn
from scorekeeper.domain.tournament.plan import (
    FORMATS,
    Format,
    Money,
    Plan,
    decode_plan,
    encode_plan,
    without_stakes,
)
from scorekeeper.domain.tournament.prizes import purse
from scorekeeper.domain.tournament.scale import Performance, Scale, TieBreak
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.domain.tournament.state import AFTER, Tournament, planned


def tournament_answer(case: Json) -> list[Any]:
    """Return what each step of a tournament leads to, or the finding that refuses it."""
    begun = changes.plan(None, decode_plan(case["plan"]), "seed")
    now, answers = planned(Event(1, AT, begun.kind, "pen", begun.payload)), list[Any]()
    for number, (step, *details) in enumerate(case["steps"], start=2):
        try:
            draft = STEPS[step](now, *details)
        except RuleError as refused:
            answers.append({"refused": refusal(refused)})
        else:
            if draft:
                event = Event(number, AT, draft.kind, "pen", draft.payload, draft.texts)
                now = AFTER[draft.kind](now, event)
            seen = _seen(now) if step != "result" else {"missing": list(now.rounds[-1].missing)}
            answers.append([draft and draft.kind, seen])
    return answers


def _enter(now: Tournament, count: int, club: int | None) -> Draft:
    first = sum(len(one.members) for one in now.entrants)
    texts = {f"club.{one}": f"Club {one}" for one in range(now.clubs)}
    players = [f"P{one}" for one in range(first)]
    some = now.plan.partners
    names = [tuple(f"P{first + some * one + two}" for two in range(some)) for one in range(count)]
    clubs = ["" if club is None else f"Club {(club + one) % 3}" for one in range(count)]
    entries = [Entry(one, of) for one, of in zip(names, clubs, strict=True)]
    return changes.enter(now, players, texts, entries)


def _draw(now: Tournament, seed: str) -> Draft:
    changes.check_drawable(now)
    found = draw(now, seed)
    games = [f"g{len(now.rounds) + 1}-{table}" for table in range(len(found.tables))]
    return changes.drawn(now, found, seed, games)


def _results(now: Tournament, scores: list[list[Any]]) -> Draft | None:
    """Enter the results of a table: the next one without, or the first one again."""
    number = max(1, len(now.rounds))
    missing = now.rounds[-1].missing if now.rounds else ()
    table = missing[0] if missing else 0
    changes.check_table(now, number, table)
    seats = len(now.rounds[-1].tables[table])
    found = [Performance(one[0], one[1], one[2], tuple(one[3])) for one in scores[:seats]]
    return changes.result(now, number, table, found, "stated")


def _replan(now: Tournament, minutes: int) -> Draft | None:
    return changes.replan(now, decode_plan(encode_plan(now.plan) | {"minutes": minutes}))


STEPS: Mapping[str, Callable[..., Draft | None]] = {
    "enter": _enter,
    "withdraw": changes.withdraw,
    "bring_back": changes.bring_back,
    "draw": _draw,
    "undraw": changes.undraw,
    "result": _results,
    "close": lambda now, late: changes.close(now, late=late),
    "replan": _replan,
    "conclude": changes.conclude,
}


def _seen(now: Tournament) -> Json:
    found = standings(now)
    money = purse(now.plan.money, found) if now.plan.money else None
    rows = [
        [one.entrant, one.rank, one.points, list(one.values.values()), one.decided_by, one.survived]
        for one in found
    ]
    last = now.rounds[-1] if now.rounds else None
    return {
        "standings": rows,
        "entrants": [as_plain(one) for one in now.entrants[:1] + now.entrants[-1:]],
        "last": last and [as_plain(last.tables), list(last.out), list(last.missing)],
        "same": last and is_as_drawn(replace(now, rounds=now.rounds[:-1]), last),
        "lines": last
        and [
            [[line.reason, line.points, plain_facts(line.facts)] for line in last.played[one].lines]
            for one in sorted(last.played)
        ],
        "repeats": as_plain(now.repeats(len(now.rounds))) if now.rounds else [],
        "sat_out": {str(one): times for one, times in now.sat_out.items() if times},
        "over": now.is_over,
        "purse": as_plain(money),
    }


# ---- making tournaments --------------------------------------------------------------


def random_tournaments(each: int) -> Iterator[Json]:
    """Yield so many tournaments of each format, with scales, clubs and fees."""
    for name in FORMATS:
        for number in range(each):
            yield random_tournament(name, Random(f"{name} {number}"))


def random_tournament(name: Format, dice: Random) -> Json:
    """Return a random tournament of a format."""
    while True:
        size = dice.choice((2, 3, 4))
        pairs = size == 2 and dice.random() < 0.3
        rules = PRESETS["gin-palast" if size == 2 and not pairs else "german-family"]
        plan = Plan(
            format=name,
            rounds=dice.randint(2, 4),
            rules=without_stakes(rules.override({"end.mode": "rounds", "end.rounds": 4})),
            size=size,
            partners=2 if pairs else 1,
            remainder=dice.choice(("smaller", "sit_out")),
            keep_apart=dice.random() < 0.7,
            split_clubs=dice.random() < 0.3,
            advance=dice.choice((1, 1, 2)),
            scale=_scale(dice, size),
            money=_money(dice) if dice.random() < 0.5 else None,
        )
        try:
            changes.plan(None, plan, "seed")
        except RuleError:
            continue
        steps: list[list[Any]] = [["enter", dice.randint(2, 14), dice.choice((None, 0, 1))]]
        for _ in range(plan.rounds):
            steps += _round(dice, plan)
        return {"plan": encode_plan(plan), "steps": steps}


def _scale(dice: Random, size: int) -> Scale:
    breaks = dice.sample(get_args(TieBreak), dice.randint(0, 4))
    places = tuple(sorted((dice.randint(0, 9) for _ in range(size)), reverse=True))
    return Scale(
        places=places if dice.random() < 0.8 else (),
        net=dice.random() < 0.4,
        win=dice.choice((0, 1, 2)),
        hand_win=dice.choice((0, 0, 5)),
        left=dice.choice(((), ((5, 2), (10, 1)))),
        most=dice.choice((None, 12)),
        least=dice.choice((None, -5)),
        sit_out=dice.choice((0, 3)),
        tie_breaks=tuple(breaks),
    )


def _money(dice: Random) -> Money:
    shares = dice.choice(((50, 30, 20), (1,), (3, 2), (40, 40)))
    fee, kept = Fraction(dice.choice((0, 5, 7))), Fraction(dice.choice((0, 11)))
    return Money(fee=fee, unit=dice.choice(("EUR", "Pf")), kept=kept, shares=shares)


def _round(dice: Random, plan: Plan) -> Iterator[list[Any]]:
    if dice.random() < 0.25:
        yield [dice.choice(("withdraw", "withdraw", "bring_back")), dice.randrange(6)]
    if dice.random() < 0.15:
        yield ["enter", 1, None]
    if dice.random() < 0.1:
        yield dice.choice((["replan", 20], ["undraw"], ["conclude"]))
    yield ["draw", f"s{dice.randrange(1000)}"]
    for _ in range(dice.choice((1, 4, 5, 5, 7))):
        yield ["result", [_performance(dice) for _ in range(plan.size)]]
    yield ["close", dice.random() < 0.7]


def _performance(dice: Random) -> list[Any]:
    left = [dice.randrange(0, 15) for _ in range(dice.randint(0, 3))]
    return [dice.randrange(-120, 10), dice.randint(0, 3), dice.choice((0, 0, 1)), left]
