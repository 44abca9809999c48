"""The question whether two people have entered the same round, with both entries side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round, RoundScore
from scorekeeper.domain.rounds.marks import ending
from scorekeeper.i18n import Language
from scorekeeper.store.errors import NotFound
from scorekeeper.store.ledger import Ledger
from scorekeeper.wording import pad


@dataclass(frozen=True)
class Entered:
    """One side in an entry: its points, and a word if it ended the round."""

    points: str
    mark: str = ""


@dataclass(frozen=True)
class Pair:
    """Both entries about one side."""

    name: str
    stored: Entered
    own: Entered

    @property
    def differs(self) -> bool:
        """Whether the entries contradict each other."""
        return self.stored != self.own


@dataclass(frozen=True)
class TwoEntries:
    """The round that somebody else has saved, beside the reader's own entry."""

    row: Row
    pairs: Sequence[Pair]

    @property
    def same(self) -> int:
        """The number of sides about which both say the same."""
        return sum(not pair.differs for pair in self.pairs)

    @property
    def differs(self) -> bool:
        """Whether the entries contradict each other about any side."""
        return self.same < len(self.pairs)


def two_entries(
    ledger: Ledger, game: Game, seen: int, facts: Round, score: RoundScore, lang: Language
) -> TwoEntries | None:
    """Return an entry beside the most similar round saved since a version; None without one."""
    try:
        known = len(ledger.game_at(game.id, seen).sheet.rows)
    except NotFound:
        return None
    saved = [
        TwoEntries(row, _pairs(game, row, facts, score, lang))
        for row in game.sheet.rows
        if row.ordinal > known and not row.struck_at
    ]
    return max(saved, key=lambda one: one.same, default=None)


def _pairs(
    game: Game, row: Row, facts: Round, score: RoundScore, lang: Language
) -> tuple[Pair, ...]:
    stored = _entered(game, row.round, row.score, lang)
    own = _entered(game, facts, score, lang)
    return tuple(Pair(*both) for both in zip(game.sides, stored, own, strict=True))


def _entered(game: Game, facts: Round, score: RoundScore, lang: Language) -> list[Entered]:
    """Return an entry by side; a round that does not count says so everywhere."""
    if not score.counts:
        return [Entered("–", lang(f"pages.outcome.{score.outcome}"))] * len(game.sides)
    mark, points = ending(score, facts), list(pad.points_by_side(game, score, lang))
    points += ["–"] * (len(game.sides) - len(points))
    return [
        Entered(shown, lang(f"mark.word.{mark.name}") if mark and mark.side == side else "")
        for side, shown in enumerate(points)
    ]
