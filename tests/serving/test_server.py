"""The server process: connections, protocols, limits, and shutdown."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from commands import run
from phones import served
from rest import ROOT

pytestmark = pytest.mark.usefixtures("external")

LIMIT = 64 * 1024
PATIENCE_S = 20
STYLE = "/static/base.css"


UVICORN = """
import socket, sys, uvicorn
from pathlib import Path
from scorekeeper.cli.answering import served_app
from scorekeeper.serving.setup import adapt
with served_app(Path(sys.argv[1])) as app, socket.create_server(("127.0.0.1", 0)) as listener:
    options = uvicorn.Config(adapt(app, 0), lifespan="off", log_level="error", server_header=False)
    print("http://127.0.0.1:%d" % listener.getsockname()[1], flush=True)
    uvicorn.Server(options).run([listener])
"""
"""The same application behind another ASGI server, which could take the place of granian."""


@pytest.fixture(scope="module")
def granian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("server") / "games.sqlite") as port:
        yield port


@pytest.fixture(scope="module", params=["granian", "uvicorn"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of each server that can serve the application."""
    if request.param == "granian":
        yield request.getfixturevalue("granian")
        return
    data = tmp_path_factory.mktemp("uvicorn") / "games.sqlite"
    with served(data, "-c", UVICORN, str(data)) as port:
        yield port


@contextmanager
def connected(port: int) -> Iterator[HTTPConnection]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        yield connection


