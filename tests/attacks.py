"""Attacks on the server by strangers, in their own process.

Each comes from one address with as many connections as it gets, and goes on until its
standard input is closed. Reads from standard input, as one line of JSON::

    {"port": 8000, "attack": "slow headers", "most": 15000, "facts": {"game": "..."}}

and says ``ready`` once its first connections are open. A connection that the server closes
is opened again. Only loopback is attacked.
"""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORWARDED = "203.0.113.7"
"""The header that a proxy would add, so that limits count them and not this machine."""
DRIP_S = 1.0
"""The pause between two bytes of a slow sender."""
PIPELINED = 24
API = "/api/v1"
READS = f"{API}/melds/check"
"""A request that everybody may make and whose body is read."""
JSON = "Content-Type: application/json"
Facts = Mapping[str, Any]
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Facts], Any]


@dataclass(frozen=True)
class Attack:
    """An attack: what each connection does, and the largest number of connections."""

    talk: Talk
    connections: int


# ---- what they do ------------------------------------------------------------------------


def head(method: str, path: str, *headers: str) -> bytes:
    """Return the beginning of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"X-Forwarded-For: {FORWARDED}"]
    return "\r\n".join([*lines, *headers]).encode()


async def drip(writer: asyncio.StreamWriter) -> None:
    """Send a byte now and then."""
    while True:
        await asyncio.sleep(DRIP_S)
        writer.write(b"a")
        await writer.drain()


async def idle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, facts: Facts) -> None:
    """Connect and send nothing."""
    await reader.read()


async def slow_headers(reader: Any, writer: asyncio.StreamWriter, facts: Facts) -> None:
    """Never finish the headers."""
    writer.write(head("GET", "/", "X-Slow: "))
    await drip(writer)


async def slow_bodies(reader: Any, writer: asyncio.StreamWriter, facts: Facts) -> None:
    """Never finish the body."""
    writer.write(head("POST", READS, JSON, "Content-Length: 60000", "", ""))
    await drip(writer)


async def large_headers(reader: Any, writer: asyncio.StreamWriter, facts: Facts) -> None:
    """Fill the server's buffers for unfinished headers."""
    writer.write(head("GET", "/", "X-Large: " + "a" * 7_500))
    await reader.read()


async def unfinished_bodies(reader: Any, writer: asyncio.StreamWriter, facts: Facts) -> None:
    """Fill the server's buffers for unfinished bodies."""
    order = head("POST", READS, JSON, "Content-Length: 60001", "", "")
    writer.write(order + b" " * 60_000)
    await reader.read()


async def huge_bodies(reader: Any, writer: asyncio.StreamWriter, facts: Facts) -> None:
    """Send a body of the size of an import and more, and never finish it."""
    length = random.choice((1 << 30, 16 << 20, 4 << 20))
    path = random.choice((f"{API}/games/import", f"{API}/groups/import", "/new"))
    writer.write(head("POST", path, f"Content-Length: {length}", "", ""))
    for _ in range(length >> 16):
        writer.write(b" " * ((1 << 16) - 1))
        await writer.drain()
    await reader.read()


def asking(requests: Callable[[Facts], Iterator[bytes]]) -> Talk:
    """Return the attack that sends one request after the other, as fast as they are answered."""

    async def ask(reader: Any, writer: asyncio.StreamWriter, facts: Facts) -> None:
        for request in requests(facts):
            writer.write(request)
            await writer.drain()
            answer = await reader.readuntil(b"\r\n\r\n")
            for line in answer.lower().splitlines():
                if line.startswith(b"content-length:") and b" 304 " not in answer.splitlines()[0]:
                    await reader.readexactly(int(line.partition(b":")[2]))
            if b"connection: close" in answer.lower():
                return

    return ask


def secret() -> str:
    return "".join(random.choices("abcdefghjkmnpqrstvwxyz0123456789", k=28))


def guesses(facts: Facts) -> Iterator[bytes]:
    """Guess secrets."""
    while True:
        yield head(
            "GET", f"{API}/games/{facts['game']}", f"Authorization: Bearer {secret()}", "", ""
        )


def long_addresses(facts: Facts) -> Iterator[bytes]:
    """Fill the cache of unchanged answers with new URLs."""
    base = f"{API}/games/{facts['game']}"
    right = f"Authorization: Bearer {facts['watch']}"
    while True:
        path = f"{base}?{secret()}{'y' * random.choice((5_500, 7_000))}"
        yield head("GET", path, right, f"If-None-Match: {facts['tag']}", "", "")


def pages(facts: Facts) -> Iterator[bytes]:
    """Request the public pages."""
    while True:
        yield head("GET", random.choice(("/new", "/", "/referee", "/status")), "", "")


def papers(facts: Facts) -> Iterator[bytes]:
    """Request PDFs."""
    while True:
        preset = random.choice(("robber", "german-family", "gin-palast", "romme-palast"))
        yield head("GET", f"{API}/rules-card.pdf?preset={preset}", "", "")


