"""The command line: serve the table, reckon an evening from a file, check and back up the record.

What a command needs is imported when it runs: ``serve`` does not wait for paper, ``sheet``
not for the web.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

from scorekeeper import config
from scorekeeper.i18n import LANGUAGES, Language, language, pick_language
from scorekeeper.pdf import SHEET_SIZES

if TYPE_CHECKING:
    from flask import Flask
    from marshmallow import Schema

    from scorekeeper.domain.game import Game
    from scorekeeper.export.tables import Table
    from scorekeeper.store.ledger import Ledger

TABLES = ("rounds", "totals", "settlements", "payments")
Command = Callable[..., None]
Answer = dict[str, Any]


def in_language(command: Command) -> Command:
    """Give a command ``--lang``; without it, it speaks as the terminal does."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        callback=lambda context, option, wished: terminal_language(wished),
        help="Language; else that of the terminal (LC_ALL, LANG).",
    )(command)


def with_data(command: Command) -> Command:
    """Give a command ``--data``, where the games are kept."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path),
        default=config.default_data,
        envvar="SCOREKEEPER_DATA",
        help="The file of the record; else SCOREKEEPER_DATA or the place for user data.",
    )(command)


def terminal_language(wished: str | None = None) -> Language:
    """The language wished for, or the terminal's; English where it has none of ours."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next(filter(None, names), "C")
    code = pick_language([spoken[:2]], wished)
    try:
        return language(code, config.settings()["TIMEZONE"])
    except config.UnknownZone as zone:
        stop([language(code)("terminal.no_zone", zone=str(zone))])
    except config.BadSetting as bad:
        stop([language(code)("terminal.bad_setting", setting=str(bad))])


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(config.VERSION, prog_name="scorekeeper")
def main() -> None:
    """Keep the score of Rommé, Gin Rummy and Knock Rummy played with physical cards."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--lan", is_flag=True, help="Let phones in the home network in: --host 0.0.0.0.")
@with_data
@in_language
def serve(host: str, port: int, lan: bool, data: Path, lang: Language) -> None:
    """Serve the table: pages for the phones, REST for programs."""
    from scorekeeper.serving import lan as network
    from scorekeeper.serving import server
    from scorekeeper.serving.early import adapted
    from scorekeeper.store.engine import EngineError, NotSaved

    host = "0.0.0.0" if lan else host
    proxies = config.settings()["TRUSTED_PROXIES"]

    def ready() -> None:
        click.echo(lang("terminal.ready", address=network.address(host, place[1])))
        click.echo(lang("terminal.data", file=str(data)))
        if not proxies:  # else the others come by way of the proxy
            for line in network.invitation(host, place[1], lang):
                click.echo(line)
        click.echo(lang("terminal.how_to_stop"))

    make_room(data, lang)
    try:
        with served_app(data) as app:
            place = server.find_place(host, port)
            server.run(adapted(app, proxies), place, ready=ready)
    except (EngineError, NotSaved) as error:
        stop(not_opened(error, data, lang))
    except OSError as error:
        stop([lang("terminal.cannot_listen", host=host, port=str(port), why=error.strerror)])
    server.leave()


@contextmanager
def served_app(data: Path) -> Iterator["Flask"]:
    """Open the app on a record that only this process serves, with its maintenance tasks.

    Raises InUse if another process serves it, EngineError or NotSaved if it cannot be opened.
    """
    from scorekeeper.app import create_app
    from scorekeeper.serving.maintenance import keeping
    from scorekeeper.store.files import sweep
    from scorekeeper.store.hold import hold

    with hold(data, "serve"):
        sweep(data.parent)
        app = create_app({"DATA": data})
        with closing(app.extensions["ledger"]), keeping(app):
            yield app


@main.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--pdf", type=click.Path(dir_okay=False, path_type=Path), help="Write the sheet.")
@click.option("--size", type=click.Choice(SHEET_SIZES), default="A4", show_default=True)
@click.option("--details", is_flag=True, help="Every round with its cards, after the sheet.")
@in_language
def sheet(
    files: tuple[Path, ...], pdf: Path | None, size: str, details: bool, lang: Language
) -> None:
    """Reckon the evening of each FILE: rounds, totals, settlement, payments.

    FILE is a game as JSON, in the shape of examples/evening.json. The sheets of several
    come in one PDF.
    """
    games = [reckoned(file, lang) for file in files]
    click.echo("\n\n".join("\n".join(lines) for _, lines in games))
    if pdf:
        from scorekeeper.pdf import score_sheets

        with progress(len(games)) as step:
            paper = score_sheets(
                [game for game, _ in games],
                lang,
                size=size,
                details=details,
                on_start=lambda _: step(1),
            )
        write(pdf, paper)
        click.echo(f"\n{lang('terminal.written', file=str(pdf))}")


def reckoned(file: Path, lang: Language) -> tuple["Game", list[str]]:
    """The game of a file, and how it is shown; stops where the file or a round is wrong."""
    from scorekeeper.cli.output import game_lines, problem_line
    from scorekeeper.domain.errors import RuleError
    from scorekeeper.services.evening import read_evening, reckon

    players: tuple[str, ...] = ()
    try:
        evening = read_evening(file.read_bytes())
        players = evening.order.players
        game = reckon(evening)
        return game, list(game_lines(game, lang))
    except OSError as error:
        stop([f"{file}: {error.strerror}"])
    except RuleError as error:
        stop(f"{file}: {problem_line(found, lang, players)}" for found in error.problems)


@contextmanager
def progress(steps: int) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal while several things are made; nothing where nobody looks."""
    hidden = steps < 2 or not sys.stderr.isatty()
    with click.progressbar(length=steps, hidden=hidden, file=sys.stderr, show_pos=True) as bar:
        yield bar.update


