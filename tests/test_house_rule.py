"""docs/house-rules.md works: its changes, made in a copy, add a rule everywhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8")
CHANGES = re.findall(r"^```diff (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TRIED = """
from pathlib import Path
from tempfile import TemporaryDirectory

from scorekeeper import create_app
from scorekeeper.domain.rounds.scoring.rates import rates
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import catalogue_problems, language
from scorekeeper.pdf.card import RulesCard
from tools import rules

german = language("de")
table = PRESETS["german-family"].override({"score.most_minus": 100})
said = str(list(RulesCard(table, german).sections()))
page = "".join(rules.page("german-family", german, list(rules.examples())))

assert catalogue_problems() == []
assert not rates(table).line
assert "Keine Hand zählt mehr als 100." in said
assert "Jede Hand zählt ganz. | `score.most_minus`" in page
assert "**L22**  Keine Hand zählt mehr als 40." in page
assert "B 40 minus, C 15 minus" in page
with TemporaryDirectory() as folder:
    browser = create_app({"DATA": Path(folder, "t.sqlite")}).test_client()
    assert 'name="score.most_minus"' in browser.get("/new").text
    assert "score.most_minus" in browser.get("/api/v1/options").text
"""


def change(file: Path, difference: str) -> None:
    """Make one change at the single place with its context."""
    lines = difference.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    text = file.read_text(encoding="utf-8")

    assert text.count(before) == 1, file
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.usefixtures("external")
def test_the_documented_house_rule_works_everywhere(tmp_path):
    for name in ("scorekeeper", "templates", "tools", "tests/data"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "tests" / "examples.py", tmp_path / "tests")
    for name, difference in CHANGES:
        change(tmp_path / name, difference)

    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    tried = subprocess.run(
        [sys.executable, "-c", TRIED], cwd=tmp_path, env=environment, capture_output=True, text=True
    )

    assert len(CHANGES) == 8
    assert tried.returncode == 0, tried.stderr
