"""Nothing that others have written controls the terminal."""

import io
import json
import sys
from functools import partial
from pathlib import Path

import pytest

import commands
from scorekeeper.cli.terminal import VisibleStream, use_visible_streams, visible
from scorekeeper.i18n import LANGUAGES

RED = "\x1b[31m"
HOSTILE = (RED, "\x9b31m", "\r", "\x07", "\x7f", "\u202e", "\u2066", "\u2028", "\x00", "\x08")


run = partial(commands.run, color=True)
"""Run a command as in a terminal that shows colours; elsewhere click removes some sequences."""


@pytest.mark.parametrize("char", HOSTILE, ids=ascii)
def test_a_control_character_is_written_as_json_writes_it(char: str) -> None:
    shown = visible(f"a{char}b")

    assert shown.isprintable()
    assert json.loads(f'"{shown}"') == f"a{char}b"


def test_letters_lines_and_tabs_stay() -> None:
    text = "Änne\tßéЖ 中 ♠\n— “ok”\u00a0\u202f!"

    assert visible(text) == text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_unknown_key_of_a_file_does_not_control_the_terminal(tmp_path: Path, lang: str) -> None:
    file = tmp_path / "evening.json"
    file.write_text(json.dumps({f"{RED}players": []}), encoding="utf-8")
    done = run("sheet", file, lang=lang)

    assert done.exit_code == 1
    assert "\x1b" not in done.output
    assert "\\u001b[31mplayers" in done.output


@pytest.mark.parametrize("command", ["sheet", "import", "check", "restore", "serve", "season"])
def test_a_file_name_does_not_control_the_terminal(tmp_path: Path, command: str) -> None:
    file = tmp_path / f"{RED}evening"
    file.write_bytes(b"{" * 5000)
    named = [] if command in ("sheet", "import", "restore") else ["--data"]
    done = run(command, *named, file)

    assert done.exit_code != 0
    assert "\x1b" not in done.output


@pytest.mark.parametrize("arguments", [(f"--{RED}",), (f"{RED}evening",), ("serve", f"--{RED}")])
def test_a_wrong_option_does_not_control_the_terminal(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)

    assert done.exit_code == 2
    assert "\x1b" not in done.output


def test_the_streams_are_replaced_once_and_logs_go_through_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.BytesIO()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(written, "ascii", write_through=True))
    use_visible_streams()
    stream = sys.stderr
    use_visible_streams()
    print(f"{RED}Änne", file=sys.stderr)
    sys.stderr.writelines([RED, "\n"])

    assert sys.stderr is stream
    assert isinstance(stream, VisibleStream)
    assert written.getvalue().decode() == "\\u001b[31mÄnne\n\\u001b[31m\n"
