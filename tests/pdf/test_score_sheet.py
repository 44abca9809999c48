"""The contents of the score sheet, read back from the PDF."""

import re
from dataclasses import replace
from itertools import cycle, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import EXAMPLE
from examples import played as evening_of_rounds
from pdf.layout_checks import assert_tidy
from pdf.paper import (
    BEGAN,
    FOUR,
    LIVE,
    Points,
    Print,
    cancelled,
    played,
    printed,
    rules_of,
    scored,
    some_rounds,
)
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services.evening import read_evening, score_evening

FAMILY = rules_of("german-family")


def number(text: str) -> int:
    return int(text.replace("−", "-"))


def after(label: str, paper: Print) -> list[int]:
    """Return the numbers of the line that begins with a label."""
    line = next(line for line in paper.lines() if line.startswith(label))
    return [number(n) for n in re.findall(r"[−+]?\d+", line)]


@pytest.fixture(scope="module")
def evening() -> Print:
    """The score sheet of the worked example."""
    return printed(score_evening(read_evening(EXAMPLE.read_bytes())))


def test_the_worked_evening_reads_back_round_by_round(evening: Print) -> None:
    points = [[number(cell) for cell in row[::2]] for row in evening.rounds()]

    assert points == [
        [50, 15, 0, 50],
        [0, 90, 40, 120],
        [30, 60, 0, 85],
        [40, 0, 50, 75],
        [55, 70, 30, 0],
        [45, 65, 0, 90],
        [0, 60, 20, 70],
    ]
    assert after("Minuspunkte", evening) == [220, 360, 140, 490]
    assert after("Platz", evening) == [2, 3, 1, 4]
    assert after("Gewonnen", evening) == [2, 1, 3, 1]


def test_the_worked_evening_settles_on_paper_as_in_the_source(evening: Print) -> None:  # S01
    lines = "\n".join(evening.lines())

    assert "+330 −230 +650 −750" in lines
    assert "1210 1210 1210 1210" in lines
    assert "− 4 × 220 − 4 × 360 − 4 × 140 − 4 × 490" in lines
    assert "+33 Pf −23 Pf +65 Pf −75 Pf" in lines
    assert "Probe: alle Punkte weniger 4 × die eigenen. Summe 0." in lines
    for payment in ("D zahlt C 65 Pf", "B zahlt A 23 Pf", "D zahlt A 10 Pf"):
        assert f"☐ {payment}" in lines


def test_remarks_are_written_in_words(evening: Print) -> None:
    assert "A: Handrommé × 2" in evening.text
    assert "D: Rommé" in evening.text


SIGNED = re.compile(r"((?:[+−]\d+|0)(?: (?:[+−]\d+|0)){3})$")
"""Four signed numbers, as in a row of the settlement."""

rounds_of_four = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.lists(st.one_of(st.none(), st.integers(2, 260)), min_size=4, max_size=4),
    ),
    min_size=1,
    max_size=30,
)


def seated(winner: int, left: list[int | None]) -> Points:
    """Return a round with a winner and at least one loser present."""
    points = [0 if seat == winner else own for seat, own in enumerate(left)]
    loser = (winner + 1) % 4
    points[loser] = points[loser] or 20
    return tuple(points)


@pytest.mark.long
@settings(max_examples=10)
@given(rounds_of_four)
def test_totals_are_the_sums_of_the_rounds_and_every_pair_adds_up(
    rounds: list[tuple[int, list]],
) -> None:
    paper = printed(played(FAMILY, FOUR, [seated(*entry) for entry in rounds]))

    rows = [
        [0 if cell == "–" else number(cell) for cell in row] for row in [["0"] * 8, *paper.rounds()]
    ]

    assert len(rows) == 1 + len(rounds)
    for before, row in pairwise(rows):
        for side in range(4):
            assert before[2 * side + 1] + row[2 * side] == row[2 * side + 1]
    assert after("Minuspunkte", paper) == rows[-1][1::2]

    found = (SIGNED.search(line) for line in paper.lines())
    table = [[number(n) for n in match[1].split()] for match in found if match]
    *pairs, sums = table[:4]

    assert [sum(column) for column in zip(*pairs, strict=True)] == sums
    assert sum(sums) == 0
    assert sorted(n for row in pairs for n in row) == sorted(-n for row in pairs for n in row)


