"""Drawing PDFs, compared with plain tables of the same numbers in platypus."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

from reportlab.lib.colors import black
from reportlab.platypus import SimpleDocTemplate, Table

from bench.measuring import alternately, growth_of, most_megabytes, seconds_of
from bench.requests import SHEET_PDF
from bench.table import Effort, Row, at_least, at_most, format_seconds, under
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import language
from scorekeeper.pdf import score_sheet
from scorekeeper.wording.sheet import Words

NAMES = ("Anna", "Bernd", "Claire", "Dieter")
BEGAN = "2026-06-12T19:40:05Z"
HEAD = "0123456789abcdef" * 4
LIVE = "https://karten.example.org/g/abcdefghjk"
EQUAL = 100
TIMES, SHEET_MS, SHEET_KB, LONG_S, LONG_MB = 2, 80, 60, 1, 100
"""The limits: ratio to plain platypus, and sheets of 20 and of 500 rounds."""
SIZES = (10, 100, 1_000)


def played(rounds: int) -> Game:
    """Return an evening of four players under german-family."""
    rules = preset("german-family")
    sheet = Sheet(rules, len(NAMES))
    for nth in range(rounds):
        left = (0 if seat == nth % 4 else 5 + (7 * nth + 11 * seat) % 90 for seat in range(4))
        seats = tuple(Seat(points=own) if own else Seat() for own in left)
        facts = Round(outcome="out", winner=nth % 4, seats=seats)
        sheet = sheet.record(BEGAN, facts, score_round(facts, rules, 4))
    texts = {f"name.{seat}": name for seat, name in enumerate(NAMES)}
    return Game(
        id="bench", rules=rules, sheet=sheet, version=1 + rounds, created_at=BEGAN,
        changed_at=BEGAN, texts={"title": "Ein Abend zu viert", **texts},
    )  # fmt: skip


def printed(game: Game) -> bytes:
    """Return the whole sheet: rounds, chart, settlement, payments, QR code."""
    return score_sheet(Words(game, language("de", "UTC")), head=HEAD, address=LIVE)


def bare(game: Game) -> bytes:
    """Return the same numbers in the same fonts as plain platypus tables."""
    settlement = game.settlement()
    assert settlement and settlement.transfers  # as german-family has it
    assert settlement.pairs and settlement.balances
    rounds = [["Nr.", "Geber", *(name for name in NAMES for _ in range(2)), "Vermerk"]]
    for row in game.sheet.rows:
        cells = [
            text
            for side, tally in enumerate(row.tallies)
            for text in (str(row.worth(side, "minus")), str(tally.minus))
        ]
        rounds.append([str(row.number), NAMES[row.dealer], *cells, f"{NAMES[row.dealer]}: Rommé"])
    pairs = [list(NAMES), *([str(points) for points in row] for row in settlement.pairs)]
    pairs += [[str(points) for points in settlement.balances]]
    due = [
        [NAMES[transfer.payer], NAMES[transfer.payee], str(transfer.amount)]
        for transfer in settlement.transfers
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


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about PDFs."""
    game = played(20)
    paper = printed(game)
    own, base = alternately(
        replace(effort, runs=3 * effort.runs),
        lambda: seconds_of(lambda: printed(game)),
        lambda: seconds_of(lambda: bare(game)),
    )
    size, many = len(paper) / 1000, effort.some(EQUAL)
    equal = sum(printed(game) == paper for _ in range(many))
    sizes = [count for count in SIZES if count <= 1_000 * effort.share]
    yield Row(
        what="a sheet",
        request=SHEET_PDF,
        work="20 rounds",
        ours=format_seconds(own),
        baseline=f"{format_seconds(base)} (bare platypus)",
        ratio=own / base,
        bars=(at_most(own / base, TIMES), under(own * 1000, SHEET_MS, " ms")),
        growth=growth_of(sizes, lambda rounds: [played(rounds)], printed, per="rounds"),
    )
    yield Row(
        what="size of a sheet",
        request=SHEET_PDF,
        work="20 rounds",
        ours=f"{size:.0f} kB",
        baseline=f"{len(bare(game)) / 1000:.0f} kB (bare platypus)",
        ratio=len(paper) / len(bare(game)),
        bars=(under(size, SHEET_KB, " kB"),),
    )
    yield Row(
        what="equal bytes",
        request=SHEET_PDF,
        work=f"{many} sheets",
        ours=f"{equal}",
        bars=(at_least(equal, many),),
    )
    process = subprocess.run([sys.executable, "-m", __name__], stdout=-1, text=True, check=True)
    seconds, most = map(float, process.stdout.split())
    yield Row(
        what="a long sheet",
        request=SHEET_PDF,
        work="500 rounds",
        ours=f"{format_seconds(seconds)}, {most:.0f} MB",
        bars=(under(seconds, LONG_S, " s"), at_most(most, LONG_MB, " MB")),
    )


def main() -> None:
    """Print the seconds and megabytes that 500 rounds take; run as a subprocess."""
    game = played(500)
    seconds = seconds_of(lambda: printed(game))
    print(seconds, most_megabytes())


if __name__ == "__main__":
    main()
