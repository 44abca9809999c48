"""Commands on a damaged game, on a disk that fails, and beside others who have the file open."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import short
from commands import run
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import games, groups
from scorekeeper.store import Damaged, Ledger, open_ledger
from scorekeeper.store.writes import Write
from store.disk import ENOSPC, Call, Disk, recording_disk

AT = "2026-03-05T20:00:00Z"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A game without a group, and two groups; an evening of the second one is damaged."""
    file = tmp_path / "games.sqlite"
    with closing(open_ledger(file)) as ledger:
        begun = [
            groups.create_group(ledger, NewGroup(name, ("Anna", "Bernd"))).group.id
            for name in ("Heil", "Wund")
        ]
        short.begun(ledger, "Anna", "Claire")
        for group in (begun[0], begun[1], begun[1]):
            order = NewGame("", "", short.FAMILY, ("Anna", "Bernd"))
            evening = groups.open_evening(ledger, group, order, write=Write()).id
            short.record(ledger, evening, 0, 35)
            games.end_game(ledger, evening, write=Write())
        damage(ledger, evening)
    return file


def damage(ledger: Ledger, game_id: str) -> None:
    """Append an event that nobody can replay."""
    event = (ledger.version(game_id) + 1, AT, "round", "pen", "[]", None, None)
    with ledger.transaction():
        ledger.store.events.append(game_id, event, {}, bytes(32))


def damaged_in(data: Path) -> tuple[str, str]:
    """Return the damaged game and its group."""
    with closing(open_ledger(data)) as ledger:
        for game in ledger.games():
            try:
                ledger.game(game)
            except Damaged:
                return game, ledger.seasons.group_of(game) or ""
    raise AssertionError


def players_in(data: Path) -> list[tuple[str, ...]]:
    """Return the players of everything that can be read, groups first."""
    with closing(open_ledger(data)) as ledger:
        hurt = damaged_in(data)[0]
        found = [ledger.group(one).players for one in ledger.groups()]
        return found + [ledger.game(one).players for one in ledger.games() if one != hurt]


@pytest.mark.parametrize(
    ("command", "lang"),
    [
        ("export {file} --game {game}", "de"),
        ("export {file} --group {group} --table rounds", "en"),
    ],
)
def test_a_damaged_game_is_named(command: str, lang: str, data: Path, tmp_path: Path) -> None:
    game, group = damaged_in(data)
    file = tmp_path / "out"
    call = command.format(file=file, game=game, group=group).split()

    refused = run(*call, "--data", data, lang=lang)

    problem = language(lang).problem(Problem("E_DAMAGED", {"id": game, "number": 4}))
    assert (refused.exit_code, refused.output) == (1, f"{problem}\n")
    assert not file.exists()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_evenings_are_recomputed_wherever_nothing_is_damaged(lang: str, data: Path) -> None:
    words = language(lang)
    game, group = damaged_in(data)
    with closing(open_ledger(data)) as ledger:
        alone = next(one for one in ledger.games() if not ledger.seasons.group_of(one))
        (healthy,) = [one for one in ledger.groups() if one != group]
        damage(ledger, alone)
        evenings = {one: ledger.seasons.evening_rows(one) for one in ledger.games()}
    spoil(data)

    rebuilt = run("rebuild", "--data", data, lang=lang)

    hurt = [Problem("E_DAMAGED", {"id": one, "number": n}) for one, n in ((game, 4), (alone, 2))]
    hurt.sort(key=lambda one: str(one.facts["id"]))
    assert rebuilt.exit_code == 1
    assert words("terminal.rebuilt", n=2, evenings=3) in rebuilt.stdout
    assert rebuilt.stderr.splitlines()[-2:] == [words.problem(one) for one in hurt]
    with closing(open_ledger(data)) as ledger:
        differ = [one for one, rows in evenings.items() if ledger.seasons.evening_rows(one) != rows]
        assert differ == [game]
        damage(ledger, healthy)
    spoil(data)

    again = run("rebuild", "--data", data, lang=lang)

    assert again.exit_code == 1
    assert words("terminal.rebuilt", n=1, evenings=2) in again.stdout
    with closing(open_ledger(data)) as ledger:
        assert all(ledger.seasons.evening_rows(one)["evenings"] for one in evenings if one != alone)