def test_an_absent_player_has_a_dash_and_pairs_settle_only_shared_rounds() -> None:  # S11
    paper = printed(played(FAMILY, FOUR[:3], [(0, 10, 20), (8, 0, None)]))

    assert paper.rounds() == [["0", "0", "10", "10", "20", "20"], ["8", "8", "0", "10", "–", "20"]]
    assert "+22 +8 −30" in paper.text
    assert "Jedes Paar rechnet die Runden ab, die beide spielten. Summe 0." in paper.text
    assert "Probe" not in paper.text


def test_a_late_player_is_absent_from_earlier_rounds() -> None:
    game = played(FAMILY, FOUR[:2], [(0, 10)])
    game = replace(game, sheet=game.sheet.seat_added(), texts={**game.texts, "name.2": "Claire"})

    assert printed(game).rounds() == [["0", "0", "10", "10", "–"]]


def test_a_corrected_round_shows_its_previous_points() -> None:
    game = played(FAMILY, FOUR, [(0, 56, 30, 20)])
    facts, score = scored(FAMILY, (0, 65, 30, 20))
    paper = printed(
        replace(game, sheet=game.sheet.correct(1, "2026-06-12T22:01:00Z", facts, score))
    )

    assert "Anna: Rommé *" in paper.text
    assert "* Runde 1 um 22:01 Uhr berichtigt: Bernd 65 statt 56." in paper.text


def test_a_correction_names_the_winner_it_changed() -> None:
    game = played(FAMILY, FOUR[:2], [(0, 56)])
    facts, score = scored(FAMILY, (56, 0))
    paper = printed(replace(game, sheet=game.sheet.correct(1, BEGAN, facts, score)))

    assert "Anna 56 statt 0, Bernd 0 statt 56, Rommé Bernd statt Anna." in paper.text


def test_a_struck_round_stays_readable_but_does_not_count() -> None:
    game = played(FAMILY, FOUR[:2], [(0, 10), (0, 77), (30, 0)])
    paper = printed(replace(game, sheet=game.sheet.strike(2, BEGAN)))

    assert paper.rounds() == [["0", "0", "10", "10"], ["0", "77"], ["30", "30", "0", "10"]]
    assert "Anna: Rommé, gestrichen" in paper.text
    assert after("Minuspunkte", paper) == [30, 10]


def test_a_misdeal_is_listed_without_points() -> None:
    paper = printed(cancelled(played(FAMILY, FOUR[:2], [(0, 10)])))

    assert "2 Bernd vergeben, zählt nicht" in paper.text
    assert after("Gewonnen", paper) == [1, 0]


def test_both_tallies_are_shown_with_the_one_that_ranks_first() -> None:  # L01
    game = played(rules_of("romme-palast"), FOUR, [(0, 50, 15, 50)])
    paper = printed(game)

    assert "Anna: Rommé, 115 plus" in paper.text
    assert after("Minuspunkte", paper) == [0, 50, 15, 50]
    assert after("Pluspunkte", paper) == [115, 0, 0, 0]
    assert paper.text.index("Minuspunkte 0") < paper.text.index("Pluspunkte 115")
    assert "wenig gewinnt" in paper.text


def test_plus_points_alone_where_the_winner_collects() -> None:  # L08
    paper = printed(played(rules_of("luxembourg"), FOUR[:3], [(0, 18, 14)]))

    assert after("Pluspunkte", paper) == [32, 0, 0]
    assert "viel gewinnt" in paper.text
    assert "Minuspunkte" not in paper.text


def test_minus_points_taken_off_are_in_the_column_the_remark_and_the_sums() -> None:  # L11
    rules = rules_of("german-family", score__winner_reduction=10)
    paper = printed(played(rules, FOUR[:2], [(113, 0), (0, 20)]))

    assert paper.rounds()[1] == ["−10", "103", "20", "20"]
    assert "Anna: Rommé, 10 abgezogen" in paper.text
    assert after("Abgezogen", paper) == [10, 0]


def test_phases_laid_count_before_points() -> None:
    first = [{}, {"laid": False, "points": 30}, {"laid": True, "points": 40}]
    second = [{"laid": False, "points": 25}, {"laid": True, "points": 5}, {}]
    rounds = [{"winner": 0, "seats": first}, {"winner": 2, "seats": second}]
    paper = printed(evening_of_rounds({"preset": "phases", "rounds": rounds}))

    assert after("Minuspunkte", paper) == [25, 35, 40]
    assert after("Phasen gelegt", paper) == [1, 1, 2]
    assert after("Platz", paper) == [2, 3, 1]
    assert "erst die Phasen, dann wenig Punkte" in " ".join(paper.text.split())


