"""Random games, step by step, for ``answers``: rounds, corrections, and everything around them.

A case is a game in JSON with its steps; its answer has what each step changed, or how it was
refused. Hundreds of them notice when a total, a rank, a dealer or an amount comes out differently.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import changes, given
from scorekeeper.domain.game.changes import Draft, NewGame, check_sequel
from scorekeeper.domain.game.frame import Frame, changed, correct_frame
from scorekeeper.domain.game.state import Game, created
from scorekeeper.domain.game.story import ahead_since, highlights, story
from scorekeeper.domain.group.results import evening
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import plain, plain_facts
from scorekeeper.domain.rounds.facts import ScoreLine
from scorekeeper.domain.rounds.scoring.lay import asks_laid
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.store import Ledger
from scorekeeper.wire.rounds import load_round

Json = dict[str, Any]
NAMES = ("Anna", "Bernd", "Claire", "Dora", "Emil", "Fritz", "Greta", "Hans")
AT = "2026-06-12T19:40:05Z"


# ---- playing a game ------------------------------------------------------------------


def game_answer(case: Json) -> list[Json]:
    """Return what each step of a game changes, or the findings that refuse it."""
    answers: list[Json] = []
    known: Json = {}
    for _, after in _played(case):
        if isinstance(after, Game):
            seen = _seen(after)
            answers.append({name: seen[name] for name in seen if known.get(name, 0) != seen[name]})
            known, game = seen, after
        else:
            answers.append({"refused": after})
    return [*answers, _told(game)]


def _played(case: Json) -> Iterator[tuple[Draft | None, Game | list[Any]]]:
    """Yield each change with the game after it, or none with the findings that refuse it."""
    game = created("g", _first_event(case))
    yield None, game
    for step, *details in case["steps"]:
        try:
            draft = STEPS[step](game, *details)
            game = _after(game, draft) if draft else game
            yield draft, game
        except RuleError as refused:
            yield None, refusal(refused)
        except KeyError as missing:
            yield None, [repr(missing)]


def _first_event(case: Json) -> Event:
    rules = PRESETS[case["preset"]].override(case["options"])
    return NewGame("", "", rules, NAMES[: case["players"]]).first_event(AT)


def store(case: Json, ledger: Ledger, game_id: str) -> str:
    """Record a game in a ledger, without the steps that are refused, and return its pen."""
    _, pen, _ = ledger.create(Game, game_id, _first_event(case))
    for draft, _ in _played(case):
        if draft:
            with ledger.book_transaction(game_id) as transaction:
                texts = draft.texts
                transaction.append(draft.kind, draft.payload, at=AT, by="pen", texts=texts)
    return pen


def refusal(refused: RuleError) -> list[Any]:
    return [[one.code, plain(one.path), plain_facts(one.facts)] for one in refused.problems]


def _after(game: Game, draft: Draft) -> Game:
    event = Event(game.version + 1, AT, draft.kind, "pen", draft.payload, draft.texts)
    after = game.apply(event)
    assert isinstance(after, Game)
    check_sequel(after, draft.kind, draft.payload.get("number", 0))
    return after


def _round(game: Game, body: Json) -> Draft:
    number = changes.next_round(game)
    entry = load_round(body, game.rules)
    return Draft("round", changes.score_for(game, entry.round, entry.warnings).payload(number))


def _again(kind: str) -> Callable[[Game, int, Json], Draft]:
    """Return the step that corrects a round, or records one that was missed."""

    def again(game: Game, number: int, body: Json) -> Draft:
        place = changes.at_place(game, kind, number)
        entry = load_round(body, place.rules)
        return Draft(kind, changes.score_for(place, entry.round, entry.warnings).payload(number))

    return again


def _frame(game: Game, about: Json) -> Draft | None:
    parts: Json = {}
    if "order" in about:
        parts["order"] = tuple(about["order"])
    if "dealers" in about:
        parts["dealers"] = {int(number): seat for number, seat in about["dealers"].items()}
    if "options" in about:
        parts["rules"] = game.rules.override(about["options"])
    return correct_frame(game, changed(game, Frame(**parts)), AT)


def _paid(game: Game) -> Draft | None:
    settled = game.settlement()
    due = settled.transfers[0] if settled and settled.transfers else None
    return changes.pay(due) if due else None


STEPS: Mapping[str, Callable[..., Draft | None]] = {
    "round": _round,
    "corrected": _again("corrected"),
    "inserted": _again("inserted"),
    "strike": changes.strike,
    "restore": changes.restore,
    "revert": changes.revert,
    "seat": changes.seat_player,
    "give": lambda game, side, points: given.give(game, side, **points),
    "frame": _frame,
    "pay": _paid,
    "end": changes.end,
    "reopen": changes.reopen,
}


# ---- what is seen of a game ----------------------------------------------------------

SETTLED = ("pairs", "balances", "stakes", "payable_amounts", "transfers")


def _seen(game: Game) -> Json:
    """Return everything that a table sees of a game, as JSON."""
    sheet = game.sheet
    last = sheet.rows[-1] if sheet.rows else None
    try:
        settled = as_plain(game.settlement() or ())
        settled = settled and {name: settled[name] for name in SETTLED if name in settled}
    except RuleError as refused:
        settled = [one.code for one in refused.problems]
    return {
        "tallies": [list(tally) for tally in sheet.tallies],
        "rows": [[row.dealer, plain(row.taken_off), plain(row.adjusted)] for row in sheet.rows],
        "lines": last and [_line(line) for line in last.score.lines],
        "ranks": plain(sheet.ranks),
        "behind": plain(sheet.set_behind),
        "leaders": plain(sheet.leaders),
        "ending": as_plain(sheet.ending),
        "over": [game.is_over, game.has_result, game.ended_early],
        "final": plain(sheet.final),
        "columns": [as_plain(column) for column in sheet.columns],
        "deal": as_plain(sheet.next_deal),
        "table": [plain(sheet.expected), plain(sheet.at_table), sheet.sits_out],
        "laid": plain(sheet.rows_laid),
        "out": [as_plain(one) for one in sheet.standing.eliminated],
        "came_back": [as_plain(one) for one in sheet.standing.adjustments],
        "back": [sheet.standing.start, plain(sheet.standing.returning)],
        "settled": settled,
        "stakes": [plain(game.pot), plain(game.round_stakes), game.stake_outcome, game.winner_pays],
        "paid": [as_plain(one) for one in game.payments],
    }


def _line(line: ScoreLine) -> list[Any]:
    numbers = line.minus, line.plus, line.reduction
    return [line.seat, line.reason, *numbers, *filter(None, [plain_facts(line.facts)])]


def _told(game: Game) -> Json:
    """Return what is told of a game at the end."""
    sheet = game.sheet
    return {
        "story": [[one.code, plain_facts(one.facts)] for one in story(sheet)],
        "highlights": [[one.code, plain_facts(one.facts)] for one in highlights(sheet)],
        "ahead_since": ahead_since(sheet),
        "evening": as_plain(evening(game)),
        "starting_scores": plain(given.starting_scores(sheet, sheet.rules.rank.measure)),
    }


def as_plain(value: Any) -> Any:
    """Return a value of the domain as JSON, without what is empty."""
    if isinstance(value, Problem):
        return value.code
    if is_dataclass(value):
        named = {one.name: as_plain(getattr(value, one.name)) for one in fields(value)}
        return {name: found for name, found in named.items() if found not in (None, 0, [], {}, "")}
    if isinstance(value, tuple | list):
        return [as_plain(one) for one in value]
    return plain(value)


# ---- making games --------------------------------------------------------------------

OPTIONS_TRIED: Mapping[str, tuple[Any, ...]] = {
    "deal.first_dealer": (0, 1, "drawn"),
    "deal.next_dealer": ("left", "winner_if_two", "alternate", "loser"),
    "end.points": (60, 100, 150),
    "end.compare": ("over", "reach"),
    "end.min_rounds_to_win": ("0", "1/4", "1/2", "1"),
    "end.rejoin": ("highest", "highest_plus_one"),
    "gin.box_at": ("hand", "game"),
    "gin.game_bonus": (0, 100),
    "gin.hollywood": (True,),
    "gin.pro_min_wins": (2,),
    "gin.shutout": ("points", "total"),
    "players.max": (3, 6),
    "rank.measure": ("minus", "plus", "net"),
    "score.cap": (30, 100),
    "settle.measure": ("minus", "plus", "net"),
    "settle.mode": ("pairwise", "winner", "balance"),
    "settle.payable": ("1/10", "1"),
    "settle.point_value": ("0.05", "1/3", "1"),
    "settle.rejoin_stake": ("2",),
    "settle.round_stake": ("0.50",),
    "settle.hand_stake": ("2",),
    "settle.stake": ("1", "5"),
    "settle.unit": ("EUR", "Pf", "ct"),
    "stock.exhausted": ("count", "void_at_two"),
    "teams": (True,),
    "end.mode": ("manual", "points", "rounds"),
    "end.rounds": (4,),
    "end.eliminate": (True,),
    "end.rejoin_max": (1,),
}
POINTS = (0, 1, 5, 7, 10, 25, 30, 40, 60)
OTHER_STEPS = ("again", "again", "strike", "strike", "seat", "give", "frame", "pay", "end")


def random_games(each: int) -> Iterator[Json]:
    """Yield so many games of each system, with house rules, and with steps that may be refused.

    A further system does not change the games of the others.
    """
    for name in PRESETS:
        for number in range(each):
            yield random_game(name, Random(f"{name} {number}"))


def random_game(name: str, dice: Random) -> Json:
    """Return a random game of a system."""
    known = sorted(OPTIONS_TRIED.keys() & set(PRESETS[name].names()))
    while True:
        chosen = dice.sample(known, dice.randint(1, 5))
        options = {option: dice.choice(OPTIONS_TRIED[option]) for option in chosen}
        try:
            rules = PRESETS[name].override(options)
        except RuleError:
            continue
        most = min(rules.players.max, len(NAMES), 5)
        players = dice.randint(rules.players.min, max(rules.players.min, most))
        steps: list[Any] = []
        for _ in range(dice.randint(6, 14)):
            steps.append(_step(dice, rules, players, steps))
        return {"preset": name, "options": options, "players": players, "steps": steps}


def _step(dice: Random, rules: RuleSet, players: int, before: list[Any]) -> list[Any]:
    seats = players + sum(step[0] == "seat" for step in before)
    rounds = sum(step[0] in ("round", "inserted") for step in before)
    if rounds < 2 or dice.random() < 0.55:
        return ["round", _body(dice, rules, seats)]
    number = dice.randint(1, rounds)
    match dice.choice(OTHER_STEPS):
        case "again":
            kind = dice.choice(("corrected", "corrected", "inserted", "revert"))
            body = [] if kind == "revert" else [_body(dice, rules, seats)]
            return [kind, number, *body]
        case "strike":
            return [dice.choice(("strike", "strike", "restore")), number]
        case "seat":
            place = [dice.randrange(seats)] if dice.random() < 0.4 else []
            return ["seat", NAMES[seats % len(NAMES)], *place]
        case "give":
            points = {dice.choice(("minus", "plus")): dice.choice((-10, 5, 20))}
            start = {"start": True} if dice.random() < 0.2 else {}
            return ["give", dice.randrange(seats), points | start]
        case "frame":
            return ["frame", _about(dice, seats, rounds)]
        case "pay":
            return ["pay"]
        case _:
            return [dice.choice(("end", "reopen"))]


def _about(dice: Random, seats: int, rounds: int) -> Json:
    order = list(range(seats))
    dice.shuffle(order)
    dealers = {str(dice.randint(1, rounds + 1)): dice.randrange(seats)}
    stake = {"settle.stake": dice.choice(("0", "3")), "end.points": dice.choice((80, 120))}
    return dice.choice(({"order": order}, {"dealers": dealers}, {"options": stake}))


def _body(dice: Random, rules: RuleSet, seats: int) -> Json:
    """Return a round that its rules usually accept."""
    playing = 4 if rules.teams else min(seats, 2) if rules.family == "gin" else seats
    there = sorted(dice.sample(range(seats), min(playing, seats)))
    if len(there) > 2 and not rules.teams and dice.random() < 0.15:
        there.remove(dice.choice(there))
    winner = dice.choice(there)
    ends = {"gin": ("knock", "knocker"), "knock": ("knock", "knocker")}
    outcome, ender = ends.get(rules.family, ("out", "winner"))
    body: Json = {"outcome": outcome, ender: winner, "seats": []}
    for seat in range(seats):
        one: Json = {} if seat in there else {"absent": True}
        if seat in there and (seat != winner or rules.family in ("gin", "knock")):
            low = rules.family in ("gin", "knock") and seat == winner
            name = {"gin": "deadwood", "knock": "count"}.get(rules.family, "points")
            one = {name: dice.choice((0, 0, 3, 9) if low else POINTS)}
            if dice.random() < 0.3 and rules.family == "lay":
                one["laid"] = dice.random() < 0.5
        if seat in there and rules.score.mode == "melded":
            one["laid_points"] = dice.choice((15, 45, 90)) if one.get("laid", True) else 0
            one["laid"] = one.get("laid", True)
        if seat in there and asks_laid(rules) and seat != winner:
            one.setdefault("laid", dice.random() < 0.7)
            if rules.score.price_not_laid and not one["laid"]:
                one.pop("points", None)
        if seat in there and seat != winner and dice.random() < 0.1 and any(rules.drop.points):
            one = {"drop": dice.choice(("first", "middle"))}
        body["seats"].append(one)
    if dice.random() < 0.15 and rules.family == "lay" and rules.hand_romme.enabled:
        body["hand_romme"] = True
    if dice.random() < 0.07:
        body = {"outcome": dice.choice(("void", "cancelled", "count")), "seats": body["seats"]}
    if dice.random() < 0.2 and rules.end.rejoin != "none":
        body["rejoin"] = [dice.randrange(seats)]
    return body
