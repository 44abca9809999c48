"""The command line: serve the table, reckon an evening from a file, check and back up the record.

What a command needs is imported when it runs: ``serve`` does not wait for paper, ``sheet``
not for the web.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from scorekeeper import __version__, config
from scorekeeper.i18n import LANGUAGES, Language, language, pick_language

if TYPE_CHECKING:
    from scorekeeper.store.ledger import Ledger

Command = Callable[..., None]


def in_language(command: Command) -> Command:
    """Give a command ``--lang``; without it, it speaks as the terminal does."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        callback=lambda context, option, wished: terminal_language(wished),
        help="Language; else that of the terminal (LC_ALL, LANG).",
    )(command)


def with_data(command: Command) -> Command:
    """Give a command ``--data``, where the games are kept."""
    return click.option(
        "--data",
        type=click.Path(dir_okay=False, path_type=Path),
        default=config.default_data,
        envvar="SCOREKEEPER_DATA",
        help="The file of the record; else SCOREKEEPER_DATA or the place for user data.",
    )(command)


def terminal_language(wished: str | None = None) -> Language:
    """The language wished for, or the terminal's; English where it has none of ours."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next(filter(None, names), "C")
    return language(pick_language(spoken[:2], wished))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="scorekeeper")
def main() -> None:
    """Keep the score of Rommé, Gin Rummy and Knock Rummy played with physical cards."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--lan", is_flag=True, help="Let phones in the home network in: --host 0.0.0.0.")
@with_data
@in_language
def serve(host: str, port: int, lan: bool, data: Path, lang: Language) -> None:
    """Serve the table: pages for the phones, REST for programs."""
    from scorekeeper import create_app, server
    from scorekeeper.store.engine import EngineError

    host = "0.0.0.0" if lan else host
    try:
        data.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        app = create_app({"DATA": data})
        listener = server.listen(host, port)
    except EngineError as error:
        stop([lang("terminal.cannot_open", why=str(error))])
    except OSError as error:
        stop([lang("terminal.cannot_listen", host=host, port=str(port), why=error.strerror)])
    port = listener.getsockname()[1]
    click.echo(lang("terminal.ready", address=server.address(host, port)))
    click.echo(lang("terminal.data", file=str(data)))
    for line in server.invitation(host, port, lang):
        click.echo(line)
    click.echo(lang("terminal.how_to_stop"))
    server.run(app, listener)
    app.extensions["ledger"].close()


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--pdf", type=click.Path(dir_okay=False, path_type=Path), help="Write the sheet.")
@in_language
def sheet(file: Path, pdf: Path | None, lang: Language) -> None:
    """Reckon an evening from FILE: rounds, totals, settlement, payments.

    FILE is a game as JSON, in the shape of examples/evening.json.
    """
    from scorekeeper.domain.errors import RuleError
    from scorekeeper.evening import read_evening, reckon
    from scorekeeper.terminal import game_lines, problem_line

    players: tuple[str, ...] = ()
    try:
        evening = read_evening(file.read_bytes())
        players = evening.order.players
        game = reckon(evening)
        lines = list(game_lines(game, lang))
    except OSError as error:
        stop([f"{file}: {error.strerror}"])
    except RuleError as error:
        stop(f"{file}: {problem_line(found, lang, players)}" for found in error.problems)
    click.echo("\n".join(lines))
    if pdf:
        from scorekeeper.pdf import score_sheet

        write(pdf, score_sheet(game, game.settlement(), lang))
        click.echo(f"\n{lang('terminal.written', file=str(pdf))}")


@main.command()
@click.option("--against", metavar="DIGITS", help="The digits of a printed sheet: was it ever so?")
@with_data
@in_language
def check(against: str | None, data: Path, lang: Language) -> None:
    """Check the record: engine, chain of events, every game played again."""
    from scorekeeper.schemas import load_round
    from scorekeeper.service import preview_round
    from scorekeeper.store.check import check, find_digits
    from scorekeeper.terminal import check_line

    with open_record(data, lang) as ledger:
        if against is not None:
            try:
                found = find_digits(ledger, against)
            except ValueError:
                stop([lang("terminal.no_digits", digits=against)])
            for game, version in found:
                click.echo(lang("terminal.digits_found", game=game, version=version))
            if not found:
                stop([lang("terminal.digits_unknown", digits=against)])
            return
        report = check(ledger, lambda game, wire: preview_round(game, load_round(wire).round))
    for line in report.lines:
        click.echo(check_line(line, lang))
    if not report.good:
        stop([lang("terminal.check_bad")])


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@in_language
def backup(file: Path, data: Path, lang: Language) -> None:
    """Copy the record to FILE while it is in use, and read the copy back."""
    from scorekeeper.store.backup import BadBackup, backup
    from scorekeeper.store.engine import NotSaved, Unreadable

    with open_record(data, lang) as ledger:
        try:
            report = backup(ledger, file)
        except OSError as error:
            stop([f"{file}: {error.strerror}"])
        except (BadBackup, NotSaved, Unreadable) as error:
            stop([lang("terminal.backup_bad", why=str(error))])
    chain = report.line("chain").facts
    click.echo(
        lang("terminal.backup_done", file=str(file), games=chain["games"], events=chain["events"])
    )


@contextmanager
def open_record(data: Path, lang: Language) -> Iterator["Ledger"]:
    """The ledger of an existing file."""
    from scorekeeper.store.engine import EngineError
    from scorekeeper.store.ledger import open_ledger

    if not data.is_file():
        stop([lang("terminal.no_record", file=str(data))])
    try:
        ledger = open_ledger(data, journal=os.environ.get("SCOREKEEPER_JOURNAL"))
    except EngineError as error:
        stop([lang("terminal.cannot_open", why=str(error))])
    try:
        yield ledger
    finally:
        ledger.close()


def write(file: Path, content: bytes) -> None:
    """Write a whole file or stop."""
    try:
        file.write_bytes(content)
    except OSError as error:
        stop([f"{file}: {error.strerror}"])


def stop(lines: Iterable[str]) -> NoReturn:
    """Say what is wrong and leave with 1."""
    for line in lines:
        click.echo(line, err=True)
    sys.exit(1)
