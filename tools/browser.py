"""Where the Chromium is that the tests, the bench and the pictures are made with."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""As ``tools/chromium`` looks for them."""


def browser_path() -> str | None:
    """The one that CHROMIUM names, else the first that is installed; None: there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
