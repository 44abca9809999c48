"""Random changes of a group's money, against a plain model.

After every step each unit sums to zero, the books replay to what is shown, the history has only
grown, the stored evenings match their games, and the balances equal those of the model.
"""

import tempfile
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from scorekeeper.domain.game.changes import NewGame, at_place, score_for
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.replay import replay
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.services import games, groups
from scorekeeper.services.games import new_rules
from scorekeeper.store import open_ledger
from scorekeeper.store.chain import stored
from scorekeeper.store.check import check
from scorekeeper.store.writes import Write

VALUE = Fraction(1, 3)
UNITS = ("Pf", "ct", "EUR")
POINTS = st.lists(st.integers(1, 120), min_size=5, max_size=5)
Purse = dict[tuple[str, int], Fraction]
"""The balances of the model by unit and member."""


@dataclass
class Paper:
    """The model of an evening."""

    unit: str
    seats: int
    rounds: list[list[int | None]] = field(default_factory=list)
    struck: set[int] = field(default_factory=set)
    over: bool = False
    ticks: list[tuple[int, int, Fraction]] = field(default_factory=list)
    """The payments that were made; the same one may be made twice."""
    members: tuple[int, ...] | None = None
    """None if it is in no group."""
    training: bool = False

    @property
    def booked(self) -> list[tuple[int, int, Fraction]]:
        """The payments that the group books: at once, whether the evening is over or not."""
        return [] if self.members is None or self.training else self.ticks

    def still_due(self) -> list[Fraction]:
        """Return what everybody is still to get: the amounts to the coin, less what was paid.

        The largest remainders are rounded up, in a tie those of lower seats.
        """
        step = Fraction(1, 100) if self.unit == "EUR" else Fraction(1)
        exact = [amount / step for amount in self.amounts()]
        left = [Fraction(amount // 1) for amount in exact]
        by_rest = sorted(range(self.seats), key=lambda seat: (-(exact[seat] % 1), seat))
        for seat in by_rest[: -int(sum(left))]:
            left[seat] += 1
        left = [amount * step for amount in left]
        for payer, payee, amount in self.ticks:
            left[payer] += amount
            left[payee] -= amount
        return left

    def amounts(self) -> list[Fraction]:
        """Return the points between all pairs who were present, round by round."""
        amounts = [Fraction()] * self.seats
        for number, row in enumerate(self.rounds, 1):
            if number in self.struck:
                continue
            for one, other in combinations(range(self.seats), 2):
                own, theirs = row[one], row[other]
                if own is not None and theirs is not None:
                    amounts[one] += (theirs - own) * VALUE
                    amounts[other] += (own - theirs) * VALUE
        return amounts


class Money(RuleBasedStateMachine):
    """A group and random changes of it."""

    games = Bundle("games")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.ledger = open_ledger(Path(self.folder.name, "money.sqlite"))
        self.papers: dict[str, Paper] = {}
        self.entries: dict[int, Purse] = {}
        """The entries made by hand and not reversed."""
        self.rates: dict[tuple[str, str], Fraction] = {}
        self.history: dict[str, list[object]] = {}
        self.names = 0

    def teardown(self) -> None:
        self.ledger.close()
        self.folder.cleanup()

    # ---- what is known -------------------------------------------------------------------

    @property
    def group(self):
        return self.ledger.group(self.id)

    def new_name(self) -> str:
        self.names += 1
        return f"N{self.names}"

    def entered(self, purse: Purse) -> None:
        """Check that this is the newest entry of the book."""
        self.entries[self.group.version] = purse

    def purse(self) -> Purse:
        """Return all balances of the model."""
        purse: Purse = {}

        def add(unit: str, member: int, amount: Fraction) -> None:
            purse[unit, member] = purse.get((unit, member), Fraction()) + amount

        for paper in self.papers.values():
            if paper.members is None:
                continue
            if paper.over and not paper.training:
                for seat, amount in enumerate(paper.amounts()):
                    add(paper.unit, paper.members[seat], amount)
            for payer, payee, amount in paper.booked:
                add(paper.unit, paper.members[payer], amount)
                add(paper.unit, paper.members[payee], -amount)
        for entry in self.entries.values():
            for (unit, member), amount in entry.items():
                add(unit, member, amount)
        return {where: amount for where, amount in purse.items() if amount}

    # ---- what happens --------------------------------------------------------------------

    @initialize(members=st.integers(2, 4))
    def found(self, members: int) -> None:
        order = NewGroup("Runde", tuple(self.new_name() for _ in range(members)))
        self.id = groups.create_group(self.ledger, order).group.id

    @rule()
    def add_member(self) -> None:
        groups.add_member(self.ledger, self.id, self.new_name(), write=Write())

    @rule(
        target=games,
        chosen=st.permutations(range(5)),
        count=st.integers(2, 4),
        unit=st.sampled_from(UNITS),
        training=st.sampled_from((False, False, False, True)),
        alone=st.sampled_from((False, False, True)),
        rounds=st.lists(st.tuples(st.integers(0, 4), POINTS, st.integers(0, 6)), max_size=3),
        over=st.booleans(),
    )
    def an_evening(self, chosen, count, unit, training, alone, rounds, over) -> str:
        """Begin an evening, sometimes with rounds, so that it can be changed."""
        known = [name for name in self.group.players if name]
        names = [known[one] for one in chosen[:count] if one < len(known)]
        names += [self.new_name() for _ in range(2 - len(names))]
        rules = new_rules("german-family", {}, {"point_value": VALUE, "unit": unit})
        order = NewGame("", "", rules, tuple(names))
        paper = Paper(unit, len(names))
        if alone:
            game = games.create_game(self.ledger, order).game.id
        else:
            game = groups.open_evening(
                self.ledger, self.id, order, training=training, write=Write()
            ).id
            paper.members = self.group.evenings[game].members
            paper.training = training
        self.papers[game] = paper
        for winner, points, absent in rounds:
            self.play(game, winner, points, absent)
        if over:
            self.end_or_reopen(game)
        return game

    def facts(self, paper: Paper, winner: int, points: list[int], absent: int) -> Round:
        """Record a round: one player wins, one may be absent, the others have points."""
        winner %= paper.seats
        away = absent if absent < paper.seats and absent != winner and paper.seats > 2 else None
        row: list[int | None] = [
            0 if seat == winner else None if seat == away else points[seat % 5]
            for seat in range(paper.seats)
        ]
        self.row = row
        seats = tuple(
            Seat(absent=True) if left is None else Seat(points=left) if left else Seat()
            for left in row
        )
        return Round(outcome="out", winner=winner, seats=seats)

    @rule(game=games, winner=st.integers(0, 4), points=POINTS, absent=st.integers(0, 6))
    def play(self, game, winner, points, absent) -> None:
        paper = self.papers[game]
        if paper.over:
            return
        facts = self.facts(paper, winner, points, absent)
        key = f"round {len(paper.rounds)}"
        games.record_round(
            self.ledger, game, score_for(self.ledger.game(game), facts), write=Write(key=key)
        )
        paper.rounds.append(self.row)

    @rule(game=games, at=st.integers(0, 9), winner=st.integers(0, 4), points=POINTS)
    def correct(self, game, at, winner, points) -> None:
        paper = self.papers[game]
        if paper.rounds:
            number = 1 + at % len(paper.rounds)
            facts = self.facts(paper, winner, points, absent=6)
            there = at_place(self.ledger.game(game), "corrected", number)
            games.correct_round(self.ledger, game, number, score_for(there, facts), write=Write())
            paper.rounds[number - 1] = self.row

    @rule(game=games, at=st.integers(0, 9))
    def strike_or_restore(self, game, at) -> None:
        paper = self.papers[game]
        if paper.rounds:
            number = 1 + at % len(paper.rounds)
            struck = number in paper.struck
            change = games.restore_round if struck else games.strike_round
            change(self.ledger, game, number, Write())
            paper.struck ^= {number}

    @rule(game=games)
    def end_or_reopen(self, game) -> None:
        paper = self.papers[game]
        change = games.reopen_game if paper.over else games.end_game
        change(self.ledger, game, Write())
        paper.over = not paper.over

    @rule(game=games, unit=st.sampled_from(UNITS))
    def correct_unit(self, game, unit) -> None:
        paper = self.papers[game]
        if paper.over or paper.ticks:
            return
        step = "1/100" if unit == "EUR" else "1"
        stake = {"settle.unit": unit, "settle.payable": step}
        new = Frame(rules=self.ledger.game(game).rules.override(stake))
        games.correct_frame(self.ledger, game, f"in {unit}", lambda _: new, write=Write())
        paper.unit = unit

    @rule(game=games)
    def sit_down(self, game) -> None:
        paper = self.papers[game]
        if paper.seats == 6:
            return
        games.add_player(self.ledger, game, self.new_name(), write=Write())
        paper.seats += 1
        for row in paper.rounds:
            row.append(None)
        if paper.members is not None:
            paper.members = self.group.evenings[game].members

    @rule(game=games, at=st.integers(0, 9))
    def tick_or_untick(self, game, at) -> None:
        paper = self.papers[game]
        payments = self.ledger.game(game).numbered_payments
        if not payments:
            return
        number = at % len(payments)
        one = payments[number]
        games.mark_paid(self.ledger, game, number, one.paid_at is None, write=Write())
        if one.paid_at is None:
            paper.ticks.append(one.due)
        else:
            paper.ticks.remove(one.due)

    @rule(game=games, training=st.booleans())
    def admit(self, game, training) -> None:
        paper = self.papers[game]
        groups.admit_game(self.ledger, self.id, game, training=training, write=Write())
        paper.members, paper.training = self.group.evenings[game].members, training

    @rule(game=games, at=st.integers(0, 5))
    def seat_otherwise(self, game, at) -> None:
        """Assign the game to other members."""
        paper, members = self.papers[game], self.group.members
        if paper.members is None or members < paper.seats:
            return
        seated = [(seat + at) % members for seat in range(paper.seats)]
        groups.admit_game(self.ledger, self.id, game, members=seated, write=Write())
        paper.members = tuple(seated)

    @rule(game=games)
    def release(self, game) -> None:
        paper = self.papers[game]
        if paper.members is not None:
            groups.release_game(self.ledger, self.id, game, write=Write())
            paper.members, paper.training = None, False

    @rule(
        payer=st.integers(0, 9),
        step=st.integers(1, 9),
        amount=st.fractions(Fraction(1, 30), 400, max_denominator=30),
        unit=st.sampled_from(UNITS),
    )
    def pay(self, payer, step, amount, unit) -> None:
        members = self.group.members
        payer %= members
        payee = (payer + 1 + step % (members - 1)) % members
        groups.pay(self.ledger, self.id, Transfer(payer, payee, amount), unit, write=Write())
        self.entered({(unit, payer): amount, (unit, payee): -amount})

    @rule(unit=st.sampled_from(UNITS))
    def settle_up(self, unit) -> None:
        due = group_changes.open_payments(self.group, unit)
        if not due:
            return
        groups.settle_up(self.ledger, self.id, unit, write=Write())
        purse: Purse = {}
        for one in due:
            for member, amount in ((one.payer, one.amount), (one.payee, -one.amount)):
                purse[unit, member] = purse.get((unit, member), Fraction()) + amount
        self.entered(purse)
        left = self.group.payable(unit)
        assert all(abs(amount) < left for amount in self.group.balance(unit))

    @rule(
        unit=st.sampled_from(UNITS),
        into=st.sampled_from(UNITS),
        rate=st.fractions(Fraction(1, 7), 200, max_denominator=7),
    )
    def agree_rate(self, unit, into, rate) -> None:
        if unit != into and rate > 0:
            groups.agree_rate(self.ledger, self.id, unit, into, rate, write=Write())
            self.rates[unit, into] = rate

    @precondition(lambda self: self.rates)
    @rule(at=st.integers(0, 9))
    def convert(self, at) -> None:
        (unit, into), rate = sorted(self.rates.items())[at % len(self.rates)]
        here = {member: amount for (its, member), amount in self.purse().items() if its == unit}
        if not here:
            return
        groups.convert(self.ledger, self.id, unit, into, write=Write())
        purse = {(unit, member): -amount for member, amount in here.items()}
        purse |= {(into, member): amount * rate for member, amount in here.items()}
        self.entered(purse)

    @precondition(lambda self: self.entries)
    @rule(at=st.integers(0, 9))
    def reverse(self, at) -> None:
        number = sorted(self.entries)[at % len(self.entries)]
        groups.reverse(self.ledger, self.id, number, write=Write())
        del self.entries[number]

    @rule(member=st.integers(0, 9))
    def erase(self, member) -> None:
        member %= self.group.members
        name = self.group.players[member]
        groups.erase_member(self.ledger, self.id, member, write=Write())

        assert not name or name not in self.group.players

    # ---- what always holds ---------------------------------------------------------------

    @invariant()
    def every_unit_sums_to_zero(self) -> None:
        for unit in self.group.balances:
            assert sum(self.group.balance(unit)) == 0

    @invariant()
    def balances_are_those_of_the_paper(self) -> None:
        group = self.group
        shown = {
            (unit, member): amount
            for unit in group.balances
            for member, amount in enumerate(group.balance(unit))
            if amount
        }

        assert shown == self.purse()

    @invariant()
    def evenings_show_what_was_paid_and_what_is_left(self) -> None:
        for game_id, paper in self.papers.items():
            game = self.ledger.game(game_id)
            left = [Fraction()] * paper.seats
            for one in game.payments:
                if one.paid_at is None:
                    left[one.payer] -= one.amount
                    left[one.payee] += one.amount

            assert sorted(one.due for one in game.paid) == sorted(paper.ticks)
            assert left == paper.still_due()

    @invariant()
    def statements_end_at_the_balance(self) -> None:
        group = self.group
        for member in range(group.members):
            entries = groups.statement(self.ledger, group, member)
            answer = entries[-1].balances if entries else {}

            assert {unit: amount for unit, amount in answer.items() if amount} == {
                unit: group.balance(unit)[member]
                for unit in group.balances
                if group.balance(unit)[member]
            }

    @invariant()
    def books_replay_and_have_only_grown(self) -> None:
        for book_id in (self.id, *self.papers):
            events = self.ledger.events(book_id)
            now = [stored(event) for event in events]
            before = self.history.get(book_id, [])

            assert now[: len(before)] == before
            assert same(replay(book_id, events), self.ledger.book(book_id))
            self.history[book_id] = now

    @invariant()
    def stored_evenings_match_their_games(self) -> None:
        report = check(self.ledger)

        assert report.line("evenings").ok
        assert report.line("accounts").ok
        assert report.good


def same(one, other) -> bool:
    """Return whether two books are equal; an erased name is empty or missing."""
    return bare(one) == bare(other)


def bare(book) -> dict[str, object]:
    texts = {name: text for name, text in book.texts.items() if text}
    compared = {one.name: getattr(book, one.name) for one in fields(book) if one.compare}
    facts = compared | {"texts": texts}
    if isinstance(book, Game):
        facts["sheet"] = facts["sheet"].rows
    return facts


TestMoney = pytest.mark.long(Money.TestCase)
TestMoney.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
