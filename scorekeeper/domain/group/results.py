"""The result of one game for its group, by seat and by pair of seats.

Points left in a hand are counted before a hand rommé or a discarded joker doubles them, before a
limit for the round, and without bonuses. Only rounds that the seat lost are counted [dec].
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.melds import hand_value
from scorekeeper.domain.rounds.facts import ScoreLine
from scorekeeper.domain.rules import RuleSet

GINS = ("gin", "big_gin", "small_gin")


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """The figures of one evening, or the sums over many."""

    minus: int
    plus: int
    worth: int
    """The measure that decides the ranking, with a sign such that more is better."""
    league: int
    played: int
    won: int
    hand_rommes: int
    gins: int
    undercuts: int
    left: int
    """Points left in this seat's own hand over the rounds that it lost."""
    lost: int
    """The lost rounds in which these points are known."""
    best: int | None
    worst: int | None
    """``best`` and ``worst``: fewest and most points left in one lost round."""
    streak: int
    """The most rounds won in succession, ignoring rounds sat out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result(Counts):
    """The evening of one seat; partners in teams each have the figures of their side."""

    seat: int
    rank: int | None
    """None if the seat never played."""
    amount: Fraction | None
    """Exact money, for partners half of their side's; None if nothing is played for."""

    @property
    def victory(self) -> bool:
        return self.rank == 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Encounter:
    """The comparison of two seats, the lower one first; partners have none."""

    one: int
    other: int
    points: int
    """Points that ``one`` gets from ``other`` in pairwise settlement ([001] §6)."""
    rounds: int
    """Rounds that both played."""
    won: int
    """Rounds with the better result for ``one``."""
    lost: int


@dataclass(frozen=True, kw_only=True)
class Evening:
    """The result of a game for its group."""

    results: tuple[Result, ...]
    """By seat."""
    encounters: tuple[Encounter, ...]
    rounds: int
    """Rounds that counted."""
    unit: str | None
    """The unit of the amounts; None if no money is played for."""
    family: str
    preset: str


def evening(game: Game) -> Evening:
    """Return the result of a game as it stands."""
    rules = game.rules
    settled, hands = game.settled, hands_lost_with(game)
    amounts = settled.amounts if settled else None
    return Evening(
        results=tuple(_result(game, seat, hand, amounts) for seat, hand in enumerate(hands)),
        encounters=tuple(_encounters(game)),
        rounds=game.sheet.scored,
        unit=None if amounts is None else rules.settle.unit,
        family=rules.family,
        preset=rules.preset,
    )


def longest(wins: Iterable[bool]) -> int:
    """Return the most wins in succession."""
    most = row = 0
    for won in wins:
        row = row + 1 if won else 0
        most = max(most, row)
    return most


def _result(
    game: Game, seat: int, left: Sequence[int], amounts: tuple[Fraction, ...] | None
) -> Result:
    sheet, rules, side = game.sheet, game.rules, side_of(seat, game.rules)
    tally = sheet.tallies[side]
    played = [row for row in sheet.counted if row.points(side) is not None]
    won = [row for row in played if row.score.winner == side]
    own = [line.reason for row in played for line in row.score.lines if line.seat == side]
    return Result(
        seat=seat,
        rank=sheet.ranks[side],
        minus=tally.minus,
        plus=tally.plus,
        worth=tally.worth(rules.rank.measure),
        league=tally.league,
        played=tally.played,
        won=tally.won,
        hand_rommes=sum(row.round.hand_romme for row in won),
        gins=sum(own.count(reason) for reason in GINS),
        undercuts=own.count("undercut"),
        left=sum(left),
        lost=len(left),
        best=min(left, default=None),
        worst=max(left, default=None),
        streak=longest(row.score.winner == side for row in played),
        amount=None if amounts is None else amounts[side] / (2 if rules.teams else 1),
    )


def side_of(seat: int, rules: RuleSet) -> int:
    """Return the side of a seat: its own, or in teams that of both partners."""
    return seat % 2 if rules.teams else seat


def hands_lost_with(game: Game) -> list[list[int]]:
    """Return the points left in hand in each lost round, by seat."""
    hands: list[list[int]] = [[] for _ in range(game.sheet.seats)]
    for row in game.sheet.counted:
        not_lost = winners(row)
        for seat, points in left_on_hand(row):
            if side_of(seat, game.rules) not in not_lost:
                hands[seat].append(points)
    return hands


def winners(row: Row) -> set[int | None]:
    """Return the sides that did not lose a round: its winner, or all who shared the pot."""
    return {row.score.winner, *(line.seat for line in row.score.lines if line.reason == "pot")}


def left_on_hand(row: Row) -> Iterator[tuple[int, int]]:
    """Yield the points left in each hand, from the lines of the score."""
    rules = row.rules
    for line in row.score.lines:
        match line.reason:
            case "hand" | "unmelded" | "held" | "no_lives":
                yield line.seat, line.minus
            case "cap" if line.facts.keys() & {"points", "cards"}:  # else nothing was laid
                factor = rules.hand_romme.factor if row.round.hand_romme else 1
                yield line.seat, _number(line, "counted") // factor
            case "collected" if rules.score.mode == "winner_collects":
                yield _number(line, "of"), line.plus
            case "deadwood":
                yield _number(line, "of"), _number(line, "held")
            case "count" if "points" in line.facts:
                yield line.seat, _number(line, "points")
            case "count":
                yield line.seat, hand_value(line.facts["cards"], rules)  # type: ignore[arg-type]


def _number(line: ScoreLine, fact: str) -> int:
    number = line.facts[fact]
    assert isinstance(number, int)
    return number


def _encounters(game: Game) -> Iterator[Encounter]:
    measure = game.rules.settle.measure
    sign = -1 if measure == "minus" else 1
    worths = [
        [row.worth(side, measure) for row in game.sheet.counted] for side in range(game.sheet.sides)
    ]
    given = [one.worths(game.sheet.sides, measure) for one in game.sheet.given]
    for one, other in combinations(range(game.sheet.seats), 2):
        side, opposite = side_of(one, game.rules), side_of(other, game.rules)
        between = [
            sign * (own - others)
            for own, others in zip(worths[side], worths[opposite], strict=True)
            if own is not None and others is not None
        ]
        extra = sum(
            sign * ((one_given[side] or 0) - (one_given[opposite] or 0))
            for one_given in given
            if one_given[side] is not None and one_given[opposite] is not None
        )
        if between and side != opposite:
            yield Encounter(
                one=one,
                other=other,
                points=sum(between) + extra,
                rounds=len(between),
                won=sum(points > 0 for points in between),
                lost=sum(points < 0 for points in between),
            )
