"""The imports of commands: somebody waits for them at every start."""

import subprocess
import sys
from pathlib import Path

import pytest

from examples import EXAMPLE
from scorekeeper.cli.commands import COMMANDS, imported, main

PACKAGES = {
    *("PIL", "babel", "click", "flask", "flask_smorest", "flask_wtf", "granian", "marshmallow"),
    *("numpy", "onnxruntime", "prometheus_client", "psycopg", "psycopg_pool", "reportlab"),
    *("segno", "sqlite_utils", "uvloop"),
}
"""The packages that docs/dependencies.md lists to run scorekeeper."""
RUN = """
import sys
from scorekeeper.cli.commands import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""
SERVE = """
import sys
from scorekeeper.cli import answering, commands
answering.run = lambda *_, **__: print(*sys.modules, file=sys.stderr)
commands.main(["serve", "--port", "0", "--data", sys.argv[1]])
"""


def modules(script: str, *arguments: object) -> set[str]:
    """Return the modules that a script has imported when it prints them."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.usefixtures("external")
@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("--help", {"click"}),
        ("--version", {"click"}),
        (f"sheet {EXAMPLE} --lang de", {"click", "babel", "marshmallow"}),
        ("meld H7 H8 H9 --lang de", {"click", "babel", "marshmallow"}),
        ("export --help", {"click", "babel", "sqlite_utils"}),
    ],
    ids=lambda value: value.split()[0] if isinstance(value, str) else "",
)
def test_a_command_imports_the_packages_that_it_needs(command: str, needed: set[str]) -> None:
    assert modules(RUN, *command.split()) & PACKAGES == needed


@pytest.mark.usefixtures("external")
def test_printing_a_score_sheet_loads_nothing_of_groups_and_tournaments() -> None:
    imported = modules(RUN, "sheet", EXAMPLE, "--lang", "de")

    assert "scorekeeper.domain.game.sheet" in imported
    assert not [name for name in imported if "domain.group." in name or "tournament" in name]


@pytest.mark.usefixtures("external")
def test_a_server_is_ready_without_what_its_first_requests_need(tmp_path: Path) -> None:
    needed = {"babel", "click", "flask", "flask_smorest", "flask_wtf", "granian", "marshmallow"}

    imported = modules(SERVE, tmp_path / "games.sqlite")

    assert imported & PACKAGES == needed | {"sqlite_utils", "uvloop"}  # granian imports uvloop


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_their_own_words(name: str) -> None:
    command = imported(name)

    assert command.name == name
    assert main.commands[name].get_short_help_str(1000) == command.get_short_help_str(1000)
