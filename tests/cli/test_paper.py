"""Commands that score an evening and write PDFs: sheet, pad, card."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

import short
from commands import run
from examples import EXAMPLE, evening_of
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.store import open_ledger


@pytest.fixture
def evening() -> Any:
    return evening_of(EXAMPLE)


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(evening: object) -> Path:
        file = tmp_path / "abend.json"
        file.write_text(evening if isinstance(evening, str) else json.dumps(evening), "utf-8")
        return file

    return write


def row(output: str, label: str) -> list[str]:
    """Return the figures of the row that begins with a label."""
    line = next(line for line in output.splitlines() if line.startswith(label))
    return line.removeprefix(label).replace("−", "-").split()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_example_evening_shows_its_totals_and_payments(lang, evening):
    expected = evening["expected"]

    result = run("sheet", EXAMPLE, lang=lang)

    assert result.exit_code == 0
    words = language(lang)
    assert row(result.output, words("paper.tally.minus") + "  ") == list(
        map(str, expected["totals"])
    )
    balances = [f"{balance:+}" for balance in expected["balances"]]
    assert row(result.output, words("pages.settlement.row.sum")) == balances
    assert row(result.output, words("terminal.proof", n=4)) == balances
    assert row(result.output, words("pages.settlement.row.money", unit="Pf")) == [
        "+33",
        "-23",
        "+65",
        "-75",
    ]
    payments = result.output.split(words("terminal.payments"))[1].replace("\xa0", " ")
    paid = (
        r"\b([A-D]) paie (\d+) Pf à ([A-D])" if lang == "fr" else r"\b([A-D]) \w+ ([A-D]) (\d+) Pf"
    )
    assert [set(found) for found in re.findall(paid, payments)] == [
        {"D", "C", "65"},
        {"B", "A", "23"},
        {"D", "A", "10"},
    ]


def test_every_round_is_shown_with_its_points_and_the_running_total(evening):
    output = run("sheet", EXAMPLE).output

    totals = [0, 0, 0, 0]
    for number, minus in enumerate(evening["expected"]["minus"], start=1):
        totals = [total + points for total, points in zip(totals, minus, strict=True)]
        winner = "ABCD"[evening["rounds"][number - 1]["winner"]]
        pairs = [str(n) for pair in zip(minus, totals, strict=True) for n in pair]
        assert row(output, f"{number}  ")[:9] == [*pairs, f"{winner}:"]


def test_a_sheet_can_be_written_as_pdf(tmp_path):
    pdf = tmp_path / "sheet.pdf"

    result = run("sheet", EXAMPLE, "--pdf", pdf)

    assert result.exit_code == 0
    text = "".join(page.extract_text() for page in PdfReader(pdf).pages)
    assert all(total in text for total in ("220", "360", "140", "490"))


def test_an_evening_that_cannot_be_settled_is_written_with_the_reason(evening, written, tmp_path):
    evening["rules"] = {"preset": "german-family", "options": {"settle.mode": "balance"}}
    pdf = tmp_path / "sheet.pdf"

    result = run("sheet", written(evening), "--pdf", pdf, lang="de")

    assert result.exit_code == 0
    assert "Die Stände ergeben zusammen" in result.output
    assert "490" in "".join(page.extract_text() for page in PdfReader(pdf).pages)


def test_plus_points_are_shown_where_the_winner_collects_them(evening, written):
    evening["rules"] = {"preset": "romme-palast"}
    evening["rounds"] = [short.body(0, 12, 35, 7)]

    output = run("sheet", written(evening)).output

    assert row(output, "Minus points  ") == ["0", "12", "35", "7"]
    assert row(output, "Plus points  ") == ["54", "0", "0", "0"]


def test_absent_players_have_a_dash_and_cancelled_rounds_no_points(evening, written):
    evening["rounds"] = [short.body(0, 10, None, 5), {"outcome": "cancelled"}]

    output = run("sheet", written(evening)).output

    assert row(output, "1  ")[:8] == ["0", "0", "10", "10", "–", "0", "5", "5"]
    assert row(output, "2  ") == language("en")("paper.mark.cancelled").split()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refused_round_is_reported_with_file_round_and_player(lang, evening, written):
    evening["rounds"][2]["seats"][1] = {"hand": "KH KH KH"}
    evening["rounds"][5]["seats"][3] = {"hand": ""}

    result = run("sheet", written(evening), lang=lang)

    assert result.exit_code == 1
    words = language(lang)
    first, *_, last = result.stderr.splitlines()
    assert first.startswith(f"{written(evening)}: {words('terminal.round', number=3)}")
    assert f"{words('terminal.round_seat', number=6, player='D')}{words.sign(':')} " in last


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"title": "x", "title": "y"}',
        '{"rounds": 5}',
        '{"rounds": NaN}',
        "[" * 60_000,
        '{"title": ' + "9" * 5_000 + "}",
    ],
    ids=["empty", "cut", "list", "twice", "number", "nan", "deep", "long"],
)
def test_an_invalid_evening_is_refused_with_a_message(text, written):
    result = run("sheet", written(text))

    assert result.exit_code == 1
    assert result.stderr.startswith(str(written(text)))
    assert "Traceback" not in result.stderr


def test_a_binary_file_is_refused_with_a_message(tmp_path):
    file = tmp_path / "abend.json"
    file.write_bytes(b"\xff\xfe\x00")

    assert run("sheet", file).exit_code == 1


def test_a_missing_file_is_reported(tmp_path):
    result = run("sheet", tmp_path / "nowhere.json")

    assert result.exit_code == 1
    assert "nowhere.json" in result.stderr


def test_a_pdf_that_cannot_be_written_is_reported(tmp_path):
    result = run("sheet", EXAMPLE, "--pdf", tmp_path / "nowhere" / "sheet.pdf")

    assert result.exit_code == 1
    assert "nowhere" in result.stderr


def test_several_evenings_go_into_one_pdf_with_their_own_page_numbers(tmp_path):
    pdf = tmp_path / "season.pdf"

    result = run("sheet", EXAMPLE, EXAMPLE, "--pdf", pdf, "--size", "A5", "--details", lang="de")

    assert result.exit_code == 0
    assert result.stdout.count("Ein Abend zu viert") == 2
    assert result.stderr == ""  # a bar only where somebody looks
    heads = [page.extract_text() for page in PdfReader(pdf).pages]
    sheets = [re.search(r"Blatt (\d) von (\d)", head).groups() for head in heads]
    half = len(sheets) // 2
    assert sheets[:half] == sheets[half:] == [(str(n), str(half)) for n in range(1, half + 1)]


def test_one_invalid_evening_prevents_the_whole_pdf(written, tmp_path):
    pdf = tmp_path / "season.pdf"

    result = run("sheet", EXAMPLE, written("{}"), "--pdf", pdf)

    assert result.exit_code == 1
    assert not pdf.exists()


def test_a_pad_is_written_with_the_requested_options(tmp_path):
    pdf = tmp_path / "pad.pdf"

    result = run("pad", "gin-palast", pdf, "--names", "Anna,Zoë", "--size", "A6", "--up", 4)

    assert result.exit_code == 0
    (paper,) = PdfReader(pdf).pages
    assert paper.extract_text().count("Zoë") == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--up", 3), "up: "),
        (("--players", 5), "players: "),
        (("--names", "李雷,Bernd"), "names: "),
    ],
)
def test_an_invalid_option_of_a_pad_is_reported(tmp_path, options, words):
    result = run("pad", "gin-palast", tmp_path / "pad.pdf", *options)

    assert result.exit_code == 1
    assert result.stderr.startswith(words)
    assert not (tmp_path / "pad.pdf").exists()


def test_a_rules_card_is_written_with_house_rules(tmp_path):
    pdf = tmp_path / "card.pdf"
    rules = ("--option", "joker.hand_value=50", "--option", "joker.swap=none")

    result = run("card", "robber", pdf, *rules)

    assert result.exit_code == 0
    (paper,) = PdfReader(pdf).pages
    assert "A joker in hand counts 50" in " ".join(paper.extract_text().split())


def test_a_decimal_house_rule_is_exact(tmp_path):
    rule = ("--option", "settle.point_value=0.1")

    assert run("card", "robber", tmp_path / "card.pdf", *rule).exit_code == 0


@pytest.mark.parametrize("rule", ["joker.hand_value=many", "joker.colour=red", "nothing"])
def test_an_invalid_house_rule_is_reported(tmp_path, rule):
    result = run("card", "robber", tmp_path / "card.pdf", "--option", rule)

    assert result.exit_code == 1
    assert result.stderr.startswith(rule.split("=")[0])


@pytest.mark.parametrize(("lang", "beside"), [*((lang, "") for lang in LANGUAGES), ("en", ".key")])
@pytest.mark.parametrize("command", [f"sheet {EXAMPLE} --pdf", "pad robber", "card robber"])
def test_paper_never_replaces_a_database(command, beside, lang, tmp_path):
    data = tmp_path / "games.sqlite"
    open_ledger(data).close()
    data.with_name(f"{data.name}.key").touch()
    file = data.with_name(f"{data.name}{beside}")
    before = file.read_bytes()

    refused = run(*command.split(), file, lang=lang)

    words = language(lang)("terminal.own_file", file=str(file))
    assert (refused.exit_code, refused.stderr) == (1, f"{words}\n")
    assert file.read_bytes() == before
