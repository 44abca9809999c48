"""Whole evenings of every rule system, by command line, over REST and on paper.

The expected values were computed by hand from the rules and are in the files themselves.
"""

import json
import re
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from commands import run
from examples import EVENINGS, evening_of, evening_rules
from pdf.paper import Print
from rest import Table
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.further import FURTHER
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import language
from scorekeeper.pdf import score_sheet
from scorekeeper.services.evening import read_evening, score_evening
from scorekeeper.wording.sheet import Words

MEASURES = ("minus", "plus", "net")
SPECIAL = (
    "gin.oklahoma", "gin.tedesco", "gin.joker_rule", "gin.hirschn", "gin.glass",
    "gin.pro_min_wins", "gin.training", "gin.cyclic", "meld.rainbow", "teams",
)  # fmt: skip


@pytest.fixture(params=EVENINGS, ids=[file.stem for file in EVENINGS])
def file(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def evening(file: Path) -> Any:
    return evening_of(file)


@pytest.fixture
def rules(evening: Any) -> RuleSet:
    return evening_rules(evening)


def bare(text: str) -> str:
    return text.replace("−", "-").replace("\xa0", " ")


def signed(amounts: list[Any]) -> list[str]:
    """Return amounts as printed in English: ``+16.6``."""
    return [f"{float(_value(amount)):+g}" if _value(amount) else "0" for amount in amounts]


def _value(amount: Any) -> float:
    above, _, below = str(amount).partition("/")
    return int(above) / int(below or 1)


def shown_unit(evening: Any) -> tuple[str, int]:
    """Return the unit in which amounts are shown, and how many of the stake's make one of it."""
    unit = evening.get("stake", {}).get("unit", "ct")
    return ("€", 100) if unit == "ct" else (unit, 1)


def test_every_rule_system_and_special_rule_has_an_example() -> None:
    played = [evening_of(file)["rules"] for file in EVENINGS]

    assert {rules["preset"] for rules in played} == set(PRESETS) - set(FURTHER)
    assert {name for rules in played for name in rules.get("options", {})} >= set(SPECIAL)


def test_an_example_has_six_rounds_with_cards(evening: Any) -> None:
    shown = [
        seat
        for played in evening["rounds"]
        for seat in played.get("seats", ())
        if {"hand", "rest", "melds"} & set(seat)
    ]

    assert len(evening["rounds"]) >= 6
    assert shown


def test_the_command_line_computes_totals_and_payments(
    file: Path, evening: Any, rules: RuleSet
) -> None:
    expected, words = evening["expected"], language("en")

    result = run("sheet", file)

    assert result.exit_code == 0, result.output
    output = bare(result.output)

    def figures(label: str) -> list[str]:
        line = next(line for line in output.splitlines() if line.startswith(label + "  "))
        return line.removeprefix(label).split()

    totals = list(map(str, expected["totals"]))
    assert figures(words(f"paper.tally.{rules.rank.measure}")) == totals
    assert figures(words("pages.settlement.row.sum")) == signed(expected["balances"])
    unit, each = shown_unit(evening)
    exact, money = (words(f"pages.settlement.row.{row}", unit=unit) for row in ("exact", "money"))
    amounts = figures(exact if exact in output else money)
    assert list(map(Fraction, amounts)) == [Fraction(one) / each for one in expected["amounts"]]
    if expected.get("league"):
        assert figures(words("paper.tally.league")) == list(map(str, expected["league"]))
    names = {player["name"]: seat for seat, player in enumerate(evening["players"])}
    paid = re.findall(rf"^  (\w+).* pays? (\w+).* ([\d.]+) {unit}$", output, re.MULTILINE)
    assert [
        {"from": names[payer], "to": names[payee], "amount": str(Fraction(amount) * each)}
        for payer, payee, amount in paid
    ] == expected["transfers"]


@pytest.mark.sqlite  # rounds are posted to both engines by test_rounds
def test_rest_computes_every_round_and_the_settlement(
    app: Flask, evening: Any, rules: RuleSet
) -> None:
    expected, table = evening["expected"], Table(app)
    body = {name: evening[name] for name in ("title", "rules", "stake", "players")}
    begun = table.post("/games", body, secret="").json
    table.id, table.pen = begun["id"], begun["pen"]

    for number, played in enumerate(evening["rounds"]):
        answer = table.record(played)
        assert answer.status_code == 201, answer.text
        score = answer.json["score"]
        for measure in set(MEASURES) & set(expected):
            points = [None if seat is None else seat[measure] for seat in score["scores"]]
            counts = score["outcome"] not in ("void", "cancelled")
            assert (points if counts else None) == expected[measure][number], number + 1
        assert all(line["message"] for line in score["lines"])

    game = table.get("/games/{id}").json
    assert [tally[rules.rank.measure] for tally in game["totals"]] == expected["totals"]
    assert [tally.get("league") for tally in game["totals"]] == (
        expected.get("league") or [None] * len(game["totals"])
    )
    if "won" in expected:
        assert [tally["won"] for tally in game["totals"]] == expected["won"]
    assert game["over"] is expected.get("over", False)

    settled = table.get("/games/{id}/settlement").json
    for name in ("balances", "amounts", "payable_amounts"):
        assert settled[name] == expected.get(name, settled[name])
    due = [{k: paid[k] for k in ("from", "to", "amount")} for paid in settled["transfers"]]
    assert due == expected["transfers"]


def test_the_paper_reads_back_round_by_round(file: Path, evening: Any, rules: RuleSet) -> None:
    expected, words = evening["expected"], language("de")
    game = score_evening(read_evening(file.read_bytes()))

    paper = Print(score_sheet(Words(game, words)))

    rounds = [row for row in expected[rules.rank.measure] if row]
    printed = [[cell.replace("−", "-") for cell in row] for row in paper.rounds()]
    assert [row[::2] for row in printed] == [
        ["–" if points is None else str(points) for points in row] for row in rounds
    ]
    columns = zip(*rounds, strict=True)
    running = zip(
        *(accumulate(points or 0 for points in column) for column in columns), strict=True
    )
    assert [row[1::2] for row in printed] == [list(map(str, row)) for row in running]

    def figures(label: str) -> list[str]:
        line = next(line for line in paper.lines() if line.startswith(label + " "))
        return re.findall(r"-?\d+", line.replace("−", "-").removeprefix(label))

    totals = list(map(str, expected["totals"]))
    assert figures(words(f"paper.tally.{rules.rank.measure}"))[: len(totals)] == totals
    if expected.get("league"):
        assert figures(words("paper.tally.league")) == list(map(str, expected["league"]))
    for payment in expected["transfers"]:
        unit, each = shown_unit(evening)
        amount = Fraction(payment["amount"]) / each
        shown = str(amount) if each == 1 else f"{float(amount):.2f}".replace(".", ",")
        assert f"{shown} {unit}" in bare(paper.text)


# ---- files that are not valid --------------------------------------------------------

GAME: dict[str, Any] = {
    "title": "", "rules": {"preset": "romme-palast"}, "players": [{"name": "Anna"}, {"name": "Ben"}]
}  # fmt: skip
ROUND: dict[str, Any] = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 501}]}


