"""The public status page: whether everything is in a backup, without names or secrets."""

from datetime import timedelta

from flask import current_app

from scorekeeper.config import VERSION
from scorekeeper.services.clock import now
from scorekeeper.store.backup_state import moment, read_state
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import page, pages

MIB, GIB = 2**20, 2**30


@pages.get("/status")
def status() -> str:
    """Show what is stored here, and how old the last verified backup is."""
    at, state, backup_task = now(), read_state(ledger()), current_app.extensions.get("backup_task")
    inspection = ledger().store.inspection
    failed = backup_task.failed if backup_task and state.not_backed_up else None
    hours = current_app.config["BACKUP_HOURS"]
    return page(
        "status.html",
        version=VERSION,
        state=state,
        hours=hours,
        late=state.is_late(at, hours),
        awaited=bool(backup_task and state.not_backed_up and backup_task.awaits_first(state, at)),
        failed=ago(moment(at) - moment(failed)) if failed else "",
        backup=backup_words(state.age(at), scheduled=backup_task is not None),
        engine=inspection.engine_line(),
        has_backups=ledger().store.limits is None,
        machines=ledger().store.machines(),
        processes=current_app.config["PROCESSES"],
        space=inspection.space_line(),
        size=size,
    )


def backup_words(age: timedelta | None, scheduled: bool) -> str:
    """Return the age of the last backup, or that there is none."""
    if age is not None:
        return ago(age)
    return language()("maintenance.backup.none" if scheduled else "maintenance.backup.off")


def ago(age: timedelta) -> str:
    """Return an age in its largest full unit."""
    for unit, length in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if full := int(age.total_seconds()) // length:
            return language()(f"maintenance.{unit}", n=full)
    return language()("maintenance.now")


def size(count: int) -> str:
    """Return a number of bytes such as ``12 GiB``, in MiB below 10 GiB."""
    unit, length = ("GiB", GIB) if count >= 10 * GIB else ("MiB", MIB)
    return language()("maintenance.size", size=count // length, unit=unit)
