"""The fonts of the PDFs, and names that they cannot print."""

import hashlib
import unicodedata
from typing import Any

import pytest
from reportlab.pdfbase import pdfmetrics

from scorekeeper.i18n import LANGUAGES
from scorekeeper.i18n.catalogue import read_catalogue
from scorekeeper.i18n.printable import characters, printable, unprintable
from scorekeeper.pdf.fonts import FONT_DIRECTORY, FONT_FILES
from scorekeeper.pdf.layout import register_fonts
from scorekeeper.wire.frames import FrameSchema
from scorekeeper.wire.groups import NewEveningSchema
from scorekeeper.wire.rounds import RoundSchema
from scorekeeper.wire.schemas import DetailsSchema, NewGameSchema, PlayerSchema
from scorekeeper.wire.strict import FormError, StrictSchema, load

OPTION_PATH = ("rules", "options", "settle.unit")
RESERVED = {"\u00a0", "\u202f", "☐", "☑"}
"""Characters that only our own texts use; names may not contain them."""


def test_the_vendored_fonts_are_those_of_the_checksums() -> None:
    sums = dict(
        line.split()[::-1] for line in (FONT_DIRECTORY / "SHA256SUMS").read_text().splitlines()
    )

    assert sums == {
        file: hashlib.sha256((FONT_DIRECTORY / file).read_bytes()).hexdigest()
        for file in FONT_FILES.values()
    }


@pytest.mark.parametrize("face", FONT_FILES)
def test_every_face_draws_every_character_that_names_may_use(face: str) -> None:
    register_fonts()
    glyphs = pdfmetrics.getFont(face).face.charToGlyph

    assert {c for c in characters() if not glyphs.get(ord(c))} == set()


def test_names_use_only_noncombining_left_to_right_characters() -> None:
    assert {unicodedata.category(c)[0] for c in characters() - {" "}} <= {"L", "N", "P", "S"}
    assert not {c for c in characters() if unicodedata.bidirectional(c) in ("R", "AL")}
    assert not characters() & RESERVED


@pytest.mark.parametrize("name", ["Änne", "Łukasz", "Zoë", "Ελένη", "Жанна", "Ẽva", "O’Neill", "♥"])
def test_a_name_that_the_fonts_can_draw_is_accepted(name: str) -> None:
    assert unprintable(name) == ""
    assert printable(name) == name


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("李雷 & 李雷", "李雷"),
        ("Joker 🃏", "🃏"),
        ("Anna\u200b", "\u200b"),
        ("An\u00adna", "\u00ad"),
        ("Anna\u202eanA", "\u202e"),
        ("Anna\u00a0B", "\u00a0"),
        ("שרה", "שרה"),
        ("☑ Anna", "☑"),
    ],
)
def test_each_unprintable_character_is_listed_once(name: str, missing: str) -> None:
    assert unprintable(name) == missing


def test_a_name_that_cannot_be_printed_is_refused_where_it_is_entered() -> None:
    with pytest.raises(FormError) as refused:
        load(PlayerSchema(), {"name": "李雷"})

    assert [(p.code, p.facts["why"], p.path) for p in refused.value.problems] == [
        ("E_FORM", "text", ("name",))
    ]


@pytest.mark.parametrize(
    ("schema", "body", "place"),
    [
        (DetailsSchema, {"title": "Abend 🎉"}, ("title",)),
        (DetailsSchema, {"place": "北京"}, ("place",)),
        (RoundSchema, {"outcome": "cancelled", "note": "schade 🙈"}, ("note",)),
        (NewEveningSchema, {"title": "🎉", "players": [{"name": "A"}]}, ("title",)),
        (FrameSchema, {"options": {"settle.unit": "🙈"}}, ("options", "settle.unit")),
    ],
)
def test_titles_places_and_notes_that_cannot_be_printed_are_refused(
    schema: type[StrictSchema], body: dict[str, Any], place: tuple[str, ...]
) -> None:
    with pytest.raises(FormError) as refused:
        load(schema(), body)

    assert [(p.code, p.facts["why"], p.path) for p in refused.value.problems] == [
        ("E_FORM", "text", place)
    ]


def test_text_becomes_one_line_and_unprintable_characters_are_replaced() -> None:
    assert printable(" Anna\n\tund  李 ") == "Anna und \ufffd"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_catalogue_sentence_can_be_printed(code: str) -> None:
    areas = (
        "paper.",
        "pages.group.",
        "mark.",
        "reason.",
        "E_",
        "preset.",
        "play.",
        "value.",
        "card.",
        "deal.",
        "option.",
    )
    words = {
        sentence
        for key, forms in read_catalogue(code).items()
        if key.startswith(areas)
        for sentence in forms
    }

    assert {c for word in words for c in word} - characters() <= RESERVED


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"stake": {"unit": "李"}}, ("stake", "unit")),
        ({"rules": {"preset": "robber", "options": {"settle.unit": "李"}}}, OPTION_PATH),
    ],
)
def test_a_unit_that_cannot_be_printed_is_refused_where_it_is_entered(
    body: dict[str, object], path: tuple[str, ...]
) -> None:
    order = {"title": "", "rules": {"preset": "robber"}, "players": [{"name": "A"}, {"name": "B"}]}
    with pytest.raises(FormError) as refused:
        load(NewGameSchema(), order | body)

    assert [(p.code, p.facts["why"], p.path) for p in refused.value.problems] == [
        ("E_FORM", "text", path)
    ]
