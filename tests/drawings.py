"""What is drawn on paper and in pictures, as one digest for each: a change of a drawing is noticed.

The tests of paper say what has to stand where. Digests notice all else: a line that is missing, a
column that is a millimetre narrower, another grey. ``python -m tests.drawings`` regenerates them;
look at the drawings that have changed before you commit.
"""

import io
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import date
from fractions import Fraction
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent))

import pypdf

from club_nights import Club
from evenings import evening
from examples import DATA, EXAMPLE, played
from pdf.paper import played as in_short
from pdf.paper import rules_of, some_rounds
from pdf.seasons import figures, season
from scorekeeper import pdf
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.plan import Money
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf.picture import Picture
from scorekeeper.services import bookkeeping, demo, seasons, tournaments
from scorekeeper.services.evening import read_evening, score_evening
from scorekeeper.services.statistics import season_history
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.wording.sheet import Words
from scorekeeper.wording.tournament_paper import certificates, standings_words, table_cards

FILE = DATA / "drawings.txt"
LINK = "https://cards.example.org/enter#abcdefghjk.7k2m"
LONG = "der lange Abend von Oma, Opa und allen Enkeln in Niederfeulen"
LONG_NAMES = (
    "Maximilian Freiherr von Hohenstein", "Alexandrine Comtesse de Montmorency", "Theo Krier",
    "Marie-Thérèse Schmit-Wagener zu Ettelbruck", "Ururgroßmutterundtante", "Anna",
    "Claire und ihre Schwester", "Dieter der Zweite",
)  # fmt: skip
Drawings = Iterator[tuple[str, str]]
"""Names with digests."""


def kept(draw: Callable[[], Drawings]) -> dict[str, str]:
    """Return the digests of the drawings that were last looked at, by name."""
    _, _, below = FILE.read_text("utf-8").partition(f"# {draw.__name__}\n")
    return dict(line.rsplit(" ", 1) for line in below.partition("\n#")[0].splitlines())


def games() -> Iterator[tuple[str, Game]]:
    """Yield the worked examples of whole evenings that are played to their end."""
    yield "the example", score_evening(read_evening(EXAMPLE.read_bytes()))
    makers: Mapping[str, Callable[[dict[str, Any]], Game]] = {"games": played, "evenings": evening}
    for file, made in makers.items():
        examples = tomllib.loads((DATA / f"{file}.toml").read_text("utf-8"))
        for name, number, example in (
            (name, number, one) for name, all in examples.items() for number, one in enumerate(all)
        ):
            with suppress(RuleError):  # an example of a refusal
                yield f"{name}.{number}", made(example)


# ---- what is drawn -------------------------------------------------------------------


def of_evenings() -> Drawings:
    """Draw the sheets, statements and pictures of the worked examples."""
    for (name, game), code, size in zip(games(), cycle(LANGUAGES), cycle(["A4", "A5", "A4"])):
        lang = language(code, "UTC")
        words, more = Words(game, lang, "Stammtisch"), {"head": "c" * 64, "address": LINK}
        yield _paper(f"{name} sheet", pdf.score_sheet(words, size=size, details=True, **more))
        if settled := game.settlement():
            for side in (None, 0):
                statement = pdf.settlement_statement(game, settled, lang, side=side)
                yield _paper(f"{name} statement {side}", statement)
        if game.sheet.counted:
            yield _picture(f"{name} picture", game, code)


def of_systems() -> Drawings:
    """Draw a pad and the rules card of every system."""
    for (name, rules), code in zip(PRESETS.items(), cycle(LANGUAGES)):
        lang = language(code, "UTC")
        players = ["Anna", "", "Claire", ""][: rules.players.max]
        yield _paper(f"{name} pad", pdf.blank_pad(rules, lang, players, size="A5", up=2, pages=2))
        yield _paper(f"{name} card", pdf.rules_card(rules, lang, title="Freitag"))


def of_season() -> Drawings:
    """Draw the table of a season, with records, evenings and points over time."""
    lang, day = language("de", "UTC"), date(2026, 6, 12)
    with _ledger() as ledger:
        wishes = demo.DemoSettings(evenings=9, members=5, seed=11, until=day, name="Löwen")
        group = demo.make(ledger, wishes).group
        choices = ledger.seasons.choices(group.id)
        table = seasons.season(ledger, group, seasons.question_of({"by": "money"}, choices, day))
        history = season_history(ledger, group.id, table.question.span)
        yield _paper("season", pdf.season_table(table, lang, history=history))