def spoil(data: Path) -> None:
    """Change what is stored about every evening that is over."""
    with closing(sqlite3.connect(data)) as other:
        other.executescript("UPDATE evenings SET rounds = rounds + 1 WHERE over")


def test_a_name_is_erased_wherever_nothing_is_damaged(data: Path) -> None:
    lang, words = "fr", language("fr")
    game, group = damaged_in(data)
    problem = words.problem(Problem("E_DAMAGED", {"id": game, "number": 4}))

    listed = run("erase", "--name", "Anna", "--data", data, lang=lang)
    before = players_in(data)
    erased = run("erase", "--name", "Anna", "--data", data, "--yes", lang=lang)

    assert (listed.exit_code, listed.stdout.count("Anna")) == (1, 5)
    assert listed.stdout.endswith(f"{words('terminal.erase_ask')}\n")
    assert listed.stderr == f"{problem}\n{words('terminal.erase_left', ids=game)}\n"
    assert [players[0] for players in before] == ["Anna"] * 5
    assert (erased.exit_code, erased.stdout.count("Anna")) == (1, 5)
    assert erased.stdout.endswith(f"{words('terminal.erase_done')}\n")
    assert erased.stderr == f"{problem}\n{words('terminal.erase_left', ids=f'{game}, {group}')}\n"
    assert sorted(players[0] for players in players_in(data)) == ["", "", "", "", "Anna"]


def test_a_name_in_nothing_but_a_damaged_game_is_reported(data: Path) -> None:
    game, _ = damaged_in(data)

    refused = run("erase", "--name", "Anna", "--game", game, "--data", data, "--yes")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.endswith(f"The name stays in {game}.\n")


# ---- the disk ------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A disk that becomes full soon after something is written to it."""

    def full(call: Call) -> int:
        written = sum(done.kind == "write" for done in found.calls)
        return ENOSPC.get(call.kind, 0) if written > 60 else 0

    with recording_disk() as found:
        found.fault = full
        yield found


@pytest.mark.parametrize(("command", "lang"), [("demo", "fr"), ("import", "lb")])
def test_what_cannot_be_saved_is_reported(
    command: str, lang: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    export, target = tmp_path / "group.jsonl", tmp_path / "target.sqlite"
    run("demo", "--evenings", "2", "--data", tmp_path / "demo.sqlite")
    run("export", export, "--data", tmp_path / "demo.sqlite")
    request.getfixturevalue("disk")

    call = ("demo",) if command == "demo" else ("import", export)
    refused = run(*call, "--data", target, lang=lang)

    why = "database or disk is full"
    assert (refused.exit_code, refused.stderr) == (
        1,
        f"{language(lang)('terminal.not_saved', why=why)}\n",
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_traces_that_cannot_be_removed_yet_are_mentioned(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_JOURNAL", "wal")
    monkeypatch.setattr("scorekeeper.store.sqlite.engine.BUSY_MS", 10)
    data, words = tmp_path / "games.sqlite", language(lang)
    with closing(open_ledger(data, journal="wal")) as ledger:
        short.begun(ledger, "Anna", "Bernd")
    with closing(sqlite3.connect(data, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT 1 FROM events").fetchall()
        done = run("erase", "--name", "Anna", "--data", data, "--yes", lang=lang)

    said = [words("terminal.erase_done"), words("terminal.erase_traces")]
    assert (done.exit_code, done.stdout.splitlines()[1:]) == (0, said)


@pytest.mark.parametrize("day", ["0001-01-02", "1899-12-31"])
def test_a_demo_in_a_calendar_of_long_ago_is_refused(day: str, tmp_path: Path) -> None:
    refused = run("demo", "--until", day, "--data", tmp_path / "demo.sqlite")

    assert refused.exit_code == 2
    assert "--until must be a day such as 2026-03-05." in refused.stderr
