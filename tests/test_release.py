"""What ``make release`` writes beside the packages, and what it says where something is missing."""

import json
from pathlib import Path

import pytest

from scorekeeper.config import VERSION
from tools import release
from tools.metadata import RELATIVE


def test_the_list_of_dependencies_names_our_version_and_what_we_need() -> None:
    root = {"bom-ref": "root-component", "name": "scorekeeper"}
    parts = [{"bom-ref": "L2", "name": "flask"}, {"bom-ref": "L1", "name": "babel"}]
    bare = {"metadata": {"component": root}, "components": parts, "dependencies": [{"ref": "L1"}]}

    found = json.loads(release.complete(json.dumps(bare)))

    assert found["metadata"]["component"]["version"] == VERSION
    assert found["dependencies"] == [
        {"ref": "root-component", "dependsOn": ["L1", "L2"]},
        {"ref": "L1"},
    ]


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the results; nothing is built, and no container can be."""
    for name in ("SBOM", "NOTES", "SUMS", "IMAGE"):
        monkeypatch.setattr(release, name, tmp_path / getattr(release, name).name)
    monkeypatch.setattr(release, "DIST", tmp_path)
    monkeypatch.setattr(release.shutil, "which", lambda name: "/usr/bin/podman")

    def run(*command: str) -> str:
        if "cyclonedx-py" in command:
            bare = {"metadata": {"component": {"bom-ref": "root"}}}
            empty = {"components": [], "dependencies": []}
            release.SBOM.write_text(json.dumps(bare | empty), "utf-8")
        if "build" in command:
            raise release.Failed("podman build")
        return ""

    monkeypatch.setattr(release, "run", run)
    return tmp_path


def test_what_cannot_be_built_is_named_and_the_rest_is_there(dist: Path) -> None:
    assert list(release.build(None)) == ["the container could not be built: podman build"]
    assert {file.name for file in dist.iterdir()} == {
        file.name for file in (release.SBOM, release.NOTES, release.SUMS)
    }


def test_the_notes_of_a_release_have_no_relative_addresses(dist: Path) -> None:
    list(release.build(None))
    text = release.NOTES.read_text("utf-8")

    assert RELATIVE.search(release.section())
    assert text.startswith(f"# scorekeeper {VERSION}\n") and not RELATIVE.search(text)
