"""Where the database is, and settings: defaults, then the environment, then those of the caller."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

SCHEMES = ("postgresql://", "postgres://")
VERSION = "1.2.0"
OFF = "off"
PROJECT_PAGE: str | None = None
"""The page of the project, such as "https://scorekeeper.example": set it here once there is one.
Paper and pictures name it where a server has no address for strangers of its own (PUBLIC_URL)."""


@dataclass(frozen=True)
class Address:
    """The address of a PostgreSQL database: ``postgresql://user:password@host:port/name``."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        """Return the address without its password, for messages."""
        shown = re.sub(r"(//[^:@/]*):[^@/]*@", r"\1@", self.url)
        return re.sub(r"([?&]password=)[^&]*", r"\1...", shown)

    @property
    def file_name(self) -> str:
        """The address as the name of a file, for what is kept on this machine about it."""
        return re.sub(r"\W+", "-", str(self)).strip("-")


Data = Path | Address
"""The place of a database."""


def place_of(text: str | Data) -> Data:
    """Return the place that somebody typed."""
    if isinstance(text, str):
        return Address(text) if text.startswith(SCHEMES) else Path(text)
    return text


class BadSetting(ValueError):
    """An invalid value in the environment."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"SCOREKEEPER_{name}={text}")


class UnknownZone(ValueError):
    """An unknown time zone."""


def default_data() -> Path:
    """Return the default path of the database, in the folder for user data."""
    places = (os.environ.get(name) for name in ("XDG_DATA_HOME", "LOCALAPPDATA"))  # else Windows
    home = next(filter(None, places), Path.home() / ".local" / "share")
    return Path(home) / "scorekeeper" / "scorekeeper.sqlite"


def file_about(data: Data, suffix: str) -> Path:
    """Return a file for what this machine keeps about a database, but not in it."""
    if isinstance(data, Path):
        return data.with_name(f"{data.name}{suffix}")
    return default_data().with_name(f"{data.file_name}{suffix}")


def backups_folder(data: str | Path, folder: str | None) -> Path | None:
    """Return the folder for automatic backups, or None if they are switched off."""
    if folder == OFF:
        return None
    return Path(folder) if folder else Path(data).parent / "backups"


def number(text: str) -> int:
    """Return a whole number from 0; ValueError for anything else."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    return int(text)


def count(text: str) -> int:
    """Return a whole number from 1; ValueError for anything else."""
    if number(text) == 0:
        raise ValueError(text)
    return number(text)


def hosts(text: str) -> tuple[str, ...]:
    """Return host names separated by commas or spaces; ValueError for one with more, as a URL."""
    found = tuple(text.replace(",", " ").lower().split())
    if not all(re.fullmatch(r"[\w.-]+|\[?[\da-f:]+\]?", name) for name in found):
        raise ValueError(text)
    return found


def journal(text: str) -> str:
    """Return a journal mode; ValueError for one that can lose rounds."""
    if text not in ("wal", "truncate"):
        raise ValueError(text)
    return text


def path_or_header(text: str) -> str:
    """Return a path, or the name of a header that has it; ValueError for anything else."""
    if not re.fullmatch(r"(/[\w.~-]+)+/?|[A-Za-z][A-Za-z-]*", text[:101], re.ASCII):
        raise ValueError(text)
    return text.rstrip("/")


def web_address(text: str) -> str:
    """Return the address of a web page; ValueError for anything else."""
    if not re.fullmatch(r"https?://[!-~]{1,100}", text):
        raise ValueError(text)
    return text.rstrip("/")


class Setting(NamedTuple):
    """A setting: its default, and how its text in the environment is parsed."""

    default: Any = None
    read: Callable[[str], Any] = str


SETTINGS: dict[str, Setting] = {
    "DATA": Setting(),  # None: in the folder for user data
    "JOURNAL": Setting(None, journal),  # None: chosen by the version of SQLite
    "TIMEZONE": Setting(),  # "Europe/Luxembourg"; None: that of the machine
    "SECRET_KEY": Setting(),  # None: generated once and stored in the database
    "BACKUPS": Setting(),  # a folder; None: "backups" beside the database; "off": none
    "BACKUP_HOURS": Setting(24, number),  # maximum age once something new is recorded
    "BACKUP_DAYS": Setting(7, number),  # number of days of which one backup is kept
    "BACKUP_WEEKS": Setting(8, number),  # number of weeks of which one backup is kept
    "TRUSTED_PROXIES": Setting(0, number),  # proxies whose client address is trusted
    "PATH": Setting("", path_or_header),  # below which a proxy publishes it, or that header
    "PUBLIC_URL": Setting(None, web_address),  # where a friend finds it; None: PROJECT_PAGE
    "HOSTS": Setting((), hosts),  # accepted host names besides its own
    "GAMES_PER_HOUR": Setting(60, number),  # created from one address; 0: no limit
    "WRONG_PER_MINUTE": Setting(30, number),  # wrong secrets and ids from one address; 0: no limit
    "KILOBYTES_PER_HOUR": Setting(8192, number),  # stored for one address
    "GAME_KILOBYTES_PER_HOUR": Setting(1024, number),  # stored for one game or group
    "LIMIT_LOOPBACK": Setting(0, number),  # 1: limit addresses of this machine too
    "PROCESSES": Setting(1, count),  # processes that answer requests; more need PostgreSQL
    "JOB_PROCESSES": Setting(2, count),  # for paper and searches, of each that answers requests
    "LOG_REQUESTS": Setting(0, number),  # 1: log a line for every request
    "METRICS": Setting(0, number),  # 1: metrics at /metrics, for near addresses only
    "RETENTION_DAYS": Setting(0, number),  # erase names in unchanged games after that; 0: never
}
"""docs/hosting.md describes each of them."""

FLASK_SETTINGS: dict[str, Any] = {
    "MAX_CONTENT_LENGTH": 64 * 1024,
    "MAX_FORM_MEMORY_SIZE": 64 * 1024,
    "MAX_FORM_PARTS": 500,
    "SESSION_COOKIE_NAME": "form",
    "SESSION_COOKIE_SAMESITE": "Lax",
    "WTF_CSRF_TIME_LIMIT": None,  # an evening lasts longer than the default hour
    "SEND_FILE_MAX_AGE_DEFAULT": 365 * 24 * 3600,  # the URL of a file changes with its content
}
"""Settings of Flask and its extensions."""


def settings(overrides: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return all settings of an app; raises BadSetting or UnknownZone for an invalid one."""
    configured = {name: _from_environment(name, setting) for name, setting in SETTINGS.items()}
    values = {**FLASK_SETTINGS, **configured, **(overrides or {})}
    values["DATA"] = values["DATA"] or default_data()
    values["PUBLIC_URL"] = values["PUBLIC_URL"] or PROJECT_PAGE
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
