"""Settings from the environment: how they are read, and invalid ones."""

import re
from pathlib import Path

import pytest

from scorekeeper import config


@pytest.mark.parametrize("text", ["-1", "1.5", "many", "²"])
def test_an_invalid_number_is_refused_naming_the_setting(monkeypatch, text):
    monkeypatch.setenv("SCOREKEEPER_GAMES_PER_HOUR", text)

    with pytest.raises(config.BadSetting, match=f"^SCOREKEEPER_GAMES_PER_HOUR={text}$"):
        config.settings()


def test_arguments_override_the_environment_which_overrides_defaults(monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_GAMES_PER_HOUR", "7")
    monkeypatch.setenv("SCOREKEEPER_HOSTS", "Cards.example.org, other.example.org")

    said, given = config.settings(), config.settings({"GAMES_PER_HOUR": 8})

    assert (said["GAMES_PER_HOUR"], given["GAMES_PER_HOUR"]) == (7, 8)
    assert said["HOSTS"] == ("cards.example.org", "other.example.org")
    assert said["WRONG_PER_MINUTE"] == config.SETTINGS["WRONG_PER_MINUTE"].default


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("HOSTS", "https://cards.example.org"),
        ("HOSTS", "cards.example.org:8443"),
        ("HOSTS", "here, cards.example.org/evenings"),
        ("JOURNAL", "delete"),
        ("JOURNAL", "WAL "),
    ],
)
def test_what_is_no_host_name_or_safe_mode_is_refused_naming_the_setting(monkeypatch, name, text):
    monkeypatch.setenv(f"SCOREKEEPER_{name}", text)

    with pytest.raises(config.BadSetting, match=f"SCOREKEEPER_{name}"):
        config.settings()


@pytest.mark.parametrize(
    "text", ["cards.example.org", "javascript:alert(1)", "https://", "http://a b"]
)
def test_an_invalid_web_address_is_refused(monkeypatch, text):
    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", text)

    with pytest.raises(config.BadSetting):
        config.settings()


def test_paper_and_pictures_name_the_page_of_the_project_unless_the_server_has_its_own(monkeypatch):
    monkeypatch.setattr(config, "PROJECT_PAGE", "https://scorekeeper.example")
    assert config.settings()["PUBLIC_URL"] == "https://scorekeeper.example"

    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", "https://cards.example.org")
    assert config.settings()["PUBLIC_URL"] == "https://cards.example.org"


def documented() -> dict[str, str]:
    """Return the table of docs/hosting.md: settings with their documented defaults."""
    text = (Path(__file__).parents[1] / "docs" / "hosting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `SCOREKEEPER_(\w+)` \| (.+?) \| .+ \|$", text, re.MULTILINE)
    return dict(rows)


def test_the_table_for_hosts_names_every_setting_with_its_default() -> None:
    answer = documented()
    numbers = {
        name: f"`{setting.default}`"
        for name, setting in config.SETTINGS.items()
        if isinstance(setting.default, int)
    }

    assert set(answer) == set(config.SETTINGS)
    assert {name: answer[name] for name in numbers} == numbers
