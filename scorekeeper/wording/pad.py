"""The pad: a column per side, a line per round, the line of the next round."""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import RoundScore, SeatScore
from scorekeeper.domain.rounds.marks import Mark, ending, extras
from scorekeeper.i18n import Language
from scorekeeper.wording import pool
from scorekeeper.wording.endings import people, set_behind
from scorekeeper.wording.frames import rules_in_words
from scorekeeper.wording.given import given_in_words


class Head(NamedTuple):
    """The head of a column: a side's totals and rank."""

    name: str
    total: str
    plus: str
    """The plus points, where the rules keep them beside the minus points."""
    rank: int | None
    leads: bool
    place: str
    """The rank in words; of the first, whether they lead or have won. Where players go out, what
    is left to the limit, or when they went out."""
    out: bool = False
    boxes: int = 0
    """The boxes of a game of gin, where they count in the end."""
    laid: str = ""
    """How many contracts are laid, where everybody plays an own row of the plan."""


class Cell(NamedTuple):
    """The points of a side in a round; None if the player was away."""

    name: str
    points: str | None
    after: str = ""
    """The total after the round."""
    plus: str = ""
    mark: str = ""
    """A word for the player who ended or turned the round: ``Rommé``, ``Gin``, ``Undercut``."""
    hand_romme: bool = False
    before: str = ""
    """The points before the round was corrected."""
    fell: bool = False
    """Whether the side went out with this round."""
    gone: bool = False
    """Whether the side was out before it."""


class PadLine(NamedTuple):
    """One round on the pad."""

    number: int
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    doubts: tuple[str, ...]
    """Points that no hand can have; the page of the round says why."""
    struck: bool


def title_of(game: Game, lang: Language) -> str:
    """Return the title of a game, or its date."""
    return game.title or lang("pages.untitled", date=lang.date(game.created_at))


def shown_as(amount: int, measure: str, lang: Language) -> str:
    """Return points as text; a difference has a sign."""
    return lang.number(amount, signed=measure == "net")


def shows_both(game: Game) -> bool:
    """Return whether the rules keep both minus and plus points."""
    return game.rules.score.mode == "minus_plus"


def writes_nothing(game: Game, score: RoundScore, side: int) -> bool:
    """Return whether a side writes nothing in a round, since the winner collects it ([002])."""
    return game.rules.score.mode == "winner_collects" and side != score.winner


def points_by_side(game: Game, score: RoundScore, lang: Language) -> Iterator[str]:
    """Yield the points of a round by side; collected points are shown at their loser."""
    measure = game.rules.rank.measure
    collected = {line.facts["of"]: line.plus for line in score.lines if line.reason == "collected"}
    for side, points in enumerate(score.scores):
        if points and writes_nothing(game, score, side):
            yield lang.number(collected.get(side, 0))
        else:
            yield _points(points, measure, lang) if points else "–"


def heads(game: Game, lang: Language) -> list[Head]:
    """Return the heads of the columns."""
    sheet, measure = game.sheet, game.rules.rank.measure
    return [
        Head(
            name=name,
            total=shown_as(tally.of(measure), measure, lang),
            plus=lang.number(tally.plus, signed=True) if shows_both(game) else "",
            rank=sheet.ranks[side],
            leads=side in sheet.leaders,
            place=_place(game, side, lang),
            out=bool(tally.out),
            boxes=sheet.columns[0].boxes[side] if len(sheet.columns) == 1 else 0,
            laid=lang("pages.board.rows_laid", n=sheet.rows_laid[side]) if sheet.rows_laid else "",
        )
        for side, (name, tally) in enumerate(zip(game.sides, sheet.tallies, strict=True))
    ]


def _place(game: Game, side: int, lang: Language) -> str:
    rank = game.sheet.ranks[side]
    if rank == 1 and game.is_over:
        return lang("pages.board.won")
    if rank and (words := pool.place(game, side, lang)):
        return words
    if rank == 1:
        return lang("pages.board.leads")
    return lang("pages.board.rank", rank=lang.ordinal(rank)) if rank else ""


def lines(game: Game, lang: Language, last: int = 0) -> list[PadLine]:
    """Return the rounds in order, or the last few of them."""
    return [line(game, row, lang) for row in game.sheet.rows[-last:]]


