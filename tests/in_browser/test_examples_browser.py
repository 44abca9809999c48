"""The worked examples of RULES 11, tested by the same files in the Python of a browser."""

import base64
import io
import re
import tomllib
import zipfile
from importlib.metadata import files as files_of
from pathlib import Path

from browsers import Pocket
from examples import DATA
from tools.in_browser.build import npm_packages
from tools.in_browser.driving import Host
from tools.in_browser.libraries import ROOT

TESTS = ROOT / "tests"
SUITE = (
    "domain/scoring/test_examples.py", "domain/scoring/test_lay.py", "domain/test_melds.py",
    "domain/test_notation.py", "domain/test_referee.py", "domain/test_settlement.py",
    "domain/test_sheet.py", "domain/solver/test_solver.py",
)  # fmt: skip
"""The files with tests of worked examples."""
HELPERS = ("examples.py", "turns.py", "bars.py", "bars_table.py", "brute_force.py")
HELPERS += ("random_hands.py", "in_browser/inside.py")
PACKAGES = ("pytest", "pluggy", "iniconfig")
READY = 'postMessage({ stage: "ready" });'
RUN = """([archive, files]) => {
    const { python } = self;
    const bytes = Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0));
    python.FS.writeFile("/tests.zip", bytes);
    const run = python.runPython(`
import sys, zipfile
zipfile.ZipFile("/tests.zip").extractall("/tests")
sys.path.insert(0, "/tests/in_browser")
import inside
inside.run`);
    return run("/tests", python.toPy(files)).toJs();
}"""


WHOLE_GAMES = ("evenings", "games")
"""Examples of several rounds, which need a record and are tested with a server only."""


def archive(host: Host) -> str:
    """Return the tests and what they need, as a ZIP in base64."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for file in (*SUITE, *HELPERS):
            target.write(TESTS / file, file)
        for data in DATA.glob("*.*"):
            target.write(data, f"data/{data.name}")
        target.writestr("none.ini", "")
        stdlib = npm_packages(ROOT / "build" / "in_browser") / "pyodide" / "python_stdlib.zip"
        target.write(stdlib, "stdlib.zip")
        for package in PACKAGES:
            for file in files_of(package) or ():
                if file.suffix == ".py" and ".." not in file.parts:
                    target.write(Path(str(file.locate())), f"packages/{file}")
    return base64.b64encode(made.getvalue()).decode()


def test_every_worked_example_holds_in_the_python_of_a_browser(chromium, host: Host) -> None:
    host.change("shell-*/python.js", READY, f"self.python = python; {READY}")
    pocket = Pocket(chromium, host)
    (worker,) = pocket.shell.tab.workers
    passed, failed = worker.evaluate(RUN, [archive(host), list(SUITE)])
    pocket.phone.close()
    tested = {found for name in passed for found in re.findall(r"\[([A-Z]\d\d?b?)", name)}
    known = {
        code
        for file in DATA.glob("*.toml")
        if file.stem not in WHOLE_GAMES
        for code in tomllib.loads(file.read_text())
    }

    assert failed == []
    assert tested == known
