"""A typed score sheet is previewed and imported on its page."""

import csv
import json
from datetime import date
from io import BytesIO, StringIO

import pytest
from flask import Flask

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.i18n import LANGUAGES
from scorekeeper.i18n import language as lang_of
from scorekeeper.services import groups
from scorekeeper.services.clock import set_clock
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.store.writes import Write
from web.pages.conftest import KEY, Browser

SHEET = "Datum;Anna;Bernd;Xaver\n5.3.2026;0;35;12\n;20;;0\n2026-03-12;7;0;\n"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def home(app: Flask) -> str:
    """A group whose pen the browser holds."""
    ledger = app.extensions["ledger"]
    founded = make(ledger, DemoSettings(evenings=2, members=3, seed=1, until=date(2026, 2, 1)))
    ledger.rights.remember("pen", founded.group.id, founded.pen)
    ledger.rights.remember("watch", founded.group.id, founded.watch)
    return str(founded.group.id)


@pytest.fixture
def writer(app: Flask, home: str) -> Browser:
    return held(app, "pen")


def held(app: Flask, cookie: str) -> Browser:
    browser = Browser(app)
    browser.client.set_cookie("browser", cookie)
    return browser


def evenings(app: Flask, home: str) -> int:
    return int(app.extensions["ledger"].seasons.count_evenings(home))


def filled(writer: Browser, home: str, sheet: str = SHEET, **more: object):
    """Read a sheet whose new names are confirmed."""
    form = writer.form(f"/s/{home}/in")
    confirmed = {"as.Xaver": "new"} if "Xaver" in sheet else {}
    for field, value in {"sheet": sheet, "do": "preview", **confirmed, **more}.items():
        form[field] = value
    return writer.post(f"/s/{home}/in", form)


def pressed(writer: Browser, home: str, seen, do: str = "take", **answers: object):
    """Press a button below questions or a preview."""
    form = writer.form_in(seen)
    for field, value in {**answers, "do": do}.items():
        form[field] = value
    return writer.post(f"/s/{home}/in", form)


def test_a_preview_stores_nothing(app, writer, home):
    seen = filled(writer, home)

    assert seen.status_code == 200
    for words in (
        "5. März 2026",
        "12. März 2026",
        "Xaver",
        "kommt neu dazu",
        "2 Abende übernehmen",
    ):
        assert words in seen.text
    assert evenings(app, home) == 2


def test_a_sheet_is_compared_by_the_days_of_the_table(app, writer, home):
    app.config["TIMEZONE"] = "America/New_York"
    ledger = app.extensions["ledger"]
    names = ledger.group(home).players[:2]
    with set_clock("2026-06-06T00:30:00Z"):
        order = NewGame("", "", short.FAMILY, names)
        short.record(ledger, groups.open_evening(ledger, home, order, Write()).id, 0, 35)
    sheet = f"Datum;{names[0]};{names[1]}\n5.6.2026;0;{{}}\n"
    known = lang_of("de")("groups.import.state.known")

    assert known in filled(writer, home, sheet.format(35)).text
    assert "existing.2026-06-05" in filled(writer, home, sheet.format(36)).text


def test_one_press_imports_all_evenings_once(app, writer, home):
    form = writer.form_in(filled(writer, home))
    form["do"] = "take"
    first, again = (writer.post(f"/s/{home}/in", form) for _ in range(2))

    assert first.status_code == again.status_code == 303
    assert first.location.endswith(f"/s/{home}")
    assert evenings(app, home) == 4


def test_a_sheet_imported_again_is_reported_and_has_no_button(app, writer, home):
    form = writer.form_in(filled(writer, home))
    form["do"] = "take"
    writer.post(f"/s/{home}/in", form)
    again = filled(writer, home)

    assert "Genau dieser Abend ist schon da" in again.text
    assert "übernehmen</button>" not in again.text
    form = writer.form(f"/s/{home}/in")
    form["sheet"], form["do"] = SHEET, "take"
    assert writer.post(f"/s/{home}/in", form).status_code == 422
    assert evenings(app, home) == 4


def test_an_error_names_line_and_column_and_the_input_stays(app, writer, home):
    wrong = SHEET + "13.3.2026;0;y7\nMorgen;1;2\n"
    refused = filled(writer, home, wrong)

    assert refused.status_code == 422
    assert "Zeile 5, Spalte 3" in refused.text
    assert "Zeile 6, Spalte 1" in refused.text
    assert writer.form_in(refused)["sheet"].split() == wrong.split()


