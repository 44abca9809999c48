"""The command that serves the web application."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from scorekeeper import config
from scorekeeper.cli.common import (
    fail,
    in_language,
    make_folder,
    open_database,
    why_not_opened,
    with_data,
)
from scorekeeper.config import Address, Data
from scorekeeper.i18n import Language

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.store import Ledger

MAX_WORKERS = 64


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--lan", is_flag=True, help="Admit the home network: --host 0.0.0.0.")
@click.option(
    "--workers",
    type=click.IntRange(1, MAX_WORKERS),
    envvar="SCOREKEEPER_WORKERS",
    default=1,
    show_default=True,
    help="Processes that answer; more than one needs PostgreSQL.",
)
@with_data
@in_language
def serve(host: str, port: int, lan: bool, workers: int, data: Data, lang: Language) -> None:
    """Serve the pages and the REST API."""
    from scorekeeper.serving import lan as network
    from scorekeeper.serving import processes, server
    from scorekeeper.serving.setup import adapt
    from scorekeeper.store.errors import CannotOpen, NotSaved

    if workers > 1 and isinstance(data, Path):
        fail([lang("terminal.one_worker")])
    host = "0.0.0.0" if lan else host
    settings = config.settings()
    proxies = settings["TRUSTED_PROXIES"]

    def ready() -> None:
        click.echo(lang("terminal.ready", address=network.address(host, place[1])))
        click.echo(lang("terminal.data", file=str(data)))
        if not proxies:  # behind a proxy, phones do not connect to this address
            for line in network.invitation(host, place[1], lang):
                click.echo(line)
        click.echo(lang("terminal.how_to_stop"))

    def report_key(ledger: "Ledger") -> None:
        if not ledger.has_usual_key():
            click.echo(lang("terminal.other_key"), err=True)

    make_folder(data, lang)
    child = processes.as_child()
    try:
        if workers > 1 and child is None and isinstance(data, Address):
            with open_database(data, lang) as ledger:  # tables are made, errors reported once
                report_key(ledger)
                place = server.find_address(host, port)
            command = ("serve", "--host", host, "--port", str(place[1]))
            os.environ |= {"SCOREKEEPER_DATA": data.url, "SCOREKEEPER_WORKERS": str(workers)}
            with counted_together() if settings["METRICS"] else nullcontext():
                sys.exit(processes.run(workers, command, ready))
        with served_app(data) as app:
            if child is None and isinstance(data, Address):
                report_key(app.extensions["ledger"])
            place = (host, port) if child else server.find_address(host, port)

            def begin() -> None:
                child.is_ready() if child else ready()
                app.extensions["workers"].start_ahead()

            server.run(adapt(app, proxies), place, ready=begin)
    except (CannotOpen, NotSaved) as error:
        fail(why_not_opened(error, data, lang))
    except OSError as error:
        fail([lang("terminal.cannot_listen", host=host, port=str(port), why=error.strerror)])
    server.exit_process()


@contextmanager
def counted_together() -> Iterator[None]:
    """Name the folder in which processes started meanwhile count for ``web/metrics.py``."""
    with TemporaryDirectory(prefix="scorekeeper-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


@contextmanager
def served_app(data: Data) -> Iterator["Flask"]:
    """Open the app on a database, with its maintenance tasks.

    Raises InUse if another process serves the same file, CannotOpen or NotSaved if it cannot be
    opened.
    """
    from scorekeeper.app import create_app
    from scorekeeper.serving.maintenance import run_maintenance
    from scorekeeper.store.files import remove_unfinished
    from scorekeeper.store.sqlite.hold import hold

    with ExitStack() as stack:
        if isinstance(data, Path):
            stack.enter_context(hold(data, "serve"))
            remove_unfinished(data.parent)
        app = create_app({"DATA": data})
        with closing(app.extensions["ledger"]), run_maintenance(app):
            yield app
