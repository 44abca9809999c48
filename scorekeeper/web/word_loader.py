"""Templates in the words of one language."""

import json
import re
from collections.abc import Callable

from jinja2 import BaseLoader, Environment

from scorekeeper.i18n import Language

CALL = re.compile(
    r"""\blang\((?P<quote>["'])(?P<key>[\w.]+)(?P=quote)(?P<facts>(?:, \w+=(["'])[^"']*\4)*)\)"""
)
"""The words of a constant key, with constant facts if any."""
FACT = re.compile(r"""(\w+)=["']([^"']*)["']""")


class WordLoader(BaseLoader):
    """Loads templates with the words of a language in the place of constant keys.

    Most words of a page are constant. Put in before a template is compiled, they cost nothing.
    """

    def __init__(self, loader: BaseLoader, lang: Language) -> None:
        self._loader, self._lang = loader, lang

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return the source of a template, its path, and whether it is still current."""
        source, path, is_current = self._loader.get_source(environment, template)
        return CALL.sub(self._literal, source), path, is_current

    def _literal(self, found: re.Match[str]) -> str:
        words = self._lang(found["key"], **dict(FACT.findall(found["facts"])))
        return json.dumps(words, ensure_ascii=False)
