"""The facts of a round for players who sit in another order."""

from scorekeeper.domain.cards.card import card_named
from scorekeeper.domain.rounds.facts import Glass, Hirschn, LayOff, MeldRef, Round, Seat, Swap
from scorekeeper.domain.rounds.reseated import reseated

SEVEN = card_named("7C")
FACTS = Round(
    outcome="out",
    winner=1,
    knocker=0,
    seats=(
        Seat(layoffs=(LayOff(SEVEN, MeldRef(1, 2)),), swaps=(Swap(SEVEN, MeldRef(0, 0)),)),
        Seat(absent=True),
    ),
    rejoin=(1,),
    order=(1, 0),
    plan_row=(3, 4),
    hirschn=Hirschn(caller=1, turns_after=2),
    glass=(Glass(by=0, kind="group", hit=True),),
)


def test_everything_that_names_a_seat_moves_with_it() -> None:
    moved = reseated(FACTS, [2, 0], 3)

    assert (moved.winner, moved.knocker, moved.rejoin, moved.order) == (0, 2, (0,), (0, 2))
    assert moved.seats == (
        Seat(absent=True),
        Seat(absent=True),
        Seat(layoffs=(LayOff(SEVEN, MeldRef(0, 2)),), swaps=(Swap(SEVEN, MeldRef(2, 0)),)),
    )
    assert moved.plan_row == (4, 1, 3)
    assert moved.hirschn == Hirschn(caller=0, turns_after=2)
    assert moved.glass == (Glass(by=2, kind="group", hit=True),)


def test_a_seat_that_does_not_exist_gets_none_of_the_others() -> None:
    moved = reseated(Round(outcome="out", winner=5, seats=FACTS.seats), [1, 0], 2)

    assert moved.winner == 7


def test_the_same_order_is_the_same_round() -> None:
    assert reseated(FACTS, [0, 1], 2) is FACTS
    assert reseated(Round(outcome="out"), [0, 1], 2).winner is None
