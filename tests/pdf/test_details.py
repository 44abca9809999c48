"""The details of a score sheet: every round with its cards and the lines of its score."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from examples import EXAMPLE, EXAMPLES, cards
from pdf.layout_checks import assert_tidy
from pdf.paper import BEGAN, FOUR, Print, cancelled, played, printed, rules_of, some_rounds
from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import MeldRef, Round, Seat, Swap
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.pdf import SHEET_SIZES
from scorekeeper.services.evening import read_evening, score_evening


def evening(name: str) -> Print:
    """Return the score sheet of an example with its details."""
    file = EXAMPLES / f"{name}.json"
    return printed(score_evening(read_evening(file.read_bytes())), details=True)


def details_of(paper: Print, number: int) -> list[str]:
    """Return the lines below the heading of a round, if they stand on one page."""
    page = next(page for page in paper.pages if f"Runde {number}, gegeben" in page)
    lines = [" ".join(line.split()) for line in page.splitlines() if line.strip()]
    begin = next(nth for nth, line in enumerate(lines) if line.startswith(f"Runde {number}, "))
    ends = (nth for nth, line in enumerate(lines) if line.startswith(f"Runde {number + 1}, "))
    return lines[begin + 1 : next(ends, None)]


def recorded(game: Game, facts: Round) -> Game:
    """Return the game with one more round."""
    score = score_round(facts, game.rules, game.sheet.seats)
    return replace(game, sheet=game.sheet.record(BEGAN, facts, score))


def test_details_list_melds_discards_and_swapped_jokers() -> None:
    paper = evening("robber")

    assert details_of(paper, 1) == [
        "Anna Zuerst ausgelegt: ♥K ♥A ♥2 ♥3; ♠9 ♣9 ♦9",
        "Abgeworfen: ♣4",
        "Bernd Auf der Hand: Joker ♥7 ♠7 34",
        "Claire Auf der Hand: ♦D ♥D ♣5 25",
    ]
    assert details_of(paper, 4) == [
        "Anna Ausgelegt: ♥5 Joker (♥6) ♥7",
        "Abgeworfen: ♦K",
        "Bernd Joker getauscht: ♥6 bei Anna",
        "Auf der Hand: ♣2 ♦3 5",
        "Claire Auf der Hand: ♠6 ♣6 ♣K 22",
    ]


def test_details_list_what_was_laid_off_and_the_melds_found_in_a_hand() -> None:
    assert details_of(evening("gin-joker"), 4) == [
        "Anna Angelegt: ♥8 bei Bernd",
        "Restkarten von Anna, 24 Punkte: ♣K ♦5 ♠9",
        "Ausgelegt: ♣B ♦B ♥B; ♣2 ♣3 ♣4",
        "Bernd Ausgelegt: ♥7 Joker (♥8) ♥9; ♣D ♦D ♠D; ♠4 ♠5 ♠6",
        "Abgeworfen: ♣A",
        "Restkarten von Bernd, 3 Punkte: ♦3",
        "Unterschied: 24 gegen 3 +21",
        "Box-Bonus für die gewonnene Runde +10",
    ]


def test_details_name_each_loser_and_who_was_away() -> None:
    assert details_of(evening("romme-palast"), 7) == [
        "Anna Von Claire +64",
        "Von Dieter +51",
        "Bernd nicht dabei",
        "Claire Auf der Hand: ♠K ♠D ♦B ♣10 ♣9 ♣8 ♦7 64",
        "Dieter Auf der Hand: Joker Joker ♠A 51",
    ]


def test_details_list_what_partners_declared_before_the_lines_of_their_teams() -> None:
    assert details_of(evening("gin-teams"), 5) == [
        "Claire Ausgelegt: ♣4 ♣5 ♣6; ♥9 ♠9 ♦9",
        "Abgeworfen: ♠8",
        "Anna + Claire Restkarten von Anna, 20 Punkte: ♣A ♣8 ♦6 ♥5",
        "Ausgelegt: ♦B ♦D ♦K",
        "Restkarten von Claire, 2 Punkte: ♥2",
        "Unterschied: 54 gegen 22 +32",
        "Box-Bonus für die gewonnene Runde +10",
        "Bernd + Dieter Restkarten von Bernd, 37 Punkte: ♦3 ♦4 ♥K ♠10 ♠K",
        "Angelegt: ♣7 ♣9",
        "Restkarten von Dieter, 17 Punkte: ♦2 ♦8 ♥7",
        "Ausgelegt: ♣D ♥D ♠D",
        "Angelegt: ♣3",
    ]


@pytest.mark.parametrize(
    ("preset", "seats", "lines"),
    [
        (
            "german-family",
            [Seat(hand=cards("AS 10H")), Seat(points=12), Seat(rest=(Card(Rank.KING, None),))],
            ["Anna Auf der Hand: ♠A ♥10", "Bernd Als Punkte eingetragen: 12", "Claire Rest: K"],
        ),
        (
            "knock-rummy",
            [Seat(count=5), Seat(deadwood=0)],
            ["Anna Nicht gemeldet, als Punkte: 5", "Bernd Deadwood: 0"],
        ),
    ],
)
def test_details_of_a_misdeal_say_what_was_declared(
    preset: str, seats: Sequence[Seat], lines: list[str]
) -> None:
    game = played(rules_of(preset), FOUR[: len(seats)], [])
    game = recorded(game, Round(outcome="cancelled", seats=tuple(seats)))

    assert details_of(printed(game, details=True), 1) == lines


def test_details_list_the_cards_with_their_suits_and_the_lines_of_the_score() -> None:
    paper = printed(score_evening(read_evening(EXAMPLE.read_bytes())), details=True)

    assert "A Auf der Hand: ♥K ♣9 ♠A Joker 50" in paper.lines()
    assert "A Ausgelegt: ♠A ♠2 ♠3; ♥2 ♦2 ♣2; ♥3 ♦3 ♣3; ♥4 ♦4 ♣4 ♠4" in paper.lines()
    assert "Handrommé: Punkte × 2 45" in paper.lines()
    assert "Runde 4, gegeben von D. B: Rommé" in paper.lines()
    assert "Auf der Hand, als Punkte eingetragen 75" in paper.text


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", "Angesagt: 7"),
        ("en", "Announced: 7"),
        ("lb", "Ugesot: 7"),
        ("fr", "Annoncé : 7"),
    ],
)
def test_details_show_the_announced_points(code: str, words: str) -> None:
    game = played(rules_of("gin-palast"), ("Anna", "Bernd"), [])
    seats = (Seat(rest=(Card(Rank.SIX, None),), announced=7), Seat(deadwood=24))
    facts = Round(outcome="knock", knocker=0, seats=seats)
    score = score_round(facts, game.rules, 2)
    game = replace(game, sheet=game.sheet.record(BEGAN, facts, score))

    assert words in printed(game, code, details=True).text


def test_the_score_lines_in_the_details_add_up_to_the_round() -> None:
    paper = printed(score_evening(read_evening(EXAMPLE.read_bytes())), details=True)
    lines = "\n".join(paper.lines())
    second = lines.split("Runde 2, gegeben")[1].split("Runde 3, gegeben")[0]
    of_each = re.split(r"\n[A-D] ", second)[1:]
    points = [sum(map(int, re.findall(r" (\d+)$", part, re.MULTILINE))) for part in of_each]

    assert points == [0, 90, 40, 120]


def wide_evening() -> Game:
    """Return rounds with long names, full hands, and jokers that were swapped."""
    names = [f"Maximiliane-Alexandra von und zu Hohenstein {n}" for n in range(3)]
    game = played(rules_of("german-family", deal__cards=16, joker__hand_value=100), names, [])
    held = cards("JK JK 10S 10H 10D 10C QS QH QD QC KS KH KD KC AS AH")
    melds = ("9S JK=10S JS", "QD JK=KD AD", "5H 6H 7H", "2C 2D 2H 2S", "4C 5C 6C")
    swaps = (Swap(cards("10S")[0], MeldRef(0, 0)), Swap(cards("KD")[0], MeldRef(0, 1)))
    for skipped in range(5):
        winner = Seat(melds=tuple(map(cards, melds)))
        others = (Seat(hand=held[skipped:]), Seat(points=9999, swaps=swaps))
        game = recorded(game, Round(outcome="out", winner=0, seats=(winner, *others)))
    return game


@pytest.mark.parametrize("size", SHEET_SIZES)
def test_wide_details_stay_within_their_columns(size: str) -> None:
    assert_tidy(printed(wide_evening(), size=size, details=True))


def test_a_name_and_the_points_stand_beside_the_first_line_at_both_edges() -> None:
    paper = printed(wide_evening(), size="A5", details=True)
    page_format, boxes = paper.page_format(1), paper.boxes(1)
    points = next(box for box in boxes if box.text == "342")
    line = [box for box in boxes if abs(box.bottom - points.bottom) < 3]

    assert [box.text.strip() for box in line] == [
        "2 Maximil…",
        "Auf der Hand: Joker Joker ♠10 ♥10 ♦10 ♣10 ♠D ♥D ♦D ♣D",
        "342",
    ]
    assert abs(line[0].left - page_format.side) < 1
    assert abs(line[2].right - page_format.size[0] + page_format.side) < 1


@pytest.mark.parametrize("misdeals", [4, 7])
def test_a_round_begins_with_at_least_two_lines_on_its_page(misdeals: int) -> None:
    game = played(rules_of("german-family"), FOUR, some_rounds(4, 9))
    rounds = game.sheet.rows
    for _ in range(misdeals):
        game = cancelled(game)
    for row in rounds:
        game = recorded(game, row.round)

    for page in printed(game, details=True).pages:
        assert "Rommé" not in page.rstrip().splitlines()[-1]
