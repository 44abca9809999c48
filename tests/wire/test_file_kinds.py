"""Recognising the kind of a file that was given to the wrong import, even if it is damaged."""

import json

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wire.file_kinds import Kind, refuse_others

GAME = b'{"format": "scorekeeper game 1", "id": "a"}'
GROUP = b'{"format": "scorekeeper group 1", "games": [' + GAME + b"]}"
COPY = b'{"format": "scorekeeper copy 1", "books": 1}\n' + GROUP
TABLE = b"Date;Anna;Bernd\n2026-03-05;0;35\n"


def kind(content: bytes, wanted: Kind) -> str | None:
    try:
        refuse_others(content, wanted)
    except RuleError as error:
        return str(error.problems[0].facts["why"])
    return None


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (GAME, "is_game"),
        (json.dumps(json.loads(GAME), indent=2).encode(), "is_game"),
        (GAME[:-3], "is_game"),
        (b"\xef\xbb\xbf\r\n" + GAME, "is_game"),
        (GAME.decode().encode("utf-16"), "is_game"),
        (GROUP, "is_group"),
        (GROUP.replace(b", ", b"\n"), "is_group"),
        (COPY, "is_copy"),
        (TABLE, None),
        (b"{Date;Anna;Bernd\n", None),
        (b"", None),
    ],
)
def test_what_is_no_table_is_named(content: bytes, found: str | None) -> None:
    assert kind(content, "table") == found


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (TABLE, "is_table"),
        (b"Our evenings\n\n" + TABLE.replace(b";", b"\t"), "is_table"),
        (TABLE.decode().encode("utf-16"), "is_table"),
        (GROUP, "is_group"),
        (GAME, None),
        (GAME[:-3], None),
        (b"[1, 2, 3]", None),
        (b"nothing, really", None),
        (b"\x89PNG\x81\x8d", None),
        (b"", None),
    ],
)
def test_what_is_no_game_is_named(content: bytes, found: str | None) -> None:
    assert kind(content, "game") == found


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_kind_of_file_is_worded(code: str) -> None:
    lang = language(code)
    for found in ("is_game", "is_group", "is_copy", "is_table"):
        assert "scorekeeper import" in lang(f"E_IMPORT.{found}")
