"""Text output for terminals: games, problems, reports of ``check``, tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.domain.rules.presets import deviations
from scorekeeper.i18n import Language
from scorekeeper.i18n.sheets import difference_words, left_out_words
from scorekeeper.wording import pad
from scorekeeper.wording.endings import set_behind
from scorekeeper.wording.settlement import settlement_rows
from scorekeeper.wording.sheet import ABSENT, IN_SUMMARY, Words

if TYPE_CHECKING:
    from scorekeeper.services.paper_sheets import SheetPreview
    from scorekeeper.store.report import CheckResult
    from scorekeeper.wire.csv_evening import Sheet

GAP = "  "
"""Separates the columns of two players."""
LONGEST_NAME = 16
SHOWN = 20
"""Differing rounds shown of one evening."""


def game_lines(game: Game, lang: Language) -> Iterator[str]:
    """Yield the whole evening: rounds, totals, settlement, payments."""
    words = Words(game, lang, spelt=str)
    yield from _head(words)
    yield ""
    yield from _rounds(words)
    if game.is_over:
        yield from ("", pad.winners(game, lang), pad.why_over(game, lang))
    else:
        yield from set_behind(game, lang)
    yield from _remarks(game, lang)
    try:
        settlement = game.settlement()
    except RuleError as error:  # show the rounds even if they cannot be settled
        yield from ("", lang.problem(error.problems[0], game.players))
        return
    if settlement:
        yield ""
        yield from _settlement(words, settlement)


def problem_line(problem: Problem, lang: Language, players: Sequence[str] = ()) -> str:
    """Return a finding with its place: ``Runde 3, Anna: ...``."""
    match problem.path:
        case ("rounds", int(index), "seats", int(seat), *_) if seat < len(players):
            place = lang("terminal.round_seat", number=index + 1, player=players[seat])
        case ("rounds", int(index), *_):
            place = lang("terminal.round", number=index + 1)
        case ("line", *_) if problem.code == "E_SHEET":
            place = ""  # the message names the line
        case ("line", int(line), *_):
            place = lang("terminal.line", line=line)
        case path:
            place = ".".join(map(str, path))
    return f"{lang.sign(':')} ".join(filter(None, (place, lang.problem(problem, players))))


def sheet_lines(
    sheet: "Sheet", evenings: Sequence["SheetPreview"], lang: Language
) -> Iterator[str]:
    """Yield how a CSV score sheet was read, with everyone's points, and the open questions."""
    if sheet.left_out:
        what = (left_out_words(part.value, part.line, part.column, lang) for part in sheet.left_out)
        yield lang("groups.import.left_out", what=", ".join(what))
    for evening in evenings:
        columns = zip(evening.typed.players, evening.members, evening.totals, strict=True)
        players = [
            lang("terminal.sheet_new" if member is None else "terminal.sheet_player", **about)
            for name, member, total in columns
            for about in [{"player": name, "points": total}]
        ]
        yield lang(
            "terminal.sheet_evening",
            day=lang.day(evening.typed.day),
            n=len(evening.typed.rounds),
            players=", ".join(players),
            winners=lang.all_of(evening.winners),
        )
        if evening.existing:
            yield GAP + lang(f"groups.import.state.{evening.state}")
            for one in evening.existing.differences[:SHOWN]:
                cells = one.cells(evening.names)
                yield 2 * GAP + difference_words(one.number, one.kind, cells, one.facts, lang)
            yield GAP + lang(f"groups.import.do.{evening.deed}")
    yield from (problem_line(question, lang) for question in sheet.questions)
    if sheet.questions or any(evening.action is None for evening in evenings):
        yield lang("terminal.sheet_answers")


def secret_links(book_id: str, pen: str, watch: str, lang: Language) -> list[str]:
    """Return the links for writing and watching, to be appended to the server's address."""
    return [
        lang("terminal.pen_link", link=f"enter#{book_id}.{pen}"),
        lang("terminal.watch_link", link=f"enter#{book_id}.{watch}"),
    ]


CHECK_FACTS: Mapping[str, Callable[[Any], object]] = {
    "places": lambda places: ", ".join(f"{game}/{event}" for game, event in places),
    "free": lambda size: size // 2**20,
    "least": lambda size: size // 2**20,
}
"""Formats of the facts of ``check``: events as ``game/number``, sizes in MiB."""


