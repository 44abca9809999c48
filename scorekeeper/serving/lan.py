"""The addresses of this machine: to listen on, and in the home network, with its QR code."""

import io
import socket
from collections.abc import Iterator

from scorekeeper.i18n import Language

ALL_ADDRESSES = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""What stands for all addresses of a machine, and how the machine itself reaches it."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def find_address(host: str, port: int) -> tuple[str, int]:
    """Return the address and port to listen on; OSError if they are taken or not available.

    granian itself would share a port with another server of the same user.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as free:
        address, port, *_ = free.getsockname()
    return address, port


def address(host: str, port: int) -> str:
    """Return the URL for a browser on this machine."""
    here = reachable(host)
    return f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"


def reachable(host: str) -> str:
    """Return the address at which this machine reaches a server that listens on ``host``."""
    return ALL_ADDRESSES.get(host, host)


def invitation(host: str, port: int, lang: Language) -> Iterator[str]:
    """Yield the lines that tell phones in the home network how to connect, with a QR code."""
    if host in LOOPBACK:
        return
    home = home_address() if host in ALL_ADDRESSES else host
    if home is None:
        yield lang("terminal.no_network")
        return
    url = address(home, port)
    yield lang("terminal.lan", address=url)
    yield qr_code(url)
    yield lang("terminal.lan_readable")


def home_address() -> str | None:
    """Return this machine's address in the home network, or None; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def qr_code(text: str) -> str:
    """Return a QR code drawn with half-block characters."""
    import segno  # takes 10 ms to load, and most servers start without a QR code

    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
