"""Prints every kind of paper into build/paper, as PDF and as pictures: look at them."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pypdfium2

from scorekeeper import pdf
from scorekeeper.domain.game import Game
from scorekeeper.domain.presets import PRESETS, preset
from scorekeeper.evening import read_evening, reckon
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf.season import Standing

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "build" / "paper"
NAMES = ("Anna", "Bernd", "Claire", "Dieter", "Emil", "Frieda")
HEAD = "0123456789abcdef" * 4
LIVE = "https://karten.example.org/g/abcdefghjk"
KNOCKS = {
    "gin": ("deadwood", (6, 24), (8, 5), (0, 24)),
    "knock": ("count", (5, 12), (12, 5), (0, 20)),
}
"""How the families that knock say in short what is left, and a few rounds, the knocker first."""


def example(names: tuple[str, ...] = NAMES[:4]) -> Game:
    """The example evening."""
    about = json.loads((ROOT / "examples" / "evening.json").read_text(encoding="utf-8"))
    return reckoned(about | {"players": [{"name": name} for name in names]})


def knocked(family: str) -> Game:
    """The rounds of ``KNOCKS``."""
    said, *rounds = KNOCKS[family]
    name = next(name for name, rules in PRESETS.items() if rules.family == family)
    bodies = [
        {"outcome": "knock", "knocker": 0, "seats": [{said: own} for own in left]}
        for left in rounds
    ]
    players = [{"name": name} for name in NAMES[:2]]
    stake = {"point_value": "1", "unit": "ct"}
    order = {"title": "Ein Abend", "rules": {"preset": name}, "stake": stake, "players": players}
    return reckoned(order | {"rounds": bodies})


def reckoned(body: dict[str, object]) -> Game:
    """A game from its wire form."""
    return reckon(read_evening(json.dumps(body).encode()))


def season(code: str) -> bytes:
    """Six members after a season."""
    standings = [
        Standing(rank=n, name=name, evenings=12, rounds=96, won=20 - n, points=300 * n,
                 balance=Fraction(35 - 10 * n))
        for n, name in enumerate(NAMES, start=1)
    ]  # fmt: skip
    return pdf.season_table("Stammtisch", "2026", standings, language(code), unit="ct")


def papers() -> Iterator[tuple[str, bytes]]:
    """Every kind with a name for its file."""
    game, german = example(), language("de")
    for size in pdf.SHEETS:
        for code in LANGUAGES:
            paper = pdf.score_sheet(
                game, game.settlement(), language(code), head=HEAD, address=LIVE, size=size,
                details=code == "de",
            )  # fmt: skip
            yield f"sheet-{size}-{code}", paper
    for family in KNOCKS:
        other = knocked(family)
        yield f"sheet-{family}", pdf.score_sheet(other, other.settlement(), german, details=True)
    if settlement := game.settlement():
        yield "statement", pdf.settlement_statement(game, settlement, german, head=HEAD)
        yield "statement-anna", pdf.settlement_statement(game, settlement, german, side=0)
    for number, name in enumerate(PRESETS):
        lang = language(LANGUAGES[number % len(LANGUAGES)])
        yield f"card-{name}", pdf.rules_card(preset(name), lang)
        blank = [""] * min(4, preset(name).players.max)
        for size, up in (("A4", 1), ("A5", 2), ("A6", 4)):
            yield f"pad-{name}-{size}", pdf.blank_pad(preset(name), lang, blank, size=size, up=up)
    yield "season", season("de")


def main() -> None:
    """Print them all."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for name, paper in papers():
        (OUTPUT / f"{name}.pdf").write_bytes(paper)
        with pypdfium2.PdfDocument(paper) as document:
            for number, page in enumerate(document, start=1):
                page.render(scale=1.5).to_pil().save(OUTPUT / f"{name}-{number}.png")
        print(f"{(OUTPUT / name).relative_to(ROOT)}.pdf: {len(paper) // 1024} kB")


if __name__ == "__main__":
    main()
