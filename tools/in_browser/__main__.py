"""``python -m tools.in_browser build/browser``."""

import argparse
import os
import shutil
import sys
from pathlib import Path

from scorekeeper.config import VERSION
from tools.in_browser.build import Unavailable, build, sizes

reader = argparse.ArgumentParser(prog="python -m tools.in_browser", description=__doc__)
reader.add_argument("target", type=Path, help="the folder to build")
reader.add_argument("--zip", type=Path, metavar="FOLDER", help="also write an archive here")
reader.add_argument("--for-tests", action="store_true", help="fail on CI only")


def main() -> None:
    """Build the edition, and say how large it is or why it cannot be built."""
    asked = reader.parse_args()
    try:
        version = build(asked.target)
    except Unavailable as reason:
        message = f"The edition for browsers cannot be built: {reason}."
        if asked.for_tests and os.environ.get("CI") != "true":
            print(f"{message} Its tests are skipped.")
            return
        sys.exit(message)
    if not asked.for_tests:
        print(f"{asked.target}: version {version}", *sizes(asked.target), sep="\n")
    if asked.zip:
        name = asked.zip / f"scorekeeper-browser-{VERSION}"
        print(shutil.make_archive(str(name), "zip", asked.target))


if __name__ == "__main__":
    main()
