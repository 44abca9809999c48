"""The score sheet: a row per round, running tallies, ranks, end and next dealer (RULES 8)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorekeeper.domain.game import elimination, gin_game
from scorekeeper.domain.game.dealers import dealer_after, last_dealt, left_of, takes_turns
from scorekeeper.domain.game.elimination import Standing, is_over_limit
from scorekeeper.domain.game.ends import Deal, Ending
from scorekeeper.domain.game.gin_game import Column
from scorekeeper.domain.game.planned import PlanRows, row_after, rows_laid
from scorekeeper.domain.game.rows import Given, Row, Tally, Version, add_round, contenders
from scorekeeper.domain.game.sitting_out import PLAYERS, present_after, seated, who_sits_out
from scorekeeper.domain.rounds.facts import Round, RoundScore
from scorekeeper.domain.rules import RuleSet


@dataclass(frozen=True, eq=False)
class Sheet:
    """The rounds of one game under its rules.

    Rounds are tallied once, when ``rows`` is first read. After a correction, the rounds from
    there on are tallied again, so that of a long history only the last state is tallied.
    """

    rules: RuleSet
    seats: int
    written: tuple[Row, ...] = ()
    """The rounds as recorded."""
    known: int = 0
    """The number of rounds already tallied."""
    first_dealer: int = 0
    """The seat that deals the first round, chosen or drawn."""
    named_dealer: int | None = None
    """The seat that was named to deal the next round; None if it follows from the last one."""
    given: tuple[Given, ...] = ()
    """The points without a round, in the order in which they were given."""
    order: tuple[int, ...] = ()
    """All seats clockwise, if the players do not sit in the order of their columns."""
    replaced: frozenset[int] = frozenset()
    """The seats of players who have left and whose place somebody else has taken."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sheet):
            return NotImplemented
        return self._about() == other._about() and self.rows == other.rows

    def _about(self) -> tuple[object, ...]:
        dealers = self.first_dealer, self.named_dealer
        return self.rules, self.seats, *dealers, self.clockwise, self.given, self.replaced

    __hash__ = None  # type: ignore[assignment]  # score lines hold mappings

    @property
    def sides(self) -> int:
        """The number of columns: one per seat, or two in teams."""
        return 2 if self.rules.teams else self.seats

    @property
    def clockwise(self) -> tuple[int, ...]:
        """All seats in the order in which the deal goes round."""
        return self.order or tuple(range(self.seats))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rounds with the totals after each."""
        return (*self.written[: self.known], *self._tallied())

    @property
    def untallied(self) -> int:
        """The number of rounds to tally when ``rows`` is read next."""
        return 0 if "rows" in self.__dict__ else len(self.written) - self.known

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The current totals, by side."""
        after = self.rows[-1].tallies if self.rows else self._with_given((), 0)
        return after + (Tally(),) * (self.sides - len(after))

    def row(self, number: int) -> Row:
        """Return the round of that number, tallied; raise KeyError if there is none."""
        self.as_written(number)
        return self.rows[number - 1]

    def as_written(self, number: int) -> Row:
        """Return the round of that number, perhaps not tallied; raise KeyError if there is none."""
        if not 1 <= number <= len(self.written):
            raise KeyError(number)
        return self.written[number - 1]

    def record(self, at: str, facts: Round, score: RoundScore) -> "Sheet":
        """Return the sheet with one more round; the others are not tallied again."""
        number = len(self.written) + 1
        present = self._present(score, number)
        if takes_turns(self.rules) and len(present) > PLAYERS:  # a void round need not name them
            present = self.expected
        row = Row(number, at, facts, score, self.rules, number, dealer=self._dealer_among(present))
        row = replace(row, dealer_named=number > 1 and row.dealer == self.named_dealer)
        back = {seat for seat in self.replaced if score.counts and row.points(seat) is not None}
        return self._with(row, named_dealer=None, replaced=self.replaced - back)

    def insert(self, number: int, at: str, facts: Round, score: RoundScore) -> "Sheet":
        """Return the sheet with a missed round in its place; later rounds move on by one.

        Their dealers move on too, up to one who was named: the missing round was dealt in turn.
        """
        row = Row(number, at, facts, score, self.rules_at(number), len(self.written) + 1)
        later = (replace(one, number=one.number + 1) for one in self.written[number - 1 :])
        written = (*self.written[: number - 1], row, *later)
        return replace(self, written=written, known=min(self.known, number - 1))._redealt(number)

    def rules_at(self, number: int) -> RuleSet:
        """Return the rules for a round that is inserted there: those of the round before it."""
        self.as_written(number)
        return self.written[max(number - 2, 0)].rules

    def correct(self, number: int, at: str, facts: Round, score: RoundScore) -> "Sheet":
        """Return the sheet with a round corrected; the earlier version stays readable."""
        row, present = self.as_written(number), self._present(score, number)
        before = Version(row.written_at, row.round, row.score)
        return self._with(
            replace(
                row,
                corrected_at=at,
                round=facts,
                score=score,
                earlier=(*row.earlier, before),
                dealer=self._among(present, row.dealer),
            )
        )

    def strike(self, number: int, at: str) -> "Sheet":
        """Return the sheet with a round struck out: it stays readable but does not count.

        If all later rounds are struck, it is dealt again. Otherwise the cards of the next rounds
        have been dealt, and a change to the score does not move the deal.
        """
        row = self.as_written(number)
        is_last = all(later.struck_at for later in self.written[number:])
        return self._with(replace(row, struck_at=at, dealt_again=is_last))

    def restore(self, number: int) -> "Sheet":
        """Return the sheet with a struck round restored."""
        return self._with(replace(self.as_written(number), struck_at=None, dealt_again=False))

    def seat_added(self, in_place_of: int | None = None) -> "Sheet":
        """Return the sheet with one more seat, absent in all rounds so far.

        The player may take the place at the table of one who has left.
        """
        order = seated(self.order, self.seats, in_place_of)
        replaced = self.replaced | ({in_place_of} if in_place_of is not None else set())
        return replace(self, seats=self.seats + 1, order=order, replaced=replaced)

    def give(self, given: Given) -> "Sheet":
        """Return the sheet with points without a round."""
        return self._regiven((*self.given, given), given.after)

    def take_back(self, event: int) -> "Sheet":
        """Return the sheet without the points that an event gave; raise KeyError for none."""
        found = next((one for one in self.given if one.event == event), None)
        if found is None:
            raise KeyError(event)
        return self._regiven(tuple(one for one in self.given if one is not found), found.after)

    def _regiven(self, given: tuple[Given, ...], after: int) -> "Sheet":
        places = [place for place, row in enumerate(self.written) if row.ordinal == after]
        return replace(self, given=given, known=min([self.known, *places]) if after else 0)

    def worths(self, measure: str) -> list[tuple[int | None, ...]]:
        """Return what each round is worth to each side, then the points without a round.

        The starting score of a newcomer under elimination is not settled (RULES-MORE 8.2.4).
        """
        sides = range(self.sides)
        rounds = [tuple(row.worth(side, measure) for side in sides) for row in self.counted]
        given = [one for one in self.given if not (one.start and self.rules.end.eliminate)]
        return rounds + [one.worths(self.sides, measure) for one in given]

    def dealt_by(self, number: int, seat: int) -> "Sheet":
        """Return the sheet with the dealer of a round; the next one may be named beforehand.

        The rounds after it were dealt in turn from there, up to the next dealer who was named.
        """
        first = seat if number == 1 else self.first_dealer
        if number > len(self.written):
            return replace(self, first_dealer=first, named_dealer=seat)
        sheet = self._with(replace(self.as_written(number), dealer=seat, dealer_named=number > 1))
        return replace(sheet, first_dealer=first)._redealt(number + 1)

    def _redealt(self, number: int) -> "Sheet":
        """Return the sheet with the dealers from a round on as they follow from those before."""
        rows = [*self.written[: number - 1]]
        for row in self.written[number - 1 :]:
            present = self._present(row.score, row.number)
            in_turn = self._next_dealer(present, last_dealt(rows), row.rules)
            rows.append(row if row.dealer_named else replace(row, dealer=in_turn))
        return replace(self, written=tuple(rows))

    def from_now_on(self, rules: RuleSet, order: tuple[int, ...]) -> "Sheet":
        """Return the sheet with other rules, or another order of seats, for the next rounds.

        The rounds so far keep their rules and their dealers.
        """
        return replace(self, rules=rules, order=order)

    def _with(self, row: Row, **changes: Any) -> "Sheet":
        """Return the sheet with this row and other changes; the rows before it stay tallied."""
        rows, known = (self.written, self.known) if self.untallied else (self.rows, row.number)
        place = row.number - 1
        written = (*rows[:place], row, *rows[place + 1 :])
        return replace(self, written=written, known=min(known, place), **changes)

    def _tallied(self) -> Iterator[Row]:
        """Yield the remaining rows, tallied."""
        tallied = self.written[: self.known]
        before = tallied[-1].tallies if tallied else self._with_given((), 0)
        scored = tallied[-1].scored if tallied else 0
        for row in self.written[self.known :]:
            scored += row.counts
            tallied_row = self._tally(row, before, scored)
            before = tallied_row.tallies
            yield tallied_row

    def _tally(self, row: Row, before: Sequence[Tally], scored: int) -> Row:
        """Return the row with the totals of all sides seated by then."""
        before = (*before, *(Tally(),) * (len(row.score.scores) - len(before)))
        adjusted: tuple[int, ...] = ()
        if row.counts and row.rules.end.eliminate:
            before, adjusted = elimination.come_back(before, row.round.rejoin, row.rules)
        points = [row.points(side) if row.counts else None for side in range(len(before))]
        taken_off = tuple(
            min(max(tally.minus, 0), score.reduction) if score else 0
            for tally, score in zip(before, points, strict=True)
        )
        after = tuple(
            add_round(tally, score, less, won=row.score.winner == side) if score else tally
            for side, (tally, score, less) in enumerate(zip(before, points, taken_off, strict=True))
        )
        if row.counts:
            after = elimination.go_out(after, row.number, row.rules)
        after = self._with_given(after, row.ordinal)
        return replace(row, taken_off=taken_off, adjusted=adjusted, tallies=after, scored=scored)

    def _with_given(self, tallies: tuple[Tally, ...], after: int) -> tuple[Tally, ...]:
        """Return the totals with the points that were given after a round."""
        for one in self.given:
            if one.after == after:
                missing = one.side + 1 - len(tallies)
                totals = [*tallies, *(Tally(),) * missing]
                tally = totals[one.side]
                minus, plus = tally.minus + one.points.minus, tally.plus + one.points.plus
                totals[one.side] = tally._replace(minus=minus, plus=plus)
                tallies = tuple(totals)
        return tallies

    @property
    def scored(self) -> int:
        """How many rounds count."""
        return self.rows[-1].scored if self.rows else 0

    @cached_property
    def counted(self) -> tuple[Row, ...]:
        """The rounds that count."""
        return tuple(row for row in self.rows if row.counts)

    def plan_row(self, number: int) -> PlanRows:
        """Return the row of the plan for the round of that number; None without a plan."""
        before = (row for row in self.written if row.counts and row.number < number)
        return row_after(before, self.seats, self.rules)

    @cached_property
    def rows_laid(self) -> tuple[int, ...]:
        """The contracts that each seat has laid, where everybody plays their own next row.

        In a game that goes on, a player who has laid the last contract plays it again.
        """
        rows = len(self.rules.round.plan)
        if not rows or self.rules.round.plan_by != "player":
            return ()
        return tuple(min(laid, rows) for laid in rows_laid(self.counted, self.seats))

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The games of gin on this sheet: one, or the three of Hollywood; else none."""
        if not gin_game.scores_game(self.rules):
            return ()
        if self.rules.gin.hollywood:
            return [*gin_game.hollywood(self.counted, self.rules)][-1]
        winner = self.ending.winner if self.ending else None
        points = tuple(tally.plus for tally in self.tallies)
        boxes = gin_game.add((0,) * self.sides, *gin_game.boxes_by_round(self.counted))
        return (Column(points, boxes, winner=winner),)

    @cached_property
    def final(self) -> tuple[int, ...] | None:
        """The final count of each side as it stands, or None where only rounds are scored."""
        return gin_game.final(self.columns, self.rules) if self.columns else None

    @cached_property
    def ending(self) -> Ending | None:
        """The reason why the rules end the game after these rounds, or None (RULES 8.1 to 8.4)."""
        end = self.rules.end
        if self.rules.gin.hollywood:
            return gin_game.ending_of_hollywood(self.columns, self.rules)
        if self.rules.out.one_run == "wins" and (won := [r for r in self.counted if r.wins_game]):
            return Ending("one_run", 0, (), winner=won[0].score.winner)
        if end.mode in ("points", "points_or_rounds") and end.points is not None:
            found = self._ending_by_points(end.points)
            if found:
                return found
        rows = len(self.rules.round.plan)
        if rows and rows in self.rows_laid:
            done = tuple(seat for seat, laid in enumerate(self.rows_laid) if laid >= rows)
            return Ending("plan", rows, done)
        if rows and not self.rows_laid and self.scored >= rows:
            return Ending("rounds", rows, ())
        limit = end.rounds if end.mode in ("rounds", "points_or_rounds") else None
        if limit is not None and self.scored >= limit:
            return Ending("rounds", limit, ())
        return None

    def _ending_by_points(self, limit: int) -> Ending | None:
        end = self.rules.end
        if end.eliminate:
            standing = self.standing
            return Ending("points", limit, standing.out) if len(standing.left) < 2 else None
        over = [side for side, tally in enumerate(self.tallies) if is_over_limit(tally, self.rules)]
        if self.rules.family != "gin":
            return Ending("points", limit, tuple(over)) if over else None
        enough = [s for s in over if self.tallies[s].won >= self.rules.gin.pro_min_wins]
        best = max((self.tallies[side].of(end.measure) for side in enough), default=0)
        first = [side for side in enough if self.tallies[side].of(end.measure) == best]
        # If both reach the limit with equal totals, the game continues (RULES 8.4).
        return Ending("points", limit, tuple(over), winner=first[0]) if len(first) == 1 else None

    @cached_property
    def ranks(self) -> tuple[int | None, ...]:
        """The ranks by side, with gaps after ties (1, 1, 3); None for sides that have not played.

        More rounds won break ties, the seat does not (RULES 8.5). The winner by Gin Pro is first
        even with fewer points. Sides that played too few rounds to win come after all others.
        """
        return self._ranks(contenders(self.tallies, self.scored, self.rules))

    @property
    def set_behind(self) -> tuple[int, ...]:
        """The sides whose points would give them a better rank, had they played enough rounds."""
        by_points = self._ranks(range(self.sides))
        return tuple(
            side
            for side, (points, rank) in enumerate(zip(by_points, self.ranks, strict=True))
            if points is not None and rank is not None and points < rank
        )

    def _ranks(self, first: Collection[int]) -> tuple[int | None, ...]:
        """Return the ranks by side; the sides in ``first`` come before all others."""
        hollywood = self.final if self.rules.gin.hollywood else None
        winner = self.ending.winner if self.ending and not hollywood else None
        ranked, limited = self.rules.rank.measure, self.rules.end.measure
        worths = hollywood or [
            tally.worth(limited if tally.out else ranked) for tally in self.tallies
        ]
        keys = [
            (
                *(side in first, side == winner, side in self.standing.left, tally.out),
                *(*self.rows_laid[side : side + 1], worths[side], tally.won),
            )
            if tally.played
            else None
            for side, tally in enumerate(self.tallies)
        ]
        return tuple(
            None if key is None else 1 + sum(other > key for other in keys if other is not None)
            for key in keys
        )

    @cached_property
    def standing(self) -> Standing:
        """Who is in the game and who is out (RULES-MORE 8.2)."""
        return Standing(self.rules, self.rows, self.tallies, self.replaced)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The sides in first place; none before the first round."""
        return tuple(side for side, rank in enumerate(self.ranks) if rank == 1)

    @cached_property
    def next_deal(self) -> Deal:
        """The dealer, the first player and the number of cards of the next round."""
        present = self.expected
        dealer = self._dealer_among(present)
        first, row = left_of(dealer, present, self.clockwise), self.plan_row(len(self.written) + 1)
        cards = self.rules.for_round(len(present), self.rules.round.row(row)).deal.to(len(present))
        return Deal(dealer, first, cards, row, self.sits_out)

    @property
    def expected(self) -> Sequence[int]:
        """The seats expected to play the next round: all at the table, but one of three at gin."""
        return [seat for seat in self.at_table if seat != self.sits_out]

    @cached_property
    def at_table(self) -> Sequence[int]:
        """The seats at the table: all but those absent in the last round, and those replaced."""
        everyone = [seat for seat in range(self.seats) if seat not in self.replaced]
        if self.rules.teams:
            return everyone
        here = present_after(self.written, everyone, self.rules)
        for seats in here, everyone:  # all but one of the last round may be out
            playing = [seat for seat in seats if seat in self.standing.left]
            if len(playing) >= 2:
                return playing
        return everyone

    @cached_property
    def sits_out(self) -> int | None:
        """The seat that sits out the next round, if three are at a table of gin for two."""
        table = self.at_table
        if not takes_turns(self.rules) or len(table) <= PLAYERS:
            return None
        first = left_of(self.first_dealer, table, self.clockwise)
        dealt = [row for row in self.written if not row.dealt_again]
        return who_sits_out(dealt, first, table, self.clockwise)

    def _present(self, score: RoundScore, number: int) -> Sequence[int]:
        """Return the seats that can have dealt the round of that number."""
        if self.rules.teams:
            return range(self.seats)
        might_be_out = self.rules.end.eliminate and not score.counts
        out = self.standing.before(number).out if might_be_out else ()
        there = (seat for seat, points in enumerate(score.scores) if points is not None)
        present = [seat for seat in there if seat not in out]
        return present if len(present) >= 2 else range(len(score.scores))

    def _dealer_among(self, present: Sequence[int]) -> int:
        """Return who deals the next round: the one named, or whose turn it is."""
        if self.named_dealer is not None and self.named_dealer in present:
            return self.named_dealer
        return self._next_dealer(present, last_dealt(self.written), self.rules)

    def _next_dealer(self, present: Sequence[int], last: Row | None, rules: RuleSet) -> int:
        if last is None:
            return self._among(present, self.first_dealer)
        return dealer_after(last, present, self.clockwise, rules)

    def _among(self, present: Sequence[int], seat: int) -> int:
        """Return the seat, or the next one clockwise if it was not present."""
        return seat if seat in present else left_of(seat, present, self.clockwise)
