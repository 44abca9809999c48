"""The installed package stands alone: a wheel in a clean environment, in another folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from contextlib import suppress
from http.client import HTTPConnection
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.compiled import modules
from tools.metadata import RELATIVE, readme_for_index

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory, external: None) -> Path:
    """Wheels and source archive, built as ``make wheel`` does."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    for more in ([ROOT], ["--wheel", ROOT / "client"]):
        subprocess.run([*build, *more], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return next(dist.glob("scorekeeper-*.whl"))


def in_checkout(folder: str, *patterns: str) -> set[str]:
    paths = {path for pattern in patterns for path in (ROOT / folder).rglob(pattern)}
    return {path.relative_to(ROOT).as_posix() for path in paths}


def test_the_wheel_contains_templates_catalogues_fonts_and_static_files(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())

    templates = {f"scorekeeper/{name}" for name in in_checkout("templates", "*.html")}
    others = in_checkout(
        "scorekeeper",
        "*.po",
        "*.ttf",
        "*.css",
        "*.js",
        "*.svg",
        "*.json",
        "*.onnx",
        "*.txt",
        "*.md",
        "py.typed",
    )
    assert templates
    assert others
    assert templates | others <= held
    assert any(name.endswith("licenses/LICENSE") for name in held)


def test_the_wheel_contains_nothing_else(wheel):
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert len(tops) == 2
    assert "scorekeeper" in tops


def test_the_client_is_a_wheel_of_its_own_that_needs_nothing_else(dist):
    packed = next(dist.glob("scorekeeper_client-*.whl"))
    code = f"import sys; sys.path.insert(0, {str(packed)!r}); import scorekeeper_client as client; "
    code += "print(client.Server('http://127.0.0.1:9'), 'scorekeeper' in sys.modules)"

    # without site-packages
    said = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)

    assert said.stdout == "Server('http://127.0.0.1:9') False\n"
    with zipfile.ZipFile(packed) as held:
        about = next(name for name in held.namelist() if name.endswith("METADATA"))
        assert "Requires-Dist" not in held.read(about).decode()
        assert {"scorekeeper_client/py.typed", "scorekeeper_client/LICENSE"} <= set(held.namelist())


def test_the_readme_on_an_index_page_has_no_relative_addresses():
    text = (ROOT / "README.md").read_text("utf-8")
    assert RELATIVE.search(text)

    there = readme_for_index(text, "https://code.example/scorekeeper", "1.2.0")
    nowhere = readme_for_index(text, "", "1.2.0")

    assert not RELATIVE.search(there) and not RELATIVE.search(nowhere)
    assert "](https://code.example/scorekeeper/raw/v1.2.0/docs/pictures/board.en.png)" in there
    assert "![" not in nowhere


def test_the_source_archive_can_be_tested(dist):
    archive = next(dist.glob("*.tar.gz"))
    with tarfile.open(archive) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}

    assert {"Makefile", "requirements.lock", "requirements-dev.lock", ".ci/run"} <= held
    assert {"requirements-build.lock", "client/pyproject.toml", "tools/metadata.py"} <= held
    assert {"examples/evening.json", "tests/conftest.py", "tools/chromium"} <= held


def test_no_module_that_is_compiled_has_a_cached_property():
    """A class compiled by mypyc works it out, and spends from the budget, at every use."""
    compiled = modules(ROOT)

    assert len(compiled) > 20
    assert [one for one in compiled if "cached_property" in (ROOT / one).read_text("utf-8")] == []


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the command of the installed wheel in a clean environment in another folder.

    The libraries come from this environment, because tests should need no network.
    """
    python = clean_environment(tmp_path_factory.mktemp("installed") / "venv")
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True)
    return python.with_name("scorekeeper")


@pytest.fixture
def alone(tmp_path: Path) -> dict[str, Any]:
    """Return the arguments to run a command that sees nothing of this checkout."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {"cwd": tmp_path, "env": environment, "stdout": subprocess.PIPE, "text": True}


