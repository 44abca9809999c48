"""Write every kind of PDF to build/paper, with a picture of each page to look at."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2

from scorekeeper import pdf
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.season import Season
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import demo, groups
from scorekeeper.services.evening import read_evening, score_evening
from scorekeeper.services.seasons import question_of, season
from scorekeeper.services.statistics import season_history
from scorekeeper.store import open_ledger
from scorekeeper.store.season_history import SeasonHistory
from scorekeeper.store.writes import Write
from scorekeeper.wire.queries import ORDERS
from scorekeeper.wording.sheet import Words

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "build" / "paper"
NAMES = ("Anna", "Bernd", "Claire", "Dieter", "Emil", "Frieda")
TODAY = date(2026, 6, 12)
HEAD = "0123456789abcdef" * 4
LIVE = "https://karten.example.org/g/abcdefghjk"
KNOCKS = {
    "gin": ("deadwood", (6, 24), (8, 5), (0, 24)),
    "knock": ("count", (5, 12), (12, 5), (0, 20)),
}
"""The field for points in the families that knock, and some rounds, the knocker first."""


def example(names: tuple[str, ...] = NAMES[:4]) -> Game:
    """Return the example evening."""
    about = json.loads((ROOT / "examples" / "evening.json").read_text(encoding="utf-8"))
    return game_of(about | {"players": [{"name": name} for name in names]})


def knocked(family: str) -> Game:
    """Return a game with the rounds of ``KNOCKS``."""
    said, *rounds = KNOCKS[family]
    name = next(name for name, rules in PRESETS.items() if rules.family == family)
    knocks = [
        {"outcome": "knock", "knocker": 0, "seats": [{said: own} for own in left]}
        for left in rounds
    ]
    players = [{"name": name} for name in NAMES[:2]]
    stake = {"point_value": "1", "unit": "ct"}
    body = {"title": "Ein Abend", "rules": {"preset": name}, "stake": stake, "players": players}
    return game_of(body | {"rounds": knocks})


def game_of(body: Mapping[str, object]) -> Game:
    """Return the game of a JSON body."""
    return score_evening(read_evening(json.dumps(body).encode()))


def seasons() -> Iterator[tuple[str, Season, SeasonHistory]]:
    """Yield the season of a group in every order, and how it came about."""
    with TemporaryDirectory() as folder, closing(open_ledger(Path(folder) / "s.sqlite")) as ledger:
        settings = demo.DemoSettings(40, members=12, seed=1, until=TODAY, name="Stammtisch")
        founded = demo.make(ledger, settings).group
        group = groups.keep_rating(ledger, founded.id, on=True, write=Write())
        for by in ORDERS:
            question = question_of({"by": by}, ledger.seasons.choices(group.id), TODAY)
            history = season_history(ledger, group.id, question.span)
            yield by, season(ledger, group, question), history


def papers() -> Iterator[tuple[str, bytes]]:
    """Yield every kind of PDF with a name for its file."""
    game, german = example(), language("de")
    for size in pdf.SHEET_SIZES:
        for code in LANGUAGES:
            paper = pdf.score_sheet(
                Words(game, language(code)),
                size=size,
                details=code == "de",
                head=HEAD,
                address=LIVE,
            )
            yield f"sheet-{size}-{code}", paper
    for family in KNOCKS:
        other = knocked(family)
        yield f"sheet-{family}", pdf.score_sheet(Words(other, german), details=True)
    if settlement := game.settlement():
        yield "statement", pdf.settlement_statement(game, settlement, german, head=HEAD)
        yield "statement-anna", pdf.settlement_statement(game, settlement, german, side=0)
    for number, name in enumerate(PRESETS):
        lang = language(LANGUAGES[number % len(LANGUAGES)])
        yield f"card-{name}", pdf.rules_card(preset(name), lang)
        blank = [""] * min(4, preset(name).players.max)
        for size, up in (("A4", 1), ("A5", 2), ("A6", 4)):
            yield f"pad-{name}-{size}", pdf.blank_pad(preset(name), lang, blank, size=size, up=up)
    for number, (by, table, history) in enumerate(seasons()):
        lang = language(LANGUAGES[number % len(LANGUAGES)])
        for size in pdf.SHEET_SIZES:
            yield f"season-{by}-{size}", pdf.season_table(table, lang, size=size, history=history)


def main() -> None:
    """Write them all."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for name, paper in papers():
        (OUTPUT / f"{name}.pdf").write_bytes(paper)
        with pypdfium2.PdfDocument(paper) as document:
            for number, page in enumerate(document, start=1):
                page.render(scale=1.5).to_pil().save(OUTPUT / f"{name}-{number}.png")
        print(f"{(OUTPUT / name).relative_to(ROOT)}.pdf: {len(paper) // 1024} kB")


if __name__ == "__main__":
    main()
