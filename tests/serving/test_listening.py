"""Addresses, limits and event loop of the server, which does not run here."""

import asyncio
import resource
import socket
import sys
from contextlib import closing

import pytest

from rest import ROOT
from scorekeeper.serving.lan import address, find_address, home_address
from scorekeeper.serving.server import most_connections, new_event_loop, raise_handle_limit
from scorekeeper.serving.setup import body_limit
from scorekeeper.web.api.group_transfer import MAX_GROUP
from scorekeeper.web.api.photographs import MAX_UPLOAD
from scorekeeper.web.api.transfer import MAX_IMPORT

LIMIT = 64 * 1024

# ---- addresses -----------------------------------------------------------------------


@pytest.mark.usefixtures("own_port")
def test_a_host_name_is_resolved_and_a_free_port_is_found() -> None:
    address, port = find_address("localhost", 0)

    assert (address, port > 0) == ("127.0.0.1", True)
    with socket.create_server((address, port)):
        pass


def test_a_port_of_an_ipv6_address_is_found(ipv6: str) -> None:
    address, port = find_address(ipv6, 0)

    assert (address, port > 0) == (ipv6, True)


@pytest.mark.usefixtures("own_port")
def test_a_port_that_is_taken_and_an_address_of_another_machine_are_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        find_address(*taken.getsockname())
    with pytest.raises(OSError, match="assign requested address"):
        find_address("192.0.2.1", 0)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("192.168.7.20", "http://192.168.7.20:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("::1", "http://[::1]:8000"),
    ],
)
def test_the_address_for_a_browser_on_this_machine(host: str, url: str) -> None:
    assert address(host, 8000) == url


@pytest.mark.usefixtures("own_port")
def test_the_address_in_the_home_network_is_one_of_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = home_address()
    assert found is None or find_address(found, 0)[0] == found

    def unreachable(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert home_address() is None


# ---- limits --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        (f"{ROOT}/games", LIMIT),
        (f"{ROOT}/games/import", MAX_IMPORT),
        (f"{ROOT}/groups/import", MAX_GROUP),
        (f"{ROOT}/groups/import/more", LIMIT),
        ("/new", LIMIT),
        (f"{ROOT}/cards/recognise", MAX_UPLOAD),
        (f"{ROOT}/games/k3m9x/cards/recognise", MAX_UPLOAD),
        (f"{ROOT}/games/of-another_server-1/cards/recognise", MAX_UPLOAD),  # imports accept it
        (f"{ROOT}/games/a/b/cards/recognise", LIMIT),
    ],
)
def test_only_imports_and_photographs_have_large_bodies(path: str, limit: int) -> None:
    assert body_limit(path) == limit


@pytest.mark.parametrize(
    ("most", "raised_to"), [(4096, 4096), (resource.RLIM_INFINITY, 16_384 + 256)]
)
def test_the_limit_of_file_descriptors_is_raised_to_its_maximum(
    most: int, raised_to: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = [(1024, most)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: limits.append(new))
    raise_handle_limit()

    assert limits[-1] == (raised_to, most)


@pytest.mark.parametrize(
    ("handles", "connections"),
    [
        *((400, 200), (512, 256), (1024, 768), (16_639, 16_383), (20_000, 16_384)),
        (resource.RLIM_INFINITY, 16_384),
    ],
)
def test_half_of_few_file_descriptors_are_reserved_for_files_and_never_more_than_256(
    handles: int, connections: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (handles, resource.RLIM_INFINITY))

    assert most_connections() == connections


# ---- the event loop ------------------------------------------------------------------


@pytest.mark.skipif(
    sys.platform == "win32" or sys.implementation.name != "cpython",
    reason="uvloop exists for CPython only, and not for Windows",
)
def test_the_loop_is_of_uvloop_and_of_asyncio_where_that_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(new_event_loop()) as usual:
        assert type(usual).__module__ == "uvloop"

    monkeypatch.setitem(sys.modules, "uvloop", None)
    with closing(new_event_loop()) as other:
        assert isinstance(other, asyncio.SelectorEventLoop)
