"""Gin for three: two play a round, and one sits out ([dec], RULES 6.2b for gin)."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rounds.facts import RoundScore
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import preset
from scorekeeper.wire.rounds import load_round

TWO = preset("gin-palast")
THREE = TWO.override({"players.max": 3})
K1 = {"hand": "4C 5C 6C 9H 9S 9D JD QD KD 6H", "melds": ["4C 5C 6C", "9H 9S 9D", "JD QD KD"]}
O2 = "2S 3S 4S QH QC QS 7C 9C 10D AC"
AWAY = {"absent": True}


def scored(body: Any, rules: Any = THREE, players: int = 3) -> RoundScore:
    entry = load_round({"outcome": "knock", **body})
    return score_round(entry.round, rules, players, noticed=entry.warnings)


def refused(body: Any, rules: Any = THREE, players: int = 3) -> list[tuple[str, Any, Any]]:
    with pytest.raises(RuleError) as error:
        scored(body, rules, players)
    return [(one.code, one.facts.get("why"), one.path) for one in error.value.problems]


@pytest.mark.parametrize("out", [0, 1, 2])
@pytest.mark.parametrize("knocks", [0, 1])
@pytest.mark.parametrize(("own", "others"), [(5, 30), (7, 7), (0, 24)])
def test_two_of_three_score_as_two_alone(out: int, knocks: int, own: int, others: int) -> None:
    seats = [{"deadwood": others}, {"deadwood": others}]
    seats[knocks] = {"deadwood": own}
    alone = scored({"knocker": knocks, "seats": seats}, TWO, 2)
    playing = [seat for seat in range(3) if seat != out]
    seated = [*seats[:out], AWAY, *seats[out:]]

    three = scored({"knocker": playing[knocks], "seats": seated})

    assert three.scores[out] is None
    assert [three.scores[seat] for seat in playing] == list(alone.scores)
    assert three.winner is not None and alone.winner is not None
    assert three.winner == playing[alone.winner]
    assert [line.seat for line in three.lines] == [playing[line.seat] for line in alone.lines]
    assert three.verification == alone.verification


def test_cards_are_laid_off_on_the_melds_of_the_other_player() -> None:  # G07 at seats 2 and 0
    layoffs = [
        {"card": card, "meld": {"seat": 2, "index": at}} for card, at in (("7C", 0), ("9C", 1))
    ]
    defender = {"hand": O2, "layoffs": [*layoffs, {"card": "10D", "meld": {"seat": 2, "index": 2}}]}

    score = scored({"knocker": 2, "seats": [defender, AWAY, K1]})

    assert (score.winner, score.scores[0] and score.scores[0].plus) == (0, 35)
    assert {line.facts["of"] for line in score.lines if line.reason == "deadwood"} == {0, 2}
    assert score.verification == "verified"


def test_calls_are_those_of_the_seats_at_the_table() -> None:
    rules = THREE.override({"gin.hirschn": True, "gin.glass": True})
    body = {
        "knocker": 2,
        "seats": [AWAY, {"deadwood": 24}, {"deadwood": 6}],
        "hirschn": {"caller": 2, "turns_after": 2},
        "glass": [{"by": 1, "kind": "group", "rank": "7", "hit": False}],
    }

    score = scored(body, rules)

    assert {line.reason: (line.seat, line.facts.get("of")) for line in score.lines} == {
        "deadwood": (2, 2),
        "difference": (2, None),
        "box": (2, None),
        "hirschn": (2, 2),
        "glass_missed": (2, 1),
    }
    absent = replace_by(body, 0)
    assert refused(absent, rules)[0][0] in ("E_FORM", "E_GLASS")


def replace_by(body: Any, seat: int) -> Any:
    return {**body, "glass": [{**body["glass"][0], "by": seat}]}


def test_findings_name_the_seats_of_the_table() -> None:
    body = {"knocker": 2, "seats": [{"deadwood": 24}, AWAY, {"deadwood": 11}]}
    warned = {"knocker": 2, "seats": [{"deadwood": 101}, AWAY, {"deadwood": 6}]}

    (warning,) = scored(warned).warnings

    assert refused(body) == [("E_KNOCK_LIMIT", "limit", ("seats", 2))]
    assert (warning.code, warning.path) == ("W_POINTS_IMPOSSIBLE", ("seats", 0, "deadwood"))
    assert warning.facts["seat"] == 0


def test_a_remark_on_the_notation_stays_where_it_was() -> None:
    body = {"knocker": 1, "notation": "de", "seats": [AWAY, {"rest": "A"}, {"rest": "K B 10"}]}
    noticed = load_round({**body, "outcome": "knock"}).warnings

    assert scored(body).warnings[: len(noticed)] == noticed


@pytest.mark.parametrize(
    ("seats", "why", "path"),
    [
        ([{"deadwood": 5}, {"deadwood": 20}, {"deadwood": 30}], "sits_out", ("seats",)),
        ([{"deadwood": 5}, AWAY, AWAY], "sits_out", ("seats",)),
        ([AWAY, {"deadwood": 20}, {"deadwood": 30}], "absent_winner", ("knocker",)),
    ],
)
def test_exactly_two_play_and_one_of_them_knocks(seats: Any, why: str, path: Any) -> None:
    assert refused({"knocker": 0, "seats": seats}) == [("E_FORM", why, path)]


def test_alone_and_in_teams_nobody_sits_out() -> None:
    teams = TWO.override({"teams": True})
    four = [{"deadwood": 3}, AWAY, {"deadwood": 9}, {"deadwood": 6}]

    assert refused({"knocker": 0, "seats": [{"deadwood": 3}, AWAY]}, TWO, 2)[0][1] == "absent_gin"
    assert refused({"knocker": 0, "seats": four}, teams, 4)[0][1] == "absent_gin"


def test_a_void_round_may_say_who_sat_out() -> None:
    entry = load_round({"outcome": "void", "seats": [{}, AWAY, {}]})

    score = score_round(entry.round, THREE, 3)

    assert score.scores[1] is None
    assert replace(score, scores=()).winner is None


def test_three_can_play_gin_and_four_only_in_teams() -> None:
    for players in (2, 3):
        TWO.override({"players.max": players})

    with pytest.raises(RuleError) as error:
        TWO.override({"players.max": 4})

    assert error.value.problems[0].facts["why"] == "gin_for_two"


def test_the_deck_need_only_suffice_for_the_two_who_play() -> None:
    assert THREE.override({"deal.cards": 16}).deal.to(2) == 16
