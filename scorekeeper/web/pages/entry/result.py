"""The result of an entry before it is saved: how sure its points are, and a knock in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round, RoundScore, ScoreLine
from scorekeeper.domain.rounds.marks import ending
from scorekeeper.domain.rounds.scoring.receipt import MISCOUNTED
from scorekeeper.i18n import Language
from scorekeeper.web.pages.entry import fields as forms
from scorekeeper.wording import pad


def how_sure(game: Game, facts: Round, score: RoundScore, lang: Language) -> str:
    """Return how sure the points of a round are, naming the players whose cards were checked."""
    if not score.counts:
        return ""
    miscounted = any(warning.code == MISCOUNTED for warning in score.warnings)
    checked = [
        name
        for name, seat in zip(game.players, facts.seats, strict=False)
        if forms.has_checked_cards(seat)
    ]
    if score.verification == "verified" or miscounted or not checked:
        return lang(f"pages.entry.mark.{score.verification}")
    return lang("pages.entry.mark.partly", players=lang.all_of(checked))


def what_is_checked(game: Game, facts: Round, score: RoundScore, lang: Language) -> str:
    """Return ``how_sure`` if cards were checked; that they were not is said on the round's page."""
    checked = any(map(forms.has_checked_cards, facts.seats))
    return how_sure(game, facts, score, lang) if checked else ""


@dataclass(frozen=True)
class Total:
    """The total of a side after a round: ``48 + 37 = 85``, or unchanged."""

    name: str
    before: str
    gained: str
    after: str


@dataclass(frozen=True)
class GinResult:
    """The result of a round of gin: how it ended, who gets which points, the new totals."""

    word: str
    winner: str
    parts: Sequence[tuple[str, str]]
    """The points and their reasons, in the order of the score."""
    totals: Sequence[Total]


def gin_result(game: Game, facts: Round, score: RoundScore, lang: Language) -> GinResult | None:
    """Return the result of a round of gin; None if it does not count, or in another family."""
    end = ending(score, facts)
    if game.rules.family != "gin" or end is None or not score.counts:
        return None
    lines = [line for line in score.lines if line.plus]
    return GinResult(
        word=lang(f"mark.word.{end.name}"),
        winner=game.sides[score.winner] if score.winner is not None else "",
        parts=[(lang.number(line.plus), _reason(line, game, lang)) for line in lines],
        totals=_totals(game, score, lang),
    )


def _reason(line: ScoreLine, game: Game, lang: Language) -> str:
    short = f"pages.gin.part.{line.reason}"
    return lang(short) if short in lang else lang.reason(line, game.players)


def _totals(game: Game, score: RoundScore, lang: Language) -> list[Total]:
    measure = game.rules.rank.measure
    totals = []
    for side, name in enumerate(game.sides):
        before, points = game.sheet.tallies[side].of(measure), score.scores[side]
        if points is None:  # who sits out
            continue
        gained = getattr(points, measure)
        shown = (pad.shown_as(each, measure, lang) for each in (before, gained, before + gained))
        totals.append(Total(name, *shown) if gained else Total(name, next(shown), "", ""))
    return totals
