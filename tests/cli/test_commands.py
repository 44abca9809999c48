"""The command line: an evening from a file, serving, checking, backing up."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

import short
from commands import run
from scorekeeper.cli.commands import terminal_language
from scorekeeper.cli.output import check_line, table
from scorekeeper.domain.changes import NewGame
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import games
from scorekeeper.services.games import end_game, new_rules, open_game, preview_round
from scorekeeper.serving import lan
from scorekeeper.store import migrations
from scorekeeper.store.check import check
from scorekeeper.store.hold import hold
from scorekeeper.store.ledger import open_ledger

EXAMPLE = Path(__file__).parents[2] / "examples" / "evening.json"


@pytest.fixture
def evening() -> Any:
    return json.loads(EXAMPLE.read_text(encoding="utf-8"))


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(evening: object) -> Path:
        file = tmp_path / "abend.json"
        file.write_text(evening if isinstance(evening, str) else json.dumps(evening), "utf-8")
        return file

    return write


# ---- sheet ---------------------------------------------------------------------------


def row(output: str, label: str) -> list[str]:
    """The figures of the row that begins so."""
    line = next(line for line in output.splitlines() if line.startswith(label))
    return line.removeprefix(label).replace("−", "-").split()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_example_evening_comes_to_its_totals_and_payments(lang, evening):
    expected = evening["expected"]

    result = run("sheet", EXAMPLE, lang=lang)

    assert result.exit_code == 0
    words = language(lang)
    assert row(result.output, words("terminal.minus") + "  ") == list(map(str, expected["totals"]))
    balances = [f"{balance:+}" for balance in expected["balances"]]
    assert row(result.output, words("terminal.balance")) == balances
    assert row(result.output, words("terminal.proof", n=4)) == balances
    assert row(result.output, words("terminal.amount", unit="Pf")) == ["+33", "-23", "+65", "-75"]
    payments = result.output.split(words("terminal.payments"))[1].replace("\xa0", " ")
    assert re.findall(r"\b([A-D]) \w+ ([A-D]) (\d+) Pf", payments) == [
        ("D", "C", "65"),
        ("B", "A", "23"),
        ("D", "A", "10"),
    ]


def test_every_round_is_shown_with_its_points_and_the_running_total(evening):
    output = run("sheet", EXAMPLE).output

    totals = [0, 0, 0, 0]
    for number, minus in enumerate(evening["expected"]["minus"], start=1):
        totals = [total + points for total, points in zip(totals, minus, strict=True)]
        winner = "ABCD"[evening["rounds"][number - 1]["winner"]]
        pairs = [str(n) for pair in zip(minus, totals, strict=True) for n in pair]
        assert row(output, f"{number}  ")[:9] == [winner, *pairs]


def test_the_sheet_is_also_written_as_pdf(tmp_path):
    pdf = tmp_path / "sheet.pdf"

    result = run("sheet", EXAMPLE, "--pdf", pdf)

    assert result.exit_code == 0
    text = "".join(page.extract_text() for page in PdfReader(pdf).pages)
    assert all(total in text for total in ("220", "360", "140", "490"))


def test_a_table_that_cannot_be_settled_is_written_with_why(evening, written, tmp_path):
    evening["rules"] = {"preset": "german-family", "options": {"settle.mode": "balance"}}
    pdf = tmp_path / "sheet.pdf"

    result = run("sheet", written(evening), "--pdf", pdf, lang="de")

    assert result.exit_code == 0
    assert "Die Stände ergeben zusammen" in result.output
    assert "490" in "".join(page.extract_text() for page in PdfReader(pdf).pages)


def test_plus_points_are_shown_where_the_winner_collects_them(evening, written):
    evening["rules"] = {"preset": "romme-palast"}
    evening["rounds"] = [short.body(0, 12, 35, 7)]

    output = run("sheet", written(evening)).output

    assert row(output, "Minus points  ") == ["0", "12", "35", "7"]
    assert row(output, "Plus points  ") == ["54", "0", "0", "0"]


def test_an_absent_player_and_a_cancelled_round_stand_as_dashes(evening, written):
    evening["rounds"] = [short.body(0, 10, None, 5), {"outcome": "cancelled"}]

    output = run("sheet", written(evening)).output

    assert row(output, "1  ") == ["A", "0", "0", "10", "10", "–", "0", "5", "5"]
    assert row(output, "2  ")[:4] == ["–", "–", "0", "–"]
    assert "misdeal" in output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refused_round_is_named_with_file_round_and_player(lang, evening, written):
    evening["rounds"][2]["seats"][1] = {"hand": "KH KH KH"}
    evening["rounds"][5]["seats"][3] = {"hand": ""}

    result = run("sheet", written(evening), lang=lang)

    assert result.exit_code == 1
    words = language(lang)
    first, *_, last = result.stderr.splitlines()
    assert first.startswith(f"{written(evening)}: {words('terminal.round', number=3)}")
    assert f"{words('terminal.round_seat', number=6, player='D')}: " in last


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"title": "x", "title": "y"}',
        '{"rounds": 5}',
        '{"rounds": NaN}',
        "[" * 60_000,
        '{"title": ' + "9" * 5_000 + "}",
    ],
    ids=["empty", "cut", "list", "twice", "number", "nan", "deep", "long"],
)
def test_what_is_no_evening_is_refused_in_a_sentence(text, written):
    result = run("sheet", written(text))

    assert result.exit_code == 1
    assert result.stderr.startswith(str(written(text)))
    assert "Traceback" not in result.stderr


def test_bytes_that_are_no_text_are_refused_in_a_sentence(tmp_path):
    file = tmp_path / "abend.json"
    file.write_bytes(b"\xff\xfe\x00")

    assert run("sheet", file).exit_code == 1


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    result = run("sheet", tmp_path / "nowhere.json")

    assert result.exit_code == 1
    assert "nowhere.json" in result.stderr


def test_a_pdf_that_cannot_be_written_is_said_so(tmp_path):
    result = run("sheet", EXAMPLE, "--pdf", tmp_path / "nowhere" / "sheet.pdf")

    assert result.exit_code == 1
    assert "nowhere" in result.stderr


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "lb_LU.UTF-8"}, "lb"),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_terminal_chooses_the_language(environment, code, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert terminal_language().code == code
    assert terminal_language("lb").code == "lb"


def test_an_unknown_time_zone_is_said_before_anything_is_done(monkeypatch, tmp_path):
    monkeypatch.setenv("SCOREKEEPER_TIMEZONE", "Europe/Atlantis")
    refused = run("serve", "--data", tmp_path / "games.sqlite")

    assert refused.exit_code == 1
    assert "does not know the time zone Europe/Atlantis" in refused.output
    assert list(tmp_path.iterdir()) == []


def test_the_terminal_tells_the_time_of_the_table(monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_TIMEZONE", "Asia/Tokyo")

    assert terminal_language("de").time("2026-06-12T19:40:05Z") == "04:40"


# ---- serve ---------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Any]:
    """Starts the real command; gives what it said until it listens, and its port."""
    processes = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], list[str], int]:
        command = [sys.executable, "-m", "scorekeeper", "serve", "--port", "0", "--lang", "en"]
        environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "home")}
        process = subprocess.Popen(
            [*command, *arguments], env=environment, stdout=subprocess.PIPE, text=True
        )
        processes.append(process)
        assert process.stdout
        said = []
        for line in process.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith("Stop with"):
                break
        return process, said, int(said[0].rsplit(":", 1)[1])

    yield start
    for process in processes:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


def fetch(port: int, path: str = "/") -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def test_serve_says_where_it_listens_and_where_it_writes(served, tmp_path):
    _, said, port = served()

    assert said[0] == f"scorekeeper is running: http://127.0.0.1:{port}"
    assert str(tmp_path / "home" / "scorekeeper" / "scorekeeper.sqlite") in said[1]
    assert (tmp_path / "home" / "scorekeeper" / "scorekeeper.sqlite").is_file()
    assert fetch(port) == 200


def test_data_may_lie_elsewhere(served, tmp_path):
    elsewhere = tmp_path / "club" / "rounds.sqlite"

    _, said, port = served("--data", str(elsewhere))

    assert str(elsewhere) in said[1]
    assert fetch(port) == 200
    assert elsewhere.is_file()


def test_without_lan_only_this_machine_is_served(served):
    _, said, _ = served()

    assert len(said) == 3


def test_in_the_home_network_the_others_are_invited(served):
    _, said, port = served("--lan")

    invitation = "\n".join(lan.invitation("0.0.0.0", port, language("en")))
    assert said[2:-1] == invitation.splitlines()
    assert fetch(port) == 200


def test_behind_a_proxy_nobody_is_invited_past_it(served, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_TRUSTED_PROXIES", "1")

    _, said, _ = served("--host", "0.0.0.0")

    assert len(said) == 3


def test_the_invitation_has_address_and_code_and_says_who_can_read(monkeypatch):
    monkeypatch.setattr(lan, "home_address", lambda: "192.168.7.20")
    home = "http://192.168.7.20:8000"
    invitation = list(lan.invitation("0.0.0.0", 8000, language("en")))

    assert invitation == [
        f"In the home network: {home}",
        lan.qr_code(home),
        language("en")("terminal.lan_readable"),
    ]


def test_a_server_that_is_stopped_leaves_a_good_record(served, tmp_path):
    process, _, port = served()
    fetch(port)

    process.send_signal(signal.SIGTERM)

    assert process.wait(timeout=10) == 0
    data = tmp_path / "home" / "scorekeeper" / "scorekeeper.sqlite"
    assert run("check", "--data", data).exit_code == 0


def test_a_taken_port_is_said_in_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--port", port, "--data", tmp_path / "x.sqlite")

    assert result.exit_code == 1
    assert f"127.0.0.1:{port}" in result.stderr


def test_a_folder_that_cannot_be_made_is_said_and_not_the_port_blamed(tmp_path):
    (tmp_path / "letter.txt").touch()
    result = run("serve", "--port", 0, "--data", tmp_path / "letter.txt" / "x.sqlite")

    assert result.exit_code == 1
    assert "letter.txt" in result.stderr
    assert "--port" not in result.stderr


@pytest.mark.parametrize(
    "command", ["serve", "check", "rebuild", "backup {}", "restore {}", "import {}"]
)
def test_a_folder_instead_of_a_file_is_refused_and_nothing_is_made(tmp_path, command):
    (tmp_path / "data").mkdir()
    (tmp_path / "given").touch()
    arguments = command.format(tmp_path / "given").split()
    result = run(*arguments, "--data", tmp_path / "data")

    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        language("en")(
            "terminal.is_folder",
            folder=str(tmp_path / "data"),
            file=str(tmp_path / "data" / "games.sqlite"),
        )
    ]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["data", "given"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_folder_of_tables_is_refused_with_the_files_that_can_be_served(tmp_path, lang):
    for name in ("scorekeeper", "t/friday/friday", "t/club-7/club-7", "t/club-7/backups/club-7-1"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).with_suffix(".sqlite").touch()
    result = run("serve", "--port", 0, "--data", tmp_path, lang=lang)

    assert result.exit_code == 1
    assert result.stderr.splitlines()[-3:] == [
        f"--data {tmp_path / name}"
        for name in ("scorekeeper.sqlite", "t/club-7/club-7.sqlite", "t/friday/friday.sqlite")
    ]


def test_a_file_of_something_else_is_left_alone(tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear neighbour, " * 100)

    result = run("serve", "--port", 0, "--data", other)

    assert result.exit_code == 1
    assert other.read_text() == "Dear neighbour, " * 100


# ---- check and backup ----------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> tuple[Path, str, str]:
    """A record with one round; its file, the game and the digits of its sheet."""
    data = tmp_path / "scorekeeper.sqlite"
    ledger = open_ledger(data)
    opened = open_game(ledger, NewGame("", "", new_rules("german-family", {}), ("A", "B")))
    short.record(ledger, opened.game.id, 0, 12)
    head = ledger.head(opened.game.id)
    ledger.close()
    return data, opened.game.id, head[:16]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_finds_a_whole_record_good(lang, record):
    data, *_ = record

    result = run("check", "--data", data, lang=lang)

    assert result.exit_code == 0, result.output
    assert result.output.count(language(lang)("terminal.good")) >= 8


def test_check_reports_a_changed_round(record):
    data, *_ = record
    content = data.read_bytes()
    assert b'"points":12' in content
    data.write_bytes(content.replace(b'"points":12', b'"points":21'))

    result = run("check", "--data", data)

    assert result.exit_code == 1
    assert "BAD" in result.output


def test_digits_of_a_printed_sheet_are_found_or_never_were(record):
    data, game, digits = record

    assert game in run("check", "--data", data, "--against", digits).output
    assert run("check", "--data", data, "--against", "0123456789abcdef").exit_code == 1
    assert run("check", "--data", data, "--against", "no digits").exit_code == 1


def test_a_backup_is_whole_and_can_be_checked(record, tmp_path):
    data, *_ = record
    copy = tmp_path / "copy.sqlite"

    result = run("backup", copy, "--data", data)

    assert result.exit_code == 0
    assert f"{copy} (games 1, events 2)" in result.output
    assert run("check", "--data", copy).exit_code == 0


def test_a_backup_that_cannot_be_written_is_said_so(record, tmp_path):
    data, *_ = record

    assert run("backup", tmp_path / "nowhere" / "copy.sqlite", "--data", data).exit_code == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_backup_is_put_back_and_what_was_there_is_kept(lang, record, tmp_path):
    data, *_ = record
    copy, elsewhere = tmp_path / "copy.sqlite", tmp_path / "new" / "scorekeeper.sqlite"
    run("backup", copy, "--data", data)

    result = run("restore", copy, "--data", data, lang=lang)

    assert result.exit_code == 0, result.output
    (aside,) = tmp_path.glob("scorekeeper-replaced-*.sqlite")
    words = language(lang)
    assert words("upkeep.restored", file=str(data), games=1, events=2) in result.output
    assert words("upkeep.kept_aside", file=str(aside)) in result.output
    assert run("check", "--data", data).exit_code == 0
    assert run("restore", copy, "--data", elsewhere, lang=lang).exit_code == 0
    assert run("check", "--data", elsewhere).exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_would_be_lost_is_said_before_anything_is_replaced(lang, record, tmp_path):
    data, game, _ = record
    copy = tmp_path / "copy.sqlite"
    run("backup", copy, "--data", data)
    ledger = open_ledger(data)
    end_game(ledger, game, expect=None)
    ledger.close()

    refused = run("restore", copy, "--data", data, lang=lang)
    forced = run("restore", copy, "--data", data, "--force", lang=lang)

    poorer = language(lang)("upkeep.poorer", file=str(copy), offered=2, there=3)
    assert (refused.exit_code, refused.stderr) == (1, f"{poorer}\n")
    assert forced.exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_bad_backup_is_named_with_what_is_wrong_and_replaces_nothing(lang, record, tmp_path):
    data, *_ = record
    words = language(lang)
    changed, other = tmp_path / "changed.sqlite", tmp_path / "letter.txt"
    changed.write_bytes(data.read_bytes().replace(b'"points":12', b'"points":21'))
    other.write_text("Dear neighbour, " * 100)
    before = data.read_bytes()

    results = [run("restore", file, "--data", data, lang=lang) for file in (changed, other)]
    absent = run("restore", tmp_path / "none.sqlite", "--data", data, lang=lang)

    assert [result.exit_code for result in (*results, absent)] == [1, 1, 1]
    for file, result in zip((changed, other), results, strict=True):
        assert result.stderr.startswith(words("upkeep.not_restored", file=str(file)))
    assert words("terminal.bad") in results[0].stderr
    assert absent.stderr.startswith(words("upkeep.no_file", file=str(tmp_path / "none.sqlite")))
    assert data.read_bytes() == before


def test_what_is_served_is_neither_served_twice_nor_replaced(served, record, tmp_path):
    data, *_ = record
    copy = tmp_path / "copy.sqlite"
    _, _, port = served("--data", str(data))

    again = run("serve", "--port", 0, "--data", data)
    backed_up = run("backup", copy, "--data", data)
    replaced = run("restore", copy, "--data", data)

    in_use = language("en")("upkeep.in_use", file=str(data))
    assert (again.exit_code, again.stderr) == (1, f"{in_use}\n")
    assert backed_up.exit_code == 0
    assert (replaced.exit_code, replaced.stderr) == (1, f"{in_use}\n")
    assert fetch(port) == 200


def test_an_old_record_is_not_changed_under_a_server_of_its_version(record, monkeypatch):
    """Whoever installs a new version and backs up first has the old one still running."""
    data, *_ = record
    before = data.read_bytes()
    step = migrations.MIGRATIONS[-1:]
    with monkeypatch.context() as patched, hold(data, "serve"):
        patched.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, *step))
        result = run("rebuild", "--data", data)
        checked = run("check", "--data", data)

    in_use = language("en")("upkeep.in_use", file=str(data))
    outdated = language("en")("terminal.outdated", file=str(data))
    assert (result.exit_code, result.stderr) == (1, f"{in_use}\n")
    assert (checked.exit_code, checked.stderr) == (1, f"{outdated}\n")
    assert data.read_bytes() == before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_of_check_is_answered_in_words_whatever_it_finds(lang, record):
    data, *_ = record
    ledger = open_ledger(data)
    report = check(ledger, preview_round)
    ledger.close()
    words = language(lang)

    keys = {line.key for line in report.lines}
    assert {"engine", "pragmas", "chain", "replay", "prices", "space"} <= keys
    for line in report.lines:
        facts = {"error": "disk I/O error", **line.facts}  # only where it cannot be read
        good, bad = (check_line(replace(line, ok=ok, facts=facts), words) for ok in (True, False))
        assert good.startswith(words("terminal.good"))
        assert bad.startswith(words("terminal.bad"))
        assert "terminal.check" not in good + bad


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_leaves_with_1_for_a_round_that_is_priced_differently_and_writes_nothing(
    lang, record, monkeypatch
):
    data, *_ = record
    before = data.read_bytes()
    monkeypatch.setattr(games, "preview_round", dearer(games.preview_round))

    result = run("check", "--data", data, lang=lang)

    assert result.exit_code == 1
    assert language(lang)("terminal.check_found") in result.stderr
    assert data.read_bytes() == before


def dearer(price):
    """A price of rounds as it may be after a correction of the code."""

    def priced(*facts):
        score = price(*facts)
        return replace(score, scores=tuple(replace(one, minus=99) for one in score.scores))

    return priced


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_names_evenings_that_rebuild_puts_right(lang, tmp_path):
    data, words = tmp_path / "demo.sqlite", language(lang)
    run("demo", "--evenings", "3", "--data", data)
    with closing(sqlite3.connect(data)) as other:
        other.executescript("UPDATE evenings SET rounds = rounds + 1 WHERE over")
    harmed = data.read_bytes()

    found = run("check", "--data", data, lang=lang)
    assert data.read_bytes() == harmed
    rebuilt = run("rebuild", "--data", data, lang=lang)
    again = run("check", "--data", data, lang=lang)

    assert (found.exit_code, rebuilt.exit_code, again.exit_code) == (1, 0, 0)
    assert "scorekeeper rebuild" in found.output
    assert words("terminal.rebuilt", n=3, evenings=3) in rebuilt.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_says_which_backup_to_put_back(lang, record, tmp_path):
    data, *_ = record
    newest = tmp_path / "backups" / "scorekeeper-20261121T150000Z.sqlite"
    newest.parent.mkdir()
    for name in (newest.name, "scorekeeper-20261120T150000Z.sqlite"):
        shutil.copy(data, newest.with_name(name))
    data.write_bytes(data.read_bytes().replace(b'"points":12', b'"points":21'))
    words = language(lang)

    changed = run("check", "--data", data, lang=lang)
    data.write_bytes(b"gone" * 1000)
    unreadable = run("check", "--data", data, lang=lang)
    shutil.rmtree(newest.parent)
    alone = run("check", "--data", data, lang=lang)

    assert [result.exit_code for result in (changed, unreadable, alone)] == [1, 1, 1]
    for result in (changed, unreadable):
        assert words("upkeep.newest", file=str(newest)) in result.stderr
    assert words("upkeep.no_backups", folder=str(newest.parent)) in alone.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_of_a_newer_scorekeeper_or_of_something_else_is_said_in_words(lang, tmp_path):
    for key, pragma in (("newer", "user_version = 99"), ("not_ours", "user_version = 0")):
        data = tmp_path / f"{key}.sqlite"
        with closing(sqlite3.connect(data)) as other:
            other.execute("CREATE TABLE recipes (name TEXT)")
            other.execute(f"PRAGMA {pragma}")
        said = language(lang)(f"upkeep.{key}", file=str(data))
        for command in (["check"], ["serve", "--port", "0"]):
            result = run(*command, "--data", data, lang=lang)

            assert (result.exit_code, result.stderr) == (1, f"{said}\n")


@pytest.mark.parametrize("command", [["check"], ["backup", "copy.sqlite"]])
def test_where_nothing_is_kept_nothing_is_made(command, tmp_path):
    data = tmp_path / "none.sqlite"

    result = run(*command, "--data", data)

    assert result.exit_code == 1
    assert not data.exists()


# ---- words ---------------------------------------------------------------------------


def test_names_of_any_width_stand_under_each_other():
    lines = list(table([["", "A"], ["日本", "5"], ["e\u0301", "12"]], left=(0,)))

    assert lines == ["       A", "日本   5", "e\u0301     12"]


# ---- paper ---------------------------------------------------------------------------


def test_several_evenings_come_in_one_file_each_counting_its_own_sheets(tmp_path):
    pdf = tmp_path / "season.pdf"

    result = run("sheet", EXAMPLE, EXAMPLE, "--pdf", pdf, "--size", "A5", "--details", lang="de")

    assert result.exit_code == 0
    assert result.stdout.count("Ein Abend zu viert") == 2
    assert result.stderr == ""  # a bar only where somebody looks
    heads = [page.extract_text() for page in PdfReader(pdf).pages]
    sheets = [re.search(r"Blatt (\d) von (\d)", head).groups() for head in heads]
    half = len(sheets) // 2
    assert sheets[:half] == sheets[half:] == [(str(n), str(half)) for n in range(1, half + 1)]


def test_one_evening_that_is_wrong_stops_before_anything_is_written(written, tmp_path):
    pdf = tmp_path / "season.pdf"

    result = run("sheet", EXAMPLE, written("{}"), "--pdf", pdf)

    assert result.exit_code == 1
    assert not pdf.exists()


def test_a_pad_is_written_as_it_was_wished(tmp_path):
    pdf = tmp_path / "pad.pdf"

    result = run("pad", "gin-palast", pdf, "--names", "Anna,Zoë", "--size", "A6", "--up", 4)

    assert result.exit_code == 0
    (paper,) = PdfReader(pdf).pages
    assert paper.extract_text().count("Zoë") == 4


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        (("--up", 3), "up: "),
        (("--players", 5), "players: "),
        (("--names", "李雷,Bernd"), "names: "),
    ],
)
def test_a_pad_that_cannot_be_is_said_so(tmp_path, wishes, words):
    result = run("pad", "gin-palast", tmp_path / "pad.pdf", *wishes)

    assert result.exit_code == 1
    assert result.stderr.startswith(words)
    assert not (tmp_path / "pad.pdf").exists()


def test_a_rules_card_is_written_with_house_rules(tmp_path):
    pdf = tmp_path / "card.pdf"
    rules = ("--option", "joker.hand_value=50", "--option", "joker.swap=none")

    result = run("card", "robber", pdf, *rules)

    assert result.exit_code == 0
    (paper,) = PdfReader(pdf).pages
    assert "A joker in hand counts 50" in " ".join(paper.extract_text().split())


def test_a_decimal_is_as_exact_as_it_is_typed(tmp_path):
    rule = ("--option", "settle.point_value=0.1")

    assert run("card", "robber", tmp_path / "card.pdf", *rule).exit_code == 0


@pytest.mark.parametrize("rule", ["joker.hand_value=many", "joker.colour=red", "nothing"])
def test_a_house_rule_that_is_none_is_said_so(tmp_path, rule):
    result = run("card", "robber", tmp_path / "card.pdf", "--option", rule)

    assert result.exit_code == 1
    assert result.stderr.startswith(rule.split("=")[0])
