"""Columns and rows of typed sheets that are no players and no rounds, and what is asked."""

import unicodedata
from datetime import date
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wire.csv_cells import decode_file
from scorekeeper.wire.csv_choices import QUESTIONS, Choices
from scorekeeper.wire.csv_columns import is_no_name
from scorekeeper.wire.csv_sheet import Sheet, read_sheet

TODAY = date(2026, 11, 20)
MEMBERS = ("Anna", "Bernd", "Claire")


def read(text: str, members: tuple[str, ...] = MEMBERS, **choices: Any) -> Sheet:
    return read_sheet(text, members, Choices(**choices), latest=TODAY)


def refused(text: str, members: tuple[str, ...] = MEMBERS, **choices: Any) -> list[object]:
    """Return the reason of each problem."""
    with pytest.raises(RuleError) as error:
        read(text, members, **choices)
    return [problem.facts["why"] for problem in error.value.problems]


def left_out(sheet: Sheet) -> list[tuple[str, int | None, str]]:
    return [(one.value, one.column, one.why) for one in sheet.left_out]


def asked(sheet: Sheet) -> list[tuple[object, object]]:
    return [(one.facts["why"], one.facts["value"]) for one in sheet.questions]


# ---- words ---------------------------------------------------------------------------

NO_NAMES = """
Round|Rounds|Runde|Runden-Nr.|Nr|Nr.|No.|N°|№|#|Spiel|Spielnummer|Hand|Hände|ID|Dealer|Geber|Pot|
Gesamtsumme|Gesamtpunkte|Endstand|Total 2026|TOTAL|Total:|Σ|∑|Rang|Platz|Platzierung|Betrag|Manche|
Manche n°|Donne|Ronn|Ronnen|Datum|Date|Summe|Zwischensumme|Somme|Sous-total|Cumul|Zesummen|
Am Ganzen|Tëschestand|Punktestand|Bemerkung|Kommentar|Bemierkungen|Remarque|Note|Gewinner|Winner|
Gagnant|Gewënner|Kasse|Cagnotte|Einsatz|Rank|Score final|Ergebnis|Résultat|Ø|€|1|Anna total|
Total Anna|Anna minus|Lfd. Nr.|Uhrzeit|Ort|Tour|Numéro|Donneur|Plaz|Anzahl Runden|Tagessieger
""".replace("\n", "").split("|")
NAMES = """
Anna|Bernd|Claire|Max|Noel|Ronnie|Dagmar|Ida|Jo|Bo|N|A|Rosi|Mark|Stanley|Summer|Sieglinde|Endres|
Anna B.|Anna Platz|Peter Rank Müller|Spieler 1|Player 2|Joueur 3|Oma|Zoë|Jean-Luc|🦊|Марк|王|
Hans im Glück|Noémie|Spielmann|Tim|Otto|Roland|Éric|Lëtz|Gast
""".replace("\n", "").split("|")


@pytest.mark.parametrize("heading", NO_NAMES)
def test_words_for_something_else_than_a_player_are_recognised_in_four_languages(heading):
    assert is_no_name(heading)
    assert is_no_name(heading.upper())


@pytest.mark.parametrize("heading", NAMES)
def test_names_are_no_such_words(heading):
    assert not is_no_name(heading)


@pytest.mark.parametrize("place", [0, 1, 2, 4])
@pytest.mark.parametrize("heading", ["Round", "Runde", "Ronn", "Manche", "Total 2026", "Σ", "Pot"])
def test_a_column_that_is_no_player_may_be_anywhere(heading, place):
    rows = [["Datum", *MEMBERS], ["5.3.2026", "0", "35", "12"], ["", "20", "", "0"]]
    for row, cell in zip(rows, (heading, "0", "90"), strict=True):
        row.insert(place, cell)
    sheet = read("\n".join(map(";".join, rows)))

    assert sheet.evenings[0].players == MEMBERS
    assert sheet.evenings[0].rounds == ((0, 35, 12), (20, None, 0))
    assert left_out(sheet) == [(heading, place + 1, "word")]
    assert sheet.questions == ()


