"""A small typed client: ``Server("http://127.0.0.1:8000").new_game(...)``; see docs/rest.md.

It needs nothing but the standard library.
"""

from scorekeeper.client.games import Game
from scorekeeper.client.groups import Group
from scorekeeper.client.server import Server
from scorekeeper.client.wire import Lost, Problem, Refused, Reply, Request, Stale, Unknown

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
