"""Find the Chromium that tests, benchmarks and pictures use."""

import os
import shutil

LIGHT = "chromium-headless-shell"
"""Chromium without windows: the tests take a third less processor time with it."""
NAMES = ("chromium", "chromium-browser", "google-chrome", LIGHT)
"""The commands that ``tools/chromium`` looks for."""


def browser_path(*preferred: str) -> str | None:
    """Return the browser named by CHROMIUM, else the first installed one, else None."""
    return os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, preferred + NAMES)), None
    )
