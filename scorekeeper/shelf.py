"""A folder of records: every table that keeps its evenings apart has a file and an address.

``/t/friday/`` is a whole scorekeeper of its own on ``FOLDER/t/friday/friday.sqlite``; what
is begun at ``/`` lies in ``FOLDER/scorekeeper.sqlite``, but a group that is founded there
gets a table of its own. The address says where a request belongs, so that whatever stands
in front can send it to the process that has the file: no index, and nothing that could
disagree with where the files lie (docs/scaling.md).
"""

import hmac
import logging
import re
import shutil
import threading
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from flask import Flask, make_response, request
from werkzeug.wsgi import ClosingIterator

from scorekeeper.app import create_app, refused
from scorekeeper.services.games import new_id
from scorekeeper.serving.maintenance import Chores, Look, keeping, looks_at, looks_of
from scorekeeper.store.engine import EngineError, NotSaved
from scorekeeper.store.files import PART, becoming_folder, sweep, sync_folder
from scorekeeper.store.growth import EACH_TABLE, GROWTH
from scorekeeper.store.hold import InUse, hold
from scorekeeper.store.ledger import Ledger, open_ledger
from scorekeeper.store.migrations import outdated
from scorekeeper.web.conditional_requests import AT_ONCE, NotAtOnce, WsgiApp
from scorekeeper.web.context import A_NAME
from scorekeeper.web.errors import Refusal
from scorekeeper.web.security_headers import secured

log = logging.getLogger(__name__)

COMMON = "scorekeeper"
A_TABLE = re.compile(rf"/t/(?!{COMMON}(?:/|$))({A_NAME.pattern})(?=/|$)")
MOST_OPEN = 100
"""Tables that are open at once: up to 3 MB and a dozen handles each."""
Given = Mapping[str, Any]
T = TypeVar("T")
Answer = TypeVar("Answer")


def take(file: Path, held: ExitStack, given: Given | None = None) -> Flask:
    """The app on a record that this process alone serves, with its backups, as long as ``held``.

    Raises InUse where another process serves it, EngineError or NotSaved where it cannot be
    opened.
    """
    app = _app(file, held, given or {})
    held.enter_context(keeping(app))
    return app


def _app(file: Path, held: ExitStack, given: Given) -> Flask:
    with ExitStack() as taken:
        taken.enter_context(hold(file, "serve"))
        sweep(file.parent)
        app = create_app({**given, "DATA": file})
        taken.callback(app.extensions["ledger"].close)
        held.push(taken.pop_all())
    return app


@dataclass
class Table:
    """A table that is open."""

    app: Flask
    held: ExitStack
    looks: list[Look]
    users: int = 0
    """Who is busy there."""


