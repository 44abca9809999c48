"""Wrong calls of commands, and files that cannot be used: in the language of the call."""

import errno
from pathlib import Path

import pytest
from click.testing import CliRunner

from commands import run
from scorekeeper.cli.commands import main
from scorekeeper.cli.common import SYSTEM_ERRORS, system_words
from scorekeeper.i18n import LANGUAGES, language

WRONG = (
    ("import",),
    ("import", "x", "--nope"),
    ("import", "x", "--points", "many"),
    ("import", "x", "--replace", "yesterday"),
    ("backup", "a", "b"),
    ("demo", "--members", "99"),
    ("demo", "--members"),
    ("turn", "--left", "some"),
    ("nope",),
    ("--nope",),
)
ENGLISH = ("Usage", "Error", "Missing", "No such", "Invalid", "unexpected", "range")
"""Words that click uses."""


@pytest.mark.parametrize("call", WRONG, ids=" ".join)
def test_a_wrong_call_is_refused_in_every_language(call: tuple[str, ...]) -> None:
    answers = {}
    for lang in LANGUAGES:
        refused = CliRunner().invoke(main, [*call[:1], "--lang", lang, *call[1:]])
        answers[lang] = refused.output

        assert refused.exit_code == 2
        assert not any(word in refused.output for word in ENGLISH)
    assert len({*answers.values()}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("import", "--lang=de"), "FILE... fehlt."),
        (("demo", "--members", "99", "--lang", "fr"), "un nombre entier de 2 à 40"),
        (("export", "--table", "all", "x", "--lang", "en"), "--table must be rounds, totals"),
        (("check", "--lang", "xx"), "--lang must be de, en, lb or fr"),
        (("serve", "--lang", "lb", "--nope"), "D’Optioun --nope gëtt et hei net."),
    ],
)
def test_a_refusal_names_what_would_be_right(call: tuple[str, ...], words: str) -> None:
    refused = CliRunner(env={"LC_ALL": "en_GB.UTF-8"}).invoke(main, call)

    assert words in refused.output
    assert f"scorekeeper {call[0]} --help".replace("scorekeeper", "main") in refused.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_that_is_missing_or_a_folder_is_named_in_every_language(
    lang: str, tmp_path: Path
) -> None:
    words = language(lang)
    missing, data = tmp_path / "missing", ("--data", tmp_path / "data.sqlite")
    for call in (("import", missing, *data), ("sheet", missing)):
        refused = run(*call, lang=lang)

        assert (refused.exit_code, refused.output) == (
            1,
            f"{missing}: {words('terminal.system.missing')}\n",
        )
    assert words("terminal.system.folder") in run("import", tmp_path, *data, lang=lang).output


def test_what_the_system_says_about_files_and_ports_has_words() -> None:
    said = {system_words(OSError(number, ""), language("de")) for number in SYSTEM_ERRORS}

    assert len(said) == len({*SYSTEM_ERRORS.values()})
    assert system_words(OSError(errno.EXDEV, "Cross-device link"), language("de")) == (
        "Cross-device link"
    )


TOO_LONG = "x" * 300
USING_DATA = ("serve", "check", "rebuild", "backup copy", "export x", "import x")
USING_DATA += ("standings", "erase --name Anna")
USING_A_FILE = ("sheet", "import", "restore", "turn --batch", "arrange --batch")


@pytest.mark.parametrize(
    "call",
    [
        *(f"{command} --data {TOO_LONG}" for command in USING_DATA),
        f"copy {TOO_LONG} copy",
        f"copy copy {TOO_LONG}",
        f"demo --data {TOO_LONG}",
        *(f"{command} {TOO_LONG}" for command in USING_A_FILE),
    ],
    ids=lambda call: call.replace(TOO_LONG, "FILE"),
)
def test_a_file_that_the_system_refuses_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path / "games.sqlite"))
    refused = CliRunner(env={"LC_ALL": "en_GB.UTF-8"}).invoke(main, call.split())

    assert (refused.exit_code, TOO_LONG in refused.output) == (1, True), refused.output
    assert isinstance(refused.exception, SystemExit)
