"""Host names, client addresses and paths: trusted proxies and the names of this machine.

An outsider can point a host name of their own at this machine (DNS rebinding). Answering to it
would make this site part of theirs, and links in pages would lead there. So unknown names are
refused. Nobody can redirect an IP address; private ones need no setting.
"""

import re
import socket
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.web.conditional_requests import WsgiApp
from scorekeeper.web.errors import Refusal

ENDINGS = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")
"""Suffixes that home networks append to the name of a machine."""
MAX_NAME_LENGTH = 100
MAX_PATH = 100
CACHED_HOSTS = 64
UNTRUSTED_HOST = "scorekeeper.untrusted_host"
RESOLVED = "werkzeug.proxy_fix.orig"
"""Environ key that ``ProxyFix`` adds, with the values before its correction."""
MOUNTED = "scorekeeper.mounted"
"""Environ key of a request whose path has been divided."""


def register(app: Flask) -> None:
    """Refuse untrusted host names; in debug mode also all other machines."""
    app.before_request(refuse_untrusted_host)
    if app.debug:
        app.before_request(refuse_remote_clients)


def with_trusted_hosts(app: WsgiApp, config: Mapping[str, Any]) -> WsgiApp:
    """Return WSGI middleware that resolves the client address and checks the host name."""
    checked = replace_untrusted_host(app, {*local_hostnames(), *config["HOSTS"]})
    return resolve_proxies(checked, config["TRUSTED_PROXIES"], config["PATH"])


# ---- names ---------------------------------------------------------------------------


def local_hostnames() -> set[str]:
    """Return the names of this machine in its network, without a lookup."""
    machine = socket.gethostname().lower()
    name = machine.partition(".")[0]
    return {"localhost", machine, *(name + ending for ending in ENDINGS)}


def replace_untrusted_host(app: WsgiApp, names: set[str]) -> WsgiApp:
    """Return WSGI middleware that replaces an untrusted host name, so that no link contains it."""

    @lru_cache(CACHED_HOSTS)
    def is_ours(host: str) -> bool:
        return hostname(host) in names or is_private(hostname(host))

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        host = environ.get("HTTP_HOST")
        if host is not None and not is_ours(host):
            environ |= {"HTTP_HOST": "localhost", UNTRUSTED_HOST: host}
        return app(environ, start_response)

    return answer


def refuse_untrusted_host() -> None:
    """Refuse an untrusted host name with 400; only static files are served."""
    name = request.environ.get(UNTRUSTED_HOST)
    if name is not None and request.endpoint != "static":
        raise Refusal(400, "refused.host", host=name[:MAX_NAME_LENGTH])


def hostname(host: str) -> str:
    """Return a Host header without its port."""
    bracketed = host.startswith("[")
    name = host.partition("]")[0][1:] if bracketed else host.partition(":")[0]
    return name.lower().removesuffix(".")


# ---- addresses -----------------------------------------------------------------------


@lru_cache(maxsize=1024)
def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an IP address, IPv4 if it is mapped into IPv6; None for a name."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_private(text: str) -> bool:
    """Return whether this is a private or loopback address."""
    address = read_address(text)
    return address is not None and not address.is_global


def refuse_remote_clients() -> None:
    """Refuse clients on other machines, because a debugger runs any code it is sent."""
    address = read_address(request.remote_addr or "")
    if address is None or not address.is_loopback:
        raise Refusal(403, "refused.debug")


class ProxyResolver:
    """Takes the client address, the scheme and the mount point of a request from trusted proxies.

    In ``X-Forwarded-For`` the entry of the farthest trusted proxy counts; whatever a client
    added stands further left. Proxies must pass the host name as ``Host``. A request may pass
    here several times: the server asks for the client before the application does.

    ``path`` is the path below which a proxy publishes the application (``/scorekeeper``), or the
    name of the header in which it says so (``X-Ingress-Path``). Whether the proxy removes it from
    the path of the request does not matter.
    """

    def __init__(self, proxies: int, path: str = "") -> None:
        self._proxies = proxies
        told = is_told(path)
        self._path = "" if told else path
        self._header = f"HTTP_{path.upper().replace('-', '_')}" if told else ""
        self._fix = ProxyFix(_answer_nothing, x_for=proxies, x_proto=1, x_host=0)

    def resolve(self, environ: dict[str, Any]) -> str:
        """Correct the environ and return the client's address."""
        peer = str(environ["REMOTE_ADDR"])
        by_proxy = self._proxies and is_private(peer)  # an outside client cannot be a proxy
        if MOUNTED not in environ:
            _mount(environ, environ.get(self._header, "") if by_proxy else "", self._path)
        if RESOLVED in environ or not by_proxy:
            return peer
        self._fix(environ, _answer_nothing)
        return str(environ["REMOTE_ADDR"])


def _answer_nothing(*_: Any) -> Any:
    """Stand in for the application: only its environ is wanted."""
    return ()


def _mount(environ: dict[str, Any], told: str, path: str) -> None:
    """Divide the path of a request into the mount point and the path below it."""
    root = told.rstrip("/") if is_path(told.rstrip("/")) else path
    environ[MOUNTED] = True
    if root:
        full = environ["PATH_INFO"]
        environ["SCRIPT_NAME"] = root
        if full == root or full.startswith(f"{root}/"):
            environ["PATH_INFO"] = full.removeprefix(root)


def is_told(path: str) -> bool:
    """Return whether a header of the proxy has the path, instead of the setting itself."""
    return path != "" and not path.startswith("/")


def is_path(text: str) -> bool:
    """Return whether an application can be published below this path, such as ``/scorekeeper``."""
    return len(text) <= MAX_PATH and re.fullmatch(r"(/[\w.~-]+)+", text, re.ASCII) is not None


def resolve_proxies(app: WsgiApp, proxies: int, path: str) -> WsgiApp:
    """Return WSGI middleware that resolves the client behind this many trusted proxies."""
    if not proxies and not path:
        return app
    resolver = ProxyResolver(proxies, path)

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        resolver.resolve(environ)
        if not environ["PATH_INFO"]:  # its pages and scripts are below the slash
            start_response("308 PERMANENT REDIRECT", [("Location", environ["SCRIPT_NAME"] + "/")])
            return ()
        return app(environ, start_response)

    return answer
