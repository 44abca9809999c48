"""A whole game of gin: boxes, its bonuses, and three games at once (RULES-MORE 7.6)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from scorekeeper.domain.game.ends import Ending
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.rounds.facts import RoundScore, ScoreLine
from scorekeeper.domain.rules import GAME_LEVEL, RuleSet

HOLLYWOOD_GAMES = 3
SIDES = 2


def scores_game(rules: RuleSet) -> bool:
    """Return whether more is scored when a game is over than its rounds."""
    return rules.family == "gin" and any(rules[name] != off for name, off in GAME_LEVEL.items())


def add(*numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the sums by side."""
    return tuple(map(sum, zip(*numbers, strict=True)))


def boxes_of(score: RoundScore) -> tuple[int, ...]:
    """Return the boxes that a round brings to each side."""
    boxes = [0] * len(score.scores)
    for line in score.lines:
        if line.reason == "box":
            number = line.facts.get("boxes", 1)
            assert isinstance(number, int)
            boxes[line.seat] += number
    return tuple(boxes)


def boxes_by_round(rows: Iterable[Row]) -> list[tuple[int, ...]]:
    """Return the boxes that each of these rounds brings."""
    return [boxes_of(row.score) for row in rows]


@dataclass(frozen=True)
class Column:
    """One game of gin, by side: an ordinary game, or one of the three of Hollywood."""

    points: tuple[int, ...] = (0, 0)
    boxes: tuple[int, ...] = (0, 0)
    entries: tuple[int, ...] = (0, 0)
    """The rounds entered for each side."""
    winner: int | None = None
    """The side that reached the limit; the column is closed then."""

    def entered(self, side: int, points: int, boxes: Sequence[int], limit: int) -> "Column":
        """Return the column with a round that a side has won; it closes at the limit."""
        own = [int(other == side) for other in range(SIDES)]
        after = add(self.points, [points * mine for mine in own])
        return replace(
            self,
            points=after,
            boxes=add(self.boxes, boxes),
            entries=add(self.entries, own),
            winner=side if after[side] >= limit else None,
        )

    def lines(self, rules: RuleSet) -> Iterator[ScoreLine]:
        """Yield what is added when the game is over: boxes, bonus for the game, shutout.

        A game without a winner was ended early: nobody gets a bonus for it [dec].
        """
        bonus = rules.gin.box_bonus if rules.gin.box_at == "game" else 0
        boxed = [boxes * bonus for boxes in self.boxes]
        for side, plus in enumerate(boxed):
            if plus:
                facts = {"n": self.boxes[side]}
                yield ScoreLine(seat=side, reason="boxes", plus=plus, facts=facts)
        if self.winner is None:
            return
        loser, game_bonus = 1 - self.winner, rules.gin.game_bonus
        if game_bonus:
            yield ScoreLine(seat=self.winner, reason="game_bonus", plus=game_bonus)
        if self.points[loser] == 0:
            doubled = {
                "none": 0,
                "game_bonus": game_bonus,
                "points": self.points[self.winner],
                "total": self.points[self.winner] + boxed[self.winner] + game_bonus - boxed[loser],
            }[rules.gin.shutout]
            if doubled:
                yield ScoreLine(seat=self.winner, reason="shutout", plus=doubled)

    def final(self, rules: RuleSet) -> tuple[int, ...]:
        """Return the final count of each side."""
        final = [*self.points]
        for line in self.lines(rules):
            final[line.seat] += line.plus
        return tuple(final)


def hollywood(rows: Iterable[Row], rules: RuleSet) -> Iterator[tuple[Column, ...]]:
    """Yield the three games at the beginning, and after each of these rounds.

    A round is entered for its winner in every open column that has an entry of theirs, and in the
    first open one that has none.
    """
    begun: tuple[Column, ...] = (Column(),) * HOLLYWOOD_GAMES
    return accumulate(rows, lambda columns, row: _entered(columns, row, rules), initial=begun)


def _entered(columns: tuple[Column, ...], row: Row, rules: RuleSet) -> tuple[Column, ...]:
    side = row.score.winner
    points = None if side is None else row.points(side)
    if side is None or points is None:
        return columns
    limit = (rules.end.points or 0) + (rules.end.compare == "over")
    begins, after = True, []
    for column in columns:
        takes = column.winner is None and (column.entries[side] > 0 or begins)
        begins = begins and not (takes and column.entries[side] == 0)
        after.append(
            column.entered(side, points.plus, boxes_of(row.score), limit) if takes else column
        )
    return tuple(after)


def final(columns: Sequence[Column], rules: RuleSet) -> tuple[int, ...]:
    """Return the final count of each side over all games."""
    return add(*(column.final(rules) for column in columns))


def ending_of_hollywood(columns: Sequence[Column], rules: RuleSet) -> Ending | None:
    """Return the end of three games at once: it comes when all three are closed."""
    winners = [column.winner for column in columns if column.winner is not None]
    if len(winners) < len(columns):
        return None
    counts = final(columns, rules)
    leads = [side for side, count in enumerate(counts) if count == max(counts)]
    first = leads[0] if len(leads) == 1 else None
    return Ending("points", rules.end.points or 0, tuple(sorted(set(winners))), winner=first)