def test_a_row_of_totals_is_left_out():
    sheet = read("Nr;Datum;Anna;Bernd;Note\n1;5.3.26;0;5;\n2;;7;0;Total\nSumme;;7;5;\n;Total:;7;5;")

    assert sheet.evenings[0].rounds == ((0, 5), (7, 0))
    assert [(one.value, one.line) for one in sheet.left_out if one.column is None] == [
        ("Summe", 4),
        ("Total:", 5),
    ]


def test_a_typed_sheet_may_have_the_columns_of_a_table_of_a_group():
    text = "date;game;round;status;note;Anna;Bernd\n5.3.2026;x;1;good;late;0;5\n;x;2;;;7;0"

    assert read(text).evenings[0].rounds == ((0, 5), (7, 0))


def test_numbered_rows_without_points_and_a_day_on_its_own_are_no_rounds():
    sheet = read("Nr;Datum;Anna;Bernd\n;5.3.26\n1;;0;5\n2;;7;0\n3\n4\n;6.3.26\n1;;0;8")

    assert [(one.day, one.rounds) for one in sheet.evenings] == [
        ("2026-03-05", ((0, 5), (7, 0))),
        ("2026-03-06", ((0, 8),)),
    ]


# ---- numbers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        ("1 2 3 1", "counts"),
        ("1 2 3 4", "counts"),
        ("47 20 8 9", "sum"),
        ("47 67 75 9", "running"),
        ("47 67 75 84", "running"),
        ("0 20 20 4", "running"),
        ("gut ja nein ok", "text"),
    ],
)
@pytest.mark.parametrize("heading", ["Xyz", ""])
def test_numbers_that_are_no_points_are_recognised_under_any_heading(extra, why, heading):
    rows = [("5.3.2026", "0;35;12"), ("", "20;0;"), ("", "0;3;5"), ("6.3.2026", "4;0;5")]
    cells = extra.split()
    lines = [f"{day};{row};{cell}" for (day, row), cell in zip(rows, cells, strict=True)]
    sheet = read("\n".join((f"Datum;Anna;Bernd;Claire;{heading}", *lines)))

    assert left_out(sheet) == [(heading, 5, why)]
    assert sheet.evenings[0].rounds[0] == (0, 35, 12)


def test_totals_beside_every_player_are_recognised_also_under_the_same_name():
    text = "Datum;Anna;Anna;Bernd;\n5.3.2026;0;0;35;35\n;20;20;0;35\n;0;20;5;40"
    sheet = read(text)

    assert sheet.evenings[0].rounds == ((0, 35), (20, 0), (0, 5))
    assert left_out(sheet) == [("Anna", 3, "running"), ("", 5, "running")]


def test_totals_of_several_kinds_are_recognised_side_by_side():
    text = "Datum;S;Anna;Bernd;T;C\n5.3.26;35;0;35;35;35\n;20;20;0;20;55\n;9;0;9;9;64"

    assert [one[2] for one in left_out(read(text))] == ["sum", "sum", "running"]


def test_points_of_members_are_not_doubted_because_of_their_numbers():
    sheet = read("Datum;Anna;Bernd;Claire\n5.3.26;0;7;1\n;0;6;2\n;9;0;3")

    assert sheet.evenings[0].players == MEMBERS
    assert sheet.left_out == ()


# ---- questions -----------------------------------------------------------------------


def test_unknown_names_are_asked_for_one_by_one():
    text = "Datum;Anna;Xaver;Yvonne;Zoe\n5.3.2026;0;35;12;"

    assert asked(read(text)) == [("new_member", "Xaver"), ("new_member", "Yvonne")]
    assert asked(read(text, new_members=frozenset({"Xaver"}))) == [("new_member", "Yvonne")]
    chosen = read(text, new_members=frozenset({"Xaver"}), left_out=frozenset({"Yvonne"}))

    assert chosen.questions == ()
    assert chosen.evenings[0].players == ("Anna", "Xaver")
    assert left_out(chosen) == [("Yvonne", 4, "chosen")]


