"""The page: its size, the faces, measuring and shortening texts, head and foot of every sheet."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, A5, A6
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
)

from scorekeeper.pdf.fonts import FACES, FOLDER


@dataclass(frozen=True)
class Leaf:
    """One sheet of paper and its margins."""

    size: tuple[float, float]
    side: float
    top: float
    bottom: float

    @property
    def width(self) -> float:
        """The room between the margins at the sides."""
        return self.size[0] - 2 * self.side

    @property
    def height(self) -> float:
        """The room between the margins above and below."""
        return self.size[1] - self.top - self.bottom


LEAVES = {
    "A4": Leaf(A4, 14 * mm, 12 * mm, 10 * mm),
    "A5": Leaf(A5, 9 * mm, 9 * mm, 8 * mm),
    "A6": Leaf(A6, 6 * mm, 6 * mm, 6 * mm),
}
HEAD, FOOT = 15 * mm, 6 * mm
"""What the head and the foot of every sheet take."""
SMALL, TEXT, LARGE = 9, 9.5, 10.5
THICK, THIN, HAIR = 0.5 * mm, 0.35 * mm, 0.15 * mm
ELLIPSIS = "…"
NO_BREAK = "\u00a0"


@cache
def register_faces() -> None:
    """Make the faces known to reportlab, and let it open nothing that it is not given."""
    rl_config.trustedSchemes = []
    rl_config.trustedHosts = []
    rl_config.useA85 = 0  # streams as they are: smaller, and sooner done
    for face, file in FACES.items():
        pdfmetrics.registerFont(TTFont(face, str(FOLDER / file)))


def width(text: str, face: str, size: float) -> float:
    """How wide a text is."""
    return float(pdfmetrics.stringWidth(text, face, size))


def widest(texts: Iterable[str], face: str, size: float) -> float:
    """How wide the widest line of several texts is."""
    lines = {line for text in texts for line in text.split("\n")}
    return max((width(line, face, size) for line in lines), default=0)


def fits(text: str, face: str, size: float, room: float) -> bool:
    """Whether a text has room; a hair's breadth of rounding is forgiven."""
    return width(text, face, size) <= room + 0.01


