"""Typed sheets of the further systems: the columns beside the points, as an export writes them."""

import csv
from datetime import date
from io import StringIO
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.export.tables import TOLD, game_table
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services.backfill import played_game
from scorekeeper.wire.csv_choices import Choices
from scorekeeper.wire.csv_facts import is_fact
from scorekeeper.wire.csv_sheet import read_sheet

NAMES = ("Anna", "Bernd", "Claire")
AT = "2026-11-27T20:00:00Z"


def typed(preset: str, columns: str, *rounds: str, **options: Any) -> Game:
    """Return the game of a typed sheet; a round has the points, then the other columns."""
    players = len(rounds[0].split(";")) - len(columns.split(";")) * bool(columns)
    head = ";".join(("Datum", *NAMES[:players], *([columns] if columns else [])))
    lines = [f"2026-11-27;{rounds[0]}", *(f";{one}" for one in rounds[1:])]
    text = "\n".join((head, *lines))
    sheet = read_sheet(text, NAMES, Choices(points="rounds"), latest=date(2026, 11, 28))
    rules = PRESETS[preset].override({name.replace("__", "."): v for name, v in options.items()})
    return played_game(sheet.evenings[0].as_played(rules, AT, AT))[0]


def totals(game: Game, measure: str = "minus") -> list[int]:
    return [tally.of(measure) for tally in game.sheet.tallies]


FIRST: dict[str, tuple[list[str], str, list[int]]] = {
    "scala-40": (["", "0;46;15"], "minus", [0, 46, 15]),  # N16
    "kalooki": (["", "0;36;10"], "minus", [0, 36, 10]),  # N23
    "kalooki-jamaica": (["", "0;66;21"], "minus", [0, 66, 21]),  # N28
    "chinchon": (["Gewinner", "4;19;5;Anna"], "minus", [4, 19, 5]),  # N33
    "indian-points": (["first drop", "0;34;20;Claire"], "net", [54, -34, -20]),  # N43
    "indian-pool": (  # N51
        [
            "später ausgestiegen;gleich ausgestiegen;falsch gemeldet",
            "0;40;60;Bernd;;",
            "20;0;80;;Anna;Claire",
        ],
        "minus",
        [20, 40, 140],
    ),
    "indian-deals": (["", "0;45", "30;0"], "net", [15, -15]),  # N56
    "remi-51": (["", "0;41;7"], "minus", [0, 41, 7]),  # N60
    "contract-rummy": (["", "0;40;18"], "minus", [0, 40, 18]),  # N65
    "shanghai": (["", "0;50;10"], "minus", [0, 50, 10]),  # N69
    "continental": (["", "0;87;3"], "minus", [0, 87, 3]),  # N73
    "three-thirteen": (["", "0;14"], "minus", [0, 14]),  # N77
    "phases": (["laid", "0;55;Bernd"], "minus", [0, 55]),  # N81
    "rummy-500": (["laid", "72;0;20;Anna 60, Bernd 45"], "net", [-12, 45, -20]),  # N86
    "rummy": (["", "0;18;20"], "plus", [38, 0, 0]),  # N92
}


@pytest.mark.parametrize("preset", FIRST)
def test_the_first_example_of_a_system_is_read_from_a_typed_sheet(preset: str) -> None:
    rows, measure, expected = FIRST[preset]

    assert totals(typed(preset, *rows), measure) == expected


def test_who_comes_back_and_who_went_out_at_once_is_read() -> None:  # N25
    rounds = ("0;160;20;;", "30;0;140;Bernd;Bernd", "0;131;;;")
    game = typed("kalooki", "back;at once", *rounds)

    assert totals(game) == [30, 151, 160]


def test_a_wild_rank_and_one_run_are_read_in_any_notation() -> None:
    game = typed("indian-points", "wild", "0;34;12;D")

    assert str(game.sheet.rows[0].round.wild) == "Q"
    assert typed("chinchon", "one run", "0;20;5;Anna").is_over  # N35


@pytest.mark.parametrize(
    ("columns", "row", "why"),
    [
        ("first drop", "0;34;;Claire", "nobody"),
        ("first drop", "0;34;20;Dieter", "nobody"),
        ("wild", "0;34;20;Z", "wild"),
        ("wild", "0;34;20;7, 8", "wild"),
    ],
)
def test_what_names_nobody_is_refused_in_its_cell(columns: str, row: str, why: str) -> None:
    with pytest.raises(RuleError) as refused:
        typed("indian-points", columns, row)

    (problem,) = refused.value.problems
    assert (problem.facts["why"], problem.facts["line"], problem.facts["column"]) == (why, 2, 5)
    for code in LANGUAGES:
        assert str(problem.facts["value"]) in language(code).problem(problem)


def test_an_export_has_the_columns_that_a_typed_sheet_may_have() -> None:
    game = typed("indian-pool", *FIRST["indian-pool"][0][:2])
    rows = list(csv.reader(StringIO(game_table(game, "rounds").removeprefix("\ufeff"))))
    told = dict(zip(rows[0], rows[1], strict=True))

    assert told["middle drop"] == "Bernd"
    assert "first drop" not in told


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_column_of_an_export_is_taken_for_a_player_on_a_typed_sheet(code: str) -> None:
    assert [told for told in TOLD if not is_fact(language(code)(f"csv.{told}"))] == []


def test_an_export_says_what_a_round_asked_for_and_who_went_out() -> None:
    contract = typed("contract-rummy", "", "0;40;18", "0;40;18")
    head, _, second, *_ = csv.reader(StringIO(game_table(contract, "rounds")))
    assert dict(zip(head, second, strict=True))["contract"] == "S3 R4"

    scala = typed("scala-40", "", "0;110;18")
    head, first, *_ = csv.reader(StringIO(game_table(scala, "rounds")))
    assert dict(zip(head, first, strict=True))["eliminated"] == "Bernd"
