"""Elimination: who is out, who comes back, and with which total (RULES-MORE 8.2).

Who is out follows from the rounds. A player who comes back says so with the next round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.domain.errors import Problem, RuleError, problem
from scorekeeper.domain.game.rows import Row, Tally
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.domain.rules import RuleSet


@dataclass(frozen=True)
class Elimination:
    """A player who reached the limit; who came back and went out again has two of them."""

    seat: int
    round: int
    total: int


@dataclass(frozen=True)
class Adjustment:
    """What a re-entry adds to the minus points of a player, before a round; it may be negative."""

    before_round: int
    seat: int
    minus: int


def total(tally: Tally, rules: RuleSet) -> int:
    """Return the total that the limit is compared with; where rounds cost points it is positive."""
    return rules.limit_sign * tally.of(rules.end.measure)


def meets(total: int, rules: RuleSet) -> bool:
    """Return whether a total meets the limit of the game (RULES 8.1)."""
    limit = rules.end.points
    if limit is None:
        return False
    return total > limit if rules.end.compare == "over" else total >= limit


def is_over_limit(tally: Tally, rules: RuleSet) -> bool:
    """Return whether a side meets the limit."""
    return meets(total(tally, rules), rules)


def left_in(tallies: Sequence[Tally]) -> list[int]:
    """Return the sides that are not out."""
    return [side for side, tally in enumerate(tallies) if not tally.out]


def total_back(tallies: Sequence[Tally], rules: RuleSet) -> int:
    """Return the total with which somebody comes back: the highest of those left, perhaps + 1."""
    highest = max((total(tallies[side], rules) for side in left_in(tallies)), default=0)
    return highest + (rules.end.rejoin == "highest_plus_one")


def come_back(
    tallies: Sequence[Tally], seats: Sequence[int], rules: RuleSet
) -> tuple[tuple[Tally, ...], tuple[int, ...]]:
    """Return the totals with these seats back in, and the minus points that this adds to each."""
    new = total_back(tallies, rules)
    added = [0] * len(tallies)
    after = list(tallies)
    for seat in seats:
        if seat < len(after):
            one = after[seat]
            added[seat] = new - total(one, rules)
            minus = one.minus + added[seat]
            after[seat] = one._replace(minus=minus, out=0, entries=one.entries + 1)
    return tuple(after), tuple(added)


def go_out(tallies: Sequence[Tally], number: int, rules: RuleSet) -> tuple[Tally, ...]:
    """Return the totals after a round of this number, with all who meet the limit out."""
    if not rules.end.eliminate:
        return tuple(tallies)
    return tuple(
        tally._replace(out=number) if not tally.out and is_over_limit(tally, rules) else tally
        for tally in tallies
    )


@dataclass(frozen=True)
class Standing:
    """Who is in the game and who is out after some rounds."""

    rules: RuleSet
    rows: Sequence[Row]
    tallies: Sequence[Tally]
    """The totals of all sides now."""
    replaced: frozenset[int] = frozenset()
    """The seats of players who have left and whose place somebody else has taken."""

    @property
    def left(self) -> tuple[int, ...]:
        """The sides that are not out: all of them unless players are eliminated.

        A player whose place somebody else has taken is no longer in the game [dec].
        """
        gone = self.replaced if self.rules.end.eliminate else ()
        return tuple(side for side in left_in(self.tallies) if side not in gone)

    @property
    def out(self) -> tuple[int, ...]:
        """The sides that are out."""
        return tuple(side for side, tally in enumerate(self.tallies) if tally.out)

    @property
    def eliminated(self) -> tuple[Elimination, ...]:
        """Everybody who went out, in the order of rounds, within a round by seat."""
        return tuple(
            Elimination(side, row.number, total(tally, row.rules))
            for row in self.rows
            for side, tally in enumerate(row.tallies)
            if tally.out == row.number
        )

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """What players who came back began with again, in the order of rounds."""
        return tuple(
            Adjustment(row.number, side, minus)
            for row in self.rows
            for side, minus in enumerate(row.adjusted)
            if minus
        )

    @property
    def start(self) -> int:
        """What a player who joins now begins with: the highest total of those left [dec]."""
        return max((total(self.tallies[side], self.rules) for side in self.left), default=0)

    @property
    def returning(self) -> dict[int, int]:
        """The seats that may come back before the next round, with the total that they get."""
        if self.rules.end.rejoin == "none":
            return {}
        last = _last_scored(self.rows)
        seats = [side for side in self.out if not _why_not(self.tallies, side, last, self.rules)]
        return dict.fromkeys(seats, total_back(self.tallies, self.rules))

    def barred(self, facts: Round, rules: RuleSet) -> Iterator[Problem]:
        """Yield a finding for each player of the next round who is out or may not come back."""
        return _barred(facts, rules, self.tallies, _last_scored(self.rows))

    def before(self, number: int) -> "Standing":
        """Return who was in the game and who was out before the round with this number."""
        rows = self.rows[: number - 1]
        if len(rows) == len(self.rows):
            return self
        return Standing(self.rules, rows, rows[-1].tallies if rows else ())

    def check(self, number: int) -> None:
        """Raise RuleError if rounds from ``number`` on have players who are out, or may not be in.

        Every finding is placed under the number of its round.
        """
        problems = [problem.under("rounds", at - 1) for at, problem in self._findings(number)]
        if problems:
            raise RuleError.of(problems)

    def _findings(self, number: int) -> Iterator[tuple[int, Problem]]:
        """Yield what makes a round from ``number`` on impossible, with its number."""
        last = _last_scored(self.rows[: number - 1])
        before = self.rows[number - 2].tallies if number > 1 else ()
        for row in self.rows[number - 1 :]:
            if row.counts:
                for found in _barred(row.round, row.rules, before, last):
                    yield row.number, found
                last = row.number
            before = row.tallies


# ---- the checks ----------------------------------------------------------------------


def _last_scored(rows: Sequence[Row]) -> int:
    """Return the number of the last round that counts; 0 if none does."""
    return max((row.number for row in rows if row.counts), default=0)


def _barred(facts: Round, rules: RuleSet, before: Sequence[Tally], last: int) -> Iterator[Problem]:
    """Yield findings about players who play on although they are out, or may not come back."""
    back = facts.rejoin
    for place, seat in enumerate(back if rules.end.rejoin != "none" else ()):
        if seat >= len(facts.seats):
            continue  # there is nobody to judge
        if found := _why_not(before, seat, last, rules):
            why, more = found
            yield problem("E_REJOIN", ("rejoin", place), why=why, seat=seat, **more)
    for seat, (tally, stated) in enumerate(zip(before, facts.seats, strict=False)):
        if tally.out and seat not in back and not stated.absent:
            may = rules.end.rejoin != "none" and not _why_not(before, seat, last, rules)
            more = {"why": "may_return"} if may else {}
            yield problem("E_ELIMINATED", ("seats", seat), seat=seat, number=tally.out, **more)


def _why_not(
    before: Sequence[Tally], seat: int, last: int, rules: RuleSet
) -> tuple[str, dict[str, object]] | None:
    """Return why a player may not come back, with the facts of the reason; None if they may."""
    end = rules.end
    if seat >= len(before) or not before[seat].out:
        return "not_out", {}
    if len(left_in(before)) < 2:
        return "over", {}
    if before[seat].out != last:
        return "too_late", {"number": before[seat].out}
    if end.rejoin_max and before[seat].entries >= end.rejoin_max:
        return "too_often", {"most": end.rejoin_max}
    highest = max(total(before[side], rules) for side in left_in(before))
    if end.rejoin_up_to is not None and highest > end.rejoin_up_to:
        return "too_high", {"reached": highest, "most": end.rejoin_up_to}
    if meets(total_back(before, rules), rules):
        return "limit", {"reached": total_back(before, rules)}
    return None