def test_a_member_with_the_name_of_a_column_is_asked_for():
    text = "Datum;Anna;Pot;Bernd\n5.3.2026;0;35;12"
    members = (*MEMBERS, "Pot")

    assert asked(read(text, members)) == [("doubtful", "Pot")]
    (question,) = read(text, members).questions
    assert question.path == ("line", 1, "column", 3)
    assert read(text, members, new_members=frozenset({"Pot"})).questions == ()
    assert left_out(read(text, members, left_out=frozenset({"Pot"}))) == [("Pot", 3, "chosen")]
    assert read(text, new_members=frozenset({"Pot"})).evenings[0].players == (
        "Anna",
        "Pot",
        "Bernd",
    )


RISING = "Datum;Anna;Bernd\n5.3.2026;0;35\n;0;45\n;0;80"


def test_points_that_never_fall_are_asked_for():
    assert refused(RISING) == ["running"]
    assert refused("Datum;Anna;Bernd\n5.3.2026;0;35\n;20;35") == ["running"]
    assert read(RISING, points="rounds").evenings[0].rounds == ((0, 35), (0, 45), (0, 80))
    assert read(RISING, points="totals").evenings[0].rounds == ((0, 35), (0, 10), (0, 35))


def test_points_that_cannot_be_totals_are_not_asked_for():
    text = "Datum;Anna;Bernd;Claire\n5.3.2026;0;35;12\n;0;45;12"  # twice nothing in round 2

    assert read(text).evenings[0].rounds == ((0, 35, 12), (0, 45, 12))
    assert refused("Datum;Anna;Bernd\n5.3.2026;0;35\n;20;") == ["few"]


def test_running_totals_begin_anew_every_day_or_continue():
    anew = "Datum;Anna;Bernd;Claire\n5.3.26;0;35;12\n;20;35;\n6.3.26;0;5;\n;7;5;"
    on = "Datum;Anna;Bernd;Claire\n5.3.26;0;35;12\n;20;35;\n6.3.26;20;40;\n;27;40;"
    for text in (anew, on):
        first, second = read(text, points="totals").evenings

        assert first.rounds == ((0, 35, 12), (20, 0, None))
        assert second.rounds == ((0, 5), (7, 0))


@pytest.mark.parametrize(
    ("first_row", "rounds"),
    [
        ("0;35", ((0, 35), (0, 10))),
        ("7;0", ((7, 0), (0, 45))),
    ],
)
def test_a_zero_in_the_first_row_of_a_day_begins_its_totals_anew(first_row, rounds):
    second_row = ";".join(str(sum(points)) for points in zip(*rounds, strict=True))
    text = f"Datum;Anna;Bernd\n5.3.26;0;30\n;0;35\n6.3.26;{first_row}\n;{second_row}"

    assert read(text, points="totals").evenings[1].rounds == rounds


ALWAYS_ANNA = "Datum;Anna;Bernd;Claire\n1.6.26;0;20;30\n;0;50;60\n8.6.26;0;60;90\n;10;60;95"


def kinds_asked(text: str) -> object:
    with pytest.raises(RuleError) as error:
        read(text)
    (problem,) = error.value.problems
    return problem.facts["kinds"]


@pytest.mark.parametrize(("kind", "first"), [("totals", (0, 10, 30)), ("day_totals", (0, 60, 90))])
def test_whether_totals_go_on_is_asked_if_they_also_may_begin_anew(kind, first):
    """Anna won every round of the first evening, so a zero is no sign of a beginning."""
    assert kinds_asked(ALWAYS_ANNA) == ["rounds", "totals", "day_totals"]
    assert read(ALWAYS_ANNA, points=kind).evenings[1].rounds == (first, (10, 0, 5))


@pytest.mark.parametrize(
    ("third_day", "first"),
    [("15.6.26;10;80;99", (0, 10, 30)), ("15.6.26;0;20;40", (0, 60, 90))],
)
def test_another_day_tells_whether_totals_go_on(third_day, first):
    text = f"{ALWAYS_ANNA}\n{third_day}"

    assert kinds_asked(text) == ["rounds", "totals"]
    assert read(text, points="totals").evenings[1].rounds[0] == first


