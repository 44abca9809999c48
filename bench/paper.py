"""How long paper takes: a sheet beside the same tables put through bare platypus."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from statistics import median

from reportlab.lib.colors import black
from reportlab.platypus import SimpleDocTemplate, Table

from scorekeeper.domain.game import Game
from scorekeeper.domain.presets import preset
from scorekeeper.domain.rounds import Round, Seat
from scorekeeper.domain.scoring import score_round
from scorekeeper.domain.sheet import Sheet
from scorekeeper.i18n import language
from scorekeeper.pdf import score_sheet
from scorekeeper.schemas import dump_round

Found = tuple[str, str, str, float | None, str, bool]
"""What, ours, baseline, ratio, bar, whether it held."""
NAMES = ("Anna", "Bernd", "Claire", "Dieter")
BEGAN = "2026-06-12T19:40:05Z"
HEAD = "0123456789abcdef" * 4
LIVE = "https://karten.example.org/g/abcdefghjk"
RUNS, EQUAL = 15, 100


def played(rounds: int) -> Game:
    """An evening of four at a table of german-family."""
    rules = preset("german-family")
    sheet = Sheet(rules, len(NAMES))
    for nth in range(rounds):
        left = (0 if seat == nth % 4 else 5 + (7 * nth + 11 * seat) % 90 for seat in range(4))
        seats = tuple(Seat(points=own) if own else Seat() for own in left)
        facts = Round(outcome="out", winner=nth % 4, seats=seats)
        sheet = sheet.record(BEGAN, dump_round(facts), score_round(facts, rules, 4))
    texts = {f"name.{seat}": name for seat, name in enumerate(NAMES)}
    return Game(
        id="bench", rules=rules, sheet=sheet, version=1 + rounds, created_at=BEGAN,
        changed_at=BEGAN, texts={"title": "Ein Abend zu viert", **texts},
    )  # fmt: skip


def printed(game: Game) -> bytes:
    """The whole sheet: rounds, chart, settlement, payments, code."""
    return score_sheet(game, game.settlement(), language("de", "UTC"), head=HEAD, address=LIVE)


def bare(game: Game) -> bytes:
    """The same numbers in the same faces, as platypus sets plain tables by itself."""
    settlement = game.settlement()
    rounds = [["Nr.", "Geber", *(name for name in NAMES for _ in range(2)), "Vermerk"]]
    for row in game.sheet.rows:
        cells = [
            text
            for side, tally in enumerate(row.tallies)
            for text in (str(row.worth(side, "minus")), str(tally.minus))
        ]
        rounds.append([str(row.number), NAMES[row.dealer], *cells, f"{NAMES[row.dealer]}: Rommé"])
    pairs = [list(NAMES)]
    if settlement and settlement.pairs and settlement.transfers:
        pairs += [[str(points) for points in row] for row in settlement.pairs]
        pairs += [[str(points) for points in settlement.balances]]
        due = [
            [NAMES[one.payer], NAMES[one.payee], str(one.amount)] for one in settlement.transfers
        ]
    faces = ("Sans", "Serif", "Sans-Bold", "Serif-Bold")
    styles = [
        [("FONT", (0, 0), (-1, -1), face, 9), ("GRID", (0, 0), (-1, -1), 0.5, black),
         ("FONT", (0, 0), (-1, 0), bold, 9)]
        for face, bold in (faces[::2], faces[1::2], faces[::2])
    ]  # fmt: skip
    written = BytesIO()
    document = SimpleDocTemplate(written, initialFontName="Sans")
    document.build(
        [Table(data, style=style) for data, style in zip((rounds, pairs, due), styles, strict=True)]
    )
    return written.getvalue()


def took(work: Callable[[], object]) -> float:
    """Seconds."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def measured() -> Iterator[Found]:
    """Every line about paper, as it comes."""
    game = played(20)
    paper = printed(game)
    bare(game)
    runs = [(took(lambda: printed(game)), took(lambda: bare(game))) for _ in range(RUNS)]
    own, base = (1000 * median(times) for times in zip(*runs, strict=True))
    shown = f"{own:.0f} ms", f"{base:.0f} ms (bare platypus)", own / base
    yield "a sheet of 20 rounds", *shown, "at most 2.00", own / base <= 2
    yield "a sheet of 20 rounds", f"{own:.0f} ms", "", None, "under 80 ms", own < 80
    size = len(paper) / 1000
    yield "its size", f"{size:.0f} kB", "", None, "under 60 kB", size < 60
    equal = sum(printed(game) == paper for _ in range(EQUAL))
    yield f"equal bytes in {EQUAL} runs", f"{equal}", "", None, f"{EQUAL}", equal == EQUAL
    alone = subprocess.run([sys.executable, "-m", __name__], stdout=-1, text=True, check=True)
    seconds, megabytes = map(float, alone.stdout.split())
    yield "a sheet of 500 rounds", f"{seconds:.2f} s", "", None, "under 1.00 s", seconds < 1
    yield "its memory", f"{megabytes:.0f} MB", "", None, "at most 100 MB", megabytes <= 100


def main() -> None:
    """In a process of its own: seconds and megabytes that 500 rounds take."""
    game = played(500)
    seconds = took(lambda: printed(game))
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)


if __name__ == "__main__":
    main()
