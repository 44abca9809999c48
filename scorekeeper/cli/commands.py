"""The command line: ``scorekeeper serve``, ``scorekeeper sheet evening.json``, ...

The module of a command is imported when the command is called, and it imports what the command
needs: ``serve`` starts without reportlab, ``sheet`` without Flask, ``--help`` without either.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import Any, NamedTuple

import click

from scorekeeper import config
from scorekeeper.cli.garbage_collection import without_collections
from scorekeeper.cli.terminal import use_visible_streams


class Entry(NamedTuple):
    """A command as ``--help`` lists it: its function, and the first sentence of its help."""

    function: str
    help: str


COMMANDS = {
    "serve": Entry("serve:serve", "Serve the pages and the REST API."),
    "sheet": Entry(
        "paper:sheet", "Score the evening in each FILE: rounds, totals, settlement, payments."
    ),
    "pad": Entry(
        "paper:pad", "Write a blank score pad for PRESET (romme-palast, gin-palast, ...) to FILE."
    ),
    "card": Entry(
        "paper:card", "Write a rules card of one page for PRESET with house rules to FILE."
    ),
    "meld": Entry(
        "referee:meld",
        "Check whether CARDS are a meld: which one and why, or how to make them one.",
    ),
    "arrange": Entry(
        "referee:arrange",
        "Arrange the hand CARDS so that the fewest points are left; show first melds and ways out.",
    ),
    "turn": Entry("referee:turn", "Check a turn."),
    "check": Entry(
        "database:check", "Check the database: engine, hash chain, and a replay of every game."
    ),
    "rebuild": Entry(
        "database:rebuild",
        "Recompute the stored results for seasons and statistics from the events.",
    ),
    "backup": Entry(
        "database:backup", "Copy the database to FILE while it is in use, and verify the copy."
    ),
    "restore": Entry("database:restore", "Verify BACKUP and replace the database with it."),
    "erase": Entry(
        "database:erase", "Erase a person's name from the database file; the numbers stay."
    ),
    "export": Entry(
        "transfer:export", "Write a group or a game to FILE without loss, or a table of it."
    ),
    "import": Entry(
        "imports:import_files",
        "Import what `export` wrote, or typed paper sheets; of each file everything or nothing.",
    ),
    "standings": Entry(
        "tournaments:standings",
        "Show the standings of a tournament, and draw every round again from its seed.",
    ),
    "copy": Entry(
        "transfer:copy",
        "Copy everything from one database to another: files, or addresses of PostgreSQL.",
    ),
    "demo": Entry(
        "transfer:demo",
        "Generate a group with evenings to look at: scorekeeper serve --data demo.sqlite.",
    ),
}


@contextmanager
def _refusing(arguments: list[str]) -> Iterator[None]:
    """Refuse a wrong call in the language that its arguments ask for."""
    arguments = list(arguments)  # click takes away what it has read
    try:
        yield
    except click.UsageError as error:
        from scorekeeper.cli.usage import refuse  # loads the catalogues

        refuse(error, arguments)
        raise


class Commands(click.Group):
    """The commands by name and help; the one that is called is imported."""

    def main(self, *args: Any, **named: Any) -> Any:
        """Run the called command; nothing that it prints controls the terminal."""
        use_visible_streams()
        return super().main(*args, **named)

    def make_context(
        self, info_name: str | None, args: list[str], *more: Any, **named: Any
    ) -> click.Context:
        """Read the options before the command; a wrong one is refused in words."""
        with _refusing(args):
            return super().make_context(info_name, args, *more, **named)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a wrong call of it is refused in words."""
        with _refusing(ctx.args):
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name of the called command, the command, and its arguments."""
        if args[0] not in COMMANDS:
            from scorekeeper.cli.usage import UnknownCommand

            raise UnknownCommand(args[0], ctx)
        name, listed, rest = super().resolve_command(ctx, args)
        return name, imported(name) if name and listed else None, rest


def imported(name: str) -> click.Command:
    """Return a command from its module."""
    with without_collections():
        command: click.Command = resolve_name(f"scorekeeper.cli.{COMMANDS[name].function}")
    return command


@click.group(
    cls=Commands,
    commands=[click.Command(name, help=command.help) for name, command in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(config.VERSION, prog_name="scorekeeper")
def main() -> None:
    """Keep score for rummy games played with real cards."""