def test_the_sheet_says_who_passed_the_limit_and_when() -> None:  # L10
    paper = printed(played(rules_of("romme-palast"), FOUR[:2], [(0, 450), (0, 51)]))

    assert "Ende bei mehr als 500 Minuspunkten" in paper.text
    assert "Grenze in Runde 2: Bernd" in paper.text
    assert "19:40 bis 20:00 Uhr" in paper.text


def test_whoever_went_out_earlier_passed_the_limit_earlier() -> None:
    rules = rules_of("indian-pool", end__points=101, end__rejoin="none")
    rounds = [(0, 40, 80, 2), (0, 30, 40, 3), (5, 0, None, 75), (0, 60, None, 60)]
    paper = printed(played(rules, FOUR, rounds), "en")

    assert "limit in round 2: Claire; limit in round 4: Bernd and Dieter" in paper.written


def test_of_two_beyond_the_limit_at_gin_pro_each_has_the_own_round() -> None:
    rules = rules_of("gin-palast", gin__pro_min_wins=2, end__points=100, end__mode="points")
    paper = printed(played(rules, FOUR[:2], [(0, 90), (50, 0), (80, 0)]), "en")

    ended = "limit in round 1: Anna; limit in round 3: Bernd; Bernd wins"
    assert ended in paper.written


def test_of_three_games_at_once_the_limit_is_that_of_the_first_one_won() -> None:
    """Each hand brings 25 more for going gin; the first of the three games ends at 65 + 55."""
    rules = rules_of("gin-american", gin__hollywood=True, end__points=100)
    hands = [(0, 40), (0, 30), (20, 0), (0, 60), (0, 45)]
    paper = printed(played(rules, FOUR[:2], hands), "en")

    assert "limit in round 2: Anna" in paper.written


def test_a_side_that_came_back_below_the_limit_passed_it_the_last_time() -> None:
    rules = rules_of("romme-palast", rank__measure="net", end__measure="net", end__points=100)
    paper = printed(played(rules, FOUR[:2], [(0, 60), (0, 70), (80, 0), (0, 60)]), "en")

    assert "limit in round 4: Bernd" in paper.written


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("de", "Ab Runde 2: Ein Joker auf der Hand zählt 50. Bisher: 20."),
        ("en", "From round 2 on: A joker in hand counts 50. Before: 20."),
        ("lb", "Ab der Ronn 2:"),
        ("fr", "Dès la manche 2 :"),
    ],
)
def test_house_rules_that_changed_during_the_evening_say_since_when(
    code: str, changed: str
) -> None:
    first, then = FAMILY, rules_of("german-family", joker__hand_value=50)
    game = played(first, FOUR[:2], [(0, 20)])
    sheet = game.sheet.from_now_on(then, game.sheet.order)
    to_come = replace(game, rules=then, sheet=sheet)
    playing = replace(to_come, sheet=sheet.record(BEGAN, *scored(then, (0, 50))))

    assert changed in printed(to_come, code).text
    assert changed in printed(playing, code).text
    assert changed not in printed(replace(to_come, ended_by_hand=True), code).text
    assert changed not in printed(played(then, FOUR[:2], [(0, 50)] * 2), code).text


def test_who_sits_out_is_replaced_by_a_number_when_the_name_is_erased() -> None:
    rules = rules_of("gin-palast", players__max=3)
    paper = printed(played(rules, ("Anna", "", "Claire"), [(0, 40, None)]), "en")

    assert "not over yet, Player 2 sits out" in paper.written


def test_an_unfinished_evening_says_so() -> None:
    paper = printed(played(FAMILY, FOUR, some_rounds(4, 3)))

    assert "noch nicht zu Ende" in paper.text
    assert "seit 19:40 Uhr" in paper.text


@pytest.mark.parametrize(
    ("preset", "words"),
    [("german-family", "von Hand beendet"), ("romme-palast", "vorzeitig beendet")],
)
def test_an_end_by_hand_is_early_where_the_rules_name_another(preset: str, words: str) -> None:
    game = played(rules_of(preset), FOUR, some_rounds(4, 3))

    assert words in printed(replace(game, ended_by_hand=True)).text


