"""Commands that import and export: groups, games, tables, CSV score sheets."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from commands import run
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.history.book import Event
from scorekeeper.export import tables
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import exports, games, groups
from scorekeeper.services.copies import copy_lines
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.chain import links
from scorekeeper.store.writes import Write

SHEET = "Date;Anna;Bernd;Xaver\n5.3.2026;0;35;12\n;20;;0\n2026-03-12;7;0;\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A database with one group of four evenings."""
    data = tmp_path / "home.sqlite"
    ledger = open_ledger(data)
    make(ledger, DemoSettings(evenings=4, members=4, seed=5, until=date(2026, 2, 1)))
    ledger.close()
    return data


@pytest.fixture
def abroad(tmp_path: Path) -> Path:
    return tmp_path / "abroad.sqlite"


@pytest.fixture
def exported(home: Path, tmp_path: Path) -> Path:
    """The group of ``home`` as a file."""
    file = tmp_path / "group.jsonl"
    assert run("export", file, "--data", home).exit_code == 0
    return file


@pytest.fixture
def sheet(home: Path, tmp_path: Path) -> tuple[Path, tuple[object, ...]]:
    """A file to write, and the command that imports it as a sheet of the group of ``home``."""
    file = tmp_path / "sheet.csv"
    return file, ("import", "--group", only_group(home), file, "--data", home)


def evenings(data: Path) -> int:
    return int(opened(data, lambda ledger: ledger.seasons.count_evenings(ledger.groups()[0])))


def opened(data: Path, look: Any) -> Any:
    ledger = open_ledger(data)
    try:
        return look(ledger)
    finally:
        ledger.close()


def only_group(data: Path) -> str:
    return str(opened(data, lambda ledger: ledger.groups()[0]))


def heads(data: Path) -> dict[str, str]:
    return dict(
        opened(data, lambda ledger: ledger.store.engine.rows("SELECT id, hex(head) FROM books"))
    )


def test_a_group_is_exported_and_imported_with_equal_heads(home, exported, abroad):
    into, again = (run("import", exported, "--data", abroad) for _ in range(2))

    assert (into.exit_code, again.exit_code) == (0, 1)
    assert len(exported.read_text(encoding="utf-8").splitlines()) == 5
    assert heads(abroad) == heads(home)
    assert only_group(home) in again.output
    secret = into.output.split(f"/enter#{only_group(home)}.")[1].split()[0]
    assert opened(abroad, lambda ledger: ledger.rights.of_secret(only_group(home), secret)) == "pen"


