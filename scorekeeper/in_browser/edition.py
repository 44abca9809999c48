"""The parts of the edition without a server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scorekeeper.app import create_app
from scorekeeper.in_browser.bridge import Bridge
from scorekeeper.parts import Parts
from scorekeeper.store.rights import SoleOwner
from scorekeeper.workers.runner import InProcess

LEFT_OUT = frozenset(
    {
        *("pages.share", "pages.replace", "pages.short_code", "pages.enter"),  # links to a server
        *("pages.tv", "pages.status", "healthz", "metrics"),  # other screens; who looks after it
        *("pages.worker", "pages.away"),  # the edition has a service worker of its own
        *("api.open_code", "api.end_code", "api.enter_code"),
        *("api.open_group_code", "api.end_group_code"),
    }
)

IN_BROWSER = Parts(
    jobs=lambda _: InProcess(), rights=SoleOwner, left_out=LEFT_OUT, on_one_phone=True, framed=True
)

SETTINGS: Mapping[str, Any] = {
    "JOURNAL": "truncate",  # WAL needs memory that processes share
    "WTF_CSRF_ENABLED": False,  # no other site reaches this application
    "GAMES_PER_HOUR": 0,
    "WRONG_PER_MINUTE": 0,
}


def create_edition(data: str, root: str, timezone: str | None = None) -> Bridge:
    """Return the application on a file.

    ``root`` is the address below which its pages are, without a slash at the end. Times are shown
    in a time zone, by default that of the machine.
    """
    host, reader = urlsplit(root).hostname or "", root.rpartition("/")[0] + "/"
    settings = {
        **SETTINGS,
        "DATA": Path(data),
        "TIMEZONE": timezone,
        "HOSTS": (host,),
        "READER": reader,
    }
    return Bridge(create_app(settings, IN_BROWSER), root)