def test_an_outdated_import_is_shown_again_and_loses_nothing(app, writer, home):
    form = writer.form_in(filled(writer, home))
    groups.add_member(app.extensions["ledger"], home, "Xaver", write=Write())
    form["do"] = "take"
    stale = writer.post(f"/s/{home}/in", form)

    assert stale.status_code == 409
    assert "kommt neu dazu" not in stale.text
    form = writer.form_in(stale)
    form["do"] = "take"
    assert writer.post(f"/s/{home}/in", form).status_code == 303


def test_an_uploaded_file_is_read_like_typed_input(writer, home):
    seen = filled(writer, home, "", file=(BytesIO(SHEET.encode("cp1252")), "sheet.csv"))

    assert seen.status_code == 200
    assert writer.form_in(seen)["sheet"].split() == SHEET.split()


def test_an_uploaded_picture_is_refused_with_a_message(writer, home):
    refused = filled(writer, home, "", file=(BytesIO(b"\x89PNG\x81\x8d"), "photo.png"))

    assert refused.status_code == 422
    assert "Speichere das Blatt als CSV" in refused.text


def test_an_uploaded_export_is_named(app, writer, home):
    ledger = app.extensions["ledger"]
    export = json.dumps(ledger.export(ledger.games()[0])).encode()
    refused = filled(writer, home, "", file=(BytesIO(export), "game.json"))

    assert refused.status_code == 422
    assert "Das ist der Export einer Partie (JSON)" in refused.text


def test_hostile_names_and_cells_are_only_text(writer, home):
    refused = filled(writer, home, f"Datum;Anna;{HOSTILE}\n{HOSTILE};0;{HOSTILE}\n")
    shown = filled(writer, home, f"Datum;Anna;{HOSTILE}\n2026-03-05;0;5\n")

    assert refused.status_code == 422
    assert shown.status_code == 200
    assert HOSTILE not in refused.text + shown.text


def test_other_rules_are_chosen_for_one_sheet(app, writer, home):
    assert filled(writer, home, preset="wiener").status_code == 200
    assert filled(writer, home, preset="gin-palast").status_code == 422
    assert filled(writer, home, preset="skat").status_code == 422


CORRECTED = SHEET.replace(";20;;0", ";25;;0")
DAY = "2026-03-05"


def test_unknown_names_are_asked_for_before_the_preview(app, writer, home):
    form = writer.form(f"/s/{home}/in")
    text = "Datum;Anna;Yvonne;Xaver\n5.3.2026;0;35;12\n;20;0;7\n"
    form["sheet"], form["do"] = text, "preview"
    asked = writer.post(f"/s/{home}/in", form)

    assert asked.status_code == 200
    assert "„Xaver“ (Spalte 4) ist noch kein Mitglied" in asked.text
    assert "Verstanden: " not in asked.text
    half = pressed(writer, home, asked, "preview", **{"as.Yvonne": "new"})
    assert "„Yvonne“ (Spalte 3)" not in half.text
    refused = pressed(writer, home, half)
    assert refused.status_code == 422
    seen = pressed(writer, home, half, "preview", **{"as.Xaver": "out"})
    assert "Weggelassen: Xaver." in seen.text
    assert seen.text.count("kommt neu dazu") == 1
    members = app.extensions["ledger"].group(home).members
    assert pressed(writer, home, seen).status_code == 303
    assert app.extensions["ledger"].group(home).players[members:] == ("Yvonne",)


def test_a_column_left_out_can_be_said_to_be_a_player(writer, home):
    seen = filled(writer, home, "Datum;Runde;Anna;Bernd;Pot\n5.3.2026;1;0;35;12\n;2;20;0;3")
    form = writer.form_in(seen)
    form["as.Pot"] = "new"

    assert "Weggelassen: Runde, Pot." in seen.text
    again = writer.post(f"/s/{home}/in", form)
    assert "Weggelassen: Runde." in again.text
    assert "kommt neu dazu" in again.text


def test_questions_about_the_numbers_are_asked_one_after_the_other(app, writer, home):
    asked = filled(writer, home, "Datum;Anna;Bernd\n3/5/2026;0;35\n;0;45\n")
    second = pressed(writer, home, asked, "preview", dates="month_first")
    seen = pressed(writer, home, second, "preview", points="totals")

    assert (asked.status_code, second.status_code, seen.status_code) == (200, 200, 200)
    assert "Was steht vorne?" in asked.text
    assert "Was steht in den Spalten?" in second.text
    assert "5. März 2026" in seen.text
    assert pressed(writer, home, seen).status_code == 303
    newest = app.extensions["ledger"].seasons.evenings(home)[0]
    assert [one.minus for one in newest.evening.results] == [0, 45]