def test_house_rules_are_sentences_and_the_stake_has_its_own_line() -> None:
    rules = rules_of(
        "german-family", out__extra_turn=True, settle__point_value="1/2", settle__unit="ct"
    )
    paper = printed(played(rules, FOUR, some_rounds(4, 3)))

    assert "Nach „Rommé“ hat jeder noch einen Zug." in paper.text
    assert "Einsatz 1/2 ct je Punkt" in paper.text


def test_how_many_play_is_not_said_beside_their_names() -> None:
    paper = printed(played(rules_of("gin-palast", teams=True), FOUR, []))

    assert "Jeder bekommt 7 Karten." in paper.text
    assert "Es spielen" not in paper.text


def test_card_values_follow_the_house_rules() -> None:
    rules = rules_of("german-family", joker__hand_value=50, wild__twos=True)
    paper = printed(played(rules, FOUR, some_rounds(4, 1)))

    assert "Kartenwerte: 3–10 die Zahl, B D K 10, Ass 11, Joker 50, 2 50." in paper.text


def test_rounded_amounts_appear_below_the_exact_ones() -> None:  # S03
    paper = printed(played(FAMILY, FOUR[:3], [(0, 5, 10)]))

    assert "genau +1,5 genau 0,0 genau −1,5" in paper.text
    assert "+2 Pf 0 Pf −2 Pf" in paper.text


def test_amounts_payable_to_the_cent_show_cents() -> None:
    stake = {"settle.unit": "EUR", "settle.point_value": "1/50", "settle.payable": "1/100"}
    paper = printed(played(FAMILY.override(stake), FOUR[:2], [(0, 160)]))

    assert "+3,20 € −3,20 €" in paper.text
    assert "Bernd zahlt Anna 3,20 €" in paper.text


def test_a_paid_payment_is_ticked_with_its_date() -> None:
    game = played(FAMILY, FOUR[:2], [(0, 100)])
    (due,) = game.payments

    assert "☐ Bernd zahlt Anna 10 Pf" in printed(game).text
    paper = printed(replace(game, paid=(replace(due, paid_at="2026-06-12T22:31:00Z"),)))
    assert "☑ Bernd zahlt Anna bezahlt um 22:31 10 Pf" in paper.text
    later = printed(replace(game, paid=(replace(due, paid_at="2026-06-14T22:31:00Z"),)))
    assert "☑ Bernd zahlt Anna 14.06.2026 10 Pf" in later.text


def test_nobody_pays_after_an_even_evening() -> None:
    assert "Niemand muss zahlen." in printed(played(FAMILY, FOUR, [])).text


def test_without_a_point_value_only_points_are_settled() -> None:
    paper = printed(played(rules_of("romme-palast"), FOUR[:2], [(0, 30)]))

    assert "+30 −30" in paper.text
    assert "Zahlungen" not in paper.text
    assert "um Punkte, ohne Geld" in paper.text


def test_the_stake_of_the_table_is_in_the_summary_and_the_settlement() -> None:  # RULES 9.7
    staked = rules_of("german-family", settle__stake="20", settle__mode="none")
    running = played(staked, FOUR[:3], [(0, 30, 7)])
    over = replace(running, ended_by_hand=True)

    assert "20 Pf von jedem an den Sieger" in printed(running).text
    assert "Ist die Partie vorbei, zahlt" in printed(running).text
    assert "+40 −20 −20 +40 Pf −20 Pf −20 Pf" in printed(over).text
    assert "Tischeinsatz: Jeder Verlierer zahlt" in printed(over).text
    both = printed(replace(over, rules=rules_of("german-family", settle__stake="20")))
    assert "1/10 Pf je Punkt; 20 Pf von jedem an den Sieger" in both.text


def test_without_a_settlement_there_is_room_for_notes() -> None:
    paper = printed(played(rules_of("german-family", settle__mode="none"), FOUR, some_rounds(4, 3)))

    assert "Abrechnung" not in paper.text
    assert "Bemerkungen" in paper.text


def test_a_note_on_a_round_is_printed() -> None:
    game = played(FAMILY, FOUR, some_rounds(4, 3), {"note.2": "Ein Joker lag unter dem Tisch."})

    assert "Runde 2: Ein Joker lag unter dem Tisch." in printed(game).text


