"""Files to download or to show, with names such as ``Rommé 22.11.2026.pdf``."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from flask import Response

from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import Language
from scorekeeper.web.compression import unless_known

FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')
"""Characters that some file systems do not allow."""
MOST = 100
CSV, JSON = "text/csv; charset=utf-8", "application/json"
PDF, PNG = "application/pdf", "image/png"
NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True)
class File:
    """A file with its name and media type."""

    content: bytes | Iterator[str]
    """An iterator is sent while it produces the content."""
    name: str
    kind: str
    is_constant: bool = False
    """Whether the content is the same for everyone; clients that have it are answered 304."""

    def response(
        self, way: Literal["attachment", "inline"], headers: Mapping[str, str] = NO_HEADERS
    ) -> Response:
        """Return the file to download or to show, with further headers."""
        disposition = {"Content-Disposition": content_disposition(way, self.name)}
        response = Response(
            self.content, headers={**headers, **disposition}, content_type=self.kind
        )
        if self.is_constant:
            response.add_etag()
            unless_known(response)
        return response


def content_disposition(kind: str, name: str) -> str:
    """Return the header for a file name (RFC 6266), with a plain one for old clients."""
    name = FORBIDDEN.sub(" ", name).strip()[-MOST:]
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    header = f'{kind}; filename="{plain}"'
    return header if plain == name else f"{header}; filename*=UTF-8''{quote(name, safe='')}"


def game_file(game: Game, lang: Language, what: str = "") -> str:
    """Return the name of a file about a game, without its ending: game, date, kind of document."""
    played = lang(f"paper.pad.{game.rules.family}")
    return " ".join(filter(None, (played, lang.numeric_date(game.created_at), what)))
