"""The budget of bytes that requests and answers may hold in memory."""

import pytest

from scorekeeper.serving.held_bytes import HeldBytes, TooMuchHeld


def test_a_client_holds_at_most_its_share_and_can_use_it_again() -> None:
    budget = HeldBytes(per_client=100, together=1000)
    with budget.share_of("one") as first:
        first.take(60)
        with budget.share_of("one") as second:
            second.take(40)
            with pytest.raises(TooMuchHeld):
                second.take(1)
        with budget.share_of("other") as other:
            other.take(100)
        first.take(40)
        assert budget.total == 100
    assert budget.total == 0
    with budget.share_of("one") as again:
        again.take(100)


def test_all_clients_together_stay_within_the_budget() -> None:
    budget = HeldBytes(per_client=100, together=150)
    with budget.share_of("one") as one, budget.share_of("other") as other:
        one.take(100)
        with pytest.raises(TooMuchHeld):
            other.take(51)
        other.take(50)


def test_the_budget_is_released_after_an_error() -> None:
    budget = HeldBytes(per_client=100, together=150)
    with pytest.raises(ValueError), budget.share_of("one") as one:
        one.take(100)
        raise ValueError
    assert budget.total == 0
