"""Who asks very often beside others waits for the next moment; who is alone does not."""

import asyncio
from collections import Counter
from collections.abc import Hashable

import pytest

from loops import run
from scorekeeper.serving import pace as module
from scorekeeper.serving.pace import Gate, Pace


async def begun_at_once(pace: Pace, *clients: Hashable) -> Counter[Hashable]:
    """How many requests of each are begun before the next moment."""
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


def test_beside_others_so_many_are_begun_in_a_moment_and_the_others_later() -> None:
    begun = run(begun_at_once(Pace(many=5), "phone", *["greedy"] * 100, "phone"))

    assert begun == {"phone": 2, "greedy": 5}


def test_after_a_while_without_others_nobody_waits_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def later() -> Counter[Hashable]:
        pace = Pace(many=5)
        await begun_at_once(pace, "phone", "greedy")
        monkeypatch.setattr(pace, "_others_until", 0.0)
        return await begun_at_once(pace, *["greedy"] * 100)

    assert run(later()) == {"greedy": 100}


def test_others_are_remembered_for_a_minute() -> None:
    async def remembered() -> float:
        pace = Pace()
        await begun_at_once(pace, "phone", "greedy")
        return pace._others_until - asyncio.get_running_loop().time()

    assert module.OTHERS_S - 30 < run(remembered()) <= module.OTHERS_S


def test_only_so_many_of_one_client_are_inside_and_they_come_in_order() -> None:
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
