"""Python files compiled for Pyodide and packed so that they load fast."""

import gzip
import json
import shutil
import struct
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.in_browser.libraries import copy_libraries, copy_program

COMPILER = Path(__file__).with_name("compile.mjs")
LEVEL = 9
STDLIB, PROGRAM = "lib/python314.zip", "program"
"""Where Python finds both in the browser."""
PAPER = ("reportlab/", "scorekeeper/pdf/", "charset_normalizer/")
OURS = ("scorekeeper/", "PIL/", "numpy/", "onnxruntime.")
UNUSED_STDLIB = {
    *("_pyio.py", "_pyrepl", "bdb.py", "doctest.py", "idlelib", "modulefinder.py"),
    *("multiprocessing", "optparse.py", "pdb.py", "plistlib.py", "pydoc.py", "turtledemo"),
    *("wsgiref", "xmlrpc", "ftplib.py", "imaplib.py", "mailbox.py", "poplib.py", "smtplib.py"),
    *("cProfile.py", "pickletools.py", "profile.py", "pstats.py", "tabnanny.py", "trace.py"),
    *("turtle.py", "sqlite3/__main__.py", "unittest", "wave.py", "xml/dom", "xml/etree"),
}
UNUSED_ENCODINGS = (
    *("cp7", "cp8", "cp10", "cp12", "mac_", "iso8859_", "koi8", "big5", "gb", "euc_", "shift"),
)


def build_tree(pyodide: Path, tree: Path) -> None:
    """Make a folder with the compiled standard library, libraries and program."""
    with tempfile.TemporaryDirectory(dir=tree.parent) as folder:
        work = Path(folder)
        with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
            archive.extractall(work / STDLIB)
        copy_libraries(work / PROGRAM)
        copy_program(work / PROGRAM)
        subprocess.run(["node", COMPILER, pyodide, work], check=True)
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(work, tree)


def stdlib_zip(tree: Path) -> bytes:
    """Return the standard library as an archive that is not compressed: what transfers it is."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for path in sorted((tree / STDLIB).rglob("*")):
                name = path.relative_to(tree / STDLIB).as_posix()
                if path.is_file() and is_used(name):
                    archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
        file.seek(0)
        return file.read()


def is_used(name: str) -> bool:
    """Return whether a file of the standard library goes into the edition."""
    first, _, rest = name.removesuffix("c").partition("/")
    if first == "encodings":
        return not rest.startswith(UNUSED_ENCODINGS)
    module = name.removesuffix("c")
    return not {first, module, module.rpartition("/")[0]} & UNUSED_STDLIB


def packs(tree: Path) -> Mapping[str, bytes]:
    """Return the packs by name: the program, what it needs, and what paper needs."""
    files: dict[str, list[tuple[str, bytes]]] = {"program": [], "libraries": [], "paper": []}
    for path in sorted((tree / PROGRAM).rglob("*")):
        if path.is_file():
            name = path.relative_to(tree / PROGRAM).as_posix()
            pack = (
                "paper" if name.startswith(PAPER)
                else "program" if name.startswith(OURS)
                else "libraries"
            )  # fmt: skip
            files[pack].append((name, path.read_bytes()))
    return {name: packed(content) for name, content in files.items()}


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return files as one: the length of a list of names and sizes, the list, the contents."""
    files = list(files)
    names = [[*name.rpartition("/")[::2], len(content)] for name, content in files]
    listed = json.dumps(names, separators=(",", ":")).encode()
    return b"".join([struct.pack(">I", len(listed)), listed, *(content for _, content in files)])


def compressed(content: bytes) -> bytes:
    """Return content for the way to the browser."""
    return gzip.compress(content, LEVEL, mtime=0)
