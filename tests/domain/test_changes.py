"""Changes of a game and of a group: the events they make, and what they refuse."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import changes
from scorekeeper.domain.game.changes import Draft, NewGame
from scorekeeper.domain.game.state import Account, Game, created
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.state import Group, founded
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rules.presets import PRESETS

AT = "2026-06-12T19:40:05Z"
FAMILY = PRESETS["german-family"]


def begun(*players: str, **options: Any) -> Game:
    order = NewGame("Abend", "", FAMILY.override(options), players)
    game = created("g1", Event(1, AT, "created", "pen", order.payload, order.texts))
    assert isinstance(game, Game)
    return game


def group(*members: str, **balances: tuple[int, ...]) -> Group:
    texts = {f"member.{number}": name for number, name in enumerate(members)}
    payload = {"members": len(members)}
    event = Event(1, AT, "founded", "pen", payload, {"name": "Freitag", **texts})
    made = founded("s1", event)
    return replace(made, balances={unit: tuple(map(Fraction, of)) for unit, of in balances.items()})


def after(book: Any, draft: Draft | None) -> Any:
    """Return the book once a change is made."""
    assert draft
    event = Event(book.version + 1, AT, draft.kind, "pen", draft.payload, draft.texts)
    return book.apply(event)


THREE = group("Anna", "Ben", "Carl", Pf=(30, -30, 0))

REFUSED_IN_A_GROUP = [
    (lambda: group_changes.join(THREE, "Ben"), ("members", 3, "name"), {"value": "Ben"}),
    (
        lambda: group_changes.rename_member(THREE, 0, "Ben"),
        ("members", 3, "name"),
        {"value": "Ben"},
    ),
    (lambda: group_changes.rename_member(THREE, 3, "Dora"), (), {"member": 3, "members": 3}),
    (lambda: group_changes.rename_member(THREE, -1, "Dora"), (), {"member": -1, "members": 3}),
    (lambda: group_changes.seat_members("g1", (0, 1, 0), False, {}), ("members", 2), {"member": 0}),
    (lambda: group_changes.leave(THREE, "g1"), ("game",), {}),
    (lambda: group_changes.pay(THREE, Transfer(3, 0, Fraction(1)), "Pf"), ("from",), {"member": 3}),
    (lambda: group_changes.pay(THREE, Transfer(0, 3, Fraction(1)), "Pf"), ("to",), {"member": 3}),
    (lambda: group_changes.pay(THREE, Transfer(0, 0, Fraction(1)), "Pf"), ("to",), {}),
    (lambda: group_changes.pay(THREE, Transfer(0, 1, Fraction(0)), "Pf"), ("amount",), {}),
    (lambda: group_changes.settle(THREE, "ct"), ("unit",), {"unit": "ct"}),
    (lambda: group_changes.agree("Pf", "Pf", Fraction(1)), ("in",), {}),
    (lambda: group_changes.agree("Pf", "ct", Fraction(0)), ("rate",), {}),
    (lambda: group_changes.convert(THREE, "Pf", "ct"), ("in",), {"unit": "Pf", "into": "ct"}),
]


@pytest.mark.parametrize(("change", "path", "facts"), REFUSED_IN_A_GROUP)
def test_a_change_that_a_group_refuses_says_where_and_why(
    change: Any, path: tuple[Any, ...], facts: dict[str, Any]
) -> None:
    with pytest.raises(RuleError) as refused:
        change()

    (problem,) = refused.value.problems
    assert problem.path == path
    assert {**problem.facts, **facts} == problem.facts


def test_a_group_without_members_has_no_balances() -> None:
    assert group().balance("Pf") == ()


def test_a_payment_moves_an_amount_from_one_member_to_another() -> None:
    least = after(THREE, group_changes.pay(THREE, Transfer(1, 0, Fraction(1, 10)), "Pf"))

    assert least.balance("Pf") == (Fraction(299, 10), Fraction(-299, 10), 0)


def test_a_converted_balance_is_open_in_the_other_unit_only() -> None:
    agreed = after(THREE, group_changes.agree("Pf", "ct", Fraction(1, 3)))

    converted = after(agreed, group_changes.convert(agreed, "Pf", "ct"))

    assert converted.balance("Pf") == (0, 0, 0)
    assert converted.balance("ct") == (10, -10, 0)


def test_open_payments_are_settled_in_one_entry() -> None:
    settled = after(THREE, group_changes.settle(THREE, "Pf"))

    assert settled.balance("Pf") == (0, 0, 0)


@pytest.mark.parametrize(
    ("due", "settles"),
    [
        ([(1, 0, 30)], True),
        ([], False),
        ([(1, 0, 10), (1, 0, 20)], False),
        ([(1, 0, 29)], False),
        ([(0, 1, 30)], False),
        ([(1, 2, 30)], False),
        ([(2, 0, 30)], False),
        ([(1, 0, 0)], False),
    ],
)
def test_payments_settle_a_unit_if_nothing_stays_open(
    due: list[tuple[int, int, int]], settles: bool
) -> None:
    transfers = [Transfer(payer, payee, Fraction(amount)) for payer, payee, amount in due]

    assert group_changes.settles(THREE, "Pf", transfers) == settles


# ---- a game --------------------------------------------------------------------------


def test_a_player_who_joins_sits_last() -> None:
    game = begun("Anna", "Ben")

    assert after(game, changes.seat_player(game, "Carl")).players == ("Anna", "Ben", "Carl")


@pytest.mark.parametrize(
    ("players", "path"),
    [
        (("Anna",), ("players",)),
        (tuple("ABCDEFGHIJKLM"), ("players",)),
        (("Anna", "Ben", "Anna"), ("players", 2, "name")),
    ],
)
def test_players_must_fit_the_rules_and_differ(
    players: tuple[str, ...], path: tuple[Any, ...]
) -> None:
    with pytest.raises(RuleError) as refused:
        changes.check_players(FAMILY, players)

    assert refused.value.problems[0].path == path


@pytest.mark.parametrize(("dealer", "fits"), [(1, True), (2, False)])
def test_the_first_dealer_is_one_of_the_players(dealer: int, fits: bool) -> None:
    rules = FAMILY.override({"deal.first_dealer": dealer})
    if fits:
        changes.check_players(rules, ("Anna", "Ben"))
        return
    with pytest.raises(RuleError) as refused:
        changes.check_players(rules, ("Anna", "Ben"))

    (problem,) = refused.value.problems
    assert problem.path == ("first_dealer",)
    assert problem.facts == {"why": "no_dealer", "number": 3, "count": 2}


def test_erased_names_may_be_alike() -> None:
    changes.check_names(("", "Anna", ""), "players")


def test_an_end_and_its_opposite_alternate() -> None:
    game = begun("Anna", "Ben")
    over = after(game, changes.end(game))

    assert changes.reopen(game) is None
    assert (over.is_over, changes.end(over)) == (True, None)
    assert after(over, changes.reopen(over)).is_over is False


def test_nothing_is_recorded_in_a_game_that_is_over() -> None:
    game = begun("Anna", "Ben")

    assert changes.next_round(game) == 1
    with pytest.raises(RuleError, match="E_GAME_OVER"):
        changes.next_round(after(game, changes.end(game)))


def test_a_correction_is_taken_back_by_a_round_as_it_was() -> None:
    game, out = begun("Anna", "Ben"), Round(outcome="out", winner=0)
    facts = [replace(out, seats=(Seat(), Seat(points=points))) for points in (10, 20)]
    first = changes.score_for(game, facts[0])
    game = after(game, Draft("round", first.payload(1)))
    assert changes.revert(game, 1) is None

    score = changes.score_for(game, facts[1])
    game = after(
        after(game, Draft("corrected", score.payload(1))), changes.seat_player(game, "Cleo")
    )
    back = changes.revert(game, 1)

    assert back and back.kind == "corrected"
    assert back.payload["number"] == 1
    tallies = after(game, back).sheet.tallies
    assert [(tally.minus, tally.played) for tally in tallies] == [(0, 1), (10, 1), (0, 0)]
    with pytest.raises(KeyError):
        changes.revert(game, 2)


def test_an_account_belongs_to_an_existing_side() -> None:
    game = begun("Anna", "Ben")
    account = Account("Ben", "DE02120300000000202051")

    changed = after(game, changes.set_account(game, 1, account))

    assert (changed.account(0), changed.account(1)) == (None, account)
    assert after(changed, changes.set_account(changed, 1, None)).account(1) is None
    for side in (-1, 2):
        with pytest.raises(KeyError):
            changes.set_account(game, side, account)
    changes.set_account(game, 0, account)
