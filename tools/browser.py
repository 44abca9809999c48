"""Find the Chromium that tests, benchmarks and pictures use."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""The commands that ``tools/chromium`` looks for, in the same order."""


def browser_path() -> str | None:
    """Return the browser named by CHROMIUM, else the first installed one, else None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
