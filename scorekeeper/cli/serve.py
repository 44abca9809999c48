"""The command that serves the web application."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorekeeper import config
from scorekeeper.cli.common import fail, in_language, make_folder, why_not_opened, with_data
from scorekeeper.i18n import Language

if TYPE_CHECKING:
    from flask import Flask


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--lan", is_flag=True, help="Admit the home network: --host 0.0.0.0.")
@with_data
@in_language
def serve(host: str, port: int, lan: bool, data: Path, lang: Language) -> None:
    """Serve the pages and the REST API."""
    from scorekeeper.serving import lan as network
    from scorekeeper.serving import server
    from scorekeeper.serving.setup import adapt
    from scorekeeper.store.errors import CannotOpen, NotSaved

    host = "0.0.0.0" if lan else host
    proxies = config.settings()["TRUSTED_PROXIES"]

    def ready() -> None:
        click.echo(lang("terminal.ready", address=network.address(host, place[1])))
        click.echo(lang("terminal.data", file=str(data)))
        if not proxies:  # behind a proxy, phones do not connect to this address
            for line in network.invitation(host, place[1], lang):
                click.echo(line)
        click.echo(lang("terminal.how_to_stop"))

    make_folder(data, lang)
    try:
        with served_app(data) as app:
            place = server.find_address(host, port)
            workers = app.extensions["workers"]

            def begin() -> None:
                ready()
                workers.start_ahead()

            server.run(adapt(app, proxies), place, ready=begin)
    except (CannotOpen, NotSaved) as error:
        fail(why_not_opened(error, data, lang))
    except OSError as error:
        fail([lang("terminal.cannot_listen", host=host, port=str(port), why=error.strerror)])
    server.exit_process()


@contextmanager
def served_app(data: Path) -> Iterator["Flask"]:
    """Open the app on a database, with its maintenance tasks; no other process may serve it.

    Raises InUse if another process serves it, CannotOpen or NotSaved if it cannot be opened.
    """
    from scorekeeper.app import create_app
    from scorekeeper.serving.maintenance import run_maintenance
    from scorekeeper.store.files import remove_unfinished
    from scorekeeper.store.sqlite.hold import hold

    with hold(data, "serve"):
        remove_unfinished(data.parent)
        app = create_app({"DATA": data})
        with closing(app.extensions["ledger"]), run_maintenance(app):
            yield app
