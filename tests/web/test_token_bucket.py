"""A client uses up its allowance and gets it back at a steady rate."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.web import rate_limits
from scorekeeper.web.rate_limits import HOUR, MINUTE, SECOND, SharedBucket, TokenBucket, client_key
from web.conftest import Clock

NewBucket = Callable[[int, int], TokenBucket]


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Shared:
    """Buckets that processes share, as ``LimitStore`` describes them, by the test's clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._full_at = clock, dict[tuple[str, str], int]()

    def use(self, bucket: str, client: str, cost: int, span: int) -> int:
        beyond = self.over(bucket, client, span - cost)
        if beyond <= 0:
            self.charge(bucket, client, cost)
        return max(0, beyond)

    def over(self, bucket: str, client: str, span: int) -> int:
        return self._full_at.get((bucket, client), self._clock.now) - self._clock.now - span

    def charge(self, bucket: str, client: str, cost: int) -> None:
        full_at = self._full_at.get((bucket, client), 0)
        self._full_at[bucket, client] = max(full_at, self._clock.now) + cost

    def purge(self) -> None:
        pass


@pytest.fixture(params=["in memory", "shared"])
def bucket(request: pytest.FixtureRequest, clock: Clock) -> NewBucket:
    """Return a bucket of one process, or one that processes share."""
    if request.param == "in memory":
        return lambda many, span: TokenBucket(many, span, clock)
    store = Shared(clock)
    return lambda many, span: SharedBucket(store, "begun", many, span)


def test_a_used_allowance_is_refilled_one_at_a_time(clock: Clock, bucket: NewBucket) -> None:
    allowance = bucket(60, HOUR)

    assert [allowance.use("guest") for _ in range(61)] == [0] * 60 + [60]
    clock.wait(59)
    assert allowance.use("guest") == 1
    clock.wait(1)
    assert [allowance.use("guest") for _ in range(2)] == [0, 60]


def test_whoever_has_used_up_an_allowance_has_to_wait_for_a_whole_one(
    clock: Clock, bucket: NewBucket
) -> None:
    allowance = bucket(12, HOUR)
    for _ in range(12):
        assert allowance.wait("guest") == 0
        allowance.use("guest")
        clock.wait(1)

    assert allowance.wait("guest") == allowance.use("guest") == 300 - 12
    clock.wait(300 - 12)
    assert allowance.wait("guest") == allowance.use("guest") == 0


def test_addresses_have_separate_allowances(bucket: NewBucket) -> None:
    allowance = bucket(1, MINUTE)

    assert [allowance.use(guest) for guest in ("one", "other", "one")] == [0, 0, 60]


def test_without_a_limit_nothing_is_counted(bucket: NewBucket) -> None:
    allowance = bucket(0, MINUTE)

    assert not any(allowance.use("guest") for _ in range(1000))
    assert len(allowance) == 0


def test_what_is_charged_is_waited_for_until_a_whole_one_is_left(
    clock: Clock, bucket: NewBucket
) -> None:
    allowance = bucket(60, HOUR)
    allowance.charge("guest", 0)
    allowance.charge("guest", 59)
    assert allowance.wait("guest") == 0

    allowance.charge("guest", 3)
    assert (allowance.wait("guest"), allowance.wait("other")) == (180, 0)
    clock.wait(179.5)
    assert allowance.wait("guest") == 1
    clock.wait(0.5)
    assert [allowance.use("guest") for _ in range(2)] == [0, 60]


def test_a_charge_without_a_limit_is_never_waited_for(bucket: NewBucket) -> None:
    allowance = bucket(0, MINUTE)
    allowance.charge("guest", 10**9)

    assert allowance.wait("guest") == allowance.use("guest") == 0


def test_shared_buckets_count_each_limit_and_client_for_itself(clock: Clock) -> None:
    store = Shared(clock)
    begun, wrong = (SharedBucket(store, name, 1, MINUTE) for name in ("begun", "wrong"))
    same = SharedBucket(store, "begun", 1, MINUTE)

    assert [begun.use("guest"), wrong.use("guest"), same.use("other")] == [0, 0, 0]
    assert [begun.use("guest"), wrong.use("guest"), same.wait("other")] == [60, 60, 60]


MOST = {
    "begun": (6, 600),
    "wrong": (10, 6),
    "wrong_short": (60, 1),
    "own_short": (12, 300),
    "added": (2048, 2),
    "imported": (8192, 1),
    "added_to_one": (1024, 4),
}
"""How much of each is allowed with the settings below, and the seconds until another one is."""


@pytest.mark.parametrize("shared", [False, True], ids=["in memory", "shared"])
def test_every_limit_has_its_own_setting_and_span(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    settings = {"GAMES_PER_HOUR": 6, "WRONG_PER_MINUTE": 10}
    settings |= {"KILOBYTES_PER_HOUR": 2, "GAME_KILOBYTES_PER_HOUR": 1}
    limits = rate_limits.limits_from(settings, Shared(clock) if shared else None)
    buckets = {name: bucket for name, bucket in vars(limits).items() if name != "importing"}
    for bucket in buckets.values():
        monkeypatch.setattr(bucket, "_clock", clock)

    waits = {}
    for name, bucket in buckets.items():
        bucket.charge("guest", MOST[name][0] - 1)
        assert bucket.wait("guest") == 0, name
        bucket.charge("guest", 1)
        waits[name] = MOST[name][0], bucket.wait("guest")
    assert waits == MOST


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
