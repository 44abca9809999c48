"""Days at the table: a game begins at a time in UTC, and on a day of the table's time zone."""

from datetime import UTC, datetime, timedelta, tzinfo


def local_day(at: str, zone: tzinfo | None) -> str:
    """Return the day of an event in a time zone, None: in that of this machine.

    Of a time that is none, or that the zone leads out of the calendar, it is the day as written.
    """
    try:
        return datetime.fromisoformat(at).astimezone(zone).date().isoformat()
    except (OverflowError, ValueError):
        return at[:10]


def start_of_day(day: str, zone: tzinfo | None) -> str:
    """Return when a day begins, in UTC; for the first days of the calendar, the day as written."""
    try:
        return _in_utc(datetime.fromisoformat(day), zone)
    except (OSError, OverflowError, ValueError):
        return day


def end_of_day(day: str, zone: tzinfo | None) -> str:
    """Return when the next day begins, in UTC; later than any day if the calendar ends."""
    try:
        return _in_utc(datetime.fromisoformat(day) + timedelta(days=1), zone)
    except (OSError, OverflowError, ValueError):
        return f"{day}Z"


def _in_utc(midnight: datetime, zone: tzinfo | None) -> str:
    return midnight.replace(tzinfo=zone).astimezone(UTC).isoformat()[:19]
