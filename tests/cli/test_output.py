"""Aligned tables, and the language and time zone of the terminal."""

import pytest

from commands import run
from scorekeeper.cli.common import terminal_language
from scorekeeper.cli.output import table


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "lb_LU.UTF-8"}, "lb"),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
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


def test_an_unknown_time_zone_is_reported_before_anything_is_done(monkeypatch, tmp_path):
    monkeypatch.setenv("SCOREKEEPER_TIMEZONE", "Europe/Atlantis")
    refused = run("serve", "--data", tmp_path / "games.sqlite")

    assert refused.exit_code == 1
    assert "does not know the time zone Europe/Atlantis" in refused.output
    assert list(tmp_path.iterdir()) == []


def test_the_terminal_uses_the_configured_time_zone(monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_TIMEZONE", "Asia/Tokyo")

    assert terminal_language("de").time("2026-06-12T19:40:05Z") == "04:40"


def test_names_of_any_width_are_aligned():
    lines = list(table([["", "A"], ["日本", "5"], ["e\u0301", "12"]], left=(0,)))

    assert lines == ["       A", "日本   5", "e\u0301     12"]
