"""The tables of a game: the points that count, as the board shows them."""

import csv
from io import StringIO

import pytest

from rest import QUICK, Table


def table_of(table: Table, name: str) -> list[list[str]]:
    answer = table.get(f"/games/{{id}}/export.csv?table={name}")
    assert answer.status_code == 200, answer.text
    return list(csv.reader(StringIO(answer.text.removeprefix("\ufeff"))))


def test_the_points_of_a_round_are_less_what_the_winner_was_granted(app) -> None:  # [001] §9i
    """The winner's old minus points are reduced by 10 with each round won."""
    table = Table(app).begin(
        players="AB", rules={"preset": "german-family", "options": {"score.winner_reduction": 10}}
    )
    for winner, points in ((1, 35), (0, 12), (0, 7)):
        seats = [{"points": points}, {}] if winner else [{}, {"points": points}]
        table.record({"outcome": "out", "winner": winner, "seats": seats})
    head, *rounds, total = table_of(table, "rounds")
    minus = [head.index(f"{name} minus") for name in "AB"]
    shown = [[int(row[column]) for column in minus] for row in rounds]

    assert shown == [[35, 0], [-10, 12], [-10, 7]]
    assert [int(total[column]) for column in minus] == [15, 19]
    assert [sum(column) for column in zip(*shown, strict=True)] == [15, 19]


def test_a_struck_round_is_marked_and_counts_nothing(app) -> None:
    table = Table(app).begin()
    table.record(QUICK)
    table.call("DELETE", "/games/{id}/rounds/1", match="2")
    head, struck, total = table_of(table, "rounds")

    assert struck[head.index("status")] == "struck"
    assert struck[head.index("B minus")] == "12"
    assert total[head.index("B minus")] == "0"


def test_the_columns_of_a_settlement_are_named(app) -> None:
    table = Table(app).begin(
        rules={"preset": "german-family", "options": {"settle.point_value": "1/10"}}
    )
    table.record(QUICK)
    table.call("PATCH", "/games/{id}", {"over": True}, match=table.version)
    head, *rows = table_of(table, "settlements")

    assert head[:3] == ["player", "points", "stake"]
    assert head[-1] == "payable"
    assert [row[:2] for row in rows] == [["A", "107"], ["B", "59"], ["C", "-33"], ["D", "-133"]]
    assert sum(int(row[-1]) for row in rows) == 0


def test_a_game_is_exported_under_the_names_of_its_columns(app) -> None:
    table = Table(app).begin()
    table.record(QUICK)

    assert table_of(table, "totals")[0] == (
        ["player", "rank", "minus", "plus", "worth", "league", "rounds", "won"]
    )
    assert table_of(table, "rounds")[0][:5] == ["round", "at", "status", "outcome", "winner"]


@pytest.mark.parametrize(
    ("preset", "fact", "column"),
    [("german-family", "hand_romme", "at once"), ("chinchon", "one_run", "one run")],
)
def test_who_went_out_in_a_special_way_is_named(app, preset, fact, column) -> None:
    table = Table(app).begin(players="AB", rules={"preset": preset})
    for holds in (False, True):
        seats = [{"points": 30}, {}]
        table.record({"outcome": "out", "winner": 1, fact: holds, "seats": seats})
    head, *rounds, _ = table_of(table, "rounds")

    assert [row[head.index(column)] for row in rounds] == ["", "B"]
