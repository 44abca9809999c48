"""Helpers for tests of the command line."""

from http.client import HTTPConnection

from click.testing import CliRunner, Result

from scorekeeper.cli.commands import main


def run(*arguments: object, lang: str = "en", given: str | None = None) -> Result:
    """Run a command in a language."""
    return CliRunner().invoke(main, [*map(str, arguments), "--lang", lang], input=given)


def fetch(port: int, path: str = "/") -> int:
    """Return the status of a page of a local server."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status
