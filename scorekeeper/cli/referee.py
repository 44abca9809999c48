"""Commands that ask the referee: meld, arrange, turn, one question at a time or in batches."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, TypedDict, Unpack

import click
from marshmallow import Schema

from scorekeeper.cli.common import Command, fail, house_rules, in_language, with_house_rules
from scorekeeper.cli.output import problem_line
from scorekeeper.cli.terminal import drawing_stream
from scorekeeper.cli.verdicts import answers, hand_lines, meld_lines, turn_lines
from scorekeeper.domain.cards.names import NOTATIONS
from scorekeeper.domain.errors import RuleError
from scorekeeper.i18n import Language
from scorekeeper.wire.referee import HandQuestionSchema, MeldQuestionSchema, TurnQuestionSchema
from scorekeeper.wire.strict import load

Answer = dict[str, Any]
NOTATION = (
    "Notation of cards: 10H (en), H10 (de) or 10Co (fr); default: that of the language, in JSON en."
)


def question_options(command: Command) -> Command:
    """Add the options for rules, notation and batches, and the argument CARDS."""
    options = (
        click.option("--preset", default="german-family", show_default=True, help="Rule system."),
        with_house_rules,
        click.option("--plan-row", type=int, help="Row of the plan, where there is one, from 1."),
        click.option("--wild", metavar="RANK", help="Rank of the card that was cut, or JK."),
        click.option("--notation", type=click.Choice(NOTATIONS), help=NOTATION),
        click.option(
            "--batch",
            is_flag=False,
            flag_value="-",
            type=click.Path(dir_okay=False, allow_dash=True),
            help="Read JSON lines from FILE or standard input, and write JSON lines.",
        ),
        click.argument("cards", nargs=-1),
        in_language,
    )
    for option in reversed(options):
        command = option(command)
    return command


class QuestionOptions(TypedDict):
    """The options that all questions have."""

    preset: str
    options: tuple[str, ...]
    plan_row: int | None
    wild: str | None
    notation: str | None
    batch: str | None


@click.command()
@question_options
@click.option("--first", is_flag=True, help="It is the first meld of the player.")
def meld(
    cards: tuple[str, ...], first: bool, lang: Language, **options: Unpack[QuestionOptions]
) -> None:
    """Check whether CARDS are a meld: which one and why, or how to make them one."""
    judge(MeldQuestionSchema(), meld_lines, {"first": first}, cards, lang, options)


@click.command()
@question_options
@click.option("--table", multiple=True, metavar="MELD", help="A meld on the table.")
@click.option("--laid", is_flag=True, help="The player has laid out before.")
def arrange(
    cards: tuple[str, ...],
    table: tuple[str, ...],
    laid: bool,
    lang: Language,
    **options: Unpack[QuestionOptions],
) -> None:
    """Arrange the hand CARDS so that the fewest points are left; show first melds and ways out."""
    body = {"table": list(table), "has_laid": laid}
    judge(HandQuestionSchema(), hand_lines, body, cards, lang, options)


@click.command()
@question_options
@click.option(
    "--before", multiple=True, metavar="MELD", help="A meld on the table before the turn."
)
@click.option("--own", multiple=True, metavar="MELD", help="A meld of the player before the turn.")
@click.option("--after", multiple=True, metavar="MELD", help="A meld on the table after the turn.")
@click.option("--to-hand", metavar="CARDS", help="Cards taken from the table into the hand.")
@click.option("--first", is_flag=True, help="The player had not laid out before this turn.")
@click.option("--drawn", multiple=True, metavar="WHAT",
              help="stock, the card taken from the discard pile, or none.")  # fmt: skip
@click.option("--melds-first", "laid_before_drawing", is_flag=True,
              help="The player laid cards before drawing.")  # fmt: skip
@click.option("--discard", metavar="CARD", help="The discard, or none.")
@click.option("--same-card", "discard_is_drawn", is_flag=True,
              help="The discard is the same card that was drawn.")  # fmt: skip
@click.option("--out-of-turn", is_flag=True, help="It was another player's turn.")
@click.option("--claim", metavar="CARD", help="A discard that the player claimed (Klopfen).")
@click.option("--refused", is_flag=True, help="The player in turn did not agree to the claim.")
@click.option("--glass", multiple=True, metavar="WHAT",
              help="An attempt at the glass: a rank (7) or a suit (H).")  # fmt: skip
@click.option("--hirschn", is_flag=True, help="The player called Hirschn!")
@click.option("--knock", is_flag=True, help="The player knocked.")
@click.option("--left", "hand_left", type=int, help="Number of cards left in hand.")
@click.option("--players", type=int, help="Number of players.")
def turn(cards: tuple[str, ...], lang: Language, **options: Any) -> None:
    """Check a turn. CARDS are those played from the hand. What is not stated is not checked."""
    judge_options: Any = {name: options.pop(name) for name in QuestionOptions.__annotations__}
    body = turn_body(options)
    if cards:
        body["hand_used"] = list(cards)
    judge(TurnQuestionSchema(), turn_lines, body, None, lang, judge_options)


NO_CARD = ("none", "-")
"""Values that stand for no card."""


def turn_body(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of ``turn`` as a REST body; what is not stated is left out."""
    body: dict[str, Any] = {"has_laid": not options["first"]}
    melds = [*options["before"], *({"cards": meld, "own": True} for meld in options["own"])]
    if melds:
        body["before"] = melds
    if options["after"]:
        body["after"] = list(options["after"])
    if options["drawn"]:
        body["drawn"] = [
            {"from": "stock"} if what == "stock" else {"from": "discard", "card": what}
            for what in options["drawn"]
            if what not in NO_CARD
        ]
    if options["discard"]:
        body["discard"] = None if options["discard"] in NO_CARD else options["discard"]
    if options["claim"]:
        body["claim"] = {"card": options["claim"]}
        if options["refused"]:
            body["claim"]["consent"] = False
    if options["glass"]:
        body["glass"] = [
            {"kind": "sequence", "suit": what}
            if what in "CDHS"
            else {"kind": "group", "rank": what}
            for what in map(str.upper, options["glass"])
        ]
    if options["out_of_turn"]:
        body["in_turn"] = False
    flags = ("laid_before_drawing", "discard_is_drawn", "hirschn", "knock")
    values = ("to_hand", "hand_left", "players")
    body |= {name: True for name in flags if options[name]}
    return body | {name: options[name] for name in values if options[name] is not None}


