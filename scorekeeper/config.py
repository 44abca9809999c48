"""Settings: these defaults, then ``SCOREKEEPER_*`` from the environment, then the caller's."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

VERSION = "1.0.0"
OFF = "off"


class BadSetting(ValueError):
    """A value in the environment that cannot be read."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"SCOREKEEPER_{name}={text}")


class UnknownZone(ValueError):
    """A time zone that this machine does not know."""


def default_data() -> Path:
    """Where the games are kept unless something else is said: among the user's data."""
    places = (os.environ.get(name) for name in ("XDG_DATA_HOME", "LOCALAPPDATA"))  # else Windows
    home = next(filter(None, places), Path.home() / ".local" / "share")
    return Path(home) / "scorekeeper" / "scorekeeper.sqlite"


def backups_folder(data: str | Path, wished: str | None) -> Path | None:
    """Where backups are put by themselves: the folder wished for, or one beside the record."""
    if wished == OFF:
        return None
    return Path(wished) if wished else Path(data).parent / "backups"


def number(text: str) -> int:
    """A whole number from 0; ValueError for anything else."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    return int(text)


def count(text: str) -> int:
    """A whole number from 1; ValueError for anything else."""
    if number(text) == 0:
        raise ValueError(text)
    return number(text)


def names(text: str) -> tuple[str, ...]:
    """Names with commas or spaces between."""
    return tuple(text.replace(",", " ").lower().split())


class Setting(NamedTuple):
    """A setting of ours: what it is unless said, and how the environment's text is read."""

    default: Any = None
    read: Callable[[str], Any] = str


SETTINGS: dict[str, Setting] = {
    "DATA": Setting(),  # None: the place for user data
    "JOURNAL": Setting(),  # None: what the engine guard finds safe
    "TIMEZONE": Setting(),  # "Europe/Luxembourg"; None: where this machine stands
    "SECRET_KEY": Setting(),  # None: made once and kept with the games
    "BACKUPS": Setting(),  # a folder; None: "backups" beside the record; "off": none (keeper.py)
    "BACKUP_HOURS": Setting(24, number),  # so old at most, once something new is recorded
    "BACKUP_DAYS": Setting(7, number),  # of so many days one backup is kept
    "BACKUP_WEEKS": Setting(8, number),  # and of so many weeks
    "TRUSTED_PROXIES": Setting(0, number),  # how many stand in front and say who asks (hosts.py)
    "HOSTS": Setting((), names),  # what a browser may call this server besides its own names
    "GAMES_PER_HOUR": Setting(60, number),  # begun from one address; 0: no limit (limits.py)
    "WRONG_PER_MINUTE": Setting(30, number),  # secrets or ids from one address; 0: no limit
    "KILOBYTES_PER_HOUR": Setting(8192, number),  # added to the record from one address
    "GAME_KILOBYTES_PER_HOUR": Setting(1024, number),  # added to one game or group
    "LIMIT_LOOPBACK": Setting(0, number),  # 1: addresses of this machine are limited too
    "WORKERS": Setting(2, count),  # processes that draw paper and search (workers/pool.py)
    "LOG_REQUESTS": Setting(0, number),  # 1: a line for every request (observing.py)
    "METRICS": Setting(0, number),  # 1: counters at /metrics, for the house only (health.py)
    "RETENTION_DAYS": Setting(0, number),  # names nobody touched go after that; 0: never
}
"""Each is described for whoever hosts it in docs/hosting.md."""

FIXED: dict[str, Any] = {
    "MAX_CONTENT_LENGTH": 64 * 1024,
    "MAX_FORM_MEMORY_SIZE": 64 * 1024,
    "MAX_FORM_PARTS": 500,
    "SESSION_COOKIE_NAME": "form",
    "SESSION_COOKIE_SAMESITE": "Lax",
    "WTF_CSRF_TIME_LIMIT": None,  # an evening is longer than an hour
    "SEND_FILE_MAX_AGE_DEFAULT": 365 * 24 * 3600,  # addresses change with their files
}
"""What Flask and its extensions want to know."""


def settings(given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All settings of one app; BadSetting or UnknownZone where one cannot be followed."""
    ours = {name: _from_environment(name, setting) for name, setting in SETTINGS.items()}
    values = {**FIXED, **ours, **(given or {})}
    values["DATA"] = values["DATA"] or default_data()
    _check_zone(values["TIMEZONE"])
    return values


def _from_environment(name: str, setting: Setting) -> Any:
    text = os.environ.get(f"SCOREKEEPER_{name}")
    if not text:
        return setting.default
    try:
        return setting.read(text)
    except ValueError:
        raise BadSetting(name, text) from None


def _check_zone(name: str | None) -> None:
    try:
        ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        raise UnknownZone(name) from None
