"""A small typed REST client: ``Server("http://127.0.0.1:8000").new_game(...)``; see docs/rest.md.

It uses the standard library only and imports nothing from the rest of the package.
"""

from scorekeeper.client.games import Game
from scorekeeper.client.groups import Group
from scorekeeper.client.http import Lost, Problem, Refused, Reply, Request, Stale, Unknown
from scorekeeper.client.server import Server

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
