"""What several tests of the server need."""

import socket

import pytest


@pytest.fixture
def ipv6(own_port: None) -> str:
    """Return the address under which a machine reaches itself by IPv6."""
    address = "::1"
    try:
        socket.create_server((address, 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine cannot reach itself by IPv6 (::1)")
    return address
