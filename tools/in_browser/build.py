"""The steps from the sources to a folder of static files."""

import hashlib
import json
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment

from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.i18n.catalogue import read_area
from scorekeeper.in_browser.bridge import Bridge
from scorekeeper.in_browser.edition import Edition
from tools.in_browser.libraries import ROOT, libraries, licences
from tools.in_browser.packing import build_tree, compressed, packs, stdlib_zip

SOURCES = ROOT / "browser"
CAMERA = SOURCES / "camera"
STATIC = ROOT / "scorekeeper" / "static"
INPUTS = ("scorekeeper", "templates", "browser", "tools/in_browser")
ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
PICTURES = ROOT / "docs" / "pictures"
SCREENSHOTS = ("board.en", "points.en", "settlement.en")
COPIES = {"application/json": [".json"], "application/x-ndjson": [".jsonl"]}
"""The files that the edition opens: copies, and games from a server."""
WEIGHTS = ROOT / "scorekeeper" / "camera" / "weights"
NETWORKS = ("detector.onnx", "classifier.onnx")
TYPES = {
    ".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css",
    ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml",
    ".png": "image/png", ".zip": "application/zip", ".webmanifest": "application/manifest+json",
}  # fmt: skip
STYLES = ("base.css", "pad.css", "board.css", "finale.css", "many.css")
ICONS = ("icon.svg", "icon-180.png", "icon-192.png", "icon-512.png")
SCRIPT = re.compile(r"^export ", re.MULTILINE)


class Unavailable(Exception):
    """A program or package is missing that the build needs."""


@dataclass(frozen=True)
class Asset:
    """A file that is loaded before the program starts."""

    url: str
    """Where the pages find it."""
    source: str
    """What is loaded: the file itself, or a compressed copy."""
    size: int
    """The bytes that are loaded."""
    sha256: str
    type: str
    group: str
    """The part of the program that it belongs to, for the progress."""


def build(target: Path) -> str:
    """Build the edition into a folder, unless it is there already; return its version.

    Raises Unavailable if npm or its registry is missing.
    """
    version = fingerprint()
    page = target / "index.html"
    if page.exists() and f'"version": "{version}"' in page.read_text(encoding="utf-8"):
        return version
    work = target.parent / "in_browser"
    packages = npm_packages(work)
    pyodide = packages / "pyodide"
    build_tree(pyodide, work / "tree")
    kernel = arithmetic(packages, work)
    fresh = work / "site"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    Site(fresh, version).write(pyodide, work / "tree", kernel)
    shutil.rmtree(target, ignore_errors=True)
    fresh.replace(target)
    return version


def fingerprint() -> str:
    """Return a name for the content of everything that goes in."""
    digest = hashlib.sha256()
    for folder in INPUTS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(ROOT)} {path.stat().st_size} ".encode())
                digest.update(path.read_bytes())
    for library in libraries():
        digest.update(f"{library.name} {library.version} ".encode())
    return digest.hexdigest()[:12]


