"""The receipt of a round: each line of its score in words, with the cards behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.results import side_of
from scorekeeper.domain.melds import card_value
from scorekeeper.domain.rounds.facts import RoundScore, ScoreLine
from scorekeeper.domain.rounds.marks import ending
from scorekeeper.web.context import language
from scorekeeper.web.pages.entry import keys
from scorekeeper.wording import pad


@dataclass(frozen=True)
class Reason:
    """A line of the receipt in words, with its cards."""

    words: str
    amount: str
    cards: Sequence[Card] = ()
    sum: str = ""
    """The points of the cards: ``10 + 9 + 11 + 20``."""
    melds: Sequence[Sequence[Card]] = ()
    """Melds of the hand, which count nothing."""
    laid_off: Sequence[Card] = ()


@dataclass(frozen=True)
class Receipt:
    """The reasons for the points of a side."""

    name: str
    points: str
    reasons: Sequence[Reason]
    mark: str = ""
    """The word for the player who ended or turned the round."""


def receipts(game: Game, row: Row) -> list[Receipt]:
    """Return the lines of a score in words, by side."""
    measure = game.rules.rank.measure
    return [
        Receipt(
            name=game.sides[side],
            points=pad.shown_as(getattr(points, measure), measure, language()),
            reasons=[_reason(game, row, line) for line in row.score.lines if line.seat == side],
            mark=_mark(game, row, side),
        )
        for side, points in enumerate(row.score.scores)
        if points is not None and not pad.writes_nothing(game, row.score, side)
    ]


def _mark(game: Game, row: Row, side: int) -> str:
    mark = ending(row.score, row.round)
    if mark is None or mark.side != side:
        return ""
    if row.round.hand_romme:
        return keys.hand_romme(game.rules, language())
    return language()(f"mark.word.{mark.name}")


def _reason(game: Game, row: Row, line: ScoreLine) -> Reason:
    lang, facts = language(), line.facts
    amount = lang.amount(line, game.rules.rank.measure)
    cards = cast("tuple[Card, ...]", facts.get("cards", ()))
    melds = cast("tuple[tuple[Card, ...], ...]", facts.get("melds", ()))
    if not cards and not melds:
        return Reason(lang.reason(line, game.players), amount)
    of, rules = facts.get("of"), row.rules
    knocker = row.round.knocker
    if line.reason == "deadwood" and knocker is not None and side_of(knocker, rules) != line.seat:
        rules = rules.for_defenders
    return Reason(
        words=lang(
            f"pages.why.cards.{line.reason}",
            player=game.players[of] if isinstance(of, int) else "",
        ),
        amount=amount,
        cards=cards,
        sum=" + ".join(str(card_value(card, rules)) for card in cards) or lang.number(0),
        melds=melds,
        laid_off=cast("tuple[Card, ...]", facts.get("laid_off", ())),
    )


def rules_behind(game: Game, score: RoundScore) -> list[str]:
    """Return the rules that a score rests on, each once, with their sources."""
    lang, family = language(), game.rules.family
    reasons = dict.fromkeys(line.reason for line in score.lines)
    found = ((f"pages.why.{reason}.{family}", f"pages.why.{reason}") for reason in reasons)
    return [lang(own if own in lang else usual) for own, usual in found]
