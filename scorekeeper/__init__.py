"""scorekeeper: the score of rummy games played with physical cards."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

__version__ = "1.0.0"


def create_app(settings: Any = None) -> "Flask":
    """The web application; imported late, so that the rules alone stay light."""
    from scorekeeper.app import create_app

    return create_app(settings)
