"""The command that serves the web application."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from scorekeeper import config
from scorekeeper.cli.common import fail, in_language, system_words, with_data
from scorekeeper.cli.garbage_collection import without_collections
from scorekeeper.cli.ledgers import (
    make_folder,
    open_database,
    require_no_backups_of_nothing,
    why_not_opened,
)
from scorekeeper.config import Address, Data
from scorekeeper.i18n import Language
from scorekeeper.serving import lan as network
from scorekeeper.serving import processes
from scorekeeper.store import CannotOpen, Ledger, NotSaved

MAX_PROCESSES = 64


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--lan", is_flag=True, help="Admit the home network: --host 0.0.0.0.")
@click.option(
    "--processes",
    "count",
    type=click.IntRange(1, MAX_PROCESSES),
    envvar="SCOREKEEPER_PROCESSES",
    default=1,
    show_default=True,
    help="Processes that answer; more than one needs PostgreSQL.",
)
@click.option("--new", is_flag=True, help="Start with an empty database even if there are backups.")
@with_data
@in_language
def serve(
    host: str, port: int, lan: bool, count: int, new: bool, data: Data, lang: Language
) -> None:
    """Serve the pages and the REST API."""
    if count > 1 and isinstance(data, Path):
        fail([lang("terminal.one_process")])
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

    def report_key(ledger: Ledger) -> None:
        if not ledger.has_usual_key():
            click.echo(lang("terminal.other_key"), err=True)

    make_folder(data, lang)
    if not new:
        require_no_backups_of_nothing(data, lang)
    child = processes.as_child()
    try:
        if isinstance(data, Path) and not data.exists():
            network.find_address(host, port)  # before a database is made
        if count > 1 and child is None and isinstance(data, Address):
            with open_database(data, lang) as ledger:  # tables are made, errors reported once
                report_key(ledger)
                place = network.find_address(host, port)
            command = ("serve", "--host", host, "--port", str(place[1]))
            os.environ |= {"SCOREKEEPER_DATA": data.url, "SCOREKEEPER_PROCESSES": str(count)}
            with counted_together() if settings["METRICS"] else nullcontext():
                sys.exit(processes.run(count, command, ready))
        with without_collections():  # loads Flask; a process that only starts others has none
            from scorekeeper.cli import answering

        with answering.served_app(data) as app:
            if child is None and isinstance(data, Address):
                report_key(app.extensions["ledger"])
            place = (host, port) if child else network.find_address(host, port)

            def begin() -> None:
                child.is_ready() if child else ready()
                app.extensions["workers"].start_ahead()

            answering.run(app, place, ready=begin)
    except (CannotOpen, NotSaved) as error:
        fail(why_not_opened(error, data, lang))
    except OSError as error:
        if error.filename:
            raise
        why = system_words(error, lang)
        fail([lang("terminal.cannot_listen", host=host, port=str(port), why=why)])
    answering.exit_process()


@contextmanager
def counted_together() -> Iterator[None]:
    """Name the folder in which processes started meanwhile count for ``web/metrics.py``."""
    with TemporaryDirectory(prefix="scorekeeper-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield
