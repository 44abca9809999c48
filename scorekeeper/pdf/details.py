"""The detail sheet: every round with its cards and the lines of its score."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.rounds.facts import Cards, LayOff, Round, ScoreLine, Seat, Swap
from scorekeeper.i18n import Language
from scorekeeper.pdf.layout import HAIRLINE, SMALL, THIN, truncate_names, wrap_text
from scorekeeper.pdf.tables import GREY, Command, cell_style, font, heading, text_height
from scorekeeper.wording.sheet import Words

HANDS, MELDS, MOVES = ("hand", "rest"), ("first_meld", "melds"), ("layoffs", "swaps")
SUMS = ("points", "count", "deadwood")
"""The fields of a seat that hold cards, melds, moved cards, or a bare sum."""
NAME_SHARE, POINTS_SHARE = 0.16, 0.12
"""Shares of the width."""


def details(words: Words, width: float) -> Iterator[Flowable]:
    """Yield a table for every round, which starts with at least two lines on its page."""
    yield heading(words.lang("paper.details"))
    for row in words.game.sheet.rows:
        yield _round(words, row, width)
        yield Spacer(0, 3 * mm)


def _round(words: Words, row: Row, width: float) -> Table:
    name, amount = NAME_SHARE * width, POINTS_SHARE * width
    text = width - name - amount - 2 * mm
    names = truncate_names(words.sides, "Sans-Bold", SMALL, name - 2 * mm)
    title = words.lang(
        "paper.details.round",
        number=row.number,
        dealer=words.players[row.dealer],
        mark=words.mark(row, names),
    )
    data = [[wrap_text(title, "Sans-Bold", SMALL, width), "", ""]]
    style: list[Command] = []
    for who, lines in _parts(words, row, names, name - 2 * mm):
        style.append(("LINEABOVE", (0, len(data)), (-1, len(data)), HAIRLINE, GREY))
        for nth, (said, points) in enumerate(lines):
            data.append(["" if nth else who, wrap_text(said, "Sans", SMALL, text), points])
    return Table(
        data,
        colWidths=[name, text + 2 * mm, amount],
        rowHeights=[max(text_height(cell, SMALL) for cell in line) + 1.5 for line in data],
        style=[
            *cell_style(),
            font((0, 0), (0, -1), "Sans-Bold", SMALL),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("ALIGN", (2, 0), (2, -1), "RIGHT"),
            *style,
            ("LINEBELOW", (0, 0), (-1, 0), THIN, black),
            ("NOSPLIT", (0, 0), (0, min(2, len(data) - 1))),
        ],
    )


Entries = list[tuple[str, str]]
"""Texts, each with its points."""


def _parts(
    words: Words, row: Row, names: Sequence[str], width: float
) -> Iterator[tuple[str, Entries]]:
    """Yield what every player declared and scored; teams score after all have declared."""
    priced = {line.facts.get("of", line.seat) for line in row.score.lines}
    stated: list[Entries] = [
        [(line, "") for line in declaration_lines(words, seat, number in priced)]
        for number, seat in enumerate(row.round.seats)
    ]
    scored: list[Entries] = [
        [
            entry
            for line in row.score.lines
            if line.seat == side
            for entry in score_line_rows(words, line, row.round)
        ]
        for side in range(len(row.score.scores))
    ]
    if words.game.rules.teams:
        players = truncate_names(words.players, "Sans-Bold", SMALL, width)
        parts = [*zip(players, stated, strict=False), *zip(names, scored, strict=False)]
    else:
        parts = [
            (name, [*said, *priced_at])
            for name, said, priced_at in zip(names, stated, scored, strict=False)
        ]
    yield from ((who, lines) for who, lines in parts if lines)


def score_line_rows(words: Words, line: ScoreLine, played: Round) -> Iterator[tuple[str, str]]:
    """Yield a score line with its points, then its melds and lay-offs unless they were declared."""
    lang, facts = words.lang, line.facts
    seat = played.seats[cast(int, facts.get("of", line.seat))]
    cards = " ".join(map(lang.card, cast("Sequence[Card]", facts.get("cards", ()))))
    shown = replace(line, facts={**facts, "cards": cards}) if cards else line
    yield lang.reason(shown, words.players), lang.amount(line, words.measure)
    melds = cast("Sequence[Sequence[Card]]", facts.get("melds", ()))
    if melds and not seat.melds:
        laid = _apart(lang).join(" ".join(map(lang.card, meld)) for meld in melds)
        yield lang("paper.details.melds", what=laid), ""
    moved = cast("Sequence[Card]", facts.get("laid_off", ()))
    if moved and not seat.layoffs:
        yield lang("paper.details.layoffs", what=" ".join(map(lang.card, moved))), ""


def declaration_lines(words: Words, seat: Seat, priced: bool) -> Iterator[str]:
    """Yield what was declared for a player; points and hands only if no score line has them."""

    def worded(name: str, what: str) -> str:
        return words.lang(f"paper.details.{name}", what=what)

    if seat.absent:
        yield words.lang("paper.details.absent")
    for name in MELDS:
        if melds := getattr(seat, name):
            yield worded(name, _apart(words.lang).join(_cards(words, meld) for meld in melds))
    for name in MOVES:
        if moves := getattr(seat, name):
            yield worded(name, ",  ".join(_move(words, move) for move in moves))
    for name in () if priced else HANDS:
        if cards := getattr(seat, name):
            yield worded(name, _cards(words, cards))
    for name in () if priced else SUMS:
        if (points := getattr(seat, name)) is not None:
            yield worded(name, words.lang.number(points))
    if seat.discard:
        yield worded("discard", _cards(words, seat.discard))
    if seat.announced is not None:
        yield worded("announced", words.lang.number(seat.announced))


def _apart(lang: Language) -> str:
    """Return what stands between two melds."""
    return f"{lang.sign(';')}  "


def _cards(words: Words, cards: Cards) -> str:
    """Return cards in short with suit signs; what a joker stands for is in parentheses."""
    return " ".join(_card(words, card) for card in cards)


def _card(words: Words, card: Card) -> str:
    if not card.stands_for:
        return words.lang.card(card)
    return f"{words.lang.card(card.physical)} ({words.lang.card(card.stands_for)})"


def _move(words: Words, move: LayOff | Swap) -> str:
    owner = words.players[move.meld.seat]
    return words.lang("paper.details.move", card=_card(words, move.card), player=owner)
