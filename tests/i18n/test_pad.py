"""The words of the pad and of the end of an evening, with the names and numbers they tell."""

from dataclasses import replace

import pytest

from pdf.paper import BEGAN, FOUR, Points, played, rules_of
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.i18n import language
from scorekeeper.wording import pad
from scorekeeper.wording.endings import how_won, who_beat_whom

DE = language("de", "UTC")


@pytest.mark.parametrize(
    ("rounds", "result", "how"),
    [
        ([], "Anna, Bernd und Claire, ohne Runde", ""),
        (
            [(0, 6, 6), (6, 0, 6), (6, 6, 0)],
            "Gleichstand: Anna, Bernd und Claire",
            "12 Minuspunkte",
        ),
        (
            [(0, 12, 30), (8, 0, 9)],
            "Anna gewann gegen Bernd und Claire",
            "8 Minuspunkte, eine Runde gewonnen, vorn von der ersten Runde an",
        ),
        (
            [(0, 12, 30), (40, 0, 9), (0, 50, 20)],
            "Anna gewann gegen Bernd und Claire",
            "40 Minuspunkte, 2 Runden gewonnen, vorn seit Runde 3",
        ),
    ],
)
def test_the_result_tells_who_won_how_and_since_when(
    rounds: list[Points], result: str, how: str
) -> None:
    game = played(rules_of("german-family"), FOUR[:3], rounds)

    assert who_beat_whom(game, DE) == result
    assert how_won(game, DE).replace("\u00a0", " ") == how


@pytest.mark.parametrize(
    ("rounds", "why"), [(1, "Eine Runde war ausgemacht."), (2, "2 Runden waren ausgemacht.")]
)
def test_an_agreed_number_of_rounds_is_why_a_game_is_over(rounds: int, why: str) -> None:
    rules = rules_of("german-family", end__mode="rounds", end__rounds=rounds)
    game = played(rules, FOUR[:2], [(0, 12)] * rounds)

    assert (pad.why_over(game, DE), pad.winners(game, DE)) == (why, "Anna gewinnt.")


def test_what_is_left_names_the_player_nearest_to_the_limit() -> None:
    rules = rules_of("luxembourg", end__mode="points", end__measure="plus", end__points=100)
    game = played(rules, FOUR[:3], [(18, 0, 14), (0, 9, 2)])

    assert pad.remaining(game, DE) == ["Bernd fehlen noch 68 Punkte bis 100"]


@pytest.mark.parametrize(
    ("factor", "note"),
    [
        (1, "Bernd: Handrommé"),
        (2, "Handrommé von Bernd, Punkte doppelt"),
        (3, "Handrommé von Bernd, Punkte × 3"),
    ],
)
def test_a_note_tells_who_went_out_in_one_turn_and_what_it_counts(factor: int, note: str) -> None:
    rules = rules_of("german-family", hand_romme__factor=factor)
    facts = Round(outcome="out", winner=1, hand_romme=True, seats=(Seat(points=20), Seat()))
    game = played(rules, FOUR[:2], [])
    game = replace(game, sheet=game.sheet.record(BEGAN, facts, score_round(facts, rules, 2)))
    (line,) = pad.lines(game, DE)

    assert line.notes == (note,)
    assert [cell.mark for cell in line.cells] == ["", "Rommé"]


def test_an_empty_sheet_has_no_winner() -> None:
    assert pad.winners(played(rules_of("german-family"), FOUR, []), DE) == "Das Spiel ist aus."