def test_a_group_can_be_imported_from_a_pipe(home, exported, abroad, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as other:
        other.submit(lambda: pipe.write_bytes(exported.read_bytes()))

        assert run("import", pipe, "--data", abroad).exit_code == 0
    assert heads(abroad) == heads(home)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_group_downloaded_from_its_page_can_be_imported(home, abroad, tmp_path, indent):
    file = tmp_path / "group.json"

    def whole(ledger: Ledger) -> str:
        return "".join(exports.group_json(ledger, ledger.groups()[0]))

    text = opened(home, whole)
    file.write_text(json.dumps(json.loads(text), indent=indent) if indent else text, "utf-8")

    assert run("import", file, "--data", abroad).exit_code == 0
    assert heads(abroad) == heads(home)


def test_exports_are_private_and_a_failed_one_keeps_the_old_file(home, tmp_path, monkeypatch):
    file = tmp_path / "group.jsonl"
    file.write_text("old")
    with monkeypatch.context() as full:
        full.setattr("scorekeeper.store.files.sync", refuse)
        refused = run("export", file, "--data", home)
    left = file.read_text()
    assert run("export", file, "--data", home).exit_code == 0

    assert (refused.exit_code, left) == (1, "old")
    assert "No space left" in refused.output
    assert file.stat().st_mode & 0o777 == 0o600
    assert {one.name for one in tmp_path.iterdir() if "part" in one.name} == set()


@pytest.mark.parametrize("beside", ["", ".key", "-journal", "-wal", "-shm", ".lock", ".checked"])
def test_an_export_never_replaces_a_database_or_a_file_beside_it(home, exported, abroad, beside):
    run("import", exported, "--data", abroad)
    before = {file: heads(file) for file in (home, abroad)}
    for data in (home, abroad):
        target = data.with_name(f"{data.name}{beside}")

        refused = run("export", target, "--data", home)

        assert (refused.exit_code, str(target) in refused.output) == (1, True), refused.output
    assert {file: heads(file) for file in (home, abroad)} == before


def test_an_export_into_a_pipe_leaves_it_a_pipe(home, exported, tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for file in (pipe, link):
        with ThreadPoolExecutor(1) as other:
            read = other.submit(pipe.read_bytes)

            written = run("export", file, "--data", home)

        assert (written.exit_code, written.stdout) == (0, "")
        assert read.result() == exported.read_bytes()
        assert pipe.is_fifo()
    assert link.is_symlink()


def refuse(path: Path) -> None:
    raise OSError(28, "No space left on device")


def test_a_game_is_exported_and_imported(home, abroad, tmp_path):
    def begin(ledger: Ledger) -> str:
        order = NewGame("", "", new_rules("german-family", {}), ("Anna", "Ben"))
        return games.create_game(ledger, order).game.id

    game = opened(home, begin)
    file = tmp_path / "game.json"
    out = run("export", "--game", game, file, "--data", home)
    into = run("import", file, "--data", abroad)

    assert (out.exit_code, into.exit_code) == (0, 0)
    assert heads(abroad) == {game: heads(home)[game]}


def test_every_game_of_a_file_is_imported_or_none(abroad, tmp_path):
    def begin(ledger: Ledger) -> str:
        order = NewGame("", "", new_rules("german-family", {}), ("Anna", "Ben"))
        return json.dumps(ledger.export(games.create_game(ledger, order).game.id)) + "\n"

    file, more = tmp_path / "games.jsonl", tmp_path / "more.jsonl"
    one, two, three = (opened(tmp_path / "other.sqlite", begin) for _ in range(3))
    file.write_text(one + two, "utf-8")
    more.write_text(three + one, "utf-8")
    into, known = run("import", file, "--data", abroad), run("import", more, "--data", abroad)

    assert (into.exit_code, known.exit_code) == (0, 1)
    assert heads(abroad).keys() == {json.loads(game)["id"] for game in (one, two)}
    assert all(book_id in into.output for book_id in heads(abroad))


@pytest.mark.parametrize("table", tables.TABLES)
def test_every_table_is_written(home, tmp_path, table):
    file = tmp_path / "table.csv"

    assert run("export", "--table", table, file, "--data", home).exit_code == 0
    assert len(file.read_bytes().splitlines()) > (0 if table == "payments" else 4)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_ambiguous_export_lists_the_groups(home, tmp_path, lang):
    opened(home, lambda ledger: groups.create_group(ledger, NewGroup("Freitag", ())))
    file = tmp_path / "out.jsonl"
    for wrong in ((), ("--group", "nobody"), ("--game", "nobody")):
        answer = run("export", *wrong, file, "--data", home, lang=lang)

        assert answer.exit_code == 1
        assert "Freitag" in answer.output
        assert not file.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "{}", '{"format": "scorekeeper group 1"}'])
def test_an_invalid_export_is_refused_and_nothing_is_written(tmp_path, text):
    file, data = tmp_path / "file.json", tmp_path / "new.sqlite"
    file.write_text(text, encoding="utf-8")
    answer = run("import", file, "--data", data)

    assert answer.exit_code == 1
    assert str(file) in answer.output
    assert [*tmp_path.iterdir()] == [file]


