"""The picture of an evening to send to a chat: winner, places, chart, payments.

Lengths are in pixels of the picture as it is sent, from its upper left corner. It is drawn larger,
since Pillow smooths text but not lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from io import BytesIO
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from scorekeeper.domain.game.state import Game
from scorekeeper.export.charts import axis_ticks, dashes, running_totals, spread_labels
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.fonts import FONT_DIRECTORY, FONT_FILES
from scorekeeper.pdf.layout import ELLIPSIS
from scorekeeper.pdf.settlement import TICKED
from scorekeeper.wording.endings import highlight_lines, how_won, set_behind, winner_names
from scorekeeper.wording.sheet import Words

WIDTH, HEIGHT = 1080, 1350
SCALE = 2
MARGIN, INSET = 52, 108
"""Where the paper begins, and the text on it."""
RIGHT = WIDTH - INSET
TABLE, PAPER, TINT, WASH = "#e4e9e2", "#fcfcf9", "#f1f4ee", "#dceadf"
INK, PENCIL, RULE, FELT = "#16201b", "#45524a", "#ccd7ce", "#195a3b"
PLACES, PAYMENTS, FOOT, END = 540, 952, 1214, 1298
"""The tops of the parts below the winner's name, and where the paper ends."""
SPLIT = 454
"""Between the places and the chart."""
LARGEST_NAME, SMALLEST = 190, 20
Point = tuple[float, float]


@cache
def font(face: str, size: float) -> ImageFont.FreeTypeFont:
    """Return a typeface in a size."""
    return ImageFont.truetype(str(FONT_DIRECTORY / FONT_FILES[face]), round(size * SCALE))


def width_of(text: str, face: str, size: float) -> float:
    """Return the width of a text."""
    return font(face, size).getlength(text) / SCALE


def fitting_size(texts: Sequence[str], face: str, size: float, width: float) -> float:
    """Return the largest size, up to ``size``, in which all texts fit."""
    widest = max((width_of(text, face, size) for text in texts), default=0)
    return size if widest <= width else max(SMALLEST, int(size * width / widest))


def truncate(text: str, face: str, size: float, width: float) -> str:
    """Return the text, cut off with an ellipsis if it does not fit."""
    if width_of(text, face, size) <= width:
        return text
    while text and width_of(text + ELLIPSIS, face, size) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