def check_line(line: "CheckResult", lang: Language) -> str:
    """Return one result of ``check``."""
    told = {name: CHECK_FACTS[name](line.facts[name]) for name in CHECK_FACTS if name in line.facts}
    verdict = lang("terminal.good") if line.ok else lang("terminal.bad")
    key = f"terminal.check.{line.key}"
    return f"{verdict:<8} {lang(key if line.ok else key + '.bad', **{**line.facts, **told})}"


def _head(words: Words) -> Iterator[str]:
    game, lang = words.game, words.lang
    if game.title:
        yield game.title
    for label, value in words.summary():
        yield f"{label}{lang.sign(':')} {value}"
    for deviation in deviations(game.rules):
        if deviation.name not in IN_SUMMARY:
            yield "  " + " ".join(lang.deviation(deviation))


def _rounds(words: Words) -> Iterator[str]:
    """Yield a row per round: everyone's points and running totals, and how it ended."""
    lang, names = words.lang, _names(words.sides)
    rows = [[lang("paper.round"), *_spread(names), ""]]
    for row in words.game.sheet.rows:
        cells = [
            text
            for side in range(len(names))
            for text in (GAP + words.points(row, side), words.running(row, side))
        ]
        rows.append([lang.number(row.number), *cells, words.mark(row, names)])
    rows.append([])
    ranks = lang("paper.rank"), words.ranks()
    for label, numbers in (*words.tally_lines(), *words.other_lines(), ranks):
        rows.append([label, *_spread(numbers), ""])
    yield lang("terminal.points_of", measure=lang(f"paper.tally.{words.measure}"))
    yield from table(rows, left=(0, len(rows[0]) - 1))


def _remarks(game: Game, lang: Language) -> Iterator[str]:
    remarks = [
        problem_line(warning.under("rounds", row.number - 1), lang, game.players)
        for row in game.sheet.rows
        for warning in row.score.warnings
    ]
    if game.winner_pays is not None:
        remarks.append(lang("W_WINNER_PAYS", player=game.sides[game.winner_pays]))
    if remarks:
        yield ""
        yield lang("terminal.remarks")
        yield from ("  " + remark for remark in remarks)


def _settlement(words: Words, settled: Settlement) -> Iterator[str]:
    """Yield the table of [001] §6, with a second way to compute its sums, and the payments."""
    game, lang, names = words.game, words.lang, _names(words.sides)
    rows = [["", *names]]
    for row in settlement_rows(game, settled, lang, ABSENT):
        rows.append([row.label, *row.cells])
        if row.kind == "sum" and settled.pairs is not None and settled.always_present:
            proof = [lang.number(points, signed=True) for points in _proof(settled)]
            rows.append([lang("terminal.proof", n=len(names)), *proof])
    yield lang("paper.statement")
    yield from table(rows, left=(0,))
    yield from _payments(words, settled)


def _proof(settled: Settlement) -> list[int]:
    """Return the balances computed a second way: n times one's own points less everyone's."""
    sign = -1 if settled.measure == "minus" else 1
    worth = [sign * total for total in settled.totals]
    return [len(worth) * own - sum(worth) for own in worth]


def _payments(words: Words, settled: Settlement) -> Iterator[str]:
    if settled.transfers is None:
        return
    game, lang = words.game, words.lang
    yield ""
    yield lang("terminal.payments") if game.payments else lang("paper.nobody_pays")
    for payment in game.payments:
        yield "  " + lang(
            "terminal.pays" if payment.paid_at is None else "terminal.has_paid",
            payer=words.sides[payment.payer],
            payee=words.sides[payment.payee],
            amount=words.money(payment.amount),
            n=words.people,
        )


def _names(sides: Sequence[str]) -> list[str]:
    """Return the names, shortened to LONGEST_NAME."""
    return [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in sides]


def _spread(cells: Sequence[str]) -> list[str]:
    """Return the cells placed above the second of each side's two columns."""
    return [text for cell in cells for text in ("", cell)]


def table(rows: Sequence[Sequence[str]], left: Sequence[int]) -> Iterator[str]:
    """Yield aligned rows: the columns in ``left`` to the left, all others to the right."""
    columns = range(max(map(len, rows)))
    widths = [max(_width(row[i]) for row in rows if row) for i in columns]
    for row in rows:
        cells = [_padded(cell, widths[i], i in left) for i, cell in enumerate(row)]
        yield "  ".join(cells).rstrip()


def _padded(cell: str, width: int, left: bool) -> str:
    blanks = " " * (width - _width(cell))
    return cell + blanks if left else blanks + cell


def _width(text: str) -> int:
    """Return the number of terminal columns that a text takes."""
    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )
