"""A client uses up its limit and gets it back at a steady rate."""

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


def test_after_the_allowance_is_used_one_comes_back_at_a_time(clock: Clock) -> None:
    allowance = TokenBucket(60, HOUR, clock)

    assert [allowance.use("guest") for _ in range(61)] == [0] * 60 + [60]
    clock.wait(59)
    assert allowance.use("guest") == 1
    clock.wait(1)
    assert [allowance.use("guest") for _ in range(2)] == [0, 60]


def test_one_address_does_not_use_what_is_anothers(clock: Clock) -> None:
    allowance = TokenBucket(1, MINUTE, clock)

    assert [allowance.use(guest) for guest in ("one", "other", "one")] == [0, 0, 60]


def test_without_a_limit_nothing_is_counted_or_kept(clock: Clock) -> None:
    allowance = TokenBucket(0, MINUTE, clock)

    assert not any(allowance.use("guest") for _ in range(1000))
    assert len(allowance) == 0


@given(st.integers(1, 100), st.lists(st.integers(0, 90), max_size=200))
def test_in_no_span_is_more_allowed_than_twice_the_allowance(many: int, waits: list[int]) -> None:
    clock, times = Clock(), []
    allowance = TokenBucket(many, MINUTE, clock)
    for wait in waits:
        clock.wait(wait / 10)
        if not allowance.use("guest"):
            times.append(clock.now)

    assert all(sum(at <= t < at + MINUTE for t in times) <= 2 * many for at in times)


def test_no_address_is_kept_longer_than_its_limit_needs(clock: Clock) -> None:
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


def test_addresses_are_forgotten_even_if_nobody_asks_again() -> None:
    allowance = TokenBucket(1, SECOND // 20)
    allowance.use("guest")
    for _ in range(100):
        if len(allowance) == 0:
            return
        time.sleep(0.05)

    pytest.fail("it is remembered for good")


def test_however_many_addresses_ask_only_so_many_are_remembered(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "MOST_ADDRESSES", 10)
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
def test_this_machine_itself_is_nobody_to_be_limited(here: str) -> None:
    assert client_key(here) is None
