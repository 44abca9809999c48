"""The command about tournaments: standings, and whether every draw can be confirmed."""

from collections.abc import Iterator
from pathlib import Path

import click

from scorekeeper import pdf
from scorekeeper.cli.common import fail, in_language, with_data
from scorekeeper.cli.files import say_written, write_file
from scorekeeper.cli.ledgers import read_database
from scorekeeper.cli.output import table
from scorekeeper.config import Data
from scorekeeper.domain.group.state import Group
from scorekeeper.i18n import Language
from scorekeeper.services.tournaments import is_draw_confirmed
from scorekeeper.store import Ledger, NotFound
from scorekeeper.wording.tournament_paper import StandingsWords, standings_words


@click.command()
@click.option("--group", "group_id", help="The group that plays it; default: the only one.")
@click.option("--after", type=int, help="The standings after this round; default: the last.")
@click.option(
    "--pdf", "file", type=click.Path(dir_okay=False, path_type=Path), help="Also write A4 to FILE."
)
@with_data
@in_language
def standings(
    group_id: str | None, after: int | None, file: Path | None, data: Data, lang: Language
) -> None:
    """Show the standings of a tournament, and draw every round again from its seed."""
    with read_database(data, lang) as ledger:
        group = _group(ledger, group_id, lang)
        assert group.tournament
        rounds = len(group.tournament.rounds)
        upto = rounds if after is None else max(0, min(after, rounds))
        words = standings_words(group, group.tournament, upto, lang)
        for line in _lines(words):
            click.echo(line)
        for number in range(1, upto + 1):
            confirmed = is_draw_confirmed(ledger, group.id, number)
            told = lang("tournament.check.yes" if confirmed else "tournament.check.no")
            click.echo(f"{lang('pages.round', number=number)}: {told}")
    if file:
        write_file(file, pdf.tournament_standings(words, lang), lang)
        say_written(file, lang)


def _group(ledger: Ledger, group_id: str | None, lang: Language) -> Group:
    """Return the group that plays a tournament; exits with the known ones if it is not clear."""
    known = [group for one in ledger.groups() if (group := ledger.group(one)).tournament]
    try:
        chosen = [ledger.group(group_id)] if group_id else known
    except NotFound:
        chosen = []
    if len(chosen) != 1 or not chosen[0].tournament:
        fail([lang("tournament.which"), *(f"{one.id}  {one.name}" for one in known)])
    return chosen[0]


def _lines(words: StandingsWords) -> Iterator[str]:
    yield f"{words.kind}, {words.title}"
    heads = ["", words.name, *words.sums]
    yield from table([heads, *([row.rank, row.name, *row.sums] for row in words.rows)], left=(1,))
    yield from ("", *words.notes[1:])
    if words.prizes:
        yield from table(words.prizes, left=(0,))
    if words.told:
        yield words.told
