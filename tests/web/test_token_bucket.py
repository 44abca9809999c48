"""A client uses up its allowance and gets it back at a steady rate."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.web import rate_limits
from scorekeeper.web.rate_limits import HOUR, MINUTE, SECOND, TokenBucket, client_key
from web.conftest import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_used_allowance_is_refilled_one_at_a_time(clock: Clock) -> None:
    allowance = TokenBucket(60, HOUR, clock)

    assert [allowance.use("guest") for _ in range(61)] == [0] * 60 + [60]
    clock.wait(59)
    assert allowance.use("guest") == 1
    clock.wait(1)
    assert [allowance.use("guest") for _ in range(2)] == [0, 60]


def test_whoever_has_used_up_an_allowance_has_to_wait_for_a_whole_one(clock: Clock) -> None:
    allowance = TokenBucket(12, HOUR, clock)
    for _ in range(12):
        assert allowance.wait("guest") == 0
        allowance.use("guest")
        clock.wait(1)

    assert allowance.wait("guest") == allowance.use("guest") == 300 - 12
    clock.wait(300 - 12)
    assert allowance.wait("guest") == allowance.use("guest") == 0


def test_addresses_have_separate_allowances(clock: Clock) -> None:
    allowance = TokenBucket(1, MINUTE, clock)

    assert [allowance.use(guest) for guest in ("one", "other", "one")] == [0, 0, 60]


def test_without_a_limit_nothing_is_counted(clock: Clock) -> None:
    allowance = TokenBucket(0, MINUTE, clock)

    assert not any(allowance.use("guest") for _ in range(1000))
    assert len(allowance) == 0


@given(st.integers(1, 100), st.lists(st.integers(0, 90), max_size=200))
def test_no_period_allows_more_than_twice_the_allowance(many: int, waits: list[int]) -> None:
    clock, times = Clock(), []
    allowance = TokenBucket(many, MINUTE, clock)
    for wait in waits:
        clock.wait(wait / 10)
        if not allowance.use("guest"):
            times.append(clock.now)

    assert all(sum(at <= t < at + MINUTE for t in times) <= 2 * many for at in times)


def test_addresses_are_dropped_when_their_allowance_is_full_again(clock: Clock) -> None:
    allowance = TokenBucket(30, MINUTE, clock)
    allowance.use("once")
    for _ in range(40):
        allowance.use("often")

    assert len(allowance) == 2
    clock.wait(2)
    allowance.purge()
    assert len(allowance) == 1
    clock.wait(58)
    allowance.purge()
    assert len(allowance) == 0


def test_addresses_are_dropped_without_another_request() -> None:
    allowance = TokenBucket(1, SECOND // 20)
    allowance.use("guest")
    for _ in range(100):
        if len(allowance) == 0:
            return
        time.sleep(0.05)

    pytest.fail("it is remembered for good")


def test_the_number_of_stored_addresses_is_limited(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_ADDRESSES", 10)
    allowance = TokenBucket(2, MINUTE, clock)
    for _ in range(2):
        allowance.use("greedy")
    for guest in range(100):
        allowance.use(guest)

    assert len(allowance) == 10
    assert allowance.use("greedy") > 0  # the client that used most is remembered longest


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_a_household_is_one_address_of_ipv4_and_one_network_of_ipv6(
    one: str, other: str, same: bool
) -> None:
    assert (client_key(one) == client_key(other)) is same


@pytest.mark.parametrize("here", ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_not_limited(here: str) -> None:
    assert client_key(here) is None
