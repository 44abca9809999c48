"""Make a release: everything up to the button that publishes it.

``make release`` tests, builds and checks what is released and tags the commit; nothing is pushed.
``make release RELEASE=--rehearse`` builds and checks at any commit, without tests and tag, and
names what a release still needs. ``RELEASE=--check`` looks again at what is in dist/, and
``RELEASE="--rehearse --base IMAGE"`` builds the container from another image of Python.
"""

import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from scorekeeper.config import VERSION
from tools.metadata import readme_for_index

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
SBOM = DIST / f"scorekeeper-{VERSION}.cdx.json"
NOTES = DIST / f"scorekeeper-{VERSION}.md"
IMAGE = DIST / f"scorekeeper-{VERSION}-image.tar.gz"
SUMS = DIST / "SHA256SUMS"
TAG = f"v{VERSION}"
CYCLONEDX = "cyclonedx-bom==7.5.0"
"""Run by uvx, because nothing but a release needs it and its twenty packages."""
EXPECTED = (
    f"scorekeeper-{VERSION}-py3-none-any.whl",
    f"scorekeeper-{VERSION}.tar.gz",
    f"scorekeeper_client-{VERSION}-py3-none-any.whl",
    f"scorekeeper-browser-{VERSION}.zip",
    SBOM.name,
    NOTES.name,
)


class Failed(Exception):
    """A command failed; it has said why."""


def run(*command: str) -> str:
    """Run a command at the top of the checkout and return what it prints; its errors are shown."""
    print("+", *command, flush=True)
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stdout, end="", file=sys.stderr)
        raise Failed(f"{command[0]} {command[1]}" if len(command) > 1 else command[0])
    return done.stdout


def section() -> str:
    """Return what CHANGELOG.md says about this version; empty if it says nothing yet."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    found = re.search(
        rf"^## {re.escape(VERSION)}(?: \(unreleased\))?\n(.*?)(?=^## |\Z)", text, re.M | re.S
    )
    return found[1].strip() if found else ""


def not_ready() -> Iterator[str]:
    """Yield what is missing before this commit can be released."""
    if f"## {VERSION}\n" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        yield f"CHANGELOG.md has no section {VERSION}, or calls it unreleased"
    if not (ROOT / "tests" / "data" / "databases" / f"{VERSION}.sql.gz").exists():
        yield f"no database of this version: python tools/released.py {VERSION}"
    if run("git", "status", "--porcelain", "--untracked-files=no"):
        yield "there are changes that are not committed"
    if run("git", "tag", "--list", TAG):
        yield f"the tag {TAG} exists"
    if not repository():
        yield "pyproject.toml does not say where the sources are: set repository = to their address"


def repository() -> str:
    """Return the address of the sources; empty while nobody has set it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    address: str = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    return address.rstrip("/")


# ---- what is built -------------------------------------------------------------------------


def build(base: str | None) -> Iterator[str]:
    """Build everything into dist/; yield what could not be built here."""
    run("make", "dist")
    run(
        *("uvx", "--quiet", "--from", CYCLONEDX, "cyclonedx-py", "requirements"),
        *("requirements.lock", "--pyproject", "pyproject.toml", "--short-PURLs"),
        *("--output-reproducible", "--output-file", str(SBOM)),
    )
    SBOM.write_text(complete(SBOM.read_text("utf-8")), "utf-8")
    notes = readme_for_index(section(), repository(), VERSION)
    NOTES.write_text(f"# scorekeeper {VERSION}\n\n{notes}\n", "utf-8")
    try:
        build_image(base)
    except Failed as failed:
        yield f"the container could not be built: {failed}"
    SUMS.write_text(sums())


def complete(text: str) -> str:
    """Return the list of dependencies with the version of scorekeeper, and what depends on what.

    The version is not in pyproject.toml, and a lock file does not say which package needs which.
    """
    sbom = json.loads(text)
    root = sbom["metadata"]["component"]
    root["version"] = VERSION
    needed = sorted(one["bom-ref"] for one in sbom["components"])
    others = [one for one in sbom["dependencies"] if one["ref"] != root["bom-ref"]]
    sbom["dependencies"] = [{"ref": root["bom-ref"], "dependsOn": needed}, *others]
    return json.dumps(sbom, indent=2, ensure_ascii=False) + "\n"


def build_image(base: str | None) -> None:
    """Build the container for this architecture; Failed if it cannot be built here."""
    builder = shutil.which("podman") or shutil.which("buildah")
    if not builder:
        raise Failed("there is no podman and no buildah")
    archive, name = IMAGE.with_suffix(""), f"localhost/scorekeeper:{VERSION}"
    argument = ["--build-arg", f"BASE={base}"] if base else []
    kind = ["--format", "docker", *argument, "--tag", name, "--file", "deploy/Containerfile"]
    run(builder, "build", *kind, ".")
    run(builder, "push", name, f"docker-archive:{archive}:scorekeeper:{VERSION}")
    with archive.open("rb") as plain, gzip.open(IMAGE, "wb") as packed:
        shutil.copyfileobj(plain, packed)
    archive.unlink()


def released() -> list[Path]:
    return sorted(file for file in DIST.iterdir() if file.is_file() and file != SUMS)


def sums() -> str:
    """Return the checksums of everything released, as ``sha256sum --check`` reads them."""
    return "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in released()
    )


# ---- and checked ---------------------------------------------------------------------------


def wrong() -> Iterator[str]:
    """Yield what is wrong with the files in dist/."""
    names = {file.name for file in released()}
    yield from (f"{name} is missing" for name in EXPECTED if name not in names)
    yield from (f"{name} is of another version" for name in names if VERSION not in name)
    if SUMS.read_text() != sums():
        yield "SHA256SUMS names other files"
    for file in DIST.glob("*.whl"):
        with zipfile.ZipFile(file) as wheel:
            if f"-{VERSION}.dist-info/METADATA" not in " ".join(wheel.namelist()):
                yield f"{file.name} holds another version"
    locked = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(), re.M))
    listed = {one["name"] for one in json.loads(SBOM.read_text("utf-8"))["components"]}
    yield from (f"{name} is not in {SBOM.name}" for name in sorted(locked - listed))
    if not section():
        yield f"CHANGELOG.md says nothing about {VERSION}"


def main() -> None:
    """Release, or rehearse it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rehearse", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--base", metavar="IMAGE", help="the base image of the container")
    asked = parser.parse_args()
    os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    in_earnest = not (asked.rehearse or asked.check)
    missing = [] if asked.check else list(not_ready())
    if in_earnest and missing:
        sys.exit("\n".join(missing))
    if in_earnest:
        run(".ci/run")
    if not asked.check:
        missing += build(asked.base)
    if in_earnest and missing:
        sys.exit("\n".join(missing))
    if problems := list(wrong()):
        sys.exit("\n".join(problems))
    run(sys.executable, "tools/try_wheel.py", "dist")
    print(f"{DIST} holds scorekeeper {VERSION}:", SUMS.read_text(), sep="\n")
    if missing:
        print("Before this can be released:", *missing, sep="\n- ")
    if in_earnest:
        run("git", "tag", "--annotate", TAG, "--message", f"scorekeeper {VERSION}")
        print(f"Tagged {TAG}. To publish it: git push origin {TAG}, and upload the files.")


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(f"{failed} failed")
