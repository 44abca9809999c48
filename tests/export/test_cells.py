"""CSV tables: user input is never evaluated, and numbers stay numbers (P5)."""

import csv
import random
import re
from collections.abc import Iterator
from io import StringIO

import pytest
from flask import Flask

from bars import seed, tried, tries
from rest import Club
from scorekeeper.export.tables import TABLES
from scorekeeper.i18n.printable import unprintable

PLAYERS = 6
STARTS = (
    "=",
    "+",
    "-",
    "@",
    "＝",
    "＋",
    "－",
    "＠",
    '"=',
    "'=",
    ";=",
    'A;"=',
    "A; -",
    "A,@",
    "A|+",
)
FORMULAS = (
    "1+1",
    "cmd|'/C calc'!A0",
    'HYPERLINK("http://192.0.2.1")',
    "SUM(A1:A9)*cmd",
    "2+3;=1+1",
)
NUMBER = re.compile(r"-?\d+(\.\d+)?")
DANGER = re.compile(r'[\s"]*[=+@＝＋－＠-]')


def hostile_cells() -> list[str]:
    """Return as many hostile cells as P5 asks for, without characters that are refused."""
    found = [(start + formula)[:40].strip() for start in STARTS for formula in FORMULAS]
    found = [word for word in found if not unprintable(word)]
    random.Random(seed("P5")).shuffle(found)
    return found[: tries("P5")]


def all_cells(text: str) -> Iterator[str]:
    """Yield every cell of a table as spreadsheets of any locale would split it."""
    for row in csv.reader(StringIO(text)):
        yield from row
    for separator in ";|":
        for line in text.splitlines():
            yield from line.split(separator)


@pytest.mark.bar("P5")
def test_no_cell_of_any_table_is_evaluated_as_a_formula(app: Flask) -> None:
    hostile = hostile_cells()
    for first in range(0, len(hostile), PLAYERS):
        words = hostile[first : first + PLAYERS]
        names = [*words, "Anna", "Ben"]
        club = Club(app).found(*names[:PLAYERS])
        table = club.evening(*names[:PLAYERS], title=words[0])
        for note, points in zip(words, range(10, 99, 10), strict=False):
            seats = [{}, *[{"points": points}] * (len(names[:PLAYERS]) - 1)]
            answer = table.record({"outcome": "out", "winner": 0, "seats": seats, "note": note})

            assert answer.status_code == 201
            payment = {"from": 0, "to": 1, "amount": "10/3", "unit": "ct", "note": note}
            assert club.post("/groups/{id}/payments", payment, key=str(points)).status_code == 201
        paths = [f"/groups/{{id}}/export.csv?table={name}" for name in TABLES]
        paths += [f"/games/{{game}}/export.csv?table={name}" for name in TABLES]
        for path in (*paths, "/groups/{id}/season.csv"):
            answer = club.get(path)
            text = answer.data.decode("utf-8-sig")
            dangerous = [cell for cell in all_cells(text) if DANGER.match(cell)]

            assert answer.status_code == 200, answer.text
            assert all(NUMBER.fullmatch(cell.split(",")[0]) for cell in dangerous), path
        tried(len(words))
