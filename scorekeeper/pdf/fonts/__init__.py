"""The fonts of all documents: which file draws which typeface."""

from pathlib import Path

FONT_DIRECTORY = Path(__file__).parent
FONT_FILES = {
    "Sans": "DejaVuSansCondensed.ttf",
    "Sans-Bold": "DejaVuSansCondensed-Bold.ttf",
    "Serif": "DejaVuSerifCondensed.ttf",
    "Serif-Bold": "DejaVuSerifCondensed-Bold.ttf",
}
"""Sans for labels and explanations; serif for what players write down by hand."""
