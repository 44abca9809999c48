"""Settlement statements and season tables."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdf.paper import FOUR, Print, played, rules_of, some_rounds
from pdf.test_pages import LETTERS, assert_inert, assert_tidy, hostile_names, tables
from scorekeeper.domain.game import Game
from scorekeeper.evening import read_evening, reckon
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf import SHEETS, season_table, settlement_statement
from scorekeeper.pdf.season import Standing

EXAMPLE = Path(__file__).parents[2] / "examples" / "evening.json"


def statement(game: Game, code: str = "de", **more: object) -> Print:
    settlement = game.settlement()
    assert settlement is not None
    return Print(settlement_statement(game, settlement, language(code, "UTC"), **more))  # type: ignore[arg-type]


def evening() -> Game:
    return reckon(read_evening(EXAMPLE.read_bytes()))


def test_the_worked_evening_is_settled_on_one_page() -> None:  # S01
    paper = statement(evening())
    lines = "\n".join(paper.lines())

    assert len(paper.pages) == 1
    assert "Minuspunkte 220 360 140 490" in lines
    assert "+330 −230 +650 −750" in lines
    assert "+33 Pf −23 Pf +65 Pf −75 Pf" in lines
    for payment in ("D zahlt C 65 Pf", "B zahlt A 23 Pf", "D zahlt A 10 Pf"):
        assert f"☐ {payment}" in lines


def test_one_player_sees_his_own_pairs_his_money_and_his_payments() -> None:  # S01
    lines = statement(evening(), side=0).lines()

    assert "Abrechnung für A" in lines
    assert [line for line in lines if line.startswith("gegen")] == [
        "gegen B +140",
        "gegen C −80",
        "gegen D +270",
    ]
    assert "Saldo +330" in lines and "Betrag +33 Pf" in lines
    assert [line for line in lines if "zahlt" in line] == [
        "☐ B zahlt A 23 Pf",
        "☐ D zahlt A 10 Pf",
    ]


def test_without_pairs_the_balance_stands_alone() -> None:  # S05
    rules = rules_of("knock-rummy", settle__point_value="2", settle__unit="ct")
    paper = statement(played(rules, FOUR[:3], [(0, 7, 15)]), side=0)

    assert "gegen" not in paper.text
    assert "Saldo +72" in paper.lines() and "Betrag +144 ct" in paper.lines()


@settings(max_examples=20)
@given(
    tables,
    st.sampled_from(["german-family", "romme-palast", "knock-rummy"]),
    st.sampled_from(LANGUAGES),
    st.booleans(),
)
def test_nothing_on_a_statement_overlaps_and_it_takes_one_page(
    players: list[str], preset: str, code: str, alone: bool
) -> None:
    rules = rules_of(preset, settle__point_value="1/7", settle__unit="WWWWWWWWWWWW")
    rounds = [
        tuple(0 if s == n % len(players) else 2999 + s for s in range(len(players)))
        for n in range(9)
    ]
    game = played(
        rules, players, rounds if preset != "knock-rummy" else some_rounds(len(players), 9)
    )
    paper = statement(game, code, side=0 if alone else None, head="0123456789abcdef")

    assert_tidy(paper)
    assert len(paper.pages) == 1


@pytest.mark.parametrize("name", hostile_names(10))
def test_a_hostile_name_is_only_a_name_on_a_statement(name: str) -> None:  # P1
    rules = rules_of("german-family", settle__unit=name[:12])
    paper = statement(played(rules, (name, "Bernd"), [(0, 30)], {"title": name}), side=0)

    assert_inert(paper)
    assert_tidy(paper)


def member(rank: int, name: str, points: int = 220, balance: Fraction | None = None) -> Standing:
    return Standing(
        rank=rank, name=name, evenings=12, rounds=96, won=31, points=points, balance=balance
    )


def test_a_season_lists_its_members_as_they_are_given() -> None:
    members = [member(1, "Claire", -140, Fraction(65)), member(2, "Anna", 220, Fraction(-33, 2))]
    paper = Print(season_table("Stammtisch", "2026", members, language("de"), unit="ct"))

    assert "Saisontabelle Stammtisch, 2026 Blatt 1 von 1" in paper.text
    assert "Platz Name Abende Runden Gewonnen Punkte Geld" in paper.lines()
    assert "1 Claire 12 96 31 −140 +65 ct" in paper.lines()
    assert "2 Anna 12 96 31 220 −16,5 ct" in paper.lines()


def test_a_season_without_money_has_no_column_for_it() -> None:
    paper = Print(season_table("Stammtisch", "", [member(1, "Anna")], language("de")))

    assert "Geld" not in paper.text


@settings(max_examples=10)
@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=40), min_size=1, max_size=40),
    st.sampled_from(LANGUAGES),
    st.sampled_from(SHEETS),
)
def test_nothing_in_a_season_overlaps(names: list[str], code: str, size: str) -> None:
    members = [member(n, name, -99_999, Fraction(-99_999, 7)) for n, name in enumerate(names, 1)]

    assert_tidy(
        Print(
            season_table(
                names[0], names[-1], members, language(code), unit="WWWWWWWWWWWW", size=size
            )
        )
    )
