"""The story of an evening: leads, turning point, gaps, streaks and comebacks."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.story import CODES, HIGHLIGHTS, SPECIAL, ahead_since, highlights, story
from scorekeeper.domain.rounds.facts import Round, RoundScore, ScoreLine, SeatScore
from scorekeeper.domain.rules.presets import PRESETS

AT = "2026-06-12T20:00:00Z"
OUT = Round(outcome="out")
Points = tuple[int | None, ...]


def written(points: Points, tally: str, **about: Any) -> RoundScore:
    """Return a round won by most plus or fewest minus points; None: absent."""
    here = [(-n if tally == "minus" else n, -i) for i, n in enumerate(points) if n is not None]
    about = {
        "outcome": "out",
        "winner": -max(here)[1],
        "verification": "unverified",
        "lines": (),
        **about,
    }
    scores = tuple(None if n is None else SeatScore(**{tally: n}) for n in points)
    return RoundScore(scores=scores, **about)


def sheet_of(
    *rounds: Points, rules: str = "german-family", tally: str = "minus", **options: Any
) -> Sheet:
    named = {name.replace("__", "."): value for name, value in options.items()}
    sheet = Sheet(PRESETS[rules].override(named), len(rounds[0]))
    for points in rounds:
        sheet = sheet.record(AT, OUT, written(points, tally))
    return sheet


def moments(sheet: Sheet) -> list[tuple[Any, ...]]:
    return [(moment.code, *moment.facts.values()) for moment in story(sheet)]


def about(sheet: Sheet, code: str) -> list[dict[str, int]]:
    return [dict(moment.facts) for moment in story(sheet) if moment.code == code]


def test_a_story_goes_from_the_first_lead_to_the_comeback() -> None:
    """Totals 0-20-30, 50-20-70, 60-65-70, 120-85-70, 125-115-70: A, B, A, C, C lead."""
    sheet = sheet_of((0, 20, 30), (50, 0, 40), (10, 45, 0), (60, 20, 0), (5, 30, 0))

    assert [(moment.code, dict(moment.facts)) for moment in story(sheet)] == [
        ("lead", {"round": 2, "before": 0, "side": 1}),
        ("lead", {"round": 3, "before": 1, "side": 0}),
        ("lead", {"round": 4, "before": 0, "side": 2}),
        ("turning_point", {"round": 4, "side": 2}),
        ("biggest", {"round": 4, "side": 0, "points": 60}),
        ("closest", {"round": 3, "points": 5}),
        ("gap", {"points": 45}),
        ("streak", {"side": 2, "rounds": 3, "first": 3, "last": 5}),
        ("comeback", {"round": 2, "side": 2, "points": 50}),
    ]


def test_a_leader_from_the_first_round_on_has_no_turning_point_and_no_comeback() -> None:
    sheet = sheet_of((0, 20), (10, 0), (0, 40))

    assert moments(sheet) == [
        ("biggest", 3, 1, 40),
        ("closest", 2, 10),
        ("gap", 50),
    ]


def test_before_the_first_round_there_is_no_story() -> None:
    assert moments(Sheet(PRESETS["german-family"], 4)) == []


def test_a_shared_lead_belongs_to_nobody() -> None:
    """Totals 0-9-9, 9-9-9 (one round won each), 9-18-18: A's lead becomes shared, not B's."""
    sheet = sheet_of((0, 9, 9), (9, 0, 0), (0, 9, 9))

    assert about(sheet, "lead") == about(sheet, "turning_point") == []


def test_more_rounds_won_break_a_tie() -> None:  # RULES 8.5
    """Totals 0-30, 30-30, 30-30 with wins 1-0, 1-1, 1-2: B has passed A in the third."""
    sheet = sheet_of((0, 30), (30, 0))
    sheet = sheet.record(AT, OUT, written((0, 0), "minus", winner=1))

    assert about(sheet, "lead") == [{"round": 3, "before": 0, "side": 1}]
    assert about(sheet, "gap") == [{"points": 0}]


def test_an_evening_with_two_winners_has_no_turning_point() -> None:
    sheet = sheet_of((0, 30), (50, 0), (0, 20))

    assert sheet.leaders == (0,)  # 50 each, but A has won two rounds
    level = sheet.record(AT, OUT, written((0, 0), "minus", winner=1))
    assert level.leaders == (0, 1)
    assert [moment[0] for moment in moments(level)] == ["lead", "lead", "biggest", "closest", "gap"]


def test_the_winner_by_gin_pro_takes_the_lead_in_the_last_round() -> None:  # RULES 8.4
    """A has 114 points and one round won; B reaches 100 with the two that are needed."""
    rules = {"end__points": 100, "gin__pro_min_wins": 2}
    sheet = sheet_of((114, 0), (0, 60), (0, 41), rules="gin-palast", tally="plus", **rules)

    assert sheet.leaders == (1,)
    assert about(sheet, "lead") == [{"round": 3, "before": 0, "side": 1}]
    assert about(sheet, "comeback") == [{"round": 1, "side": 1, "points": 114}]


def test_struck_and_void_rounds_are_not_in_the_story() -> None:
    sheet = sheet_of((0, 20), (90, 0), (0, 30))
    sheet = sheet.record(AT, OUT, written((0, 0), "minus", outcome="void", winner=None))
    sheet = sheet.record(AT, OUT, written((0, 7), "minus")).strike(2, AT)

    assert about(sheet, "lead") == []
    assert about(sheet, "biggest") == [{"round": 3, "side": 1, "points": 30}]
    assert about(sheet, "streak") == [{"side": 0, "rounds": 3, "first": 1, "last": 5}]


def test_absent_rounds_neither_break_a_streak_nor_count_for_the_lead() -> None:
    sheet = sheet_of((0, 20, None), (40, 0, None), (60, 30, 0), (5, None, 0), (8, 9, 0))

    assert about(sheet, "streak") == [{"side": 2, "rounds": 3, "first": 3, "last": 5}]
    assert about(sheet, "lead") == [
        {"round": 2, "before": 0, "side": 1},
        {"round": 4, "before": 1, "side": 2},  # after the third, C has played one of three
    ]
    assert about(sheet, "comeback") == []


def test_of_equal_moments_the_first_or_last_is_chosen() -> None:
    """Totals 20-0, 25-0, 25-25, 25-40, 40-40, 65-40: tied after the third and the fifth."""
    sheet = sheet_of((20, 0), (5, 0), (0, 25), (0, 15), (15, 0), (25, 0))

    assert about(sheet, "biggest") == [{"round": 3, "side": 1, "points": 25}]
    assert about(sheet, "streak") == [{"side": 1, "rounds": 2, "first": 1, "last": 2}]
    assert about(sheet, "closest") == [{"round": 5, "points": 0}]


def test_in_knock_rummy_the_pot_is_more_than_one_payment() -> None:
    """With two players, one pays what the other gets; the story names the gain."""
    sheet = Sheet(PRESETS["knock-rummy"], 2).record(
        AT,
        {},
        RoundScore(
            outcome="knock",
            winner=1,
            verification="unverified",
            scores=(SeatScore(minus=33), SeatScore(plus=33)),
            lines=(),
        ),
    )

    assert about(sheet, "biggest") == [{"round": 1, "side": 1, "points": 33}]


tables = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.tuples(*[st.integers(0, 12)] * n), min_size=1, max_size=10)
)


@given(tables)
def test_the_story_agrees_with_a_naive_look_at_the_totals(rounds: list[tuple[int, ...]]) -> None:
    moments = list(story(sheet_of(*rounds)))

    totals = [[0] * len(rounds[0])]
    wins = [[0] * len(rounds[0])]
    for points in rounds:
        totals.append([t + p for t, p in zip(totals[-1], points, strict=True)])
        best = points.index(min(points))
        wins.append([w + (i == best) for i, w in enumerate(wins[-1])])
    del totals[0], wins[0]
    alone = []
    for total, won in zip(totals, wins, strict=True):
        keys = [(-t, w) for t, w in zip(total, won, strict=True)]
        firsts = [i for i, key in enumerate(keys) if key == max(keys)]
        alone.append(firsts[0] if len(firsts) == 1 else None)
    holders = [(r, who) for r, who in enumerate(alone, start=1) if who is not None]
    passed = [
        {"round": r, "before": before, "side": who}
        for (_, before), (r, who) in pairwise(holders)
        if before != who
    ]
    assert [dict(m.facts) for m in moments if m.code == "lead"] == passed
    turned = [m.facts["round"] for m in moments if m.code == "turning_point"]
    assert turned == ([passed[-1]["round"]] if passed and alone[-1] is not None else [])
    gaps = [sorted(total)[1] - sorted(total)[0] for total in totals]
    assert [m.facts["points"] for m in moments if m.code == "gap"] == [gaps[-1]]
    assert [m.facts["points"] for m in moments if m.code == "closest"] == [min(gaps)]
    peaks = [m.facts["points"] for m in moments if m.code == "biggest"]
    assert peaks == [n for n in [max(map(max, rounds))] if n]
    winner = alone[-1]
    behind = [0] if winner is None else [t[winner] - min(t) for t in totals]
    comebacks = [m.facts["points"] for m in moments if m.code == "comeback"]
    assert comebacks == [n for n in [max(behind)] if n]
    row = "".join(chr(97 + points.index(min(points))) for points in rounds)
    longest = max(n for n in range(len(row) + 1) if any(s * n in row for s in "abcde"))
    streaks = [m.facts["rounds"] for m in moments if m.code == "streak"]
    assert streaks == [n for n in [longest] if n > 1]
    assert [CODES.index(m.code) for m in moments] == sorted(CODES.index(m.code) for m in moments)


def shown(sheet: Sheet) -> list[tuple[int, str]]:
    return [(moment.facts["round"], moment.code) for moment in highlights(sheet)]


def test_four_moments_decide_an_evening_each_in_another_round() -> None:
    """Totals 0-20-30, 50-20-70, 60-65-70, 120-85-70, 125-115-70: A, B, A, C, C lead."""
    sheet = sheet_of((0, 20, 30), (50, 0, 40), (10, 45, 0), (60, 20, 0), (5, 30, 0))

    assert shown(sheet) == [
        (2, "comeback"),
        (3, "closest"),
        (4, "turning_point"),
        (5, "last"),
    ]


def test_the_widest_lead_is_a_moment_of_its_own() -> None:
    """Totals 60-0, 60-5, 110-5, 110-15."""
    sheet = sheet_of((60, 0), (0, 5), (50, 0), (0, 10))
    _, _, widest, _ = highlights(sheet)

    assert shown(sheet) == [(1, "biggest"), (2, "closest"), (3, "widest"), (4, "last")]
    assert widest.facts == {"round": 3, "side": 1, "points": 105}


def test_of_two_changes_of_the_lead_the_later_one_is_a_highlight() -> None:
    """B leads since round 2, A since round 4, B again since round 6."""
    sheet = sheet_of((0, 0), (5, 0), (0, 0), (0, 10), (0, 20), (30, 0))

    assert shown(sheet) == [(1, "closest"), (4, "lead"), (5, "comeback"), (6, "turning_point")]


def test_a_quiet_evening_has_its_rounds_as_highlights() -> None:
    assert shown(sheet_of((0, 20), (0, 20), (0, 20))) == [(1, "biggest"), (2, "won"), (3, "last")]
    assert shown(sheet_of((0, 20), (0, 20), (0, 20), (0, 20), (0, 20))) == [
        (1, "biggest"),
        (2, "won"),
        (5, "last"),
    ]
    assert shown(sheet_of((0, 20))) == [(1, "last")]
    assert shown(Sheet(PRESETS["german-family"], 3)) == []


@given(st.lists(st.tuples(*[st.integers(0, 60)] * 3), max_size=12))
def test_no_more_than_four_moments_and_never_two_of_a_round(rounds: list[Points]) -> None:
    sheet = sheet_of(*rounds) if rounds else Sheet(PRESETS["german-family"], 3)
    numbers = [number for number, _ in shown(sheet)]

    assert numbers == sorted(set(numbers))
    assert len(numbers) <= 4
    assert len(numbers) >= min(3, len(rounds))
    assert {code for _, code in shown(sheet)} <= set(HIGHLIGHTS)


def test_the_winner_is_ahead_since_the_round_that_nobody_took_from_them() -> None:
    turned = sheet_of((0, 20, 30), (50, 0, 40), (10, 45, 0), (60, 20, 0), (5, 30, 0))

    assert ahead_since(turned) == 4
    assert ahead_since(sheet_of((0, 20), (0, 20))) == 1
    assert ahead_since(sheet_of((0, 20), (20, 0))) is None
    assert ahead_since(Sheet(PRESETS["german-family"], 2)) is None


class TestTooFewRoundsToWin:
    """E04: A 60, B 90, and C 20 in the first round only."""

    EVENING = ((0, 10, 20), (0, 40, None), (30, 0, None), (0, 40, None), (30, 0, None))

    def test_a_player_who_left_is_no_leader(self) -> None:
        """From the third round on C has fewer points than A, but has played too little."""
        sheet = sheet_of(*self.EVENING)

        assert sheet.leaders == (0,)
        assert ahead_since(sheet) == 1
        assert about(sheet, "lead") == about(sheet, "comeback") == []
        assert about(sheet, "gap") == [{"points": 30}]

    def test_without_the_option_the_player_leads_to_the_end(self) -> None:
        sheet = sheet_of(*self.EVENING, end__min_rounds_to_win="0")

        assert sheet.leaders == (2,)
        assert about(sheet, "lead") == [{"round": 3, "before": 0, "side": 2}]
        assert about(sheet, "gap") == [{"points": 40}]

    def test_the_only_player_who_can_win_is_ahead_of_nobody(self) -> None:
        sheet = sheet_of((0, 9, None), (0, None, 9), end__min_rounds_to_win="1")

        assert sheet.leaders == (0,)
        assert about(sheet, "gap") == []
        assert about(sheet, "closest") == [{"round": 1, "points": 9}]
        assert "last" not in [moment.code for moment in highlights(sheet)]


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        ([(0, 0, "gin"), (1, 1, "knock")], ("gin", 1, 0)),
        ([(0, 1, "undercut"), (1, 1, "knock")], ("undercut", 1, 1)),
        ([(0, 0, "big_gin"), (1, 1, "knock")], ("big_gin", 1, 0)),
        ([(1, 1, "small_gin"), (1, 1, "knock")], ("small_gin", 1, 1)),
        ([(0, 0, "rummy"), (1, 1, "knock")], ("rummy", 1, 0)),
        ([(0, 0, "knock")], None),
    ],
)
def test_special_ends_of_a_round_are_highlights(
    rounds: list[tuple[int, int, str]], expected: tuple[str, int, int] | None
) -> None:
    sheet = Sheet(PRESETS["gin-palast"], 2)
    for knocker, winner, reason in rounds:
        facts = Round(outcome="knock", knocker=knocker)
        lines = (ScoreLine(seat=winner, reason=reason, plus=20),)
        points = tuple(20 if side == winner else 0 for side in range(2))
        score = written(points, "plus", outcome="knock", winner=winner, lines=lines)
        sheet = sheet.record(AT, facts, score)

    special = [(one.code, *one.facts.values()) for one in highlights(sheet) if one.code in SPECIAL]
    assert special == ([expected] if expected else [])