def refused(body: object) -> list[tuple[str, tuple[object, ...], object]]:
    """Return code, place and reason of each problem of a file."""
    with pytest.raises(RuleError) as error:
        score_evening(read_evening(json.dumps(body).encode()))
    return [(one.code, tuple(one.path), one.facts.get("why")) for one in error.value.problems]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ([], ("E_FORM", (), "type")),
        (GAME | {"rounds": {}}, ("E_FORM", ("rounds",), "type")),
        (GAME | {"results": []}, ("E_FORM", ("results",), "unknown")),
        (GAME | {"first_dealer": "draw"}, ("E_CONFIG", ("first_dealer",), "draw_of_a_file")),
        (GAME | {"players": [{"name": "Anna"}]}, ("E_CONFIG", ("players",), "player_count")),
        (
            GAME | {"players": [{"name": "Anna"}] * 2},
            ("E_FORM", ("players", 1, "name"), "same_name"),
        ),
    ],
)
def test_a_file_that_is_not_valid_is_refused_with_the_place(body: object, problem: object) -> None:
    assert refused(body) == [problem]


def test_the_problems_of_all_rounds_are_told_with_their_places() -> None:
    wrong = ROUND | {"winner": 5}

    assert refused(GAME | {"rounds": [wrong, ROUND, ROUND, ROUND]}) == [
        ("E_FORM", ("rounds", 0, "winner"), "no_seat"),
        ("E_GAME_OVER", ("rounds", 2), None),
        ("E_GAME_OVER", ("rounds", 3), None),
    ]


def test_a_file_may_name_the_first_dealer_and_have_no_rounds() -> None:
    body = GAME | {"first_dealer": 1, "expected": {"totals": [0, 0]}}
    game = score_evening(read_evening(json.dumps(body).encode()))

    assert (game.sheet.next_deal.dealer, game.sheet.rows) == (1, ())
