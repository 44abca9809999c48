"""The score sheet of one game, from its head to the signatures."""

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer

from scorekeeper.domain.settlement import Settlement
from scorekeeper.pdf import tables
from scorekeeper.pdf.layout import (
    SMALL,
    WIDTH,
    Edges,
    build,
    register_faces,
    title_room,
    widest,
    width,
)
from scorekeeper.pdf.words import Words

LEAST_LINES = 3
"""For the pencil."""


def pages(words: Words, settlement: Settlement | None, head: str | None) -> bytes:
    """The sheet as a PDF file."""
    register_faces()
    edges = Edges(words.lang("paper.title"), words.title, words.page, words.foot(head))
    subject = words.lang("paper.subject")
    return build(story(words, settlement), edges, subject=subject, language=words.lang.code)


def parting() -> Spacer:
    """The room between two parts."""
    return Spacer(0, 5 * mm)


def story(words: Words, settlement: Settlement | None) -> Iterator[Flowable]:
    """The parts of the sheet in their order."""
    shape = tables.columns(words)
    yield tables.facts_table(list(words.facts()), list(long_facts(words, shape)))
    yield Spacer(0, 4 * mm)
    yield tables.rounds_table(words, shape)
    yield Spacer(0, 1.4 * mm)
    yield tables.small_print(list(words.footnotes()), WIDTH)
    *parts, last = settled(words, settlement) if settlement else [notes(words, LEAST_LINES, WIDTH)]
    for part in parts:
        yield KeepTogether([parting(), *part])
    yield KeepTogether([parting(), *last, tables.signatures(words)])


def long_facts(words: Words, shape: tables.Columns) -> Iterator[tuple[str, str]]:
    """What takes a line of its own: the house rules, and whatever is cut elsewhere."""
    kind = words.lang("paper.title")
    if width(words.title, "Sans", 10) > title_room(kind):
        yield words.lang("paper.evening"), words.title
    if widest(words.sides, "Sans", SMALL) > shape.dealer - 2 * shape.pad:
        yield words.lang("paper.players"), words.everyone()
    if house_rules := words.house_rules():
        yield words.lang("paper.house_rules"), house_rules


def settled(words: Words, settlement: Settlement) -> list[list[Flowable]]:
    """The settlement and its payments: in one part where they fit side by side, else in two."""
    narrow = tables.fits_narrow(words, settlement)
    room = tables.NARROW if narrow else WIDTH
    table = [
        tables.heading(words.lang(f"paper.settlement.{settlement.mode}")),
        tables.settlement_table(words, settlement, room),
        Spacer(0, 1.4 * mm),
        tables.small_print([words.check_line(settlement)], room),
    ]
    if not narrow:
        left = WIDTH - tables.WIDE - tables.GAP
        paying = payments(words, settlement, tables.WIDE)
        return [table, [tables.beside(notes(words, LEAST_LINES, left), paying, tables.WIDE)]]
    left = WIDTH - tables.NARROW - tables.GAP
    paying = [*payments(words, settlement, left), parting()]
    free = tables.height(table) - tables.height([*paying, *notes(words, LEAST_LINES, left)])
    lines = LEAST_LINES + max(0, int(free / tables.LINE))
    return [[tables.beside([*paying, *notes(words, lines, left)], table, tables.NARROW)]]


def payments(words: Words, settlement: Settlement, room: float) -> list[Flowable]:
    """Who pays whom, where points are worth money."""
    if settlement.transfers is None:
        return []
    return [
        tables.heading(words.lang("paper.payments")),
        tables.payments_table(words, settlement.transfers, room),
    ]


def notes(words: Words, lines: int, room: float) -> list[Flowable]:
    """Room for what is to be remembered."""
    return [tables.heading(words.lang("paper.remarks")), tables.note_lines(lines, room)]
