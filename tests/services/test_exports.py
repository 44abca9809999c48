"""The tables of an evening and of a group, cell by cell."""

from datetime import date
from fractions import Fraction

import pytest

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.season import Choices
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.export.tables import game_table, season_csv
from scorekeeper.i18n import language
from scorekeeper.services import games, groups
from scorekeeper.services.clock import set_clock
from scorekeeper.services.exports import group_table
from scorekeeper.services.games import new_rules
from scorekeeper.services.given import give_points
from scorekeeper.services.seasons import question_of, season
from scorekeeper.store import Ledger
from scorekeeper.store.writes import PROGRAM, Write

pytestmark = pytest.mark.sqlite  # the tables are the same on both engines

RULES = new_rules("german-family", {}, {"point_value": "1/10", "unit": "ct", "payable": "1"})
CHOICES = Choices(("2026",), ("lay",), ("german-family",), ("ct",))
Club = tuple[Ledger, str, str, str, str]


@pytest.fixture
def club(ledger: Ledger) -> Club:
    """A group with three evenings: with everything, for training, and not over."""
    with set_clock("2026-03-05T20:00:00Z"):
        group = groups.create_group(
            ledger, NewGroup("Freitag", ("Bernd", "Anna", "=Cara"))
        ).group.id
        order = NewGame("", "", RULES, ("Anna", "Bernd", "=Cara"))
        first = groups.open_evening(ledger, group, order, Write()).id
        short.record(ledger, first, 0, 35, 12, note="=late")
        short.record(ledger, first, 20, 0, None)
        short.record(ledger, first, 3, 0, 8)
        short.correct(ledger, first, 2, 25, 0, None)
        games.strike_round(ledger, first, 3, Write())
    with set_clock("2026-03-05T23:00:00Z"):
        games.end_game(ledger, first, Write())
        games.mark_paid(ledger, first, 0, True, Write())
    with set_clock("2026-03-06T20:00:00Z"):
        order = NewGame("", "", RULES, ("Bernd", "Anna"))
        second = groups.open_evening(ledger, group, order, Write(), training=True).id
        short.record(ledger, second, 0, 7)
        games.end_game(ledger, second, Write())
        some = Transfer(0, 1, Fraction(5, 3))
        groups.pay(ledger, group, some, "ct", write=Write(), note="=bar")
        groups.pay(ledger, group, Transfer(2, 0, Fraction(4)), "ct", write=Write())
        groups.reverse(ledger, group, ledger.group(group).version, Write())
    with set_clock("2026-03-07T20:00:00Z"):
        third = groups.open_evening(ledger, group, order, Write()).id
        short.record(ledger, third, 9, 0)
    return ledger, group, first, second, third


def of_game(club: Club, table: str, **more: object) -> list[str]:
    ledger, _, first, *_ = club
    return game_table(ledger.game(first), table, **more).splitlines()  # type: ignore[arg-type]


def of_group(club: Club, table: str, **more: object) -> list[str]:
    ledger, group, *evenings = club
    text = "".join(group_table(ledger, ledger.group(group), table, **more))  # type: ignore[arg-type]
    for evening, name in zip(evenings, ("1st", "2nd", "3rd"), strict=True):
        text = text.replace(evening, name)
    return text.splitlines()


def test_the_rounds_of_an_evening(club: Club) -> None:
    assert of_game(club, "rounds") == [
        "\ufeffround,at,status,outcome,winner,"
        "Anna minus,Anna plus,Bernd minus,Bernd plus,'=Cara minus,'=Cara plus,note,record",
        "1,2026-03-05T20:00:00Z,,out,Anna,0,0,35,0,12,0,'=late,"
        '"{""outcome"":""out"",""winner"":0,""seats"":[{},{""points"":35},{""points"":12}]}"',
        "2,2026-03-05T20:00:00Z,corrected,out,Bernd,25,0,0,0,,,,"
        '"{""outcome"":""out"",""winner"":1,""seats"":[{""points"":25},{},{""absent"":true}]}"',
        "3,2026-03-05T20:00:00Z,struck,out,Bernd,3,0,0,0,8,0,,",
        "total,2026-03-05T23:00:00Z,,,,25,0,35,0,12,0,,",
    ]


def test_points_that_were_given_have_a_row_of_their_own(ledger: Ledger) -> None:
    with set_clock("2026-03-05T20:00:00Z"):
        game_id = short.begun(ledger, "Anna", "Bernd")
        short.record(ledger, game_id, 0, 35)
        give_points(ledger, game_id, {"side": 1, "minus": 7, "note": "=zu spät"}, PROGRAM)
        founded = groups.create_group(ledger, NewGroup("G", ("Bernd", "Dora", "Anna")))
        group = groups.admit_game(ledger, founded.group.id, game_id, PROGRAM)

    assert game_table(ledger.game(game_id), "rounds").splitlines()[2:] == [
        ",2026-03-05T20:00:00Z,given,,,,,7,0,'=zu spät,",
        "total,2026-03-05T20:00:00Z,,,,0,0,42,0,,",
    ]
    assert "".join(group_table(ledger, group, "rounds")).splitlines()[1:] == [
        f"2026-03-05,{game_id},1,,out,Anna,35,0,,,0,0,",
        f"2026-03-05,{game_id},,given,,,7,0,,,,,'=zu spät",
    ]


def test_the_totals_of_an_evening(club: Club) -> None:
    assert of_game(club, "totals") == [
        "\ufeffplayer,rank,minus,plus,worth,league,rounds,won",
        "Anna,2,25,0,-25,0,2,1",
        "Bernd,3,35,0,-35,0,2,1",
        "'=Cara,1,12,0,-12,0,1,0",
    ]