def fit(text: str, face: str, size: float, room: float) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis."""
    if fits(text, face, size, room):
        return text
    end = _fitting(text, face, size, room - width(ELLIPSIS, face, size))
    return text[:end].rstrip() + ELLIPSIS


def wrap(text: str, face: str, size: float, room: float) -> str:
    """The text in lines that fit; a word breaks only where it is wider than a line."""
    return "\n".join(line for part in text.split("\n") for line in _wrapped(part, face, size, room))


def _wrapped(text: str, face: str, size: float, room: float) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if fits(longer, face, size, room):
            lines[-1] = longer
            continue
        rest = word
        while not fits(rest, face, size, room):
            end = max(1, _fitting(rest, face, size, room))
            lines.append(rest[:end])
            rest = rest[end:]
        lines.append(rest)
    return [line for line in lines if line] or [""]


def _fitting(text: str, face: str, size: float, room: float) -> int:
    """How many characters fit."""
    end = 0
    while end < len(text) and (room := room - width(text[end], face, size)) >= 0:
        end += 1
    return end


def shortened(names: Sequence[str], face: str, size: float, room: float) -> list[str]:
    """Names that fit; one that is cut carries its number, so that no two look the same."""
    return [
        name if fits(name, face, size, room) else fit(f"{number}{NO_BREAK}{name}", face, size, room)
        for number, name in enumerate(names, start=1)
    ]


@dataclass(frozen=True)
class Edges:
    """What stands on every sheet: the texts of its head and its foot."""

    leaf: Leaf
    kind: str
    title: str
    page: Callable[[int, int], str]
    """Which sheet it is, of how many."""
    foot: tuple[str, str]

    @property
    def page_room(self) -> float:
        """For "Blatt 10 von 15" at the right of the head."""
        return width(self.page(999, 999), "Sans", 10) + float(3 * mm)

    @property
    def title_room(self) -> float:
        """What the head leaves for the title."""
        return float(self.leaf.width - width(self.kind, "Serif-Bold", 20) - 5 * mm - self.page_room)

    @property
    def title_is_cut(self) -> bool:
        """Whether the head has no room for the whole title."""
        return not fits(self.title, "Sans", 10, self.title_room)

    def draw(self, canvas: Any, number: int, pages: int) -> None:
        """Draw head and foot of one sheet."""
        leaf = self.leaf
        top, left, right = leaf.size[1] - leaf.top, leaf.side, leaf.size[0] - leaf.side
        base = top - 10.2 * mm
        canvas.rect(left, top - 1.6 * mm, leaf.width, 1.6 * mm, stroke=0, fill=1)
        canvas.setFont("Serif-Bold", 20)
        canvas.drawString(left, base, self.kind)
        canvas.setFont("Sans", 10)
        room = self.title_room
        title = fit(self.title, "Sans", 10, room)
        canvas.drawString(right - self.page_room - room, base, title)
        canvas.drawRightString(right, base, self.page(number, pages))
        canvas.setFont("Sans", SMALL)
        canvas.drawString(left, leaf.bottom + 1 * mm, self.foot[0])
        canvas.drawRightString(right, leaf.bottom + 1 * mm, self.foot[1])


def build(story: Iterable[Flowable], edges: Edges, *, subject: str, language: str) -> bytes:
    """Set a story on as many sheets as it needs; equal stories make equal bytes."""
    title = edges.title or edges.kind
    return bind([(edges, story)], title=title, subject=subject, language=language)


def bind(
    parts: Sequence[tuple[Edges, Iterable[Flowable]]],
    *,
    title: str,
    subject: str,
    language: str,
    begun: Callable[[int], None] = lambda part: None,
) -> bytes:
    """Set several stories one after the other, each counting its own sheets.

    ``begun`` is told when a part begins: many take their time.
    """

    class Sheets(Canvas):  # type: ignore[misc]  # reportlab has no types
        """Keeps the sheets back until their number is known: sheet n of m."""

        part = 0

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.setViewerPreference("DisplayDocTitle", "true")
            self.waiting: list[tuple[int, dict[str, Any]]] = []

        def showPage(self) -> None:
            self.waiting.append((self.part, dict(self.__dict__)))
            self._startPage()

        def save(self) -> None:
            of_part = Counter(part for part, _ in self.waiting)
            drawn: Counter[int] = Counter()
            for part, sheet in self.waiting:
                self.__dict__.update(sheet)
                drawn[part] += 1
                parts[part][0].draw(self, drawn[part], of_part[part])
                super().showPage()
            super().save()

    def template(part: int, leaf: Leaf) -> PageTemplate:
        def begin(canvas: Any, document: Any) -> None:
            if canvas.part != part or document.page == 1:
                begun(part)
            canvas.part = part

        room = leaf.height - HEAD - FOOT
        inside = Frame(leaf.side, leaf.bottom + FOOT, leaf.width, room, *NO_PADDING)
        return PageTemplate(id=str(part), frames=[inside], onPage=begin, pagesize=leaf.size)

    written = BytesIO()
    document = BaseDocTemplate(
        written, pagesize=parts[0][0].leaf.size, **about(title, subject, language)
    )
    document.addPageTemplates([template(n, edges.leaf) for n, (edges, _) in enumerate(parts)])
    document.build(list(_one_after_the_other(parts)), canvasmaker=Sheets)
    return written.getvalue()


def _one_after_the_other(
    parts: Sequence[tuple[Edges, Iterable[Flowable]]],
) -> Iterator[Flowable]:
    for number, (_, story) in enumerate(parts):
        if number:
            yield NextPageTemplate(str(number))
            yield PageBreak()
        yield from story


NO_PADDING = (0, 0, 0, 0)


def about(title: str, subject: str, language: str) -> dict[str, Any]:
    """What every file says of itself; nothing in it changes from one run to the next."""
    return {
        "title": title,
        "author": "scorekeeper",
        "creator": "scorekeeper",
        "subject": subject,
        "lang": language,
        "invariant": 1,
        "initialFontName": "Sans",
    }
