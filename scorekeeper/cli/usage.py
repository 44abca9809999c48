"""Wrong calls of a command, in the language of the call: click itself speaks English only."""

from collections.abc import Sequence

import click

from scorekeeper.cli.common import fail, terminal_language
from scorekeeper.i18n import LANGUAGES, Language


def refuse(error: click.UsageError, arguments: Sequence[str]) -> None:
    """Print why a call is wrong and exit with status 2; errors of other kinds are left to click."""
    lang = terminal_language(asked_language(arguments))
    words = usage_words(error, lang)
    if words:
        command = error.ctx.command_path if error.ctx else "scorekeeper"
        fail([words, lang("terminal.usage.help", command=command)], status=error.exit_code)


def asked_language(arguments: Sequence[str]) -> str | None:
    """Return the language of ``--lang fr`` or ``--lang=fr``, though nothing was parsed."""
    words = [part for argument in arguments for part in argument.split("=", 1)]
    asked = words[words.index("--lang") + 1 :][:1] if "--lang" in words else []
    return asked[0] if asked and asked[0] in LANGUAGES else None


def usage_words(error: click.UsageError, lang: Language) -> str:
    """Return an error of click in words; empty if it is of another kind."""
    match error:
        case click.NoSuchOption():
            return lang("terminal.usage.no_option", option=error.option_name)
        case click.BadOptionUsage():
            return lang("terminal.usage.no_value", option=error.option_name)
        case click.MissingParameter():
            return lang("terminal.usage.missing", name=_name(error))
        case click.BadParameter(param=click.Parameter(type=kind)):
            wanted = wanted_words(kind, lang)
            return lang("terminal.usage.value", name=_name(error), wanted=wanted)
    if isinstance(error, UnknownCommand):
        return lang("terminal.usage.no_command", command=error.message)
    return lang("terminal.usage.extra") if type(error) is click.UsageError else ""


def wanted_words(kind: object, lang: Language) -> str:
    """Return in words which values an argument or option takes."""
    match kind:
        case click.Choice():
            return lang.one_of(map(str, kind.choices))
        case click.IntRange(min=low, max=high) if high is not None:
            return lang("range.integer", low=low, high=high)
        case click.DateTime():
            return lang("terminal.usage.day")
        case click.Path():
            return lang("terminal.usage.file")
    return lang("terminal.usage.number")


class UnknownCommand(click.UsageError):
    """There is no command of this name, which is the message."""


def _name(error: click.BadParameter) -> str:
    """Return the option or the argument as ``--help`` writes it."""
    param = error.param
    if isinstance(param, click.Option):
        return param.opts[0]
    return (param.human_readable_name if param else "").upper()
