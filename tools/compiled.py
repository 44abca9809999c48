"""Compiles the searches of the domain with mypyc, for a wheel of this machine.

A build hook that is off by default: the universal wheel needs no compiler and is the default.
``make compiled`` switches it on. Nothing is written beside the sources, because a compiled
module would hide later changes of its source.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DOMAIN = Path("scorekeeper", "domain")
COMPILED = ("solver/*.py", "melds/*.py", "budget.py")
INTERPRETED = {
    "__init__.py",
    "meld.py",  # a class compiled by mypyc keeps no cached property
    "findings.py",  # sentences about what was refused, which nobody waits for
}


def modules(root: Path) -> list[str]:
    """Return the modules to compile, as paths in the checkout."""
    found = (file for pattern in COMPILED for file in (root / DOMAIN).glob(pattern))
    return sorted(str(file.relative_to(root)) for file in found if file.name not in INTERPRETED)


def compile_into(folder: Path, root: Path) -> None:
    """Compile the modules of the checkout into a folder, which is emptied first."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    shutil.rmtree(folder, ignore_errors=True)
    before = Path.cwd()
    os.chdir(root)
    try:
        extensions = mypycify(
            ["--follow-imports=silent", *modules(root)],
            target_dir=str(folder / "c"),
            multi_file=True,
            opt_level="2",
            debug_level="0",
        )
        command: Any = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "o")
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)


class CompiledDomain(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, beside their sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and mark the wheel as one for this platform and version of Python."""
        root = Path(self.root)
        folder = root / "build" / "mypyc"
        compile_into(folder, root)
        for file in (folder / "lib").rglob("*.*"):
            build_data["force_include"][str(file)] = str(file.relative_to(folder / "lib"))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
