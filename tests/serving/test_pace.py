"""Clients with many requests are slowed down beside others, but not alone."""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial

import pytest

from event_loops import run
from scorekeeper.serving import pace as module
from scorekeeper.serving.pace import Gate, Pace


async def begun_at_once(pace: Pace, *clients: Hashable) -> Counter[Hashable]:
    """Return how many requests of each client are started before the next moment."""
    begun: Counter[Hashable] = Counter()

    async def ask(client: Hashable) -> None:
        await pace.wait(client)
        begun[client] += 1

    asking = [asyncio.ensure_future(ask(client)) for client in clients]
    for _ in range(5):
        await asyncio.sleep(0)
    so_far = begun.copy()
    await asyncio.gather(*asking)
    assert begun == Counter(clients)
    return so_far


def test_a_single_client_never_waits() -> None:
    begun = run(begun_at_once(Pace(many=5), *["one"] * 100))

    assert begun == {"one": 100}


def test_beside_other_clients_requests_are_started_at_a_limited_rate() -> None:
    begun = run(begun_at_once(Pace(many=5), "phone", *["greedy"] * 100, "phone"))

    assert begun == {"phone": 2, "greedy": 5}


def test_a_client_alone_again_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def later() -> Counter[Hashable]:
        pace = Pace(many=5)
        await begun_at_once(pace, "phone", "greedy")
        monkeypatch.setattr(pace, "_others_until", 0.0)
        return await begun_at_once(pace, *["greedy"] * 100)

    assert run(later()) == {"greedy": 100}


def test_other_clients_count_for_a_minute() -> None:
    async def remembered() -> float:
        pace = Pace()
        await begun_at_once(pace, "phone", "greedy")
        return pace._others_until - asyncio.get_running_loop().time()

    assert module.OTHERS_S - 30 < run(remembered()) <= module.OTHERS_S


class Intervals:
    """A running loop whose timers fire only when the test ends an interval."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.timers: list[Callable[[], None]] = []
        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", self._call_later)

    def _call_later(self, delay: float, call: Callable[..., None], *given: object) -> None:
        assert delay == module.INTERVAL_S
        self.timers.append(partial(call, *given))

    async def end(self) -> None:
        """Fire the timers, and let everything run that they start."""
        timers, self.timers = self.timers, []
        for call in timers:
            call()
        await settled()


async def settled() -> None:
    """Let every request run until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_waiting_requests_are_started_at_the_same_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    async def begun_by_interval() -> list[int]:
        intervals, pace, begun = Intervals(monkeypatch), Pace(many=5), []

        async def ask(client: str, number: int) -> None:
            await pace.wait(client)
            begun.append((client, number))

        asking = [asyncio.ensure_future(ask("phone", 0))]
        asking += [asyncio.ensure_future(ask("greedy", number)) for number in range(18)]
        await settled()
        counts = [len(begun) - 1]
        for _ in range(3):
            await intervals.end()
            counts.append(len(begun) - 1)
        await asyncio.gather(*asking)
        assert begun == [("phone", 0), *(("greedy", number) for number in range(18))]
        return counts

    assert run(begun_by_interval()) == [5, 10, 15, 18]


def test_each_interval_counts_anew_and_the_last_is_without_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def begun_by_interval() -> list[int]:
        intervals, pace, counts = Intervals(monkeypatch), Pace(many=5), []
        await pace.wait("phone")
        for _ in range(2):
            asking = [asyncio.ensure_future(pace.wait("greedy")) for _ in range(8)]
            await settled()
            counts.append(sum(one.done() for one in asking))
            await intervals.end()  # the other three begin, and count in this interval
            more = [asyncio.ensure_future(pace.wait("greedy")) for _ in range(3)]
            await settled()
            counts.append(sum(one.done() for one in (*asking, *more)))
            await intervals.end()
            counts.append(sum(one.done() for one in (*asking, *more)))
            await intervals.end()
            assert intervals.timers == []
        return counts

    assert run(begun_by_interval()) == 2 * [5, 10, 11]


def test_requests_given_up_while_they_wait_take_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def begun() -> list[bool]:
        intervals, pace = Intervals(monkeypatch), Pace(many=2)
        await pace.wait("phone")
        asking = [asyncio.ensure_future(pace.wait("greedy")) for _ in range(4)]
        await settled()
        asking[2].cancel()
        await intervals.end()
        late = asyncio.ensure_future(pace.wait("greedy"))
        await settled()
        return [one.done() for one in (*asking, late)]

    assert run(begun()) == [True] * 5


def test_requests_under_way_are_limited_by_client_and_ordered() -> None:
    async def come() -> list[tuple[str, int]]:
        gate, seen = Gate(many=2), []

        async def visit(client: str, number: int) -> None:
            async with gate.place_for(client):
                seen.append((client, number))
                inside[client] += 1
                assert inside[client] <= 2
                await asyncio.sleep(0)
                inside[client] -= 1

        inside: Counter[str] = Counter()
        visits = [asyncio.ensure_future(visit("greedy", number)) for number in range(10)]
        visits.append(asyncio.ensure_future(visit("phone", 1)))
        visits[3].cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        return seen

    seen = run(come())

    assert seen[:3] == [("greedy", 0), ("greedy", 1), ("phone", 1)]
    assert [number for client, number in seen if client == "greedy"] == [0, 1, 2, *range(4, 10)]


def test_a_request_cancelled_when_it_gets_its_place_passes_it_on() -> None:
    async def cancelled() -> list[int]:
        gate, seen, leave = Gate(many=1), [], asyncio.Event()

        async def visit(number: int) -> None:
            async with gate.place_for("client"):
                seen.append(number)
                await leave.wait()

        visits = [asyncio.ensure_future(visit(number)) for number in range(3)]
        await asyncio.sleep(0)
        leave.set()
        await asyncio.sleep(0)  # the first one leaves, and its place is given to the second
        visits[1].cancel()
        await asyncio.wait_for(asyncio.gather(*visits, return_exceptions=True), 5)
        return seen

    assert run(cancelled()) == [0, 2]


def test_a_gate_forgets_clients_without_requests() -> None:
    async def gone() -> int:
        gate = Gate()
        async with gate.place_for("one"):
            assert len(gate._places) == 1
        return len(gate._places)

    assert run(gone()) == 0
