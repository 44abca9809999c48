"""Machines, processes and cables break while phones record: nothing saved is lost (G1, G2)."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from random import Random

import psutil
import psycopg
import pytest

from bars import SOAK, noted, tried, trying
from cluster.conftest import Tried
from deploy.cluster.cluster import APPS, processes
from scorekeeper.client import Lost, Refused, Server
from scorekeeper.client.http import new_key
from scorekeeper.store.check import check

PHONES = 4
PAUSE_S = 0.2
"""Seconds between two rounds of a phone."""
MOST_SILENCE_S = 45
RULES = {"preset": "wiener", "options": {"end.mode": "manual"}}


class Phone(threading.Thread):
    """Records one round after the other in a game of its own, each until it is saved."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.game = Server(address, waits=()).new_game("", RULES, ("Anna", "Ben"))
        self.saved_at: list[float] = []
        self.last_sent_at = 0.0
        """When the last saved round was sent for the first time."""
        self._stopping = threading.Event()
        self.start()

    def run(self) -> None:
        while not self._stopping.wait(PAUSE_S):
            self._record(len(self.saved_at))

    def _record(self, points: int) -> None:
        key, sent_at = new_key(), time.monotonic()
        played = {"outcome": "out", "winner": 0, "seats": [{}, {"points": points}]}
        while not self._stopping.is_set():
            try:
                self.game.record(played, key)
            except (Lost, Refused) as error:
                if isinstance(error, Refused) and error.status < 500:
                    raise
                self._stopping.wait(PAUSE_S)
            else:
                self.last_sent_at = sent_at
                self.saved_at.append(time.monotonic())
                return

    def stop(self) -> None:
        self._stopping.set()
        self.join()


@contextmanager
def phones_at(cluster: Tried) -> Iterator[list[Phone]]:
    phones = [Phone(cluster.url) for _ in range(PHONES)]
    try:
        yield phones
    finally:
        for phone in phones:
            phone.stop()


def wait_for_rounds(cluster: Tried, phones: Sequence[Phone], since: float, each: int = 1) -> None:
    """Wait until every phone has saved rounds that it first sent after a moment."""

    def has_saved(phone: Phone) -> bool:
        late = [at for at in phone.saved_at if at > since]
        return len(late) >= each and phone.last_sent_at > since

    cluster.until(lambda: all(map(has_saved, phones)), "every phone to record")


def kept(cluster: Tried, phone: Phone) -> list[int]:
    """Return the points of the rounds in the record."""
    with cluster.ledger() as ledger:
        return [row.points(1).minus for row in ledger.game(phone.game.id).sheet.rows]


def silence(phones: Sequence[Phone]) -> float:
    """Return the longest time without a saved round, of all phones together."""
    times = sorted(at for phone in phones for at in phone.saved_at)
    return max(after - before for before, after in pairwise(times))


# ---- what breaks -------------------------------------------------------------------------


def lose_machine(cluster: Tried, phones: Sequence[Phone]) -> None:
    """Kill the machine of the primary, some rounds after it has ceased to send to standbys.

    Without a synchronous standby these rounds are reported as saved, and lost.
    """
    primary = cluster.primary()
    assert primary
    for sender in senders(cluster):
        sender.suspend()
    saved = sum(len(phone.saved_at) for phone in phones)
    until = time.monotonic() + 1
    while time.monotonic() < until and sum(len(phone.saved_at) for phone in phones) < saved + 8:
        time.sleep(0.01)
    cluster.kill(primary)


def senders(cluster: Tried) -> list[psutil.Process]:
    """Return the processes of the primary that send to standbys."""
    with psycopg.connect(
        cluster.address("postgres", "postgres"), target_session_attrs="read-write"
    ) as connection:
        found = connection.execute("SELECT pid FROM pg_stat_replication").fetchall()
    return [psutil.Process(pid) for (pid,) in found]


def lose_postgres(cluster: Tried, phones: Sequence[Phone]) -> None:
    """Kill PostgreSQL on the machine of the primary; its Patroni starts it again."""
    primary = cluster.primary()
    assert primary
    for process in processes(cluster.folder / primary):
        if process.info["name"] == "postgres":
            with suppress(psutil.Error):
                process.kill()


def lose_worker(cluster: Tried, phones: Sequence[Phone]) -> None:
    """Kill a process that answers requests; another one takes its place."""
    for app in APPS:
        found = processes(cluster.folder / app)
        (first,) = (one for one in found if one.parent() not in found)
        first.children()[0].kill()


def lose_network(cluster: Tried, phones: Sequence[Phone]) -> None:
    """Cut the network of the machine of the primary."""
    primary = cluster.primary()
    assert primary
    cluster.cut(primary)


FAULTS: tuple[Callable[[Tried, Sequence[Phone]], None], ...] = (
    lose_worker,
    lose_postgres,
    lose_machine,
    lose_network,
)


@pytest.mark.bar("G1")
@pytest.mark.bar("G2")
def test_whatever_breaks_no_saved_round_is_lost_and_phones_write_again(cluster):
    silences = []
    for number, dice in enumerate(trying("G1")):
        cluster.repair()
        silences.append(survived(cluster, FAULTS[number % len(FAULTS)], dice))
        noted(f"no saved round for {max(silences):.0f} s at most")

        if SOAK:  # where nothing else runs beside it
            assert silences[-1] < MOST_SILENCE_S


def survived(
    cluster: Tried, fault: Callable[[Tried, Sequence[Phone]], None], dice: Random
) -> float:
    """Let something break while phones record; return the longest time without a saved round."""
    with phones_at(cluster) as phones:
        wait_for_rounds(cluster, phones, since=0, each=dice.randint(3, 20))
        fault(cluster, phones)
        wait_for_rounds(cluster, phones, since=time.monotonic())
    for phone in phones:
        recorded, saved = kept(cluster, phone), len(phone.saved_at)
        assert recorded == list(range(len(recorded)))
        assert len(recorded) - saved in (0, 1)  # the last one may be saved without an answer
    with cluster.ledger() as ledger:
        assert check(ledger).clean
    return silence(phones)


# ---- the broken variant ------------------------------------------------------------------


@pytest.mark.bar("G1", control="no synchronous standby")
def test_without_a_synchronous_standby_saved_rounds_are_lost(cluster):
    cluster.wait_for_standby(False)
    with phones_at(cluster) as phones:
        wait_for_rounds(cluster, phones, since=0, each=3)
        lose_machine(cluster, phones)
        saved = [len(phone.saved_at) for phone in phones]
    cluster.until(cluster.primary, "a new primary")
    lost = [before - len(kept(cluster, phone)) for before, phone in zip(saved, phones, strict=True)]
    cluster.wait_for_standby(True)

    assert all(number >= 0 for number in lost)
    assert sum(lost) > 0
    tried(failed=sum(lost))