def one_by_one(things: list[Any]) -> Iterator[Any]:
    """The same things, with a bar that says how far it is."""
    with progress(len(things)) as step:
        for thing in things:
            yield thing
            step(1)


@main.command()
@click.argument("preset")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--size", help="Size of a leaf: A4, A5 or A6.  [default: A5]")
@click.option("--up", help="Leaves on one paper: 1, 2 or 4.")
@click.option("--pages", help="How many papers: 1 to 20.")
@click.option("--players", help="2 to 6.")
@click.option("--names", help="Names with commas between; an empty one is left to the pencil.")
@click.option("--teams", is_flag=True, flag_value="yes", default=None, help="Gin in two teams.")
@in_language
def pad(preset: str, file: Path, lang: Language, **wishes: str | None) -> None:
    """Write a blank pad for PRESET (romme-palast, gin-palast, ...) to FILE."""
    from scorekeeper.cli.output import problem_line
    from scorekeeper.domain.errors import RuleError
    from scorekeeper.services.printing import pad_order, printed_pad

    try:
        order = pad_order({name: wish for name, wish in wishes.items() if wish})
        write(file, printed_pad(preset, order, lang))
    except RuleError as error:
        stop(problem_line(found, lang) for found in error.problems)
    click.echo(lang("terminal.paper_written", file=str(file)))


with_house_rules = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="A house rule."
)


def house_rules(options: tuple[str, ...], lang: Language) -> dict[str, object]:
    """House rules as they are typed: ``joker.hand_value=50``; stops at one without a value."""
    from scorekeeper.wire.strict import read_word

    values = [option.partition("=") for option in options]
    if wrong := [name for name, equals, _ in values if not equals]:
        stop([lang("terminal.no_value", option=wrong[0])])
    return {name.strip(): read_word(value.strip()) for name, _, value in values}


@main.command()
@click.argument("preset")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_house_rules
@in_language
def card(preset: str, file: Path, options: tuple[str, ...], lang: Language) -> None:
    """Write a rules card for PRESET with house rules to FILE, one page.

    A house rule is the name of an option and its value: --option joker.hand_value=50.
    """
    from scorekeeper.cli.output import problem_line
    from scorekeeper.domain import presets
    from scorekeeper.domain.errors import RuleError
    from scorekeeper.pdf import rules_card

    try:
        rules = presets.preset(preset).override(house_rules(options, lang))
    except RuleError as error:
        stop(problem_line(found, lang) for found in error.problems)
    write(file, rules_card(rules, lang))
    click.echo(lang("terminal.paper_written", file=str(file)))


