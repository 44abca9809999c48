"""Text output for terminals: games, problems, reports of ``check``, tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.sheet import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.domain.rules.presets import deviations
from scorekeeper.i18n import Language
from scorekeeper.i18n.sheets import difference_words, left_out_words
from scorekeeper.wording.amounts import amounts_of
from scorekeeper.wording.endings import set_behind
from scorekeeper.wording.seasons import member_name

if TYPE_CHECKING:
    from scorekeeper.services.names import Occurrence
    from scorekeeper.services.paper_sheets import SheetPreview
    from scorekeeper.store.report import Line
    from scorekeeper.wire.csv_sheet import Sheet

MEASURES = ("minus", "plus", "net")
ABSENT = "–"
GAP = "  "
"""Separates the columns of two players."""
LONGEST_NAME = 16
SHOWN = 20
"""Differing rounds shown of one evening."""


def game_lines(game: Game, lang: Language) -> Iterator[str]:
    """Yield the whole evening: rounds, totals, settlement, payments."""
    yield from _head(game, lang)
    yield ""
    yield from _rounds(game, lang)
    yield from _ending(game, lang)
    yield from _remarks(game, lang)
    try:
        settlement = game.settlement()
    except RuleError as error:  # show the rounds even if they cannot be settled
        yield from ("", lang.problem(error.problems[0], game.players))
        return
    if settlement:
        yield ""
        yield from _settlement(game, settlement, lang)


def problem_line(problem: Problem, lang: Language, players: Sequence[str] = ()) -> str:
    """Return a finding with its place: ``Runde 3, Anna: ...``."""
    match problem.path:
        case ("rounds", int(index), "seats", int(seat), *_) if seat < len(players):
            place = lang("terminal.round_seat", number=index + 1, player=players[seat])
        case ("rounds", int(index), *_):
            place = lang("terminal.round", number=index + 1)
        case ("line", *_) if problem.code == "E_SHEET":
            place = ""  # the message names the line
        case path:
            place = ".".join(map(str, path))
    return f"{lang.sign(':')} ".join(filter(None, (place, lang.problem(problem, players))))


def sheet_lines(
    sheet: "Sheet", evenings: Iterable["SheetPreview"], lang: Language
) -> Iterator[str]:
    """Yield how a CSV score sheet was read: a line per evening, with everyone's points."""
    if sheet.left_out:
        what = (left_out_words(one.value, one.line, one.column, lang) for one in sheet.left_out)
        yield lang("groups.import.left_out", what=", ".join(what))
    for one in evenings:
        columns = zip(one.typed.players, one.members, one.totals, strict=True)
        players = [
            lang("terminal.sheet_new" if member is None else "terminal.sheet_player", **about)
            for name, member, total in columns
            for about in [{"player": name, "points": total}]
        ]
        yield lang(
            "terminal.sheet_evening",
            day=lang.day(one.typed.day),
            n=len(one.typed.rounds),
            players=", ".join(players),
            winners=lang.all_of(one.winners),
        )
        if one.existing:
            yield GAP + lang(f"groups.import.state.{one.state}")
            for difference in one.existing.differences[:SHOWN]:
                cells = difference.cells(one.names)
                yield 2 * GAP + difference_words(difference.number, difference.kind, cells, lang)
            yield GAP + lang(f"groups.import.do.{one.deed}")


def secret_links(book_id: str, pen: str, watch: str, lang: Language) -> list[str]:
    """Return the links for writing and watching, to be appended to the server's address."""
    return [
        lang("terminal.pen_link", link=f"#{book_id}.{pen}"),
        lang("terminal.watch_link", link=f"#{book_id}.{watch}"),
    ]


CHECK_FACTS: Mapping[str, Callable[[Any], object]] = {
    "places": lambda places: ", ".join(f"{game}/{event}" for game, event in places),
    "free": lambda size: size // 2**20,
    "least": lambda size: size // 2**20,
}
"""Formats of the facts of ``check``: events as ``game/number``, sizes in MiB."""


def found_lines(found: Iterable["Occurrence"], lang: Language) -> Iterator[str]:
    """Yield where a name occurs: ``Stammtisch abc "Donnerstag": Anna (3 Abende)``."""
    for one in found:
        mentions = [_bearer(one.book, number, lang) for number in one.bearers]
        if one.mentions:
            mentions.append(lang("terminal.erase_mentions", n=one.mentions))
        if isinstance(one.book, Group):
            kind, title = "group", one.book.name
        else:
            day = lang.date(one.book.created_at)
            kind, title = "game", one.book.title or lang("pages.untitled", date=day)
        yield lang(f"terminal.erase_{kind}", id=one.book.id, title=title, what=", ".join(mentions))


def _bearer(book: Game | Group, number: int, lang: Language) -> str:
    """Return the name, in a group with its number of evenings."""
    if isinstance(book, Game):
        return book.players[number] or lang.seat(number)
    evenings = sum(number in seating.members for seating in book.evenings.values())
    return lang("terminal.erase_member", player=member_name(book, number, lang), n=evenings)


def check_line(line: "Line", lang: Language) -> str:
    """Return one result of ``check``."""
    facts = {name: CHECK_FACTS.get(name, _unchanged)(fact) for name, fact in line.facts.items()}
    mark = lang("terminal.good") if line.ok else lang("terminal.bad")
    key = f"terminal.check.{line.key}"
    return f"{mark:<8} {lang(key if line.ok else key + '.bad', **facts)}"


def _unchanged(fact: object) -> object:
    return fact