@pytest.mark.parametrize(("action", "more"), [("replace", 0), ("keep", 1), ("skip", 0)])
def test_a_corrected_sheet_is_decided_on_the_page(app, writer, home, action, more):
    pressed(writer, home, filled(writer, home))
    before = evenings(app, home)
    seen = filled(writer, home, CORRECTED)

    assert "sieht aber anders aus" in seen.text
    assert "Runde 2: Anna 20 → 25" in seen.text
    undecided = pressed(writer, home, seen)
    assert undecided.status_code == 422
    done = pressed(writer, home, undecided, **{f"existing.{DAY}": action})
    assert done.status_code == 303
    assert evenings(app, home) == before + more
    again = filled(writer, home, CORRECTED)
    assert ("sieht aber anders aus" in again.text) == (action == "skip")


def test_a_sheet_that_grew_is_imported_for_its_new_part(app, writer, home):
    pressed(writer, home, filled(writer, home))
    before = evenings(app, home)
    seen = filled(writer, home, SHEET + ";0;8;\n19.3.2026;0;8;9\n")

    assert "auf dem Zettel stehen mehr Runden" in seen.text
    assert "Runde 2 ist neu: Anna 0, Bernd 8" in seen.text
    assert "2 Abende übernehmen" in seen.text
    assert pressed(writer, home, seen).status_code == 303
    assert evenings(app, home) == before + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_and_differences_are_worded_in_every_language(writer, home, language):
    pressed(writer, home, filled(writer, home))
    writer.headers = {"Accept-Language": language}
    answer = filled(writer, home, CORRECTED.replace("\n5.3.2026", "\n5.3.2026", 1) + ";8;9;0\n")
    text = "Datum;Runde;Anna;Zoe\n3/5/2026;1;0;35\n;2;0;45\n"
    asked = filled(writer, home, text)
    answers = {"dates": "day_first", "points": "rounds"}

    for seen in (answer, asked, filled(writer, home, text, **answers)):
        assert seen.status_code == 200
        assert KEY.search(seen.text.split("<main")[1]) is None
        assert "groups.import" not in seen.text


def test_whether_totals_begin_anew_every_evening_is_asked(writer, home):
    text = "Datum;Anna;Bernd;Claire\n1.3.26;0;20;30\n;0;50;60\n8.3.26;0;60;90\n"
    asked = filled(writer, home, text)
    read = filled(writer, home, text, points="day_totals")

    assert "Fortlaufende Summen, die jeden Abend neu beginnen" in asked.text
    assert "2 Abende übernehmen" in read.text


def test_an_import_that_the_rules_refuse_at_the_last_moment_is_shown_again(app, writer, home):
    seen = filled(writer, home, "Datum;Anna;Bernd\n5.3.2026;0;501\n;7;0\n")
    refused = pressed(writer, home, seen, preset="romme-palast")

    assert seen.status_code == 200
    assert refused.status_code == 422
    assert "Zeile 3" in refused.text
    assert "5.3.2026;0;501" in writer.form_in(refused)["sheet"]


@pytest.mark.parametrize(
    "fields",
    [
        {"as.": "new", "as.Xaver": "new\x00", "as.Anna": HOSTILE},
        {f"as.{HOSTILE}": "new", f"existing.{HOSTILE}": "replace", "existing.": "keep"},
        {"points": HOSTILE, "dates": HOSTILE, "points.x": "1", "preset": HOSTILE},
        {f"as.{n}": "out" for n in range(900)},
        {f"existing.{DAY}": HOSTILE, "as.Datum": "new", "as.Bernd": "out"},
    ],
)
@pytest.mark.parametrize("do", ["preview", "take", HOSTILE])
def test_hostile_answers_are_ignored_or_refused(app, writer, home, fields, do):
    before = evenings(app, home)
    answer = filled(writer, home, do=do, **{"as.Xaver": "", **fields})

    assert answer.status_code in (200, 422)
    assert HOSTILE not in answer.text
    assert evenings(app, home) == before


def test_watchers_may_export_but_not_import(app, home):
    reader = held(app, "watch")
    page = reader.get(f"/s/{home}/in")

    assert page.status_code == 200
    assert "<textarea" not in page.text
    assert reader.post(f"/s/{home}/in", {"sheet": SHEET}).status_code in (400, 403)
    assert Browser(app).get(f"/s/{home}/in").status_code == 404


HEADINGS = {
    "de": ("Datum", "Partie", "Runde", "Status", "Ausgang", "Gewinner", "Anna minus"),
    "en": ("Date", "Game", "Round", "Status", "Outcome", "Winner", "Anna minus"),
    "fr": ("Date", "Partie", "Manche", "État", "Issue", "Gagnant", "Anna moins"),
    "lb": ("Datum", "Spill", "Ronn", "Status", "Ausgang", "Gewënner", "Anna minus"),
}


AMOUNT = {"de": "Betrag", "en": "Amount", "fr": "Montant", "lb": "Betrag"}


