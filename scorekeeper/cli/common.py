"""Shared parts of the commands: options, progress bars, error exits."""

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, NoReturn

import click

from scorekeeper import config
from scorekeeper.cli.terminal import drawing_stream
from scorekeeper.config import place_of
from scorekeeper.i18n import LANGUAGES, Language, language, pick_language

Command = Callable[..., None]
SYSTEM_ERRORS = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "no_folder",
    errno.EISDIR: "folder",
    errno.EACCES: "not_allowed",
    errno.EPERM: "not_allowed",
    errno.ENOSPC: "full",
    errno.EROFS: "read_only",
    errno.EADDRINUSE: "taken",
    errno.EADDRNOTAVAIL: "no_address",
}
"""The names in the catalogues of what the system says about files and ports."""


def in_language(command: Command) -> Command:
    """Add ``--lang`` to a command; the default is the language of the terminal.

    A file or folder that the system refuses is named, and why, in this language; so is a database
    that cannot be read or written.
    """

    @wraps(command)
    def naming_files(*args: Any, lang: Language, **named: Any) -> None:
        try:
            command(*args, lang=lang, **named)
        except OSError as error:
            if error.errno == errno.EPIPE:  # click ends quietly if nobody reads what it prints
                raise
            file = f"{error.filename}: " if error.filename else ""
            fail([file + system_words(error, lang)])
        except Exception as error:
            if words := store_words(error, lang):
                fail([words])
            raise

    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        callback=lambda context, option, preferred: terminal_language(preferred),
        help="Language of the output; default: the terminal's (LC_ALL, LANG).",
    )(naming_files)


def with_data(command: Command) -> Command:
    """Add ``--data`` to a command: the database file, or the address of a PostgreSQL database."""
    return click.option(
        "--data",
        type=place_of,
        metavar="FILE|postgresql://...",
        default=config.default_data,
        envvar="SCOREKEEPER_DATA",
        help="Database; default: SCOREKEEPER_DATA, else a file in the user's data folder.",
    )(command)


def terminal_language(preferred: str | None = None) -> Language:
    """Return the preferred language, else the language of the terminal, else English."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "C")
    code = pick_language([locale[:2]], preferred)
    try:
        return language(code, config.settings()["TIMEZONE"])
    except config.UnknownZone as zone:
        fail([language(code)("terminal.no_zone", zone=str(zone))])
    except config.BadSetting as bad:
        fail([language(code)("terminal.bad_setting", setting=str(bad))])


with_house_rules = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="A house rule."
)


def house_rules(options: tuple[str, ...], lang: Language) -> dict[str, object]:
    """Return house rules such as ``joker.hand_value=50``; exits if one has no value."""
    from scorekeeper.wire.strict import read_word  # loads marshmallow: most commands need none

    values = [option.partition("=") for option in options]
    if wrong := [name for name, equals, _ in values if not equals]:
        fail([lang("terminal.no_value", option=wrong[0])])
    return {name.strip(): read_word(value.strip()) for name, _, value in values}


@contextmanager
def progress(steps: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar for several steps, if standard error is a terminal."""
    hidden = steps < 2 or not sys.stderr.isatty()
    with click.progressbar(
        length=steps, hidden=hidden, file=drawing_stream(), show_pos=True
    ) as bar:
        yield bar.update


def with_progress(items: list[Any]) -> Iterator[Any]:
    """Yield the items, with a progress bar."""
    with progress(len(items)) as step:
        for item in items:
            yield item
            step(1)


def system_words(error: OSError, lang: Language) -> str:
    """Return why the system refuses a file or a port; reasons without a text are in English."""
    known = SYSTEM_ERRORS.get(error.errno or 0)
    return lang(f"terminal.system.{known}") if known else error.strerror or str(error)


def store_words(error: Exception, lang: Language) -> str:
    """Return what has failed in the database; empty if the error is of another kind."""
    from scorekeeper.store.errors import Damaged, NotSaved, Unreadable  # loads the engines

    match error:
        case Damaged():
            return lang.problem(error.problem)
        case NotSaved():
            return lang("terminal.not_saved", why=str(error))
        case Unreadable():
            return lang("terminal.not_read", why=str(error))
    return ""


def fail(lines: Iterable[str], status: int = 1) -> NoReturn:
    """Print error messages and exit."""
    for line in lines:
        click.echo(line, err=True)
    sys.exit(status)
