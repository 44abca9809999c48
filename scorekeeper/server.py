"""Serving the table: where the app listens, and how the others at the table get there."""

import gc
import io
import logging
import select
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress

import segno
from waitress import create_server
from waitress.channel import HTTPChannel
from waitress.task import WSGITask

from scorekeeper import lines
from scorekeeper.following import WsgiApp
from scorekeeper.i18n import Language
from scorekeeper.observing import log_to_stderr

EVERYWHERE = ("0.0.0.0", "::")
LOOPBACK = ("127.0.0.1", "::1", "localhost")
SETTINGS = {
    "threads": 8,
    "channel_timeout": 30,
    "asyncore_use_poll": True,
    "ident": None,
    "clear_untrusted_proxy_headers": False,
    "send_bytes": 1 << 16,
}
"""waitress as it comes stops at 100 idle phones; poll has no such limit.

It also lets the thread that answers send at once what it has, while the one that listens tries
to send the same: an answer that is collected whole first leaves in one piece, from one hand.

Whom to believe about proxies is settled for any server in hosts.py.
"""
MOST_HANDLES, WINDOWS_HANDLES = 8000, 1000
"""Where the system names no limit; Windows waits on 512 lines and no more."""
YOUNG = 10_000
"""So many new objects before rubbish is looked for: some requests' worth, not a part of one."""


class Answering(WSGITask):  # type: ignore[misc]  # waitress comes without types
    """An answer that has no body is over when its head is: the line stays open.

    waitress hangs up on whoever gets a 304, and all who follow would dial anew each time.
    """

    def set_close_on_finish(self) -> None:
        wished = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or wished or self.version == "1.0":
            super().set_close_on_finish()


class Line(HTTPChannel):  # type: ignore[misc]
    """A phone that may ask again."""

    task_class = Answering


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; OSError if that place is taken or not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def run(app: WsgiApp, listener: socket.socket) -> None:
    """Serve until stopped by Ctrl-C or SIGTERM."""
    log_to_stderr()
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is no news
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    open_at_once = min(MOST_HANDLES, handles()) // 2  # the records need some too
    gc.freeze()  # what was made to start with stays: nobody need look through it again
    gc.set_threshold(YOUNG)
    served = create_server(app, sockets=[listener], connection_limit=open_at_once, **SETTINGS)
    served.channel_class = Line
    if hasattr(select, "epoll"):
        served.asyncore = lines
    served.run()


def handles() -> int:
    """So many files and phones at once: as many as the system lets one have, once it is asked."""
    if sys.platform == "win32":
        return WINDOWS_HANDLES
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # macOS says more than it gives
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_HANDLES if soft == resource.RLIM_INFINITY else soft


def address(host: str, port: int) -> str:
    """The address to type into a browser on this machine."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"


def invitation(host: str, port: int, lang: Language) -> Iterator[str]:
    """How phones in the home network get here, with a QR code to scan, and what to know."""
    if host in LOOPBACK:
        return
    home = home_address() if host in EVERYWHERE else host
    if home is None:
        yield lang("terminal.no_network")
        return
    url = address(home, port)
    yield lang("terminal.lan", address=url)
    yield qr_code(url)
    yield lang("terminal.lan_readable")


def home_address() -> str | None:
    """This machine's address in the home network, if it is in one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def qr_code(text: str) -> str:
    """A QR code drawn with characters of half a line."""
    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
