"""Elimination, re-entry and the pot: RULES-MORE 8.2 and 9."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from evenings import AT, SEATS, after, begun, body, evening, played, refused
from examples import examples
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import changes, given
from scorekeeper.domain.game.frame import Frame, correct_frame
from scorekeeper.domain.game.rows import Given
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import SeatScore
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.wire.rounds import load_round

BALANCE = {"settle.mode": "balance", "settle.measure": "net", "rank.measure": "net"}
EVERYBODY = {"players": 4, "preset": "scala-40"}


@pytest.mark.parametrize("example", examples("evenings"))
def test_worked_evening(example: dict[str, Any]) -> None:
    if "errors" in example:
        assert [code.partition(".")[0] for code in refused(example)] == example["errors"]
        return
    game = evening(example)
    standing, settlement = game.sheet.standing, game.settlement()

    found = {
        "eliminated": [[one.seat, one.round, one.total] for one in standing.eliminated],
        "adjustments": [[one.before_round, one.seat, one.minus] for one in standing.adjustments],
        "left": list(standing.left),
        "totals": [tally.minus for tally in game.sheet.tallies],
        "net": [tally.net for tally in game.sheet.tallies],
        "over": game.is_over,
        "ranks": list(game.sheet.ranks),
        "balances": list((settlement and settlement.balances) or ()),
        "round_stakes": [str(part) for part in game.round_stakes],
        "amounts": [str(part) for part in (settlement and settlement.amounts) or ()],
    }
    assert {name: found[name] for name in example if name in found} == {
        name: example[name] for name in example if name in found
    }


POT_ENDED_BY_THE_PLAYERS = {  # 8.2.6
    "nobody is out": (["A: B 50, C 30"], [0, 0, 0]),
    "one of three is out": (["A: B 101, C 30"], [5, -10, 5]),
    "somebody has not played yet": (["A: B 50"], [0, 0, 0]),
    "one is out and another has not played yet": (["A: B 101"], [10, -10, 0]),
}


@pytest.mark.parametrize(
    ("rounds", "pot"), POT_ENDED_BY_THE_PLAYERS.values(), ids=POT_ENDED_BY_THE_PLAYERS
)
def test_those_left_share_the_pot_when_the_players_end_the_game(
    rounds: list[str], pot: list[int]
) -> None:
    options = {"settle.stake": "10"}
    game = evening({"preset": "scala-40", "options": options, "rounds": rounds, "ended": True})

    assert list(game.pot) == pot


def test_a_total_below_nothing_stays_below_nothing() -> None:
    """In Chinchón the highest of those left may be -5, with which others come back and go on."""
    back = "C back; D back; A: B 1, C 2, D 3"
    rounds = ["A: B 5, C 5, D 5", "B: A 1, C 96, D 96", back]

    sheet = evening({"preset": "chinchon", "players": 4, "rounds": rounds}).sheet

    assert [(one.seat, one.minus) for one in sheet.standing.adjustments] == [(2, -106), (3, -106)]
    assert [tally.net for tally in sheet.tallies] == [19, 4, 3, 2]
    assert [row.taken_off for row in sheet.rows] == [(0, 0, 0, 0)] * 3
    assert [row.worth(2, "net") for row in sheet.rows] == [-5, -96, -2]


REFUSED = {
    "a player who is not out": (["A: B 5, C 5", "B back; A: B 5, C 5"], "E_REJOIN.not_out"),
    "a player who does not sit here": (
        ["A: B 101, C 5, D 5", "F back; A: C 5, D 5"],
        "E_FORM.no_seat",
    ),
    "somebody twice": (["A: B 101, C 5", "B back; B back; A: B 5, C 5"], "E_REJOIN.twice"),
    "somebody a round too late": (
        ["A: B 101, C 5, D 5", "A: C 5, D 5", "B back; A: B 5, C 5, D 5"],
        "E_REJOIN.too_late",
    ),
    "somebody once more than allowed": (
        ["A: B 101, C 5, D 5", "B back; A: B 99, C 5, D 5", "B back; A: B 5, C 5, D 5"],
        "E_REJOIN.too_often",
    ),
    "somebody above the highest total allowed": (
        ["A: B 101, C 90", "B back; A: B 5, C 5"],
        "E_REJOIN.too_high",
    ),
}


@pytest.mark.parametrize(("rounds", "why"), REFUSED.values(), ids=REFUSED)
def test_may_not_come_back(rounds: list[str], why: str) -> None:
    terms = {"end.rejoin": "highest", "end.rejoin_max": 1, "end.rejoin_up_to": 79}

    assert refused({**EVERYBODY, "options": terms, "rounds": rounds}) == [why]


def test_nobody_comes_back_right_onto_the_limit() -> None:
    terms = {"end.rejoin": "highest_plus_one"}
    rounds = ["A: B 101, C 100", "B back; A: B 5, C 0"]

    assert refused({**EVERYBODY, "options": terms, "rounds": rounds}) == ["E_REJOIN.limit"]


def test_coming_back_is_refused_where_it_is_not_played() -> None:
    rounds = ["A: B 101, C 5", "B back; A: B 5, C 5"]

    assert refused({**EVERYBODY, "rounds": rounds}) == ["E_RULE_OFF.off"]


def test_who_may_come_back_is_said_before_the_next_round_with_the_new_total() -> None:
    kalooki = {"preset": "scala-40", "players": 4, "options": {"end.rejoin": "highest_plus_one"}}

    first = evening({**kalooki, "rounds": ["A: B 101, C 30, D 50"]})
    later = played(first, "A: C 5, D 5")

    assert first.sheet.standing.returning == {1: 51}
    assert later.sheet.standing.returning == {}
    assert list(first.sheet.expected) == [0, 2, 3]


def corrected(game: Game, number: int, text: str) -> Game:
    entry = load_round(body(text, game.sheet.seats))
    scored = changes.score_for(game, entry.round)
    return after(game, changes.Draft("corrected", scored.payload(number)))


def test_a_correction_that_makes_a_later_round_impossible_is_refused_at_that_round() -> None:
    game = evening({**EVERYBODY, "rounds": ["A: B 60, C 40, D 1", "A: B 5, C 5, D 1", "B: A 1"]})
    out = evening({**EVERYBODY, "rounds": ["A: B 101, C 5, D 1", "A: C 5, D 1"]})

    with pytest.raises(RuleError) as error:
        corrected(game, 1, "A: B 101, C 40, D 1")
    with pytest.raises(RuleError) as own:
        corrected(out, 2, "A: B 5, C 5, D 1")

    assert [(one.code, one.path) for one in error.value.problems] == [
        ("E_ELIMINATED", ("rounds", 1, "seats", 1)),
        ("E_ELIMINATED", ("rounds", 2, "seats", 1)),
    ]
    assert [(one.code, one.path) for one in own.value.problems] == [
        ("E_ELIMINATED", ("seats", 1)),
    ]


def test_a_player_who_joins_begins_with_the_highest_total_of_those_left() -> None:
    game = evening({**EVERYBODY, "players": 3, "rounds": ["A: B 101, C 40", "A: C 5"]})

    joined = after(game, changes.seat_player(game, "D"))
    out = played(joined, "A: C 1, D 56")

    assert [tally.minus for tally in joined.sheet.tallies] == [0, 101, 45, 45]
    assert joined.sheet.standing.left == (0, 2, 3)
    assert out.sheet.standing.out == (1, 3)
    assert changes.seat_player(evening({**EVERYBODY, "rounds": []}), "E").payload == {"seat": 4}


def test_what_a_newcomer_begins_with_is_listed_as_a_starting_score_and_not_settled() -> None:
    terms = {"settle.mode": "pairwise", "settle.point_value": "1"}
    rounds = ["A: B 101, C 40", "A: C 5", "C: A 3"]
    game = evening({**EVERYBODY, "players": 3, "options": terms, "rounds": rounds})

    game = played(after(game, changes.seat_player(game, "D")), "A: C 5, D 1")

    (one,) = game.sheet.given
    assert one == Given(
        event=5, at=AT, after=3, side=3, points=SeatScore(minus=45), start=True, sides=4
    )
    assert [tally.minus for tally in game.sheet.tallies] == [3, 101, 50, 46]
    assert game.settled and game.settled.balances == (
        141 + 5 - 3 + 6, -101 - 61, 61 - 40 - 5 + 3 - 9, 4 - 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "options", "balances"),
    [
        ("romme-palast", {"end.eliminate": True, **BALANCE}, (100, -40, -60, 0)),
        ("scala-40", {"settle.mode": "winner"}, (100, -40, -60, 0)),
        ("scala-40", {"settle.mode": "pairwise"}, (100, -20, -80, 0)),
    ],
)
def test_what_a_newcomer_begins_with_is_owed_to_nobody(
    preset: str, options: dict[str, Any], balances: tuple[int, ...]
) -> None:
    worth = {"settle.point_value": "1"}
    game = evening({"preset": preset, "options": worth | options, "rounds": ["A: B 40, C 60"]})

    joined = after(game, changes.seat_player(game, "D"))

    assert joined.sheet.standing.adjustments == ()
    assert joined.settled and joined.settled.balances == balances


def test_nobody_joins_when_only_one_is_left() -> None:
    """A newcomer would begin at the total of the winner, and take the pot."""
    game = evening({**EVERYBODY, "players": 2, "rounds": ["A: B 101"]})

    with pytest.raises(RuleError, match="E_GAME_OVER"):
        changes.seat_player(game, "C")
    reopened = after(game, changes.reopen(game))
    assert changes.seat_player(reopened, "C")


@pytest.mark.parametrize(
    ("before", "minus", "rounds", "code"),
    [
        (["A: B 60, C 10"], -50, ["A: B 50, C 10", "B: A 5, C 1"], "E_ELIMINATED"),
        ([], 50, ["A: B 60, C 10", "B back; A: B 5, C 50"], "E_REJOIN"),
    ],
)
def test_points_are_not_taken_back_if_that_makes_later_rounds_impossible(
    before: Sequence[str], minus: int, rounds: Sequence[str], code: str
) -> None:
    options = {"end.rejoin": "highest"}
    game = evening({"preset": "scala-40", "options": options, "rounds": before})
    game = after(game, given.give(game, 1, minus=minus))
    present = game.version
    assert after(game, given.take_back(game, present)).sheet.given == ()

    for text in rounds:
        game = played(game, text)

    with pytest.raises(RuleError, match=code):
        after(game, given.take_back(game, present))


def test_who_went_out_later_dealt_a_round_that_was_not_scored() -> None:
    game = begun(PRESETS["scala-40"], 3)
    cancelled = changes.score_for(game, load_round({"outcome": "cancelled"}).round)
    game = played(after(game, changes.Draft("round", cancelled.payload(1))), "A: B 101, C 20")
    assert [row.dealer for row in game.sheet.rows] == [0, 0]

    missed = changes.score_for(
        changes.at_place(game, "inserted", 1), load_round(body("A: B 1, C 1", 3)).round
    )
    game = after(game, changes.Draft("inserted", missed.payload(1)))

    assert [row.dealer for row in game.sheet.rows] == [0, 1, 1]


def test_a_struck_round_brings_everybody_back_who_went_out_in_it() -> None:
    game = evening({**EVERYBODY, "rounds": ["A: B 101, C 5, D 1"]})

    game = after(game, changes.strike(game, 1))

    assert game.sheet.standing.left == (0, 1, 2, 3)
    assert played(game, "A: B 1, C 5, D 1").sheet.standing.out == ()


def test_a_game_that_is_settled_by_points_ignores_what_coming_back_added() -> None:
    terms = {"settle.mode": "pairwise", "settle.point_value": "1", "end.rejoin": "highest"}
    rounds = ["A: B 101, C 5", "B back; A: B 1, C 1"]
    game = evening({**EVERYBODY, "players": 3, "options": terms, "rounds": rounds})

    assert [tally.minus for tally in game.sheet.tallies] == [0, 6, 6]
    assert game.settled and game.settled.balances == (108, -102 - 102 + 6, 102 - 6 - 6)


def test_elimination_cannot_begin_in_the_middle_of_a_game() -> None:
    game = evening({"preset": "german-family", "rounds": ["A: B 5, C 5"]})
    rules = game.rules.override({"end.mode": "points", "end.points": 50, "end.eliminate": True})

    with pytest.raises(RuleError) as error:
        correct_frame(game, Frame(rules=rules), "2026-11-28T00:00:00Z")

    assert error.value.problems[0].facts["why"] == "begun"


# ---- any evening ----------------------------------------------------------------------


class Table:
    """The same evening, computed in another way: totals by player, round after round."""

    def __init__(self, players: int, limit: int, *, over: bool, more: int) -> None:
        self.totals = dict.fromkeys(range(players), 0)
        self.left = set(self.totals)
        self.went: dict[int, int] = {}
        self.entries = dict.fromkeys(self.totals, 1)
        self.limit, self.over, self.more = limit, over, more
        self.rounds = 0

    def back(self, seat: int) -> bool:
        new = max(self.totals[one] for one in self.left) + self.more
        if self.went.get(seat) != self.rounds or len(self.left) < 2 or self.is_out(new):
            return False
        self.totals[seat] = new
        return True

    def is_out(self, total: int) -> bool:
        return total > self.limit if self.over else total >= self.limit

    def play(self, points: dict[int, int]) -> None:
        self.rounds += 1
        for seat, minus in points.items():
            self.totals[seat] += minus
            if self.is_out(self.totals[seat]):
                self.left.discard(seat)
                self.went[seat] = self.rounds

    def pot(self, stake: Fraction, again: Fraction, first: Sequence[int]) -> list[Fraction]:
        """What everybody has at the end, given who is first, counting coin by coin."""
        purse = dict.fromkeys(self.totals, Fraction())
        pot = Fraction()
        for seat, entries in self.entries.items():
            for nth in range(entries):
                coin = again if nth else stake
                purse[seat] -= coin
                pot += coin
        for seat in first:
            purse[seat] += pot / len(first)
        return list(purse.values())


@drawn(st.data())
@settings(max_examples=40, phases=(Phase.generate,))
def test_any_evening_ends_and_its_pot_adds_up(data: Any) -> None:
    players = data.draw(st.integers(2, 5))
    more = data.draw(st.sampled_from(["none", "highest", "highest_plus_one"]))
    over = data.draw(st.booleans())
    options = {
        "end.points": 60,
        "end.compare": "over" if over else "reach",
        "settle.stake": "3",
        "settle.round_stake": "1/2",
    }
    if more != "none":
        options |= {"end.rejoin": more, "end.rejoin_max": 2, "settle.rejoin_stake": "2"}
    game = begun(PRESETS["scala-40"].override(options), players)
    table = Table(players, 60, over=over, more=more == "highest_plus_one")
    for _ in range(60):  # two entries each and a loser every round: no evening is as long
        if game.is_over:
            break
        back = list(game.sheet.standing.returning)
        back = [seat for seat in back if data.draw(st.booleans())]
        expected = [seat for seat in back if table.back(seat)]
        assert back == expected
        for seat in back:
            table.entries[seat] += 1
        table.left |= set(back)
        there = sorted(table.left)
        winner = data.draw(st.sampled_from(there))
        held = {seat: data.draw(st.integers(5, 40)) for seat in there if seat != winner}
        text = "".join(f"{SEATS[seat]} back; " for seat in back) + f"{SEATS[winner]}: "
        text += ", ".join(f"{SEATS[seat]} {points}" for seat, points in held.items())
        if len(there) < players:
            out = next(seat for seat in range(players) if seat not in there)
            with pytest.raises(RuleError):
                played(game, f"{text}, {SEATS[out]} 5")
        game = played(game, text)
        table.play(held)

        assert game.sheet.standing.left == tuple(sorted(table.left))
        assert [tally.minus for tally in game.sheet.tallies] == list(table.totals.values())
        assert game.is_over == (len(table.left) < 2)
        assert sum(game.round_stakes) == 0

    assert game.is_over
    first = [seat for seat, rank in enumerate(game.sheet.ranks) if rank == 1]
    assert not table.left or set(first) == table.left
    assert list(game.pot) == table.pot(Fraction(3), Fraction(2), first)
    assert sum(game.pot) == 0
