"""The command line as it is called at a terminal."""

from click.testing import CliRunner, Result

from scorekeeper.cli.commands import main


def run(*arguments: object, lang: str = "en", given: str | None = None) -> Result:
    """What a command says in a language, and how it ends."""
    return CliRunner().invoke(main, [*map(str, arguments), "--lang", lang], input=given)
