"""Waiting on many lines: who is silent is not asked again and again, and nobody is forgotten."""

import json
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

import pytest

from phones import served
from scorekeeper import lines
from scorekeeper.lines import Waiting


class Line:
    """One end of a line that is open; the other end is a phone."""

    accepting = False

    def __init__(self, known: dict[int, "Line"]) -> None:
        self.here, self.phone = socket.socketpair()
        self.known = known
        self.listens, self.has_to_send = True, False
        self.asked = self.heard = self.sent = 0
        known[self.here.fileno()] = self

    def readable(self) -> bool:
        self.asked += 1
        return self.listens

    def writable(self) -> bool:
        return self.has_to_send

    def handle_read_event(self) -> None:
        self.heard += len(self.here.recv(100))

    def handle_write_event(self) -> None:
        self.sent += 1
        self.has_to_send = False

    def hang_up(self) -> None:
        del self.known[self.here.fileno()]
        self.close()

    def close(self) -> None:
        self.here.close()
        self.phone.close()


@pytest.fixture
def room(clock: list[float]) -> Iterator[dict[int, Line]]:
    if not hasattr(select, "epoll"):
        pytest.skip("lines.py is for Linux, which has epoll; here waitress waits in its own way")
    known: dict[int, Line] = {}
    yield known
    for line in known.values():
        line.close()


def test_who_is_silent_is_asked_once(room: dict[int, Line]) -> None:
    quiet, loud = [Line(room) for _ in range(50)], Line(room)
    waiting = Waiting(room)
    for _ in range(20):
        loud.phone.send(b"?")
        waiting.once(1)

    assert loud.heard == 20
    assert {line.asked for line in quiet} == {1}


def test_a_line_whose_question_is_being_answered_is_asked_until_it_listens_again(
    room: dict[int, Line],
) -> None:
    line, waiting = Line(room), Waiting(room)
    line.phone.send(b"?")
    waiting.once(1)
    line.listens = False
    waiting.once(0)
    asked = line.asked

    waiting.once(0)
    line.listens = line.has_to_send = True  # by a worker, which nothing on the line tells of
    waiting.once(1)

    assert (line.asked, line.sent) == (asked + 2, 1)
    line.phone.send(b"?")
    waiting.once(1)
    waiting.once(1)
    assert line.heard == 2


def test_who_comes_later_is_heard_too(room: dict[int, Line]) -> None:
    Line(room)
    waiting = Waiting(room)
    waiting.once(0)

    late = Line(room)
    late.phone.send(b"?")
    waiting.once(1)

    assert late.heard == 1


def test_a_line_that_is_gone_is_waited_for_no_more_and_its_handle_serves_another(
    room: dict[int, Line],
) -> None:
    gone, waiting = Line(room), Waiting(room)
    waiting.once(0)
    handle = gone.here.fileno()
    gone.hang_up()
    waiting.once(0)

    comers = [Line(room) for _ in range(3)]
    assert handle in room
    for comer in comers:
        comer.phone.send(b"?")
    waiting.once(1)

    assert [comer.heard for comer in comers] == [1, 1, 1]


def test_every_second_all_are_asked_since_who_was_silent_too_long_is_to_be_hung_up(
    room: dict[int, Line], clock: list[float]
) -> None:
    quiet, waiting = Line(room), Waiting(room)
    waiting.once(0)
    quiet.has_to_send = True  # as waitress marks a line that it wants to close
    waiting.once(0)
    assert quiet.sent == 0

    clock[0] += lines.ALL_AGAIN_S
    waiting.once(0)

    assert quiet.sent == 1


# ---- a line that stays open ----------------------------------------------------------


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    data: Path = tmp_path_factory.mktemp("lines") / "games.sqlite"
    with served(data) as port:
        yield port


def asked(line: HTTPConnection, **headers: str) -> int:
    line.request("GET", "/static/style.css", headers=headers)
    answer = line.getresponse()
    answer.read()
    return answer.status


def test_who_is_told_that_nothing_is_new_asks_again_on_the_same_line(port: int) -> None:
    line = HTTPConnection("127.0.0.1", port)
    line.request("GET", "/static/style.css")
    answer = line.getresponse()
    answer.read()
    tag, here = answer.headers["ETag"], line.sock

    browsers = {"If-None-Match": tag, "Connection": "keep-alive"}
    statuses = [asked(line, **browsers) for _ in range(3)] + [asked(line, **{"If-None-Match": tag})]

    assert statuses == [304] * 4
    assert line.sock is here is not None
    assert asked(line) == 200
    line.close()


def test_who_wants_to_hang_up_is_hung_up_on(port: int) -> None:
    line = HTTPConnection("127.0.0.1", port)
    line.request("GET", "/static/style.css")
    answer = line.getresponse()
    answer.read()

    status = asked(line, **{"If-None-Match": answer.headers["ETag"], "Connection": "close"})

    assert (status, line.sock) == (304, None)
    line.close()


def healthy(line: HTTPConnection) -> str:
    line.request("GET", "/healthz")
    return str(json.load(line.getresponse())["database"])


FEW_HANDLES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))
from scorekeeper.cli import main
main(["serve", "--port", "0", "--data", sys.argv[1]])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits are asked of Linux")
def test_where_handles_are_few_phones_leave_some_to_the_record(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with served(data, "-c", FEW_HANDLES, str(data)) as port, ExitStack() as lines:
        first = HTTPConnection("127.0.0.1", port)
        lines.callback(first.close)
        assert asked(first) == 200
        for _ in range(400):
            lines.enter_context(socket.create_connection(("127.0.0.1", port)))

        told = [healthy(first) for _ in range(50)]  # while they are let in one by one

        assert told == ["ok"] * 50
