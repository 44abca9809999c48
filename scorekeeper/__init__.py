"""Keeps score for rummy games played with real cards."""

from typing import TYPE_CHECKING, Any

from scorekeeper.config import VERSION as __version__

if TYPE_CHECKING:
    from flask import Flask

__all__ = ["__version__", "create_app"]


def create_app(settings: Any = None) -> "Flask":
    """Return the web application; Flask is imported only here, so that the domain loads quickly."""
    from scorekeeper.app import create_app

    return create_app(settings)