def test_the_settlement_and_the_payments_of_an_evening(club: Club) -> None:
    assert of_game(club, "settlements") == [
        "\ufeffplayer,points,stake,amount,exact,unit,payable",
        "Anna,22,,2.2,,ct,2",
        "Bernd,-33,,-3.3,,ct,-3",
        "'=Cara,11,,1.1,,ct,1",
    ]
    assert of_game(club, "payments") == [
        "\ufefffrom,to,amount,exact,unit,paid",
        "Bernd,Anna,2,,ct,2026-03-05T23:00:00Z",
        "Bernd,'=Cara,1,,ct,",
    ]


def test_the_rounds_of_a_group_have_columns_by_member(club: Club) -> None:
    assert of_group(club, "rounds") == [
        "\ufeffdate,game,round,status,outcome,winner,"
        "Bernd minus,Bernd plus,Anna minus,Anna plus,'=Cara minus,'=Cara plus,note",
        "2026-03-05,1st,1,,out,Anna,35,0,0,0,12,0,'=late",
        "2026-03-05,1st,2,corrected,out,Bernd,0,0,25,0,,,",
        "2026-03-05,1st,3,struck,out,Bernd,0,0,3,0,8,0,",
        "2026-03-06,2nd,1,,out,Bernd,0,0,7,0,,,",
        "2026-03-07,3rd,1,,out,Anna,9,0,0,0,,,",
    ]


def test_the_totals_of_a_group_tell_which_evenings_are_over_and_count(club: Club) -> None:
    assert of_group(club, "totals") == [
        "\ufeffdate,game,rules,training,over,member,rank,minus,plus,worth,league,played,won",
        "2026-03-05,1st,german-family,0,1,Anna,2,25,0,-25,0,2,1",
        "2026-03-05,1st,german-family,0,1,Bernd,3,35,0,-35,0,2,1",
        "2026-03-05,1st,german-family,0,1,'=Cara,1,12,0,-12,0,1,0",
        "2026-03-06,2nd,german-family,1,1,Bernd,1,0,0,0,0,1,1",
        "2026-03-06,2nd,german-family,1,1,Anna,2,7,0,-7,0,1,0",
        "2026-03-07,3rd,german-family,0,0,Bernd,2,9,0,-9,0,1,0",
        "2026-03-07,3rd,german-family,0,0,Anna,1,0,0,0,0,1,1",
    ]


def test_the_money_of_a_group_is_that_of_the_evenings_that_count(club: Club) -> None:
    assert of_group(club, "settlements") == [
        "\ufeffdate,game,member,amount,exact,unit",
        "2026-03-05,1st,Anna,2.2,,ct",
        "2026-03-05,1st,Bernd,-3.3,,ct",
        "2026-03-05,1st,'=Cara,1.1,,ct",
    ]


def test_a_payment_that_was_reversed_goes_the_other_way_too(club: Club) -> None:
    head, *rows = of_group(club, "payments")

    assert head == "\ufeffnumber,at,kind,game,from,to,amount,exact,unit,note,taken back"
    assert [row.partition(",")[2] for row in rows] == [
        "2026-03-05T23:00:00Z,paid,1st,Bernd,Anna,2,,ct,,0",
        "2026-03-06T20:00:00Z,paid,,Bernd,Anna,1.666667,'5/3,ct,'=bar,0",
        "2026-03-06T20:00:00Z,paid,,'=Cara,Bernd,4,,ct,,1",
        "2026-03-06T20:00:00Z,reversed,,Bernd,'=Cara,4,,ct,,0",
    ]


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        (
            "average",
            ["average", "1,'=Cara,1,1,1,0,-12", "2,Anna,1,0,2,1,-25/2", "3,Bernd,1,0,2,1,-35/2"],
        ),
        (
            "money",
            ["money ct", "1,Anna,1,0,2,1,11/5", "2,'=Cara,1,1,1,0,11/10", "3,Bernd,1,0,2,1,-33/10"],
        ),
        ("wins", ["wins", "1,'=Cara,1,1,1,0,1", "2,Bernd,1,0,2,1,0", "2,Anna,1,0,2,1,0"]),
    ],
)
def test_the_table_of_a_season(club: Club, by: str, rows: list[str]) -> None:
    ledger, group, *_ = club
    question = question_of({"by": by}, CHOICES, date(2026, 3, 7))
    found = season_csv(season(ledger, ledger.group(group), question)).splitlines()

    assert found[0] == "\ufeffrank,name,evenings,evenings_won,rounds,rounds_won," + rows[0]
    assert found[1:] == rows[1:]


def test_who_played_too_few_rounds_has_no_rank(club: Club) -> None:
    ledger, group, *_ = club
    question = question_of({"min_rounds": 2}, CHOICES, date(2026, 3, 7))
    ranks = [one.rank for one in season(ledger, ledger.group(group), question).standings]

    assert ranks == [1, 2, None]


def test_a_spreadsheet_with_decimal_commas_has_semicolons_and_words(club: Club) -> None:
    german = language("de")

    def word(text: str) -> str:
        return german(f"csv.{text}") if f"csv.{text}" in german else text

    assert of_game(club, "settlements", word=word, decimal_sign=",")[1:3] == [
        "Anna;22;;2,2;;ct;2",
        "Bernd;-33;;-3,3;;ct;-3",
    ]
    assert of_game(club, "totals", word=word)[0].startswith("\ufeffSpieler,Platz,")
