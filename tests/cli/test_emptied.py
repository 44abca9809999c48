"""A database that was emptied is noticed, and its backups are named."""

import os
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commands import fetch, run
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.store import open_ledger

OLDER, NEWEST = "games-20261120T150000Z.sqlite", "games-20261121T150000Z.sqlite"
AFTER_OLDER = datetime(2026, 11, 20, 16, tzinfo=UTC).timestamp()
BLANK = {"missing": None, "empty": b"", "a byte": b"{"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A database with two backups in the usual folder."""
    data = tmp_path / "games.sqlite"
    open_ledger(data).close()
    (tmp_path / "backups").mkdir()
    for name in (OLDER, NEWEST):
        shutil.copy(data, tmp_path / "backups" / name)
    return data


def leave(data: Path, content: bytes | None) -> None:
    data.unlink() if content is None else data.write_bytes(content)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("left", BLANK.values(), ids=BLANK)
@pytest.mark.parametrize("command", ["serve", "demo"])
def test_nothing_is_begun_anew_beside_backups(
    data: Path, command: str, left: bytes | None, lang: str
) -> None:
    leave(data, left)
    done = run(command, "--data", data, lang=lang)
    words = language(lang)
    newest = data.parent / "backups" / NEWEST

    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        words("terminal.emptied", file=str(data), n=2),
        f"    {newest}",
        f"    {newest.with_name(OLDER)}",
        words("maintenance.newest", data=str(data), file=str(newest)),
        words("terminal.start_anew"),
    ]
    assert (data.read_bytes() if data.exists() else None) == left


def test_the_command_it_names_restores_this_database_wherever_it_is_typed(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data.unlink()
    monkeypatch.chdir(data.parent)
    done = run("serve", "--data", data.name)
    monkeypatch.chdir("/")
    (line,) = (line for line in done.stderr.splitlines() if "scorekeeper restore" in line)
    restored = run("restore", *shlex.split(line.partition("scorekeeper restore ")[2]))

    assert restored.exit_code == 0
    assert run("check", "--data", data).exit_code == 0


def test_a_backup_with_a_name_of_its_own_is_named_too(data: Path) -> None:
    folder = data.parent / "backups"
    shutil.copy(data, folder / "before the cup.db")
    os.utime(folder / "before the cup.db", (AFTER_OLDER, AFTER_OLDER))
    shutil.copy(data, folder / "others-20261122T150000Z.sqlite")
    (folder / "notes.txt").write_text("Dear neighbour")
    data.unlink()
    done = run("serve", "--data", data)
    named = [line.strip() for line in done.stderr.splitlines() if line.startswith("    ")]

    assert named == [str(folder / name) for name in (NEWEST, "before the cup.db", OLDER)]


def test_on_request_a_server_begins_anew(data: Path, served) -> None:
    data.write_bytes(b"")
    _, _, port = served("--data", str(data), "--new")

    assert fetch(port) == 200


def test_a_server_begins_without_backups_or_with_a_sound_database(data: Path, served) -> None:
    _, _, port = served("--data", str(data))
    _, _, other = served("--data", str(data.with_name("others.sqlite")))

    assert fetch(port) == fetch(other) == 200


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", [["check"], ["check", "--new"], ["check", "--against", "abcd"]])
def test_an_empty_file_is_reported_by_check(data: Path, command: list[str], lang: str) -> None:
    data.write_bytes(b"")
    done = run(*command, "--data", data, lang=lang)
    words = language(lang)

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        words("terminal.empty", file=str(data)),
        words("maintenance.newest", data=str(data), file=str(data.parent / "backups" / NEWEST)),
    ]


@pytest.mark.parametrize("command", ["check --data {}", "copy {} copy.sqlite"])
def test_an_empty_database_of_a_server_is_reported(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*command.format(postgres).split())

    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert "is empty" in done.stderr


def test_an_emptied_database_is_restored_from_the_backup_that_was_named(data: Path) -> None:
    data.write_bytes(b"")
    restored = run("restore", data.parent / "backups" / NEWEST, "--data", data)

    assert restored.exit_code == 0, restored.output
    assert run("check", "--data", data).exit_code == 0