def test_somebody_who_comes_later_tells_that_totals_begin_anew():
    text = "Datum;Anna;Bernd;Claire\n1.6.26;0;20;30\n8.6.26;0;25;\n;9;25;4"

    assert kinds_asked(text) == ["rounds", "totals"]
    assert read(text, points="totals").evenings[1].rounds == ((0, 25, None), (9, 0, 4))


def test_totals_of_some_days_may_go_on():
    text = "Datum;Anna;Bernd\n1.6.26;0;20\n;5;20\n8.6.26;5;30\n15.6.26;7;0\n22.6.26;7;4"
    evenings = read(text, points="totals").evenings

    assert [one.rounds for one in evenings] == [
        *(((0, 20), (5, 0)), ((0, 10),), ((7, 0),), ((0, 4),)),
    ]


def test_totals_lower_than_those_of_the_day_before_begin_anew():
    text = "Datum;Anna;Bernd;Claire\n5.3.26;0;35;12\n;20;35;19\n6.3.26;25;30;19"

    assert refused(text, points="totals") == ["no_winner"]


def test_running_totals_do_not_fall():
    assert refused("Datum;Anna;Bernd\n5.3.26;0;35\n;20;30", points="totals")[0] == "falls"


def test_a_day_that_may_be_two_is_asked_for_unless_the_sheet_tells():
    text = "Date;Anna;Bernd\n3/5/2026;0;5\n"

    assert refused(text + "3/6/2026;0;5\n") == ["day_month"]
    assert read(text, dates="day_first").evenings[0].day == "2026-05-03"
    assert read(text, dates="month_first").evenings[0].day == "2026-03-05"
    assert [one.day for one in read(text + "25/3/2026;0;5").evenings] == [
        "2026-03-25",
        "2026-05-03",
    ]
    assert [one.day for one in read(text + "3/25/2026;0;5").evenings] == [
        "2026-03-05",
        "2026-03-25",
    ]
    assert refused(text + "25/3/2026;0;5\n3/25/2026;0;5") == ["day_month"]
    assert refused("Date;Anna;Bernd\n25/3/2026;0;5", dates="month_first") == ["date"]
    assert read("Date;Anna;Bernd\n3/3/2026;0;5").evenings[0].day == "2026-03-03"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_question_is_worded(code):
    lang = language(code)
    for why in QUESTIONS:
        facts = {"why": why, "line": 2, "column": 3, "value": "Xaver", "day": "2026-03-05"}

        assert f"E_SHEET.{why}" in lang
        assert "{" not in lang(f"E_SHEET.{why}", **facts)


# ---- cells and files -----------------------------------------------------------------


def test_a_day_in_the_future_is_refused():
    assert refused("Datum;Anna;Bernd\n21.11.2026;0;5") == ["future"]
    assert read("Datum;Anna;Bernd\n20.11.26;0;5").evenings[0].day == "2026-11-20"
    assert read("Datum;Anna;Bernd\n20.11.98;0;5").evenings[0].day == "1998-11-20"


@pytest.mark.parametrize("cell", ["35", "35,0", "35.0", "35,00"])
def test_whole_numbers_may_have_decimals_that_are_zero(cell):
    assert read(f"Datum;Anna;Bernd\n5.3.2026;0,0;{cell}").evenings[0].rounds == ((0, 35),)


@pytest.mark.parametrize("cell", ["35,5", "35.05", "1.000", "-5", "5-", "3 5", "1e3", "٣"])
def test_anything_else_is_no_number(cell):
    assert refused(f"Datum;Anna;Bernd\n5.3.2026;0;{cell}") == ["points"]


@pytest.mark.parametrize("cell", ["-", "--", "–", "—", "x", "X", "×", "/", ""])
def test_a_player_who_was_away_has_a_sign_or_nothing(cell):
    sheet = read(f"Datum;Anna;Bernd;Claire\n5.3.2026;0;35;{cell}\n;7;0;5")

    assert sheet.evenings[0].rounds == ((0, 35, None), (7, 0, 5))