class Shelf:
    """One app for each record of a folder, opened when it is first asked for."""

    def __init__(self, folder: Path, held: ExitStack, given: Given | None = None) -> None:
        self._folder = folder / "t"
        self._common = take(folder / f"{COMMON}.sqlite", held, given)
        self._common.extensions["front"] = self
        self._make_folder()
        # A browser has one signed cookie for all tables.
        self._given = {**(given or {}), "SECRET_KEY": self._common.secret_key}
        self._tables: OrderedDict[str, Table] = OrderedDict()
        """By name, who was not asked for the longest time first."""
        self._opening, self._counting = threading.Lock(), threading.Lock()
        self._founding = threading.Lock()
        held.callback(self._close)
        chores = Chores(self._look_at_all)
        chores.start()
        held.callback(chores.stop)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        named = A_TABLE.match(environ["PATH_INFO"])
        if named is None:
            return self._common(environ, start_response)
        if AT_ONCE in environ:  # a table may have to be opened
            raise NotAtOnce
        inside = {**environ, "PATH_INFO": environ["PATH_INFO"][named.end() :]}
        table = self._come(named[1])
        if table is None:
            return self._elsewhere(named[1], inside)(environ, start_response)
        inside["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + named[0]
        leave = partial(self._leave, table)
        try:
            return ClosingIterator(table.app(inside, start_response), leave)
        except BaseException:
            leave()
            raise

    def _elsewhere(self, name: str, environ: dict[str, Any]) -> WsgiApp:
        """What is said of a table that another process has, or nobody: nothing happens."""
        with self._common.request_context(environ):
            answer = make_response(refused(Refusal(421, "refused.elsewhere", table=name)))
        return secured(answer)

    # ---- tables that are open --------------------------------------------------------

    def _come(self, name: str) -> Table | None:
        """A table, open until it is left; None if it is not here, or cannot be had."""
        try:
            return self._known(name) or self._opened(name)
        except (EngineError, NotSaved) as error:
            if not isinstance(error, InUse):
                log.error("table %s cannot be opened: %s", name, error)
            return None

    def _known(self, name: str) -> Table | None:
        with self._counting:
            table = self._tables.get(name)
            if table:
                self._tables.move_to_end(name)
                table.users += 1
        return table

    def _leave(self, table: Table) -> None:
        with self._counting:
            table.users -= 1

    def _opened(self, name: str) -> Table | None:
        """A table, opened by the first who comes; None if its folder is not here."""
        with self._opening:
            if known := self._known(name):
                return known
            if not (self._folder / name).is_dir():
                return None
            self._make_room()
            held = ExitStack()
            app = _app(self._file(name), held, {**self._given, "TABLE": name})
            app.extensions["limits"] = self._common.extensions["limits"]  # those of the house
            table = Table(app, held, looks_of(app), users=1)
            with self._counting:
                self._tables[name] = table
            return table

    def _make_room(self) -> None:
        """Close the table that nobody asked for the longest time; never one that is answering."""
        with self._counting:
            idle = [name for name, table in self._tables.items() if not table.users]
            gone = [self._tables.pop(name) for name in idle[: len(self._tables) - MOST_OPEN + 1]]
        for table in gone:
            table.held.close()

    def _close(self) -> None:
        for table in self._tables.values():
            table.held.close()

    def _file(self, name: str) -> Path:
        return self._folder / name / f"{name}.sqlite"

    # ---- what is asked before the folder ---------------------------------------------

    def found(
        self, change: Callable[[Ledger], T], tell: Callable[[T], Answer], press: str | None
    ) -> Answer:
        """Make a change in a record that is new with it, and tell of it from there.

        The same press comes to the same table. What is refused leaves nothing behind.
        """
        name = self._common.config["TABLES"] + (self._number_of(press) if press else new_id())
        with self._founding:
            made = self._made(name, change)
        with self._visit(name) as table:
            if table is None:
                raise NotSaved(InUse(name))
            return tell(made or change(table.extensions["ledger"]))

    def _made(self, name: str, change: Callable[[Ledger], T]) -> T | None:
        """A change in a record whose folder gets its name only with it; None if it is there."""
        if (self._folder / name).exists():
            return None
        journal = self._common.config["JOURNAL"]
        try:
            with (
                becoming_folder(self._folder / name) as part,
                closing(open_ledger(part / f"{name}.sqlite", journal=journal)) as ledger,
            ):
                GROWTH.octets += EACH_TABLE
                return change(ledger)
        except (OSError, EngineError) as error:
            raise NotSaved(error) from error

    def _number_of(self, press: str) -> str:
        """Letters and digits that belong to one press and that nobody else can know."""
        key = str(self._common.secret_key).encode()
        return b32encode(hmac.digest(key, press.encode(), "sha256"))[:10].decode().lower()

    def ask(self, table: str, question: Callable[[], T]) -> T | None:
        """What a table answers; None if it cannot be had."""
        with self._visit(table) as here:
            return question() if here else None

    @contextmanager
    def _visit(self, name: str) -> Iterator[Flask | None]:
        """Within a table, as if this request had gone there."""
        named = A_TABLE.fullmatch(f"/t/{name}")
        table = self._come(name) if named else None
        if table is None:
            yield None
            return
        try:
            there = {"SCRIPT_NAME": f"{request.script_root}/t/{name}"}
            with table.app.request_context({**request.environ, **there}):
                yield table.app
        finally:
            self._leave(table)

    # ---- upkeep ----------------------------------------------------------------------

    def _make_folder(self) -> None:
        """Room for tables, without what was left by a server that was killed."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(self._folder.parent)
        for left in self._folder.glob(f"{PART}*"):
            shutil.rmtree(left, ignore_errors=True)

    def _look_at_all(self) -> None:
        """Let names go and take backups where it is time, at tables that nobody asks for too."""
        for place in self._folder.iterdir():
            try:
                if self._file(place.name).is_file():
                    self._look_at(place.name)
            except InUse:
                continue  # whoever has it sees to it
            except Exception as error:  # a thread that died would be missed by nobody
                log.error("table %s was not seen to: %s", place.name, type(error).__name__)

    def _look_at(self, name: str) -> None:
        file = self._file(name)
        with self._counting:
            table = self._tables.get(name)
            if table:
                table.users += 1
        if outdated(file):
            table = self._come(name)
        if table:
            try:
                for look in table.looks:
                    look()
            finally:
                self._leave(table)
            return
        wishes = self._common.config
        with hold(file, "visit"), closing(open_ledger(file, journal=wishes["JOURNAL"])) as ledger:
            for look in looks_at(ledger, wishes)[0]:
                look()