@main.command()
@click.option("--against", metavar="DIGITS", help="The digits of a printed sheet: was it ever so?")
@with_data
@in_language
def check(against: str | None, data: Path, lang: Language) -> None:
    """Check the record: engine, chain of events, every game played again.

    Nothing is written, whatever is found. Leaves with 1 if anything is not as it should be.
    """
    from scorekeeper.cli.output import check_line
    from scorekeeper.services.games import preview_round
    from scorekeeper.store.check import check, find_digits

    with read_record(data, lang) as ledger:
        if against is not None:
            try:
                found = find_digits(ledger, against)
            except ValueError:
                stop([lang("terminal.no_digits", digits=against)])
            for game, version in found:
                click.echo(lang("terminal.digits_found", game=game, version=version))
            if not found:
                stop([lang("terminal.digits_unknown", digits=against)])
            return
        report = check(ledger, preview_round, one_by_one)
    for line in report.lines:
        click.echo(check_line(line, lang))
    if not report.good:
        stop([lang("terminal.check_bad"), what_to_restore(data, lang)])
    if not report.clean:
        stop([lang("terminal.check_found")])


@main.command()
@with_data
@in_language
def rebuild(data: Path, lang: Language) -> None:
    """Derive what is kept of evenings for seasons and statistics from the events again."""
    from scorekeeper.store.check import rebuild
    from scorekeeper.store.engine import NotSaved, Unreadable

    with open_record(data, lang) as ledger:
        try:
            rebuilt = rebuild(ledger, one_by_one)
        except (NotSaved, Unreadable, ValueError, KeyError) as error:
            stop([lang("terminal.not_rebuilt", why=str(error))])
    click.echo(lang("terminal.rebuilt", n=rebuilt.changed, evenings=rebuilt.evenings))


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@in_language
def backup(file: Path, data: Path, lang: Language) -> None:
    """Copy the record to FILE while it is in use, and read the copy back."""
    from scorekeeper.services.bookkeeping import now
    from scorekeeper.store.backup import BadBackup, backup
    from scorekeeper.store.engine import NotSaved, Unreadable

    with open_record(data, lang) as ledger:
        try:
            report = backup(ledger, file, now())
        except OSError as error:
            stop([f"{file}: {error.strerror}"])
        except (BadBackup, NotSaved, Unreadable) as error:
            stop([lang("terminal.backup_bad", why=str(error))])
    chain = report.line("chain").facts
    click.echo(
        lang("terminal.backup_done", file=str(file), games=chain["games"], events=chain["events"])
    )