HARD_HAND = {
    "rules": {"preset": "romme-palast", "options": {"wild.twos": True}},
    "cards": "2H 6C 8C AD JH 9C 2C KC KD 2S JS 2H 7C JK QC 2D",
    "has_laid": True,
    "table": [{"cards": "3C 4C 5C"}],
}


def hands(facts: Facts) -> Iterator[bytes]:
    """Arrange hands that take long, each a little different."""
    cards = str(HARD_HAND["cards"]).split()
    while True:
        random.shuffle(cards)
        body = json.dumps({**HARD_HAND, "cards": " ".join(cards[: random.randint(13, 16)])})
        length = f"Content-Length: {len(body)}"
        yield head("POST", f"{API}/hands/arrange", JSON, length, "", body)


def imports(facts: Facts) -> Iterator[bytes]:
    """Import games and groups of the largest size: valid ones, forged ones, and invalid ones."""
    made = {
        path: [file.read_bytes() for file in sorted(Path(facts["books"]).glob(f"{path}.*"))]
        for path in ("games", "groups")
    }
    while True:
        path = random.choice(("games", "groups"))
        body = random.choice(made[path])
        match random.randrange(4):
            case 0:
                body = body.replace(b'"head": "', b'"head": "0', 1)
            case 1:
                body = b"[" * random.randint(1, 100_000)
            case 2:
                body = b"[" + b"{}," * random.randint(1, len(body) // 3) + b"{}]"
        query = random.choice(("", "?as_it_was=true"))
        length = f"Content-Length: {len(body)}"
        yield head("POST", f"{API}/{path}/import{query}", JSON, length, "", "") + body


async def no_readers(reader: Any, writer: asyncio.StreamWriter, facts: Facts) -> None:
    """Request a large file again and again, many times in one packet, and read nothing."""
    while True:
        writer.write(head("GET", facts["large"], "", "") * PIPELINED)
        await writer.drain()
        await asyncio.sleep(DRIP_S)


ATTACKS = {
    "idle": Attack(idle, 100_000),
    "slow headers": Attack(slow_headers, 100_000),
    "large headers": Attack(large_headers, 100_000),
    "slow bodies": Attack(slow_bodies, 100_000),
    "unfinished bodies": Attack(unfinished_bodies, 2_000),
    "huge bodies": Attack(huge_bodies, 400),
    "long addresses": Attack(asking(long_addresses), 400),
    "wrong secrets": Attack(asking(guesses), 400),
    "pages": Attack(asking(pages), 400),
    "paper": Attack(asking(papers), 200),
    "hard hands": Attack(asking(hands), 200),
    "imports": Attack(asking(imports), 100),
    "no readers": Attack(no_readers, 2_000),
}
"""By name; one more is one more row. The last number is how many connections make it worst:
enough that the attacker itself is not the bottleneck."""


# ---- their process -----------------------------------------------------------------------


class Strangers:
    """Open all connections of one attack."""

    def __init__(self, work: Mapping[str, Any]) -> None:
        self.port, self.facts = work["port"], work["facts"]
        self.attack = ATTACKS[work["attack"]]
        self.count = min(self.attack.connections, work["most"])
        self.open = 0
        one = random.Random()  # not the last one's, whose ports the system keeps for a minute
        self.address = f"127.9.{one.randint(0, 255)}.{one.randint(1, 254)}"

    async def one(self) -> None:
        """Open a connection, again whenever it ends."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.address, 0)
                )
                self.open += 1
                try:
                    await self.attack.talk(reader, writer, self.facts)
                finally:
                    self.open -= 1
                    writer.close()
            await asyncio.sleep(0.05 + random.random() / 2)

    async def as_many_as_are_let_in(self) -> None:
        """Wait until all connections are open, or no more are opened for a second."""
        before = -1
        while before < self.open < self.count:
            before = self.open
            await asyncio.sleep(1)

    async def all(self) -> None:
        """Open a thousand connections at a time, until the attack ends."""
        tasks = []
        for number in range(self.count):
            tasks.append(asyncio.create_task(self.one()))
            if number % 500 == 499:
                await asyncio.sleep(0.02)
        await self.as_many_as_are_let_in()
        print("ready", self.open, flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for task in tasks:
            task.cancel()


@contextmanager
def attacking(port: int, attack: str, facts: Facts, most: int) -> Iterator[int]:
    """Run attacks, and return the number of connections they opened."""
    work = {"port": port, "attack": attack, "facts": facts, "most": most}
    with subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(work) + "\n")
        process.stdin.flush()
        try:
            yield int(process.stdout.readline().split()[1])
        finally:
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


if __name__ == "__main__":
    import resource

    _, most_handles = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_handles, most_handles))
    order = json.loads(sys.stdin.readline())
    order["most"] = min(order["most"], most_handles - 200)
    asyncio.run(Strangers(order).all())
