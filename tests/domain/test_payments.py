"""Payments that were made stay made: RULES 9.8."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain import rules as options
from scorekeeper.domain.game import changes
from scorekeeper.domain.game.changes import Draft
from scorekeeper.domain.game.state import Game, Payment, created
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import encode_score
from scorekeeper.domain.rounds.facts import RoundScore, SeatScore
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.rules.presets import PRESETS

NAMES = "ABCDEF"
CENTS = {"settle.unit": "ct", "settle.point_value": "1"}


def begun(players: int, **terms: Any) -> Game:
    rules = PRESETS["german-family"].override({**CENTS, **terms})
    payload = {"rules": options.encode_rules(rules), "players": players}
    texts = {f"name.{seat}": NAMES[seat] for seat in range(players)}
    return created("g", Event(1, at(1), "created", "pen", payload, texts))


def at(number: int) -> str:
    return f"2026-06-12T{19 + number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z"


def then(game: Game, draft: Draft | None) -> Game:
    assert draft
    number = game.version + 1
    return game.apply(Event(number, at(number), draft.kind, "pen", draft.payload, draft.texts))


def played(game: Game, *minus: int | None, number: int | None = None) -> Game:
    """Return the game after a round, or after the correction of one; None was absent."""
    score = RoundScore(
        outcome="out",
        winner=None,
        verification="unverified",
        scores=tuple(None if one is None else SeatScore(one) for one in minus),
        lines=(),
    )
    payload = {
        "number": number or len(game.sheet.written) + 1,
        "round": {"outcome": "out"},
        "score": encode_score(score),
    }
    return then(game, Draft("corrected" if number else "round", payload))


def paid(game: Game, number: int) -> Game:
    """Return the game after one of the payments still due was made."""
    due = [one for one in game.payments if one.paid_at is None]
    return then(game, changes.pay(due[number]))


def made(game: Game) -> list[tuple[str, str, int]]:
    return [in_letters(one) for one in game.payments if one.paid_at]


def still_due(game: Game) -> list[tuple[str, str, int]]:
    return [in_letters(one) for one in game.payments if not one.paid_at]


def in_letters(one: Payment) -> tuple[str, str, int]:
    return NAMES[one.payer], NAMES[one.payee], int(one.amount)


@pytest.fixture
def game() -> Game:
    """S13: D has paid A 60 of what is now a debt of 120."""
    return paid(played(begun(4), 0, 10, 20, 30), 0)


def test_a_corrected_round_leaves_what_was_paid(game: Game) -> None:  # S13
    corrected = played(game, 0, 10, 20, 50, number=1)

    assert still_due(game) == [("C", "B", 20)]
    assert made(corrected) == [("D", "A", 60)]
    assert still_due(corrected) == [("D", "B", 40), ("D", "A", 20)]


def test_too_much_paid_is_a_debt_the_other_way(game: Game) -> None:
    struck = then(game, changes.strike(game, 1))

    assert made(struck) == [("D", "A", 60)]
    assert still_due(struck) == [("A", "D", 60)]


def test_playing_on_leaves_what_was_paid(game: Game) -> None:
    more = played(game, 5, 0, 5, 5)

    assert made(more) == [("D", "A", 60)]
    assert still_due(more) == [("C", "B", 25), ("A", "B", 5), ("D", "B", 5)]


def test_a_new_player_changes_nothing_about_what_was_paid(game: Game) -> None:
    joined = played(then(game, changes.seat_player(game, "E")), 0, 0, 0, 0, 10)

    assert made(joined) == [("D", "A", 60)]
    assert still_due(joined) == [("E", "B", 30), ("E", "A", 10), ("C", "D", 10)]


def test_the_same_payment_can_be_made_twice(game: Game) -> None:
    twice = paid(played(game, 0, 10, 10, 40, number=1), 0)
    again = paid(played(twice, 0, 0, 0, 60, number=1), 0)

    assert made(again)[0] == ("D", "A", 60)
    assert again.paid[0].paid_at != again.paid[1].paid_at


def test_a_payment_taken_back_is_that_one_and_no_other() -> None:
    game = paid(played(begun(2), 0, 30), 0)
    game = paid(played(game, 0, 30), 0)
    first, second = game.paid
    assert first.due == second.due

    assert then(game, changes.take_back(first)).paid == (second,)
    assert then(game, changes.take_back(second)).paid == (first,)


def test_events_of_version_1_1_take_back_by_players_and_amount() -> None:
    game = paid(played(begun(2), 0, 30), 0)
    named = {"from": 1, "to": 0, "amount": "30"}

    assert then(game, Draft("unpaid", named)).paid == ()
    with pytest.raises(ValueError, match="not made"):
        then(game, Draft("unpaid", {**named, "amount": "31"}))


def test_payments_of_version_1_1_count_all_of_them() -> None:
    """It forgot the 60 after a correction, and 80 and 40 could be marked, too."""
    game = played(paid(played(begun(4), 0, 10, 20, 30), 0), 0, 10, 20, 50, number=1)
    for payee, amount in ((0, "80"), (1, "40")):
        game = then(game, Draft("paid", {"from": 3, "to": payee, "amount": amount}))

    assert made(game) == [("D", "A", 60), ("D", "A", 80), ("D", "B", 40)]
    assert still_due(game) == [("A", "D", 60)]


def test_numbers_stay_while_payments_are_marked() -> None:
    game = played(begun(4), 220, 360, 140, 490)
    before = [one.due for one in game.numbered_payments]
    marked = paid(game, 1)

    assert [one.due for one in marked.numbered_payments] == before
    assert [bool(one.paid_at) for one in marked.numbered_payments] == [False, True, False]
    assert marked.payments[0].due == before[1]


def test_partners_pay_as_one_side() -> None:
    terms = {"teams": True, "settle.unit": "ct", "settle.point_value": "1"}
    rules = PRESETS["gin-palast"].override(terms)
    payload = {"rules": options.encode_rules(rules), "players": 4}
    game = created("g", Event(1, at(1), "created", "pen", payload))
    points = [encode_score(plus(20, 0)), encode_score(plus(50, 0))]
    first = {"number": 1, "round": {"outcome": "knock"}, "score": points[0]}
    game = paid(then(game, Draft("round", first)), 0)
    game = then(game, Draft("corrected", {**first, "score": points[1]}))

    assert (made(game), still_due(game)) == ([("B", "A", 20)], [("B", "A", 30)])


def plus(*points: int) -> RoundScore:
    scores = tuple(SeatScore(plus=one) for one in points)
    return RoundScore(outcome="knock", winner=0, verification="unverified", scores=scores, lines=())


def test_the_stake_of_a_game_reopened_is_paid_back() -> None:
    game = played(begun(3, **{"settle.stake": "5", "settle.mode": "none"}), 0, 10, 20)
    game = then(game, changes.end(game))
    game = paid(paid(game, 0), 0)

    assert (made(game), still_due(game)) == ([("B", "A", 5), ("C", "A", 5)], [])
    assert still_due(then(game, changes.reopen(game))) == [("A", "B", 5), ("A", "C", 5)]


# ---- whatever happens ------------------------------------------------------------------


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["play", "correct", "strike", "join", "pay", "pay", "pay", "take back"]),
        st.integers(0, 9),
        st.lists(st.one_of(st.none(), st.integers(0, 60)), min_size=5, max_size=5),
    ),
    max_size=25,
)


@given(
    st.integers(2, 4),
    STEPS,
    st.sampled_from(["1", "1/3", "0.05"]),
    st.sampled_from(["ct", "EUR"]),
)
def test_what_was_paid_and_what_is_due_are_the_balances(
    players: int, steps: Any, value: str, unit: str
) -> None:
    terms = {"settle.point_value": value, "settle.unit": unit}
    game = played(begun(players, **terms), *range(players))
    ticks: list[tuple[int, int, Fraction]] = []
    for what, which, points in steps:
        game = step(game, what, which, points, ticks)

        exact = pairs(game, Fraction(value))
        rounded = (game.settlement() or pytest.fail()).payable_amounts
        due = [one.due for one in game.payments if one.paid_at is None]
        left = after(rounded or (), ticks)
        assert sorted(one.due for one in game.paid) == sorted(ticks)
        assert all(
            abs(amount - near) < smallest_coin(unit)
            for amount, near in zip(exact, rounded or (), strict=True)
        )
        assert sum(left) == 0
        assert not any(after(left, due))
        assert len(due) == fewest([amount for amount in left if amount])
        assert {one.due for one in game.numbered_payments} == {one.due for one in game.payments}


def step(game: Game, what: str, which: int, points: list[Any], ticks: list[Any]) -> Game:
    """Return the game after a change, if it is possible, and write down what was paid."""
    seats, rows = game.sheet.seats, len(game.sheet.written)
    minus = [0, *points][:seats]
    due = [one for one in game.payments if one.paid_at is None]
    match what:
        case "play":
            return played(game, *minus)
        case "correct":
            number = 1 + which % rows
            absent = len(game.sheet.written[number - 1].score.scores)
            return played(game, *minus[:absent], number=number)
        case "strike":
            number = 1 + which % rows
            draft = changes.strike(game, number) or changes.restore(game, number)
            return then(game, draft)
        case "join" if seats < 5:
            return then(game, changes.seat_player(game, NAMES[seats]))
        case "pay" if due:
            one = due[which % len(due)]
            ticks.append(one.due)
            return then(game, changes.pay(one))
        case "take back" if game.paid:
            one = game.paid[which % len(game.paid)]
            ticks.remove(one.due)
            return then(game, changes.take_back(one))
    return game


def pairs(game: Game, value: Fraction) -> list[Fraction]:
    """Return everybody's money, counted pair by pair and round by round."""
    money = [Fraction()] * game.sheet.seats
    for row in game.sheet.written:
        if row.struck_at:
            continue
        minus = [None if one is None else one.minus for one in row.score.scores]
        for one, own in enumerate(minus):
            others = [*minus[:one], *minus[one + 1 :]]
            money[one] += sum((other - own) * value for other in others if None not in (own, other))
    return money


