"""The command about tournaments."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from club_nights import Club
from scorekeeper.cli.commands import main
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import groups
from scorekeeper.store import open_ledger


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "club.sqlite"
    ledger = open_ledger(file)
    club = Club(ledger)
    for _ in range(2):
        club.draw()
        club.play_all()
        club.close()
    groups.create_group(ledger, NewGroup("Kegelclub", ()))
    ledger.close()
    yield file


def run(data: Path, *arguments: str) -> tuple[int, str]:
    command = ["standings", "--data", str(data), "--lang", "en", *arguments]
    result = CliRunner().invoke(main, command)
    return result.exit_code, result.output


def test_the_standings_and_the_draws_are_shown(data: Path, tmp_path: Path) -> None:
    code, output = run(data, "--pdf", str(tmp_path / "standings.pdf"))

    assert code == 0, output
    assert output.splitlines()[0] == "After round 2, Café Zentral"
    assert "   1  " in output and "  13  " in output
    assert output.count("The draw is right: the seed gives the same tables.") == 2
    assert (tmp_path / "standings.pdf").read_bytes().startswith(b"%PDF")


def test_an_earlier_round_can_be_shown(data: Path) -> None:
    assert run(data, "--after", "1")[1].startswith("After round 1")


def test_an_unknown_group_lists_those_that_play_one(data: Path) -> None:
    code, output = run(data, "--group", "abcdefghij")

    assert code == 1
    assert "Name the group that plays the tournament with --group." in output
    assert "Café Zentral" in output
    assert "Kegelclub" not in output
