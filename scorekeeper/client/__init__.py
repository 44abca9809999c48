"""A small typed REST client: ``Server("http://127.0.0.1:8000").new_game(...)``; see docs/rest.md.

It uses the standard library only and imports nothing from the rest of the package. Its imports are
relative, because it is also a package of its own, ``scorekeeper_client``.
"""

from .games import Game
from .groups import Group
from .http import Lost, Problem, Refused, Reply, Request, Stale, Unknown
from .server import Server

__all__ = [
    "Game",
    "Group",
    "Lost",
    "Problem",
    "Refused",
    "Reply",
    "Request",
    "Server",
    "Stale",
    "Unknown",
]