def judge(
    schema: Schema,
    answer_lines: Callable[[Any, Language], Iterable[str]],
    body: dict[str, Any],
    cards: tuple[str, ...] | None,
    lang: Language,
    options: QuestionOptions,
) -> None:
    """Answer a question or a batch of them; ``cards`` is None if none are required."""
    notation, batch = options["notation"], options["batch"]
    house = house_rules(options["options"], lang)
    body |= {"rules": {"preset": options["preset"], "options": house}}
    of_round = {"plan_row": options["plan_row"], "wild": options["wild"]}
    body |= {name: fact for name, fact in of_round.items() if fact is not None}
    if batch is not None:
        answer_batch(batch, schema, body | ({"notation": notation} if notation else {}), lang)
        return
    if cards == ():
        fail([lang("terminal.no_cards")])
    if cards:
        body["cards"] = list(cards)
    try:
        question = load(schema, body | {"notation": notation or lang.notation})
        lines = list(answer_lines(question, lang))
    except RuleError as error:
        fail(problem_line(found, lang) for found in error.problems)
    click.echo("\n".join(lines))


def answer_batch(batch: str, schema: Schema, defaults: dict[str, Any], lang: Language) -> None:
    """Answer every line of a batch; exit with status 1 if any is refused."""
    refused = count = 0
    with click.open_file(batch, "rb") as lines:
        length = count_lines(lines)
        for answer in with_batch_progress(answers(lines, schema, defaults, lang), length, lang):
            click.echo(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))
            count += 1
            refused += "line" in answer
    if refused:
        fail([lang("terminal.batch_refused", count=count, refused=refused)])


def count_lines(lines: IO[Any]) -> int | None:
    """Return the number of lines that are not blank; None for a pipe, which is read only once."""
    if not lines.seekable():
        return None
    count = sum(1 for line in lines if line.strip())
    lines.seek(0)
    return count


def with_batch_progress(
    answers: Iterable[Answer], length: int | None, lang: Language
) -> Iterator[Answer]:
    """Yield the answers, with a progress bar if only they are redirected."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from answers
        return
    label = lang("terminal.batch")
    with click.progressbar(answers, length, label, show_pos=True, file=drawing_stream()) as bar:
        yield from bar