def after(amounts: Sequence[Fraction], ticks: Any) -> list[Fraction]:
    """Return what everybody is still to get after payments."""
    left = list(amounts)
    for payer, payee, amount in ticks:
        left[payer] += amount
        left[payee] -= amount
    return left


def fewest(amounts: list[Fraction]) -> int:
    """Return the fewest payments that settle these amounts: one less than each group that is even.

    All ways to divide the players into groups are tried.
    """
    ways = (
        sum(len(group) - 1 for group in groups)
        for groups in divisions(amounts)
        if not any(map(sum, groups))
    )
    return min(ways, default=0)


def divisions(amounts: list[Fraction]) -> Iterator[list[list[Fraction]]]:
    if not amounts:
        yield []
        return
    first, rest = amounts[0], amounts[1:]
    for groups in divisions(rest):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [first, *group], *groups[place + 1 :]]


# ---- the step of payment ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "coin"),
    [
        *(
            (unit, "1/100")
            for unit in ("EUR", "eur", "€", "Euro", "CHF", "Fr.", "USD", "$", "GBP", "£")
        ),
        *((unit, "1") for unit in ("ct", "Cent", "Pf", "Rp.", "p", "Chips", "Nüsse", "")),
    ],
)
def test_the_smallest_coin(unit: str, coin: str) -> None:  # RULES 9.8
    rules = PRESETS["german-family"].override({"settle.unit": unit})

    assert rules.settle.payable == Fraction(coin)


def test_a_whole_euro_must_be_asked_for() -> None:
    asked = PRESETS["german-family"].override({"settle.payable": "1", "settle.unit": "EUR"})

    assert asked.settle.payable == 1
    assert asked.override({"settle.unit": "EUR", "settle.point_value": "1"}).settle.payable == 1
    assert asked.override({"settle.unit": "CHF"}).settle.payable == Fraction(1, 100)
    assert asked.override({"settle.unit": "ct"}).settle.payable == 1


def test_stored_rules_keep_their_step() -> None:
    """Versions 1.0 and 1.1 stored whole euros, whether or not they were asked for."""
    stored = options.encode_rules(PRESETS["german-family"].override({"settle.unit": "EUR"}))
    stored["options"]["settle.payable"] = "1"  # type: ignore[index]
    rules = options.decode_rules(stored)

    assert isinstance(rules, RuleSet)
    assert (rules.settle.unit, rules.settle.payable) == ("EUR", 1)