def test_an_erased_name_is_replaced_by_a_number_on_paper() -> None:
    paper = printed(played(FAMILY, ("Anna", ""), [(0, 30)]))

    assert "Spieler 2 zahlt Anna 3 Pf" in paper.text


def test_the_footer_has_the_number_of_events_and_the_end_of_their_chain() -> None:
    game = played(FAMILY, FOUR, some_rounds(4, 3))
    paper = printed(game, head="7f3a91c204de55aa" + 48 * "0")

    assert "Prüfzeichen der Daten: 7f3a 91c2 04de 55aa 4 Einträge im Verlauf" in paper.text
    assert "Prüfzeichen" not in printed(game).text


@pytest.mark.parametrize(("name", "code"), [*zip(PRESETS, cycle(LANGUAGES), strict=False)])
def test_every_rule_system_has_its_sheet(name: str, code: str) -> None:
    rules = PRESETS[name]
    game = played(rules, FOUR[: rules.players.max], [])
    game = cancelled(replace(game, ended_by_hand=True))
    lines = {"de": "vergeben", "en": "misdeal", "lb": "falsch ginn", "fr": "maldonne"}

    assert lines[code] in printed(game, code).text


def test_the_metadata_of_a_sheet_names_its_title_and_language() -> None:
    paper = printed(played(FAMILY, FOUR, some_rounds(4, 3)), "lb")
    about = paper.reader.metadata

    assert about is not None
    assert (about.title, about.author) == ("Ein Abend zu viert", "scorekeeper")
    assert paper.reader.root_object["/Lang"] == "lb"


def games() -> list[Game]:
    """Return a few games that share nothing."""
    return [
        played(FAMILY, FOUR, some_rounds(4, 7)),
        played(rules_of("romme-palast"), FOUR[:3], some_rounds(3, 60)),
        played(rules_of("luxembourg"), (*FOUR, "Ève", "Flo"), some_rounds(6, 12)),
    ]


def test_equal_games_give_equal_bytes() -> None:
    assert [printed(game).data for game in games()] == [printed(game).data for game in games()]


def test_the_chart_names_every_line_and_has_a_round_scale() -> None:
    paper = printed(played(FAMILY, FOUR, some_rounds(4, 7)))
    chart = paper.text.split("Punktekurve")[1].split("Bemerkungen")[0]

    assert all(name in chart for name in FOUR)
    assert re.findall(r"\b[1-5]00\b", chart) == ["400", "300", "200", "100"]


def full_evening(stake: str = "1/4") -> Game:
    """Return seven rounds of four with fractions, one correction, and payments ticked."""
    rules = rules_of("german-family", settle__point_value=stake, settle__unit="ct")
    texts = {"title": "Freitagsrunde", "place": "bei Claire"}
    game = played(rules, FOUR, some_rounds(4, 7), texts)
    facts, score = scored(rules, (0, 5, 70, 33))
    sheet = game.sheet.correct(6, "2026-06-12T21:55:00Z", facts, score)
    game = replace(game, sheet=sheet, ended_by_hand=True)
    settlement = game.settlement()
    assert settlement is not None and settlement.transfers
    assert settlement.amounts != settlement.payable_amounts
    made = tuple(replace(one, paid_at="2026-06-12T22:10:00Z") for one in game.payments)
    return replace(game, paid=made)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("size", ["A4", "A5"])
@pytest.mark.parametrize(
    ("address", "stake"), [(LIVE, "1/4"), (LIVE, "1/7"), (LIVE, "99/7"), (None, "99/7")]
)
def test_an_evening_of_seven_rounds_fits_on_one_page(
    size: str, code: str, address: str | None, stake: str
) -> None:
    head, group = "0123456789abcdef", "Stammtisch am Freitag"
    game = full_evening(stake)
    paper = printed(game, code, size=size, address=address, head=head, group=group)

    assert len(paper.reader.pages) == 1
    assert_tidy(paper)


def test_amounts_are_written_as_people_say_them() -> None:
    paper = printed(full_evening()).text

    assert " €" in paper
    assert not re.search(r"\d ct(?! je Punkt)", paper)


def test_the_small_print_tells_where_the_evening_is_found() -> None:
    paper = printed(played(FAMILY, FOUR, []), found_at="karten.example.org")

    assert "Geschrieben mit scorekeeper: karten.example.org" in paper.text