@main.command()
@click.argument("file", metavar="BACKUP", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Even if the record holds more than BACKUP does.")
@with_data
@in_language
def restore(file: Path, force: bool, data: Path, lang: Language) -> None:
    """Put BACKUP in the place of the record, after it was read whole.

    What was there is kept beside it. Nobody may have the record open meanwhile.
    """
    from scorekeeper.cli.output import check_line
    from scorekeeper.services.bookkeeping import now
    from scorekeeper.store.backup import BadBackup, Poorer, restore
    from scorekeeper.store.engine import NotSaved, Unreadable
    from scorekeeper.store.hold import InUse

    if not file.is_file():
        stop([lang("upkeep.no_file", file=str(file))])
    bad = lang("upkeep.not_restored", file=str(file))
    make_room(data, lang)
    try:
        restored = restore(file, data, now(), force=force)
    except Poorer as poorer:
        there = {"offered": poorer.offered, "there": poorer.there}
        stop([lang("upkeep.poorer", file=str(file), **there)])
    except BadBackup as error:
        stop([bad, *(check_line(line, lang) for line in error.report.lines if not line.ok)])
    except InUse as error:
        stop(not_opened(error, data, lang))
    except (NotSaved, Unreadable) as error:
        stop([bad, not_opened(error, file, lang)[0]])
    except OSError as error:
        stop([f"{error.filename or data}: {error.strerror}"])
    state = restored.state
    click.echo(lang("upkeep.restored", file=str(data), games=state.games, events=state.events))
    if state.taken:
        at = state.taken.at
        click.echo(lang("upkeep.taken", date=lang.date(at), time=lang.time(at)))
    if restored.aside:
        click.echo(lang("upkeep.kept_aside", file=str(restored.aside)))
    click.echo(lang("upkeep.codes_of_then"))


def what_to_restore(data: Path, lang: Language) -> str:
    """The newest backup of a record, and the command that puts it back."""
    from scorekeeper.serving.maintenance import backups_in

    wished = config.settings()["BACKUPS"]
    folder = config.backups_folder(data, wished) or data.parent
    if there := backups_in(folder, data.stem):
        return lang("upkeep.newest", file=str(there[max(there)]))
    return lang("upkeep.no_backups", folder=str(folder))


def not_opened(error: Exception, file: Path, lang: Language) -> list[str]:
    """Why a record or a backup could not be had, and what to do."""
    from scorekeeper.store.engine import EngineError
    from scorekeeper.store.hold import InUse
    from scorekeeper.store.migrations import Newer, NotOurs

    for kind, key in ((InUse, "in_use"), (Newer, "newer"), (NotOurs, "not_ours")):
        if isinstance(error, kind):
            return [lang(f"upkeep.{key}", file=str(file))]
    why = lang("terminal.cannot_open", why=str(error))
    return [why, what_to_restore(file, lang)] if isinstance(error, EngineError) else [why]


@main.command()
@click.option("--name", help="Whose name; without --game and --group everywhere in the record.")
@click.option("--game", help="Only in this game.")
@click.option("--group", help="Only in this group and its evenings.")
@click.option("--number", type=click.IntRange(1), help="Which player or member, counted from 1.")
@click.option("--yes", is_flag=True, help="Erase; else only say what would be erased.")
@with_data
@in_language
def erase(
    name: str | None,
    game: str | None,
    group: str | None,
    number: int | None,
    yes: bool,
    data: Path,
    lang: Language,
) -> None:
    """Erase a person's name, to its last byte in the record; the numbers stay.

    By --name, or by --number in a game or group. Nothing brings a name back.
    """
    from scorekeeper.cli.output import found_lines
    from scorekeeper.services import retention
    from scorekeeper.store.ledger import Unknown

    book = game or group
    if (game and group) or not (name or (book and number)) or (name and number):
        stop([lang("terminal.erase_whom")])
    with open_record(data, lang) as ledger:
        try:
            if book and number:
                found = [retention.bearer(ledger, book, number - 1)]
            else:
                found = retention.find(ledger, name or "", book)
        except (Unknown, IndexError):
            stop([lang("terminal.erase_nobody")])
        if not found:
            stop([lang("terminal.erase_nobody")])
        click.echo("\n".join(found_lines(found, lang)))
        if yes:
            retention.erase_found(ledger, found, name or "")
    click.echo(lang("terminal.erase_done" if yes else "terminal.erase_ask"))


def by_rules(command: Command) -> Command:
    """Give a command the rules to judge by, and how cards are written."""
    options = (
        click.option("--preset", default="german-family", show_default=True, help="Rule system."),
        with_house_rules,
        click.option("--notation", type=click.Choice(("en", "de", "auto")), help=NOTATION),
        click.option(
            "--batch",
            is_flag=False,
            flag_value="-",
            type=click.Path(dir_okay=False, allow_dash=True),
            help="JSON lines in, from FILE or standard input, and JSON lines out.",
        ),
        click.argument("cards", nargs=-1),
        in_language,
    )
    for option in reversed(options):
        command = option(command)
    return command


NOTATION = "How cards are written: 10H (en) or H10 (de); else as the language does, in JSON en."


@main.command()
@by_rules
@click.option("--first", is_flag=True, help="Laid out as the first meld of a player.")
def meld(cards: tuple[str, ...], first: bool, lang: Language, **asked: Any) -> None:
    """Judge whether CARDS are a meld: which one and why, or what would make it right."""
    from scorekeeper.cli.verdicts import meld_lines
    from scorekeeper.services.referee import MeldQuestionSchema

    ask(MeldQuestionSchema(), meld_lines, {"first": first}, cards, lang, **asked)


@main.command()
@by_rules
@click.option("--table", multiple=True, metavar="MELD", help="A meld that lies on the table.")
@click.option("--laid", is_flag=True, help="The player has laid out before.")
def arrange(
    cards: tuple[str, ...], table: tuple[str, ...], laid: bool, lang: Language, **asked: Any
) -> None:
    """Set out the hand CARDS so that least is left; first melds, and ways to go out."""
    from scorekeeper.cli.verdicts import hand_lines
    from scorekeeper.services.referee import HandQuestionSchema

    body = {"table": list(table), "has_laid": laid}
    ask(HandQuestionSchema(), hand_lines, body, cards, lang, **asked)


@main.command()
@by_rules
@click.option("--before", multiple=True, metavar="MELD", help="A meld that lay on the table.")
@click.option("--own", multiple=True, metavar="MELD", help="One that the player had laid.")
@click.option("--after", multiple=True, metavar="MELD", help="A meld that lies there now.")
@click.option("--to-hand", metavar="CARDS", help="Cards taken from the table into the hand.")
@click.option("--first", is_flag=True, help="The player had not laid out before this turn.")
@click.option("--drawn", multiple=True, metavar="WHAT",
              help="stock, or the card from the discard pile; none: nothing.")  # fmt: skip
@click.option("--melds-first", is_flag=True, help="Cards were laid before drawing.")
@click.option("--discard", metavar="CARD", help="The discard; none: nothing.")
@click.option("--same-card", is_flag=True, help="The discard is the very card that was drawn.")
@click.option("--out-of-turn", is_flag=True, help="It was another player's turn.")
@click.option("--claim", metavar="CARD", help="A discard that the player claimed (Klopfen).")
@click.option("--refused", is_flag=True, help="The player in turn did not agree to the claim.")
@click.option("--glass", multiple=True, metavar="WHAT",
              help="An attempt at the glass: a rank (7) or a suit (H).")  # fmt: skip
@click.option("--hirschn", is_flag=True, help="The player called Hirschn!")
@click.option("--knock", is_flag=True, help="The player knocked.")
@click.option("--left", type=int, help="Cards still in hand at the end.")
@click.option("--players", type=int, help="How many play.")
def turn(cards: tuple[str, ...], lang: Language, **told: Any) -> None:
    """Judge a turn: CARDS are those played from the hand. What is not stated is not judged."""
    from scorekeeper.cli.verdicts import turn_lines
    from scorekeeper.services.referee import TurnQuestionSchema

    asked = {name: told.pop(name) for name in ("preset", "options", "notation", "batch")}
    body = turn_body(told)
    if cards:
        body["hand_used"] = list(cards)
    ask(TurnQuestionSchema(), turn_lines, body, None, lang, **asked)


NOTHING = ("none", "-")
"""What stands for no card."""


def turn_body(told: dict[str, Any]) -> dict[str, Any]:
    """The options of ``turn`` as a body of the API; what was not said is left out."""
    body: dict[str, Any] = {"has_laid": not told["first"]}
    melds = [*told["before"], *({"cards": meld, "own": True} for meld in told["own"])]
    if melds:
        body["before"] = melds
    if told["after"]:
        body["after"] = list(told["after"])
    if told["drawn"]:
        body["drawn"] = [
            {"from": "stock"} if what == "stock" else {"from": "discard", "card": what}
            for what in told["drawn"]
            if what not in NOTHING
        ]
    if told["discard"]:
        body["discard"] = None if told["discard"] in NOTHING else told["discard"]
    if told["claim"]:
        body["claim"] = {"card": told["claim"]}
        if told["refused"]:
            body["claim"]["consent"] = False
    if told["glass"]:
        body["glass"] = [
            {"kind": "sequence", "suit": what}
            if what in "CDHS"
            else {"kind": "group", "rank": what}
            for what in map(str.upper, told["glass"])
        ]
    flags = {"melds_first": "laid_before_drawing", "same_card": "discard_is_drawn"}
    flags |= {"hirschn": "hirschn", "knock": "knock"}
    body |= {name: True for option, name in flags.items() if told[option]}
    if told["out_of_turn"]:
        body["in_turn"] = False
    named = {"to_hand": "to_hand", "left": "hand_left", "players": "players"}
    body |= {name: told[option] for option, name in named.items() if told[option] is not None}
    return body


def ask(
    schema: "Schema",
    told: Callable[[Any, Language], Iterable[str]],
    body: dict[str, Any],
    cards: tuple[str, ...] | None,
    lang: Language,
    *,
    preset: str,
    options: tuple[str, ...],
    notation: str | None,
    batch: str | None,
) -> None:
    """Put one question to the referee, or all those of a batch; ``cards`` None: none are needed."""
    from scorekeeper.cli.output import problem_line
    from scorekeeper.domain.errors import RuleError
    from scorekeeper.wire.strict import load

    body |= {"rules": {"preset": preset, "options": house_rules(options, lang)}}
    if batch is not None:
        answer_batch(batch, schema, body | ({"notation": notation} if notation else {}), lang)
        return
    if cards == ():
        stop([lang("terminal.no_cards")])
    if cards:
        body["cards"] = list(cards)
    written = notation or ("de" if lang.code == "de" else "en")
    try:
        question = load(schema, body | {"notation": written})
        lines = list(told(question, lang))
    except RuleError as error:
        stop(problem_line(found, lang) for found in error.problems)
    click.echo("\n".join(lines))


def answer_batch(batch: str, schema: "Schema", usual: dict[str, Any], lang: Language) -> None:
    """Answer every line; 1 if one could not be answered. A bar shows how far it is."""
    from scorekeeper.cli.verdicts import answers, is_refusal, json_line

    refused = count = 0
    try:
        with click.open_file(batch, "rb") as lines:
            asked = how_many(lines)
            for answer in watched(answers(lines, schema, usual, lang), asked, lang):
                click.echo(json_line(answer))
                count += 1
                refused += is_refusal(answer)
    except OSError as error:
        stop([f"{batch}: {error.strerror}"])
    if refused:
        stop([lang("terminal.batch_refused", count=count, refused=refused)])


def how_many(lines: IO[Any]) -> int | None:
    """How many lines are not blank; None of a pipe, which can be read only once."""
    if not lines.seekable():
        return None
    count = sum(1 for line in lines if line.strip())
    lines.seek(0)
    return count


def watched(answers: Iterable[Answer], asked: int | None, lang: Language) -> Iterator[Answer]:
    """The same answers, counted on a terminal while their lines go elsewhere."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from answers
        return
    label = lang("terminal.batch")
    with click.progressbar(answers, asked, label, show_pos=True, file=sys.stderr) as bar:
        yield from bar


@main.command()
@click.option("--evenings", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--members", default=6, show_default=True, type=click.IntRange(2, 40))
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same evenings.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="Day of the last; else today.")
@click.option(
    "--data",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("demo.sqlite"),
    show_default=True,
    help="The file it is put into; never your own record unless you name it.",
)
@in_language
def demo(
    evenings: int,
    members: int,
    seed: int,
    until: datetime | None,
    data: Path,
    lang: Language,
) -> None:
    """Make up a group with its evenings, to look at: scorekeeper serve --data demo.sqlite."""
    from scorekeeper.services.demo import Wishes, make

    last = until.date() if until else date.today()
    wishes = Wishes(evenings, members, seed, last, lang("terminal.demo_name"))
    with open_record(data, lang, new=True) as ledger, progress(evenings) as step:
        founded = make(ledger, wishes, step)
    group_id = founded.group.id
    click.echo(lang("terminal.founded", group=group_id, file=str(data)))
    click.echo("\n".join(links(group_id, founded.pen, founded.watch, lang)))


@main.command()
@click.option("--group", help="The group with all its games; else the only one there is.")
@click.option("--game", help="One game.")
@click.option("--table", type=click.Choice(TABLES), help="A table (CSV) and not everything (JSON).")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@in_language
def export(
    group: str | None,
    game: str | None,
    table: "Table | None",
    file: Path,
    data: Path,
    lang: Language,
) -> None:
    """Write a group or a game to FILE without loss, or a table of it.

    A group is lines of JSON, itself and then its games; ``import`` takes it in again.
    FILE is readable for its owner only.
    """
    from scorekeeper.cli.output import problem_line
    from scorekeeper.domain.errors import RuleError
    from scorekeeper.services.exports import Nothing, leaving
    from scorekeeper.store.files import becoming
    from scorekeeper.store.ledger import Unknown

    with open_record(data, lang) as ledger:
        try:
            length, lines = leaving(ledger, group, game, table)
            with (
                becoming(file) as part,
                progress(length) as step,
                part.open("w", encoding="utf-8", newline="") as out,
            ):
                for line in lines:
                    out.write(line)
                    step(1)
        except (Unknown, Nothing):
            known = [f"{one}  {ledger.group(one).name}" for one in ledger.groups()]
            stop([lang("terminal.what_to_export"), *known])
        except OSError as error:
            stop([f"{file}: {error.strerror}"])
        except RuleError as error:
            stop(problem_line(found, lang) for found in error.problems)
    click.echo(lang("terminal.paper_written", file=str(file)))


@main.command("import")
@click.option("--group", help="The group that FILE is a paper sheet of, typed as a table (CSV).")
@click.option("--preset", help="What the sheet was played by; else the house rules of the group.")
@click.option("--preview", is_flag=True, help="Only say what the sheet is understood as.")
@click.option("--as-it-was", is_flag=True, help="Keep points that the rules give otherwise today.")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@with_data
@in_language
def take_in(
    group: str | None,
    preset: str | None,
    preview: bool,
    as_it_was: bool,
    files: tuple[Path, ...],
    data: Path,
    lang: Language,
) -> None:
    """Take in games and groups that ``export`` wrote, or a typed paper sheet; whole or not."""
    from scorekeeper.cli.output import problem_line
    from scorekeeper.domain.errors import Problem, RuleError
    from scorekeeper.store.exports import BadExport
    from scorekeeper.store.ledger import Known, Unknown

    if group is None and (preset or preview):
        stop([lang("terminal.whose_sheet")])
    with open_record(data, lang, new=group is None) as ledger:
        for file in files:
            try:
                if group is None:
                    lines = take_export(ledger, file, as_it_was, lang)
                else:
                    lines = take_sheet(ledger, group, preset, preview, file, lang)
            except OSError as error:
                stop([f"{file}: {error.strerror}"])
            except Unknown:
                stop([lang("terminal.no_group", group=str(group))])
            except BadExport:
                stop([f"{file}: {lang.problem(Problem('E_IMPORT'))}"])
            except Known as known:
                told = Problem("E_IMPORT", {"why": "known", "id": known.book_id})
                stop([f"{file}: {lang.problem(told)}"])
            except RuleError as error:
                stop(f"{file}: {problem_line(found, lang)}" for found in error.problems)
            click.echo("\n".join(lines))


def take_export(ledger: "Ledger", file: Path, as_it_was: bool, lang: Language) -> list[str]:
    """Take in what a file holds; what is said of it, with its new secrets."""
    from scorekeeper.domain.game import Game
    from scorekeeper.services import imports
    from scorekeeper.services.import_checks import HOST
    from scorekeeper.store.exports import FORMATS

    with readable_again(file) as file, progress(file.stat().st_size) as step:
        export = next(imports.read_exports(file))
        if export.get("format") == FORMATS[Game]:
            opened = imports.import_game(ledger, export, as_it_was=as_it_was, bounds=HOST)
            book_id, pen, watch = opened.game.id, opened.pen, opened.watch
            said = "terminal.game_in"
        else:
            games = islice(imports.read_exports(file, step), 1, None)
            group = imports.read_group(export, games, as_it_was=as_it_was, bounds=HOST)
            games = islice(imports.read_exports(file), 1, None)
            founded = imports.write_group(ledger, group, games)
            book_id, pen, watch = founded.group.id, founded.pen, founded.watch
            said = "terminal.group_in"
    return [lang(said, id=book_id), *links(book_id, pen, watch, lang)]


@contextmanager
def readable_again(file: Path) -> Iterator[Path]:
    """A file that can be read more than once; of a pipe a copy, which is deleted afterwards."""
    if file.is_file():
        yield file
        return
    with file.open("rb") as pipe, NamedTemporaryFile() as copy:
        copyfileobj(pipe, copy)
        copy.flush()
        yield Path(copy.name)


def take_sheet(
    ledger: "Ledger", group_id: str, preset: str | None, preview: bool, file: Path, lang: Language
) -> list[str]:
    """Take in a typed sheet, or only say what it is understood as."""
    from scorekeeper.cli.output import sheet_lines
    from scorekeeper.services import paper_sheets
    from scorekeeper.wire.csv_sheet import as_text, read_sheet

    group = ledger.group(group_id)
    sheet = read_sheet(as_text(file.read_bytes()))
    rules = paper_sheets.rules_of(group, preset)
    lines = list(sheet_lines(paper_sheets.understand(ledger, group, sheet, rules), lang))
    if not preview:
        paper_sheets.import_sheet(ledger, group_id, sheet, rules)
        lines.append(lang("terminal.sheet_in", n=len(sheet)))
    return lines


def links(book_id: str, pen: str, watch: str, lang: Language) -> list[str]:
    """Where to write in a book and where to watch it, to be put behind the server's address."""
    return [
        lang("terminal.pen_link", link=f"#{book_id}.{pen}"),
        lang("terminal.watch_link", link=f"#{book_id}.{watch}"),
    ]


@contextmanager
def open_record(data: Path, lang: Language, *, new: bool = False) -> Iterator["Ledger"]:
    """The ledger of an existing file, or of a new one."""
    from scorekeeper.store.engine import EngineError, NotSaved
    from scorekeeper.store.hold import hold
    from scorekeeper.store.ledger import open_ledger
    from scorekeeper.store.migrations import outdated

    refuse_folder(data, lang)
    if not (new or data.is_file()):
        stop([lang("terminal.no_record", file=str(data))])
    with ExitStack() as held:
        try:
            held.enter_context(hold(data, "serve" if outdated(data) else "visit"))
            ledger = open_ledger(data, journal=os.environ.get("SCOREKEEPER_JOURNAL"))
        except (EngineError, NotSaved) as error:
            stop(not_opened(error, data, lang))
        held.callback(ledger.close)
        yield ledger


@contextmanager
def read_record(data: Path, lang: Language) -> Iterator["Ledger"]:
    """The ledger of an existing file, for reading only; one of an older version is left alone."""
    from scorekeeper.store.engine import EngineError
    from scorekeeper.store.hold import hold
    from scorekeeper.store.ledger import read_ledger
    from scorekeeper.store.migrations import is_older

    refuse_folder(data, lang)
    if not data.is_file():
        stop([lang("terminal.no_record", file=str(data))])
    with ExitStack() as held:
        try:
            held.enter_context(hold(data, "visit"))
            ledger = read_ledger(data)
            held.callback(ledger.close)
            older = is_older(ledger.engine)
        except EngineError as error:
            stop(not_opened(error, data, lang))
        if older:
            stop([lang("terminal.outdated", file=str(data))])
        yield ledger


def refuse_folder(data: Path, lang: Language) -> None:
    """Stop if ``--data`` is a folder, and name the files in it that could be meant."""
    if not data.is_dir():
        return
    tables = [file for file in data.glob("t/*/*.sqlite") if file.stem == file.parent.name]
    if not tables:
        stop([lang("terminal.is_folder", folder=str(data), file=str(data / "games.sqlite"))])
    files = sorted([*data.glob("scorekeeper.sqlite"), *tables])
    stop([lang("terminal.folder_of_tables", folder=str(data)), *(f"--data {one}" for one in files)])


def make_room(data: Path, lang: Language) -> None:
    """Make the folder of a record, for its owner alone, or stop."""
    refuse_folder(data, lang)
    try:
        data.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        stop([f"{error.filename}: {error.strerror}"])


def write(file: Path, content: bytes) -> None:
    """Write a whole file or stop."""
    try:
        file.write_bytes(content)
    except OSError as error:
        stop([f"{file}: {error.strerror}"])


def stop(lines: Iterable[str]) -> NoReturn:
    """Say what is wrong and leave with 1."""
    for line in lines:
        click.echo(line, err=True)
    sys.exit(1)