def line(game: Game, row: Row, lang: Language) -> PadLine:
    """Return a round as a line of the pad."""
    mark, sides = ending(row.score, row.round), enumerate(game.sides)
    return PadLine(
        number=row.number,
        cells=tuple(_cell(game, row, side, name, mark, lang) for side, name in sides),
        notes=tuple(_notes(game, row, lang)),
        doubts=tuple(_doubts(game, row, lang)),
        struck=row.struck_at is not None,
    )


def _cell(game: Game, row: Row, side: int, name: str, mark: Mark | None, lang: Language) -> Cell:
    measure = game.rules.rank.measure
    seated = side < len(row.tallies)
    stands = seated and not row.struck_at
    after = shown_as(row.tallies[side].of(measure), measure, lang) if stands else ""
    points = row.points(side) if row.score.counts else None
    if points is None:
        return Cell(name, None, after, gone=pool.is_gone(row, side))
    silent = writes_nothing(game, row.score, side)
    return Cell(
        name=name,
        points="" if silent else _points(points, measure, lang),
        after=after,
        plus=_plus(game, points, measure, lang),
        mark=lang(f"mark.word.{mark.name}") if mark and mark.side == side else "",
        hand_romme=side == row.score.winner and row.round.hand_romme,
        before=_points_before(row, side, measure, lang),
        fell=pool.fell(row, side),
    )


def _plus(game: Game, points: SeatScore, measure: str, lang: Language) -> str:
    """Return the plus points, where the rules keep both and the points do not say them."""
    if not shows_both(game) or points.plus in (0, getattr(points, measure)):
        return ""
    return lang.number(points.plus, signed=True)


def _points(points: SeatScore, measure: str, lang: Language) -> str:
    return shown_as(getattr(points, measure), measure, lang)


def _points_before(row: Row, side: int, measure: str, lang: Language) -> str:
    """Return the points before the last correction, if they were different."""
    if not row.earlier:
        return ""
    before = row.earlier[-1].score
    old = before.scores[side] if before.counts and side < len(before.scores) else None
    now = row.points(side)
    if old is None or now is None or getattr(old, measure) == getattr(now, measure):
        return ""
    return _points(old, measure, lang)


def new_rules(game: Game, number: int, lang: Language) -> Iterator[str]:
    """Yield what changed in the rules between a round, perhaps the next one, and the one before."""
    if words := rules_changed(game, number, lang):
        yield lang("frame.from_this_round", rules=words)


def rules_changed(game: Game, number: int, lang: Language) -> str:
    """Return the rules that are others from a round on; empty if they are the same as before."""
    rows = game.sheet.written
    if number < 2 or not rows:
        return ""
    now = rows[number - 1].rules if number <= len(rows) else game.rules
    return " ".join(rules_in_words(rows[number - 2].rules, now, lang, without=("end", "settle")))


def _notes(game: Game, row: Row, lang: Language) -> Iterator[str]:
    yield from new_rules(game, row.number, lang)
    if row.struck_at:
        yield lang("pages.board.struck", time=lang.time(row.struck_at))
    winner = row.score.winner
    if row.score.outcome not in ("out", "knock"):
        yield lang(f"pages.board.{row.score.outcome}")
    if winner is not None and row.round.hand_romme:
        factor, player = row.rules.hand_romme.factor, game.sides[winner]
        name = {1: "hand_romme_only", 2: "hand_romme"}.get(factor, "hand_romme_factor")
        yield lang(f"pages.board.{name}", player=player, factor=factor)
    for mark in extras(row.score):
        yield lang.mark(mark, game.sides)
    yield from pool.who_went(game, row, game.sides, lang)
    for side, less in enumerate(row.taken_off):
        if less:
            yield lang("pages.board.reduction", player=game.sides[side], points=less)
    if note := game.note(row.number):
        yield note
    yield from given_in_words(game, row.ordinal, lang)


def _doubts(game: Game, row: Row, lang: Language) -> Iterator[str]:
    if row.struck_at:
        return
    for found in row.score.warnings:
        if found.code == "W_POINTS_IMPOSSIBLE":
            player = game.players[cast(int, found.facts["seat"])]
            yield lang("pages.board.recount", player=player, points=found.facts["points"])


