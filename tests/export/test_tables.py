"""The tables of a game: the points that count, as the board shows them."""

import csv
from io import StringIO

from rest import QUICK, Table


def table_of(table: Table, name: str) -> list[list[str]]:
    answer = table.get(f"/games/{{id}}/export.csv?table={name}")
    assert answer.status_code == 200, answer.text
    return list(csv.reader(StringIO(answer.text)))


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
