"""Who asks, and by which name: the proxies in front, the names of this machine.

A page that a stranger's name leads here would be a page of that stranger to the browser
(DNS rebinding), and its links would lead to him: a name that nobody set is refused. Bare
addresses cannot be led elsewhere; those of a home network need no setting.
"""

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
"""What home networks append to the name of a machine."""
MOST_NAME = 100
MOST_KNOWN = 64
STRANGE = "scorekeeper.strange_name"


def register(app: Flask) -> None:
    """Answer to known names only, and in debug mode to this machine only."""
    app.before_request(refuse_strange_name)
    if app.debug:
        app.before_request(only_here)


def around(app: WsgiApp, config: Mapping[str, Any]) -> WsgiApp:
    """Around the app: who asks and by which name, settled before anything else looks at it."""
    return proxied(named(app, {*own_names(), *config["HOSTS"]}), config["TRUSTED_PROXIES"])


# ---- names ---------------------------------------------------------------------------


def own_names() -> set[str]:
    """What this machine is called in its network; nobody is asked."""
    machine = socket.gethostname().lower()
    name = machine.partition(".")[0]
    return {"localhost", machine, *(name + ending for ending in ENDINGS)}


def named(app: WsgiApp, names: set[str]) -> WsgiApp:
    """Around the app: a name that is not ours is laid aside, so that no link is made of it."""

    @lru_cache(MOST_KNOWN)
    def is_ours(host: str) -> bool:
        return hostname(host) in names or is_near(hostname(host))

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        host = environ.get("HTTP_HOST")
        if host is not None and not is_ours(host):
            environ |= {"HTTP_HOST": "localhost", STRANGE: host}
        return app(environ, start_response)

    return answer


def refuse_strange_name() -> None:
    """Before every request: to another name we say no more than that, and how it looks."""
    name = request.environ.get(STRANGE)
    if name is not None and request.endpoint != "static":
        raise Refusal(400, "refused.host", host=name[:MOST_NAME])


def hostname(host: str) -> str:
    """A Host header without its port."""
    bracketed = host.startswith("[")
    name = host.partition("]")[0][1:] if bracketed else host.partition(":")[0]
    return name.lower().removesuffix(".")


# ---- addresses -----------------------------------------------------------------------


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address, the older kind where it is one in disguise; None for a name."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_near(text: str) -> bool:
    """Whether this is the address of a machine in a home network, or of this one."""
    address = read_address(text)
    return address is not None and not address.is_global


def is_here(text: str) -> bool:
    """Whether this is an address of this machine."""
    address = read_address(text)
    return address is not None and address.is_loopback


def only_here() -> None:
    """A debugger runs what it is told to, so nobody else may ask it."""
    if not is_here(request.remote_addr or ""):
        raise Refusal(403, "refused.debug")


def client_address(environ: Mapping[str, Any], proxies: int) -> str:
    """The address that a request comes from, as ``proxied`` will find it."""
    peer = str(environ["REMOTE_ADDR"])
    if not proxies or not is_near(peer):
        return peer
    named = [name.strip() for name in environ.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    return named[-proxies] if len(named) >= proxies and named[-proxies] else peer


def proxied(app: WsgiApp, proxies: int) -> WsgiApp:
    """Around the app: what proxies in front say of who asks, and whether by https.

    From ``X-Forwarded-For`` counts what the farthest of them wrote; whatever a stranger
    put there before stands further left. The name comes as ``Host``, as proxies pass it.
    """
    if not proxies:
        return app
    told = ProxyFix(app, x_for=proxies, x_proto=1, x_host=0)

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        is_proxy = is_near(environ["REMOTE_ADDR"])  # a proxy of ours is no stranger from outside
        return told(environ, start_response) if is_proxy else app(environ, start_response)

    return answer
