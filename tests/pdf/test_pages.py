"""The look of the score sheet: nothing overlaps, nothing is cut off, nothing is loaded."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bars import tries
from pdf.layout_checks import LETTERS, assert_inert, assert_tidy, hostile_names, tables
from pdf.paper import BEGAN, FOUR, LIVE, Print, played, printed, rules_of, scored, some_rounds
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf import SHEET_SIZES, layout, picture, score_sheets
from scorekeeper.pdf.density import CLOSE, ROOMY
from scorekeeper.pdf.fonts import FONT_DIRECTORY, FONT_FILES
from scorekeeper.pdf.layout import PAGE_FORMATS
from scorekeeper.pdf.rounds import LEAST_REMARKS, columns_of
from scorekeeper.wording.sheet import Words

SYSTEMS = ["german-family", "romme-palast", "robber", "luxembourg", "wiener", "knock-rummy"]


@pytest.mark.long
@settings(max_examples=20, phases=(Phase.explicit, Phase.generate))
@given(
    tables,
    st.integers(0, 60),
    st.sampled_from([*SYSTEMS, "gin-palast", "teams"]),
    st.sampled_from(LANGUAGES),
    st.sampled_from(SHEET_SIZES),
    st.booleans(),
    st.text(LETTERS + " ", max_size=120),
)
def test_nothing_overlaps_on_any_score_sheet(
    players: list[str],
    rounds: int,
    system: str,
    code: str,
    size: str,
    details: bool,
    title: str,
) -> None:
    teams = {"teams": True} if system == "teams" else {}
    preset = "gin-palast" if teams else system
    rules = rules_of(preset, settle__point_value="1/7", settle__unit="Groschen", **teams)
    players = [*players, *"abcd"][: max(min(len(players), rules.players.max), rules.players.min)]
    texts = {"title": title, "note.1": title, "place": title}
    game = played(rules, players, some_rounds(len(players), rounds), texts)

    assert_tidy(
        printed(game, code, size=size, details=details, head="0123456789abcdef", address=LIVE)
    )


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("german-family", {}),
        ("romme-palast", {}),
        ("romme-palast", {"rank__measure": "net", "settle__unit": "WWWWWWWWWWWW"}),
        ("luxembourg", {}),
    ],
)
@pytest.mark.parametrize("size", SHEET_SIZES)
def test_six_long_names_with_five_digits_stay_apart(
    preset: str, options: dict[str, str], size: str
) -> None:
    names = [f"Maximiliane-Alexandra von und zu Hohenstein {n}" for n in range(6)]
    rounds = [tuple(0 if s == n % 6 else 2999 + s for s in range(6)) for n in range(9)]
    options = {"settle__point_value": "1/7", **options}
    paper = printed(played(rules_of(preset, **options), names, rounds), size=size)

    assert_tidy(paper)
    assert "5 Maximiliane-Alexandra von und zu Hohenstein 4" in paper.text


@pytest.mark.parametrize("size", SHEET_SIZES)
def test_a_high_standing_that_is_lost_again_fits_below_the_points(size: str) -> None:
    won = [(0, *[199] * 5)] * 12
    lost = [
        tuple(995 if s == 0 else 0 if s == 1 + n % 5 else 2 for s in range(6)) for n in range(12)
    ]
    rules = rules_of("romme-palast", rank__measure="net", end__mode="manual")
    paper = printed(played(rules, [*FOUR, "Emil", "Frieda"], [*won, *lost]), size=size)

    assert "11940" in paper.text
    assert_tidy(paper)


def many_columns(columns: int, rounds: int) -> Game:
    """Return a game of four in which newcomers took the place of others, who keep a column."""
    names = ["Anna", "Bernd", "Cora", "Dora", "Emil", "Fritz", "Gustav", "Hanna", "Ida", "Jo"]
    rules = rules_of("german-family", settle__point_value="1")
    game = played(rules, [*names, "Karl", "Lena"][:columns], [])
    sheet = Sheet(rules, 4).record(BEGAN, *scored(rules, (0, 199, 35, 20)))
    for place in range(columns - 4):
        sheet = sheet.seat_added(in_place_of=place)
        away = [None] * (place + 1)
        sheet = sheet.record(BEGAN, *scored(rules, (*away, *some_rounds(4, 8)[place])))
    for points in some_rounds(4, rounds - len(sheet.rows)):
        sheet = sheet.record(BEGAN, *scored(rules, (*[None] * (columns - 4), *points)))
    return replace(game, sheet=sheet, ended_by_hand=True)


@pytest.mark.parametrize("columns", [7, 8, 9, 10, 11, 12])
@pytest.mark.parametrize("code", LANGUAGES)
def test_remarks_have_room_beside_any_number_of_columns(columns: int, code: str) -> None:
    words = Words(many_columns(columns, 9), language(code, "UTC"))
    for size, density in product(SHEET_SIZES, (ROOMY, CLOSE)):
        width = PAGE_FORMATS[size].width
        layout, _ = columns_of(words, width, density)

        assert layout.remarks >= LEAST_REMARKS - 0.01
        assert sum(layout.widths(columns)) == pytest.approx(width)


@pytest.mark.parametrize(
    ("columns", "rounds", "code", "size"),
    [
        (8, 9, "fr", "A5"),
        (9, 9, "fr", "A5"),
        (8, 41, "fr", "A5"),
        (12, 9, "en", "A5"),
        (12, 30, "fr", "A5"),
        (12, 30, "lb", "A5"),
        (12, 9, "fr", "A4"),
        (12, 41, "de", "A4"),
    ],
)
def test_a_sheet_of_many_columns_is_printed(
    columns: int, rounds: int, code: str, size: str
) -> None:
    paper = printed(many_columns(columns, rounds), code, size=size, address=LIVE)

    assert_tidy(paper)


def test_truncated_names_stay_distinguishable() -> None:
    names = ["Bartholomäus der Erste von Luxemburg", "Bartholomäus der Zweite von Luxemburg"]
    paper = printed(played(rules_of("german-family"), names, [(0, 30)]))
    head = next(line for line in paper.lines() if line.startswith("1 Barth"))

    assert "2 Barth" in head


@pytest.mark.parametrize("players", [4, 6, 8])
@pytest.mark.parametrize("size", SHEET_SIZES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_whoever_has_only_a_number_somewhere_is_named_at_the_top(
    players: int, size: str, code: str
) -> None:
    names = ["Anna", "Bernd", "Claire", "Hannelore", "Elisabeth", "Dieter", "Gustav", "Friedrich"]
    rules = rules_of("german-family", players__max=8, deck__packs=3)
    paper = printed(played(rules, names[:players], some_rounds(players, 6)), code, size=size)
    words = " ".join(paper.written.split())

    if re.search(r"[1-8]( \w*)?…", words):
        assert all(f"{at} {name}" in words for at, name in enumerate(names[:players], start=1))
    else:
        assert "1 Anna" not in words


def test_a_number_of_two_digits_is_never_cut() -> None:
    names = [f"Anna {letter}" for letter in "abcdefghijkl"]

    for width in range(1, 30):
        shown = layout.truncate_names(names, "Sans-Bold", 9, width)
        assert len(set(shown)) == 12, width


@pytest.mark.parametrize("cut", [layout.truncate, picture.truncate])
def test_a_text_is_cut_off_behind_a_letter_where_it_ends(
    cut: Callable[[str, str, float, float], str],
) -> None:
    shown = dict.fromkeys(cut("Oma Eva", "Sans", 10, width) for width in range(60))

    assert list(shown) == ["…", "O…", "Om…", "Oma…", "Oma E…", "Oma Eva"]


@pytest.mark.parametrize("width", [-5, 0, 0.5])
def test_a_text_without_room_stands_letter_by_letter(width: float) -> None:
    assert layout.wrap_text("Oma Eva", "Sans", 10, width).split("\n") == list("OmaEva")


@pytest.mark.parametrize("rounds", range(24, 40))
def test_the_totals_never_stand_alone_on_a_page(rounds: int) -> None:
    paper = printed(played(rules_of("german-family"), FOUR, some_rounds(4, rounds)))
    page = next(page for page in paper.pages if "Minuspunkte" in page)

    assert "Rommé" in page.split("Vermerk")[1].split("Minuspunkte")[0]


@pytest.mark.parametrize("rounds", [1, 40, 500])
def test_every_page_has_its_number_and_the_column_headings(rounds: int) -> None:
    pages = printed(played(rules_of("german-family"), FOUR, some_rounds(4, rounds))).pages

    for number, page in enumerate(pages, start=1):
        assert f"Blatt {number} von {len(pages)}" in page
        assert "Spielzettel" in page
        if "Rommé" in page.replace("Familien-Rommé", ""):
            assert "Geber" in page and "Vermerk" in page


def test_sheets_in_one_file_have_their_own_page_numbers_and_tell_when_they_begin() -> None:
    games = [played(rules_of("german-family"), FOUR, some_rounds(4, n)) for n in (2, 30, 3)]
    begun: list[int] = []
    data = score_sheets(games, language("de"), size="A4", details=False, on_start=begun.append)

    assert begun == [0, 1, 2]
    assert re.findall(r"Blatt (\d von \d)", Print(data).text) == [
        "1 von 1", "1 von 2", "2 von 2", "1 von 1",
    ]  # fmt: skip


@pytest.mark.parametrize("number", [11, 12])
def test_a_page_that_the_usual_layout_exceeds_is_filled_with_room_to_write(number: int) -> None:
    paper = printed(played(rules_of("german-family"), FOUR, some_rounds(4, number)))

    assert len(paper.reader.pages) == 1
    assert "Je Spieler: Runde, Stand" in paper.text  # as where the parts are closer
    assert "Bemerkungen" in paper.text
    assert_tidy(paper)


def test_on_small_paper_the_parts_move_closer_where_that_saves_a_page() -> None:
    paper = printed(played(rules_of("german-family"), FOUR, some_rounds(4, 11)), size="A5")

    assert len(paper.reader.pages) == 2  # three with the usual room
    assert_tidy(paper)


def test_a_longer_evening_keeps_the_usual_room() -> None:
    paper = printed(played(rules_of("german-family"), FOUR, some_rounds(4, 30)))

    assert len(paper.reader.pages) > 1
    assert "Bemerkungen" in paper.text


def test_only_vendored_fonts_are_embedded_as_subsets() -> None:
    paper = printed(played(rules_of("german-family"), FOUR, some_rounds(4, 40)))
    fonts = [
        font.get_object()
        for page in paper.reader.pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    ]

    assert {font["/BaseFont"].split("+")[1] for font in fonts} == {
        file.removesuffix(".ttf") for file in FONT_FILES.values()
    }
    assert all("/FontFile2" in font["/FontDescriptor"] for font in fonts)


def test_a_sheet_of_twenty_rounds_is_small() -> None:
    assert len(printed(played(rules_of("robber"), FOUR, some_rounds(4, 20))).data) < 60_000


def test_minus_is_a_real_minus() -> None:
    paper = printed(played(rules_of("german-family"), FOUR, some_rounds(4, 9)))

    assert "−" in paper.text
    assert "-" not in paper.text.replace("Familien-Rommé", "")


accesses: list[tuple[str, Any]] | None = None


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if accesses is not None and event in ("open", "socket.connect", "subprocess.Popen"):
        accesses.append((event, arguments[0]))


@contextmanager
def watched() -> Iterator[list[tuple[str, Any]]]:
    """Collect the files, connections and processes opened in the block."""
    global accesses
    accesses = found = []
    try:
        yield found
    finally:
        accesses = None


sys.addaudithook(_watch)


@pytest.fixture(scope="session")
def warm() -> None:
    """Print once, so that Python and reportlab have read their own files."""
    printed(played(rules_of("german-family"), FOUR, some_rounds(4, 2), {"note.1": "Glück"}))


@pytest.mark.bar("P1")
@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("name", hostile_names(tries("P1")))
def test_a_hostile_name_is_printed_as_plain_text(name: str) -> None:
    texts = {"title": name, "place": name, "note.1": name}
    rules = rules_of("german-family", settle__unit=name[:12])
    game = played(rules, (name, "Bernd"), [(0, 30), (40, 0)], texts)
    with watched() as found:
        paper = printed(game)

    foreign = [what for what in found if str(FONT_DIRECTORY) not in str(what[1])]
    assert foreign == []
    read = "".join(paper.text.split())
    assert read.count("".join(name.split())) >= 3  # as title or place, as player, in the note
    assert_inert(paper)
    assert_tidy(paper)
