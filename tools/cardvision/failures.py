"""Draws the scenes in which the most was read wrongly."""

from itertools import accumulate
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from scorekeeper.camera.pictures import levelled
from tools.cardvision import dataset
from tools.cardvision.counting import Outcome
from tools.cardvision.labels import Label

FONT = Path(__file__).parents[2] / "scorekeeper" / "pdf" / "fonts" / "DejaVuSansCondensed-Bold.ttf"
CELL = (500, 375)
ACROSS, COUNT = 2, 6
RIGHT, MISREAD, MISSED, INVENTED = "#1a9641", "#d7191c", "#fd8d3c", "#c51bce"


def draw(results: list[Outcome], target: Path) -> None:
    """Draw the worst scene of each kind.

    A card that was read has a green ring, a misread one a red ring with its name, a missed one an
    orange ring, and an invented one a purple square with its name.
    """
    worst: dict[str, Outcome] = {}
    for outcome in sorted(results, key=errors):
        worst[outcome.facts["kind"]] = outcome
    pictures = [_marked(outcome) for outcome in list(worst.values())[:COUNT]]
    lefts = [0, *accumulate(max(one.width for one in pictures[n::ACROSS]) for n in range(ACROSS))]
    rows = -(-COUNT // ACROSS)
    sheet = Image.new("RGB", (lefts[-1], CELL[1] * rows), "white")
    for n, picture in enumerate(pictures):
        sheet.paste(picture, (lefts[n % ACROSS], n // ACROSS * CELL[1]))
    sheet.save(target, quality=72)


def errors(outcome: Outcome) -> int:
    """Return how many cards of a scene are not right."""
    return len(outcome.invented) + sum(not outcome.right(card) for card in outcome.clear)


def _marked(outcome: Outcome) -> Image.Image:
    pixels = levelled(dataset.pixels(Path(outcome.facts["path"])))
    picture = Image.fromarray(pixels)
    width, height = picture.size
    pen, words = ImageDraw.Draw(picture), ImageFont.truetype(str(FONT), max(width, height) // 36)
    best: dict[int, Label] = {}
    for label in (Label(**v) for v in outcome.facts["labels"]):
        if label.card not in best or label.visible > best[label.card].visible:
            best[label.card] = label
    for card in sorted(outcome.clear):
        spot, size = best[card].centre, best[card].size
        right, found = outcome.right(card), outcome.found.get(card)
        colour = RIGHT if right else MISREAD if found else MISSED
        pen.circle(spot, size * 0.6, outline=colour, width=5)
        if found and not right:
            pen.text(spot, found.name, MISREAD, words, stroke_width=4, stroke_fill="white")
    for wrong in outcome.invented:
        x, y = wrong.place[0] * width, wrong.place[1] * height
        pen.rectangle([x - 14, y - 14, x + 14, y + 14], outline=INVENTED, width=4)
        pen.text((x, y), wrong.name, INVENTED, words, stroke_width=4, stroke_fill="white")
    picture.thumbnail(CELL)
    return picture