def next_deal(game: Game, lang: Language) -> Iterator[str]:
    """Yield who deals how many cards, who begins and, of three at gin, who sits out."""
    deal, players = game.sheet.next_deal, game.players
    yield lang("pages.board.deals", player=players[deal.dealer], n=deal.cards)
    yield lang("pages.board.begins", player=players[deal.first])
    if deal.sits_out is not None:
        yield lang("pages.board.sits_out", player=players[deal.sits_out])


def planned(game: Game, number: int, lang: Language) -> list[str]:
    """Return what a round asks for first and makes wild; by player where each has an own row."""
    plan, row = game.rules.round.plan, game.sheet.plan_row(number)
    if isinstance(row, int):
        return [lang.plan_row(plan[row - 1]._replace(deal=None))]
    return [
        lang(
            "pages.board.plan_row",
            player=name,
            row=own,
            of=len(plan),
            contract=lang.plan_row(plan[own - 1]._replace(deal=None)),
        )
        for name, own in zip(game.players, row or (), strict=False)
    ]


def plan_in_words(game: Game, lang: Language) -> dict[str, Any]:
    """Return every row of the plan, and the words for a player's own, for rounds that wait."""
    facts = {name: f"{{{name}}}" for name in ("player", "row", "contract")}
    return {
        "rows": [lang.plan_row(row._replace(deal=None)) for row in game.rules.round.plan],
        "words": lang("pages.board.plan_row", of=len(game.rules.round.plan), **facts),
    }


def remaining(game: Game, lang: Language) -> list[str]:
    """Return how far it is to the end of the game, and who needs more rounds to be ranked first."""
    end, sheet = game.rules.end, game.sheet
    distances = []
    wanted = end.measure != "minus" and game.rules.limit_sign > 0  # otherwise nobody aims at it
    if wanted and end.points and end.mode in ("points", "points_or_rounds") and sheet.counted:
        sign = game.rules.limit_sign
        reached, side = max(
            (sign * tally.of(end.measure), -side) for side, tally in enumerate(sheet.tallies)
        )
        if reached < end.points:
            distances.append(
                lang(
                    "pages.board.points_left",
                    player=game.sides[-side],
                    n=end.points - reached,
                    limit=sign * end.points,
                )
            )
    if game.rules.gin.pro_min_wins and sheet.counted:
        distances += _wins_left(game, lang)
    if end.rounds is not None and end.mode in ("rounds", "points_or_rounds"):
        left = end.rounds - len(sheet.counted)
        if left > 0:
            distances.append(lang("pages.board.rounds_left", n=left, limit=end.rounds))
    return [*distances, *pool.may_return(game, lang), *set_behind(game, lang)]


def _wins_left(game: Game, lang: Language) -> list[str]:
    """Return how many rounds the players beyond the limit still have to win (Gin Pro)."""
    needed, end = game.rules.gin.pro_min_wins, game.rules.end
    return [
        lang("pages.board.wins_left", player=name, n=needed - tally.won, needed=needed)
        for name, tally in zip(game.sides, game.sheet.tallies, strict=True)
        if tally.of(end.measure) >= (end.points or 0) and tally.won < needed
    ]


def why_over(game: Game, lang: Language) -> str:
    """Return why the game is over, and who played too few of its rounds to win."""
    return " ".join((_why_over(game, lang), *set_behind(game, lang)))


def _why_over(game: Game, lang: Language) -> str:
    ending = game.sheet.ending
    if ending is None or game.ended_by_hand:
        return lang("pages.over.early" if game.ended_early else "pages.over.by_hand")
    if ending.why == "plan":
        return lang("pages.over.plan")
    if ending.why == "one_run":
        return lang("pages.over.one_run", player=game.sides[ending.winner or 0])
    if ending.why == "rounds":
        return lang("pages.over.rounds", n=ending.limit)
    return lang(
        f"pages.over.points_{game.rules.end.compare}",
        players=lang.all_of(game.sides[side] for side in ending.sides),
        n=people(game, ending.sides),
        limit=ending.limit,
    )


def winners(game: Game, lang: Language) -> str:
    """Return who has won a game that is over, as a sentence; before any round, that it is over."""
    leaders = game.sheet.leaders
    if not leaders:
        return lang("pages.over.word")
    names = lang.all_of(game.sides[side] for side in leaders)
    return lang("end.wins", players=names, n=people(game, leaders))