def npm_packages(work: Path) -> Path:
    """Install the packages of the lock file, whose checksums npm compares; return their folder."""
    for command in ("npm", "node"):
        if shutil.which(command) is None:
            raise Unavailable(f"{command} is not installed")
    folder = work / "npm"
    lock = (SOURCES / "package-lock.json").read_bytes()
    installed = folder / "package-lock.json"
    finished = folder / "node_modules" / ".package-lock.json"  # npm writes it last
    if finished.exists() and installed.read_bytes() == lock:
        return folder / "node_modules"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(SOURCES / "package.json", folder)
    installed.write_bytes(lock)
    install = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    done = subprocess.run(install, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        shutil.rmtree(folder)
        raise Unavailable(f"npm could not fetch the packages: {done.stderr.strip()[-400:]}")
    return folder / "node_modules"


def arithmetic(packages: Path, work: Path) -> Path:
    """Compile the arithmetic of the networks for WebAssembly, and return the file."""
    compiler = packages / "assemblyscript" / "bin" / "asc.js"
    target = work / "networks.wasm"
    options = ("-O3", "--runtime", "stub", "--enable", "simd", "--noAssert", "--importMemory")
    command = ("node", compiler, CAMERA / "networks.ts", *options, "--outFile", target)
    subprocess.run(command, check=True)
    return target


class Site:
    """The folder of static files that is being written."""

    def __init__(self, folder: Path, version: str) -> None:
        self._folder, self._version = folder, version
        self._assets: list[Asset] = []

    def write(self, pyodide: Path, tree: Path, kernel: Path) -> None:
        """Write all files; the page and the service worker name them and come last."""
        engine = self._folder_of("engine", [pyodide / name for name in ENGINE], "engine")
        stdlib = self._pack("stdlib.zip", stdlib_zip(tree), "engine")
        packed = packs(tree)
        groups = {"program": "program", "libraries": "engine", "paper": "paper"}
        packages = [
            self._pack(f"{name}.pack", content, groups[name]) for name, content in packed.items()
        ]
        scripts = (path for path in SOURCES.glob("*.js") if path.name != "service.js")
        shared = (STATIC / name for name in (*STYLES, *ICONS))
        shell = self._folder_of(
            "shell", [*sorted(scripts), SOURCES / "shell.css", *shared], "program"
        )
        manifest = self._manifest(shell)
        paper = self._meanwhile()
        first, self._assets = self._assets, []
        reader = [*sorted(CAMERA.glob("*.js")), kernel, *(WEIGHTS / name for name in NETWORKS)]
        folder = self._folder_of("photographs", reader, "photographs")
        facts = {
            "version": self._version,
            "engine": engine,
            "stdlib": stdlib,
            "packs": packages,
            "paper": paper,
            "files": [asdict(asset) for asset in first],
            "photographs": {"folder": folder, "files": [asdict(asset) for asset in self._assets]},
        }
        self._text("service.js", f"const BUILD = {json.dumps(facts)};\n{service_script()}")
        template = Environment(autoescape=True).from_string(_read(SOURCES / "index.html"))
        page = template.render(
            build={**facts, "words": words()},
            shell=f"{shell}shell.js",
            styles=[f"{shell}{name}" for name in (*STYLES, "shell.css")],
            icon=f"{shell}icon.svg",
            touch_icon=f"{shell}icon-180.png",
            manifest=manifest,
        )
        self._text("index.html", page)
        self._text("licences.txt", "\n".join(licences()))

    def _manifest(self, shell: str) -> str:
        about = json.loads(_read(STATIC / "app.webmanifest"))
        for icon in about["icons"]:
            icon["src"] = f"{shell}{icon['src']}"
        about |= {
            "screenshots": list(self._screenshots()),
            "file_handlers": [{"action": "./", "accept": COPIES}],
            "start_url": "./",
            "scope": "./",
            "id": "./",
            "share_target": {
                "action": "app/copies",
                "method": "POST",
                "enctype": "multipart/form-data",
                "params": {"files": [{"name": "file", "accept": [".json", ".jsonl", "*/*"]}]},
            },
            "shortcuts": [{"name": "Rommé", "url": "./#/new"}],
        }
        self._text("app.webmanifest", json.dumps(about))
        return "app.webmanifest"

    def _screenshots(self) -> Iterator[dict[str, str]]:
        """Write pictures of pages for the browser's offer to install; yield what they are."""
        for name in SCREENSHOTS:
            content = (PICTURES / f"{name}.png").read_bytes()
            width, height = struct.unpack(">II", content[16:24])
            path = f"screenshot-{_hash(content)[:10]}.png"
            self._write(path, content)
            about = {"type": "image/png", "form_factor": "narrow"}
            yield {"src": path, "sizes": f"{width}x{height}", **about}

    def _meanwhile(self) -> dict[str, dict[str, str]]:
        """Write paper for the first visit, while Python is on its way; return it by language."""
        with TemporaryDirectory() as folder:
            bridge = Edition("https://localhost/app").open(f"{folder}/none.sqlite")
            found = {code: dict(self._paper(bridge, code)) for code in LANGUAGES}
            bridge.app.extensions["ledger"].close()
        return found

    def _paper(self, bridge: Bridge, code: str) -> Iterator[tuple[str, str]]:
        preset = language(code).usual_presets[0]
        pages = {"card": f"rules-card.pdf?preset={preset}", "pad": f"pad.pdf?preset={preset}"}
        for name, page in pages.items():
            url = f"https://localhost/app/pads/{page}"
            answer = bridge.answer("GET", url, [("accept-language", code)])
            if answer.status != 200:
                raise ValueError(f"{url}: {answer.status}")
            path = f"{name}.{code}-{_hash(answer.body)[:10]}.pdf"
            self._write(path, answer.body)
            yield name, path

    def _folder_of(self, name: str, files: list[Path], group: str) -> str:
        """Add files that name each other to a folder named by their content; return its URL."""
        contents = {file.name: file.read_bytes() for file in files}
        folder = f"{name}-{_hash(b''.join(contents.values()))[:10]}/"
        for file, content in contents.items():
            self._add(f"{folder}{file}", content, group)
        return folder

    def _pack(self, name: str, content: bytes, group: str) -> str:
        stem, _, ending = name.rpartition(".")
        url = f"{stem}-{_hash(content)[:10]}.{ending}"
        self._add(url, content, group)
        return url

    def _add(self, url: str, content: bytes, group: str) -> None:
        """Add a file to load; a large one lies there compressed, as few hosts compress it."""
        packed = compressed(content)
        pays = len(packed) < 0.9 * len(content) and len(content) > 50_000
        source, loaded = (f"{url}.gz.bin", packed) if pays else (url, content)
        self._write(source, loaded)
        kind = TYPES.get(Path(url).suffix, "application/octet-stream")
        asset = Asset(url, source, len(loaded), _hash(loaded), kind, group)
        self._assets.append(asset)

    def _text(self, name: str, text: str) -> None:
        self._write(name, text.encode())

    def _write(self, name: str, content: bytes) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def service_script() -> str:
    """Return the service worker as one script, since not every browser lets it import."""
    loading = SCRIPT.sub("", _read(SOURCES / "loading.js"))
    return f"{loading}\n{_read(SOURCES / 'service.js')}"


def words() -> dict[str, dict[str, Any]]:
    """Return the words of the shell in all languages, without those of pages in the same file."""
    areas = {code: read_area(code, "browser") for code in LANGUAGES}
    return {
        code: {key: forms for key, forms in area.items() if key.startswith("browser.")}
        for code, area in areas.items()
    }


def sizes(target: Path) -> Iterator[str]:
    """Yield a line for every part and for the whole: what a first visit loads."""
    for group, size in loaded_bytes(target).items():
        yield f"{group:10} {size / 1e6:6.2f} MB"
    yield f"{'in all':10} {megabytes(target):6.2f} MB"


def megabytes(target: Path) -> float:
    """Return how much a first visit loads."""
    return sum(loaded_bytes(target).values()) / 1e6


def loaded_bytes(target: Path) -> dict[str, int]:
    """Return the bytes that a first visit loads, by part of the program."""
    found = re.search(r'id="build">(.*?)</script>', _read(target / "index.html"))
    groups: dict[str, int] = {}
    for file in json.loads(found[1])["files"] if found else []:
        groups[file["group"]] = groups.get(file["group"], 0) + file["size"]
    return groups


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
