"""The parts of the edition without a server."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, ModuleLoader

from scorekeeper.app import build_app, open_database
from scorekeeper.in_browser.bridge import Bridge
from scorekeeper.parts import Parts
from scorekeeper.store.rights import SoleOwner
from scorekeeper.workers.runner import InProcess

LEFT_OUT = frozenset(
    {
        *("pages.share", "pages.replace", "pages.short_code", "pages.enter"),  # links to a server
        "pages.other_phone",  # which opens a code on a server
        *("pages.tv", "pages.tournament_tv", "pages.status"),  # other screens
        *("healthz", "metrics"),  # who looks after a server
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
}


COMPILED = Path(__file__).with_name("templates")
"""The templates as Python modules, which the browser need not compile; only it has them."""


class Edition:
    """The application, first without its record: a browser keeps the memory of this state.

    Later starts begin there. So nothing in it may depend on the moment or on the record.
    """

    def __init__(self, root: str, timezone: str | None = None) -> None:
        """``root`` is the address below which its pages are, without a slash at the end.

        Times are shown in a time zone, by default the machine's.
        """
        self._root = root
        host, reader = urlsplit(root).hostname or "", root.rpartition("/")[0] + "/"
        about: dict[str, Any] = {"TIMEZONE": timezone, "HOSTS": (host,), "READER": reader}
        if root.startswith("https:"):  # otherwise only this machine finds it
            about["PUBLIC_URL"] = reader
        self._app = build_app({**SETTINGS, **about}, IN_BROWSER)
        if COMPILED.is_dir():
            for templates in self._app.extensions["templates"].values():
                templates.loader = ModuleLoader(COMPILED)

    @property
    def templates(self) -> Environment:
        """What compiles the templates; their code is the same in every language."""
        return self._app.jinja_env

    def open(self, data: str) -> Bridge:
        """Return what answers requests, with its record in a file."""
        random.seed()
        self._app.config["DATA"] = Path(data)
        open_database(self._app)
        return Bridge(self._app, self._root)


def prepare(root: str, timezone: str | None = None) -> None:
    """Make the edition of this process, for ``open_record``."""
    global _edition
    _edition = Edition(root, timezone)


def open_record(data: str) -> Bridge:
    """Open the record of the edition that was prepared, in this run or before."""
    assert _edition
    return _edition.open(data)


_edition: Edition | None = None