def test_the_installed_wheel_serves_from_another_folder(installed, alone):
    command = [installed, "serve", "--port", "0", "--data", "rounds.sqlite"]
    with subprocess.Popen(command, **alone) as process:
        try:
            assert process.stdout
            found = re.search(r":(\d+)$", process.stdout.readline().rstrip())
            assert found
            start = fetch(int(found[1]), "/")
            styles = re.findall(r'href="(/static/[^"]+\.css[^"]*)"', start)

            assert "<html" in start
            assert styles
            assert all(fetch(int(found[1]), style) for style in styles)
            assert "SQLite" in fetch(int(found[1]), "/status")
        finally:
            process.terminate()
    where = [installed.with_name("python"), "-c", "import scorekeeper; print(scorekeeper.__file__)"]
    said = subprocess.run(where, check=True, **alone).stdout
    assert said.startswith(str(installed.parents[2]))


def test_the_installed_wheel_scores_checks_backs_up_and_restores(installed, alone):
    shutil.copy(ROOT / "examples" / "evening.json", alone["cwd"])

    def run(*arguments: str) -> str:
        return subprocess.run([installed, *arguments, "--lang", "en"], check=True, **alone).stdout

    assert "Settlement" in run("sheet", "evening.json", "--pdf", "evening.pdf")
    assert (alone["cwd"] / "evening.pdf").read_bytes().startswith(b"%PDF")
    run("demo", "--evenings", "1", "--members", "3", "--data", "rounds.sqlite")
    assert "BAD" not in run("check", "--data", "rounds.sqlite")
    assert "Backed up" in run("backup", "copy.sqlite", "--data", "rounds.sqlite")
    assert "Restored" in run("restore", "copy.sqlite", "--data", "other.sqlite")
    assert "BAD" not in run("check", "--data", "other.sqlite")


def clean_environment(folder: Path) -> Path:
    """Return the Python of a new environment that sees our libraries, but not this checkout."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    site = next(folder.glob("lib*/**/site-packages"))
    lent = site / "lent"
    lent.mkdir()
    for path in map(Path, filter(None, sys.path)):
        if path.name == "site-packages":
            for entry in path.iterdir():
                if "scorekeeper" not in entry.name and entry.suffix != ".pth":
                    (lent / entry.name).symlink_to(entry)
    (site / "lent.pth").write_text("lent\n")
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def fetch(port: int, path: str) -> str:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()

    assert answer.status == 200, path
    return body


# ---- what is promised about the checkout ---------------------------------------------


def test_lock_files_pin_every_package_by_hash_and_name_no_registry():
    for path in ROOT.glob("requirements*.lock"):
        text = path.read_text()
        packages = re.findall(r"^[a-z0-9][^ ]*==", text, re.MULTILINE)

        assert packages
        assert "://" not in text
        assert "--index" not in text
        assert all("--hash=sha256:" in entry for entry in re.split(r"\n(?=[a-z0-9])", text))


@pytest.mark.parametrize("extra", ["", "camera", "postgres"])
def test_a_lock_file_to_run_names_only_what_the_installed_package_requires(extra):
    text = (ROOT / f"requirements{extra and '-' + extra}.lock").read_text()

    named = set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))

    assert {"flask", "sqlite-utils"} <= named
    assert named <= required("scorekeeper", extra)


def required(package: str, extra: str) -> set[str]:
    """Return all packages that an installed one requires, on any system."""
    found: set[str] = set()
    waiting = [(package, {extra})]
    while waiting:
        name, extras = waiting.pop()
        with suppress(PackageNotFoundError):  # installed on other systems only
            for text in distribution(name).requires or ():
                needs = Requirement(text)
                of_extra = re.search(r"extra == .(\w+)", text)
                key = canonicalize_name(needs.name)
                if key not in found and (not of_extra or of_extra[1] in extras):
                    found.add(key)
                    waiting.append((key, needs.extras))
    return found


def test_every_dependency_has_a_documented_reason():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [pyproject["project"]["dependencies"], *pyproject["dependency-groups"].values()]
    required = {
        re.split(r"[\[>=<]", one)[0] for group in groups for one in group if isinstance(one, str)
    }
    required |= set(json.loads((ROOT / "browser" / "package.json").read_text())["dependencies"])
    answer = (ROOT / "docs" / "dependencies.md").read_text()
    reasons = set(re.findall(r"^\| \*\*([a-z0-9-]+)\*\*", answer, re.MULTILINE))

    assert required <= reasons
    assert reasons - required == {"axe-core"}  # not installed
