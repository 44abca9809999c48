"""Page formats and fonts, measuring and truncating text, header and footer of every page.

Here and in the other modules of this package lengths are in points (1/72 inch), as reportlab has
them; ``mm`` converts millimetres. A page begins at its lower left corner.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
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

from scorekeeper.i18n.formats import NBSP
from scorekeeper.pdf.fonts import FONT_DIRECTORY, FONT_FILES


@dataclass(frozen=True)
class PageFormat:
    """A paper size and its margins."""

    size: tuple[float, float]
    side: float
    top: float
    bottom: float

    @property
    def width(self) -> float:
        """The width between the margins."""
        return self.size[0] - 2 * self.side

    @property
    def height(self) -> float:
        """The height between the margins."""
        return self.size[1] - self.top - self.bottom


PAGE_FORMATS = {
    "A4": PageFormat(A4, 14 * mm, 12 * mm, 10 * mm),
    "A5": PageFormat(A5, 9 * mm, 9 * mm, 8 * mm),
    "A6": PageFormat(A6, 6 * mm, 6 * mm, 6 * mm),
}
HEADER_HEIGHT, FOOTER_HEIGHT = 15 * mm, 6 * mm
"""The heights of header and footer."""
SMALL, TEXT, LARGE = 9, 9.5, 10.5
"""Font sizes."""
THICK, THIN, HAIRLINE = 0.5 * mm, 0.35 * mm, 0.15 * mm
"""Widths of lines."""
ELLIPSIS = "…"
NO_PADDING = (0, 0, 0, 0)


@cache
def register_fonts() -> None:
    """Register the fonts with reportlab, and forbid it to open files or addresses."""
    rl_config.trustedSchemes = []
    rl_config.trustedHosts = []
    rl_config.useA85 = 0  # binary streams are smaller, and faster to write
    for face, file in FONT_FILES.items():
        pdfmetrics.registerFont(TTFont(face, str(FONT_DIRECTORY / file)))


@lru_cache(2_000)  # reportlab adds up letters, and a sheet measures most texts several times
def text_width(text: str, face: str, size: float) -> float:
    """Return the width of a text."""
    register_fonts()
    return float(pdfmetrics.stringWidth(text, face, size))


def max_text_width(texts: Iterable[str], face: str, size: float) -> float:
    """Return the width of the widest line of several texts."""
    lines = {line for text in texts for line in text.split("\n")}
    return max((text_width(line, face, size) for line in lines), default=0)


def fits(text: str, face: str, size: float, width: float) -> bool:
    """Return whether a text fits, allowing for rounding."""
    return text_width(text, face, size) <= width + 0.01


def largest_size(texts: Iterable[str], face: str, sizes: Sequence[float], width: float) -> float:
    """Return the first of the sizes in which all texts fit, else the last."""
    lines = list(texts)
    return next((size for size in sizes if max_text_width(lines, face, size) <= width), sizes[-1])


def truncate(text: str, face: str, size: float, width: float) -> str:
    """Return the text, cut off with an ellipsis if it does not fit."""
    if fits(text, face, size, width):
        return text
    end = _fitting_length(text, face, size, width - text_width(ELLIPSIS, face, size))
    return text[:end].rstrip() + ELLIPSIS


def wrap_text(text: str, face: str, size: float, width: float) -> str:
    """Return the text in lines that fit; only a word wider than a line is broken."""
    return "\n".join(
        line for part in text.split("\n") for line in _wrapped(part, face, size, width)
    )


def _wrapped(text: str, face: str, size: float, width: float) -> list[str]:
    if fits(text, face, size, width):  # as most do
        return [text.lstrip(" ")]
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if fits(longer, face, size, width):
            lines[-1] = longer
            continue
        rest = word
        while rest and not fits(rest, face, size, width):
            end = max(1, _fitting_length(rest, face, size, width))
            lines.append(rest[:end])
            rest = rest[end:]
        lines.append(rest)
    return [line for line in lines if line] or [""]


def _fitting_length(text: str, face: str, size: float, width: float) -> int:
    """Return how many characters fit."""
    end = 0
    while end < len(text) and (width := width - text_width(text[end], face, size)) >= 0:
        end += 1
    return end


def truncate_names(names: Sequence[str], face: str, size: float, width: float) -> list[str]:
    """Return names that fit; a truncated one is numbered so that no two look the same."""
    return [
        name
        if fits(name, face, size, width)
        else _numbered(number, truncate(f"{number}{NBSP}{name}", face, size, width))
        for number, name in enumerate(names, start=1)
    ]


def _numbered(number: int, shown: str) -> str:
    """Return the number alone if a digit of it is cut off: the first would look like the tenth."""
    return shown if shown.startswith(str(number)) else str(number)


def cuts_names(names: Sequence[str], face: str, size: float, width: float) -> bool:
    """Return whether any of the names is truncated in this width."""
    return not all(fits(name, face, size, width) for name in names)


@dataclass(frozen=True)
class HeaderFooter:
    """The texts of the header and footer of every page."""

    page_format: PageFormat
    kind: str
    title: str
    page_label: Callable[[int, int], str]
    """Called with n and m, returns the label "page n of m"."""
    footer: tuple[str, str]
    """At the left and at the right."""

    @property
    def page_label_width(self) -> float:
        """The width reserved for the page label, such as "Blatt 10 von 15"."""
        return text_width(self.page_label(999, 999), "Sans", 10) + float(3 * mm)

    @property
    def title_width(self) -> float:
        """The width that is left for the title."""
        return float(
            self.page_format.width
            - text_width(self.kind, "Serif-Bold", 20)
            - 5 * mm
            - self.page_label_width
        )

    @property
    def title_is_cut(self) -> bool:
        """Whether the title has to be truncated."""
        return not fits(self.title, "Sans", 10, self.title_width)

    def draw(self, canvas: Any, number: int, pages: int) -> None:
        """Draw header and footer of one page."""
        page_format = self.page_format
        top, left, right = (
            page_format.size[1] - page_format.top,
            page_format.side,
            page_format.size[0] - page_format.side,
        )
        base = top - 10.2 * mm
        canvas.rect(left, top - 1.6 * mm, page_format.width, 1.6 * mm, stroke=0, fill=1)
        canvas.setFont("Serif-Bold", 20)
        canvas.drawString(left, base, self.kind)
        canvas.setFont("Sans", 10)
        width = self.title_width
        title = truncate(self.title, "Sans", 10, width)
        canvas.drawString(right - self.page_label_width - width, base, title)
        canvas.drawRightString(right, base, self.page_label(number, pages))
        canvas.setFont("Sans", SMALL)
        canvas.drawString(left, page_format.bottom + 1 * mm, self.footer[0])
        canvas.drawRightString(right, page_format.bottom + 1 * mm, self.footer[1])


Part = tuple[HeaderFooter, Iterable[Flowable]]


def build(
    story: Iterable[Flowable], header_footer: HeaderFooter, *, subject: str, language: str
) -> bytes:
    """Lay out a story on as many pages as it needs; equal stories give equal bytes."""
    title = header_footer.title or header_footer.kind
    return build_parts([(header_footer, story)], title=title, subject=subject, language=language)


def build_parts(
    parts: Sequence[Part],
    *,
    title: str,
    subject: str,
    language: str,
    on_start: Callable[[int], None] = lambda part: None,
) -> bytes:
    """Lay out several stories one after the other, each with its own page numbers.

    ``on_start`` is called with the number of each part as it begins, to show progress.
    """
    register_fonts()

    class NumberedCanvas(Canvas):  # type: ignore[misc]  # reportlab has no types
        """Holds pages back until their total is known, for labels such as "page n of m"."""

        part = 0

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.setViewerPreference("DisplayDocTitle", "true")
            self.pending: list[tuple[int, dict[str, Any]]] = []

        def showPage(self) -> None:
            self.pending.append((self.part, dict(self.__dict__)))
            self._startPage()

        def save(self) -> None:
            page_counts = Counter(part for part, _ in self.pending)
            drawn: Counter[int] = Counter()
            for part, sheet in self.pending:
                self.__dict__.update(sheet)
                drawn[part] += 1
                parts[part][0].draw(self, drawn[part], page_counts[part])
                super().showPage()
            super().save()

    def template(part: int, page_format: PageFormat) -> PageTemplate:
        def begin(canvas: Any, document: Any) -> None:
            if canvas.part != part or document.page == 1:
                on_start(part)
            canvas.part = part

        height = page_format.height - HEADER_HEIGHT - FOOTER_HEIGHT
        inside = Frame(
            page_format.side,
            page_format.bottom + FOOTER_HEIGHT,
            page_format.width,
            height,
            *NO_PADDING,
        )
        return PageTemplate(id=str(part), frames=[inside], onPage=begin, pagesize=page_format.size)

    written = BytesIO()
    document = BaseDocTemplate(
        written,
        pagesize=parts[0][0].page_format.size,
        title=title,
        subject=subject,
        author="scorekeeper",
        creator="scorekeeper",
        lang=language,
        invariant=1,  # nothing in the file differs between two runs
        initialFontName="Sans",
    )
    document.addPageTemplates(
        [template(n, header_footer.page_format) for n, (header_footer, _) in enumerate(parts)]
    )
    document.build(list(_joined(parts)), canvasmaker=NumberedCanvas)
    return written.getvalue()


def _joined(parts: Sequence[Part]) -> Iterator[Flowable]:
    for number, (_, story) in enumerate(parts):
        if number:
            yield NextPageTemplate(str(number))
            yield PageBreak()
        yield from story


def draw_pages(
    paper: tuple[float, float],
    pages: Iterable[Callable[[Canvas], None]],
    *,
    title: str,
    subject: str,
    language: str,
) -> bytes:
    """Draw pages that need no laying out; equal drawings give equal bytes."""
    register_fonts()
    written = BytesIO()
    canvas = Canvas(written, pagesize=paper, lang=language, invariant=1, initialFontName="Sans")
    canvas.setTitle(title)
    canvas.setSubject(subject)
    canvas.setAuthor("scorekeeper")
    canvas.setCreator("scorekeeper")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return written.getvalue()
