"""The paper of a tournament: table cards (A6), standings (A4), certificates (A4 landscape).

Everything is drawn from texts, which ``wording.tournament_paper`` makes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from reportlab.lib.colors import black
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Spacer, Table

from scorekeeper.pdf.layout import (
    HAIRLINE,
    PAGE_FORMATS,
    SMALL,
    TEXT,
    THICK,
    THIN,
    HeaderFooter,
    build,
    draw_pages,
    fits,
    largest_size,
    max_text_width,
    text_width,
    truncate,
    wrap_text,
)
from scorekeeper.pdf.qr_code import SIZE as QR_SIZE
from scorekeeper.pdf.qr_code import QrCode
from scorekeeper.pdf.tables import ALL, GREY, cell_style, font, small_print, text_height
from scorekeeper.wording.tournament_paper import CardWords, CertificateWords, StandingsWords

SUITS = "♠  ♡  ♢  ♣"
LABEL = 11
"""The size of small print that is read on a wall."""
PARAGRAPH = (11, 10, 9)
"""The sizes of the rules on a card."""
PARAGRAPH_LEADING = 5 * mm / 11
MOST_UPRIGHT = 5
"""As many rounds as leave room for the names on an upright page."""
SUM_WIDTHS = (16 * mm, 23 * mm, 18 * mm)
"""Tournament points, points of the games, tables won."""
ONE_LINE, TWO_LINES = tuple(range(78, 39, -2)), tuple(range(38, 15, -1))
"""The sizes of a name on a certificate, which is set in two lines rather than in small letters."""


# ---- table cards ---------------------------------------------------------------------


def table_cards(cards: Sequence[CardWords], lang: str) -> bytes:
    """Return a page of A6 for each table; in black only, and nothing smaller than 9 points."""
    title, pages = cards[0].title, [partial(_card, card=card) for card in cards]
    size = PAGE_FORMATS["A6"].size
    return draw_pages(size, pages, title=title, subject=title, language=lang)


def _card(canvas: Canvas, card: CardWords) -> None:
    page = PAGE_FORMATS["A6"]
    left, right = page.side, page.size[0] - page.side
    top = page.size[1] - page.top
    canvas.rect(left, top - 1.4 * mm, page.width, 1.4 * mm, stroke=0, fill=1)
    canvas.setFont("Sans", SMALL)
    day = text_width(card.day, "Sans", SMALL)
    canvas.drawString(left, top - 6 * mm, truncate(card.title, "Sans", SMALL, page.width - day - 9))
    canvas.drawRightString(right, top - 6 * mm, card.day)
    base = top - 30 * mm
    canvas.setFont("Serif-Bold", 72)
    canvas.drawString(left, base, card.number)
    beside = left + text_width(card.number, "Serif-Bold", 72) + 4 * mm
    canvas.setFont("Serif-Bold", 20)
    canvas.drawString(beside, base + 6 * mm, card.kind)
    canvas.setFont("Sans", 11)
    canvas.drawString(beside, base + 1 * mm, card.round)
    y = _seats(canvas, card, base - 5 * mm)
    _paragraph(canvas, card.rules, y - 7 * mm, y - 9 * mm - page.bottom - QR_SIZE)
    _foot(canvas, card)


def _seats(canvas: Canvas, card: CardWords, y: float) -> float:
    """Draw a line for each seat and return where they end."""
    page = PAGE_FORMATS["A6"]
    left, right = page.side, page.size[0] - page.side
    height = 34 * mm / max(4, len(card.seats))
    canvas.setLineWidth(THIN)
    for number, (name, mark) in enumerate(card.seats, start=1):
        canvas.line(left, y, right, y)
        y -= height
        base = y + height / 2 - 4
        canvas.setFont("Serif", 12)
        canvas.drawString(left + 1 * mm, base, f"{number}")
        room = page.width - 9 * mm - (text_width(mark, "Sans", SMALL) + 3 * mm if mark else 0)
        size = largest_size([name], "Serif-Bold", (15, 13, 11), room)
        canvas.setFont("Serif-Bold", size)
        canvas.drawString(left + 9 * mm, base, truncate(name, "Serif-Bold", size, room))
        canvas.setFont("Sans", SMALL)
        canvas.drawRightString(right - 1 * mm, base, mark)
    canvas.line(left, y, right, y)
    return y


def _paragraph(canvas: Canvas, text: str, y: float, height: float) -> None:
    """Write a text as large as fits in a height below its first line, else as much as fits."""
    page = PAGE_FORMATS["A6"]
    for size in PARAGRAPH:
        lines = wrap_text(text, "Serif", size, page.width).split("\n")
        most = 1 + int(height / (size * PARAGRAPH_LEADING))
        if len(lines) <= most:
            break
    if len(lines) > most:
        rest = " ".join(lines[most - 1 :])
        lines = [*lines[: most - 1], truncate(rest, "Serif", size, page.width)]
    canvas.setFont("Serif", size)
    for line in lines:
        canvas.drawString(page.side, y, line)
        y -= size * PARAGRAPH_LEADING


def _foot(canvas: Canvas, card: CardWords) -> None:
    """Draw the code that leads to this table, and what to do with it."""
    page = PAGE_FORMATS["A6"]
    left, base = page.side, page.bottom
    if card.address:
        code = QrCode(card.address, 0)
        canvas.saveState()
        canvas.translate(left, base)
        code.canv = canvas
        code.draw()
        canvas.restoreState()
        left += QR_SIZE + 4 * mm
    width = page.size[0] - page.side - left
    canvas.setFont("Serif-Bold", 13)
    canvas.drawString(left, base + 15 * mm, truncate(card.write, "Serif-Bold", 13, width))
    canvas.setFont("Sans", TEXT)
    y = base + 10 * mm
    for line in wrap_text(" ".join(card.how), "Sans", TEXT, width).split("\n")[:3]:
        canvas.drawString(left, y, line)
        y -= 4.5 * mm


# ---- standings -----------------------------------------------------------------------


def standings(words: StandingsWords, lang: str) -> bytes:
    """Return all rounds of all entrants, on as many pages as they need."""
    page, kind = PAGE_FORMATS["A4"], words.kind
    if len(words.rounds) > MOST_UPRIGHT:
        page = replace(page, size=landscape(A4))
    header_footer = HeaderFooter(
        page, kind, words.title, lambda _, __: words.day, (words.foot, "scorekeeper")
    )
    return build(_standings(words, page.width), header_footer, subject=kind, language=lang)


def _sums(words: StandingsWords) -> Iterator[str]:
    for head, width in zip(words.sums, SUM_WIDTHS, strict=True):
        yield wrap_text(head, "Sans", SMALL, width - mm)


def _in_lines(name: str, face: str, size: float, width: float) -> str:
    """Return a name, or the two of a pair, in as many lines as needed; the third is truncated."""
    lines = wrap_text(name, face, size, width).split("\n")
    rest = [truncate(" ".join(lines[2:]), face, size, width)] if lines[2:] else []
    return "\n".join(lines[:2] + rest)


def _standings(words: StandingsWords, width: float) -> Iterator[Flowable]:
    heads = ["", words.name, *(cell for name in words.rounds for cell in (name, ""))]
    data = [[*heads, *_sums(words)]]
    pair = [6 * mm, (9 if len(words.rounds) >= MOST_UPRIGHT else 11) * mm]
    name_width = width - 9 * mm - len(words.rounds) * sum(pair) - sum(SUM_WIDTHS)
    heights = [10 * mm]
    for row in words.rows:
        face, size, height = ("Serif-Bold", 13, 8) if row.leads else ("Serif", 10.5, 6.2)
        name = _in_lines(row.name, face, size, name_width - 2 * mm)
        data.append([row.rank, name, *chain.from_iterable(row.rounds), *row.sums])
        heights.append(max(height * mm, text_height(name, size) + 1.5 * mm))
    rounds = 2 * len(words.rounds)
    widths = [9 * mm, name_width, *pair * len(words.rounds), *SUM_WIDTHS]
    style = [
        *cell_style(),
        font((0, 1), (-1, -1), "Serif", 10.5),
        font((0, 0), (-1, 0), "Sans", SMALL),
        ("ALIGN", (2, 0), (-1, -1), "RIGHT"),
        ("RIGHTPADDING", (2, 0), (1 + rounds, -1), 1.2 * mm),
        ("LINEBELOW", (0, 0), (-1, 0), THIN, black),
        ("LINEABOVE", (0, 0), (-1, 0), HAIRLINE, black),
        ("LINEBELOW", (0, 1), (-1, -1), HAIRLINE, GREY),
        ("LINEBELOW", (0, -1), (-1, -1), THIN, black),
        ("LINEBEFORE", (2 + rounds, 0), (2 + rounds, -1), THIN, black),
        font((2 + rounds, 1), (2 + rounds, -1), "Serif-Bold", 11),
        *(("SPAN", (at, 0), (at + 1, 0)) for at in range(2, 2 + rounds, 2)),
        *(font((at + 1, 1), (at + 1, -1), "Serif", SMALL) for at in range(2, 2 + rounds, 2)),
    ]
    leaders = sum(row.leads for row in words.rows)
    if leaders:
        style += [
            font((0, 1), (1, leaders), "Serif-Bold", 13),
            ("LINEBELOW", (0, leaders), (-1, leaders), THICK, black),
        ]
    yield Table(data, colWidths=widths, rowHeights=heights, repeatRows=1, style=style)
    yield Spacer(1, 3 * mm)
    yield small_print(words.notes, width)
    if words.prizes:
        yield Spacer(1, 3 * mm)
        yield Table(
            [[words.prizes_title, ""], *(list(prize) for prize in words.prizes)],
            colWidths=[90 * mm, 30 * mm],
            rowHeights=5.5 * mm,
            hAlign="LEFT",
            style=[
                *cell_style(),
                font(*ALL, "Serif", 10.5),
                font((0, 0), (0, 0), "Serif-Bold", 11),
                ("ALIGN", (1, 0), (1, -1), "RIGHT"),
            ],
        )
        yield small_print([words.told], width)


# ---- certificates --------------------------------------------------------------------


def certificates(words: Sequence[CertificateWords], lang: str) -> bytes:
    """Return a page for each certificate, to be hung up."""
    title, pages = words[0].occasion, [partial(_certificate, words=one) for one in words]
    return draw_pages(landscape(A4), pages, title=title, subject=title, language=lang)


def _certificate(canvas: Canvas, words: CertificateWords) -> None:
    width, height = landscape(A4)
    middle, inside = width / 2, width - 60 * mm
    _frame(canvas, width, height)
    canvas.setFont("Serif", 30)
    canvas.drawCentredString(middle, height - 36 * mm, SUITS)
    _centred(canvas, words.occasion, "Serif", (16, 14, 12), height - 49 * mm)
    _centred(canvas, words.belongs, "Serif", (15,), height - 61 * mm)
    lines, size = _name_lines(words.name, inside)
    canvas.setFont("Serif-Bold", size)
    for up, line in enumerate(reversed(lines)):
        base = 94 - 16 * up if len(lines) > 1 else 92
        canvas.drawCentredString(middle, height - base * mm, line)
    half = min(inside, max_text_width(lines, "Serif-Bold", size) + 14 * mm) / 2
    canvas.setLineWidth(0.8 * mm)
    for down in (101, 103.2):
        canvas.line(middle - half, height - down * mm, middle + half, height - down * mm)
    _centred(canvas, words.place, "Serif-Bold", (19, 16), height - 119 * mm)
    _centred(canvas, words.sentence, "Serif", (17, 14, 12), height - 128 * mm)
    _figures(canvas, words, height - 149 * mm, middle)
    _lines_to_sign(canvas, words, width)


def _name_lines(name: str, width: float) -> tuple[list[str], float]:
    """Return a name in one line of large letters, else in two that are about as long."""
    size = largest_size([name], "Serif-Bold", ONE_LINE, width)
    if fits(name, "Serif-Bold", size, width):
        return [name], size
    parts = name.split(" ")
    halves = [[" ".join(parts[:at]), " ".join(parts[at:])] for at in range(1, len(parts))] or [
        [name]
    ]
    lines = min(halves, key=lambda half: max_text_width(half, "Serif-Bold", 1))
    size = largest_size(lines, "Serif-Bold", TWO_LINES, width)
    return [truncate(line, "Serif-Bold", size, width) for line in lines], size


def _frame(canvas: Canvas, width: float, height: float) -> None:
    canvas.setLineWidth(HAIRLINE * 2)
    for edge in (12 * mm, 13.6 * mm):
        canvas.rect(edge, edge, width - 2 * edge, height - 2 * edge)
    edge = 13.6 * mm
    canvas.rect(edge, height - edge - 4 * mm, width - 2 * edge, 4 * mm, stroke=0, fill=1)
    canvas.saveState()
    canvas.setDash(1, 1.6)
    canvas.setStrokeGray(0.5)
    canvas.line(edge + 3 * mm, height - edge - 5.6 * mm, width - edge - 3 * mm,
                height - edge - 5.6 * mm)  # fmt: skip
    canvas.restoreState()


def _centred(canvas: Canvas, text: str, face: str, sizes: Sequence[float], y: float) -> None:
    width = landscape(A4)[0]
    room = width - 50 * mm
    size = largest_size([text], face, sizes, room)
    canvas.setFont(face, size)
    canvas.drawCentredString(width / 2, y, truncate(text, face, size, room))


def _figures(canvas: Canvas, words: CertificateWords, y: float, middle: float) -> None:
    step = 62 * mm
    for number, (figure, label) in enumerate(words.figures):
        x = middle + (number - 1) * step
        canvas.setFont("Serif-Bold", 28)
        canvas.drawCentredString(x, y, figure)
        canvas.setFont("Sans", LABEL)
        canvas.drawCentredString(x, y - 7 * mm, truncate(label, "Sans", LABEL, step - 4 * mm))
        if number:
            canvas.setLineWidth(HAIRLINE * 2)
            canvas.line(x - step / 2, y + 10 * mm, x - step / 2, y - 8 * mm)


def _lines_to_sign(canvas: Canvas, words: CertificateWords, width: float) -> None:
    line, left = 62 * mm, 34 * mm
    gap = (width - 2 * left - 3 * line) / 2
    canvas.setLineWidth(HAIRLINE * 2)
    canvas.setFont("Sans", LABEL)
    for number, label in enumerate(words.sign):
        x = left + number * (line + gap)
        canvas.line(x, 29 * mm, x + line, 29 * mm)
        canvas.drawString(x, 24 * mm, label)