def test_a_refused_command_leaves_no_new_database(home, tmp_path):
    there = {*tmp_path.iterdir()}
    for refused in (("import", tmp_path / "none.json"), ("copy", tmp_path / "none.sqlite")):
        place = ("--data",) if refused[0] == "import" else ()
        answer = run(*refused, *place, tmp_path / "new.sqlite")

        assert answer.exit_code == 1
        assert {*tmp_path.iterdir()} == there


def test_the_key_of_a_lost_database_survives_a_refused_import(tmp_path):
    key = tmp_path / "lost.sqlite.key"
    key.write_text("a" * 64, encoding="ascii")

    assert run("import", tmp_path / "none.json", "--data", tmp_path / "lost.sqlite").exit_code == 1
    assert [*tmp_path.iterdir()] == [key]


def test_what_was_imported_before_a_refusal_is_kept(exported, abroad, tmp_path):
    answer = run("import", exported, tmp_path / "none.json", "--data", abroad)

    assert answer.exit_code == 1
    assert heads(abroad)


def test_one_invalid_line_prevents_the_whole_import(exported, abroad):
    whole = exported.read_bytes()
    for broken in (whole[:-200], whole.rsplit(b"\n", 2)[0], whole + b"{}\n"):
        exported.write_bytes(broken)

        assert run("import", exported, "--data", abroad).exit_code == 1
        assert heads(abroad) == {}


@pytest.mark.parametrize(
    "wish",
    [
        ("--preview",),
        ("--preset", "robber"),
        ("--new-members", "Xaver"),
        ("--points", "totals"),
        ("--replace", "2026-03-05"),
    ],
)
def test_options_for_sheets_require_a_group(exported, abroad, wish):
    result = run("import", exported, "--data", abroad, *wish)

    assert result.exit_code == 1
    assert "--group" in result.output
    assert not abroad.exists()


def test_a_backup_does_not_count_groups_as_games(home, tmp_path):
    games = run("check", "--data", home, lang="en").output.split("games ")[1].split(",")[0]

    assert f"(games {games}," in run("backup", tmp_path / "copy.sqlite", "--data", home).output
    assert opened(home, lambda ledger: len(ledger.group(only_group(home)).evenings)) == int(games)


def test_a_sheet_can_be_previewed_imported_and_recognised(home, sheet):
    file, arguments = sheet
    file.write_text(SHEET, encoding="utf-8")
    seen, unconfirmed = run(*arguments, "--preview"), run(*arguments)
    confirmed = (*arguments, "--new-members", "Xaver")
    taken, twice = run(*confirmed), run(*confirmed)

    assert (seen.exit_code, unconfirmed.exit_code) == (0, 1)
    assert (taken.exit_code, twice.exit_code) == (0, 1)
    assert "Anna 20" in seen.output
    assert "Xaver (new) 12" in seen.output
    for answer in (seen, unconfirmed):
        assert "“Xaver” is not a member yet" in answer.output
        assert "--new-members NAME" in answer.output
    assert "Line 2" in twice.output
    assert "Line 4" in twice.output
    assert evenings(home) == 6


def test_a_sheet_is_compared_by_the_days_of_the_table(home, sheet, monkeypatch):
    file, arguments = sheet
    monkeypatch.setenv("SCOREKEEPER_TIMEZONE", "America/New_York")
    last = opened(home, lambda ledger: ledger.seasons.evenings(only_group(home), limit=1)[0])
    game = opened(home, lambda ledger: ledger.game(last.game))
    late, day = f"{last.day}T02:00:00Z", date.fromisoformat(last.day) - timedelta(days=1)
    frame = Frame(began=late)
    opened(home, lambda ledger: games.correct_frame(ledger, game.id, "x", lambda _: frame, Write()))
    file.write_text(f"Date;{game.players[0]};{game.players[1]}\n{day};0;35\n", encoding="utf-8")

    assert "--replace" in run(*arguments).output


