"""The jobs in which a group is checked, and reading its file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import groups, imports
from scorekeeper.services.exports import group_json, group_lines
from scorekeeper.store import BadExport, Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.strict import FormError
from transfers import sent

pytestmark = pytest.mark.sqlite  # checked before anything is written


@pytest.fixture
def group(ledger: Ledger) -> str:
    """A group whose evenings have 1, 3, 2, 1 and 1 events."""
    group = groups.create_group(ledger, NewGroup("Freitag", ("Anna", "Bernd"))).group.id
    for rounds in (0, 2, 1, 0, 0):
        order = NewGame("", "", short.FAMILY, ("Anna", "Bernd"))
        game = groups.open_evening(ledger, group, order, Write())
        for points in range(1, rounds + 1):
            short.record(ledger, game.id, 0, points)
    return group


def jobs(export: Any, games: list[Any]) -> list[list[int]]:
    """Return the events of the games in each job."""
    found = []

    def run(job: Callable[..., Any], *args: Any) -> Any:
        if job is imports.read_evenings:
            found.append([task.events for task in args[0]])
        return job(*args)

    read = imports.read_group(export, games, run=run)
    assert [evening.stored.game for evening in read.evenings] == list(read.book.evenings)
    return found


@pytest.mark.parametrize(
    ("events", "games", "expected"),
    [
        (300, 50, [[1, 3, 2, 1, 1]]),
        (8, 5, [[1, 3, 2, 1, 1]]),
        (7, 5, [[1, 3, 2, 1], [1]]),
        (4, 5, [[1, 3], [2, 1, 1]]),
        (3, 5, [[1], [3], [2, 1], [1]]),
        (2, 5, [[1], [3], [2], [1, 1]]),  # one game is never divided
        (300, 2, [[1, 3], [2, 1], [1]]),
        (300, 1, [[1], [3], [2], [1], [1]]),
    ],
)
def test_a_job_has_few_events_and_few_games(
    ledger: Ledger,
    group: str,
    monkeypatch: pytest.MonkeyPatch,
    events: int,
    games: int,
    expected: list[list[int]],
) -> None:
    monkeypatch.setattr(imports, "EVENTS_PER_JOB", events)
    monkeypatch.setattr(imports, "GAMES_PER_JOB", games)

    assert jobs(*sent(ledger, group)) == expected


def test_a_group_arrives_with_all_its_games_and_no_others(ledger: Ledger, group: str) -> None:
    export, games = sent(ledger, group)
    for wrong in (games[1:], [*games, games[0]], [{**games[0], "id": []}, *games[1:]], [7]):
        with pytest.raises(BadExport):
            imports.read_group(export, wrong)


def test_a_file_with_a_game_in_each_line_is_read_and_its_bytes_are_counted(
    ledger: Ledger, group: str, tmp_path: Path
) -> None:
    file, read = tmp_path / "group.jsonl", list[int]()
    text = "".join(line + "\n\n" for line in group_lines(ledger, group))
    file.write_text(text, encoding="utf-8")
    export, games = sent(ledger, group)

    assert list(imports.read_exports(file, read.append)) == [export, *games]
    assert sum(read) == len(text.encode())


def test_a_file_with_one_export_over_several_lines_is_read(
    ledger: Ledger, group: str, tmp_path: Path
) -> None:
    file, read = tmp_path / "group.json", list[int]()
    file.write_text("".join(group_json(ledger, group)), encoding="utf-8")
    export, games = sent(ledger, group)

    assert list(imports.read_exports(file, read.append)) == [{**export, "games": games}, *games]
    assert sum(read) == file.stat().st_size


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", FormError),
        ("{", FormError),
        ("[1]", BadExport),
        (json.dumps({"games": 7}), BadExport),
        (json.dumps({"games": []}) + "\n[2]", BadExport),
        (json.dumps({"games": []}) + "\n{", FormError),
    ],
)
def test_a_file_that_is_no_export_is_refused(
    tmp_path: Path, text: str, error: type[Exception]
) -> None:
    file = tmp_path / "group.json"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(error):
        list(imports.read_exports(file))