@dataclass(frozen=True)
class Picture:
    """The picture of one game in one language."""

    game: Game
    lang: Language
    title: str
    found_at: str = ""
    """The address under which a friend finds the program."""
    image: Image.Image = field(
        default_factory=lambda: Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), TABLE)
    )

    @cached_property
    def words(self) -> Words:
        return Words(self.game, self.lang)

    def png(self) -> bytes:
        """Return the picture as a PNG file; equal games give equal bytes."""
        self._paper()
        self._winner()
        self._places()
        self._chart()
        self._results()
        self._foot()
        written = BytesIO()
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.BOX)
        small.quantize(64, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
        return written.getvalue()

    # ---- drawing

    def _box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        scaled = [round(at * SCALE) for at in (left, top, right, bottom)]
        ImageDraw.Draw(self.image).rectangle((*scaled[:2], scaled[2] - 1, scaled[3] - 1), colour)

    def _text(
        self, at: Point, text: str, face: str, size: float, *, anchor: str = "ls", ink: str = INK
    ) -> None:
        """Draw a text; the anchor is left, middle or right on its baseline."""
        place = (at[0] * SCALE, at[1] * SCALE)
        ImageDraw.Draw(self.image).text(place, text, ink, font(face, size), anchor)

    def _line(self, points: Sequence[Point], dash: Sequence[int], width: float, ink: str) -> None:
        draw = ImageDraw.Draw(self.image)
        for stroke in dashed(points, [2 * part for part in dash]):
            scaled = [(x * SCALE, y * SCALE) for x, y in stroke]
            draw.line(scaled, ink, round(width * SCALE), "curve")

    # ---- the parts, from top to bottom

    def _paper(self) -> None:
        self._box(MARGIN - 1, MARGIN, WIDTH - MARGIN + 1, END + 1, RULE)
        self._box(MARGIN, MARGIN, WIDTH - MARGIN, END, PAPER)
        self._box(MARGIN, MARGIN, WIDTH - MARGIN, MARGIN + 22, FELT)
        for x in range(MARGIN + 14, WIDTH - MARGIN - 10, 12):
            self._box(x, MARGIN + 34, x + 6, MARGIN + 39, RULE)
        date = self.lang.date(self.game.created_at)
        if self.title:
            self._text((RIGHT, 156), date, "Sans", 28, anchor="rs", ink=PENCIL)
        room = RIGHT - INSET - width_of(date, "Sans", 28) - 40
        title = truncate(printable(self.title) or date, "Serif-Bold", 32, room)
        self._text((INSET, 156), title, "Serif-Bold", 32)

    def _winner(self) -> None:
        names = [printable(name) for name in winner_names(self.game)]
        names = names or [self.lang("pages.over.word").rstrip(".")]
        most = LARGEST_NAME / len(names) ** 0.8
        size = fitting_size(names, "Serif-Bold", most, RIGHT - INSET)
        middle, height = 276, size * 1.05
        top = middle - height * (len(names) - 1) / 2 + size * 0.33
        for number, name in enumerate(names):
            cut = truncate(name, "Serif-Bold", size, RIGHT - INSET)
            self._text((WIDTH / 2, top + number * height), cut, "Serif-Bold", size, anchor="ms")
        half = max(width_of(name, "Serif-Bold", size) for name in names) / 2
        half = min(half + 24, (RIGHT - INSET) / 2)
        for under in (408, 420):
            self._box(WIDTH / 2 - half, under, WIDTH / 2 + half, under + 6, FELT)
        how = how_won(self.game, self.lang)
        size = fitting_size([how], "Serif", 36, RIGHT - INSET)
        self._text((WIDTH / 2, 494), how, "Serif", size, anchor="ms")

    def _places(self) -> None:
        words, sheet = self.words, self.game.sheet
        _, totals = next(words.tally_lines())
        order = sorted(range(sheet.sides), key=lambda side: (sheet.ranks[side] or 99, side))
        height = (PAYMENTS - PLACES) / len(order)
        size = min(56, height * 0.55)
        for number, side in enumerate(order):
            top, rank = PLACES + number * height, sheet.ranks[side]
            base = top + height / 2 + size * 0.35
            if rank == 1:
                self._box(MARGIN, top, SPLIT, top + height, WASH)
            self._box(MARGIN, top, SPLIT, top + 1.5, RULE)
            self._text((INSET, base), "–" if rank is None else str(rank), "Serif", 30, ink=PENCIL)
            total = fitting_size([totals[side]], "Serif-Bold", size, 150)
            self._text((SPLIT - 32, base), totals[side], "Serif-Bold", total, anchor="rs")
            room = SPLIT - 32 - width_of(totals[side], "Serif-Bold", total) - INSET - 56
            face = "Sans-Bold" if rank == 1 else "Sans"
            letters = fitting_size([words.sides[side]], face, 34, room)
            name = truncate(words.sides[side], face, letters, room)
            self._text((INSET + 40, base), name, face, letters)
        self._box(SPLIT, PLACES, SPLIT + 1.5, PAYMENTS, RULE)
        for top in (PLACES, PAYMENTS):
            self._box(MARGIN, top - 2, WIDTH - MARGIN, top + 2, INK)

    def _chart(self) -> None:
        words, sheet = self.words, self.game.sheet
        rows = sheet.counted
        if not rows:
            return
        runs = [running_totals(rows, side, words.measure) for side in range(sheet.sides)]
        values = [value for points in runs for _, value in points]
        steps = axis_ticks(min(values), max(values))
        labels = [self.lang.number(step) for step in steps]
        left = SPLIT + 36 + max(width_of(label, "Sans", 22) for label in labels) + 10
        right, top, base = RIGHT - 72, PLACES + 40, PAYMENTS - 58
        span = steps[-1] - steps[0]

        def at(place: int, value: int) -> Point:
            x = left + (right - left) * place / len(rows)
            return x, base - (base - top) * (value - steps[0]) / span

        for step, label in zip(steps, labels, strict=True):
            _, y = at(0, step)
            self._box(left, y - 1, right, y + 1, RULE)
            self._text((left - 10, y + 8), label, "Sans", 22, anchor="rs", ink=PENCIL)
        for place in range(len(rows), 0, -max(1, len(rows) // 8)):
            number = str(rows[place - 1].number)
            self._text((at(place, 0)[0], base + 34), number, "Sans", 22, anchor="ms", ink=PENCIL)
        patterns = dashes([side in sheet.leaders for side in range(sheet.sides)])
        for side, points in enumerate(runs):
            leads = side in sheet.leaders
            run = [at(*point) for point in points]
            self._line(run, patterns[side], 6 if leads else 3.5, FELT if leads else INK)
        ends = [at(*points[-1])[1] for points in runs]
        for side, y in enumerate(spread_labels(ends, top, base, 26)):
            face = "Sans-Bold" if side in sheet.leaders else "Sans"
            name = truncate(words.sides[side], face, 24, WIDTH - MARGIN - right - 20)
            self._text((right + 12, y + 8), name, face, 24)

    def _results(self) -> None:
        """Draw the payments; where no money is due, how the evening came about."""
        lines = list(self._payments()) or [
            (f"{line.number}  {printable(line.head)}", "")
            for line in highlight_lines(self.game, self.lang)
        ]
        lines += [(printable(why), "") for why in set_behind(self.game, self.lang)]
        height = (FOOT - PAYMENTS - 8) / max(len(lines), 3)
        size = min(34, height * 0.5)
        for number, (what, amount) in enumerate(lines):
            top = PAYMENTS + 8 + number * height
            base = top + height / 2 + size * 0.36
            if number:
                self._box(INSET, top, RIGHT, top + 1.5, RULE)
            self._text((RIGHT, base), amount, "Serif-Bold", size * 1.15, anchor="rs")
            room = (
                RIGHT - INSET - (width_of(amount, "Serif-Bold", size * 1.15) + 24 if amount else 0)
            )
            fit = fitting_size([what], "Sans", size, room)
            self._text((INSET, base), truncate(what, "Sans", fit, room), "Sans", fit)

    def _payments(self) -> Iterator[tuple[str, str]]:
        words = self.words
        for payment in self.game.payments:
            pays = words.pays(words.sides[payment.payer], words.sides[payment.payee])
            made = f"{TICKED} " if payment.paid_at else ""
            yield made + pays, words.money(payment.amount)

    def _foot(self) -> None:
        words, lang = self.words, self.lang
        self._box(MARGIN, FOOT, WIDTH - MARGIN, END, TINT)
        self._box(MARGIN, FOOT, WIDTH - MARGIN, FOOT + 1.5, RULE)
        preset = lang.preset(self.game.rules.preset)
        system = lang("end.of_system", system=preset, n=self.game.sheet.scored)
        base = (FOOT + END) / 2 + 9
        if self.found_at:
            base -= 18
            found = lang("end.found_at", address=self.found_at)
            size = fitting_size([found], "Sans-Bold", 25, RIGHT - INSET)
            found = truncate(found, "Sans-Bold", size, RIGHT - INSET)
            self._text((INSET, base + 36), found, "Sans-Bold", size)
        self._text((INSET, base), system, "Sans", 25, ink=PENCIL)
        self._text((RIGHT, base), words.direction(), "Sans", 25, anchor="rs", ink=PENCIL)


def dashed(points: Sequence[Point], dash: Sequence[float]) -> Iterator[list[Point]]:
    """Yield the strokes of a dashed line; without dashes the line itself."""
    if not dash:
        yield list(points)
        return
    stroke, part, left = [points[0]], 0, dash[0]
    for (x, y), (to_x, to_y) in pairwise(points):
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        done = 0.0
        while length - done > left:
            done += left
            turn = (x + (to_x - x) * done / length, y + (to_y - y) * done / length)
            if part % 2 == 0:
                yield [*stroke, turn]
            stroke, part = [turn], part + 1
            left = dash[part % len(dash)]
        left -= length - done
        stroke.append((to_x, to_y))
    if part % 2 == 0 and len(stroke) > 1:
        yield stroke