def test_columns_are_left_out_on_the_command_line(sheet):
    file, arguments = sheet
    file.write_bytes(f"Nr;{SHEET}".replace("\n", "\n1;").removesuffix("1;").encode("utf-16"))
    taken = run(*arguments, "--leave-out", "Xaver", "--preview")

    assert taken.exit_code == 1  # without Xaver, nobody went out in the second round
    assert "Line 3" in taken.output
    assert "Left out: Nr." in run(*arguments, "--new-members", "Xaver").output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_corrected_sheet_is_decided_on_the_command_line(home, sheet, lang):
    file, arguments = sheet
    arguments = (*arguments, "--new-members", "Xaver")
    file.write_text(SHEET, encoding="utf-8")
    assert run(*arguments).exit_code == 0
    file.write_text(SHEET.replace(";20;;0", ";25;;0"), encoding="utf-8")
    seen, undecided = run(*arguments, "--preview", lang=lang), run(*arguments, lang=lang)
    skipped = run(*arguments, "--skip", "2026-03-05", lang=lang)
    replaced = run(*arguments, "--replace", "2026-03-05", lang=lang)

    codes = [one.exit_code for one in (seen, undecided, skipped, replaced)]
    assert codes == [0, 1, 0, 0]
    assert "Anna 20 → 25" in seen.output
    assert "--replace" in undecided.output
    assert evenings(home) == 6
    assert run(*arguments, "--keep", "2026-03-05").exit_code == 0
    assert evenings(home) == 7


def test_a_name_that_looks_like_another_is_refused_with_its_line(sheet):
    file, arguments = sheet
    file.write_text("Datum;Anna;\u0410nna\n2026-03-05;0;35\n", encoding="utf-8")
    refused = run(*arguments, "--new-members", "\u0410nna", lang="fr")

    assert refused.exit_code == 1
    assert "Ligne 2\u202f: " in refused.output
    assert "players" not in refused.output


def test_running_totals_and_dates_are_answered_on_the_command_line(sheet):
    file, arguments = sheet
    file.write_text("Datum;Anna;Bernd\n3/5/2026;0;35\n;0;45\n", encoding="utf-8")
    assert "--dates" in run(*arguments).output
    arguments = (*arguments, "--dates", "month_first")
    assert "--points" in run(*arguments).output
    taken = run(*arguments, "--points", "totals", "--new-members", "Bernd")

    assert taken.exit_code == 0, taken.output
    assert "Bernd 45" in taken.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_ambiguous_sheet_is_refused_with_line_and_column(home, sheet, lang):
    file, arguments = sheet
    file.write_text(SHEET + "13.3.2026;0;0;y7\n", encoding="utf-8")
    answer = run(*arguments, lang=lang)

    assert answer.exit_code == 1
    assert "5" in answer.output
    assert "4" in answer.output
    assert evenings(home) == 4


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_export_is_no_sheet_and_a_sheet_no_export(home, exported, sheet, abroad, lang):
    file, command = sheet
    file.write_bytes(exported.read_bytes())
    as_sheet = run(*command, lang=lang)
    file.write_text(SHEET, "utf-8")
    as_export = run("import", file, "--data", abroad, lang=lang)

    for refused, what in ((as_sheet, "is_group"), (as_export, "is_table")):
        assert refused.exit_code == 1
        assert language(lang)(f"E_IMPORT.{what}") in refused.output


def test_a_sheet_needs_an_existing_group_and_preset(sheet):
    file, arguments = sheet
    file.write_text(SHEET, encoding="utf-8")
    nowhere = run(*arguments, "--group", "nobody")
    by_none = run(*arguments, "--preset", "skat")
    by_gin = run(*arguments, "--preset", "gin-palast")

    assert [one.exit_code for one in (nowhere, by_none, by_gin)] == [1, 1, 1]
    assert "nobody" in nowhere.output
    assert "skat" in by_none.output


def test_the_demo_prints_its_file_and_links(tmp_path):
    data = tmp_path / "demo.sqlite"
    answer = run("demo", "--evenings", 2, "--members", 3, "--until", "2026-01-31", "--data", data)

    assert answer.exit_code == 0
    assert f"/enter#{only_group(data)}." in answer.output
    assert (
        opened(data, lambda ledger: ledger.seasons.evenings(only_group(data))[0].day)
        == "2026-01-31"
    )


