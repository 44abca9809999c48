"""The benchmarks: their bars, their table, and the answers that their phones accept."""

import json
import subprocess
import sys

import pytest

from bench import requests
from bench.requests import SHEET_PDF
from bench.table import Row, at_least, at_most, under, write_between
from commands import run
from rest import served
from scorekeeper.cli.commands import COMMANDS


def test_a_limit_is_inclusive_unless_it_says_under():
    assert at_most(2, 2).held and at_least(2, 2).held and not under(2, 2).held


def test_a_line_with_one_missed_bar_is_missed():
    line = Row(
        what="a sheet",
        request=SHEET_PDF,
        ours="90 ms",
        bars=(at_most(1.5, 2), under(90, 80, " ms")),
    )

    assert line.missed
    assert line.cells[-1] == "at most 2 held, under 80 ms MISSED"


def test_only_the_text_between_the_marks_changes(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n", encoding="utf-8")
    for table in ("one", "two"):
        write_between(page, table)

    text = page.read_text(encoding="utf-8")
    assert text == "before\n<!-- bench -->\ntwo\n<!-- /bench -->\nafter\n"


def test_a_page_without_marks_is_not_changed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing to fill in\n", encoding="utf-8")

    with pytest.raises(SystemExit, match="has no <!-- bench -->"):
        write_between(page, "table")

    assert page.read_text(encoding="utf-8") == "nothing to fill in\n"


@pytest.mark.parametrize("name", [name for name in vars(requests) if name.isupper()])
def test_rows_stand_for_requests_and_commands_that_exist(app, name):
    method, asked, *options = vars(requests)[name].split()
    if method == "scorekeeper":
        assert asked in {*COMMANDS, "--help"}
        assert all(option in run(asked, "--help").output for option in options)
    else:
        assert app.url_map.bind("").match(asked.partition("?")[0], method=method)


def phones(address: str, expect: int) -> subprocess.CompletedProcess[str]:
    """Two clients that request a missing page four times."""
    request = {"method": "GET", "path": "/nowhere", "headers": {}, "expect": expect}
    port = int(address.rpartition(":")[2])
    work = {"port": port, "seconds": 60, "most": 4, "requests": [request] * 2}
    client = [sys.executable, "-m", "bench.client"]
    return subprocess.run(client, input=json.dumps(work), capture_output=True, text=True)


@pytest.mark.usefixtures("external")
def test_the_phone_benchmark_checks_its_answers(app):
    with served(app) as address:
        missing, refused = phones(address, 404), phones(address, 200)

    assert 4 <= len(json.loads(missing.stdout)) <= 5
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "GET /nowhere: 404" in refused.stderr
