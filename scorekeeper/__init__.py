"""scorekeeper: the score of rummy games played with physical cards."""

from typing import TYPE_CHECKING, Any

from scorekeeper.config import VERSION as __version__

if TYPE_CHECKING:
    from flask import Flask

__all__ = ["__version__", "create_app"]


def create_app(settings: Any = None) -> "Flask":
    """The web application; imported late, so that the rules alone stay light."""
    from scorekeeper.app import create_app

    return create_app(settings)
