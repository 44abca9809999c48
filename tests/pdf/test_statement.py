"""Settlement statements as PDF."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.units import mm

from bars import tries
from examples import EXAMPLE
from pdf.layout_checks import assert_inert, assert_tidy, hostile_names, tables
from pdf.paper import FOUR, Print, played, printed, rules_of, some_rounds
from scorekeeper.domain.game.state import Game, Payment
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf import settlement_statement
from scorekeeper.pdf.density import ROOMY
from scorekeeper.services.evening import read_evening, score_evening


def statement(game: Game, code: str = "de", **more: object) -> Print:
    settlement = game.settlement()
    assert settlement is not None
    return Print(settlement_statement(game, settlement, language(code, "UTC"), **more))  # type: ignore[arg-type]


def evening() -> Game:
    return score_evening(read_evening(EXAMPLE.read_bytes()))


def test_the_worked_evening_is_settled_on_one_page() -> None:  # S01
    paper = statement(evening())
    lines = "\n".join(paper.lines())

    assert len(paper.reader.pages) == 1
    assert "Minuspunkte 220 360 140 490" in lines
    assert "+330 −230 +650 −750" in lines
    assert "+33 Pf −23 Pf +65 Pf −75 Pf" in lines
    for payment in ("D zahlt C 65 Pf", "B zahlt A 23 Pf", "D zahlt A 10 Pf"):
        assert f"☐ {payment}" in lines


def test_payments_made_stand_above_those_still_due() -> None:  # S13
    terms = rules_of("german-family", settle__point_value="1", settle__unit="ct")
    game = played(terms, FOUR, [(0, 10, 20, 50)])
    made = Payment(3, 0, Fraction(60), "2026-06-12T22:31:00Z", 3)
    game = replace(game, paid=(made,))

    still_due = "☐ Dieter zahlt Bernd 0,40 € ☐ Dieter zahlt Anna 0,20 €"
    for paper in (statement(game), printed(game)):
        made_at, below = paper.text.split("☑ Dieter zahlt Anna ")[1].split(" 0,60 € ")

        assert "22:31" in made_at
        assert below.startswith(still_due)


def test_one_players_statement_has_only_their_pairs_money_and_payments() -> None:  # S01
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


def test_one_players_statement_has_their_share_of_the_table_stake() -> None:  # RULES 9.7
    rules = rules_of("german-family", settle__stake="20")
    over = replace(played(rules, FOUR[:3], [(0, 30, 10)]), ended_by_hand=True)

    lines = statement(over, side=1).lines()

    assert "Saldo −50" in lines and "Tischeinsatz −20" in lines and "Betrag −25 Pf" in lines
    assert "Tischeinsatz: Jeder Verlierer zahlt dem Sieger 20 Pf." in lines


def test_without_pairs_a_statement_shows_only_the_balance() -> None:  # S05
    rules = rules_of("knock-rummy", settle__point_value="2", settle__unit="ct")
    paper = statement(played(rules, FOUR[:3], [(0, 7, 15)]), side=0)

    assert "gegen" not in paper.text
    assert "Saldo +72" in paper.lines() and "Betrag +1,44 €" in paper.lines()


@pytest.mark.long
@settings(max_examples=20)
@given(
    tables,
    st.sampled_from(["german-family", "romme-palast", "knock-rummy"]),
    st.sampled_from(LANGUAGES),
    st.booleans(),
)
def test_a_statement_fits_on_one_page_without_overlaps(
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
    assert len(paper.reader.pages) == 1


@pytest.mark.parametrize("players", [2, 6, 8])
@pytest.mark.parametrize("side", [None, 1])
@pytest.mark.parametrize("preset", ["german-family", "knock-rummy"])
def test_long_names_and_large_amounts_fit_on_a_statement(
    preset: str, side: int | None, players: int
) -> None:
    rules = rules_of(preset, settle__point_value="9999/7", settle__unit="WWWWWWWWWWWW")
    if players > 6:
        rules = rules.override({"players.max": players, "deck.packs": 2})
    names = [f"{n} {'W' * 38}" for n in range(players)]
    rounds = [tuple(0 if s == n % players else 2999 + s for s in range(players)) for n in range(9)]
    if preset == "knock-rummy":
        rounds = some_rounds(players, 40)
    paper = statement(played(rules, names, rounds), side=side, head="0123456789abcdef")

    assert_tidy(paper)
    assert len(paper.reader.pages) == 1


EIGHT = ("Anna", "Bernd", "Claire", "Hannelore", "Elisabeth", "Dieter", "Gustav", "Friederike")


def of_eight(*names: str) -> Game:
    rules = rules_of("german-family", players__max=8, settle__point_value="1/10")
    return played(rules, names, some_rounds(8, 12))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("side", [None, 1])
def test_the_evening_of_eight_is_settled_on_one_page(code: str, side: int | None) -> None:
    paper = statement(of_eight(*EIGHT), code, side=side)

    assert_tidy(paper)
    assert len(paper.reader.pages) == 1


def test_whoever_has_only_a_number_on_a_statement_is_named_at_the_top() -> None:
    short = statement(of_eight(*"ABCDEFGH"))
    long = statement(of_eight(*EIGHT[:-1], "Friederike von und zu Berg"))

    assert "Spieler" not in short.written
    assert "7 Gustav; 8 Friederike von und zu Berg" in long.written


def test_the_names_of_three_games_at_once_have_the_numbers_of_their_players() -> None:
    rules = rules_of("gin-american", gin__hollywood=True, end__points=100)
    game = played(rules, ("Maximiliane Berg", "Alexandra von Berg"), [(0, 90)] * 4)
    sheet, paper = printed(game, size="A5"), statement(game)

    for text in (sheet.written, paper.written):
        assert "1 Maximiliane Berg; 2 Alexandra von Berg" in text
        assert re.search(r"[3-6] (Max|Ale)", text) is None


def test_payments_and_signatures_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one page is not enough, which takes more than eight long names."""
    high = replace(ROOMY, gap=10 * mm)
    monkeypatch.setattr("scorekeeper.pdf.statement.DENSITIES", (high,))
    first, second = statement(of_eight(*EIGHT)).pages

    assert "zahlt" not in first and "zahlt" in second
    assert "Friederike" in first and "Friederike" in second


def test_the_names_of_a_team_stay_on_its_statement() -> None:
    names = [f"{n} {'W' * 38}" for n in range(4)]
    game = played(rules_of("gin-palast", teams=True), names, [(0, 5, 10, 20)])

    assert_tidy(statement(game, side=0))


@pytest.mark.bar("P1")
@pytest.mark.parametrize("name", hostile_names(tries("P1") // 5))
def test_a_hostile_name_is_printed_as_plain_text_on_a_statement(name: str) -> None:
    rules = rules_of("german-family", settle__unit=name[:12])
    paper = statement(played(rules, (name, "Bernd"), [(0, 30)], {"title": name}), side=0)

    assert_inert(paper)
    assert_tidy(paper)