def test_check_mentions_points_imported_as_they_were_without_failing(exported, abroad):
    group, *games = map(json.loads, exported.read_text("utf-8").splitlines())
    booked = next(one for one in group["events"] if one["kind"] == "booked")["payload"]
    for move, more in zip(booked["moves"], (7, -7), strict=False):
        move[2] = str(Fraction(move[2]) + more)
    events = [Event(**{**one, "texts": {}}) for one in group["events"]]
    *_, head = links(group["id"], events)
    lines = (json.dumps(one) for one in ({**group, "head": head.hex()}, *games))
    exported.write_text("\n".join(lines), "utf-8")

    refused = run("import", exported, "--data", abroad)
    taken = run("import", "--as-it-was", exported, "--data", abroad)
    result = run("check", "--data", abroad)

    assert (refused.exit_code, taken.exit_code, result.exit_code) == (1, 0, 0), result.output
    message = language("en")("terminal.check.as_it_was", n=1, places=f"{booked['game']}/0")
    assert message in result.output


def test_a_copy_of_everything_is_imported_and_continued(home, tmp_path):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    server, group = tmp_path / "server.sqlite", only_group(home)

    def copied(ledger: Ledger, file: Path) -> None:
        file.write_text("".join(copy_lines(ledger)), encoding="utf-8")

    opened(home, lambda ledger: copied(ledger, first))
    into = run("import", first, "--data", server)
    opened(home, lambda ledger: groups.rename_group(ledger, group, "Skatclub", Write()))
    opened(home, lambda ledger: copied(ledger, second))
    again = run("import", second, "--data", server)

    assert (into.exit_code, again.exit_code) == (0, 0), again.output
    assert ("1 new" in into.output, "1 continued" in again.output) == (True, True)
    assert heads(server) == heads(home)
    secret = into.output.split(f"/enter#{group}.")[1].split()[0]
    assert opened(server, lambda ledger: ledger.rights.of_secret(group, secret)) == "pen"


def test_links_that_were_replaced_elsewhere_are_replaced_and_shown(home, tmp_path):
    file, server, group = tmp_path / "copy.jsonl", tmp_path / "server.sqlite", only_group(home)

    def taken() -> str:
        file.write_text(opened(home, lambda ledger: "".join(copy_lines(ledger))), encoding="utf-8")
        return run("import", file, "--data", server).output

    def pen(output: str) -> str:
        return output.split(f"/enter#{group}.")[1].split()[0]

    old = pen(taken())
    opened(home, lambda ledger: games.replace_secret(ledger, group, "pen", Write()))
    new = pen(taken())

    assert opened(server, lambda ledger: ledger.rights.of_secret(group, new)) == "pen"
    assert opened(server, lambda ledger: ledger.rights.of_secret(group, old)) is None
    assert "/enter#" not in taken()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_copy_that_went_on_in_another_way_is_reported(home, tmp_path, lang):
    file, server, group = tmp_path / "copy.jsonl", tmp_path / "server.sqlite", only_group(home)
    file.write_text(opened(home, lambda ledger: "".join(copy_lines(ledger))), encoding="utf-8")
    run("import", file, "--data", server)
    for data, name in ((server, "Hier"), (home, "Dort")):
        opened(data, lambda ledger, name=name: groups.rename_group(ledger, group, name, Write()))
    file.write_text(opened(home, lambda ledger: "".join(copy_lines(ledger))), encoding="utf-8")

    result = run("import", file, "--data", server, lang=lang)

    words = language(lang)("terminal.copy_imported", new=0, continued=0, known=0, diverged=1)
    assert (result.exit_code, result.stdout) == (1, f"{words}\n")
    assert result.stderr == f"{language(lang)('terminal.copy_diverged')}\n"
    assert opened(server, lambda ledger: ledger.group(group).name) == "Hier"
