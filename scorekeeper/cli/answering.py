"""The process that answers requests: the application, its maintenance tasks and the server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.config import Data
from scorekeeper.serving import server
from scorekeeper.serving.maintenance import run_maintenance
from scorekeeper.serving.server import exit_process
from scorekeeper.serving.setup import adapt
from scorekeeper.store.files import remove_unfinished
from scorekeeper.store.sqlite.hold import hold

__all__ = ["exit_process", "run", "served_app"]


@contextmanager
def served_app(data: Data) -> Iterator[Flask]:
    """Open the app on a database, with its maintenance tasks.

    Raises InUse if another process serves the same file, CannotOpen or NotSaved if it cannot be
    opened.
    """
    with ExitStack() as stack:
        if isinstance(data, Path):
            stack.enter_context(hold(data, "reserved"))
            remove_unfinished(data.parent)
        app = create_app({"DATA": data})
        ledger, workers = app.extensions["ledger"], app.extensions["workers"]
        with closing(ledger), closing(workers), run_maintenance(app):
            yield app


def run(app: Flask, place: tuple[str, int], *, ready: Callable[[], None]) -> None:
    """Serve an app until stopped; call ``ready`` when phones can connect."""
    adapter = adapt(app, app.config["TRUSTED_PROXIES"], app.config["PATH"])
    server.run(adapter, place, ready=ready)
