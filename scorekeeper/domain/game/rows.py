"""The rows of a score sheet: rounds with the totals after them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from scorekeeper.domain.rounds.facts import Round, RoundScore, SeatScore
from scorekeeper.domain.rules import RuleSet


class Tally(NamedTuple):
    """The totals of a side: minus and plus points, which are never negative and never mixed."""

    minus: int = 0
    plus: int = 0
    reduced: int = 0
    """Minus points taken off so far ([001] §9i); ``minus`` does not include them."""
    won: int = 0
    played: int = 0
    league: int = 0
    out: int = 0
    """The number of the round in which the side went out; 0 while it is in (RULES-MORE 8.2)."""
    entries: int = 0
    """How often it came back after it had gone out."""

    @property
    def net(self) -> int:
        return self.plus - self.minus

    def of(self, measure: str) -> int:
        """Return the tally by its name: minus, plus or net."""
        value: int = getattr(self, measure)
        return value

    def worth(self, measure: str) -> int:
        """Return the tally with a sign such that more is better."""
        return -self.minus if measure == "minus" else self.of(measure)


@dataclass(frozen=True)
class Version:
    """An earlier version of a row that was corrected."""

    at: str
    round: Round
    score: RoundScore


@dataclass(frozen=True, slots=True)
class Row:
    """One round on the sheet.

    ``taken_off``, ``adjusted`` and ``tallies`` depend on earlier rounds; ``Sheet.rows`` fills them
    in.
    """

    number: int
    at: str
    """When the round was first recorded."""
    round: Round
    """The facts of the round, without the note, which is one of the game's texts."""
    score: RoundScore
    rules: RuleSet
    """The rules that it was played under: they may have changed since."""
    ordinal: int
    """Which round of the game it was to be recorded. Its note goes by this number, which stays
    the same when a missed round is inserted before it."""
    corrected_at: str | None = None
    struck_at: str | None = None
    dealt_again: bool = False
    """Whether it was the last round when it was struck, so that its dealer deals once more."""
    earlier: tuple[Version, ...] = ()
    dealer: int = 0
    """The dealer, who stays the same whatever is corrected or struck in earlier rounds."""
    dealer_named: bool = False
    """Whether somebody said who dealt, so that no other round moves the deal. Of the first round,
    this says who dealt first: a round before it was dealt by that player."""
    taken_off: tuple[int, ...] = ()
    """Minus points taken off in this round, by side."""
    adjusted: tuple[int, ...] = ()
    """Minus points added before this round, because players came back, by side."""
    tallies: tuple[Tally, ...] = ()
    """The totals after this round, by side."""
    scored: int = 0
    """How many rounds count, up to and including this one."""

    @property
    def written_at(self) -> str:
        """When the current version was recorded."""
        return self.corrected_at or self.at

    @property
    def counts(self) -> bool:
        """Whether the round is scored and not struck out."""
        return self.struck_at is None and self.score.counts

    @property
    def wins_game(self) -> bool:
        """Whether the winner won the whole game with one run (RULES-MORE 8.4)."""
        return wins_game(self.score, self.rules)

    def points(self, side: int) -> SeatScore | None:
        """Return the points of a side in this round; None if it was absent or not yet seated."""
        return self.score.scores[side] if side < len(self.score.scores) else None

    def worth(self, side: int, measure: str) -> int | None:
        """Return the measure of a side in this round, after reductions; None if it was absent."""
        points = self.points(side)
        if points is None:
            return None
        minus = points.minus - self.taken_off[side]
        return {"minus": minus, "plus": points.plus, "net": points.plus - minus}[measure]


@dataclass(frozen=True)
class Given:
    """Points without a round: a starting score, a penalty, a present."""

    event: int
    """The number of the event that gave them."""
    at: str
    after: int
    """The ordinal of the round that they follow; 0 if they came before the first one."""
    side: int
    points: SeatScore
    """Points that are taken off a tally are negative."""
    start: bool
    """A starting score makes up for rounds that were not played: it counts in the totals and
    the ranking, but between no two players."""
    sides: int
    """The number of sides that were there."""

    def worths(self, sides: int, measure: str) -> tuple[int | None, ...]:
        """Return what these points are worth to each side, as if they were a round.

        All who were there got nothing, except for the one; None for sides that they do not concern.
        """
        worth = {"minus": self.points.minus, "plus": self.points.plus, "net": self.points.net}
        there = () if self.start else range(self.sides)
        return tuple(
            worth[measure] if side == self.side else 0 if side in there else None
            for side in range(sides)
        )


def share_to_win(rules: RuleSet) -> Fraction:
    """Return the share of the scored rounds that somebody must have played to win (RULES 3.6).

    Where players are eliminated, and at gin, where one of three sits out, it is none.
    """
    asks = rules.family != "gin" and not rules.end.eliminate
    return Fraction(rules.end.min_rounds_to_win if asks else 0)


def contenders(tallies: Sequence[Tally], rounds: int, rules: RuleSet) -> tuple[int, ...]:
    """Return the sides that played enough of the scored rounds to win (RULES 3.6).

    If none did, these are all that have played.
    """
    played = [side for side, tally in enumerate(tallies) if tally.played]
    least = ceil(share_to_win(rules) * rounds)
    return tuple([side for side in played if tallies[side].played >= least] or played)


def wins_game(score: RoundScore, rules: RuleSet) -> bool:
    """Return whether a round wins the whole game: all cards of its winner are one run."""
    return rules.out.one_run == "wins" and any(line.reason == "one_run" for line in score.lines)


def add_round(tally: Tally, score: SeatScore, less: int, *, won: bool) -> Tally:
    """Return a total with the points of one more round, less what is taken off."""
    return tally._replace(
        minus=tally.minus + score.minus - less,
        plus=tally.plus + score.plus,
        reduced=tally.reduced + less,
        won=tally.won + won,
        played=tally.played + 1,
        league=tally.league + (score.league or 0),
    )
