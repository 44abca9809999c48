"""A write: who makes a change, on which version of a book, and the key that recognises a repeat."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Holder:
    """A client that must hold the pen of a book, by a secret or as a browser that has one."""

    book_id: str
    secret: str = field(default="", repr=False)
    browser: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Write:
    """The circumstances of a change, passed from the request to the transaction that makes it."""

    holders: tuple[Holder, ...] = ()
    """Checked again inside the transaction, because a pen may have been replaced in the meantime.
    Empty for the program itself, such as the command line."""
    expected: int | None = None
    """The version of the book that the client saw; None accepts any."""
    key: str | None = None
    """The idempotency key: the same key with the same request makes the change once."""


PROGRAM = Write()
"""A change by the program itself, on whatever version there is."""
