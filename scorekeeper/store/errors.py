"""Why a store refuses something, whichever engine it is on."""

from scorekeeper.domain.errors import Problem


class NotFound(LookupError):
    """There is no such book, or it never had that version."""


class AlreadyExists(Exception):
    """There is a book with this id already."""

    def __init__(self, book_id: str) -> None:
        super().__init__(book_id)
        self.book_id = book_id


class KeyReused(Exception):
    """The idempotency key was used before, with another body."""


class Damaged(Exception):
    """The stored events of a book cannot be read, or do not make a book."""

    def __init__(self, book_id: str, number: int = 0) -> None:
        super().__init__(f"{book_id}, event {number}")
        self.book_id = book_id
        self.number = number
        """The first event that cannot be read, or cannot follow."""

    @property
    def problem(self) -> Problem:
        """The same as a finding, to be put into words."""
        return Problem("E_DAMAGED", {"id": self.book_id, "number": self.number})


class Unreadable(Exception):
    """The database did not answer; nothing was changed."""


class CannotOpen(Unreadable):
    """The database cannot be opened in a way that keeps what it confirms."""


class InUse(CannotOpen):
    """Another process has the record open, and it cannot be shared."""


class Newer(CannotOpen):
    """The record was written by a newer version of scorekeeper."""


class NotOurs(CannotOpen):
    """The file is not a record of scorekeeper."""


class NotSaved(Exception):
    """The change did not happen: disk full, read-only, damaged, or locked by somebody else."""

    def __init__(self, cause: object, *, disk_full: bool = False) -> None:
        super().__init__(str(cause))
        self.disk_full = disk_full
        """Whether free space on the disk would help."""