def _head(game: Game, lang: Language) -> Iterator[str]:
    rules = game.rules
    yield " · ".join(filter(None, (game.title, game.place)))
    yield lang.preset(rules.preset)
    for deviation in deviations(rules):
        if not deviation.name.startswith("settle."):
            yield "  " + " ".join(lang.deviation(deviation))
    if rules.settle.point_value is not None:
        stake = lang.rate(rules.settle.point_value, rules.settle.unit)
        yield lang("terminal.stake", stake=stake)
    if rules.settle.stake:
        stake = lang.money(rules.settle.stake, rules.settle.unit)
        yield lang("terminal.table_stake", stake=stake)


def _rounds(game: Game, lang: Language) -> Iterator[str]:
    """Yield a row per round: who went out, everyone's points and running totals."""
    sheet = game.sheet
    measure = game.rules.rank.measure
    names = _names(game)
    rows = [[lang("terminal.number"), lang("terminal.out"), *_spread(names), ""]]
    rows += (_round(row, names, measure, lang) for row in sheet.rows)
    rows.append([])
    for shown in MEASURES:
        if shown == measure or (shown != "net" and any(t.of(shown) for t in sheet.tallies)):
            totals = [lang.number(tally.of(shown)) for tally in sheet.tallies]
            rows.append([lang(f"terminal.{shown}"), "", *_spread(totals), ""])
    if game.rules.counts_for_league:
        league = [lang.number(tally.league) for tally in sheet.tallies]
        rows.append([lang("terminal.league"), "", *_spread(league), ""])
    won = [lang.number(tally.won) for tally in sheet.tallies]
    ranks = [lang("terminal.place", rank=rank) if rank else ABSENT for rank in sheet.ranks]
    rows.append([lang("terminal.won"), "", *_spread(won), ""])
    rows.append([lang("terminal.rank"), "", *_spread(ranks), ""])
    yield lang("terminal.points_of", measure=lang(f"terminal.{measure}"))
    yield from table(rows, left=(0, 1, len(rows[0]) - 1))


def _round(row: Row, names: Sequence[str], measure: str, lang: Language) -> list[str]:
    cells: list[str] = []
    for side, tally in enumerate(row.tallies):
        points = row.worth(side, measure) if row.counts else None
        shown = ABSENT if points is None else lang.number(points)
        cells += [GAP + shown, lang.number(tally.of(measure))]
    cells += ["", ""] * (len(names) - len(row.tallies))
    winner = row.score.winner
    out = ABSENT if winner is None else names[winner]
    return [lang.number(row.number), out, *cells, _note(row, names, lang)]


def _note(row: Row, names: Sequence[str], lang: Language) -> str:
    if not row.score.counts:
        return lang(f"terminal.{row.score.outcome}")
    if row.score.outcome == "knock":
        return ", ".join(lang.marks(row.score, row.round, names))
    return lang("terminal.hand_romme") if row.round.hand_romme else ""


def _ending(game: Game, lang: Language) -> Iterator[str]:
    ending = game.sheet.ending
    if ending:
        names = [game.sides[side] for side in ending.sides]
        yield ""
        yield lang(f"terminal.ended_by_{ending.why}", limit=ending.limit, players=names)
    yield from set_behind(game, lang)


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


def _settlement(game: Game, settled: Settlement, lang: Language) -> Iterator[str]:
    """Yield the table of [001] §6: a column per player, a row per opponent, the sum below."""
    names = _names(game)
    rows = [["", *names]]
    if settled.pairs is not None:
        for opponent, name in enumerate(names):
            against = [settled.pairs[side][opponent] for side in range(len(names))]
            rows.append([lang("terminal.against", player=name), *_signed(against, lang)])
    if settled.balances is not None:
        rows.append([lang("terminal.balance"), *_signed(settled.balances, lang)])
    if settled.pairs is not None and settled.always_present:
        rows.append([lang("terminal.proof", n=len(names)), *_signed(_proof(settled), lang)])
    written = amounts_of(game.rules)
    if settled.stakes is not None:
        stakes = written.numbers(settled.stakes, lang)
        rows.append([lang("terminal.of_stake", unit=written.unit), *stakes])
    if settled.amounts is not None and settled.payable_amounts is not None:
        exact = written.numbers(settled.amounts, lang)
        rows.append([lang("terminal.amount", unit=written.unit), *exact])
        if settled.payable_amounts != settled.amounts:
            payable = written.numbers(settled.payable_amounts, lang)
            rows.append([lang("terminal.payable", unit=written.unit), *payable])
    yield lang("terminal.settlement")
    yield from table(rows, left=(0,))
    yield from _payments(game, settled, lang)


def _proof(settled: Settlement) -> list[int]:
    """Return the balances computed a second way: n times one's own points less everyone's."""
    sign = -1 if settled.measure == "minus" else 1
    worth = [sign * total for total in settled.totals]
    return [len(worth) * own - sum(worth) for own in worth]


def _payments(game: Game, settled: Settlement, lang: Language) -> Iterator[str]:
    if settled.transfers is None:
        return
    written = amounts_of(game.rules)
    yield ""
    yield lang("terminal.payments") if game.payments else lang("terminal.nothing_to_pay")
    for one in game.payments:
        yield "  " + lang(
            "terminal.pays" if one.paid_at is None else "terminal.has_paid",
            payer=game.sides[one.payer],
            payee=game.sides[one.payee],
            amount=written.words(one.amount, lang),
        )


def _names(game: Game) -> list[str]:
    return [_shortened(name) for name in game.sides]


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _spread(cells: Sequence[str]) -> list[str]:
    """Return the cells placed above the second of each side's two columns."""
    return [text for cell in cells for text in ("", cell)]


def _signed(points: Sequence[int | None], lang: Language) -> list[str]:
    return [ABSENT if one is None else lang.number(one, signed=True) for one in points]


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
