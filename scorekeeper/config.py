"""Settings: these defaults, then ``SCOREKEEPER_*`` from the environment, then the caller's."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo


class UnknownZone(ValueError):
    """A time zone that this machine does not know."""


def default_data() -> Path:
    """Where the games are kept unless something else is said."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "scorekeeper" / "scorekeeper.sqlite"


def settings(given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All settings of one app."""
    values: dict[str, Any] = {
        "DATA": default_data(),
        "JOURNAL": None,  # None: what the engine guard finds safe
        "TIMEZONE": None,  # "Europe/Luxembourg"; None: where this machine stands
        "SECRET_KEY": None,  # None: made once and kept with the games
        "MAX_CONTENT_LENGTH": 64 * 1024,
        "MAX_FORM_MEMORY_SIZE": 64 * 1024,
        "MAX_FORM_PARTS": 500,
        "SESSION_COOKIE_NAME": "form",
        "SESSION_COOKIE_SAMESITE": "Lax",
        "WTF_CSRF_TIME_LIMIT": None,  # an evening is longer than an hour
        "SEND_FILE_MAX_AGE_DEFAULT": 365 * 24 * 3600,  # addresses change with their files
    }
    for name in ("DATA", "JOURNAL", "TIMEZONE", "SECRET_KEY"):
        if value := os.environ.get(f"SCOREKEEPER_{name}"):
            values[name] = value
    values |= given or {}
    _check_zone(values["TIMEZONE"])
    return values


def _check_zone(name: str | None) -> None:
    try:
        ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        raise UnknownZone(name) from None