def ask(connection: HTTPConnection, path: str = STYLE, **headers: str) -> int:
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def say(port: int, request: bytes) -> bytes:
    """Return everything that the server sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(request)
        heard = b""
        while piece := connection.recv(1 << 16):
            heard += piece
    return heard


# ---- connections ---------------------------------------------------------------------


def test_a_connection_stays_open_after_a_304(port: int) -> None:
    with connected(port) as connection:
        connection.request("GET", STYLE)
        answer = connection.getresponse()
        answer.read()
        tag, here = answer.headers["ETag"], connection.sock

        statuses = [ask(connection, **{"If-None-Match": tag}) for _ in range(3)]

        assert statuses == [304] * 3
        assert connection.sock is here is not None
        assert ask(connection) == 200


def test_connection_close_is_honoured(port: int) -> None:
    with connected(port) as connection:
        assert ask(connection, Connection="close") == 200
        assert connection.sock is None


def test_pipelined_requests_are_answered_in_order(port: int) -> None:
    first = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    second = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    assert re.findall(rb"HTTP/1.1 (\d+)", say(port, first + second)) == [b"404", b"200"]


def test_http_1_0_is_answered_and_closed(granian: int) -> None:
    assert say(granian, b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 200")


def test_head_has_the_headers_and_no_body(port: int) -> None:
    heard = say(port, f"HEAD {STYLE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    head, _, body = heard.partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 200") and body == b""
    assert int(re.search(rb"content-length: (\d+)", head)[1]) > 0  # type: ignore[index]


def test_http_2_is_not_supported(granian: int) -> None:
    assert say(granian, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == b""


# ---- bodies --------------------------------------------------------------------------

GAME = json.dumps(
    {
        "title": "Abend",
        "rules": {"preset": "german-family"},
        "players": [{"name": "Anna"}, {"name": "Bernd"}],
    }
).encode()
NEW_GAME = f"POST {ROOT}/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
NEW_GAME += "Content-Type: application/json\r\n"


def test_expect_100_continue_is_answered_with_continue(port: int) -> None:
    head = f"{NEW_GAME}Content-Length: {len(GAME)}\r\nExpect: 100-continue\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(head)
        body = connection.recv(100)
        connection.sendall(GAME)
        answer = connection.recv(100)

    assert body.startswith(b"HTTP/1.1 100")
    assert answer.startswith(b"HTTP/1.1 201")


def test_a_chunked_body_is_accepted(port: int) -> None:
    chunks = b"".join(
        f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in (GAME[:9], GAME[9:], b"")
    )
    request = f"{NEW_GAME}Transfer-Encoding: chunked\r\n\r\n".encode() + chunks

    assert say(port, request).startswith(b"HTTP/1.1 201")


@pytest.mark.parametrize("length", [LIMIT + 1, 600_000, 50_000_000])
def test_a_body_over_the_limit_gets_the_apps_error(port: int, length: int) -> None:
    sent = b" " * min(length, 600_000)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(f"{NEW_GAME}Content-Length: {length}\r\n\r\n".encode() + sent)
        heard = connection.recv(1 << 16)

    assert heard.startswith(b"HTTP/1.1 413")
    assert b"content-security-policy: default-src 'self'" in heard


def test_a_chunked_body_over_the_limit_is_refused(port: int) -> None:
    chunks = (b"2000\r\n" + b" " * 0x2000 + b"\r\n") * 9 + b"0\r\n\r\n"
    request = f"{NEW_GAME}Transfer-Encoding: chunked\r\n\r\n".encode() + chunks

    heard = say(port, request)

    assert heard.startswith(b"HTTP/1.1 413")
    assert b"64 KiB" in heard


@pytest.mark.parametrize("chunks", [b"zz\r\n", b"-1\r\n", b"5\r\nabcdefgh\r\n0\r\n\r\n"])
def test_a_malformed_chunked_body_is_refused(granian: int, chunks: bytes) -> None:
    request = f"{NEW_GAME}Transfer-Encoding: chunked\r\n\r\n".encode() + chunks
    heard = say(granian, request)

    assert heard.startswith(b"HTTP/1.1 400")
    assert b"content-security-policy: default-src 'self'" in heard


NO_PLACE = """
import os, sys, tempfile
from pathlib import Path
nowhere = str(Path(sys.argv[1]).parent / "nowhere")
os.environ["TMPDIR"] = tempfile.tempdir = nowhere
from scorekeeper.cli.commands import main
main(["serve", "--port", "0", "--data", sys.argv[1]])
"""


def test_large_bodies_and_answers_need_no_temporary_folder(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    body = b'{"x": "' + b"a" * 1_500_000 + b'"}'
    with served(data, "-c", NO_PLACE, str(data)) as port, connected(port) as connection:
        connection.request(
            "POST", f"{ROOT}/groups/import", body, {"Content-Type": "application/json"}
        )
        imported = connection.getresponse()
        imported.read()
        sheet = ask(connection, f"{ROOT}/rules-card.pdf?preset=robber")

    assert (imported.status, sheet) == (422, 200)


# ---- what the protocol refuses -------------------------------------------------------


def test_a_url_that_is_too_long_gets_a_full_error_page(port: int) -> None:
    request = f"GET /{'a' * 7000} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: en\r\n\r\n"
    heard = say(port, request.encode())

    assert heard.startswith(b"HTTP/1.1 414")
    assert b"referrer-policy: same-origin" in heard and b"The address is too long" in heard


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: a\r\n" * 150 + b"\r\n", b"431"),
    ],
    ids=["nonsense", "large headers", "many headers"],
)
def test_malformed_requests_get_only_a_status(granian: int, request_: bytes, status: bytes) -> None:
    heard = say(granian, request_)

    assert heard.startswith(b"HTTP/1.1 " + status)
    assert heard.endswith(b"\r\n\r\n") and b"content-length: 0" in heard


# ---- how it begins and ends ----------------------------------------------------------


def test_a_port_of_another_scorekeeper_is_in_use(granian: int, tmp_path: Path) -> None:
    refused = run("serve", "--port", granian, "--data", tmp_path / "other.sqlite")

    assert refused.exit_code == 1
    assert f"127.0.0.1:{granian}" in refused.stderr


def test_the_server_listens_on_ipv6(ipv6: str, tmp_path: Path) -> None:
    assert_answered_at(ipv6, tmp_path)


@pytest.mark.skipif(
    sys.platform != "linux",
    reason="only Linux answers at every address from 127.0.0.1 to 127.255.255.254",
)
def test_the_server_listens_on_one_address_only(tmp_path: Path) -> None:
    assert_answered_at("127.0.0.2", tmp_path)


def assert_answered_at(host: str, folder: Path) -> None:
    data = str(folder / "games.sqlite")
    command = ("-m", "scorekeeper", "serve", "--host", host, "--port", "0", "--data", data)
    with (
        served(data, *command) as port,
        closing(HTTPConnection(host, port, timeout=PATIENCE_S)) as connection,
    ):
        assert ask(connection, "/healthz") == 200


HANGING = (
    b"",
    b"GET /",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: ",
    b"POST /new HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\nabc",
)


USUAL = ("-m", "scorekeeper")
WITHOUT_UVLOOP = """
import sys
sys.modules["uvloop"] = None
from scorekeeper.cli.commands import main
main()
"""


@contextmanager
def started(data: Path, *program: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start the real command, and return its process and port."""
    command = [sys.executable, *(program or USUAL), "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout
        found = re.search(rb":(\d+)$", process.stdout.readline().strip())
        assert found
        try:
            yield process, int(found[1])
        finally:
            process.kill()


@pytest.mark.parametrize("program", [USUAL, ("-c", WITHOUT_UVLOOP)], ids=["usual", "asyncio"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_stops_in_time_with_hanging_clients(
    tmp_path: Path, number: int, program: tuple[str, ...]
) -> None:
    data = tmp_path / "games.sqlite"
    with started(data, *program) as (process, port), ExitStack() as hanging:
        for begun in HANGING * 20:
            one = socket.create_connection(("127.0.0.1", port))
            hanging.enter_context(one).sendall(begun)
        with connected(port) as connection:
            assert ask(connection) == 200
        process.send_signal(number)

        assert process.wait(10) == 0  # an unfinished request alone would last 15 s
        assert process.stderr and process.stderr.read() == b""
    assert run("check", "--data", data).exit_code == 0


LAST = """
import os, signal, sys
from scorekeeper.cli import answering
from scorekeeper.cli.commands import main
def last():
    print(signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT), file=sys.stderr)
    os._exit(0)
answering.exit_process = last
main()
"""


def test_a_second_signal_has_its_usual_effect_once_the_server_has_stopped(tmp_path: Path) -> None:
    with started(tmp_path / "games.sqlite", "-c", LAST) as (process, _):
        process.terminate()
        _, said = process.communicate(timeout=10)

    assert said.decode() == f"{signal.SIG_DFL} {signal.default_int_handler}\n"


STARTING = """
import time
from multiprocessing import forkserver
from scorekeeper.cli.commands import main
connect = forkserver.connect_to_new_process
def connect_slowly(fds):
    ends = connect(fds)
    print("starting", flush=True)
    time.sleep(1)
    return ends
forkserver.connect_to_new_process = connect_slowly
main()
"""


def test_a_server_that_is_stopped_while_a_worker_starts_says_nothing(tmp_path: Path) -> None:
    with started(tmp_path / "games.sqlite", "-c", STARTING) as (process, _):
        assert process.stdout and any(line == b"starting\n" for line in process.stdout)
        process.terminate()
        _, said = process.communicate(timeout=10)

    assert process.returncode == 0
    assert said == b""


LOADING = """
from scorekeeper.cli.commands import main
from scorekeeper.workers import pool
pool.PRELOADED[1:] = ["slow"]
main()
"""


def test_ctrl_c_while_the_first_worker_is_loaded_prints_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = "import time\nprint('loading', flush=True)\ntime.sleep(1)\n"
    (tmp_path / "slow.py").write_text(slow)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    with started(tmp_path / "games.sqlite", "-c", LOADING) as (process, _):
        assert process.stdout and any(line == b"loading\n" for line in process.stdout)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=10)

    assert process.returncode == 0
    assert said == b""


def test_the_database_of_a_killed_server_is_free_at_once(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with started(data) as (process, port), connected(port) as connection:
        assert ask(connection) == 200
        process.kill()
        process.wait()
        with served(data) as port, connected(port) as connection:
            assert ask(connection) == 200


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux lets a test read the limits of another process"
)
def test_the_server_raises_its_limit_of_file_descriptors(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[0] - 1, before[1]))
    try:
        with started(tmp_path / "games.sqlite") as (process, port), connected(port) as connection:
            ask(connection, "/healthz")
            soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    assert soft == hard == before[1]


FEW_HANDLES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))
from scorekeeper.cli.commands import main
main(["serve", "--port", "0", "--data", sys.argv[1]])
"""


def test_with_few_file_descriptors_some_are_reserved_for_the_database(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with served(data, "-c", FEW_HANDLES, str(data)) as port, ExitStack() as connections:
        first = connections.enter_context(connected(port))
        assert ask(first) == 200
        for _ in range(400):
            connections.enter_context(socket.create_connection(("127.0.0.1", port)))

        assert [ask(first, "/healthz") for _ in range(50)] == [200] * 50
