"""Files that commands write: never a database, whatever was typed."""

from pathlib import Path

import click

from scorekeeper.cli.common import fail, system_words
from scorekeeper.i18n import Language

ABOUT_A_FILE = ("", "-journal", "-wal", "-shm", ".key", ".lock", ".checked")
"""The endings of a database file, and of those beside it."""
HEAD = b"SQLite format 3\0"
"""The beginning of every SQLite file."""


def reject_database(file: Path, lang: Language) -> None:
    """Exit if a file to write is a database or belongs to one.

    Call it before the database is opened: closing a file drops the locks of its process on it.
    """
    target = file.resolve()
    names = (target.name.removesuffix(ending) for ending in ABOUT_A_FILE)
    if any(_is_database(target.parent / name) for name in names):
        fail([lang("terminal.own_file", file=str(file))])


def _is_database(file: Path) -> bool:
    if not file.is_file():  # reading from a pipe would wait
        return False
    with file.open("rb") as content:
        return content.read(len(HEAD)) == HEAD


def reject_own_file(file: Path, data: Path, lang: Language) -> None:
    """Exit if a backup would be written over its own database or a file beside it."""
    bases = (data, data.resolve())
    own = {base.with_name(base.name + end).resolve() for base in bases for end in ABOUT_A_FILE}
    same = file.exists() and data.exists() and file.samefile(data)  # by a hard link
    if same or file.resolve() in own:
        fail([lang("terminal.own_file", file=str(file))])


def write_file(file: Path, content: bytes, lang: Language) -> None:
    """Write a file; exits if that fails, or if a database would be lost."""
    try:
        reject_database(file, lang)
        file.write_bytes(content)
    except OSError as error:
        fail([f"{file}: {system_words(error, lang)}"])


def say_written(file: Path, lang: Language) -> None:
    """Say that a file is written, beside the content if that goes into a pipe."""
    click.echo(lang("terminal.paper_written", file=str(file)), err=not file.is_file())
