"""Parse Accept-Language headers."""

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from scorekeeper.i18n import LANGUAGES


def accepted_languages(header: str | None) -> list[str]:
    """Return the tags of an Accept-Language header, the preferred one first.

    Without a header, return the default language.
    """
    if not header:
        return [LANGUAGES[0]]
    return [tag for tag, quality in parse_accept_header(header, LanguageAccept) if quality > 0]
