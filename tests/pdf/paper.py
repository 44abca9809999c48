"""Games to print, and a reader for the printed PDFs."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Any

import pypdf
import pypdfium2
from pypdfium2 import raw
from werkzeug.test import TestResponse

from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round, RoundScore, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import language
from scorekeeper.pdf import score_sheet
from scorekeeper.pdf.layout import PAGE_FORMATS, PageFormat
from scorekeeper.wording.sheet import Words

BEGAN = "2026-06-12T19:40:05Z"
FOUR = ("Anna", "Bernd", "Claire", "Dieter")
LIVE = "https://karten.example.org/g/abcdefghjk"
Points = Sequence[int | None]
"""A round in short: each player's points, 0 for the winner, None for the absent."""


def rules_of(name: str, **options: Any) -> RuleSet:
    """Return a rule system with house rules; ``end__points`` stands for ``end.points``."""
    return preset(name).override({key.replace("__", "."): v for key, v in options.items()})


def scored(rules: RuleSet, points: Points, hand_romme: bool = False) -> tuple[Round, RoundScore]:
    """Return the facts and the score of a round given in short."""
    if rules.family in KNOCKED_SEATS:
        seat_with = KNOCKED_SEATS[rules.family]
        seats = tuple(Seat(absent=True) if own is None else seat_with(own) for own in points)
        facts = Round(outcome="knock", knocker=points.index(0), seats=seats)
    else:
        facts = Round(
            outcome="out",
            winner=points.index(0),
            hand_romme=hand_romme,
            seats=tuple(
                Seat(absent=True) if own is None else Seat(points=own) if own else Seat()
                for own in points
            ),
        )
    return facts, score_round(facts, rules, len(points))


KNOCKED_SEATS: dict[str, Callable[[int], Seat]] = {
    "gin": lambda own: Seat(deadwood=own),
    "knock": lambda own: Seat(count=own),
}
"""The seat of a player left with this many points, for the families that knock."""


def played(
    rules: RuleSet,
    names: Sequence[str],
    rounds: Sequence[Points],
    texts: Mapping[str, str] | None = None,
) -> Game:
    """Return a game of these rounds, one every ten minutes."""
    sheet = Sheet(rules, len(names))
    for number, points in enumerate(rounds):
        hour, minute = divmod(19 * 60 + 50 + 10 * number, 60)
        at = f"2026-06-{12 + hour // 24:02}T{hour % 24:02}:{minute:02}:00Z"
        sheet = sheet.record(at if number < 100 else BEGAN, *scored(rules, points))
    named = {f"name.{seat}": name for seat, name in enumerate(names)}
    return Game(
        id="evening",
        rules=rules,
        sheet=sheet,
        version=1 + len(rounds),
        created_at=BEGAN,
        changed_at=BEGAN,
        texts={"title": "Ein Abend zu viert", "place": "bei Claire", **named, **(texts or {})},
    )


def some_rounds(players: int, number: int) -> list[Points]:
    """Return rounds that the players win in turn."""
    return [
        tuple(
            0 if seat == nth % players else 5 + (7 * nth + 11 * seat) % 90
            for seat in range(players)
        )
        for nth in range(number)
    ]


def cancelled(game: Game) -> Game:
    """Return the game with a misdeal added."""
    facts = Round(outcome="cancelled", seats=(Seat(),) * game.sheet.seats)
    score = score_round(facts, game.rules, game.sheet.seats)
    return replace(game, sheet=game.sheet.record(BEGAN, facts, score))


def printed(game: Game, code: str = "de", group: str = "", **more: Any) -> "Print":
    """Return the printed score sheet of a game."""
    return Print(score_sheet(Words(game, language(code, "UTC"), group), **more))


def text_of(answer: TestResponse) -> str:
    """Return the words of an answer, which is a PDF."""
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/pdf"
    return Print(answer.data).written


@dataclass(frozen=True)
class Box:
    """A piece of text and its bounds on the page."""

    text: str
    size: float
    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Return whether two boxes overlap; accents (Ấ) may touch the line above."""
        near = 0.15 * max(self.size, other.size)
        return (
            self.left < other.right - 0.1
            and other.left < self.right - 0.1
            and self.bottom < other.top - near
            and other.bottom < self.top - near
        )


@dataclass(frozen=True)
class Print:
    """A PDF file, read back."""

    data: bytes

    @cached_property
    def reader(self) -> pypdf.PdfReader:
        return pypdf.PdfReader(io.BytesIO(self.data))

    @cached_property
    def pages(self) -> list[str]:
        """The text of each page, laid out as on paper."""
        return [page.extract_text(extraction_mode="layout") for page in self.reader.pages]

    @property
    def text(self) -> str:
        """All words line by line, separated by single spaces."""
        return " ".join(" ".join(self.pages).split())

    @cached_property
    def written(self) -> str:
        """All words in drawing order, one column after the other."""
        return " ".join(" ".join(page.extract_text() for page in self.reader.pages).split())

    def lines(self) -> list[str]:
        """Return every line that is not empty, its words separated by single spaces."""
        lines = (" ".join(line.split()) for page in self.pages for line in page.splitlines())
        return [line for line in lines if line]

    def rounds(self) -> list[list[str]]:
        """Return the cells of every line that begins with a round number, without the remark."""
        lines = takewhile(lambda line: not line.startswith("Platz"), self.lines())
        found = (re.match(r"([1-9]\d*) ([^\W\d]\S*) ((?:[−–\d]+ ?)+)", line) for line in lines)
        return [match[3].split() for match in found if match]

    def page_format(self, page: int) -> PageFormat:
        """Return the format of a page."""
        size = self.reader.pages[page].mediabox[2:]
        return next(
            page_format
            for page_format in PAGE_FORMATS.values()
            if all(abs(own - its) < 0.01 for own, its in zip(size, page_format.size, strict=True))
        )

    def boxes(self, page: int) -> list[Box]:
        """Return every piece of text on a page."""
        with pypdfium2.PdfDocument(self.data) as document:
            sheet = document[page]
            found = sheet.get_objects([raw.FPDF_PAGEOBJ_TEXT], textpage=sheet.get_textpage())
            boxes = [
                Box(item.extract(), item.get_font_size(), *item.get_bounds()) for item in found
            ]
        return [box for box in boxes if box.text.strip()]

    def vertical_lines(self, page: int) -> list[Box]:
        """Return every vertical line on a page."""
        with pypdfium2.PdfDocument(self.data) as document:
            found = document[page].get_objects([raw.FPDF_PAGEOBJ_PATH])
            rules = [Box("|", 0, *item.get_bounds()) for item in found]
        return [rule for rule in rules if rule.right - rule.left < 3 < rule.top - rule.bottom]