def table_of(answer, language: str = "de") -> list[list[str]]:
    """Return a table as a spreadsheet of that language reads it."""
    text = answer.data.decode("utf-8-sig")
    return list(csv.reader(StringIO(text), delimiter="," if language == "en" else ";"))


@pytest.mark.parametrize("language", HEADINGS)
def test_amounts_have_the_decimal_sign_of_the_reader(app, writer, home, language):
    game = next(iter(app.extensions["ledger"].group(home).evenings))
    writer.headers = {"Accept-Language": language}
    for path in (f"/g/{game}", f"/s/{home}"):
        head, *rows = table_of(writer.get(f"{path}/export.csv?table=settlements"), language)
        amounts = [row[head.index(AMOUNT[language])] for row in rows]

        assert {len(row) for row in rows} == {len(head)}
        assert any(("." if language == "en" else ",") in one for one in amounts)
        assert not any(("," if language == "en" else ".") in one for one in amounts)


@pytest.mark.parametrize("language", HEADINGS)
def test_tables_are_headed_in_the_language_of_the_reader(app, writer, home, language):
    game = next(iter(app.extensions["ledger"].group(home).evenings))
    writer.headers = {"Accept-Language": language}
    heads = {}
    for page in (f"/s/{home}", f"/g/{game}"):
        for table in ("rounds", "totals", "settlements", "payments"):
            answer = writer.get(f"{page}/export.csv?table={table}")
            heads[page, table] = table_of(answer, language)[0]

    assert tuple(heads[f"/s/{home}", "rounds"][:7]) == HEADINGS[language]
    for head in heads.values():
        assert len(set(head)) == len(head)
        assert not {"round", "player", "member", "rank", "amount", "from"} & set(head)


VALUES = {
    "de": ("Gestrichen", "Falsch gegeben", "Deutsches Familien-Rommé", "Bezahlt"),
    "en": ("Struck out", "Misdeal", "German Family Rommé", "Paid"),
    "fr": ("Rayée", "Maldonne", "Rami familial allemand", "Payé"),
    "lb": ("Gestrach", "Falsch ginn", "Däitsche Familljen-Rommé", "Bezuelt"),
}


@pytest.mark.parametrize("language", VALUES)
def test_the_values_of_tables_are_words_of_the_reader(anna, group, played, language):
    anna.send(f"{played}/round", outcome="cancelled", do="save")
    anna.headers = {"Accept-Language": language}

    def cells(path: str) -> set[str]:
        return {cell for row in table_of(anna.get(path), language) for cell in row}

    of_rounds = cells(f"{played}/export.csv")
    of_group = cells(f"{group}/export.csv?table=totals") | cells(
        f"{group}/export.csv?table=payments"
    )

    assert {lang_of(language)("pages.outcome.out"), *VALUES[language][:2]} <= of_rounds
    assert set(VALUES[language][2:]) <= of_group
    english = {"out", "struck", "cancelled", "corrected", "paid", "reversed", "german-family"}
    assert not english & (of_rounds | of_group)


def test_the_links_export_tables_and_the_whole_group(app, writer, home):
    ledger = app.extensions["ledger"]
    for table in ("rounds", "totals", "settlements", "payments"):
        answer = writer.get(f"/s/{home}/export.csv?table={table}")

        assert answer.status_code == 200
        assert f"table={table}" in writer.get(f"/s/{home}/in").text
        assert table_of(answer)
    whole = json.loads(writer.get(f"/s/{home}/export.json").data)
    game = next(iter(ledger.group(home).evenings))

    assert whole["head"] == ledger.head(home)
    assert {one["id"]: one["head"] for one in whole["games"]} == {
        one: ledger.head(one) for one in ledger.group(home).evenings
    }
    assert writer.get(f"/g/{game}/export.csv?table=payments").status_code == 200
    assert writer.get(f"/s/{home}/export.csv?table=all").status_code == 404


EXPORTED = "Runde;Zeit;Status;Ausgang;Gewinner;Anna minus;Anna plus;Bernd minus;Bernd plus;Notiz;"
HEAD = f"{EXPORTED}Angaben zur Runde"


@pytest.mark.parametrize("fact", ['""drop"":""first""', '""wrong"":true'])
def test_an_exported_table_of_another_system_is_refused_once_for_each_reason(
    writer: Browser, home: str, fact: str
) -> None:
    record = f'"{{""outcome"":""out"",""winner"":1,""seats"":[{{{fact}}},{{}}]}}"'
    rounds = [f"{number};2026-03-05T19:00:00Z;;Rommé;Bernd;20;0;0;0;;{record}" for number in (1, 2)]

    seen = filled(writer, home, "\n".join([HEAD, *rounds]), preset="german-family")

    assert seen.status_code == 422
    assert seen.text.count("gehört zu einem anderen Spiel.") == 1
