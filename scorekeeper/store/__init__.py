"""Storage: the ledger of games and groups, and the database engines below it.

The ledger knows the games and is the same on every engine. ``protocol`` defines the interface of
an engine. ``sqlite`` and ``postgres`` implement it with the statements of ``sql``; only these three
packages contain SQL.
"""

from scorekeeper.store.errors import (
    AlreadyExists,
    CannotOpen,
    Damaged,
    KeyReused,
    NotFound,
    NotSaved,
    Unreadable,
)
from scorekeeper.store.exports import BadExport
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.opening import open_ledger, read_ledger

__all__ = [
    "AlreadyExists",
    "BadExport",
    "BookTransaction",
    "CannotOpen",
    "Damaged",
    "KeyReused",
    "Ledger",
    "NotFound",
    "NotSaved",
    "Unreadable",
    "open_ledger",
    "read_ledger",
]
