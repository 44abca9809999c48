"""The Python files that go into the browser: the program, and the libraries that it needs.

The libraries come from the virtual environment, where pip installed them from a lock file with
hashes. Nothing here lists modules of the program.
"""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from babel.core import get_global

from scorekeeper.i18n.languages import TRAITS
from scorekeeper.in_browser.edition import COMPILED, Edition

ROOT = Path(__file__).parents[2]
PROGRAM = "scorekeeper"
ELSEWHERE = {*("granian", "uvloop", "pillow", "pip", "prometheus-client"), "charset-normalizer"}
"""What only servers need, and Pillow, which does not exist for browsers (browser/python/PIL)."""
AS_WELL = ("tzdata",)
"""What a system has and a browser has not."""
UNUSED_SUFFIXES = {
    *(".so", ".pyd", ".pyi", ".c", ".h", ".pyx", ".pxd", ".typed", ".pot", ".js", ".css"),
}
UNUSED_FOLDERS = {"tests", "testsuite", "__pycache__"}
UNUSED = re.compile(
    r"""
    babel/messages/(frontend|extract|setuptools|jslexer|checkers) |
    wtforms/locale/ | werkzeug/(debug/|_reloader|testapp) | sqlite_utils/cli\. |
    packaging/(licenses/|dependency_groups|direct_url|metadata|pylock|tags|_manylinux|_musllinux) |
    dateutil/(zoneinfo/|easter|rrule|tz/win) |
    reportlab/fonts/ | reportlab/graphics/ |
    tzdata/zoneinfo/(right|posix|.*\.(tab|zi)$) |
    scorekeeper/(cli|client|serving|store/postgres)/ |
    scorekeeper/camera/weights/.*\.(onnx|md)$ |
    .*\.dist-info/(?!METADATA$|entry_points\.txt$)
    """,
    re.VERBOSE,
)
"""What no page of the edition reads, by far the most of it."""
LICENCE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


def needed(name: str, found: dict[str, Distribution]) -> dict[str, Distribution]:
    """Add a distribution and what it requires to ``found``, by name."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in found or key in ELSEWHERE:
        return found
    try:
        found[key] = distribution(name)
    except PackageNotFoundError:  # needed on other systems only
        return found
    for requirement in found[key].requires or ():
        if "extra ==" not in requirement:
            needed(re.split(r"[^\w.-]", requirement)[0], found)
    return found


def libraries() -> list[Distribution]:
    """Return the libraries of the edition."""
    found: dict[str, Distribution] = {}
    for name in (PROGRAM, *AS_WELL):
        needed(name, found)
    return [one for key, one in sorted(found.items()) if key != PROGRAM]


def copy_libraries(target: Path) -> None:
    """Copy the files of all libraries."""
    for library in libraries():
        for file in library.files or ():
            if not file.parts[0].startswith("..") and is_used(file):
                _copy(Path(str(file.locate())), target / file)


def copy_program(target: Path) -> None:
    """Copy the program, its templates as modules, and the modules that stand in for others."""
    for folder, inside in ((ROOT / PROGRAM, PROGRAM), (ROOT / "browser" / "python", "")):
        for file in sorted(folder.rglob("*")):
            path = PurePosixPath(inside, file.relative_to(folder).as_posix())
            if file.is_file() and (is_used(path) or path.suffix in (".js", ".css")):
                _copy(file, target / path)
    folder = target / COMPILED.relative_to(ROOT)
    Edition("https://localhost/app").templates.compile_templates(folder, zip=None)


def is_used(file: PurePosixPath) -> bool:
    """Return whether a file goes into the edition."""
    if file.parent.name == "locale-data":
        return file.stem in locales()
    return not (
        file.suffix in UNUSED_SUFFIXES
        or UNUSED_FOLDERS & set(file.parts[:-1])
        or UNUSED.match(file.as_posix())
    )


@cache
def locales() -> set[str]:
    """Return the locales of the program's languages, and those from which Babel derives them."""
    found, parents = {"root"}, get_global("parent_exceptions")
    for traits in TRAITS.values():
        name = traits.locale
        while name and name not in found:
            found.add(name)
            name = parents.get(name) or name.rpartition("_")[0]
    return found


def licences() -> Iterator[str]:
    """Yield the licences of all libraries, which must go with them."""
    for library in libraries():
        yield f"==== {library.name} {library.version}\n"
        for file in library.files or ():
            if ".dist-info" in file.parts[0] and LICENCE.search(file.name):
                yield file.read_text(encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