@pytest.mark.parametrize("above", ["", "sep=;\n", '"sep=;"\n', "\ufeffsep=;\n", "\ufeff"])
@pytest.mark.parametrize(
    "title", ["", "Rommé am Freitag, 2026, in Köln, bei Anna\n", "\n", "Rommé;;\n"]
)
def test_a_separator_and_a_title_may_stand_above_the_columns(above, title):
    sheet = read(f"{above}{title}Datum;Anna;Bernd\n5.3.2026;0,0;35,0\n;20,0;0,0")

    assert sheet.evenings[0].rounds == ((0, 35), (20, 0))
    assert sheet.evenings[0].lines[0] == 2 + bool(above.strip("\ufeff")) + bool(title)


def test_the_first_line_may_name_any_separator():
    assert read("sep=,\nDatum,Anna,Bernd\n5.3.2026,0,35").evenings[0].rounds == ((0, 35),)
    assert read("sep=\t\nDatum\tAnna\tBernd\n5.3.2026\t0\t35").evenings[0].rounds == ((0, 35),)


@pytest.mark.parametrize(
    "code", ["utf-16", "utf-16-le", "utf-16-be", "utf-8", "utf-8-sig", "cp1252"]
)
def test_a_file_may_be_in_any_usual_encoding(code):
    text = "Datum\tAnna\tJürgen\n5.3.2026\t0\t35\n"

    assert decode_file(text.encode(code)).removeprefix("\ufeff") == text
    assert read(decode_file(text.encode(code))).evenings[0].players == ("Anna", "Jürgen")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\xd8", b"\x81\x8d"])
def test_bytes_that_are_no_text_are_refused(content):
    with pytest.raises(RuleError) as error:
        decode_file(content)

    assert error.value.problems[0].facts == {"why": "text"}


@pytest.mark.parametrize("heading", ["Nr" * 29_000, "é" * 29_000, "\ufdfa" * 20_000])
def test_endless_headings_are_no_names(heading):
    assert refused(f"Datum;Anna;Bernd;{heading}\n5.3.2026;0;35;7") == ["player"]


# ---- names in another spelling -------------------------------------------------------


@pytest.mark.parametrize(
    "heading", ["ANNA", "anna", " Anna", "AnNa", "Аnna", "Ａｎｎａ", "An\u200bna", "Anna"]
)
def test_a_member_in_another_spelling_is_that_member(heading):
    sheet = read(f"Datum;{heading};Bernd\n5.3.2026;0;35\n")

    assert sheet.evenings[0].players == ("Anna", "Bernd")
    assert sheet.questions == ()


@pytest.mark.parametrize("name", ["Anne Marie", "José", "Straße", "INA"])
def test_spaces_accents_and_capitals_of_a_member_may_be_written_otherwise(name):
    decomposed = unicodedata.normalize("NFD", name)
    for heading in (name.upper(), decomposed, name.replace(" ", "  "), name.replace(" ", "\xa0")):
        sheet = read(f"Datum;{heading};Bernd\n5.3.2026;0;35\n", (name, "Bernd"))

        assert (sheet.evenings[0].players, sheet.questions) == ((name, "Bernd"), ())


def test_two_columns_or_two_members_that_are_spelled_alike_are_asked_about():
    both = read("Datum;Anna;ANNA;Bernd\n5.3.2026;0;35;12\n")
    twins = read("Datum;ANNA;Bernd\n5.3.2026;0;35\n", ("Anna", "anna", "Bernd"))

    assert asked(both) == asked(twins) == [("new_member", "ANNA")]
    assert both.evenings[0].players == ("Anna", "ANNA", "Bernd")


def test_a_name_in_another_spelling_may_still_join_or_be_left_out():
    text = "Datum;ANNA;Bernd;Claire\n5.3.2026;35;0;12\n"
    joins, out = read(text, new_members={"ANNA"}), read(text, left_out={"ANNA"})

    assert joins.evenings[0].players == ("ANNA", "Bernd", "Claire")
    assert out.evenings[0].players == ("Bernd", "Claire")
    assert left_out(out) == [("ANNA", 2, "chosen")]
