"""The record: events in, games out. Nothing outside this package knows SQLite."""

from scorekeeper.store.engine import EngineError, NotSaved, Unreadable
from scorekeeper.store.exports import BadExport
from scorekeeper.store.ledger import (
    KeyReused,
    Known,
    Ledger,
    Turn,
    Unknown,
    open_ledger,
)

__all__ = [
    "BadExport",
    "EngineError",
    "KeyReused",
    "Known",
    "Ledger",
    "NotSaved",
    "Turn",
    "Unknown",
    "Unreadable",
    "open_ledger",
]
