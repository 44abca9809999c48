"""Run all benchmarks, or the named groups, and print one table.

Missed bars are listed at the end, and the exit status is 1.
"""

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory, gettempdir

from bench.table import (
    HEAD,
    LARGE,
    QUICK,
    SHAPE,
    USUAL,
    Row,
    around,
    in_markdown,
    setting,
    write_between,
)

GROUPS = {
    "cards": "Reading cards, judging melds",
    "solver": "Arranging a hand",
    "scoring": "Pricing rounds, settling evenings",
    "web": "Over HTTP",
    "engines": "On PostgreSQL",
    "paper": "On paper",
    "phone": "On a phone",
    "in_browser": "Without a server, in a browser",
    "groups": "Groups that play for years",
    "tournaments": "Club nights",
    "scale": "Files with many games",
}
"""Each is a module whose ``measured`` yields rows of the table."""


def main() -> None:
    """Run the benchmarks and print the table."""
    options = arguments()
    effort = QUICK if options.quick else LARGE if options.large else USUAL
    if options.markdown:
        around(options.markdown)  # fail now rather than in an hour if the page has no marks
    if disk_usage(gettempdir()).free < effort.room:
        sys.exit(f"{gettempdir()} lacks {effort.room / 1e9:.1f} GB; TMPDIR=... is another place")
    where = setting(effort)
    print(f"{where}\n\n{SHAPE.format(*HEAD)}", flush=True)
    lines: dict[str, list[Row]] = {}
    for name in options.groups or GROUPS:
        print(f"\n{GROUPS[name]} ({name})", flush=True)
        lines[name] = []
        for line in import_module(f"bench.{name}").measured(effort):
            print(line, flush=True)
            lines[name].append(line)
        if options.markdown:
            table = in_markdown([(GROUPS[name], some) for name, some in lines.items()], where)
            write_between(options.markdown, "\n".join(table))
    print()
    missed = [line for some in lines.values() for line in some if line.missed]
    for line in missed:
        print(f"MISSED {line.what}, {line.work}: {line.ours}; {line.cells[-1]}")
    sys.exit(bool(missed))


def arguments() -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(prog="make bench BENCH=", description=__doc__)
    parser.add_argument("groups", nargs="*", choices=[[], *GROUPS], metavar="GROUP",
                        help=f"only these: {', '.join(GROUPS)}")  # fmt: skip
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--quick", action="store_true", help="a trial; its numbers say nothing")
    much.add_argument("--large", action="store_true", help="up to 100,000 games")
    parser.add_argument("--markdown", type=Path, metavar="FILE",
                        help="write the table between the marks of this page")  # fmt: skip
    options = parser.parse_args()
    if options.markdown and options.groups:
        parser.error("--markdown writes the whole table: name no group")
    return options


if __name__ == "__main__":
    with TemporaryDirectory() as folder:  # else keys of the databases stay with the user
        os.environ["XDG_DATA_HOME"] = folder
        main()
