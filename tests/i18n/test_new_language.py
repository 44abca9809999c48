"""docs/translating.md is right: a language needs catalogues and a row, and nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]
CODE = "pl"
"""Its sentences are invented, its grammar is Polish: a form for 1, for 2 to 4, and for 5."""
ROW = f'    "{CODE}": Traits("Invented", "{CODE}", ("robber",)),\n}}\n"""Every language by its code'
OPENED = "tests/web/pages/test_walk.py::test_every_page_opens_in_the_language_added_last"
TRIED = f"""
import pytest

from scorekeeper.i18n import catalogue_problems, language

invented = language("{CODE}")
assert catalogue_problems() == []
assert [invented("plan.cards", n=n) for n in (1, 3, 5)] == ["⟦1 card⟧", "⟦3 cards⟧", "⟦⟦5 cards⟧⟧"]
assert pytest.main(["-q", "-p", "no:cacheprovider", "{OPENED}[{CODE}]"]) == 0
"""


def translated(file: Path) -> Catalog:
    """Return an English catalogue in the invented language."""
    catalogue = Catalog(locale=CODE)
    with file.open("rb") as text:
        for message in read_po(text, locale="en"):
            if isinstance(message.id, str):
                catalogue.add(message.id, f"⟦{message.string}⟧")
            else:
                one, many = (f"⟦{form}⟧" for form in message.string)
                catalogue.add(message.id, (one, many, f"⟦{many}⟧"))
    return catalogue


@pytest.mark.usefixtures("external")
def test_a_language_needs_catalogues_and_a_row_and_nothing_else(tmp_path: Path) -> None:
    for name in ("templates", "tests", "tools", "examples", "docs", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "scorekeeper", tmp_path / "scorekeeper", ignore=caches)
    i18n = tmp_path / "scorekeeper" / "i18n"
    (i18n / CODE).mkdir()
    for file in (i18n / "en").glob("*.po"):
        with (i18n / CODE / file.name).open("wb") as written:
            write_po(written, translated(file), width=0)
    languages = (i18n / "languages.py").read_text(encoding="utf-8")
    rows = languages.replace('}\n"""Every language by its code', ROW)
    (i18n / "languages.py").write_text(rows, encoding="utf-8")

    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", TRIED], cwd=tmp_path, env=environment, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stdout + done.stderr
