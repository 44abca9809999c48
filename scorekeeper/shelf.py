"""A folder of records: every table that keeps its evenings apart has a file and an address.

``/t/friday/`` is a whole scorekeeper of its own on ``FOLDER/t/friday/friday.sqlite``; what
is begun at ``/`` lies in ``FOLDER/scorekeeper.sqlite``. The address says where a request
belongs, so that whatever stands in front can send it to the process that has the file: no
index, and nothing that could disagree with where the files lie (docs/scaling.md).
"""

import logging
import re
import threading
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask import Flask, make_response

from scorekeeper.app import create_app, refused, secured
from scorekeeper.following import WsgiApp
from scorekeeper.keeper import keeping
from scorekeeper.refusals import Refusal
from scorekeeper.store.engine import EngineError, NotSaved
from scorekeeper.store.hold import InUse, hold

log = logging.getLogger(__name__)

COMMON = "scorekeeper"
A_TABLE = re.compile(rf"/t/(?!{COMMON}(?:/|$))([a-z0-9][a-z0-9-]{{0,62}})(?=/|$)")
Given = Mapping[str, Any]


def take(file: Path, held: ExitStack, given: Given | None = None) -> Flask:
    """The app on a record that this process alone serves, with its backups, as long as ``held``.

    Raises InUse where another process serves it, EngineError or NotSaved where it cannot be
    opened.
    """
    with ExitStack() as taken:
        taken.enter_context(hold(file, "serve"))
        app = create_app({**(given or {}), "DATA": file})
        taken.callback(app.extensions["ledger"].close)
        taken.enter_context(keeping(app))
        held.push(taken.pop_all())
    return app


class Shelf:
    """One app for each record of a folder, opened when it is first asked for."""

    def __init__(self, folder: Path, held: ExitStack, given: Given | None = None) -> None:
        self._folder, self._held = folder, held
        self._common = take(folder / f"{COMMON}.sqlite", held, given)
        # A browser has one signed cookie for all tables.
        self._given = {**(given or {}), "SECRET_KEY": self._common.secret_key}
        self._tables: dict[str, Flask] = {}
        self._opening = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        named = A_TABLE.match(environ["PATH_INFO"])
        if named is None:
            return self._common(environ, start_response)
        inside = {**environ, "PATH_INFO": environ["PATH_INFO"][named.end() :]}
        try:
            table = self._table(named[1])
        except (EngineError, NotSaved) as error:
            if not isinstance(error, InUse):
                log.error("table %s cannot be opened: %s", named[1], error)
            table = None
        if table is None:
            return self._elsewhere(named[1], inside)(environ, start_response)
        inside["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + named[0]
        return table(inside, start_response)

    def _table(self, name: str) -> Flask | None:
        """The app of a table; None if its folder is not here."""
        if known := self._tables.get(name):
            return known
        place = self._folder / "t" / name
        with self._opening:
            if name not in self._tables and place.is_dir():
                self._tables[name] = take(place / f"{name}.sqlite", self._held, self._given)
        return self._tables.get(name)

    def _elsewhere(self, name: str, environ: dict[str, Any]) -> WsgiApp:
        """What is said of a table that another process has, or nobody: nothing happens."""
        with self._common.request_context(environ):
            answer = make_response(refused(Refusal(421, "refused.elsewhere", table=name)))
        return secured(answer)
