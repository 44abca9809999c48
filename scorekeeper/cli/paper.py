"""Commands that score an evening from a file and write PDFs."""

from pathlib import Path

import click

from scorekeeper.cli.common import (
    fail,
    house_rules,
    in_language,
    progress,
    with_house_rules,
)
from scorekeeper.cli.files import say_written, write_file
from scorekeeper.cli.output import game_lines, problem_line
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules import presets
from scorekeeper.i18n import Language
from scorekeeper.pdf import SHEET_SIZES, rules_card, score_sheets
from scorekeeper.services.evening import read_evening, score_evening
from scorekeeper.services.printing import pad_order, printed_pad


@click.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--pdf", type=click.Path(dir_okay=False, path_type=Path), help="Write the score sheet as PDF."
)
@click.option("--size", type=click.Choice(SHEET_SIZES), default="A4", show_default=True)
@click.option("--details", is_flag=True, help="Append every round with its cards.")
@in_language
def sheet(
    files: tuple[Path, ...], pdf: Path | None, size: str, details: bool, lang: Language
) -> None:
    """Score the evening in each FILE: rounds, totals, settlement, payments.

    FILE is a game as JSON, in the form of examples/evening.json. The sheets of several evenings
    go into one PDF.
    """
    games = [load_evening(file, lang) for file in files]
    click.echo("\n\n".join("\n".join(lines) for _, lines in games))
    if pdf:
        with progress(len(games)) as step:
            paper = score_sheets(
                [game for game, _ in games],
                lang,
                size=size,
                details=details,
                on_start=lambda _: step(1),
            )
        write_file(pdf, paper, lang)
        click.echo(f"\n{lang('terminal.written', file=str(pdf))}")


def load_evening(file: Path, lang: Language) -> tuple[Game, list[str]]:
    """Return the game of a file and its lines; exits if the file or a round is wrong."""
    players: tuple[str, ...] = ()
    try:
        evening = read_evening(file.read_bytes())
        players = evening.new_game.players
        game = score_evening(evening)
        return game, list(game_lines(game, lang))
    except RuleError as error:
        fail(f"{file}: {problem_line(found, lang, players)}" for found in error.problems)


@click.command()
@click.argument("preset")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--size", help="Size of a page: A4, A5 or A6.  [default: A5]")
@click.option("--up", help="Pages on one sheet of paper: 1, 2 or 4.")
@click.option("--pages", help="Number of sheets of paper: 1 to 20.")
@click.option("--players", help="Number of players: 2 to 8.")
@click.option("--names", help="Names, separated by commas; an empty one is left blank.")
@click.option("--teams", is_flag=True, flag_value="yes", default=None, help="Gin in two teams.")
@click.option(
    "--hollywood", is_flag=True, flag_value="yes", default=None, help="Three games of gin."
)
@in_language
def pad(preset: str, file: Path, lang: Language, **options: str | None) -> None:
    """Write a blank score pad for PRESET (romme-palast, gin-palast, ...) to FILE."""
    try:
        order = pad_order({name: value for name, value in options.items() if value})
        write_file(file, printed_pad(preset, order, lang), lang)
    except RuleError as error:
        fail(problem_line(found, lang) for found in error.problems)
    say_written(file, lang)


@click.command()
@click.argument("preset")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_house_rules
@in_language
def card(preset: str, file: Path, options: tuple[str, ...], lang: Language) -> None:
    """Write a rules card of one page for PRESET with house rules to FILE.

    A house rule is the name of an option and its value: --option joker.hand_value=50.
    """
    try:
        rules = presets.preset(preset).override(house_rules(options, lang))
    except RuleError as error:
        fail(problem_line(found, lang) for found in error.problems)
    write_file(file, rules_card(rules, lang), lang)
    say_written(file, lang)
