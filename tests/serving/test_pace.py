"""Clients with many requests are slowed down beside others, but not alone."""

import asyncio
from collections import Counter
from collections.abc import Hashable

import pytest

from loops import run
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


def test_the_requests_of_a_client_under_way_are_limited_and_ordered() -> None:
    async def come() -> list[tuple[str, int]]:
        gate, seen = Gate(many=2), []

        async def visit(client: str, number: int) -> None:
            await gate.enter(client)
            seen.append((client, number))
            inside[client] += 1
            assert inside[client] <= 2
            await asyncio.sleep(0)
            inside[client] -= 1
            gate.leave(client)

        inside: Counter[str] = Counter()
        visits = [asyncio.ensure_future(visit("greedy", number)) for number in range(10)]
        visits.append(asyncio.ensure_future(visit("phone", 1)))
        visits[3].cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        return seen

    seen = run(come())

    assert seen[:3] == [("greedy", 0), ("greedy", 1), ("phone", 1)]
    assert [number for client, number in seen if client == "greedy"] == [0, 1, 2, *range(4, 10)]
