"""Settings: what the environment says, how it is read, and what cannot be read."""

import re
from pathlib import Path

import pytest

from scorekeeper import config


@pytest.mark.parametrize("text", ["-1", "1.5", "many", "²"])
def test_a_number_that_is_none_is_refused_by_the_name_of_its_setting(monkeypatch, text):
    monkeypatch.setenv("SCOREKEEPER_GAMES_PER_HOUR", text)

    with pytest.raises(config.BadSetting, match=f"^SCOREKEEPER_GAMES_PER_HOUR={text}$"):
        config.settings()


def test_the_caller_wins_over_the_environment_and_that_over_the_default(monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_GAMES_PER_HOUR", "7")
    monkeypatch.setenv("SCOREKEEPER_HOSTS", "Cards.example.org, other.example.org")

    said, given = config.settings(), config.settings({"GAMES_PER_HOUR": 8})

    assert (said["GAMES_PER_HOUR"], given["GAMES_PER_HOUR"]) == (7, 8)
    assert said["HOSTS"] == ("cards.example.org", "other.example.org")
    assert said["WRONG_PER_MINUTE"] == config.SETTINGS["WRONG_PER_MINUTE"].default


def documented() -> dict[str, str]:
    """The table of docs/hosting.md: settings with what stands there as their default."""
    text = (Path(__file__).parents[1] / "docs" / "hosting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `SCOREKEEPER_(\w+)` \| (.+?) \| .+ \|$", text, re.MULTILINE)
    return dict(rows)


def test_the_table_for_hosts_names_every_setting_with_its_default() -> None:
    told = documented()
    numbers = {
        name: f"`{setting.default}`"
        for name, setting in config.SETTINGS.items()
        if isinstance(setting.default, int)
    }

    assert set(told) == set(config.SETTINGS)
    assert {name: told[name] for name in numbers} == numbers
