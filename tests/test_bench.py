"""The rows of the benchmarks stand for requests and commands that exist."""

import pytest

from bench import requests
from commands import run
from scorekeeper.cli.commands import COMMANDS


@pytest.mark.parametrize("name", [name for name in vars(requests) if name.isupper()])
def test_rows_stand_for_requests_and_commands_that_exist(app, name):
    method, asked, *options = vars(requests)[name].split()
    if method == "scorekeeper":
        assert asked in {*COMMANDS, "--help"}
        assert all(option in run(asked, "--help").output for option in options)
    else:
        assert app.url_map.bind("").match(asked.partition("?")[0], method=method)
