"""The fonts of the score sheets."""

from pathlib import Path

FOLDER = Path(__file__).parent
FACES = {
    "Sans": "DejaVuSansCondensed.ttf",
    "Sans-Bold": "DejaVuSansCondensed-Bold.ttf",
    "Serif": "DejaVuSerifCondensed.ttf",
    "Serif-Bold": "DejaVuSerifCondensed-Bold.ttf",
}
"""Pressed or explained is sans, written is serif."""
