"""The detail sheet: every round with its cards and the lines of its score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table

from scorekeeper.domain.cards import Card, card_named
from scorekeeper.domain.rounds import ScoreLine
from scorekeeper.domain.sheet import Row
from scorekeeper.pdf.layout import HAIR, SMALL, THIN, shortened, wrap
from scorekeeper.pdf.tables import GREY, Command, bare, font, heading, high
from scorekeeper.pdf.words import Words

HANDS, MELDS, MOVES = ("hand", "rest"), ("first_meld", "melds"), ("layoffs", "swaps")
SUMS = ("points", "count", "deadwood")
"""What is declared of a player: cards, melds, cards moved, or a sum alone."""
NAME, AMOUNT = 0.16, 0.12
"""How much of the width is for names, and for points."""


def details(words: Words, room: float) -> Iterator[Flowable]:
    """Every round in its own table, with at least two lines on the sheet where it begins."""
    yield heading(words.lang("paper.details"))
    for row in words.game.sheet.rows:
        yield _round(words, row, room)
        yield Spacer(0, 3 * mm)


def _round(words: Words, row: Row, room: float) -> Table:
    name, amount = NAME * room, AMOUNT * room
    text = room - name - amount - 2 * mm
    names = shortened(words.sides, "Sans-Bold", SMALL, name - 2 * mm)
    title = words.lang(
        "paper.details.round",
        number=row.number,
        dealer=words.players[row.dealer],
        mark=words.mark(row, names),
    )
    data = [[wrap(title, "Sans-Bold", SMALL, room), "", ""]]
    style: list[Command] = []
    for who, lines in _parts(words, row, names, name - 2 * mm):
        style.append(("LINEABOVE", (0, len(data)), (-1, len(data)), HAIR, GREY))
        for nth, (said, points) in enumerate(lines):
            data.append(["" if nth else who, wrap(said, "Sans", SMALL, text), points])
    return Table(
        data,
        colWidths=[name, text + 2 * mm, amount],
        rowHeights=[max(high(cell, SMALL) for cell in line) + 1.5 for line in data],
        style=[
            *bare(),
            font((0, 0), (0, -1), "Sans-Bold", SMALL),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("ALIGN", (2, 0), (2, -1), "RIGHT"),
            *style,
            ("LINEBELOW", (0, 0), (-1, 0), THIN, black),
            ("NOSPLIT", (0, 0), (0, min(2, len(data) - 1))),
        ],
    )


Said = list[tuple[str, str]]
"""Lines of text, each with the points that it is worth."""


def _parts(words: Words, row: Row, names: Sequence[str], room: float) -> Iterator[tuple[str, Said]]:
    """Everyone with what he declared and what he got for it; in teams the sides come last."""
    seats = row.facts.get("seats", ())
    priced = {line.facts.get("of", line.seat) for line in row.score.lines}
    stated: list[Said] = [
        [(line, "") for line in declared(words, facts, seat in priced)]
        for seat, facts in enumerate(seats)
    ]
    got: list[Said] = [
        [said for line in row.score.lines if line.seat == side for said in reckoned(words, line)]
        for side in range(len(row.score.scores))
    ]
    if words.game.rules.teams:
        players = shortened(words.players, "Sans-Bold", SMALL, room)
        parts = [*zip(players, stated, strict=False), *zip(names, got, strict=False)]
    else:
        parts = [
            (name, [*said, *priced_at])
            for name, said, priced_at in zip(names, stated, got, strict=False)
        ]
    yield from ((who, lines) for who, lines in parts if lines)


def reckoned(words: Words, line: ScoreLine) -> Iterator[tuple[str, str]]:
    """A line of the score, cards as signs; below it what was set aside or laid off."""
    lang, facts = words.lang, line.facts
    cards = " ".join(map(lang.card, cast("Sequence[Card]", facts.get("cards", ()))))
    shown = replace(line, facts={**facts, "cards": cards}) if cards else line
    yield lang.reason(shown, words.players), lang.amount(line, words.measure)
    if melds := cast("Sequence[Sequence[Card]]", facts.get("melds", ())):
        laid = ";  ".join(" ".join(map(lang.card, meld)) for meld in melds)
        yield lang("paper.details.melds", what=laid), ""
    if moved := cast("Sequence[Card]", facts.get("laid_off", ())):
        yield lang("paper.details.layoffs", what=" ".join(map(lang.card, moved))), ""


def declared(words: Words, facts: Mapping[str, Any], priced: bool) -> Iterator[str]:
    """What was said of a player at the table; not again what his score lists anyway."""

    def told(name: str, what: str) -> str:
        return words.lang(f"paper.details.{name}", what=what)

    if facts.get("absent"):
        yield words.lang("paper.details.absent")
    for name in MELDS:
        if melds := facts.get(name):
            yield told(name, ";  ".join(_cards(words, meld) for meld in melds))
    for name in MOVES:
        if moves := facts.get(name):
            yield told(name, ",  ".join(_move(words, move) for move in moves))
    for name in () if priced else HANDS:
        if cards := facts.get(name):
            yield told(name, _cards(words, cards))
    for name in () if priced else SUMS:
        if name in facts:
            yield told(name, words.lang.number(facts[name]))
    if discard := facts.get("discard"):
        yield told("discard", _cards(words, [discard]))
    if (announced := facts.get("announced")) is not None:
        yield told("announced", words.lang.number(announced))


def _cards(words: Words, names: Sequence[str]) -> str:
    """Cards in short, suits as signs; what a joker stands for behind it."""
    return " ".join(_card(words, name) for name in names)


def _card(words: Words, name: str) -> str:
    card = card_named(name)
    if not card.stands_for:
        return words.lang.card(card)
    return f"{words.lang.card(card.physical)} ({words.lang.card(card.stands_for)})"


def _move(words: Words, move: Mapping[str, Any]) -> str:
    owner = words.players[move["meld"]["seat"]]
    return words.lang("paper.details.move", card=_card(words, move["card"]), player=owner)