def of_tournament() -> Drawings:
    """Draw the paper of a tournament."""
    lang = language("fr", "UTC")
    money = Money(fee=Fraction(5), unit="EUR", kept=Fraction(5))
    with _night(minutes=45, money=money) as club:
        for _ in range(3):
            club.draw()
            club.play_all()
            club.close()
        group, now = club.group, club.now
        words = table_cards(group, now, lang, lambda _: (0, LINK))
        yield _paper("table cards", pdf.tournament_cards(words, lang))
        standings = standings_words(group, now, 3, lang)
        yield _paper("standings", pdf.tournament_standings(standings, lang))
        yield _paper(
            "certificates", pdf.tournament_certificates(certificates(group, now, lang), lang)
        )


@contextmanager
def _night(**plan: Any) -> Iterator[Club]:
    """Yield a club night that is always at the same time and draws the same lots."""
    at = {"now": lambda: "2026-06-12T19:40:05Z"}
    fixed = patch.multiple(tournaments, _new_seed=lambda: "0123456789abcdef", **at)
    with fixed, patch.multiple(bookkeeping, **at), _ledger() as ledger:
        yield Club(ledger, **plan)


@contextmanager
def _ledger() -> Iterator[Ledger]:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_ledger(Path(folder) / "drawings.sqlite")) as ledger,
    ):
        yield ledger


def of_long_texts() -> Drawings:
    """Draw what is cut off, set smaller or in several lines, since it does not fit."""
    lang = language("de", "UTC")
    rules = rules_of("german-family", settle__point_value="1/7", settle__unit="WWWWWWWWWWWW")
    for players, size in ((3, "A5"), (6, "A4")):
        texts = {"title": LONG, "place": LONG, "note.1": LONG}
        game = in_short(rules, LONG_NAMES[:players], some_rounds(players, 9), texts)
        yield _paper(f"{players} sheet", pdf.score_sheet(Words(game, lang, LONG), size=size))
        settled = game.settlement()
        assert settled
        for side in (None, 0):
            statement = pdf.settlement_statement(game, settled, lang, side=side)
            yield _paper(f"{players} statement {side}", statement)
        for address in ("karten.verein-der-rommefreunde.feulen.example.org", "karten." * 20):
            yield _picture(f"{players} picture {len(address)}", game, "de", LONG, address)
    with _night(rounds=9, partners=2, size=2, names=[]) as club:
        club.enter(*(Entry(pair) for pair in zip(LONG_NAMES[::2], LONG_NAMES[1::2], strict=True)))
        for played_rounds in range(1, 10):
            club.draw()
            for table, there in enumerate(club.now.rounds[-1].tables):
                club.state(played_rounds, table, *(7 + 100 * entrant for entrant in there))
            club.close()
            if played_rounds in (1, 4, 5, 6, 9):
                words = standings_words(club.group, club.now, played_rounds, lang)
                yield _paper(f"{played_rounds} standings", pdf.tournament_standings(words, lang))
        cards = table_cards(club.group, club.now, lang, lambda _: (0, None))
        yield _paper("table cards", pdf.tournament_cards(cards, lang))
        honoured = certificates(club.group, club.now, lang)
        yield _paper("certificates", pdf.tournament_certificates(honoured, lang))
    unit = "WWWWWWWWWWWW"
    rows = [figures(at, 0, **{unit: Fraction(9_999, 7 + at // 2)}) for at in range(8)]
    for name, size in (("Löwen", "A5"), (LONG, "A4")):
        table = season(LONG_NAMES, rows, "money", name, unit=unit)
        yield _paper(f"{size} season", pdf.season_table(table, lang, size=size))


ALL = (of_evenings, of_systems, of_season, of_tournament, of_long_texts)


# ---- digests -------------------------------------------------------------------------


def _paper(name: str, data: bytes) -> tuple[str, str]:
    """Return the digest of what a PDF draws, without fonts and compression."""
    reader = pypdf.PdfReader(io.BytesIO(data))
    drawn = sha256(str(reader.metadata).encode())
    for page in reader.pages:
        drawn.update(str(page.mediabox).encode())
        drawn.update(page.get_contents().get_data())
    return name, drawn.hexdigest()[:16]


def _picture(
    name: str, game: Game, code: str, title: str = "Freitag", at: str = "karten.example.org"
) -> tuple[str, str]:
    """Return the digest of what is drawn into a picture, without the pixels of letters."""
    drawn = sha256()
    drawing = Picture(game, language(code, "UTC"), title, at)

    def recorded(part: str) -> Callable[..., None]:
        return lambda *what, **look: drawn.update(repr((part, what, look)).encode())

    for part in ("_box", "_text", "_line"):
        object.__setattr__(drawing, part, recorded(part))  # it is frozen
    drawing.png()
    return name, drawn.hexdigest()[:16]


if __name__ == "__main__":
    drawn = {draw.__name__: "".join(f"{name} {of}\n" for name, of in draw()) for draw in ALL}
    FILE.write_text("".join(f"# {part}\n{lines}" for part, lines in drawn.items()), "utf-8")
