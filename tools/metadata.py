"""What the wheel tells a package index: the README and the addresses of the project.

An index page does not know where the files of this tree are. So pictures and links of the README
become absolute, below ``repository`` in pyproject.toml. Without that address their words remain.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")
"""A picture or link whose address is a path of this tree: mark, words, path."""


def readme_for_index(text: str, repository: str, version: str) -> str:
    """Return the README with absolute addresses, at the tag of this version."""

    def absolute(found: re.Match[str]) -> str:
        mark, words, path = found.groups()
        if not repository:
            return words
        return f"{mark}[{words}]({repository}/{'raw' if mark else 'blob'}/v{version}/{path})"

    return RELATIVE.sub(absolute, text)


def addresses(repository: str, version: str) -> dict[str, str]:
    """Return the addresses of the project by the names that indexes know."""
    if not repository:
        return {}
    tree = f"{repository}/blob/v{version}"
    return {
        "Homepage": repository,
        "Documentation": f"{tree}/docs/README.md",
        "Changelog": f"{tree}/CHANGELOG.md",
        "Source": repository,
        "Issues": f"{repository}/issues",
    }


class ProjectMetadata(MetadataHookInterface):
    """Adds README and addresses when a wheel or source archive is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme`` and ``urls``."""
        root, repository = Path(self.root), self.config["repository"].rstrip("/")
        settings = (root / "scorekeeper" / "config.py").read_text("utf-8")
        version = re.search(r'^VERSION = "(.+)"', settings, re.MULTILINE)
        assert version
        text = readme_for_index((root / "README.md").read_text("utf-8"), repository, version[1])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses(repository, version[1])
