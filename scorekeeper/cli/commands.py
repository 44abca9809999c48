"""The command line: ``scorekeeper serve``, ``scorekeeper sheet evening.json``, ...

Commands import what they need when they run, so that ``serve`` starts without reportlab and
``sheet`` without Flask.
"""

import sys

import click

from scorekeeper import config
from scorekeeper.cli import database, paper, referee, serve, transfer


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(config.VERSION, prog_name="scorekeeper")
def main() -> None:
    """Keep the score of Rommé, Gin Rummy and Knock Rummy played with physical cards."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream


for command in (
    serve.serve,
    paper.sheet,
    paper.pad,
    paper.card,
    database.check,
    database.rebuild,
    database.backup,
    database.restore,
    database.erase,
    referee.meld,
    referee.arrange,
    referee.turn,
    transfer.export,
    transfer.import_files,
    transfer.copy,
    transfer.demo,
):
    main.add_command(command)
