"""The exceptions of the store, the same for every engine."""

from scorekeeper.domain.errors import Problem


class NotFound(LookupError):
    """There is no such book, or it has no such version."""


class AlreadyExists(Exception):
    """A book with this id exists."""

    def __init__(self, book_id: str) -> None:
        super().__init__(book_id)
        self.book_id = book_id


class Diverged(AlreadyExists):
    """A copy of a book continues it in another way than it was continued here."""


class KeyReused(Exception):
    """The idempotency key was used before, with another body."""


class Damaged(Exception):
    """The stored events of a book cannot be read or replayed."""

    def __init__(self, book_id: str, number: int = 0) -> None:
        super().__init__(f"{book_id}, event {number}")
        self.book_id = book_id
        self.number = number
        """The first event that cannot be read or replayed."""

    @property
    def problem(self) -> Problem:
        """The error as a problem, which the catalogues word."""
        return Problem("E_DAMAGED", {"id": self.book_id, "number": self.number})


class Unreadable(Exception):
    """The database could not be read; nothing was changed."""


class CannotOpen(Unreadable):
    """The database cannot be opened so that confirmed changes are durable."""


class InUse(CannotOpen):
    """Another process has the database open, and it cannot be shared."""


class Newer(CannotOpen):
    """The database was written by a newer version of scorekeeper."""


class NotOurs(CannotOpen):
    """The file or schema is not a scorekeeper database."""


class NoDriver(CannotOpen):
    """The library that connects to the database server is not installed."""


class Unreachable(CannotOpen):
    """No database server answers at the address."""


class WrongPassword(CannotOpen):
    """The database server refuses the password, or asks for one."""


class MissingPrivileges(CannotOpen):
    """The user may not create or use the tables."""


class TooOld(CannotOpen):
    """The database server has a version that is not supported."""


class ReadOnly(CannotOpen):
    """The database server is a standby or read-only."""


class NotSaved(Exception):
    """The change was not made: the disk is full, read-only, damaged, or locked."""

    def __init__(self, cause: object, *, disk_full: bool = False) -> None:
        super().__init__(str(cause))
        self.disk_full = disk_full
        """Whether the reason is a full disk."""


class OutcomeUnknown(NotSaved):
    """It is not known whether the change was saved; the same request, sent again, will tell."""
