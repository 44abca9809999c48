"""Helpers for tests of the command line."""

from http.client import HTTPConnection
from typing import Any

from click.testing import CliRunner, Result

from scorekeeper.cli.commands import main


def run(*arguments: object, lang: str = "en", **more: Any) -> Result:
    """Run a command in a language; ``more`` is for click's runner."""
    return CliRunner().invoke(main, [*map(str, arguments), "--lang", lang], **more)


def fetch(port: int, path: str = "/") -> int:
    """Return the status of a page of a local server."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status
